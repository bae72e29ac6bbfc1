"""Tables of agents of every kind that answer alike, by everything they are shown: what they play must be the same."""

from typing import Any, NamedTuple

import numpy as np

from ohpshaw_sim.engine.compiled import play_compiled_sets
from ohpshaw_sim.engine.keeping import room_to_keep
from ohpshaw_sim.engine.lineup import Game, lay_game
from ohpshaw_sim.engine.play import Driver, play_sets
from ohpshaw_sim.engine.state import MATCH, records
from ohpshaw_sim.engine.tally import Tally, set_sums
from ohpshaw_sim.engine.workspace import Workspace
from ohpshaw_sim.interface.agent import CompiledAgent, as_agent
from ohpshaw_sim.interface.discovery import Entrant
from ohpshaw_sim.interface.view import BID, blank_views
from ohpshaw_sim.rules import Rules
from scripted import (
    COMPILED_READER,
    SCRIBBLER,
    ScalarReader,
    ScribblingVectorReader,
    VectorReader,
    Watcher,
    entrant,
)

PLAYERS = [3, 4, 5, 6, 7]
SEED = 2**65 + 12

SCALAR_READER = as_agent(ScalarReader(), "scalar")
READERS = {
    "compiled": entrant(COMPILED_READER),
    "trusted": entrant(COMPILED_READER, trusted=True),
    "vectorised": entrant(VectorReader()),
    "scalar": entrant(SCALAR_READER),
    "scribbler": entrant(SCRIBBLER),
    "vectorised scribbler": entrant(ScribblingVectorReader()),
    "compiled bids": Entrant("joined", COMPILED_READER, VectorReader()),
    "compiled plays": Entrant("joined", SCALAR_READER, COMPILED_READER),
}
"""Agents that all answer alike, by everything they are shown."""


def game_of(lineup: list[Entrant], schedule: tuple[int, ...] = (1, 3, 2), **more: Any) -> Game:
    players = len(lineup)
    owners = more.pop("owners", tuple(range(players)))
    return Game(more.pop("rules", Rules()), players, schedule, tuple(lineup), owners, **more)


def play(lineup: list[Entrant], first: int = 3, sets: int = 4, driver: Driver = "auto", **more: Any) -> Tally:
    return play_sets(game_of(lineup, **more), SEED, first, sets, driver=driver, log=True)


def assert_same(one: Tally, other: Tally) -> None:
    assert one.sets == other.sets
    for mine, theirs in zip((*one.arrays(), one.rows), (*other.arrays(), other.rows), strict=True):
        assert mine.dtype == theirs.dtype
        assert (mine == theirs).all()


def matches_of(game: Game, first: int, sets: int) -> Any:
    """Play sets of compiled agents and return the engine's own score sheets: MATCH records, set after set."""
    matches = records(MATCH, sets * game.players)
    memory = (
        blank_views(2),
        Workspace.allocate().table,
        matches,
        lay_game(game, SEED),
        room_to_keep(game, sets, 0),
    )
    tally = Tally.empty(game.entrants, game.players, game.largest_hand, sets)
    sums = set_sums(game.entrants, game.players, game.largest_hand)
    play_compiled_sets(memory, first, sets, np.array(game.owners, np.uint8), sums, tally.arrays())
    return matches


class Seen(NamedTuple):
    """One decision as it was shown: where it stands, and the view."""

    set_number: int
    rotation: int
    round_number: int
    seat: int
    decision: int
    view: Any


def watch(lineup: list[Entrant], first: int, sets: int, **more: Any) -> list[Seen]:
    """Play one batch of sets and return every decision of the agents that are not compiled."""
    seen: list[Seen] = []
    players = len(lineup)

    def see(views: Any, matches: Any, _: Any) -> None:
        for view, match in zip(views, matches, strict=True):
            decision = 0 if view["kind"] == BID else 1 + int(view["trick_number"])
            number, rotation = divmod(int(match), players)
            seat, round_number = int(view["seat"]), int(view["round_number"])
            seen.append(Seen(first + number, rotation, round_number, seat, decision, view))

    watched = [
        each if isinstance(each.bidder, CompiledAgent) else entrant(Watcher(each.bidder, see), each.name)
        for each in lineup
    ]
    play_sets(game_of(watched, **more), SEED, first, sets)
    return seen
