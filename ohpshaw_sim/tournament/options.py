"""How a tournament is played: options that change no result; and reading requests from TOML and flags."""

import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ohpshaw_sim.errors import ConflictError, MalformedError
from ohpshaw_sim.reading import Whole, did_you_mean, read_duration, read_toml, sentence_of
from ohpshaw_sim.rules import Rules
from ohpshaw_sim.tournament.asked_deals import take_deals
from ohpshaw_sim.tournament.asked_rules import take_rules
from ohpshaw_sim.tournament.choice import read_choice
from ohpshaw_sim.tournament.limits import TIME_LIMIT, Limits, read_size
from ohpshaw_sim.tournament.schedule import make_plan, whole_turns
from ohpshaw_sim.tournament.shards import Shard, check_share
from ohpshaw_sim.tournament.spec import Spec, make_spec

Driver = Literal["auto", "compiled", "batched"]
_DRAWN_SEEDS: Final = 10**9


def processors() -> int:
    """Return the number of processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _records(given: object) -> str | None:
    return None if given is None else read_choice(given)


def _size(given: object) -> int | None:
    return given if given is None or isinstance(given, int) else read_size(str(given))


def _shard(given: object) -> str | None:
    return None if given is None else str(Shard.read(str(given)))


class Options(BaseModel):
    """How to play: none of this changes a result, so none of it is part of the plan."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seconds: float | None = None
    """Stop after the blocks under way at this time; None = when all sets are played."""
    jobs: Whole = Field(default_factory=processors)
    """Blocks of work played at the same time."""
    dask: str | None = None
    """The Dask cluster that plays, as `dask_crew.connect` reads it; None = this machine."""
    driver: Driver = "auto"
    out: Path | None = None
    """Run folder; None = one named from the agents below `results/`."""
    save_rounds: bool = False
    records: Annotated[str | None, BeforeValidator(_records)] = None
    """Keep round records: `all`, or `every:N` for one round in N; None = none."""
    shard: Annotated[str | None, BeforeValidator(_shard)] = None
    """Play one share of the run, `I/N`; None = all of it."""
    time_limit: float = Field(default=TIME_LIMIT, gt=0)
    """Seconds that a decision of an agent that users brought may take; then it counts as hung."""
    memory_limit: Annotated[int | None, BeforeValidator(_size)] = None
    """Bytes that each worker process may use; None = an even share of the machine where agents may forfeit, else
    no limit."""
    retry_quarantined: bool = False
    """Play blocks again that were put into quarantine."""

    def limits(self, spec: Spec) -> Limits:
        """Return the limits of each worker process."""
        return Limits(self.time_limit, self.memory_limit, spec.on_fault == "forfeit")


CONFIG_KEYS: Final = (
    *(name for name in Spec.model_fields if name != "deals_digest"),
    *(name for name in Options.model_fields if name not in ("seconds", "retry_quarantined")),
    "for",
)
"""What a configuration file may hold."""


def read_request(config: Path | None, flags: Mapping[str, Any], about_sets: int) -> tuple[Spec, Options]:
    """Return what to play and how, from a TOML file (or None) and flags; flags that are not None win over the
    file.

    Keys are `CONFIG_KEYS`; flags may also hold options of `Rules`, which win over `rules` one by one. `rules` is
    whatever `read_rules` takes; a path that a file names, `rules = "house.toml"` or `deals`, begins beside it. A
    missing seed is drawn. `for` (a duration) stands instead of `sets`; with neither, at least `about_sets` are played,
    a whole number of turns of the line-ups, or all deals of a file. Raises MalformedError, IllegalError or
    ConflictError, one sentence each, FileError for deals that cannot be read.
    """
    given = read_config(config) if config else {}
    chosen = {key: value for key, value in flags.items() if value is not None}
    for one, other in (("sets", "for"), ("for", "sets")):
        if one in chosen and other not in chosen:
            given.pop(other, None)
    rules = take_rules(config, given, chosen)
    _beside(config, given, "deals")
    merged = {**given, **chosen}
    if "sets" in merged and "for" in merged:
        raise ConflictError("sets and for exclude each other; give the number of sets or the time to play")
    if "deals" in merged:
        merged, rules = take_deals(merged, rules)
    how = {key: merged.pop(key) for key in Options.model_fields if key in merged}
    if "for" in merged:
        how["seconds"] = read_duration(str(merged.pop("for")))
    merged.setdefault("seed", secrets.randbelow(_DRAWN_SEEDS))
    spec, options = make_spec(**merged, rules=rules), make_options(how)
    if options.shard is not None and spec.versus:
        raise ConflictError(
            "a comparison is decided on its blocks in their order; it cannot be played in shards"
        )
    if options.shard is not None and options.seconds is not None:
        raise ConflictError(
            "shard and for exclude each other: shards that end by the clock leave gaps; give sets"
        )
    if spec.sets is None and options.seconds is None:
        spec = spec.model_copy(update={"sets": whole_turns(spec, about_sets)})
    if options.shard is not None:
        check_share(make_plan(spec), Shard.read(options.shard))
    return spec, options


def _beside(config: Path | None, given: dict[str, Any], key: str) -> None:
    """Have the path that a configuration file names begin beside it."""
    if config is not None and key in given:
        given[key] = str(config.parent / str(given[key]))


def read_config(path: Path) -> dict[str, Any]:
    """Return the keys of a TOML file, each one of `CONFIG_KEYS`. Raises MalformedError."""
    found = read_toml(path)
    for key in found:
        if key in Rules.model_fields and key not in CONFIG_KEYS:
            raise MalformedError(
                f"{path} has {key!r} in the wrong place; write options of the rules below [rules]"
            )
        if key not in CONFIG_KEYS:
            raise MalformedError(f"{path} has an unknown key {key!r}{did_you_mean(key, CONFIG_KEYS)}")
    return found


def make_options(values: Mapping[str, Any]) -> Options:
    """Return options, checked. Raises MalformedError that says what and where."""
    try:
        options = Options(**values)
    except ValidationError as error:
        raise sentence_of(error, "a run", list(Options.model_fields)) from None
    if options.jobs < 1:
        raise MalformedError(f"jobs is {options.jobs}; it should be 1 or more")
    return options
