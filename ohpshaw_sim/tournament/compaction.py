"""Merging many small parts into few large ones, so that a long run does not drown its folder in files."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pyarrow.parquet as pq

from ohpshaw_sim.tournament.parts import SETS, Part, file_name, find_parts, write_atomically

MANY: Final = 128
"""Parts written since the last merge that call for the next one."""
_FEWEST: Final = 16
_LARGE: Final = 32 * 2**20
"""Bytes from which a part is left as it is."""


def compact(folder: Path, block_sets: int) -> None:
    """Merge neighbouring parts of whole blocks, `block_sets` sets each. Raises FolderError.

    The merged part is there before its pieces go: a run killed in between has blocks twice, in a part and in a
    larger one that contains it, and the smaller one does not count.
    """
    for pieces in list(_neighbours(find_parts(folder), block_sets)):
        merge(folder, pieces)


def merge(folder: Path, pieces: Sequence[Part]) -> None:
    """Replace neighbouring parts by one with all their rows. Raises FolderError."""
    sets = sum(piece.sets for piece in pieces)
    whole = folder / file_name("part", pieces[0].first, pieces[-1].end)
    write_atomically(whole, lambda temporary: _copy(pieces, sets, temporary))
    for piece in pieces:
        piece.path.unlink(missing_ok=True)


def _copy(pieces: Sequence[Part], sets: int, target: Path) -> None:
    """Copy the rows of parts into one file, a part at a time."""
    schema = pq.read_schema(pieces[0].path).with_metadata({SETS: str(sets)})
    with pq.ParquetWriter(target, schema, compression="zstd") as writer:
        for piece in pieces:
            writer.write_table(pq.read_table(piece.path).replace_schema_metadata(schema.metadata))


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
