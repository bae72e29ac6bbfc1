"""Ratings, a cross table and rings as tables and lines for the terminal, at most 80 columns wide."""

from typing import Final

import pandas as pd
from rich import box
from rich.table import Table
from rich.text import Text

from ohpshaw_sim.analysis.cycles import CLEAR
from ohpshaw_sim.analysis.names import break_name
from ohpshaw_sim.analysis.summary import AGENT_WIDTH

MOST_AGENTS: Final = 8
"""Agents that a cross table has room for."""
FEWEST_AGENTS: Final = 4
"""Agents from which on the terminal shows more than standings; fewer are seen at a glance."""
MOST_RINGS: Final = 5
_ALL: Final = "all pairs: tables/pairwise.csv"


def field_tables(tables: dict[str, pd.DataFrame]) -> list[Table | str]:
    """Return what is shown below the standings of a field of four or more, number of players by number of players."""
    shown: list[Table | str] = []
    for players, standings in tables["standings"].groupby("players", sort=True):
        if len(standings) < FEWEST_AGENTS:
            continue
        rated, pairs, rings = (
            frame[frame["players"] == players]
            for frame in (tables[name] for name in ("ratings", "pairwise", "cycles"))
        )
        if rated["rating"].notna().any():
            shown.append(ratings_table(rated))
        if len(pairs):
            shown.append(cross_table(pairs, standings["agent"].tolist()))
        shown += ring_lines(rings)
    return shown


def ratings_table(frame: pd.DataFrame) -> Table:
    """Return the `ratings` of one number of players as a table."""
    table = _table(f"ratings by places, {frame['players'].iloc[0]} players")
    for name in ("agent", "rating", "before an average agent", "rank"):
        table.add_column(name, justify="left" if name == "agent" else "right", no_wrap=True)
    for row in frame.to_dict("records"):
        rating, rank = f"{row['rating']:+.2f}", f"{row['rank']}"
        if not pd.isna(row["low"]):
            rating += f" ({row['low']:+.2f} to {row['high']:+.2f})"
            rank += f" ({row['rank_low']}–{row['rank_high']})"
        cells = (break_name(row["agent"], AGENT_WIDTH), rating, f"{100 * row['beats_average']:.1f} %", rank)
        table.add_row(*(Text(cell) for cell in cells))
    return table


def cross_table(pairs: pd.DataFrame, agents: list[str]) -> Table:
    """Return a cross table of one number of players: points per round, row less column; `*` where that is clear.

    `pairs` holds the rows of `pairwise`, `agents` says in which order; the first `MOST_AGENTS` are shown. A pair that
    never met has an empty cell.
    """
    shown = agents[:MOST_AGENTS]
    cells = {}
    for row in pairs.to_dict("records"):
        mark = "*" if row["p_holm"] < CLEAR else " "
        cells[row["agent"], row["other"]] = f"{row['difference']:+.2f}{mark}"
        cells[row["other"], row["agent"]] = f"{-row['difference']:+.2f}{mark}"
    table = _table(f"points per round, row less column, {pairs['players'].iloc[0]} players")
    table.caption = f"* clear at {CLEAR:.0%} after correction for {pairs['comparisons'].iloc[0]} comparisons"
    if len(agents) > len(shown):
        table.caption += f"; {_ALL}"
    table.add_column("agent", no_wrap=True)
    for number in range(1, len(shown) + 1):
        table.add_column(str(number), justify="right", no_wrap=True)
    for number, agent in enumerate(shown, 1):
        name = break_name(f"{number} {agent}", AGENT_WIDTH)
        line = ["· " if other == agent else cells.get((agent, other), "") for other in shown]
        table.add_row(*(Text(cell) for cell in (name, *line)))
    return table


def ring_lines(frame: pd.DataFrame) -> list[str]:
    """Return a line for each of the first rings, and how many more there are."""
    lines = [
        f"in a ring: {row['cycle']}, each by {row['least_difference']:.2f} points a round or more"
        for row in frame.head(MOST_RINGS).to_dict("records")
    ]
    more = len(frame) - len(lines)
    return [*lines, f"and {more} more rings: tables/cycles.csv"] if more else lines


def _table(title: str) -> Table:
    return Table(
        title=title,
        title_justify="left",
        caption_justify="left",
        box=box.HORIZONTALS,
        collapse_padding=True,
        pad_edge=False,
    )
