"""Comparisons from Python: the command's door for scripts and notebooks."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ohpshaw_sim.analysis.comparison import Comparison, compared
from ohpshaw_sim.analysis.decisions import Decision
from ohpshaw_sim.analysis.run import load_run
from ohpshaw_sim.analysis.writing import write_tables
from ohpshaw_sim.comparing.request import FIELD, MAX_SETS, read_comparison
from ohpshaw_sim.comparing.watching import Watch
from ohpshaw_sim.tournament.progress import Listener
from ohpshaw_sim.tournament.run import play_tournament


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


def is_decided(folder: Path) -> bool:
    """Return whether the comparison in a run folder is decided. Raises as `compared` does."""
    return compared(load_run(folder)).decision is not Decision.UNDECIDED
