"""The standings as a table for the terminal, at most 80 columns wide."""

from typing import Final

import pandas as pd
from rich import box
from rich.table import Table
from rich.text import Text

from ohpshaw_sim.analysis.names import break_name

AGENT_WIDTH: Final = 20


def standings_table(frame: pd.DataFrame) -> Table:
    """Return the `standings` frame as a table: one row per entrant, one section per number of players.

    Points show a margin (±), shares the ends of their interval, which lies unevenly around a small or large share;
    a single set has neither. Long names are broken over lines.
    """
    columns = {
        "agent": [break_name(name, AGENT_WIDTH) for name in frame["agent"]],
        "points/round": _with_margins(frame, "points_per_round"),
        "won %": _with_ends(frame, "win_share"),
        "hit %": _with_ends(frame, "hit_rate"),
        "rounds": [_count(rounds) for rounds in frame["rounds"]],
    }
    table = Table(box=box.HORIZONTALS, collapse_padding=True, pad_edge=False)
    for name in columns:
        table.add_column(name, justify="left" if name == "agent" else "right", no_wrap=True)
    many, section = frame["players"].nunique() > 1, None
    for players, row in zip(frame["players"], zip(*columns.values(), strict=True), strict=True):
        if many and players != section:
            table.add_section()
            table.add_row(Text(f"{players} players", style="bold"))
        section = players
        table.add_row(*(Text(cell) for cell in row))
    return table


def faults_table(frame: pd.DataFrame) -> Table:
    """Return the `faults` frame as a table: one row per agent, number of players and kind of fault."""
    table = Table(box=box.HORIZONTALS, collapse_padding=True, pad_edge=False)
    for name, side in (("faults of", "left"), ("kind", "left"), ("count", "right"), ("forfeit %", "right")):
        table.add_column(name, justify=side, no_wrap=True)  # type: ignore[arg-type]  # rich wants literals
    table.add_column("the first one", overflow="fold")
    shares = ["" if pd.isna(share) else f"{share * 100:.2f}" for share in frame["forfeit_share"]]
    many = frame["players"].nunique() > 1
    for row, share in zip(frame.to_dict("records"), shares, strict=True):
        agent = "nobody known" if pd.isna(row["agent"]) else break_name(row["agent"], AGENT_WIDTH)
        where = f"set {row['first_set']}, rotation {row['first_rotation']}, round {row['first_round']}"
        at_table = f" ({row['players']} players)" if many else ""
        cells = (agent, row["kind"] + at_table, str(row["count"]), share, f"{row['example']}; {where}")
        table.add_row(*(Text(cell) for cell in cells))
    return table


def _with_margins(frame: pd.DataFrame, name: str) -> list[str]:
    """Write a column of value ± margin, the larger distance to an end; decimals grow until margins show two digits."""
    values = frame[name]
    margins = frame[[f"{name}_low", f"{name}_high"]].sub(values, axis=0).abs().max(axis=1)
    shown = 2 if margins.max() >= 0.0995 else 3
    return [
        f"{value:.{shown}f}" + ("" if pd.isna(margin) else f" ± {margin:.{shown}f}")
        for value, margin in zip(values, margins, strict=True)
    ]


def _with_ends(frame: pd.DataFrame, name: str) -> list[str]:
    """Write a column of shares in percent with the ends of their intervals, coarser where these are far apart."""
    values, lows, highs = (frame[f"{name}{end}"] * 100 for end in ("", "_low", "_high"))
    shown = 0 if (highs - lows).max() >= 4 else 1
    return [
        f"{value:.1f}" + ("" if pd.isna(low) else f" ({low:.{shown}f}–{high:.{shown}f})")
        for value, low, high in zip(values, lows, highs, strict=True)
    ]


def _count(rounds: int) -> str:
    """Write a number of rounds in at most five characters."""
    for limit, divisor, unit in ((10**4, 1, ""), (10**7, 10**3, "k"), (10**10, 10**6, "M")):
        if rounds < limit:
            return f"{rounds // divisor}{unit}"
    return f"{rounds // 10**9}G"
