"""The driver for line-ups with agents outside compiled code: many matches side by side, each agent asked in batches.

All matches of some whole sets advance together. After each step every unfinished match waits for one agent; rows that
wait for the same agent and kind of decision form one batch. The rules and the compiled agents are those of the other
driver, so the same agents give the same results through either.
"""

from functools import partial
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from ohpshaw_sim.engine.advance import advance
from ohpshaw_sim.engine.asking import FINISHED, ILLEGAL, NO_ANSWER, is_legal
from ohpshaw_sim.engine.calls import OUTSIDE
from ohpshaw_sim.engine.fault import RowFaultError, UnreadyError
from ohpshaw_sim.engine.keeping import Kept, keep_round
from ohpshaw_sim.engine.lineup import Agents, Game, outside_agents
from ohpshaw_sim.engine.match import begin_match, begin_round, end_round
from ohpshaw_sim.engine.outside import outside_answers
from ohpshaw_sim.interface.agent import VectorAgent
from ohpshaw_sim.interface.batch import Batch
from ohpshaw_sim.interface.view import NAME_TRUMP, PLAY
from ohpshaw_sim.kernels._jit import jit

KINDS: Final = NAME_TRUMP + 1
"""Kinds of decision."""
DONE: Final = -1
"""Waiting code of a row whose match is over; 0 and above: KINDS * place + kind of the decision awaited."""
REFUSED: Final = -2
"""Waiting code of a row whose last answer was illegal."""


class Memory(NamedTuple):
    """Records to play in: one view, table and match per row, a view that may be scribbled on, one game.

    `kept` is the room for rounds that are to be kept. None means that none are, in code compiled without a thought of
    it: a row is taken up at every decision, and each argument more would be felt.
    """

    views: Any
    tables: Any
    matches: Any
    games: Any
    shown: Any
    at: Any  # int64 array of 1: the row that is played on
    kept: Kept | None


class Asker(Protocol):
    """Asks agents outside compiled code for their answers."""

    def begin(self, rows: int) -> None:
        """Tell agents that have a memory that so many matches begin."""

    def answers(self, place: int, kind: int, rows: Any) -> Any:
        """Return the answers (int64) of rows that wait for the same place and kind of decision."""


def play_batch(memory: Memory, rows: int, first_set: int, asker: Asker, noted: Any) -> None:
    """Play the matches of whole sets from `first_set` on, one per row, to their ends.

    `noted` is a table (in an array of 1) that is told whom is asked. Raises RowFaultError when an agent misbehaves,
    unless the asker sees to it.
    """
    waiting = np.full(rows, DONE, np.int64)
    answers = np.full(rows, NO_ANSWER, np.int64)
    asker.begin(rows)
    every = np.arange(rows)
    _suspect(noted[0], memory.games[0])
    _compiled(begin_rows, memory, rows, first_set, waiting)
    while True:
        groups = np.unique(waiting[waiting >= 0])
        if not len(groups):
            return
        for group in groups:
            chosen = every[waiting == group]
            place, kind = divmod(int(group), KINDS)
            answers[chosen] = asker.answers(place, kind, chosen)
            _suspect(noted[0], memory.games[0])
            _compiled(step_rows, memory, chosen, answers, waiting)


class PlainAsker:
    """Asks each agent about all rows that wait for it at once; the first fault ends it, as a RowFaultError."""

    def __init__(self, game: Game, memory: Memory, noted: Any) -> None:
        self._memory = memory
        self._agents = outside_agents(game)
        self._noted = noted[0]
        self._note = partial(note, noted[0])

    def begin(self, rows: int) -> None:
        """Tell agents that have a memory that so many matches begin. Raises UnreadyError."""
        for place, agent in agents_by_place(self._agents):
            self._noted.asked_place = place
            try:
                tell_of_matches(agent, rows)
            except Exception as error:  # an agent's own code may raise anything
                raise UnreadyError(place, error) from error

    def answers(self, place: int, kind: int, rows: Any) -> Any:
        """Return the answers of some rows. Raises RowFaultError."""
        bidders, players = self._agents
        agent = players[place] if kind == PLAY else bidders[place]
        tick = partial(self._note, self._memory.tables[rows[0]])
        tick()
        return outside_answers(agent, kind, Batch(self._memory.views, rows, tick), int(rows[0]))


