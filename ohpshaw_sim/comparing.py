"""Comparisons of two agents: the command's door for scripts and notebooks, and what both of them share."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from ohpshaw_sim.analysis.comparison import Comparison, compared, rule_of
from ohpshaw_sim.analysis.decisions import Decision, Rule, first_decided, make_rule, measure_of
from ohpshaw_sim.analysis.run import load_run
from ohpshaw_sim.analysis.sequences import Track
from ohpshaw_sim.analysis.writing import write_tables
from ohpshaw_sim.errors import ConflictError, MalformedError
from ohpshaw_sim.reading import read_duration, read_numbers
from ohpshaw_sim.tournament.deciding import Differences
from ohpshaw_sim.tournament.options import Options, read_request
from ohpshaw_sim.tournament.progress import Listener
from ohpshaw_sim.tournament.run import play_tournament
from ohpshaw_sim.tournament.spec import Spec
from ohpshaw_sim.tournament.store import read_manifest

FIELD: Final = ("count-winners",)
"""Who sits in the other seats unless told otherwise."""
MAX_SETS: Final = 10_000
"""Undecided after so many sets, a comparison ends unless told otherwise."""


class Watch:
    """Looks at a comparison after every block, by its rule: a `Decider` for `play_tournament`."""

    def __init__(self, spec: Spec, rule: Rule) -> None:
        (players,) = spec.players
        measure = measure_of(spec.rules_in_force(), players, spec.schedule(players), exact=rule.exact)
        self._rule = rule
        self.track = Track.empty(measure)

    @property
    def rule(self) -> Mapping[str, Any]:
        """The rule, for the manifest."""
        return self._rule.model_dump(mode="json")

    def take(self, blocks: Differences) -> int | None:
        """Take the next blocks; return after how many blocks of the run it was decided, None if it is not yet."""
        before = len(self.track)
        self.track = self.track.after(*blocks)
        found = first_decided(self.track.since(before), self._rule)
        return None if found is None else before + found + 1

    def tell(self) -> str:
        """Say where the difference stands, with its interval."""
        if not len(self.track):
            return ""
        low, high = self.track.interval(self._rule.alpha)
        return f"difference {self.track.mean():+.3f} ({low:+.3f} to {high:+.3f})"


def compare(
    agent: str,
    other: str,
    *,
    field: Sequence[str] = FIELD,
    seed: int,
    margin: float | None = None,
    max_sets: int = MAX_SETS,
    out: Path | str | None = None,
    resume: bool = False,
    listener: Listener = lambda _: None,
    **options: Any,
) -> Comparison:
    """Play two agents in the same seats on the same cards until it is decided which is better, and return the result.

    `field` are the agents in the other seats: fewer than there are seats are repeated, more take turns. With a
    `margin` (points per round) agents that differ by less are found `equivalent`; `max_sets` bounds the run. `options`
    are `alpha`, `min_sets` and `exact` of the rule (see `analysis.decisions.Rule`), and what `run_tournament` takes,
    `for` (a duration) included. The run folder is `out`, or one named from the agents below `results/`. Raises the
    errors that the command reports: AgentError, ConflictError, IllegalError, MalformedError.

    >>> import tempfile, ohpshaw_sim
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     options = {"players": 3, "hand_sizes": "1-2", "seed": 1, "jobs": 1, "out": folder}
    ...     found = ohpshaw_sim.compare("count-winners", "random", **options)
    >>> str(found.decision), found.low > 0
    ('superior', True)
    """
    flags = {
        "seed": seed,
        "margin": margin,
        "max_sets": max_sets,
        "out": Path(out) if out else None,
        **options,
    }
    spec, how, rule = read_comparison((agent, other), field, flags)
    outcome = play_tournament(spec, how, resume=resume, listener=listener, decider=Watch(spec, rule))
    run = load_run(outcome.folder)
    write_tables(run)
    return compared(run)


def read_comparison(
    agents: Sequence[str], field: Sequence[str], flags: Mapping[str, Any]
) -> tuple[Spec, Options, Rule]:
    """Return what a comparison plays, how, and by which rule it is decided.

    `flags` are those of `compare` and of `read_request`, None = as by default. Raises MalformedError, IllegalError or
    ConflictError, one sentence each.
    """
    given = {key: value for key, value in flags.items() if value is not None}
    if len(agents) != 2:
        raise MalformedError(f"a comparison is of two agents, not {len(agents)}; others sit in its --field")
    players = read_numbers(given.get("players", 4), "player numbers")
    if len(players) != 1:
        raise MalformedError(f"a comparison is made at one number of players, not at {len(players)}")
    rule = make_rule(**{key: given.pop(key) for key in Rule.model_fields if key in given})
    duration, sets = given.pop("for", None), given.pop("max_sets", MAX_SETS)
    request = {**given, "agents": (*agents, *field), "versus": True, "players": players, "sets": sets}
    spec, how = read_request(None, request, about_sets=MAX_SETS)
    if spec.sets is not None and spec.sets < rule.min_sets:
        raise ConflictError(
            f"max_sets is {spec.sets}, fewer than min_sets, {rule.min_sets}; nothing could be decided"
        )
    if duration is not None:
        how = how.model_copy(update={"seconds": read_duration(str(duration))})
    return spec, how, rule


def watch_of(folder: Path, spec: Spec) -> Watch | None:
    """Return who decides the comparison in a run folder, by the rule it began with; None for a run that is none.

    Raises FolderError when the folder is no run, MalformedError when its rule cannot be read.
    """
    rule = rule_of(read_manifest(folder))
    return None if rule is None else Watch(spec, rule)


def is_decided(folder: Path) -> bool:
    """Return whether the comparison in a run folder is decided. Raises as `compared` does."""
    return compared(load_run(folder)).decision is not Decision.UNDECIDED
