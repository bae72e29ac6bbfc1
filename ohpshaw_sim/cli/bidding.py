"""`ohpshaw bidding`: which way to bid makes most points."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

from pathlib import Path
from typing import Annotated, Any

import typer

from ohpshaw_sim.cli import play_options as option
from ohpshaw_sim.cli.rule_flags import rule_flags


@rule_flags
def bidding(  # one parameter per option, always passed by name
    bidders: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BIDDER",
            help="Agents that bid; the first is the one that others are compared with (default: nine ways to bid, "
            "cautious and bold ones among them).",
            show_default=False,
        ),
    ] = None,
    playing: Annotated[
        list[str] | None,
        typer.Option(
            "--playing",
            metavar="AGENT",
            help="An agent that plays for each bidder's bids; give it as often as you like "
            "(default: count-winners and greedy).",
        ),
    ] = None,
    field: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGENT",
            help="An agent for the other seats; give it as often as there are some, fewer are repeated "
            "(default: count-winners).",
        ),
    ] = None,
    players: option.PlayerNumbers = None,
    hand_sizes: option.HandSizes = None,
    sets: Annotated[
        int | None, typer.Option(metavar="N", help="Sets of each bidder with each player (default: 500).")
    ] = None,
    seed: option.Seed = None,
    jobs: Annotated[int | None, typer.Option(metavar="N", help="Threads (default: all processors).")] = None,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where tables and plots go.")] = Path(
        "results/bidding"
    ),
    progress: option.ShowProgress = True,
    *,
    rule_options: dict[str, Any],
) -> None:
    """Cross bidders with agents that play for their bids, and tell what each is worth.

    Each pair takes one seat on the same deals, among the same others: points,
    bids hit, whether the chance that a bidder gave its bid came true, what
    misses cost, what the bidding position makes. Tables and plots go to a
    folder; the same line goes on with what was interrupted.

    Examples:

      ohpshaw bidding --hand-sizes 1-10 --seed 1

      ohpshaw bidding count-winners mean-bidder my_bot.py --playing greedy

      ohpshaw bidding mean-bidder:margin=0.3 constant:bid=1 --rules river
    """
    from ohpshaw_sim.cli.studying import study_and_show

    options = {
        "bidders": bidders or None,
        "playing": playing or None,
        "field": field or None,
        "players": players,
        "hand_sizes": hand_sizes,
        "sets": sets,
        "seed": seed,
        "jobs": jobs,
        **rule_options,
    }
    study_and_show("bidding", options, out, progress=progress)
