"""Playing a run for people: progress, results, and at every stop the line that goes on with it."""

import os
import sys
from pathlib import Path
from typing import Final

import typer

from ohpshaw_sim.cli.choices import FormatChoice
from ohpshaw_sim.cli.progress import reporting
from ohpshaw_sim.cli.results import say, show_results
from ohpshaw_sim.errors import AgentError, ClusterError, FileError
from ohpshaw_sim.tournament.command import resume_command
from ohpshaw_sim.tournament.deciding import Decider
from ohpshaw_sim.tournament.fault_files import QUARANTINE
from ohpshaw_sim.tournament.options import Options
from ohpshaw_sim.tournament.parts import FolderError
from ohpshaw_sim.tournament.run import Outcome, State, folder_of, play_tournament
from ohpshaw_sim.tournament.schedule import uneven_note
from ohpshaw_sim.tournament.spec import Spec

FAULTS: Final = 3
"""Exit code of a run in which agents have failed: one that is stopped, and one that is played on to its end."""


def play_and_show(
    spec: Spec,
    options: Options,
    output: FormatChoice,
    *,
    resume: bool,
    progress: bool,
    decider: Decider | None = None,
) -> Path:
    """Play a run, or go on with it, show its results and return its folder; see `play_tournament` for the errors.

    Ends with exit code FAULTS where agents have failed in it.
    """
    note = uneven_note(spec)
    if note and decider is None:
        say(note)
    outcome = _play(spec, options, decider, resume=resume, progress=progress)
    if outcome.state is State.INTERRUPTED:
        if outcome.sets_played:
            say(f"interrupted: {outcome.sets_played} sets are kept in {outcome.folder}; to go on:")
            say(f"  {outcome.command}")
        else:
            say("interrupted before the first block was played; nothing was written")
        raise typer.Exit(130)
    if outcome.state is State.ALREADY_THERE:
        say(f"{outcome.folder} holds this run already; these are its results")
    failed = show_results(outcome.folder, output, rebuild=outcome.state is State.FINISHED)
    say(f"folder  {outcome.folder}")
    say(f"repeat  {outcome.command}")
    if options.seconds is not None and decider is None:
        say(f"go on   {resume_command(outcome.folder)} --for TIME")
    if (outcome.folder / QUARANTINE).exists():
        say(
            f"blocks are left out that killed their workers; to try them again:\n"
            f"  {resume_command(outcome.folder)} --retry-quarantined"
        )
    if failed:
        raise typer.Exit(FAULTS)
    return outcome.folder


def _play(spec: Spec, options: Options, decider: Decider | None, *, resume: bool, progress: bool) -> Outcome:
    try:
        with reporting(spec, enabled=progress) as listener:
            return play_tournament(
                spec, options, resume=resume, listener=listener, notice=say, decider=decider
            )
    except KeyboardInterrupt:
        say("stopped at once")
        _say_how_to_go_on(folder_of(spec, options))
        sys.stderr.flush()
        os._exit(130)  # threads in compiled code cannot be interrupted
    except (
        AgentError,
        ClusterError,
        FileError,
        FolderError,
    ):  # after which a run can go on, unlike a wrong request
        _say_how_to_go_on(folder_of(spec, options))
        raise


def _say_how_to_go_on(folder: Path) -> None:
    """Name the command that goes on with a run of which something is kept."""
    if any((folder / "parts").glob("part-*")):
        say(f"what was played is kept in {folder}; to go on:")
        say(f"  {resume_command(folder)}")
