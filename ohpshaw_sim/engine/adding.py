"""Adding finished matches to a tally, set by set."""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.engine.match_sums import add_matches
from ohpshaw_sim.engine.tally_schema import QUANTITIES, WIN_UNIT
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ONE, ZERO, U, popcount
from ohpshaw_sim.kernels.tricks import next_seat

_WIDTH: Final = len(QUANTITIES)
_POINTS: Final = QUANTITIES.index("points")
_WINS: Final = QUANTITIES.index("wins")


@jit
def add_sets(
    matches: Any,
    first: int,
    sets: int,
    players: int,
    schedule: Any,
    owners: Any,
    sums: Any,
    at: int,
    tally: Any,
) -> None:
    """Add the matches of whole sets, `players` matches each from index `first` on, to a tally's arrays.

    `at` is the index of the first of these sets in the tally. `owners` (uint8 by place) is the entrant that holds a
    place. `sums` comes from `set_sums`.
    """
    wins = np.zeros(len(owners), np.int64)
    for number in range(sets):
        start = first + number * players
        wins[:] = 0
        for rotation in range(players):
            match = matches[start + rotation]
            _add_match(match, players, schedule, owners, sums, tally[0])
            _add_wins(match, players, owners, wins)
        _add_moments(sums, wins, players, owners, at + number, tally)
        add_matches(matches, start, players, owners, tally[6], tally[7])


@jit
def _add_match(match: Any, players: int, schedule: Any, owners: Any, sums: Any, counts: Any) -> None:
    """Add a match's seat-rounds to its set's sums and to the counts."""
    by_size, by_position = sums
    for round_number in range(match.rounds):
        size = U(schedule[round_number])
        eldest = next_seat(U(match.dealers[round_number]), U(players))
        forfeits = U(match.forfeits[round_number])
        for seat in range(U(0), U(players)):
            owner = U(owners[match.places[seat]])
            position = seat - eldest if seat >= eldest else seat + U(players) - eldest
            if forfeits >> seat & ONE:  # a seat-round of 0 points, with no bid to speak of
                by_size[owner, size, 0] += ONE
                by_position[owner, position, 0] += ONE
                continue
            bid = U(match.bids[round_number, seat])
            tricks = U(match.tricks[round_number, seat])
            bids = _pack_bids(bid, tricks)
            points = _pack_points(bid, match.points[round_number, seat])
            counts[owner, size, position, bid, tricks] += 1
            by_size[owner, size, 0] += bids
            by_size[owner, size, 1] = U(np.int64(by_size[owner, size, 1]) + points)
            by_position[owner, position, 0] += bids
            by_position[owner, position, 1] = U(np.int64(by_position[owner, position, 1]) + points)


@jit
def _pack_bids(bid: Any, tricks: Any) -> Any:
    """Return a seat-round's counts in 16 bits each: rounds, hits, zero bids, zero hits. A set has few thousand."""
    hit = U(bid == tricks)
    zero = U(bid == ZERO)
    return ONE | hit << U(16) | zero << U(32) | (hit & zero) << U(48)


@jit
def _pack_points(bid: Any, points: int) -> Any:
    """Return a seat-round's points in 32 bits each (int64): points, points with a zero bid; both may be negative."""
    own = np.int64(points)
    return own + (own << 32) if bid == ZERO else own


@jit
def _unpack(bids: Any, points: Any, wins: int, vector: Any) -> None:
    """Write packed sums and wins out as a vector in the order of QUANTITIES."""
    low = np.int32(points & U(0xFFFF_FFFF))
    vector[0] = np.int64(bids & U(0xFFFF))
    vector[1] = low
    vector[2] = np.int64(bids >> U(16) & U(0xFFFF))
    vector[3] = np.int64(bids >> U(32) & U(0xFFFF))
    vector[4] = np.int64(bids >> U(48))
    vector[5] = np.int32((np.int64(points) - low) >> 32)
    vector[6] = wins


@jit
def _add_wins(match: Any, players: int, owners: Any, wins: Any) -> None:
    """Add a match's win, shared equally by the seats that tie for it."""
    share = WIN_UNIT // popcount(U(match.winners))
    for seat in range(players):
        if match.winners >> seat & 1:
            wins[owners[match.places[seat]]] += share


@jit
def _add_moments(sums: Any, wins: Any, players: int, owners: Any, at: int, tally: Any) -> None:
    """Add one set's vectors and their products to the moments, and clear the set's sums."""
    by_size, by_position = sums
    _, totals, sized, positioned, pairs, by_set, _, _ = tally
    vector = np.zeros(_WIDTH, np.int64)
    of_set = by_set[at]
    for owner in range(len(totals)):
        bids_in_all, points_in_all = ZERO, ZERO
        for size in range(by_size.shape[1]):
            if by_size[owner, size, 0]:
                _unpack(by_size[owner, size, 0], by_size[owner, size, 1], 0, vector)
                _add_products(vector, sized[owner, size])
        for position in range(players):
            bids_in_all += by_position[owner, position, 0]
            points_in_all = U(np.int64(points_in_all) + np.int64(by_position[owner, position, 1]))
            _unpack(by_position[owner, position, 0], by_position[owner, position, 1], 0, vector)
            _add_products(vector, positioned[owner, position])
        _unpack(bids_in_all, points_in_all, wins[owner], vector)
        _add_products(vector, totals[owner])
        of_set[owner, 0] = vector[_POINTS]
        of_set[owner, 1] = vector[_WINS]
    _add_differences(of_set[:, 0], players, owners, pairs)
    by_size[:] = ZERO
    by_position[:] = ZERO


@jit
def _add_differences(points: Any, players: int, owners: Any, pairs: Any) -> None:
    """Add each pair's difference of points per seat held, times both numbers of seats, and its square."""
    held = np.zeros(len(points), np.int64)
    for place in range(players):
        held[owners[place]] += 1
    for owner in range(len(points)):
        for other in range(owner + 1, len(points)):
            difference = points[owner] * held[other] - points[other] * held[owner]
            pairs[owner, other, 0] += difference
            pairs[owner, other, 1] += difference * difference


@jit
def _add_products(vector: Any, moments: Any) -> None:
    """Add a set's vector and the products of its entries, in the order of MOMENTS."""
    index = _WIDTH
    for first in range(_WIDTH):
        moments[first] += vector[first]
        for second in range(first, _WIDTH):
            moments[index] += vector[first] * vector[second]
            index += 1
