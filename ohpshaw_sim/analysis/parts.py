"""The parts of a run folder: Parquet files of integer sums, read batch by batch and added up.

A part holds the blocks [first, end) and is named for them. Reading needs memory for one batch and for the
result, whatever the length of the run. Columns are those of `ohpshaw_sim.engine.tally_schema`.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ohpshaw_sim.engine.tally_schema import MOMENTS, PART_COLUMNS
from ohpshaw_sim.errors import ConflictError, MalformedError

BATCH_ROWS: Final = 4096
"""Rows in memory at once. Small, for reading a long run must not need more memory than playing it."""

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
}
"""Kinds of rows, by the value of their `kind` column."""


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
    running: dict[str, Any] = {}
    for part in find_parts(folder):
        for batch in _batches(part.path, list(PART_COLUMNS)):
            for name, kind in KINDS.items():
                rows = batch.filter(pc.equal(batch["kind"], name)).select([*kind.keys, *kind.sums])
                running[name] = _summed(
                    pa.concat_tables([running[name], rows]) if name in running else rows, kind
                )
    return {name: _frame(running[name], kind.keys) for name, kind in KINDS.items()}


def read_blocks(folder: Path, kind: str = "total") -> pd.DataFrame:
    """Read the series of blocks of a run: the `total` or `pair` rows, one per block and entrant or pair.

    Columns: `block`, then the kind's keys, then its sums; int64, sorted by block. Memory grows with the
    run, so this is for convergence plots, bootstraps and sequential rules, not for tables. Raises
    MalformedError for another kind.
    """
    if kind not in ("total", "pair"):
        raise MalformedError(f"rows of kind {kind!r} are not kept by block; ask for 'total' or 'pair'")
    keys, sums = ("block", *KINDS[kind].keys), KINDS[kind].sums
    tables = [
        batch.filter(pc.equal(batch["kind"], kind)).select([*keys, *sums])
        for part in find_parts(folder)
        for batch in _batches(part.path, ["kind", *keys, *sums])
    ]
    return _frame(pa.concat_tables(tables), keys)


def _batches(path: Path, columns: list[str]) -> Iterator[Any]:
    """Yield a part's rows as tables of at most BATCH_ROWS rows, kinds as text and all else as int64."""
    where = f"{path.name} in {path.parent.parent}"
    try:
        with pq.ParquetFile(path) as file:
            missing = set(columns) - set(file.schema_arrow.names)
            if missing:
                raise MalformedError(f"{where} lacks the column {min(missing)}: it is no part of a run")
            schema = pa.schema([(name, pa.string() if name == "kind" else pa.int64()) for name in columns])
            yield schema.empty_table()  # a part may be empty
            for batch in file.iter_batches(BATCH_ROWS, columns=columns, use_threads=False):
                yield pa.Table.from_batches([batch]).select(columns).cast(schema)
    except (pa.ArrowException, OSError) as error:
        raise MalformedError(
            f"{where} is torn or no Parquet file; delete it and play its blocks again"
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
