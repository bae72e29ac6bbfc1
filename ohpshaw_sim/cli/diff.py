"""`ohpshaw diff`: what changed between two runs."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ohpshaw_sim.cli.choices import FormatChoice

if TYPE_CHECKING:
    import pandas as pd
    from rich.table import Table

    from ohpshaw_sim.analysis.changes import Change

_NAME_WIDTH = 24


def diff(
    one: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.", show_default=False)],
    other: Annotated[Path, typer.Argument(metavar="RUN", help="Another one.", show_default=False)],
    output: Annotated[
        FormatChoice, typer.Option("--format", help="Form of the answer on stdout.")
    ] = FormatChoice.table,
) -> None:
    """Tell what changed between two runs: the request, and the points of the agents that are in both.

    Where both dealt the same cards to the same line-ups (one seed, rules,
    block size, and as many agents), they are compared on the sets that both
    have, block by block, which shows much smaller changes. A margin is that of
    a 95 % interval.

    Example:

      ohpshaw diff results/before results/after
    """
    from ohpshaw_sim.analysis.changes import changes_in_points, changes_in_request, same_results
    from ohpshaw_sim.analysis.run import load_run
    from ohpshaw_sim.analysis.writing import table_text
    from ohpshaw_sim.cli.results import say, write_table

    runs = load_run(one), load_run(other)
    changes, frame = changes_in_request(*runs), changes_in_points(*runs)
    same = same_results(*runs)
    if output is FormatChoice.json:
        rows = json.loads(frame.to_json(orient="records", double_precision=10))
        told = [change._asdict() for change in changes]
        sys.stdout.write(json.dumps({"same_results": same, "changes": told, "points": rows}, indent=2) + "\n")
        return
    for line in _told(changes):
        say(line)
    if same:
        say("both runs hold the same results, to the last digit")
    if frame.empty:
        say("no agent is in both runs at the same number of players")
    elif output is FormatChoice.csv:
        sys.stdout.write(table_text(frame))
    else:
        write_table(_table(frame))


def _told(changes: "list[Change]") -> list[str]:
    lines = []
    for change in changes:
        if isinstance(change.one, dict) and isinstance(change.other, dict):
            for key in sorted({*change.one, *change.other}):
                pair = change.one.get(key), change.other.get(key)
                if pair[0] != pair[1]:
                    lines.append(f"{change.name} {key}: {_short(pair[0])} -> {_short(pair[1])}")
        else:
            lines.append(f"{change.name}: {_short(change.one)} -> {_short(change.other)}")
    return lines


def _short(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(str(item) for item in value)
    return "none" if value is None else str(value)


def _table(frame: "pd.DataFrame") -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from ohpshaw_sim.analysis.names import break_name

    table = Table(box=box.HORIZONTALS, collapse_padding=True, pad_edge=False)
    for name in ("agent", "players", "first", "second", "change", "cards", "sets"):
        table.add_column(name, justify="left" if name in ("agent", "cards") else "right", no_wrap=True)
    for row in frame.to_dict("records"):
        margin = max(row["high"] - row["difference"], row["difference"] - row["low"])
        cells = (
            break_name(row["agent"], _NAME_WIDTH),
            str(row["players"]),
            f"{row['points_one']:.3f}",
            f"{row['points_other']:.3f}",
            f"{row['difference']:+.3f}" + (f" ± {margin:.3f}" if margin >= 0 else ""),  # NaN: no interval
            "same" if row["paired"] else "others",
            str(row["sets_compared"]) if row["paired"] else "all",
        )
        table.add_row(*(Text(cell) for cell in cells))
    return table
