"""Adding up: exact integers over sets, from which every table follows without the rounds themselves.

Integers add in any order to the same bits, so nothing here depends on threads, chunks or drivers.

    counts[entrant, hand size, position, bid, tricks]        seat-rounds, but for those that were forfeited
    totals[entrant, MOMENTS]                                 sums over sets, and sums of products
    by_hand_size[entrant, hand size, MOMENTS]                the same within one hand size (wins left out)
    by_position[entrant, position, MOMENTS]                  the same within one bidding position (wins left out)
    pairs[entrant, other, (difference, its square)]          points * other's seats - other's points * seats, per set
    by_set[set, entrant]                                     points of each set, for what is compared set by set
    matches, choices                                         places of whole matches and luck (`match_sums`)
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Self

import numpy as np

from ohpshaw_sim.engine.fault import Fault
from ohpshaw_sim.engine.match_sums import add_matches, match_arrays
from ohpshaw_sim.engine.tally_schema import MOMENTS, QUANTITIES, WIN_UNIT
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ONE, ZERO, U, popcount
from ohpshaw_sim.kernels.tricks import next_seat

_WIDTH: Final = len(QUANTITIES)
_POINTS: Final = QUANTITIES.index("points")


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
    by_set: Any
    matches: Any
    choices: Any
    rows: Any = None
    """int32 [seat-rounds, ROW_COLUMNS] when a log was wanted."""
    kept: Any = None
    """KEPT records (see `keeping`) when rounds were to be kept."""
    faults: tuple[Fault, ...] = ()
    """What agents did wrong, by set, rotation, round and seat, where they may forfeit (see `forfeits`)."""
    faulty: Any = None
    """KEPT records of the rounds with faults; None where there is none."""

    @classmethod
    def empty(cls, entrants: int, players: int, largest_hand: int, sets: int) -> Self:
        """Return a tally of no sets yet, with room for so many."""
        sizes, moments = largest_hand + 1, len(MOMENTS)
        matches, choices = match_arrays(entrants, players)
        return cls(
            sets=0,
            counts=np.zeros((entrants, sizes, players, sizes, sizes), np.int64),
            totals=np.zeros((entrants, moments), np.int64),
            by_hand_size=np.zeros((entrants, sizes, moments), np.int64),
            by_position=np.zeros((entrants, players, moments), np.int64),
            pairs=np.zeros((entrants, entrants, 2), np.int64),
            by_set=np.zeros((sets, entrants), np.int64),
            matches=matches,
            choices=choices,
        )

    def __add__(self, other: Self) -> Self:
        both = {name: (getattr(self, name), getattr(other, name)) for name in _ARRAYS}
        sums = {name: mine + theirs for name, (mine, theirs) in both.items() if name != "by_set"}
        total = type(self)(self.sets + other.sets, **sums, by_set=np.concatenate(both["by_set"]))
        total.rows = joined([self.rows, other.rows])
        total.kept = joined([self.kept, other.kept])
        total.faults = self.faults + other.faults
        total.faulty = joined([self.faulty, other.faulty])
        return total

    def arrays(self) -> tuple[Any, ...]:
        """Return the arrays in the order that `add_sets` takes them."""
        return tuple(getattr(self, name) for name in _ARRAYS)


_ARRAYS: Final = tuple(field.name for field in fields(Tally) if field.name not in ("sets", "rows", "kept"))


def joined(logs: Sequence[Any]) -> Any:
    """Return the logs that are there as one; None when there is none."""
    there = [log for log in logs if log is not None]
    return np.concatenate(there) if there else None


def set_sums(entrants: int, players: int, largest_hand: int) -> tuple[Any, Any]:
    """Return the room for one set's packed sums (uint64): by entrant, hand size and then position, (bids, points).

    Counts of bids and points are added four, respectively two, to a word: see `_pack_bids` and `_pack_points`.
    """
    return (
        np.zeros((entrants, largest_hand + 1, 2), np.uint64),
        np.zeros((entrants, players, 2), np.uint64),
    )


def round_rows(matches: Any, schedule: tuple[int, ...]) -> Any:
    """Return the seat-rounds of MATCH records as int32 [seat-rounds, ROW_COLUMNS], tie-break rounds left out."""
    played, players = int(matches["rounds"][0]), int((matches["places"][0] >= 0).sum())
    shape = (len(matches), played, players)
    columns = {
        "set": matches["set_number"][:, None, None],
        "rotation": matches["rotation"][:, None, None],
        "round": np.arange(played)[None, :, None],
        "hand_size": np.array(schedule[:played])[None, :, None],
        "dealer": matches["dealers"][:, :played, None],
        "seat": np.arange(players)[None, None, :],
        "place": matches["places"][:, None, :players],
        **{name: matches[name][:, :played, :players] for name in ("bids", "tricks", "points")},
        "forfeit": matches["forfeits"][:, :played, None] >> np.arange(players, dtype=np.uint8) & 1,
    }
    cells = [np.broadcast_to(values, shape).reshape(-1) for values in columns.values()]
    return np.stack(cells, axis=1).astype(np.int32)


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
    points = by_set[at]
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
        points[owner] = vector[_POINTS]
    _add_differences(points, players, owners, pairs)
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
