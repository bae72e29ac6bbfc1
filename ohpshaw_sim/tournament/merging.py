"""Putting shards together: a run folder made of the parts of several, without playing.

The whole is put together beside its place, under a name of its own, and renamed at the end: a merge that was killed
leaves nothing half done, and is done again from the beginning.
"""

import contextlib
import csv
import itertools
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from ohpshaw_sim.errors import ConflictError
from ohpshaw_sim.tournament import locking
from ohpshaw_sim.tournament.command import repeat_command, resume_command
from ohpshaw_sim.tournament.commitments import COMMITMENTS
from ohpshaw_sim.tournament.compaction import compact
from ohpshaw_sim.tournament.fault_files import leave_out, left_out, read_quarantine
from ohpshaw_sim.tournament.options import Options
from ohpshaw_sim.tournament.parts import FolderError, Part, write_atomically
from ohpshaw_sim.tournament.records import sweep_records
from ohpshaw_sim.tournament.run import folder_of
from ohpshaw_sim.tournament.schedule import Plan, gaps, make_plan
from ohpshaw_sim.tournament.shards import Shard, Span, common
from ohpshaw_sim.tournament.soundness import ASIDE, set_unsound_aside
from ohpshaw_sim.tournament.spec import SCHEMA, Spec, make_spec
from ohpshaw_sim.tournament.store import RunFolder, join, read_manifest

_MADE_AGAIN: Final = ("tables", "plots", ASIDE)
"""Folders of a run that are made from its parts, or do not count."""
_MOST_NAMED: Final = 5


@dataclass(frozen=True)
class Merged:
    """A run folder put together; `command` plays the same run, or goes on with it where blocks are missing."""

    folder: Path
    sets: int
    missing_blocks: int
    command: str
    there: bool = False
    """Whether it was there already."""


def merge_runs(sources: Sequence[Path], out: Path | None = None, *, allow_holes: bool = False) -> Merged:
    """Put the shards of a run together in a folder of their own (None = the default one of the whole run).

    Missing blocks are refused unless `allow_holes`; they can be played in the merged run afterwards. Raises
    ConflictError for folders that are no shards of one run, hold blocks twice, leave some out or are being played
    into, and for an `out` that holds something else; FolderError for what cannot be read or written.
    """
    folders = [RunFolder(path, read_manifest(path), new=False) for path in sources]
    _check_alike(folders)
    spec = _whole_spec(folders)
    plan = make_plan(spec)
    with contextlib.ExitStack() as stack:
        for folder in folders:
            stack.enter_context(_unless_read_only(folder))
        pieces = [(part, folder) for folder in folders for part in folder.whole_parts(plan)]
        _check_overlaps(pieces)
        spans = [(part.first, part.end) for part, _ in pieces]
        spans += [span for folder in folders for span in left_out(folder.path, plan)]
        missing = gaps(spans, plan.blocks or 0)
        if missing and not allow_holes:
            raise ConflictError(_what_is_missing(missing, plan, folders))
        return _put_together(folders, pieces, spec, out, holes=sum(end - first for first, end in missing))


def _check_alike(folders: Sequence[RunFolder]) -> None:
    """Raise ConflictError unless all folders hold shares of one run, each folder once."""
    first = folders[0]
    seen: set[Path] = set()
    for folder in folders:
        if folder.path.resolve() in seen:
            raise ConflictError(f"{folder.path} is given twice; give each shard once")
        seen.add(folder.path.resolve())
        if folder.manifest["schema"] != SCHEMA:
            raise ConflictError(
                f"{folder.path} was written by another version of this package; merge it with that version"
            )
        for key, what in COMMITMENTS.items():
            if key != "shard" and folder.manifest.get(key) != first.manifest.get(key):
                raise ConflictError(
                    f"{folder.path} holds a run with another {what} than {first.path}; merge shards of one run"
                )


def _whole_spec(folders: Sequence[RunFolder]) -> Spec:
    """Return the spec of the whole run: as many sets as the longest of its shards was to play of them."""
    for folder in folders:
        if folder.manifest["sets"] is None:
            raise ConflictError(
                f"{folder.path} holds a run with --for that has not ended; go on with it first"
            )
    sets = max(folder.manifest["sets"] for folder in folders)
    return make_spec(**{**folders[0].manifest["spec"], "sets": sets})


def _check_overlaps(pieces: list[tuple[Part, RunFolder]]) -> None:
    """Raise ConflictError if two folders hold the same blocks; sorts the pieces by their blocks."""
    pieces.sort(key=lambda piece: (piece[0].first, piece[0].end))
    for (one, of_one), (other, of_other) in itertools.pairwise(pieces):
        if other.first < one.end:
            both = _blocks([(other.first, min(one.end, other.end))])
            raise ConflictError(f"{of_one.path} and {of_other.path} both hold {both}; give each block once")


