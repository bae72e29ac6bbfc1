"""`ohpshaw zero-bids`: how often zero is bid, how well, and what another bid would have been worth."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

from pathlib import Path
from typing import Annotated, Any

import typer

from ohpshaw_sim.cli import play_options as option
from ohpshaw_sim.cli.rule_flags import rule_flags


@rule_flags
def zero_bids(
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT", help="Whose bids are studied (default: count-winners).", show_default=False
        ),
    ] = None,
    field: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGENT",
            help="An agent for the other seats; give it as often as you like (default: the bidder's own kind).",
        ),
    ] = None,
    players: Annotated[
        str | None, typer.Option(metavar="LIST", help="Numbers of players: 4, 3,5 or 3-7 (default: 4).")
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Deals played as they fall, by players and hand size (default: 4000)."
        ),
    ] = None,
    situations: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many of them are redealt to value every bid (default: 200)."),
    ] = None,
    redeals: Annotated[
        int | None, typer.Option(metavar="N", help="Redeals of each, a multiple of 16 (default: 128).")
    ] = None,
    seed: option.Seed = None,
    jobs: Annotated[
        int | None,
        typer.Option(metavar="N", help="Threads; they change no result (default: all processors)."),
    ] = None,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where tables, plots and summary.txt go.")
    ] = Path("results/zero-bids"),
    progress: option.ShowProgress = True,
    *,
    rule_options: dict[str, Any],
) -> None:
    """Tell how bids of zero do, and what another bid would have been worth.

    Each deal is played from the seat of one agent. In a part of them the cards
    that the bidder cannot see are dealt again and again, as they may lie by
    all it knows, the bids before its own included; every bid is forced and
    played out by the same agents. The best bid is chosen on one half of the
    redeals and valued on the other. Agents must be compiled.

    Examples:

      ohpshaw zero-bids --players 3-5 --hand-sizes 1-7 --seed 1

      ohpshaw zero-bids greedy --field count-winners --situations 100

      ohpshaw zero-bids --rules oh-hell --redeals 256 --jobs 1
    """
    from ohpshaw_sim.cli.studying import study_and_show

    options = {
        "agents": agents or None,
        "field": field or None,
        "players": players,
        "deals": deals,
        "situations": situations,
        "redeals": redeals,
        "seed": seed,
        "jobs": jobs,
        **rule_options,
    }
    study_and_show("zero-bids", options, out, progress=progress)
