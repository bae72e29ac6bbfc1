"""The files of a run folder's `parts/`: Parquet, each written whole or not at all.

    part-AAAAAAAA-BBBBBBBB.parquet      the sums of blocks A to B - 1, columns PART_COLUMNS
    rounds-AAAAAAAA-BBBBBBBB.parquet    their seat-rounds one by one, if asked for

A part is written after its rounds, so blocks whose part is there are there in full.
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
from ohpshaw_sim.tournament.sums import KINDS

TEMPORARY: Final = ".tmp-"
"""How the name of a file begins while it is being written."""
ROUND_COLUMNS: Final = ("players", "lineup", "entrant", *ROW_COLUMNS)
"""Columns of a file of rounds: the line-up, whose seat-round it is, and the engine's log."""
_NAME: Final = re.compile(r"(part|rounds)-(\d{8,})-(\d{8,})\.parquet")
SETS: Final = b"sets"
"""Key of a part's metadata: the number of its sets."""


class FolderError(OhPshawError):
    """A run folder cannot be read or written."""


class Part(NamedTuple):
    """A part that is there: blocks `first` to `end - 1`, `sets` sets in all."""

    path: Path
    first: int
    end: int
    sets: int

    @property
    def rounds_path(self) -> Path:
        """The file of this part's rounds, whether or not it is there."""
        return self.path.with_name(file_name("rounds", self.first, self.end))


def file_name(what: str, first: int, end: int, ending: str = "parquet") -> str:
    """Return the name of the file of blocks `first` to `end - 1`; `what` is `part`, `rounds` or `records`."""
    return f"{what}-{first:08d}-{end:08d}.{ending}"


def write_part(folder: Path, first: int, end: int, sets: int, rows: Any) -> None:
    """Write the sums of blocks `first` to `end - 1`, int64 [rows, PART_COLUMNS]. Raises FolderError."""
    kinds = pa.DictionaryArray.from_arrays(pa.array(rows[:, 0].astype(np.int8)), pa.array(KINDS))
    columns = [kinds, *(pa.array(np.ascontiguousarray(rows[:, at])) for at in range(1, len(PART_COLUMNS)))]
    table = pa.table(dict(zip(PART_COLUMNS, columns, strict=True))).replace_schema_metadata({SETS: str(sets)})
    _write_table(folder / file_name("part", first, end), table)


def write_rounds(folder: Path, first: int, end: int, rows: Any) -> None:
    """Write rounds of blocks `first` to `end - 1`, int32 [seat-rounds, ROUND_COLUMNS]. Raises FolderError."""
    columns = [pa.array(np.ascontiguousarray(rows[:, at])) for at in range(len(ROUND_COLUMNS))]
    _write_table(
        folder / file_name("rounds", first, end), pa.table(dict(zip(ROUND_COLUMNS, columns, strict=True)))
    )


def find_parts(folder: Path) -> list[Part]:
    """Return the parts in a folder in the order of their blocks. Raises FolderError when one cannot be read.

    A part whose blocks all lie in another is left out: a short last block that a longer run has played again.
    """
    matches = [(path, _NAME.fullmatch(path.name)) for path in folder.glob("part-*.parquet")]
    parts = [Part(path, int(match[2]), int(match[3]), _sets_in(path)) for path, match in matches if match]
    parts.sort(key=lambda part: (part.first, -part.end))
    chosen: list[Part] = []
    for part in parts:
        if not chosen or part.end > chosen[-1].end:
            chosen.append(part)
    return chosen


def sweep(folder: Path) -> None:
    """Delete what is of no use: temporary files, parts inside others, rounds whose part is not there."""
    for path in folder.glob(f"{TEMPORARY}*"):
        path.unlink(missing_ok=True)
    used = {part.path for part in find_parts(folder)}
    for path in folder.glob("part-*.parquet"):
        if path not in used:
            path.unlink(missing_ok=True)
    for path in folder.glob("rounds-*.parquet"):
        match = _NAME.fullmatch(path.name)
        if match and not (folder / file_name("part", int(match[2]), int(match[3]))).exists():
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
        raise FolderError(f"{path} cannot be written: {error.strerror or error}") from None


def _write_table(path: Path, table: Any) -> None:
    write_atomically(path, lambda temporary: pq.write_table(table, temporary, compression="zstd"))


def _sync_folder(folder: Path) -> None:
    """Make a rename last; on systems that cannot open a folder there is nothing to do."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _sets_in(path: Path) -> int:
    try:
        return int(pq.read_schema(path).metadata[SETS])
    except (pa.ArrowException, OSError, KeyError, TypeError, ValueError):
        raise FolderError(
            f"{path} is torn or no part of a run; delete it to have its blocks played again"
        ) from None
