"""Faults of agents in a run folder, where they forfeit rounds instead of ending the run.

    faults/faults-AAAAAAAA-BBBBBBBB.jsonl    round records of the rounds of blocks A to B - 1 in which an agent failed
    quarantine.json                          blocks that are left out, since they have killed their workers

A file of faults is written before its part and outlives it: should the part be lost, what hung or crashed stands when
its blocks are played again.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from ohpshaw_sim.engine.fault import OF_THE_MACHINE, Fault
from ohpshaw_sim.errors import OhPshawError
from ohpshaw_sim.records.files import read_records
from ohpshaw_sim.records.record import RoundRecord
from ohpshaw_sim.tournament.parts import TEMPORARY, FolderError, file_name, write_atomically
from ohpshaw_sim.tournament.schedule import Plan

FAULTS: Final = "faults"
"""The folder of the faults in a run folder, and how their files' names begin."""
QUARANTINE: Final = "quarantine.json"
_NAME: Final = re.compile(rf"{FAULTS}-(\d{{8,}})-(\d{{8,}})\.jsonl")
_UNKNOWN: Final = -1


class Quarantined(NamedTuple):
    """A block that is left out. `agent` is None where nobody can be charged, `lineup` a number within `players`."""

    block: int
    first_set: int
    sets: int
    players: int
    lineup: int
    agent: str | None
    kind: str
    reason: str


def write_faults(folder: Path, first: int, end: int, lines: bytes) -> None:
    """Write the faults of blocks `first` to `end - 1`, no file where there was none. Raises FolderError."""
    if lines:
        folder.mkdir(exist_ok=True)
        path = folder / file_name(FAULTS, first, end, "jsonl")
        write_atomically(path, lambda temporary: _write(temporary, lines))


def supersede(folder: Path, first: int, end: int) -> None:
    """Delete what was told before of blocks that have been played again, as blocks `first` to `end - 1`."""
    for path, (begin, after) in _files(folder):
        if first <= begin and after <= end and (begin, after) != (first, end):
            path.unlink(missing_ok=True)


def sweep_faults(folder: Path) -> None:
    """Delete temporary files, and the folder if it is then empty."""
    if not folder.is_dir():
        return
    for path in folder.glob(f"{TEMPORARY}*"):
        path.unlink(missing_ok=True)
    if not any(folder.iterdir()):
        folder.rmdir()


def standing_faults(
    folder: Path, block_sets: int, missing: Sequence[tuple[int, int]]
) -> dict[int, list[tuple[int, Fault]]]:
    """Return the faults that another day might not see again, with their line-ups' numbers, by block.

    Files of blocks that are not missing are left closed. Raises FolderError for a file that cannot be read.
    """
    found: dict[int, list[tuple[int, Fault]]] = {}
    for path, (begin, after) in _files(folder):
        if not any(first < after and begin < end for first, end in missing):
            continue
        try:
            for _, record in read_records(str(path)):
                for fault in _faults_of(record):
                    standing = found.setdefault(fault.set_number // block_sets, [])
                    standing.append((record.lineup or 0, fault))
        except OhPshawError as error:
            raise FolderError(
                f"{path} cannot be read: {error}; delete it to have its faults found anew"
            ) from None
    return found


def _faults_of(record: RoundRecord) -> list[Fault]:
    where = (record.set or 0, record.rotation or 0, (record.round or 1) - 1)
    return [
        Fault(*where, one.seat, _UNKNOWN, one.decision or 0, one.kind, one.reason or one.kind)
        for one in record.forfeits
        if one.kind in OF_THE_MACHINE
    ]


def read_quarantine(path: Path) -> list[Quarantined]:
    """Return the blocks in quarantine in a run folder. Raises FolderError when it cannot be told."""
    try:
        return [Quarantined(**row) for row in json.loads((path / QUARANTINE).read_text("utf-8"))]
    except FileNotFoundError:
        return []
    except (OSError, TypeError, ValueError) as error:
        raise FolderError(f"{path / QUARANTINE} cannot be read: {error}") from None


def leave_out(path: Path, block: Quarantined) -> None:
    """Put a block of a run folder into quarantine. Raises FolderError."""
    others = [other for other in read_quarantine(path) if other.block != block.block]
    rows = [one._asdict() for one in sorted([*others, block], key=lambda one: one.block)]
    text = json.dumps(rows, indent=2) + "\n"
    write_atomically(path / QUARANTINE, lambda temporary: _write(temporary, text.encode()))


def release(path: Path, since: int = 0) -> None:
    """Let the blocks from `since` on out of quarantine. Raises FolderError."""
    kept = [one for one in read_quarantine(path) if one.block < since]
    (path / QUARANTINE).unlink(missing_ok=True)
    for one in kept:
        leave_out(path, one)


def left_out(path: Path, plan: Plan) -> list[tuple[int, int]]:
    """Return the spans of a plan's blocks that are in quarantine, a short last block only while it is as short."""
    blocks = [one.block for one in read_quarantine(path) if one.sets >= plan.block(one.block).sets]
    return [(block, block + 1) for block in blocks]


def _files(folder: Path) -> list[tuple[Path, tuple[int, int]]]:
    """Return the files of faults and their spans of blocks, in order."""
    matches = [(path, _NAME.fullmatch(path.name)) for path in sorted(folder.glob(f"{FAULTS}-*"))]
    return [(path, (int(match[1]), int(match[2]))) for path, match in matches if match]


def _write(path: Path, lines: bytes) -> None:
    path.write_bytes(lines)
