"""Going on with a run from its folder alone: what was asked for stands in its manifest."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ohpshaw_sim.errors import ConflictError, IllegalError, MalformedError
from ohpshaw_sim.reading import read_duration
from ohpshaw_sim.tournament.journal import read_news
from ohpshaw_sim.tournament.options import Options, make_options
from ohpshaw_sim.tournament.spec import SCHEMA, Spec, make_spec
from ohpshaw_sim.tournament.store import read_manifest

_KEPT: Final = ("save_rounds", "records", "shard", "time_limit", "memory_limit")
"""Options that a run goes on with as it began, unless something else is asked for."""


def read_run_request(
    folder: Path, *, sets: int | None = None, duration: str | None = None, **how: Any
) -> tuple[Spec, Options]:
    """Return what a run plays and how, from its folder, with more to play if that is asked for.

    `sets` is the number of sets in all, `duration` (as "8h") the time to play from now on; with neither, what the run
    was begun for: its sets, or what is left of its time. `how` are fields of `Options`, None = as by default. Raises
    MalformedError when the folder is no run, ConflictError for both at once or a run of another version, IllegalError
    for fewer sets than are there.
    """
    manifest = read_manifest(folder)
    if manifest["schema"] != SCHEMA:
        raise ConflictError(
            f"{folder} was written by another version of this package, which alone can go on with it"
        )
    if sets is not None and duration is not None:
        raise ConflictError("sets and for exclude each other; give the number of sets or the time to play")
    spec = _spec_of(folder, manifest)
    if sets is not None:
        if spec.sets is not None and sets < spec.sets:
            raise IllegalError(f"{folder} was begun for {spec.sets} sets; ask for more than that, not {sets}")
        spec = make_spec(**{**spec.model_dump(), "sets": sets})
    elif duration is not None:
        if manifest.get("shard"):
            raise ConflictError(f"{folder} is a shard, and shards end with their sets; ask for more sets")
        spec = spec.model_copy(update={"sets": None})
    seconds = read_duration(duration) if duration is not None else _time_left(folder, manifest, spec)
    asked = {key: value for key, value in how.items() if value is not None}
    kept = {key: manifest[key] for key in _KEPT if manifest.get(key)}
    return spec, make_options({**kept, **asked, "seconds": seconds, "out": folder})


def _spec_of(folder: Path, manifest: Mapping[str, Any]) -> Spec:
    try:
        return make_spec(**manifest["spec"])
    except (KeyError, TypeError):
        raise MalformedError(f"the manifest of {folder} does not say what is played") from None


def _time_left(folder: Path, manifest: Mapping[str, Any], spec: Spec) -> float | None:
    """Return the seconds that are left of a run that was begun for a time and did not reach its end."""
    if spec.sets is not None:
        return None
    news = read_news(folder)
    return max(float(manifest.get("seconds") or 0) - (news.seconds_in_all if news else 0), 0.0)
