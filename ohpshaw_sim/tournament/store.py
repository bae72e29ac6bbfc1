"""A run folder: begun, refused or continued; what it holds is known from its parts alone.

manifest.json   what is played, on what
progress.json   how far it has come (see `journal`)
parts/          what was played (see `parts`)
aside/          parts that do not count (see `soundness`)
records/        rounds that were to be kept, as round records (see `records`)
faults/         rounds in which agents failed, where they may forfeit (see `fault_files`, `quarantine.json` too)
tables/ plots/  made from the parts; `tables/timing.csv` is written by the run itself
"""

import contextlib
import csv
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from ohpshaw_sim.errors import ConflictError, MalformedError
from ohpshaw_sim.tournament import journal, locking
from ohpshaw_sim.tournament.commitments import check_commitments, is_blank
from ohpshaw_sim.tournament.compaction import MANY, compact
from ohpshaw_sim.tournament.fault_files import (
    FAULTS,
    QUARANTINE,
    left_out,
    supersede,
    sweep_faults,
    write_faults,
)
from ohpshaw_sim.tournament.parts import (
    TEMPORARY,
    FolderError,
    Part,
    find_parts,
    sweep,
    write_atomically,
    write_part,
    write_rounds,
)
from ohpshaw_sim.tournament.records import RECORDS, sweep_records, write_records
from ohpshaw_sim.tournament.schedule import Plan, gaps
from ohpshaw_sim.tournament.shards import Shard, common
from ohpshaw_sim.tournament.soundness import set_unsound_aside
from ohpshaw_sim.tournament.spec import SCHEMA

Notice = Callable[[str], None]
"""Is told in a sentence what a person should know."""
ENDLESS: Final = 10**8
"""Blocks of a run without an end; more than can be played."""


class RunFolder:
    """The folder of one run. Make one with `begin` or `join`."""

    def __init__(self, path: Path, manifest: dict[str, Any], *, new: bool) -> None:
        self.path = path
        self.manifest = manifest
        self.new = new
        """Whether this run made the folder."""
        self._loose = 0
        self._sound = new

    @property
    def shard(self) -> Shard | None:
        """The share of the run that is played here; None = all of it."""
        return Shard.of_run(self.manifest)

    @property
    def parts(self) -> Path:
        """The folder of the parts."""
        return self.path / "parts"

    @property
    def faults(self) -> Path:
        """The folder of the faults."""
        return self.path / FAULTS

    @property
    def records(self) -> Path:
        """The folder of the round records."""
        return self.path / RECORDS

    def found(self) -> list[Part]:
        """Return the parts that are there. Raises FolderError."""
        return find_parts(self.parts)

    def missing(self, plan: Plan) -> list[tuple[int, int]]:
        """Return the spans of blocks still to be played; a short last block of a shorter run counts as
        missing.

        Raises FolderError.
        """
        whole = [(part.first, part.end) for part in self.whole_parts(plan)]
        whole += left_out(self.path, plan)
        blocks = ENDLESS if plan.blocks is None else plan.blocks
        missing = gaps(whole, blocks)
        return missing if self.shard is None else common(missing, self.shard.spans(blocks))

    def whole_parts(self, plan: Plan) -> list[Part]:
        """Return the parts that count in a plan: one with the short last block of a shorter run does not.

        Raises FolderError.
        """
        return [part for part in self.found() if part.sets >= _sets_of(plan, part)]

    def beyond(self, end: int) -> list[Part]:
        """Return the parts that hold block `end` or later ones. Raises FolderError."""
        return [part for part in self.found() if part.end > end]

    def drop(self, part: Part) -> None:
        """Delete a part that does not count, and the rounds and records of its blocks."""
        part.path.unlink(missing_ok=True)
        self._sweep()

    def sets_played(self) -> int:
        """Return the number of sets that are there. Raises FolderError."""
        return sum(part.sets for part in self.found())

    def write(
        self,
        first: int,
        end: int,
        sets: int,
        rows: Any,
        rounds: Any = None,
        records: bytes = b"",
        faults: bytes = b"",
    ) -> None:
        """Write what blocks `first` to `end - 1` came to; see `parts` for the arrays. Raises FolderError."""
        if rounds is not None:
            write_rounds(self.parts, first, end, rounds)
        write_records(self.records, first, end, records)
        write_faults(self.faults, first, end, faults)
        write_part(self.parts, self.manifest["plan_hash"], first, end, sets, rows)
        supersede(self.faults, first, end)
        self._loose += 1
        named_by_part = self.manifest["save_rounds"] or self.manifest.get("records")
        if self._loose >= MANY and not named_by_part:
            compact(self.parts, self.manifest["plan_hash"], self.manifest["block_sets"])
            self._loose = 0

    def save(self) -> None:
        """Write the manifest. Raises FolderError."""
        text = json.dumps(self.manifest, indent=2) + "\n"
        write_atomically(self.path / "manifest.json", lambda path: _write_text(path, text))

    def discard(self) -> None:
        """Delete the folder if this run made it, no part was written and no block is in quarantine."""
        if not self.new or any(self.parts.glob("part-*")) or (self.path / QUARANTINE).exists():
            return
        supersede(self.faults, 0, ENDLESS)
        self._sweep()
        for name in ("manifest.json", journal.NAME, locking.NAME):
            (self.path / name).unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # something else was put there meanwhile: leave it
            self.parts.rmdir()
            self.path.rmdir()

    def add_timing(self, row: Mapping[str, Any]) -> None:
        """Append one session's timing to `tables/timing.csv`. Raises FolderError."""
        path = self.path / "tables" / "timing.csv"
        try:
            path.parent.mkdir(exist_ok=True)
            fresh = not path.exists()
            with path.open("a", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, list(row), lineterminator="\n")
                if fresh:
                    writer.writeheader()
                writer.writerow(row)
        except OSError as error:
            raise FolderError(f"{path} cannot be written: {error.strerror}") from None

    @contextlib.contextmanager
    def locked(self, notice: Notice = lambda _: None) -> Iterator[None]:
        """Keep other runs out of this folder meanwhile, and have only sound parts in it.

        A part that cannot be relied on is set aside, and `notice` told in a sentence. Raises ConflictError when
        another run is under way.
        """
        with locking.locked(self.path):
            if not self._sound:
                for path, why in set_unsound_aside(self.parts, self.manifest["plan_hash"]):
                    notice(f"{path.name} {why}: set aside in {path.parent}, its blocks are played again")
                self._sound = True
            self._sweep()
            yield

    def _sweep(self) -> None:
        """Delete what a killed run, or a short last block that was played again, has left."""
        for path in self.path.glob(f"{TEMPORARY}*"):
            path.unlink(missing_ok=True)
        sweep(self.parts)
        sweep_records(self.records, self.found())
        sweep_faults(self.faults)


