"""Who plays a run: a crew that fits its agents, who they are where it plays, and how fast it is."""

import importlib
import pkgutil
import time
from concurrent.futures import Executor
from typing import Final

from ohpshaw_sim.interface.discovery import BUILTIN_PACKAGE
from ohpshaw_sim.tournament.chunk import Task, prepare
from ohpshaw_sim.tournament.crew import Crew, ThreadCrew, WorkerCrew
from ohpshaw_sim.tournament.dask_crew import DaskCrew
from ohpshaw_sim.tournament.luggage import Luggage, files_of
from ohpshaw_sim.tournament.options import Options
from ohpshaw_sim.tournament.schedule import entrant_names, make_plan
from ohpshaw_sim.tournament.spec import Spec
from ohpshaw_sim.tournament.store import Notice

_SAMPLE_SECONDS: Final = 2.0


def make_crew(
    spec: Spec,
    options: Options,
    executor: Executor | None = None,
    notice: Notice = lambda _: None,
) -> Crew:
    """Return who plays: the cluster that was asked for, threads if all agents are built in and compiled, else
    watched worker processes.

    Raises ClusterError, MalformedError for a cluster that cannot be had.
    """
    if executor is not None:
        return Crew(executor, options.jobs)
    trusted = all(_is_built_in(agent) for agent in spec.agents) and all(
        one.trusted for one in prepare(spec.agents)
    )
    limits = options.limits(spec)
    if options.dask is not None:
        return DaskCrew(options.dask, Luggage(files_of(spec), trusted, limits), notice)
    return ThreadCrew(options.jobs) if trusted else WorkerCrew(options.jobs, limits)


def names_of(spec: Spec, crew: Crew) -> tuple[str, ...]:
    """Return the distinct names of the entrants, found out where they will play. Raises AgentError."""
    return entrant_names(crew.executor.submit(names_here, spec.agents).result())


def names_here(agents: tuple[str, ...]) -> list[str]:
    """Return the names of agents as their modules give them; runs in a worker. Raises AgentError."""
    return [entrant.name for entrant in prepare(agents)]


def seconds_per_set(spec: Spec, crew: Crew, keep: int = 0) -> float:
    """Return the seconds of one job per set, from a sample of a few seconds in which each line-up plays in
    turn; one round in `keep` is written as a record.

    Raises AgentError as play does.
    """
    sample = spec.model_copy(update={"block_sets": 1, "sets": None})
    crew.submit(Task(sample, 0, 1, keep=keep)).result()  # not timed: it compiles
    size, begun, played, seconds = min(make_plan(sample).turn, 64), time.monotonic(), 0, 0.0
    while time.monotonic() - begun < _SAMPLE_SECONDS:
        chunk = crew.submit(Task(sample, played, played + size, keep=keep)).result()
        played, seconds, size = chunk.end, seconds + chunk.seconds, size * 2
        if seconds > _SAMPLE_SECONDS / 4:
            break
    return seconds / played


def _is_built_in(agent: str) -> bool:
    """Tell from its name alone, without importing what it names, that an agent comes with this package."""
    folder = importlib.import_module(BUILTIN_PACKAGE).__path__
    known = {module.name.replace("_", "-") for module in pkgutil.iter_modules(folder)}
    return all(part.partition(":")[0].strip() in known for part in agent.split("+"))
