"""Situations: what one bidder knew, what it bid and what came of it, and what each bid was worth on redealt hands."""

from typing import Any, Final, NamedTuple

import numpy as np

from ohpshaw_sim.engine.lineup import Game, lay_game
from ohpshaw_sim.engine.state import GAME, MATCH, TABLE, records
from ohpshaw_sim.interface.view import MAX_HAND, MAX_PLAYERS, blank_views

HALVES: Final = 2
CHOOSING, VALUING = range(HALVES)
"""Halves of the redeals: on the first the best bid is chosen, on the second it is valued."""
NOT_PLAYED: Final = -1

SITUATION: Final[np.dtype[np.void]] = np.dtype(
    [
        ("set_number", np.int64),
        ("hand_size", np.int8),
        ("position", np.int8),  # 0 = eldest hand, which bids first
        ("trump", np.int8),  # -1 = none
        ("turn_up", np.int8),  # -1 = none
        ("hand", np.uint64),
        ("legal", np.uint64),  # bids, as bits
        ("heard", np.int8),  # bids before this one that the bidder knows of
        ("bids", (np.int8, MAX_PLAYERS)),  # these, in the order they were made; else -1
        # The deal as it was.
        ("bid", np.int8),
        ("tricks", np.int8),
        ("points", np.int16),
        ("zero_tricks", np.int8),  # had the bid been zero; -1 = it was not legal
        ("zero_points", np.int16),
        # Redeals.
        ("redeals", np.int64),  # 0 = none
        ("tried", np.int64),  # hands dealt to seats whose bids were heard
        ("matched", np.int64),  # those that bid what was heard
        ("lost", np.int64),  # redeals that came to nothing: some seat found no hand to bid as it did
        ("other", np.int8),  # the best bid but zero, by the first half
        ("weight", (np.float64, HALVES)),  # sum of the redeals' weights
        ("squares", (np.float64, HALVES)),  # sum of their squares
        ("worth", (np.float64, (HALVES, MAX_HAND + 1))),  # by bid: weighted sum of the bidder's points
        ("made", (np.float64, HALVES)),  # weight of the redeals in which a zero bid was made
    ],
    align=True,
)

PLAYED, LAID, AT_BID = range(3)
"""Views and tables of a desk: played on; as laid before the first bid; at the bid that is studied."""
FIELD_GAME, ASKED_GAME = range(2)
"""Games of a desk: as it is; and with the bids of place 0 answered from outside."""


class Desk(NamedTuple):
    """Records to play in: three views and tables, one more view for agents that may scribble, a match, two games."""

    views: Any
    shown: Any
    tables: Any
    matches: Any
    games: Any
    points: Any  # int64 by seat


def make_desk(game: Game, seed: int) -> Desk:
    """Return a desk for a game of compiled agents; the entrant at place 0 is the one whose bids are studied.

    Raises AgentError, naming the entrant, when an agent does not compile.
    """
    games = records(GAME, 2)
    for which in (FIELD_GAME, ASKED_GAME):
        games[which] = lay_game(game, seed)[0]
    games[ASKED_GAME].bid_call[0] = 0
    return Desk(
        views=blank_views(3),
        shown=blank_views(1),
        tables=records(TABLE, 3),
        matches=records(MATCH, 1),
        games=games,
        points=np.zeros(MAX_PLAYERS, np.int64),
    )
