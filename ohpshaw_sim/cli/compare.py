"""`ohpshaw compare`: are two agents different, and by how much? Stops by itself."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

from typing import Annotated, Any, Final

import typer

from ohpshaw_sim.cli import play_options as option
from ohpshaw_sim.cli.choices import FormatChoice
from ohpshaw_sim.cli.rule_flags import rule_flags

UNDECIDED: Final = 5
"""Exit code of a comparison that was to decide and did not."""


@rule_flags
def compare(  # one parameter per option, always passed by name
    agent: option.Agent,
    other: option.Other,
    field: option.Field = None,
    players: option.Players = None,
    hand_sizes: option.HandSizes = None,
    margin: option.Margin = None,
    alpha: option.Alpha = None,
    max_sets: Annotated[
        int | None, typer.Option(metavar="N", help="Give up after so many sets, undecided (default: 10000).")
    ] = None,
    min_sets: option.MinSets = None,
    exact: option.Exact = False,
    duration: Annotated[
        str | None, typer.Option("--for", metavar="TIME", help="Give up after 8h, 90m or 1h30m, undecided.")
    ] = None,
    require_decision: Annotated[
        bool,
        typer.Option("--require-decision", help=f"End with exit code {UNDECIDED} if nothing was decided."),
    ] = False,
    seed: option.Seed = None,
    block_sets: option.BlockSets = None,
    jobs: option.Jobs = None,
    dask: option.Dask = None,
    driver: option.Driver = None,
    on_fault: option.OnFault = None,
    time_limit: option.TimeLimit = None,
    memory_limit: option.MemoryLimit = None,
    out: option.Out = None,
    output: option.Output = FormatChoice.table,
    progress: option.ShowProgress = True,
    *,
    rule_options: dict[str, Any],
) -> None:
    """Find out which of two agents is better, and by how much; stop as soon as that is known.

    A and B take the same seats in turn, on the same deals, among the same
    others. After each block a confidence sequence is looked at, which holds
    however often one looks: A is superior, inferior, or within --margin of B.

    Examples:

      ohpshaw compare count-winners greedy --seed 1

      ohpshaw compare count-winners count-winners:zero_bid=0.9 --margin 0.1

      ohpshaw compare my_bot.py monte-carlo --field greedy --for 8h

      ohpshaw compare greedy random --hand-sizes 1-5 --require-decision
    """
    from ohpshaw_sim.cli.playing import play_and_show
    from ohpshaw_sim.cli.results import say
    from ohpshaw_sim.comparing.playing import is_decided
    from ohpshaw_sim.comparing.request import FIELD, read_comparison
    from ohpshaw_sim.comparing.watching import Watch

    flags = {
        "players": players,
        "hand_sizes": hand_sizes,
        "margin": margin,
        "alpha": alpha,
        "max_sets": max_sets,
        "min_sets": min_sets,
        "exact": exact or None,
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
        **rule_options,
    }
    spec, options, rule = read_comparison((agent, other), field or FIELD, flags)
    if not field:
        say(f"field {' '.join(FIELD)} (--field chooses others)")
    folder = play_and_show(spec, options, output, resume=False, progress=progress, decider=Watch(spec, rule))
    if require_decision and not is_decided(folder):
        raise typer.Exit(UNDECIDED)
