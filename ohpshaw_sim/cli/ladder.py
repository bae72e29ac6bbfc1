"""`ohpshaw ladder`: how strong agents are against a fixed field, and how long a decision takes them."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

from pathlib import Path
from typing import Annotated, Any

import typer

from ohpshaw_sim.cli import play_options as option
from ohpshaw_sim.cli.rule_flags import rule_flags


@rule_flags
def ladder(  # one parameter per option, always passed by name
    agents: Annotated[
        list[str], typer.Argument(metavar="AGENT", help="Agents to measure.", show_default=False)
    ],
    field: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGENT",
            help="A field: this agent by itself fills all other seats; give it as often as you like "
            "(default: count-winners).",
        ),
    ] = None,
    players: option.PlayerNumbers = None,
    hand_sizes: option.HandSizes = None,
    up_to: Annotated[
        int | None,
        typer.Option(metavar="N", help="Hands from one card to N, or to what the pack serves, instead."),
    ] = None,
    sets: Annotated[int, typer.Option(metavar="N", help="Sets of each agent in each field.")] = 200,
    standings_sets: Annotated[
        int | None,
        typer.Option(metavar="N", help="Sets of a tournament of all agents besides (default: none)."),
    ] = None,
    block_sets: Annotated[
        int | None, typer.Option(metavar="N", help="Sets that a line-up of it plays in a row (default: 16).")
    ] = None,
    self_play_sets: Annotated[
        int | None,
        typer.Option(metavar="N", help="Sets of each agent at a table of its like (default: none)."),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(metavar="S", help="Processor time for each figure of time per decision (default: 1)."),
    ] = None,
    seed: option.Seed = None,
    jobs: Annotated[int | None, typer.Option(metavar="N", help="Threads (default: all processors).")] = None,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where tables and plots go.")] = Path(
        "results/ladder"
    ),
    progress: option.ShowProgress = True,
    *,
    rule_options: dict[str, Any],
) -> None:
    """Measure agents, each in one seat against a fixed field, and the time they take.

    Tells how many matches each wins (a fair share is one in as many as there
    are players) and its points, with intervals over sets, and draws strength
    against time per decision. The same line goes on with what was interrupted.

    Examples:

      ohpshaw ladder greedy count-winners monte-carlo:worlds=20 --up-to 10

      ohpshaw ladder my_bot.py monte-carlo --players 3,4,5,7 --sets 400

      ohpshaw ladder my_bot.py greedy --field greedy --field count-winners
    """
    from ohpshaw_sim.cli.studying import study_and_show

    options = {
        "agents": agents,
        "field": field or None,
        "players": players,
        "hand_sizes": hand_sizes,
        "up_to": up_to,
        "sets": sets,
        "standings_sets": standings_sets,
        "block_sets": block_sets,
        "self_play_sets": self_play_sets,
        "seconds": seconds,
        "seed": seed,
        "jobs": jobs,
        **rule_options,
    }
    study_and_show("ladder", options, out, progress=progress)
