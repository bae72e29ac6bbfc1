"""Parts that are torn, damaged or not of this run: found before anything is built on them, and set aside."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ohpshaw_sim.engine.tally_schema import PART_COLUMNS
from ohpshaw_sim.tournament.parts import BLOCKS, PLAN, SETS, FolderError, blocks_of, named_parts

ASIDE: Final = "aside"
"""The folder, in a run folder, of parts that do not count."""
_BATCH: Final = 65_536


class _UnsoundError(Exception):
    """A part cannot be relied on; says why."""


class Aside(NamedTuple):
    """A part that was set aside, and why."""

    path: Path
    why: str


def set_unsound_aside(parts: Path, plan: str) -> list[Aside]:
    """Move every part that cannot be relied on to `aside/`, where nothing counts it; return what was moved and why.

    `plan` is the hash of what the run plays. Raises FolderError when a file cannot be moved.
    """
    found = []
    for path, why in list(_unsound(parts, plan)):
        target = parts.parent / ASIDE / path.name
        number = 1
        while target.exists():
            number += 1
            target = target.with_name(f"{path.stem}-{number}{path.suffix}")
        try:
            target.parent.mkdir(exist_ok=True)
            path.rename(target)
        except OSError as error:
            raise FolderError(f"{path} cannot be set aside: {error.strerror}") from None
        found.append(Aside(target, why))
    return found


def _unsound(parts: Path, plan: str) -> Iterator[tuple[Path, str]]:
    """Yield the parts that cannot be relied on, each with the reason; of two that share only some blocks the later."""
    reached = 0
    for path in sorted(named_parts(parts), key=lambda path: (blocks_of(path)[0], -blocks_of(path)[1])):
        first, end = blocks_of(path)
        try:
            _check(path, plan)
        except _UnsoundError as error:
            yield path, str(error)
            continue
        if first < reached < end:
            yield path, "shares some blocks with another part, not all"
        reached = max(reached, end)


def _check(path: Path, plan: str) -> None:
    """Read a part from end to end, checksums included. Raises _UnsoundError."""
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            metadata = file.schema_arrow.metadata or {}
            _check_metadata(path, plan, metadata, file.schema_arrow.names)
            _check_sums(file, int(metadata[SETS]))
            _check_series(file, *blocks_of(path))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise _UnsoundError("is torn or damaged") from error


def _check_metadata(path: Path, plan: str, metadata: dict[bytes, bytes], names: list[str]) -> None:
    if PLAN not in metadata or SETS not in metadata or tuple(names) != PART_COLUMNS:
        raise _UnsoundError("is no part of a run of this version")
    if metadata[PLAN] != plan.encode():
        raise _UnsoundError("belongs to another run")
    first, end = blocks_of(path)
    if metadata.get(BLOCKS) != f"{first}-{end}".encode():
        raise _UnsoundError("does not hold the blocks that its name tells")


def _check_sums(file: Any, sets: int) -> None:
    """Each line-up's entrants have the same number of sets, and all blocks together the part's."""
    table = file.read_row_group(0)
    total = table.filter(pc.equal(table["kind"], "total"))
    by_lineup = total.group_by(["players", "lineup"]).aggregate([("n", "min"), ("n", "max")])
    if by_lineup["n_min"] != by_lineup["n_max"] or not sets <= pc.sum(by_lineup["n_max"]).as_py() <= 2 * sets:
        raise _UnsoundError("does not add up")


def _check_series(file: Any, first: int, end: int) -> None:
    """The series has its rows for every block, from first to last."""
    seen: set[int] = set()
    groups = list(range(1, file.num_row_groups))
    for batch in file.iter_batches(_BATCH, groups, use_threads=False):  # every column, so that all is read
        blocks = batch.filter(pc.equal(batch["kind"], "block"))["block"]
        seen.update(pc.unique(blocks).to_pylist())
    if seen != set(range(first, end)):
        raise _UnsoundError("lacks some of its blocks")
