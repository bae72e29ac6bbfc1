"""What the blocks of one line-up add up to, and its rows of whole matches, slice by slice."""

from typing import Any, Final, NamedTuple, Self

import numpy as np

from ohpshaw_sim.engine.tally import Tally
from ohpshaw_sim.engine.tally_schema import MATCH_SUMS, NEXT, SLICES
from ohpshaw_sim.tournament.part_rows import COLUMN, blank, put
from ohpshaw_sim.tournament.schedule import Block, LineUp

_MATCH_AT: Final = [COLUMN[name] for name in MATCH_SUMS]
_NEXT_AT: Final = [COLUMN[name] for name in NEXT]


class LineupSums(NamedTuple):
    """What a line-up's blocks add up to: `sets` int64 [slices], the arrays those of a Tally.

    Those of whole matches, `matches` and `choices`, have slices in the place of slots.
    """

    sets: Any
    totals: Any
    by_hand_size: Any
    by_position: Any
    pairs: Any
    matches: Any
    choices: Any

    @classmethod
    def empty(cls, block: Block, like: Tally) -> Self:
        """Return the sums of no blocks yet, for those of the line-up of a block and its tally."""
        whole = (like.totals, like.by_hand_size, like.by_position, like.pairs)
        sliced = (like.matches[: block.slices], like.choices[: block.slices])
        return cls(np.zeros(block.slices, np.int64), *map(np.zeros_like, (*whole, *sliced)))

    @property
    def played(self) -> int:
        """Number of sets."""
        return int(self.sets.sum())

    def add(self, block: Block, tally: Tally) -> None:
        """Add the tally of a block."""
        self.totals[:] += tally.totals
        self.by_hand_size[:] += tally.by_hand_size
        self.by_position[:] += tally.by_position
        self.pairs[:] += tally.pairs
        numbers = np.arange(block.first_set, block.first_set + tally.sets)
        self.sets[:] += np.bincount(block.slice_of(numbers), minlength=block.slices)
        for first in range(0, SLICES, block.slices):  # a slice takes up several slots where there are fewer
            slots = slice(first, first + block.slices)
            slices = block.slice_of(np.arange(SLICES)[slots])
            self.matches[slices] += tally.matches[slots]
            self.choices[slices] += tally.choices[slots]


def match_rows(lineup: LineUp, sums: LineupSums) -> Any:
    """Return a line-up's rows of kind `match`, those of slices and entrants of which there are sets."""
    played = np.flatnonzero(sums.sets)
    rows = blank(len(played) * len(lineup.sitting), "match", lineup)
    put(rows, entrant=np.tile(lineup.sitting, len(played)), slice=np.repeat(played, len(lineup.sitting)))
    put(rows, n=np.repeat(sums.sets[played], len(lineup.sitting)))
    rows[:, _MATCH_AT] = sums.matches[played].reshape(len(rows), -1)
    return rows


def choice_rows(lineup: LineUp, sums: LineupSums) -> Any:
    """Return a line-up's rows of kind `choice`: by slice and mask of places left, how often each came next."""
    found, left = np.nonzero(sums.choices.any(axis=2))
    rows = blank(len(found), "choice", lineup)
    put(rows, slice=found, left=left)
    rows[:, _NEXT_AT[: lineup.players]] = sums.choices[found, left]
    return rows
