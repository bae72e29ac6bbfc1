"""Merging many small parts into few large ones, so that a long run does not drown its folder in files."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from ohpshaw_sim.engine.tally_schema import PART_COLUMNS, PART_KEYS
from ohpshaw_sim.tournament.parts import Part, file_name, find_parts, part_metadata, write_groups

MANY: Final = 128
"""Parts written since the last merge that call for the next one."""
_FEWEST: Final = 16
_LARGE: Final = 32 * 2**20
"""Bytes from which a part is left as it is."""


def compact(folder: Path, plan: str, block_sets: int) -> None:
    """Merge neighbouring parts of whole blocks, `block_sets` sets each, of a plan (its hash). Raises FolderError.

    The merged part is there before its pieces go: a run killed in between has blocks twice, in a part and in a
    larger one that contains it, and the smaller one does not count.
    """
    for pieces in list(_neighbours(find_parts(folder), block_sets)):
        merge(folder, plan, pieces)


def merge(folder: Path, plan: str, pieces: Sequence[Part]) -> None:
    """Replace neighbouring parts by one: the sums added up, the series one after the other. Raises FolderError."""
    first, end, sets = pieces[0].first, pieces[-1].end, sum(piece.sets for piece in pieces)
    whole = folder / file_name("part", first, end)
    write_groups(whole, part_metadata(plan, first, end, sets), _merged(pieces))
    for piece in pieces:
        piece.path.unlink(missing_ok=True)


def _merged(pieces: Sequence[Part]) -> Iterator[Any]:
    """Yield the tables of the whole: its sums, then its series, a part at a time."""
    sums = [pq.ParquetFile(piece.path).read_row_group(0) for piece in pieces]
    yield _added(pa.concat_tables(sums), sums[0].schema)
    for piece in pieces:
        with pq.ParquetFile(piece.path) as file:
            series = list(range(1, file.num_row_groups))
            yield file.read_row_groups(series).replace_schema_metadata(None)


def _added(table: Any, schema: Any) -> Any:
    """Add up the rows that share their keys, in the order in which the keys come first."""
    numbered = table.set_column(0, "kind", table["kind"].cast(pa.string()))
    values = [name for name in PART_COLUMNS if name not in PART_KEYS]
    added = numbered.group_by(list(PART_KEYS), use_threads=False).aggregate(
        [(name, "sum") for name in values]
    )
    columns = [added[name if name in PART_KEYS else f"{name}_sum"] for name in PART_COLUMNS]
    return pa.table(columns, names=list(PART_COLUMNS)).cast(schema.remove_metadata())


def _neighbours(parts: Sequence[Part], block_sets: int) -> Iterator[list[Part]]:
    """Yield runs of at least a few small parts, each beginning where the one before ends."""
    run: list[Part] = []
    for part in parts:
        small = part.path.stat().st_size < _LARGE and part.sets == (part.end - part.first) * block_sets
        if run and not (small and part.first == run[-1].end):
            if len(run) >= _FEWEST:
                yield run
            run = []
        if small:
            run.append(part)
    if len(run) >= _FEWEST:
        yield run
