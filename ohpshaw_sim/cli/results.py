"""What a finished run shows: tables, plots and a report made, standings on stdout."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ohpshaw_sim.cli.choices import FormatChoice

if TYPE_CHECKING:
    import pandas as pd
    from rich.table import Table

    from ohpshaw_sim.analysis.run import Run


def say(line: str) -> None:
    """Write a line for people, on stderr."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def show_results(folder: Path, output: FormatChoice, *, rebuild: bool = True, plots: bool = True) -> bool:
    """Make the tables, plots and report of a run (unless they are there and `rebuild` is false); write its
    standings, or what a comparison has come to, out, then the faults of agents, and where the report is. Return
    whether there were any.

    Raises MalformedError or ConflictError when the folder cannot be read, FolderError when it cannot be
    written.
    """
    from ohpshaw_sim.analysis.comparison import compared
    from ohpshaw_sim.analysis.run import load_run
    from ohpshaw_sim.analysis.tables import make_tables
    from ohpshaw_sim.analysis.writing import write_tables
    from ohpshaw_sim.tournament.parts import FolderError

    run = load_run(folder)
    page = folder / "report.html"
    try:
        tables = make_tables(run)
        made = not rebuild and _is_there(folder / "tables" / "standings.csv", tables["standings"])
        if not made:
            write_tables(run, tables=tables)
        if plots and not (made and any((folder / "plots").glob("*.png"))):
            from ohpshaw_sim.charts.figures import save_plots

            save_plots(tables, folder / "plots")
        if plots and not (made and page.exists()):
            from ohpshaw_sim.report.page import write_report

            write_report(run, tables)
    except OSError as error:
        raise FolderError(f"{folder} cannot be written: {error.strerror or error}") from None
    facts = {"folder": str(folder), **_facts(run.manifest)}
    faults = tables.get("faults")
    if faults is not None:
        facts["faults"] = _as_rows(faults)
    if "comparison" in tables:
        from ohpshaw_sim.cli.verdict import write_comparison

        write_comparison(run, compared(run), output, facts)
    else:
        write_standings(tables["standings"], output, facts)
        if output is FormatChoice.table:
            _write_field(run, tables)
    failed = faults is not None and not faults.empty
    if faults is not None and failed and output is FormatChoice.table:
        from ohpshaw_sim.analysis.summary import faults_table

        write_table(faults_table(faults))
    if plots:
        say(f"report  {page}")
    return failed


def _is_there(path: Path, frame: "pd.DataFrame") -> bool:
    """Tell whether a table is written already as it is now: a run that was killed at its end may have older ones."""
    from ohpshaw_sim.analysis.writing import table_text

    return path.exists() and path.read_text("utf-8") == table_text(frame)


def _as_rows(frame: "pd.DataFrame") -> list[dict[str, Any]]:
    """Return a frame's rows as JSON values."""
    rows: list[dict[str, Any]] = json.loads(frame.to_json(orient="records", double_precision=10))
    return rows


def _write_field(run: "Run", tables: dict[str, "pd.DataFrame"]) -> None:
    """Write what a field of several agents shows besides its standings; on stderr, why some of it is not there."""
    from ohpshaw_sim.analysis.cross import field_tables
    from ohpshaw_sim.analysis.ratings import rating_notes

    shown = field_tables(tables)
    for one in shown:
        if isinstance(one, str):
            sys.stdout.write(one + "\n")
        else:
            write_table(one)
    if shown:
        for note in rating_notes(run):
            say(f"note: {note}")


def write_standings(frame: "pd.DataFrame", output: FormatChoice, facts: dict[str, Any]) -> None:
    """Write standings to stdout in the form asked for; `facts` go along in JSON."""
    if output is FormatChoice.csv:
        from ohpshaw_sim.analysis.writing import table_text

        sys.stdout.write(table_text(frame))
    elif output is FormatChoice.json:
        sys.stdout.write(json.dumps({**facts, "standings": _as_rows(frame)}, indent=2) + "\n")
    else:
        from ohpshaw_sim.analysis.summary import standings_table

        write_table(standings_table(frame))


def write_table(table: "Table") -> None:
    """Write a rich table to stdout, plain and 80 columns wide unless stdout is a terminal."""
    from rich.console import Console

    console = Console(file=sys.stdout)
    if not console.is_terminal:
        console = Console(file=sys.stdout, width=80, color_system=None)
    console.print(table)


def _facts(manifest: dict[str, Any]) -> dict[str, Any]:
    return {key: manifest.get(key) for key in ("seed", "sets", "plan_hash", "command")}
