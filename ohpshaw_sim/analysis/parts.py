"""The parts of a run folder: Parquet files of integer sums and of the series of blocks they come from.

A part holds the blocks [first, end) and is named for them. Its first row group holds the sums, so that adding up a run
costs little, whatever its length; memory is that of one batch and of the result. Columns are those of
`ohpshaw_sim.engine.tally_schema`.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ohpshaw_sim.engine.tally_schema import MATCH_SUMS, MOMENTS, NEXT, PART_COLUMNS, PART_KEYS, SERIES_SUMS
from ohpshaw_sim.errors import ConflictError, MalformedError

BATCH_ROWS: Final = 4096
"""Rows in memory at once. Small, for reading a long run must not need more memory than playing it."""

PLAN: Final = b"plan"
"""Key of a part's metadata, from schema 3 on, when its first row group holds its sums and no others do."""
_GROUPS_OF: Final = {True: slice(0, 1), False: slice(1, None)}
_PART_NAME: Final = re.compile(r"part-(\d+)-(\d+)\.parquet")


class Kind(NamedTuple):
    """One kind of row: the columns that say where it belongs, and those that are added up."""

    keys: tuple[str, ...]
    sums: tuple[str, ...]


KINDS: Final = {
    "total": Kind(("players", "lineup", "entrant"), ("n", *MOMENTS)),
    "hand_size": Kind(("players", "lineup", "entrant", "hand_size"), ("n", *MOMENTS)),
    "position": Kind(("players", "lineup", "entrant", "position"), ("n", *MOMENTS)),
    "pair": Kind(("players", "lineup", "entrant", "other"), ("n", "difference", "difference_sq")),
    "count": Kind(("players", "entrant", "hand_size", "position", "bid", "tricks"), ("n",)),
    "match": Kind(("players", "lineup", "entrant", "slice"), ("n", *MATCH_SUMS)),
    "choice": Kind(("players", "lineup", "slice", "left"), NEXT),
}
"""Kinds of rows that hold sums, by the value of their `kind` column."""
SERIES: Final = {
    "block": Kind(("block", "players", "lineup", "entrant"), ("n", *SERIES_SUMS)),
    "block_pair": Kind(
        ("block", "players", "lineup", "entrant", "other"), ("n", "difference", "difference_sq")
    ),
}
"""Kinds of rows of which each block has its own."""
_SINCE_3: Final = {"slice", "left", *MATCH_SUMS[2:], *NEXT}
"""Columns that parts of schemas 1 and 2 have not."""
_ONCE: Final = {"block": "total", "block_pair": "pair"}
"""What these rows were called before schema 3, when they were the only sums of line-ups."""


class Part(NamedTuple):
    """A part's file and the blocks [first, end) in it."""

    path: Path
    first: int
    end: int


def find_parts(folder: Path) -> list[Part]:
    """List the parts of a run folder in the order of their blocks.

    A part whose blocks all lie in another, as an interrupted merge leaves behind, is left out. Raises
    MalformedError when there is none, ConflictError when two parts share only some blocks.
    """
    matches = [(path, _PART_NAME.fullmatch(path.name)) for path in (folder / "parts").glob("part-*.parquet")]
    parts = [Part(path, int(match[1]), int(match[2])) for path, match in matches if match]
    if not parts:
        raise MalformedError(
            f"{folder} holds no finished parts yet: nothing was played there, or not to a first part"
        )
    chosen: list[Part] = []
    for part in sorted(parts, key=lambda part: (part.first, -part.end)):
        if chosen and part.first < chosen[-1].end:
            if part.end > chosen[-1].end:
                raise ConflictError(
                    f"{chosen[-1].path.name} and {part.path.name} in {folder} hold the same blocks"
                )
            continue
        chosen.append(part)
    return chosen


def add_up(folder: Path) -> dict[str, pd.DataFrame]:
    """Add up all parts of a run folder: by kind, a frame of its keys (sorted) and its sums, all int64."""
    running = {name: _Running(kind) for name, kind in KINDS.items()}
    for part in find_parts(folder):
        for batch in _batches(part.path, list(PART_COLUMNS), sums=True):
            for name, sums in running.items():
                sums.add(batch.filter(pc.equal(batch["kind"], name)))
    return {name: _frame(sums.total(), KINDS[name].keys) for name, sums in running.items()}


