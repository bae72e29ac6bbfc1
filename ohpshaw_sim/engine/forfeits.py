"""Forfeits: rounds in which an agent fails, played on to their ends without it.

The seat at fault scores 0 for the round; from the decision at which it failed on it gives random legal answers, drawn
from each decision's own random word, and its agent is not asked again before the next round. Nothing else of the game
is changed, so rounds of other matches are the same, bit for bit, as if it had not failed.

Play goes the usual way until something goes wrong. Then the same sets are played again with a `CarefulAsker`, which
asks every agent that is not trusted from outside, compiled ones too, and where a batch goes wrong its rows one by one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ohpshaw_sim.engine.asking import is_legal
from ohpshaw_sim.engine.auction import NAMING
from ohpshaw_sim.engine.batched import Memory, note, tell_of_matches
from ohpshaw_sim.engine.calls import OUTSIDE
from ohpshaw_sim.engine.fault import Fault, RowFaultError, kind_of, raised
from ohpshaw_sim.engine.interrupts import HOLD
from ohpshaw_sim.engine.lineup import Game, outside_agents
from ohpshaw_sim.engine.outside import CompiledCalls, outside_answers
from ohpshaw_sim.interface.agent import CompiledAgent, ScalarAdapter
from ohpshaw_sim.interface.batch import Batch
from ohpshaw_sim.interface.view import NAME_TRUMP, PLAY
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import nth_bit, popcount
from ohpshaw_sim.kernels.rng import below


@dataclass(frozen=True)
class Forfeits:
    """How faults are dealt with where agents may forfeit rounds.

    `known` are faults that stand: at their decisions the agent is not asked again. With `one_by_one`, sets are played
    with care from the start and every decision is asked for by itself, so that whoever watches can tell which one an
    agent did not survive.
    """

    known: tuple[Fault, ...] = ()
    one_by_one: bool = False

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


def stray(error: BaseException) -> bool:
    """Tell an error that no agent has caused: Ctrl-C, but in a worker process, which does not hear of it."""
    return isinstance(error, KeyboardInterrupt) and not HOLD.watched


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
        self._unready: dict[int, _Trouble] = {}

    def begin(self, rows: int) -> None:
        """Tell agents that have a memory that matches begin; who fails at that forfeits the first round of each."""
        self._unready.clear()
        agents = {id(agent): agent for half in self._outside for agent in half if agent is not None}
        for key, agent in agents.items():
            _, trouble = _attempt(partial(HOLD.call, tell_of_matches, ([agent], []), rows))
            if trouble is not None:
                self._unready[key] = trouble

    def answers(self, place: int, kind: int, rows: Any) -> Any:
        """Return the answers of some rows, all of them legal."""
        tables = self._memory.tables
        answers = random_answers(tables, self._memory.views, rows)
        agent = self._lineup[place].player if kind == PLAY else self._lineup[place].bidder
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
        known = self._known.get(_spot(self._memory.tables[row])) if self._known else None
        if known is not None:
            self._forfeit(row, _Trouble(known.kind, known.sentence))
        return known is not None

    def _asked(self, agent: Any, place: int, kind: int, rows: Any, instead: Any) -> Any:
        """Return an agent's answers to some rows, `instead` where they are faults."""
        alone = self._one_by_one or isinstance(agent, CompiledAgent | ScalarAdapter)
        answers = None
        if not alone:
            note(self._noted, self._memory.tables[rows[0]])
            batch = Batch(self._memory.views, rows)
            answers, _ = _attempt(lambda: outside_answers(agent, kind, batch, int(rows[0])))
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
        views = self._memory.views
        if isinstance(agent, CompiledAgent):
            answer, trouble = _attempt(lambda: self._compiled.answer(views, int(row), kind, place))
        else:
            batch = Batch(views, np.array([row]))
            answer, trouble = _attempt(lambda: int(outside_answers(agent, kind, batch, int(row))[0]))
        if trouble is not None:
            self._forfeit(int(row), trouble)
            return int(instead)
        return self._legal(int(row), answer, int(instead))

    def _legal(self, row: int, answer: int, instead: int) -> int:
        """Return an answer, or what stands in for it if it is illegal."""
        if is_legal(answer, self._memory.tables[row].legal):
            return answer
        self._forfeit(row, _Trouble("illegal", f"answered {answer}, which is illegal"))
        return instead

    def _forfeit(self, row: int, trouble: "_Trouble") -> None:
        """Have the seat whose turn it is forfeit the round."""
        table = self._memory.tables[row]
        table.forfeits |= 1 << int(table.turn)
        set_number, rotation, number, seat, decision = _spot(table)
        place = int(table.asked_place)
        self.faults.append(Fault(set_number, rotation, number, seat, place, decision, *trouble))


class _Trouble(NamedTuple):
    """What went wrong: the kind of a fault and its sentence."""

    kind: str
    sentence: str


def _attempt(ask: Callable[[], Any]) -> tuple[Any, _Trouble | None]:
    """Return what asking an agent gives, or what went wrong."""
    HOLD.tighten()
    try:
        return ask(), None
    except RowFaultError as error:
        trouble = _Trouble(error.kind, error.what)
    except BaseException as error:
        if stray(error):
            raise
        trouble = _Trouble(kind_of(error), raised(error))
    finally:
        HOLD.loosen()
    if trouble.kind == "memory":  # here, where the error and what it held are gone
        HOLD.outgrow()
    return None, trouble


def note_exactly(noted: Any, table: Any) -> None:
    """Write down which decision is asked for, so that it is known who did not survive it."""
    noted.asked_exactly = 0
    note(noted, table)
    noted.turn = table.turn
    noted.players = table.players
    noted.plays_made = table.plays_made
    noted.asked_exactly = 1


def noted_spot(noted: Any) -> tuple[int, int, int, int, int] | None:
    """Return the decision that was noted exactly: set, rotation, round, seat and decision; None where none was."""
    return _spot(noted) if noted.asked_exactly else None


def _spot(table: Any) -> tuple[int, int, int, int, int]:
    """Return where a table stands, as `Fault.spot` has it."""
    if table.kind == PLAY:
        decision = 1 + int(table.plays_made) // int(table.players)
    else:
        decision = NAMING if table.kind == NAME_TRUMP else 0
    return int(table.set_number), int(table.rotation), int(table.round_number), int(table.turn), decision


@jit
def random_answers(tables: Any, views: Any, rows: Any) -> Any:
    """Return a random legal answer (int64) for each row, from the random word of its decision."""
    answers = np.empty(len(rows), np.int64)
    for index in range(len(rows)):
        legal = tables[rows[index]].legal
        answers[index] = nth_bit(legal, below(views[rows[index]].rnd, popcount(legal)))
    return answers
