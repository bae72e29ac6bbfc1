"""Tournaments from Python: the command's door for scripts and notebooks."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ohpshaw_sim.analysis.run import Run, load_run
from ohpshaw_sim.analysis.writing import write_tables
from ohpshaw_sim.tournament.options import read_request
from ohpshaw_sim.tournament.progress import Listener
from ohpshaw_sim.tournament.run import play_tournament


def run_tournament(
    agents: Sequence[str],
    *,
    sets: int,
    seed: int,
    out: Path | str | None = None,
    resume: bool = False,
    listener: Listener = lambda _: None,
    **options: Any,
) -> Run:
    """Play a tournament into a run folder, write its tables, and return the run; one found finished is read.

    `agents` are names as `resolve` reads them. `options` are those of the command's configuration file: players,
    hand_sizes, rules, jobs, driver, save_rounds, records, deals, block_sets, on_fault, time_limit, memory_limit,
    dask, shard. `rules` is a preset or line ("wizard:max_hand=5"), a
    `Rules`, a dict of options ({"preset": "wizard", "max_hand": 5}) or the path of a TOML file; options of `Rules`,
    such as hook=True, may be given by name as well and win over it. `out` is the folder; None = one named from the
    agents below `results/`. `listener` is called with the progress. Raises the errors that the command reports:
    AgentError, ConflictError, IllegalError, MalformedError.

    >>> import tempfile, ohpshaw_sim
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     options = {"players": 3, "hand_sizes": "1-3", "jobs": 1, "out": folder}
    ...     run = ohpshaw_sim.run_tournament(["random"], sets=2, seed=1, **options)
    ...     ohpshaw_sim.make_tables(run)["standings"]["rounds"].tolist()
    [54]
    """
    flags = {
        "agents": tuple(agents),
        "sets": sets,
        "seed": seed,
        "out": Path(out) if out else None,
        **options,
    }
    spec, how = read_request(None, flags, about_sets=sets)
    outcome = play_tournament(spec, how, resume=resume, listener=listener)
    run = load_run(outcome.folder)
    write_tables(run)
    return run
