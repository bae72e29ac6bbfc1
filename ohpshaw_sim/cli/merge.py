"""`ohpshaw merge`: shards of a run put together, then tables, plots and a summary."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

from pathlib import Path
from typing import Annotated

import typer

from ohpshaw_sim.cli.choices import FormatChoice


def merge(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN", help="Run folders of all shards of one run.", show_default=False),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="The folder to make (default: that of the whole run, in results/)."
        ),
    ] = None,
    allow_holes: Annotated[
        bool,
        typer.Option("--allow-holes", help="Merge what is there; the rest can be played in the merged run."),
    ] = False,
    output: Annotated[
        FormatChoice, typer.Option("--format", help="Form of the summary on stdout.")
    ] = FormatChoice.table,
) -> None:
    """Put the shards of a run together, as if it had been played in one piece.

    The tables are the same to the byte, and the run can be played on.
    The shards stay as they are. A merge that was stopped, by whatever, can be done again.

    Examples:

      ohpshaw merge results/*-shard-*-of-8

      ohpshaw merge shard-1 shard-2 shard-4 --out results/most-of-it --allow-holes
    """
    from ohpshaw_sim.cli.results import say, show_results
    from ohpshaw_sim.tournament.merging import merge_runs

    merged = merge_runs(runs, out, allow_holes=allow_holes)
    if merged.there:
        say(f"{merged.folder} holds the whole run already; these are its results")
    show_results(merged.folder, output)
    say(f"folder  {merged.folder}")
    if merged.missing_blocks:
        say(f"{merged.sets} sets are there and {merged.missing_blocks} blocks are missing; to play them:")
        say(f"  {merged.command}")
    else:
        say(f"repeat  {merged.command}")
