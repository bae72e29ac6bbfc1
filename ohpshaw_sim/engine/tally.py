"""What sets add up to: exact integers, from which every table follows without the rounds themselves.

Integers add in any order to the same bits, so nothing here depends on threads, chunks or drivers.

    counts[entrant, hand size, position, bid, tricks]        seat-rounds, but for those that were forfeited
    totals[entrant, MOMENTS]                                 sums over sets, and sums of products
    by_hand_size[entrant, hand size, MOMENTS]                the same within one hand size (wins left out)
    by_position[entrant, position, MOMENTS]                  the same within one bidding position (wins left out)
    pairs[entrant, other, (difference, its square)]          points * other's seats - other's points * seats, per set
    by_set[set, entrant, (points, wins)]                     those of each set, for what is compared set by set
    matches, choices                                         places of whole matches and luck (`match_sums`)
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Self

import numpy as np

from ohpshaw_sim.engine.fault import Fault
from ohpshaw_sim.engine.match_sums import match_arrays
from ohpshaw_sim.engine.tally_schema import MOMENTS


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
            by_set=np.zeros((sets, entrants, 2), np.int64),
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
        """Return the arrays in the order that `adding.add_sets` takes them."""
        return tuple(getattr(self, name) for name in _ARRAYS)


_APART: Final = ("sets", "rows", "kept", "faults", "faulty")
_ARRAYS: Final = tuple(field.name for field in fields(Tally) if field.name not in _APART)


def joined(logs: Sequence[Any]) -> Any:
    """Return the logs that are there as one; None when there is none."""
    there = [log for log in logs if log is not None]
    return np.concatenate(there) if there else None


def set_sums(entrants: int, players: int, largest_hand: int) -> tuple[Any, Any]:
    """Return the room for one set's packed sums (uint64): by entrant, hand size and then position, (bids, points).

    Counts of bids and points are added four, respectively two, to a word: see `adding`.
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
