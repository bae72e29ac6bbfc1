"""`ohpshaw report`: tables, plots and report of a run made anew, without playing."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

from pathlib import Path
from typing import Annotated

import typer

from ohpshaw_sim.cli.choices import FormatChoice


def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The run folder.", show_default=False)],
    plots: Annotated[
        bool, typer.Option("--plots/--no-plots", help="Draw the plots and make report.html, too.")
    ] = True,
    output: Annotated[
        FormatChoice, typer.Option("--format", help="Form of the summary on stdout.")
    ] = FormatChoice.table,
) -> None:
    """Rebuild the tables, plots and report.html of a run from its parts, finished or not.

    report.html is one file for people, to be opened in a browser or sent on.

    Example:

      ohpshaw report results/random-0123456789
    """
    from ohpshaw_sim.cli.results import say, show_results

    show_results(run, output, plots=plots)
    say(f"folder  {run}")
