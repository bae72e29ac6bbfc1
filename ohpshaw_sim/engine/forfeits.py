"""Forfeits: rounds in which an agent fails, played on to their ends without it.

The seat at fault scores 0 for the round; from the decision at which it failed on it gives random legal answers, drawn
from each decision's own random word, and its agent is not asked again before the next round. Nothing else of the game
is changed, so rounds of other matches are the same, bit for bit, as if it had not failed.

Play goes the usual way until something goes wrong. Then the same sets are played again with a `CarefulAsker`, which
asks every agent that is not trusted from outside, compiled ones too, and where a batch goes wrong its rows one by one.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ohpshaw_sim.engine.asking import is_legal
from ohpshaw_sim.engine.attempts import Trouble, attempt
from ohpshaw_sim.engine.batched import Memory, agents_by_place, note, tell_of_matches
from ohpshaw_sim.engine.calls import OUTSIDE
from ohpshaw_sim.engine.fault import Fault
from ohpshaw_sim.engine.interrupts import HOLD
from ohpshaw_sim.engine.lineup import Game, outside_agents
from ohpshaw_sim.engine.outside import CompiledCalls, outside_answers
from ohpshaw_sim.engine.sandbox import POSSIBLE, Sandbox, SandboxLostError
from ohpshaw_sim.engine.spots import note_exactly, spot_of
from ohpshaw_sim.interface.agent import CompiledAgent, ScalarAdapter
from ohpshaw_sim.interface.batch import Batch
from ohpshaw_sim.interface.view import PLAY, VIEW
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import nth_bit, popcount
from ohpshaw_sim.kernels.rng import below


@dataclass(frozen=True)
class Forfeits:
    """How faults are dealt with where agents may forfeit rounds.

    `known` are faults that stand: at their decisions the agent is not asked again. With `one_by_one`, sets are played
    with care from the start and every decision is asked for by itself, so that whoever watches can tell which one an
    agent did not survive; those at the places `killers`, which have ended processes before, are asked in a process of
    their own.
    """

    known: tuple[Fault, ...] = ()
    one_by_one: bool = False
    killers: frozenset[int] = frozenset()

    @property
    def careful(self) -> bool:
        """Whether sets are played with care from the start."""
        return self.one_by_one or bool(self.known)


def without_guarded(game: Any) -> Any:
    """Return a GAME record (in an array of 1) in which only trusted agents are called from compiled code."""
    copy = game.copy()
    guarded = copy[0].guarded != 0
    for name in ("bid_call", "name_call", "play_call"):
        copy[name][0][guarded] = OUTSIDE
    return copy


class CarefulAsker:
    """Asks agents so that each fault is one decision's; what went wrong stands in `faults`.

    `calls` is the GAME record with the addresses of all compiled agents, `memory.games` one without those that are
    not trusted.
    """

    def __init__(self, game: Game, calls: Any, memory: Memory, noted: Any, forfeits: Forfeits) -> None:
        self.faults: list[Fault] = []
        self._lineup, self._memory, self._noted = game.lineup, memory, noted[0]
        self._outside, self._compiled = outside_agents(game), CompiledCalls(calls)
        self._known = {fault.spot: fault for fault in forfeits.known}
        self._one_by_one = forfeits.one_by_one
        self._killers = forfeits.killers if POSSIBLE else frozenset()
        self._sandbox = Sandbox(self._attempt_one)
        self._unready: dict[int, Trouble] = {}

    def close(self) -> None:
        """End what is still there of agents in a process of their own."""
        self._sandbox.close()

    def begin(self, rows: int) -> None:
        """Tell agents that have a memory that matches begin; who fails at that forfeits the first round of each."""
        self._unready.clear()
        self._sandbox.close()  # what it remembers is of other matches
        for place, agent in agents_by_place(self._outside):
            self._noted.asked_place = place
            _, trouble = attempt(partial(HOLD.call, tell_of_matches, agent, rows))
            if trouble is not None:
                self._unready[id(agent)] = trouble

    def answers(self, place: int, kind: int, rows: Any) -> Any:
        """Return the answers of some rows, all of them legal."""
        tables = self._memory.tables
        answers = random_answers(tables, self._memory.views, rows)
        agent = self._agent(place, kind)
        playing = (tables["forfeits"][rows] >> tables["turn"][rows]) & 1 == 0
        open_ones = [one for one in np.flatnonzero(playing) if not self._stands(agent, int(rows[one]))]
        if open_ones:
            answers[open_ones] = self._asked(agent, place, kind, rows[open_ones], answers[open_ones])
        self._noted.asked_exactly = 0
        return answers

    def _stands(self, agent: Any, row: int) -> bool:
        """Forfeit, without asking, what an agent is known to fail at; tell whether it is."""
        trouble = self._unready.get(id(agent)) if self._unready else None
        if trouble is not None and self._memory.tables[row].round_number == 0:
            self._forfeit(row, trouble)
            return True
        known = self._known.get(spot_of(self._memory.tables[row])) if self._known else None
        if known is not None:
            self._forfeit(row, Trouble(known.kind, known.sentence))
        return known is not None

    def _asked(self, agent: Any, place: int, kind: int, rows: Any, instead: Any) -> Any:
        """Return an agent's answers to some rows, `instead` where they are faults."""
        alone = self._one_by_one or isinstance(agent, CompiledAgent | ScalarAdapter)
        answers = None
        if not alone:
            tick = partial(note, self._noted, self._memory.tables[rows[0]])
            tick()
            batch = Batch(self._memory.views, rows, tick)
            answers, _ = attempt(lambda: outside_answers(agent, kind, batch, int(rows[0])))
        if answers is None:  # the guilty are among them
            return np.array(
                [self._alone(agent, place, kind, *pair) for pair in zip(rows, instead, strict=True)], np.int64
            )
        return np.array(
            [
                self._legal(int(row), int(own), int(other))
                for row, own, other in zip(rows, answers, instead, strict=True)
            ],
            np.int64,
        )

    def _alone(self, agent: Any, place: int, kind: int, row: Any, instead: Any) -> int:
        """Ask about one row by itself."""
        note_exactly(self._noted, self._memory.tables[row])
        view = self._memory.views[row : row + 1]
        if place in self._killers:
            answer, trouble = self._apart(place, kind, int(row), view.tobytes())
        else:
            answer, trouble = attempt(partial(self._answer, agent, place, kind, int(row), view))
        if trouble is not None:
            self._forfeit(int(row), trouble)
            return int(instead)
        return self._legal(int(row), answer, int(instead))

    def _answer(self, agent: Any, place: int, kind: int, row: int, view: Any) -> int:
        """Return an agent's answer to one view (in an array of 1). Raises RowFaultError and what the agent raises."""
        if isinstance(agent, CompiledAgent):
            return self._compiled.answer(view, 0, kind, place)
        batch = Batch(view, np.zeros(1, np.int64))
        batch.match = np.array([row])
        return int(outside_answers(agent, kind, batch, row)[0])

    def _apart(self, *question: Any) -> tuple[Any, Trouble | None]:
        """Ask in another process."""
        try:
            answer, trouble = self._sandbox.call(*question)
        except SandboxLostError as error:
            return None, Trouble(error.kind, error.what)
        if trouble is not None and trouble.kind == "memory":
            self._sandbox.close()
        return answer, trouble

    def _attempt_one(self, place: int, kind: int, row: int, data: bytes) -> tuple[Any, Trouble | None]:
        """Ask about one view, in that other process."""
        view = np.frombuffer(bytearray(data), VIEW).view(np.recarray)
        return attempt(partial(self._answer, self._agent(place, kind), place, kind, row, view))

    def _agent(self, place: int, kind: int) -> Any:
        return self._lineup[place].player if kind == PLAY else self._lineup[place].bidder

    def _legal(self, row: int, answer: int, instead: int) -> int:
        """Return an answer, or what stands in for it if it is illegal."""
        if is_legal(answer, self._memory.tables[row].legal):
            return answer
        self._forfeit(row, Trouble("illegal", f"answered {answer}, which is illegal"))
        return instead

    def _forfeit(self, row: int, trouble: Trouble) -> None:
        """Have the seat whose turn it is forfeit the round."""
        table = self._memory.tables[row]
        table.forfeits |= 1 << int(table.turn)
        set_number, rotation, number, seat, decision = spot_of(table)
        place = int(table.asked_place)
        self.faults.append(Fault(set_number, rotation, number, seat, place, decision, *trouble))


@jit
def random_answers(tables: Any, views: Any, rows: Any) -> Any:
    """Return a random legal answer (int64) for each row, from the random word of its decision."""
    answers = np.empty(len(rows), np.int64)
    for index in range(len(rows)):
        legal = tables[rows[index]].legal
        answers[index] = nth_bit(legal, below(views[rows[index]].rnd, popcount(legal)))
    return answers