def _what_is_missing(missing: Sequence[Span], plan: Plan, folders: Sequence[RunFolder]) -> str:
    """Say in a sentence which blocks, and so which shards, are missing."""
    total = sum(end - first for first, end in missing)
    shards = {folder.shard: folder.path for folder in folders if folder.shard is not None}
    counts = {shard.of for shard in shards}
    of_all = f"{total} of {plan.blocks} blocks are missing ({_blocks(missing)})"
    if len(counts) == 1:
        all_shards = [Shard(number, count) for count in counts for number in range(1, count + 1)]
        lacking = [one for one in all_shards if common(missing, one.spans(plan.blocks or 0))]
        absent = [str(shard) for shard in lacking if shard not in shards]
        begun = [f"{shard} ({shards[shard]})" for shard in lacking if shard in shards]
        words = [f"of shard {_some(absent)}, not given"] if absent else []
        words += [f"of shard {_some(begun)}, not finished"] if begun else []
        of_all += ", " + ", and ".join(words)
    return f"{of_all}; give all shards, or add --allow-holes and play the rest in the merged run"


def _put_together(
    folders: Sequence[RunFolder],
    pieces: Sequence[tuple[Part, RunFolder]],
    spec: Spec,
    out: Path | None,
    *,
    holes: int,
) -> Merged:
    first = folders[0].manifest
    options = Options(out=out, save_rounds=first["save_rounds"], records=first["records"])
    path = folder_of(spec, options)
    sets = sum(part.sets for part, _ in pieces)
    again = repeat_command(spec, options, first.get("comparison"))
    command = resume_command(path) if holes else again
    manifest = {**first, "shard": None, "sets": spec.sets, "spec": spec.model_dump(mode="json")}
    manifest |= {
        "command": again,
        "merged": [f.manifest.get("shard") for f in folders],
    }
    there = join(path, manifest)
    if there is not None:
        if there.missing(make_plan(spec)):
            raise ConflictError(
                f"{path} holds an unfinished run of this tournament; choose another folder with --out"
            )
        return Merged(path, there.sets_played(), 0, there.manifest["command"], there=True)
    _build(path, manifest, folders, pieces)
    return Merged(path, sets, holes, command)


def _build(
    path: Path,
    manifest: dict[str, Any],
    folders: Sequence[RunFolder],
    pieces: Sequence[tuple[Part, RunFolder]],
) -> None:
    """Make the merged folder beside its place and rename it. Raises FolderError, ConflictError."""
    whole = RunFolder(path.with_name(f".merging-{path.name}"), manifest, new=True)
    try:
        whole.path.mkdir(parents=True, exist_ok=True)
        with locking.locked(whole.path):
            _clear(whole.path)
            whole.parts.mkdir()
            for part, folder in pieces:
                _copy_part(part, folder, whole)
            for found, why in set_unsound_aside(whole.parts, manifest["plan_hash"]):
                raise FolderError(
                    f"the copy of {found.name} {why}; `ohpshaw resume` of its run plays its blocks again"
                )
            if not (manifest["save_rounds"] or manifest["records"]):
                compact(whole.parts, manifest["plan_hash"], manifest["block_sets"])
            for folder in folders:
                _copy_others(folder, whole)
                _copy_timing(folder, whole)
                for block in read_quarantine(folder.path):
                    leave_out(whole.path, block)
            sweep_records(whole.records, whole.found())
            whole.save()
            (whole.path / ".lock").unlink(missing_ok=True)
            whole.path.replace(path)
    except OSError as error:
        raise FolderError(f"{path} cannot be written: {error.strerror or error}") from None


def _copy_part(part: Part, source: RunFolder, whole: RunFolder) -> None:
    """Copy a part, and first what else the folder of parts has of its blocks."""
    blocks = part.path.stem.removeprefix("part")
    beside = [path for path in source.parts.glob(f"*{blocks}.*") if path != part.path]
    for path in [*beside, part.path]:
        _copy(path, whole.parts)


def _copy_others(source: RunFolder, whole: RunFolder) -> None:
    """Copy the other folders of what was kept, whose files are named for blocks: records."""
    for folder in source.path.iterdir():
        if folder.is_dir() and folder != source.parts and folder.name not in _MADE_AGAIN:
            for path in folder.iterdir():
                if not path.name.startswith("."):
                    (whole.path / folder.name).mkdir(exist_ok=True)
                    _copy(path, whole.path / folder.name)


def _copy(path: Path, folder: Path) -> None:
    write_atomically(folder / path.name, partial(shutil.copyfile, path))


def _copy_timing(source: RunFolder, whole: RunFolder) -> None:
    """Append the timings of a shard's sessions to those of the whole."""
    with contextlib.suppress(FileNotFoundError), (source.path / "tables" / "timing.csv").open() as file:
        for row in csv.DictReader(file):
            whole.add_timing(row)


def _clear(folder: Path) -> None:
    """Delete what a merge that was killed has left, but for the lock."""
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != ".lock":
            path.unlink()


@contextlib.contextmanager
def _unless_read_only(folder: RunFolder) -> Iterator[None]:
    """Keep runs out of a folder meanwhile; where nothing can be written none can be under way."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            stack.enter_context(locking.locked(folder.path))
        yield


def _blocks(spans: Sequence[Span]) -> str:
    """Name spans of blocks in words."""
    words = [str(first) if end == first + 1 else f"{first}-{end - 1}" for first, end in spans]
    return f"block {words[0]}" if len(spans) == 1 and "-" not in words[0] else f"blocks {_some(words)}"


def _some(words: Sequence[str]) -> str:
    more = len(words) - _MOST_NAMED
    return ", ".join(words[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