def begin(path: Path, manifest: dict[str, Any]) -> RunFolder:
    """Make the folder of a new run and write its manifest. Raises FolderError when that cannot be done."""
    made = not path.exists()
    folder = RunFolder(path, manifest, new=True)
    try:
        folder.parts.mkdir(parents=True, exist_ok=True)
        folder.save()
    except OSError as error:
        raise FolderError(f"the run folder {path} cannot be made: {error.strerror}") from None
    except FolderError:
        if made:
            folder.discard()
        raise
    return folder


def join(path: Path, manifest: dict[str, Any]) -> RunFolder | None:
    """Return the folder of a run that is there; None when there is nothing.

    Raises ConflictError when it holds anything but the run of this manifest, MalformedError when its own cannot be
    read, FolderError when the folder cannot be.
    """
    try:
        if not path.exists() or (path.is_dir() and is_blank(path)):
            return None
    except OSError as error:
        raise FolderError(f"the run folder {path} cannot be read: {error.strerror}") from None
    if not (path / "manifest.json").exists():
        raise ConflictError(f"{path} is there and holds no run; choose another folder with --out")
    there = read_manifest(path)
    if there["schema"] != SCHEMA:
        raise ConflictError(
            f"{path} was written by another version of this package; choose another folder with --out"
        )
    check_commitments(path, there, manifest)
    return RunFolder(path, there, new=False)


def read_manifest(path: Path) -> dict[str, Any]:
    """Return the manifest of a run folder. Raises MalformedError when it has none or it cannot be read."""
    try:
        manifest = json.loads((path / "manifest.json").read_text("utf-8"))
        if not isinstance(manifest, dict) or "schema" not in manifest:
            raise ValueError("it names no schema")
    except OSError:
        raise MalformedError(f"{path} is no run folder: it has no readable manifest.json") from None
    except ValueError as error:
        raise MalformedError(f"the manifest of {path} cannot be read: {error}") from None
    return manifest


def _sets_of(plan: Plan, part: Part) -> int:
    """Return the number of sets that a part's blocks have in a plan."""
    sets = (part.end - part.first) * plan.block_sets
    return sets if plan.sets is None else min(sets, plan.sets - part.first * plan.block_sets)


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
