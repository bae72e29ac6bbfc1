"""The files of a run folder's `parts/`: Parquet, each written whole or not at all.

    part-AAAAAAAA-BBBBBBBB.parquet      what blocks A to B - 1 come to, columns PART_COLUMNS
    rounds-AAAAAAAA-BBBBBBBB.parquet    their seat-rounds one by one, if asked for

The first row group of a part holds its sums, those that follow the series of its blocks: whoever wants the sums alone
reads little, however long a run has become. A part is written after its rounds, so blocks whose part is there are
there in full. What plan a part is of, which blocks it holds and how many sets stands in its metadata.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ohpshaw_sim.engine.tally_schema import PART_COLUMNS, ROW_COLUMNS
from ohpshaw_sim.errors import OhPshawError
from ohpshaw_sim.tournament.part_rows import KINDS, SUMS

TEMPORARY: Final = ".tmp-"
"""How the name of a file begins while it is being written."""
ROUND_COLUMNS: Final = ("players", "lineup", "entrant", *ROW_COLUMNS)
"""Columns of a file of rounds: the line-up, whose seat-round it is, and the engine's log."""
_NAME: Final = re.compile(r"(part|rounds)-(\d{8,})-(\d{8,})\.parquet")
SETS: Final = b"sets"
PLAN: Final = b"plan"
BLOCKS: Final = b"blocks"
"""Keys of a part's metadata: the number of its sets, the hash of its plan, its first block and the one after its
last."""
_SUMS_ROWS: Final = 10**8


class FolderError(OhPshawError):
    """A run folder cannot be read or written."""


class Part(NamedTuple):
    """A part that is there: blocks `first` to `end - 1`, `sets` sets in all."""

    path: Path
    first: int
    end: int
    sets: int


def file_name(what: str, first: int, end: int, ending: str = "parquet") -> str:
    """Return the name of the file of blocks `first` to `end - 1`; `what` is `part`, `rounds` or `records`."""
    return f"{what}-{first:08d}-{end:08d}.{ending}"


def write_part(folder: Path, plan: str, first: int, end: int, sets: int, rows: Any) -> None:
    """Write what blocks `first` to `end - 1` of a plan (its hash) came to, int64 [rows, PART_COLUMNS] as `Sums` gives
    them. Raises FolderError."""
    kinds = pa.DictionaryArray.from_arrays(pa.array(rows[:, 0].astype(np.int8)), pa.array(KINDS))
    columns = [kinds, *(pa.array(np.ascontiguousarray(rows[:, at])) for at in range(1, len(PART_COLUMNS)))]
    table = pa.table(dict(zip(PART_COLUMNS, columns, strict=True)))
    apart = int((rows[:, 0] < len(SUMS)).sum())
    write_groups(
        folder / file_name("part", first, end),
        part_metadata(plan, first, end, sets),
        [table[:apart], table[apart:]],
    )


def part_metadata(plan: str, first: int, end: int, sets: int) -> dict[bytes, bytes]:
    """Return the metadata of a part."""
    return {SETS: str(sets).encode(), PLAN: plan.encode(), BLOCKS: f"{first}-{end}".encode()}


def write_groups(path: Path, metadata: dict[bytes, bytes], tables: Any) -> None:
    """Write tables (the sums of a part, then its series, piece by piece) as one part. Raises FolderError."""

    def write(temporary: Path) -> None:
        writer = None
        for table in tables:
            if writer is None:
                schema = table.schema.with_metadata(metadata)
                writer = pq.ParquetWriter(temporary, schema, compression="zstd", write_page_checksum=True)
            writer.write_table(table.replace_schema_metadata(metadata), row_group_size=_SUMS_ROWS)
        if writer is not None:
            writer.close()

    write_atomically(path, write)


def write_rounds(folder: Path, first: int, end: int, rows: Any) -> None:
    """Write rounds of blocks `first` to `end - 1`, int32 [seat-rounds, ROUND_COLUMNS]. Raises FolderError."""
    columns = [pa.array(np.ascontiguousarray(rows[:, at])) for at in range(len(ROUND_COLUMNS))]
    table = pa.table(dict(zip(ROUND_COLUMNS, columns, strict=True)))
    path = folder / file_name("rounds", first, end)
    write_atomically(path, lambda temporary: pq.write_table(table, temporary, compression="zstd"))


def find_parts(folder: Path) -> list[Part]:
    """Return the parts in a folder in the order of their blocks. Raises FolderError when one cannot be read.

    A part whose blocks all lie in another is left out: a short last block that a longer run has played again.
    """
    return _chosen([_part_at(path) for path in named_parts(folder)])


def find_sound_parts(folder: Path) -> tuple[list[Part], list[Path]]:
    """Return the parts in a folder, as `find_parts` does, and apart from them the files that cannot be read."""
    parts, torn = [], []
    for path in named_parts(folder):
        try:
            parts.append(_part_at(path))
        except FolderError:
            torn.append(path)
    return _chosen(parts), torn


def _chosen(parts: list[Part]) -> list[Part]:
    parts.sort(key=lambda part: (part.first, -part.end))
    chosen: list[Part] = []
    for part in parts:
        if not chosen or part.end > chosen[-1].end:
            chosen.append(part)
    return chosen


def named_parts(folder: Path) -> list[Path]:
    """Return the files whose names are those of parts, in the order of their blocks."""
    return sorted(path for path in folder.glob("part-*.parquet") if _NAME.fullmatch(path.name))


def blocks_of(path: Path) -> tuple[int, int]:
    """Return the first block of a file and the one after its last, as its name tells."""
    match = _NAME.fullmatch(path.name)
    if match is None:
        raise ValueError(path.name)
    return int(match[2]), int(match[3])


def sweep(folder: Path) -> None:
    """Delete what is of no use: temporary files, parts inside others, rounds whose part is not there."""
    for path in folder.glob(f"{TEMPORARY}*"):
        path.unlink(missing_ok=True)
    used = {part.path for part in find_parts(folder)}
    for path in named_parts(folder):
        if path not in used:
            path.unlink(missing_ok=True)
    for path in folder.glob("rounds-*.parquet"):
        if _NAME.fullmatch(path.name) and not (folder / file_name("part", *blocks_of(path))).exists():
            path.unlink(missing_ok=True)


def write_atomically(path: Path, write: Callable[[Path], None]) -> None:
    """Let `write` fill a temporary file in the same folder, then rename it. Raises FolderError.

    After a crash or a power cut the file is there whole, or as it was before.
    """
    temporary = path.with_name(f"{TEMPORARY}{os.getpid()}-{path.name}")
    try:
        write(temporary)
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise FolderError(f"{path} cannot be written: {_reason(error)}") from None


def _reason(error: OSError) -> str:
    """Return what the system says; Arrow hides it in a longer text."""
    number = re.search(r"\[errno (\d+)\]", str(error), re.IGNORECASE)
    return os.strerror(int(number[1])) if number else error.strerror or str(error)


def _sync_folder(folder: Path) -> None:
    """Make a rename last; on systems that cannot open a folder there is nothing to do."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _part_at(path: Path) -> Part:
    try:
        sets = int(pq.read_schema(path).metadata[SETS])
    except (pa.ArrowException, OSError, KeyError, TypeError, ValueError):
        raise FolderError(
            f"{path} is torn or no part of a run; `ohpshaw resume {path.parent.parent}` sets it aside and plays its "
            "blocks again"
        ) from None
    return Part(path, *blocks_of(path), sets)
