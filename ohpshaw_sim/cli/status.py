"""`ohpshaw status`: how far a run is, from another terminal."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ohpshaw_sim.cli.choices import FormatChoice

if TYPE_CHECKING:
    from ohpshaw_sim.tournament.standing import Standing


def status(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The run folder.", show_default=False)],
    output: Annotated[
        FormatChoice, typer.Option("--format", help="Form of the answer on stdout.")
    ] = FormatChoice.table,
) -> None:
    """Tell how far a run is: sets done, rate, time left, standings so far. It changes nothing.

    The standings are those of the parts that are written; a look at them does
    no harm, but stopping because of what they show makes their intervals worth
    less.

    Example:

      ohpshaw status results/overnight
    """
    from ohpshaw_sim.analysis.run import load_run
    from ohpshaw_sim.analysis.tables import standings
    from ohpshaw_sim.cli.results import say, write_standings
    from ohpshaw_sim.tournament.standing import standing_of

    found = standing_of(run)
    for notice in found.notices:
        say(notice)
    facts = _facts(found)
    if output is not FormatChoice.json:
        _tell(run, found)
    if found.sets_done and not found.notices:
        write_standings(standings(load_run(run)), output, facts)
    elif output is FormatChoice.json:
        sys.stdout.write(json.dumps({**facts, "standings": []}, indent=2) + "\n")
    elif not found.sets_done:
        say("no part is written yet")


def _facts(found: "Standing") -> dict[str, Any]:
    return {
        "folder": str(found.folder),
        "state": found.state,
        "sets_done": found.sets_done,
        "sets": found.sets,
        "rounds_per_second": found.rate,
        "seconds": found.seconds,
        "seconds_left": found.seconds_left,
        "written": found.written,
    }


def _tell(run: Path, found: "Standing") -> None:
    """Say in a few lines how a run stands; on stderr, as stdout is for the standings."""
    from ohpshaw_sim.cli.progress import clock, in_short
    from ohpshaw_sim.cli.results import say
    from ohpshaw_sim.tournament.command import resume_command

    of_all = "" if found.sets is None else f" of {found.sets} ({found.sets_done / found.sets:.1%})"
    say(f"{found.state}: {found.sets_done}{of_all} sets")
    if found.rate is not None:
        when = "" if found.written is None else f", last heard of {found.written}"
        say(f"{in_short(found.rate)} rounds/s, played for {clock(found.seconds)}{when}")
    if found.state == "playing" and found.seconds_left is not None:
        say(f"about {clock(found.seconds_left)} left")
    if found.state == "stopped":
        say(f"to go on: {resume_command(run)}")
