"""Adding up: exact integers over sets, from which every table follows without the rounds themselves.

Integers add in any order to the same bits, so nothing here depends on threads, chunks or drivers.

    counts[entrant, hand size, position, bid, tricks]        seat-rounds
    totals[entrant, MOMENTS]                                 sums over sets, and sums of products
    by_hand_size[entrant, hand size, MOMENTS]                the same within one hand size (wins left out)
    by_position[entrant, position, MOMENTS]                  the same within one bidding position (wins left out)
    pairs[entrant, other, (difference, its square)]          points * other's seats - other's points * seats, per set
"""

from dataclasses import dataclass, fields
from typing import Any, Final, Self

import numpy as np

from ohpshaw_sim.engine.tally_schema import MOMENTS, QUANTITIES, WIN_UNIT
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import U, popcount

_WIDTH: Final = len(QUANTITIES)
_ROUNDS, _POINTS, _HITS, _ZERO_BIDS, _ZERO_HITS, _ZERO_POINTS, _WINS = range(_WIDTH)


@dataclass
class Tally:
    """What some sets of one line-up add up to; all arrays int64, with the axes named on top of this module.

    `entrants` are those of the line-up in the order of their local indices; `sizes` is the largest hand size + 1.
    """

    sets: int
    counts: Any
    totals: Any
    by_hand_size: Any
    by_position: Any
    pairs: Any

    @classmethod
    def empty(cls, entrants: int, players: int, largest_hand: int) -> Self:
        """Return a tally of no sets."""
        sizes, moments = largest_hand + 1, len(MOMENTS)
        return cls(
            sets=0,
            counts=np.zeros((entrants, sizes, players, sizes, sizes), np.int64),
            totals=np.zeros((entrants, moments), np.int64),
            by_hand_size=np.zeros((entrants, sizes, moments), np.int64),
            by_position=np.zeros((entrants, players, moments), np.int64),
            pairs=np.zeros((entrants, entrants, 2), np.int64),
        )

    def __add__(self, other: Self) -> Self:
        return type(self)(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))

    def arrays(self) -> tuple[Any, ...]:
        """Return the arrays in the order that `add_sets` takes them."""
        return self.counts, self.totals, self.by_hand_size, self.by_position, self.pairs


@jit
def add_sets(
    matches: Any, first: int, sets: int, players: int, schedule: Any, owners: Any, sums: Any, tally: Any
) -> None:
    """Add the matches of whole sets, `players` matches each from index `first` on, to a tally's arrays.

    `owners` (int8 by place) is the entrant that holds a place. `sums` comes from `set_sums`.
    """
    for number in range(sets):
        start = first + number * players
        _sum_one_set(matches, start, players, schedule, owners, sums, tally[0])
        _add_moments(sums, tally, owners, players)


def set_sums(entrants: int, players: int, largest_hand: int) -> tuple[Any, Any, Any]:
    """Return the room for one set's vectors: in all, by hand size, by position (int64, last axis QUANTITIES)."""
    return (
        np.zeros((entrants, _WIDTH), np.int64),
        np.zeros((entrants, largest_hand + 1, _WIDTH), np.int64),
        np.zeros((entrants, players, _WIDTH), np.int64),
    )


@jit
def _sum_one_set(
    matches: Any, start: int, players: int, schedule: Any, owners: Any, sums: Any, counts: Any
) -> None:
    """Sum one set's seat-rounds into vectors and into the counts."""
    in_all, by_size, by_position = sums
    in_all[:] = 0
    by_size[:] = 0
    by_position[:] = 0
    for rotation in range(players):
        match = matches[start + rotation]
        for round_number in range(match.rounds):
            size = schedule[round_number]
            eldest = match.dealers[round_number] + 1
            for seat in range(players):
                owner = owners[match.places[seat]]
                position = (seat - eldest + players) % players
                bid = match.bids[round_number, seat]
                tricks = match.tricks[round_number, seat]
                points = match.points[round_number, seat]
                counts[owner, size, position, bid, tricks] += 1
                _add_round(by_size[owner, size], bid, tricks, points)
                _add_round(by_position[owner, position], bid, tricks, points)
        _add_wins(match, players, owners, in_all)
    for owner in range(in_all.shape[0]):
        for position in range(players):
            for quantity in range(_WINS):
                in_all[owner, quantity] += by_position[owner, position, quantity]


@jit
def _add_round(cell: Any, bid: int, tricks: int, points: int) -> None:
    """Add one seat-round to a vector."""
    hit = np.int64(bid == tricks)
    zero = np.int64(bid == 0)
    cell[_ROUNDS] += 1
    cell[_POINTS] += points
    cell[_HITS] += hit
    cell[_ZERO_BIDS] += zero
    cell[_ZERO_HITS] += zero * hit
    cell[_ZERO_POINTS] += zero * points


@jit
def _add_wins(match: Any, players: int, owners: Any, in_all: Any) -> None:
    """Add a match's win, shared equally by the seats that tie for it."""
    share = WIN_UNIT // popcount(U(match.winners))
    for seat in range(players):
        if match.winners >> seat & 1:
            in_all[owners[match.places[seat]], _WINS] += share


@jit
def _add_moments(sums: Any, tally: Any, owners: Any, players: int) -> None:
    """Add one set's vectors and their products to the moments, and the differences between entrants."""
    in_all, by_size, by_position = sums
    _, totals, sized, positioned, pairs = tally
    entrants = in_all.shape[0]
    for owner in range(entrants):
        _add_products(in_all[owner], totals[owner])
        for size in range(by_size.shape[1]):
            if by_size[owner, size, _ROUNDS]:
                _add_products(by_size[owner, size], sized[owner, size])
        for position in range(players):
            _add_products(by_position[owner, position], positioned[owner, position])
    for owner in range(entrants):
        for other in range(owner + 1, entrants):
            difference = in_all[owner, _POINTS] * _seats_held(owners, players, other)
            difference -= in_all[other, _POINTS] * _seats_held(owners, players, owner)
            pairs[owner, other, 0] += difference
            pairs[owner, other, 1] += difference * difference


@jit
def _seats_held(owners: Any, players: int, entrant: int) -> int:
    """Count the places of the line-up that an entrant holds."""
    held = 0
    for place in range(players):
        held += owners[place] == entrant
    return held


@jit
def _add_products(vector: Any, moments: Any) -> None:
    """Add a set's vector and the products of its entries, in the order of MOMENTS."""
    index = _WIDTH
    for first in range(_WIDTH):
        moments[first] += vector[first]
        for second in range(first, _WIDTH):
            moments[index] += vector[first] * vector[second]
            index += 1
