"""Ending a comparison by what it shows: its blocks are looked at in the order of the schedule, whatever order they are
played in, so that neither jobs nor chunks nor interruptions change where it ends.

What decides is brought along (`Decider`): here nothing is known of statistics.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ohpshaw_sim.engine.tally_schema import PART_COLUMNS
from ohpshaw_sim.tournament.part_rows import KINDS
from ohpshaw_sim.tournament.parts import FolderError, Part

_PAIR: Final = "block_pair"
_COLUMNS: Final = ("block", "n", "difference", "difference_sq")
_AT: Final = [PART_COLUMNS.index(name) for name in _COLUMNS]


class Differences(NamedTuple):
    """The paired differences of both arms by block, in the order of the schedule: int64 [blocks] each."""

    sets: Any
    totals: Any
    squares: Any


class Decider(Protocol):
    """Looks at a comparison block by block."""

    @property
    def rule(self) -> Mapping[str, Any]:
        """What it decides by, as JSON values for the manifest; another rule cannot go on with a run."""

    def take(self, blocks: Differences) -> int | None:
        """Take the next blocks; return after how many blocks of the run all was decided, None if it is not yet."""

    def tell(self) -> str:
        """Say in a few words where the comparison stands."""


class Fold:
    """Hands the blocks of a run to its decider in order, as parts and chunks bring them in any."""

    def __init__(self, decider: Decider) -> None:
        self.decider = decider
        self.end: int | None = None
        """The number of blocks that the comparison needed; None while it is open."""
        self._next = 0
        self._waiting: dict[int, tuple[int, Any]] = {}
        self._passed: list[int] = []

    def add_part(self, part: Part) -> None:
        """Take in a part that is there. Raises FolderError when it cannot be read."""
        self._add(part.first, part.end, _rows_of(part.path))

    def add_chunk(self, first: int, end: int, rows: Any) -> None:
        """Take in blocks `first` to `end - 1`, int64 [rows, PART_COLUMNS]."""
        mine = rows[(rows[:, 0] == KINDS.index(_PAIR)) & _is_of_arms(rows)]
        self._add(first, end, mine[:, _AT])

    def pass_over(self, block: int) -> None:
        """Take in that a block is left out."""
        self._passed.append(block)
        self._hand_on(block, block + 1, np.empty((0, len(_COLUMNS)), np.int64))

    def _add(self, first: int, end: int, rows: Any) -> None:
        """Take in rows of `_COLUMNS`, one a block."""
        rows = rows[np.argsort(rows[:, 0], kind="stable")]
        if rows[:, 0].tolist() != list(range(first, end)):
            raise FolderError(f"blocks {first} to {end - 1} are not those of a comparison")
        self._hand_on(first, end, rows)

    def _hand_on(self, first: int, end: int, rows: Any) -> None:
        """Hand on all blocks that now stand in line."""
        if self.end is not None:
            return
        self._waiting[first] = end, rows
        ready = []
        while self._next in self._waiting:
            self._next, found = self._waiting.pop(self._next)
            ready.append(found)
        if ready and sum(map(len, ready)):
            self.end = self._counted(self.decider.take(Differences(*np.concatenate(ready)[:, 1:].T)))

    def _counted(self, taken: int | None) -> int | None:
        """Return the number of blocks of the run, those left out among them, of which so many were taken."""
        if taken is None:
            return None
        for block in sorted(self._passed):
            taken += block < taken
        return taken


def _is_of_arms(rows: Any) -> Any:
    entrant, other = (rows[:, PART_COLUMNS.index(name)] for name in ("entrant", "other"))
    return (entrant == 0) & (other == 1)


def _rows_of(path: Path) -> Any:
    """Return the differences of both arms in a part, int64 [blocks, _COLUMNS]. Raises FolderError."""
    wanted = pc.field("entrant") == 0, pc.field("other") == 1
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            series = list(range(1, file.num_row_groups))
            table = file.read_row_groups(series, ["kind", "entrant", "other", *_COLUMNS], use_threads=False)
    except (pa.ArrowException, OSError) as error:
        raise FolderError(f"{path} cannot be read: {error}") from None
    of_pairs = pc.equal(table["kind"].cast(pa.string()), _PAIR)
    rows = table.filter(of_pairs).filter(wanted[0] & wanted[1])
    return np.stack([rows[name].to_numpy() for name in _COLUMNS], axis=1)
