"""`ohpshaw tournament`: play, then tables, plots and a summary."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ohpshaw_sim.cli import play_options as option
from ohpshaw_sim.cli.choices import FormatChoice
from ohpshaw_sim.cli.rule_flags import rule_flags

ABOUT_SETS: Final = 24
"""Sets of a run that asks for no number, rounded up to whole turns of the line-ups."""


@rule_flags
def tournament(  # one parameter per option, always passed by name
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT",
            help="Agents to play: a built-in name, package.module:attr or path/to/file.py; parameters as in "
            "monte-carlo:worlds=50; bidder and player joined by +. The same name twice is two entrants.",
            show_default=False,
        ),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Players at a table: 4, a list 3,5 or a range 3-7 (default: 4)."),
    ] = None,
    hand_sizes: option.HandSizes = None,
    deals: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Play the deals of a file of round records, one match of it a set; it says how many play "
            "what hand sizes.",
        ),
    ] = None,
    sets: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help=f"Sets to play in all (default: about {ABOUT_SETS}, all line-ups equally often).",
        ),
    ] = None,
    duration: Annotated[
        str | None,
        typer.Option("--for", metavar="TIME", help="Play for 8h, 90m or 1h30m instead of a number of sets."),
    ] = None,
    seed: option.Seed = None,
    block_sets: Annotated[
        int | None, typer.Option(metavar="N", help="Sets that a line-up plays in a row (default: 16).")
    ] = None,
    jobs: option.Jobs = None,
    dask: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS|FILE|local:N",
            help="Play on a Dask cluster: the address of its scheduler, its scheduler file, or N workers begun "
            "here. It needs the extra ohpshaw-sim\\[dask].",
        ),
    ] = None,
    driver: option.Driver = None,
    on_fault: option.OnFault = None,
    time_limit: option.TimeLimit = None,
    memory_limit: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Memory of each worker process, as in 2G (default: with forfeit, 80 % of the machine shared out; "
            "else none).",
        ),
    ] = None,
    out: option.Out = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE.toml", help="Read options from a file; flags win over it.")
    ] = None,
    save_rounds: Annotated[
        bool, typer.Option("--save-rounds", help="Keep every seat's bid, tricks and points (Parquet).")
    ] = False,
    records: Annotated[
        str | None,
        typer.Option(
            metavar="all|every:N",
            help="Keep every round, or one in N, as round records (JSONL), which `ohpshaw replay` reads.",
        ),
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(
            metavar="I/N",
            help="Play the I-th of N shards of the run, for `ohpshaw merge` to put together (a folder of its own).",
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Go on with an unfinished run of this request; `ohpshaw resume RUN` does not need the request.",
        ),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the plan and a time estimate; write nothing.")
    ] = False,
    output: option.Output = FormatChoice.table,
    progress: option.ShowProgress = True,
    *,
    rule_options: dict[str, Any],
) -> None:
    """Play agents against each other and make tables, plots and a report of the results.

    A set is one match's deals, replayed until each agent has held each hand from each seat.
    Results go to a run folder; the same agents, options and seed always make the same tables.

    Examples:

      ohpshaw tournament monte-carlo count-winners random

      ohpshaw tournament count-winners random --players 3-7 --sets 1000 --seed 1

      ohpshaw tournament count-winners random --rules river --hook --scoring soft

      ohpshaw tournament count-winners random --sets 96 --records every:50

      ohpshaw tournament count-winners random --deals deals.jsonl --block-sets 1

      ohpshaw tournament my_bot.py monte-carlo:worlds=50 --hand-sizes 1-10 --for 8h

      ohpshaw tournament my_bot.py your_bot.py --sets 960 --on-fault forfeit --time-limit 2

      ohpshaw tournament count-winners random --sets 9600 --seed 1 --shard 3/8

      ohpshaw tournament my_bot.py random --sets 9600 --dask tcp://192.168.1.10:8786
    """
    from ohpshaw_sim.tournament.options import read_request

    flags: dict[str, Any] = {
        "agents": agents or None,
        "players": players,
        "hand_sizes": hand_sizes,
        "deals": deals,
        "sets": sets,
        "for": duration,
        "seed": seed,
        "block_sets": block_sets,
        "jobs": jobs,
        "dask": dask,
        "driver": driver and driver.value,
        "on_fault": on_fault and on_fault.value,
        "time_limit": time_limit,
        "memory_limit": memory_limit,
        "out": out,
        "save_rounds": save_rounds or None,
        "records": records,
        "shard": shard,
        **rule_options,
    }
    if not agents and config is None:
        _ask_for_agents()
    spec, options = read_request(config, flags, ABOUT_SETS)
    if dry_run:
        from ohpshaw_sim.cli.plan import show_plan

        show_plan(spec, options, output)
    else:
        from ohpshaw_sim.cli.playing import play_and_show

        play_and_show(spec, options, output, resume=resume, progress=progress)


def _ask_for_agents() -> None:
    from ohpshaw_sim.errors import MalformedError
    from ohpshaw_sim.interface.discovery import builtin_agents

    names = ", ".join(sorted(builtin_agents()))
    raise MalformedError(
        f"name the agents that are to play, as in `ohpshaw tournament random`; there are: {names}"
    )
