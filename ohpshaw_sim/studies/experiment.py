"""An experiment: a question, the study that answers it, and that study's options, in one TOML file.

    question = "Is it better to bid last?"
    study = "rules"                          # or tournament, compare, ladder, ...
    sets = 4000                              # options of the study by their long names, - or _ in them
    seed = 1

    [publish]                                # tables and pictures for `--publish`, all of them if left out
    tables = ["positions"]

    [demo]                                   # what is different with `--demo`
    sets = 8

A study of its own is a module with `Request`, a pydantic model of its options, and `carry_out(request, out, told)`,
which fills the folder `out`: `tables/*.csv`, `plots/*.png`, and `summary.txt`, whose first paragraph is the answer.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ohpshaw_sim.errors import MalformedError
from ohpshaw_sim.reading import did_you_mean, read_toml, sentence_of

HOMES: Final = {
    "bidding": "ohpshaw_sim.studies.bidding",
    "ladder": "ohpshaw_sim.studies.ladder",
    "rules": "ohpshaw_sim.studies.rule_variants",
    "zero-bids": "ohpshaw_sim.studies.zero_bids",
}
"""Where studies are that are modules of their own."""
PLAYED: Final = ("tournament", "compare")
"""Those that a command plays into a run folder."""
STUDIES: Final = (*PLAYED, *HOMES)
_EXCLUSIVE: Final = {"sets": "for", "for": "sets", "max_sets": "for"}
"""An option of the demonstration that takes the place of another one of full size."""


class Published(BaseModel):
    """Names of the tables and pictures of a study that are worth keeping; None = all there are."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tables: tuple[str, ...] | None = None
    plots: tuple[str, ...] | None = None


class Experiment(BaseModel):
    """What a file asks, by which study, with which options."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: Path
    question: str = Field(min_length=1)
    study: str
    options: dict[str, Any]
    publish: Published = Published()

    @property
    def name(self) -> str:
        """The file's name, without its ending."""
        return self.path.stem


def read_experiment(path: Path, *, demo: bool = False) -> Experiment:
    """Read a file, with its options for a demonstration if so asked. Raises MalformedError, one sentence each.

    Files that options name, `rules = "house.toml"` or `deals`, begin beside it. The options themselves are checked by
    the study.
    """
    found = {key.replace("-", "_"): value for key, value in read_toml(path).items()}
    smaller = found.pop("demo", {})
    if not isinstance(smaller, Mapping):
        raise MalformedError(f"in {path}: demo is {smaller!r}; it should be a table of options, below [demo]")
    own = {key: found.pop(key) for key in ("question", "study", "publish") if key in found}
    options = (
        _demonstrated(found, {key.replace("-", "_"): value for key, value in smaller.items()}, path)
        if demo
        else found
    )
    _beside(options, path)
    try:
        publish = Published(**own.pop("publish", {}))
        experiment = Experiment(path=path, options=options, publish=publish, **own)
    except (ValidationError, TypeError) as error:
        if isinstance(error, TypeError):
            raise MalformedError(f"in {path}: publish should be a table, below [publish]") from None
        known = Published.model_fields if error.title == Published.__name__ else Experiment.model_fields
        raise MalformedError(f"in {path}: {sentence_of(error, 'an experiment', list(known))}") from None
    if experiment.study not in STUDIES:
        raise MalformedError(
            f"in {path}: there is no study {experiment.study!r}{did_you_mean(experiment.study, STUDIES)}"
        )
    return experiment


def _demonstrated(options: dict[str, Any], smaller: dict[str, Any], path: Path) -> dict[str, Any]:
    """Return the options with those of a demonstration in their place."""
    for key in ("question", "study", "publish"):
        if key in smaller:
            raise MalformedError(f"in {path}: [demo] has {key!r}, which a demonstration cannot change")
    kept = {
        key: value for key, value in options.items() if key not in {_EXCLUSIVE.get(one) for one in smaller}
    }
    return {**kept, **smaller}


def _beside(options: dict[str, Any], path: Path) -> None:
    """Have the files that options name begin beside the experiment's own file."""
    for key in ("deals", "rules"):
        named = options.get(key)
        if isinstance(named, str) and (key == "deals" or named.lower().endswith(".toml")):
            options[key] = str(path.parent / named)