def agents_by_place(agents: Agents) -> list[tuple[int, VectorAgent]]:
    """Return each agent outside compiled code once, with the first place that it holds."""
    bidders, players = agents
    found: dict[int, tuple[int, VectorAgent]] = {}
    for place, pair in enumerate(zip(bidders, players, strict=True)):
        for agent in pair:
            if agent is not None:
                found.setdefault(id(agent), (place, agent))
    return list(found.values())


def tell_of_matches(agent: Any, rows: int) -> None:
    """Tell an agent, if it has a memory, that so many matches begin."""
    if hasattr(agent, "matches_begin"):
        agent.matches_begin(rows)


def _compiled(step: Any, memory: Memory, *arguments: Any) -> None:
    """Run a compiled step over some rows, turning what goes wrong in it into a RowFaultError."""
    try:
        bad = step(memory, *arguments)
    except Exception as error:  # a compiled agent may raise anything
        raise RowFaultError.of(int(memory.at[0]), error) from error
    if bad >= 0:
        raise RowFaultError(bad, f"answered {memory.tables[bad].refused}, which is illegal")


def note(noted: Any, table: Any) -> None:
    """Write down whom is asked, and where the first of the rows stands."""
    noted.asked += 1
    noted.asked_place = table.asked_place
    noted.kind = table.kind
    noted.set_number = table.set_number
    noted.rotation = table.rotation
    noted.round_number = table.round_number


def _suspect(noted: Any, game: Any) -> None:
    """Note that compiled code plays on: if it hangs, it does so in a compiled agent that is not trusted."""
    noted.asked += 1
    compiled = (game.bid_call != OUTSIDE) | (game.play_call != OUTSIDE)
    suspects = np.flatnonzero(compiled & (game.guarded != 0))
    if len(suspects):
        noted.asked_place = suspects[0]


@jit
def begin_rows(memory: Any, rows: int, first_set: int, waiting: Any) -> int:
    """Begin a match in each row and play it to its first outside decision; return a row at fault or -1."""
    views, tables, matches, games, shown, at, kept = memory
    players = games[0].players
    for row in range(rows):
        begin_match(
            views[row], tables[row], matches[row], games[0], first_set + row // players, row % players
        )
        begin_round(views[row], tables[row], games[0])
        at[0] = row
        waiting[row] = _play_row(views[row], tables[row], matches[row], games[0], shown[0], NO_ANSWER, kept)
        if waiting[row] == REFUSED:
            return row
    return -1


@jit
def step_rows(memory: Any, rows: Any, answers: Any, waiting: Any) -> int:
    """Play the given rows on from their answers to their next outside decisions; return a row at fault or -1.

    All answers are checked before any is carried out.
    """
    views, tables, matches, games, shown, at, kept = memory
    for row in rows:
        if not is_legal(answers[row], tables[row].legal):
            tables[row].refused = answers[row]
            return row
    for row in rows:
        at[0] = row
        waiting[row] = _play_row(
            views[row], tables[row], matches[row], games[0], shown[0], answers[row], kept
        )
        if waiting[row] == REFUSED:
            return row
    return -1


@jit
def _play_row(view: Any, table: Any, match: Any, game: Any, shown: Any, answer: int, kept: Any) -> int:
    """Play one match on to its next outside decision, over the ends of rounds; return its waiting code."""
    while True:
        outcome = advance(view, table, game, shown, answer)
        if outcome == ILLEGAL:
            return REFUSED
        if outcome != FINISHED:
            return KINDS * np.int64(table.places[outcome]) + table.kind
        going = end_round(view, table, match, game)
        if kept is not None:
            keep_round(view, table, match, game, kept)
        if not going:
            return DONE
        begin_round(view, table, game)
        answer = NO_ANSWER
