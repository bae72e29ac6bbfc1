"""The names of what a tournament adds up: shared by who writes run folders and who reads them.

Each set of matches gives every entrant one vector of counts; a tally holds the sums of these vectors over sets and
the sums of their products, from which means, ratios and their intervals follow without the rounds themselves.
"""

from itertools import combinations_with_replacement
from typing import Final

QUANTITIES: Final = ("rounds", "points", "hits", "zero_bids", "zero_hits", "zero_points", "wins")
"""One set's vector: seat-rounds, points, bids hit, zero bids, zero bids hit, points of rounds with a zero bid, and
420ths of a match won (summed over the seats an entrant holds; 420 is divisible by every number that can share)."""

WIN_UNIT: Final = 420

MOMENTS: Final = QUANTITIES + tuple(f"{a}_x_{b}" for a, b in combinations_with_replacement(QUANTITIES, 2))
"""The sums of the quantities over sets, then the sums of their products."""

SERIES_SUMS: Final = (*QUANTITIES, "points_x_points", "wins_x_wins")
"""The moments that are kept of each block; in a block an entrant's seat-rounds are the same in every set."""

MATCH_SUMS: Final = ("points", "points_x_points", "places", "places_sq", "luck", "luck_sq", "points_x_luck")
"""Sums over sets of an entrant's figures of whole matches: points; twice the place in each match, summed over the seats
that it holds (seats that tie share the mean of their places); luck, times the seats that it holds (see
`engine.luck`)."""

NEXT: Final = tuple(f"next_{place}" for place in range(7))
"""How often, of the places of a line-up that were left, each came next; in 420ths of a match (`kernels.places`)."""

SLICES: Final = 16
"""The most groups of independent sets that whole matches are kept apart in."""

PART_KEYS: Final = (
    "kind",
    "players",
    "lineup",
    "block",
    "entrant",
    "other",
    "hand_size",
    "position",
    "bid",
    "tricks",
    "slice",
    "left",
)
PART_COLUMNS: Final = (*PART_KEYS, "n", "difference", "difference_sq", *MATCH_SUMS[2:], *NEXT, *MOMENTS)
"""Columns of a part: where a row belongs (-1 = does not apply), then its integer sums (0 = does not apply)."""

ROW_COLUMNS: Final = (
    "set",
    "rotation",
    "round",
    "hand_size",
    "dealer",
    "seat",
    "place",
    "bid",
    "tricks",
    "points",
    "forfeit",
)
"""Columns of a log of seat-rounds. `place` is the place in the line-up; `forfeit` is 1 where the seat forfeited the
round: its points are 0, and its bid and tricks are those of a random play."""
