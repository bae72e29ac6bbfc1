"""The standings as a table for the terminal, at most 80 columns wide."""

from typing import Final

import pandas as pd
from rich import box
from rich.table import Table
from rich.text import Text

from ohpshaw_sim.analysis.names import break_name

AGENT_WIDTH: Final = 24


def standings_table(frame: pd.DataFrame) -> Table:
    """Return the `standings` frame as a table: one row per entrant, one section per number of players.

    A margin (±) is the larger distance from the value to an end of its interval; a single set has none. Long
    names are broken over lines.
    """
    columns = {
        "agent": [break_name(name, AGENT_WIDTH) for name in frame["agent"]],
        "points/round": _with_margins(frame, "points_per_round", 1, (2, 3)),
        "won %": _with_margins(frame, "win_share", 100, (1, 2)),
        "hit %": _with_margins(frame, "hit_rate", 100, (1, 2)),
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


def _with_margins(frame: pd.DataFrame, name: str, scale: float, decimals: tuple[int, int]) -> list[str]:
    """Write a column of value ± margin; decimals grow, in bounds, until margins show two digits."""
    values = frame[name] * scale
    ends = frame[[f"{name}_low", f"{name}_high"]].mul(scale).sub(values, axis=0).abs()
    margins = ends.max(axis=1)
    shown, most = decimals
    while margins.max() < 9.95 * 10.0**-shown and shown < most:
        shown += 1
    return [
        f"{value:.{shown}f}" + ("" if pd.isna(margin) else f" ± {margin:.{shown}f}")
        for value, margin in zip(values, margins, strict=True)
    ]


def _count(rounds: int) -> str:
    """Write a number of rounds in at most five characters."""
    for limit, divisor, unit in ((10**4, 1, ""), (10**7, 10**3, "k"), (10**10, 10**6, "M")):
        if rounds < limit:
            return f"{rounds // divisor}{unit}"
    return f"{rounds // 10**9}G"
