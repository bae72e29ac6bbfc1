"""What is played: cells of agent, players and hand size, cut into pieces of work that threads take in turn.

Each piece is a pure function of the request, so that neither threads nor their order change a figure. A deal is played
from the seat of one agent; its number differs between numbers of players and its round between hand sizes, so that no
two rows of an agent share cards, and different agents meet the same deals.
"""

import dataclasses
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from ohpshaw_sim.engine.asking import FINISHED, ILLEGAL
from ohpshaw_sim.engine.fault import raised
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import AgentFaultError, fault_of
from ohpshaw_sim.engine.state import records
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.kernels.rng import root
from ohpshaw_sim.studies.zero_bids.forcing import meet_situations
from ohpshaw_sim.studies.zero_bids.request import Request
from ohpshaw_sim.studies.zero_bids.situations import PLAYED, SITUATION, make_desk

PURPOSE: Final = "redeals"
"""Root of the redeals' cards and luck: apart from those of the deals."""
_SETS_APART: Final = 1 << 24
"""Numbers of sets between two numbers of players; more than MOST_DEALS."""
_ROUNDS_AT_ONCE: Final = 40_000
"""About so many rounds make a piece of work."""
_FORCED: Final = 5
"""About so many bids are forced on a redeal."""


@dataclasses.dataclass(frozen=True)
class Cell:
    """One agent at one number of players and hand size; `number` is the round of the schedule that has it."""

    agent: str
    players: int
    hand_size: int
    number: int
    game: Game


@dataclasses.dataclass(frozen=True)
class Piece:
    """Some deals of a cell: `count` from `first` on, each with so many redeals (0 = played as they fall alone)."""

    cell: Cell
    first: int
    count: int
    redeals: int

    @property
    def rounds(self) -> int:
        """About how many rounds that is."""
        return self.count * (2 + self.redeals * _FORCED)

    @property
    def cards(self) -> int:
        """About how many cards that is: pieces of work are told by these, since long rounds take longer."""
        return self.rounds * self.cell.players * self.cell.hand_size


def cells_of(request: Request) -> list[Cell]:
    """Return the cells of a study, in the order of its tables."""
    cells = []
    made = {name: resolve(name) for name in {*request.agents, *request.field}}
    for agent in request.agents:
        for players in request.players:
            schedule = request.rules.schedule_for(players)
            around = request.field_of(agent)
            others = (around[seat % len(around)] for seat in range(players - 1))
            lineup = tuple(made[name] for name in (agent, *others))
            game = Game(request.rules, players, schedule, lineup, tuple(range(players)))
            cells += [
                Cell(agent, players, size, schedule.index(size), game) for size in request.sizes(players)
            ]
    return cells


def pieces_of(cell: Cell, request: Request) -> Iterator[Piece]:
    """Cut a cell into pieces of work: first the situations that are valued, then the other deals."""
    spans = ((0, request.situations, request.redeals), (request.situations, request.deals, 0))
    for first, end, redeals in spans:
        at_once = max(1, _ROUNDS_AT_ONCE // (2 + redeals * _FORCED))
        for start in range(first, end, at_once):
            yield Piece(cell, start, min(at_once, end - start), redeals)


def play_piece(seed: int, piece: Piece) -> Any:
    """Play one piece of work; return its situations (SITUATION records in the order of the deals).

    Raises AgentFaultError for an agent that answers illegally, raises or answers the same question differently,
    AgentError for one that does not compile.
    """
    cell = piece.cell
    desk = make_desk(cell.game, seed)
    situations = records(SITUATION, piece.count)
    first = cell.players * _SETS_APART + piece.first
    try:
        outcome = meet_situations(desk, cell.number, first, piece.redeals, root(seed, PURPOSE), situations)
    except Exception as error:  # an agent's own code may raise anything
        raise _fault(cell, desk, raised(error)) from error
    if outcome == ILLEGAL:
        raise _fault(cell, desk, f"answered {desk.tables[PLAYED].refused}, which is illegal")
    if outcome != FINISHED:
        raise _fault(cell, desk, "bid differently when asked the same again; agents must be pure functions")
    return np.asarray(situations)


def _fault(cell: Cell, desk: Any, what: str) -> AgentFaultError:
    return fault_of(cell.game, desk.tables[PLAYED], what)
