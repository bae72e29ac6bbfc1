"""A tournament from request to run folder: who enters, what is there already, what is left to play."""

import contextlib
import os
from concurrent.futures import Executor
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final

from ohpshaw_sim.errors import ConflictError
from ohpshaw_sim.tournament.command import repeat_command, resume_command
from ohpshaw_sim.tournament.deciding import Decider
from ohpshaw_sim.tournament.fault_files import release
from ohpshaw_sim.tournament.hiring import make_crew, names_of
from ohpshaw_sim.tournament.journal import Journal
from ohpshaw_sim.tournament.losses import AgentLostError
from ohpshaw_sim.tournament.manifest import make_manifest, source_hashes
from ohpshaw_sim.tournament.options import Options
from ohpshaw_sim.tournament.progress import Listener
from ohpshaw_sim.tournament.runner import End, Runner
from ohpshaw_sim.tournament.schedule import Plan, make_plan
from ohpshaw_sim.tournament.shards import sets_planned
from ohpshaw_sim.tournament.spec import Spec
from ohpshaw_sim.tournament.store import Notice, RunFolder, begin, join

RESULTS: Final = Path("results")
"""Where run folders go by default."""


class State(Enum):
    """What came of a request."""

    FINISHED = "finished"
    ALREADY_THERE = "already there"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Outcome:
    """A run folder after a session of play. Counts are of this session."""

    state: State
    folder: Path
    command: str
    """The command that plays the same run again; the one that goes on with it when it was interrupted."""
    sets_played: int
    """Sets in the folder."""
    rounds: int = 0
    cards: int = 0
    seconds: float = 0.0


def play_tournament(
    spec: Spec,
    options: Options | None = None,
    *,
    resume: bool = False,
    listener: Listener = lambda _: None,
    notice: Notice = lambda _: None,
    executor: Executor | None = None,
    decider: Decider | None = None,
) -> Outcome:
    """Play a tournament into its run folder, or find it there finished.

    A finished run with fewer sets is played on; an unfinished one only with `resume`. Parts that cannot be relied on
    are set aside and their blocks played again; `notice` is told, and of workers elsewhere that do not fit.
    `executor` (any concurrent.futures.Executor, of `options.jobs` workers that can import this package) stands in for
    threads and worker processes; a `decider` ends a comparison. Raises ConflictError when the folder holds something
    else or an unfinished run, FolderError when it cannot be written, AgentError (AgentFaultError, AgentLostError) when
    an agent cannot be made or fails, ClusterError when workers elsewhere (`options.dask`) cannot be reached, do not
    fit or are lost.
    """
    options = options or Options()
    plan = make_plan(spec)
    path = folder_of(spec, options)
    rule = None if decider is None else dict(decider.rule)
    command = repeat_command(spec, options, rule)
    manifest = make_manifest(
        spec,
        plan,
        (),
        save_rounds=options.save_rounds,
        command=command,
        records=options.records,
        shard=options.shard,
        seconds=options.seconds,
        limits={"time_limit": options.time_limit, "memory_limit": options.memory_limit},
        rule=rule,
    )
    folder = join(path, manifest)
    if folder is not None:
        with contextlib.ExitStack() as stack:
            if resume:
                stack.enter_context(folder.locked(notice))
                if options.retry_quarantined:
                    release(path)
            if _is_complete(folder, spec, plan, resume=resume) and decider is None:
                return Outcome(State.ALREADY_THERE, path, folder.manifest["command"], folder.sets_played())
    with make_crew(spec, options, executor, notice) as crew:
        manifest["entrants"] = list(names_of(spec, crew))
        folder = folder or begin(path, manifest)
        with folder.locked(notice):
            return _play_into(folder, Runner(spec, plan, folder, crew, options, listener, decider))


def folder_of(spec: Spec, options: Options) -> Path:
    """Return the run folder that was asked for, or the default one below `results/`."""
    if options.out is not None:
        return options.out
    share = "" if options.shard is None else f"-shard-{options.shard.replace('/', '-of-')}"
    return RESULTS / (spec.folder_name(source_hashes(spec.agents)) + share)


def _is_complete(folder: RunFolder, spec: Spec, plan: Plan, *, resume: bool) -> bool:
    """Tell whether a folder holds all sets that are asked for; else make sure that it may be played on."""
    played, shard = folder.sets_played(), folder.shard
    planned = sets_planned(folder.manifest["sets"], plan.block_sets, shard)
    asked = sets_planned(spec.sets, plan.block_sets, shard)
    if asked is None:
        if planned is not None and not resume:
            return True
    elif played > asked:
        raise ConflictError(
            f"{folder.path} holds {played} sets of this tournament already, more than the {asked} "
            "asked for; "
            "choose another folder with --out"
        )
    elif not folder.missing(plan):
        return True
    if not resume and (planned is None or played < planned):
        of_all = "" if planned is None else f" of {planned}"
        raise ConflictError(
            f"{folder.path} holds an unfinished run of this tournament ({played}{of_all} sets); "
            f"`{resume_command(folder.path)}` goes on with it, or choose another folder with --out"
        )
    return False


def _play_into(folder: RunFolder, runner: Runner) -> Outcome:
    spec = runner.spec
    journal = Journal(folder.path)
    if not folder.new:
        asked_for = runner.options.seconds
        folder.manifest["seconds"] = None if asked_for is None else journal.before + asked_for
        _plan_sets(folder, spec, spec.sets)
    try:
        end = runner.play(journal)
    except BaseException:
        journal.write(runner.progress(), "interrupted")
        folder.discard()
        raise
    played = folder.sets_played()
    journal.write(runner.progress(), "interrupted" if end is End.INTERRUPTED else "finished")
    if end is End.FINISHED and not played:
        raise AgentLostError(
            f"nothing was played: every block of {folder.path} is in quarantine, see quarantine.json there"
        )
    if end is End.INTERRUPTED and not played:
        folder.discard()
    asked = spec
    if end in (End.OUT_OF_TIME, End.DECIDED):
        spec = spec.model_copy(update={"sets": runner.sets_reached})
        _plan_sets(folder, spec, spec.sets)
    if runner.rounds:
        folder.add_timing(_timing(runner))
    interrupted = end is End.INTERRUPTED
    asked = asked if end is End.DECIDED else spec
    rule = None if runner.decider is None else runner.decider.rule
    command = repeat_command(asked, runner.options, rule)
    if interrupted:
        command = resume_command(folder.path) if played else command
    else:
        folder.manifest["command"] = command
        folder.save()
    done = State.FINISHED if runner.changed else State.ALREADY_THERE
    state = State.INTERRUPTED if interrupted else done
    return Outcome(state, folder.path, command, played, runner.rounds, runner.cards, runner.seconds)


def _plan_sets(folder: RunFolder, spec: Spec, sets: int | None) -> None:
    folder.manifest["sets"] = sets
    folder.manifest["spec"] = {**spec.model_dump(mode="json"), "sets": sets}
    folder.save()


def _timing(runner: Runner) -> dict[str, Any]:
    """Return this session's row of `tables/timing.csv`."""
    seconds = max(runner.seconds, 1e-9)
    return {
        "seconds": f"{seconds:.3f}",
        "rounds": runner.rounds,
        "cards": runner.cards,
        "rounds_per_second": f"{runner.rounds / seconds:.1f}",
        "ns_per_card": f"{seconds * 1e9 / max(runner.cards, 1):.1f}",
        "jobs": runner.crew.jobs,
        "driver": runner.options.driver,
        "processors": os.cpu_count(),
    }