class _Running:
    """The sums of one kind of rows so far, and rows that are still to be added to them."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self._tables: list[Any] = []
        self._added = 0

    def add(self, rows: Any) -> None:
        """Add rows: at once if there are few, else once they are as many as the sums, which keeps the work in line."""
        if len(rows) or not self._tables:
            self._tables.append(rows.select([*self._kind.keys, *self._kind.sums]))
        if sum(map(len, self._tables)) > 2 * self._added + BATCH_ROWS:
            self._added = len(self.total())

    def total(self) -> Any:
        """Return the sums as a table."""
        self._tables = [_summed(pa.concat_tables(self._tables), self._kind)]
        return self._tables[0]


def read_blocks(folder: Path, kind: str = "block", sums: Sequence[str] | None = None) -> pd.DataFrame:
    """Read the series of blocks of a run: the `block` or `block_pair` rows, one per block and entrant or pair.

    Columns: the kind's keys, then its sums, or those of them that are asked for; int64, sorted by block. Memory grows
    with the run, so this is for bootstraps and sequential rules, not for tables. Raises MalformedError for another
    kind.
    """
    return _frame(pa.concat_tables(iterate_blocks(folder, kind, sums)), SERIES[kind].keys)


def iterate_blocks(folder: Path, kind: str = "block", sums: Sequence[str] | None = None) -> Iterator[Any]:
    """Yield what `read_blocks` reads in pieces, as Arrow tables of at most BATCH_ROWS rows, some of them empty.

    Their order is that of the parts; within a part nothing is promised.
    """
    if kind not in SERIES:
        raise MalformedError(f"rows of kind {kind!r} are not kept by block; ask for 'block' or 'block_pair'")
    columns = [*SERIES[kind].keys, *(SERIES[kind].sums if sums is None else sums)]
    names = pa.array([kind, _ONCE[kind]])
    for part in find_parts(folder):
        for batch in _batches(part.path, ["kind", *columns], sums=False):
            yield batch.filter(pc.is_in(batch["kind"], names)).select(columns)


def _batches(path: Path, columns: list[str], *, sums: bool) -> Iterator[Any]:
    """Yield a part's sums, or the series of its blocks, as tables of at most BATCH_ROWS rows; kinds as text and all
    else as int64."""
    where = f"{path.name} in {path.parent.parent}"
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            apart = PLAN in (file.schema_arrow.metadata or {})
            groups = list(range(file.num_row_groups)[_GROUPS_OF[sums] if apart else slice(None)])
            there = set(file.schema_arrow.names)
            lacking = [name for name in columns if name not in there and not apart and name in _SINCE_3]
            missing = set(columns) - there - set(lacking)
            if missing:
                raise MalformedError(f"{where} lacks the column {min(missing)}: it is no part of a run")
            schema = pa.schema([(name, pa.string() if name == "kind" else pa.int64()) for name in columns])
            yield schema.empty_table()  # a part may be empty
            old = [name for name in columns if name not in lacking]
            for batch in file.iter_batches(BATCH_ROWS, groups, old, use_threads=False):
                table = pa.Table.from_batches([batch])
                for name in lacking:
                    table = table.append_column(name, pa.array([-1 if name in PART_KEYS else 0] * len(table)))
                yield table.select(columns).cast(schema)
    except (pa.ArrowException, OSError) as error:
        raise MalformedError(
            f"{where} is torn or no Parquet file; `ohpshaw resume {path.parent.parent}` sets it aside and plays its "
            "blocks again"
        ) from error


def _summed(table: Any, kind: Kind) -> Any:
    """Add up the rows of a table that share their keys."""
    grouped = table.group_by(list(kind.keys), use_threads=False).aggregate(
        [(name, "sum") for name in kind.sums]
    )
    return grouped.select([*kind.keys, *(f"{name}_sum" for name in kind.sums)]).rename_columns(
        [*kind.keys, *kind.sums]
    )


def _frame(table: Any, keys: tuple[str, ...]) -> pd.DataFrame:
    """Turn a table of integers into a frame sorted by its keys."""
    frame: pd.DataFrame = table.to_pandas()
    return frame.astype("int64").sort_values(list(keys), kind="stable", ignore_index=True)
