"""What the bidding study has come to, for people: the answer in a sentence, tables of 80 columns."""

from collections.abc import Mapping
from typing import Any, Final

import pandas as pd
from rich.table import Table

from ohpshaw_sim.analysis.names import break_name
from ohpshaw_sim.studies.words import listed, plain_table, with_ends, with_margin

_NAME: Final = 20


def answer(grid: pd.DataFrame) -> str:
    """Say for each player and number of players which bidder has most points, and how far it is from the first."""
    told = []
    for (players, playing), rows in grid.groupby(["players", "playing"], sort=False):
        records = _records(rows)
        first, best = records[0], max(records, key=lambda row: row["points_per_round"])
        text = f"With {playing} to play at a table of {players}, {best['bidder']} has most points a round of all "
        text += f"{len(records)} bidders: {with_ends(best, 'points_per_round')}"
        if best is not first:
            beside = with_ends(best, "difference", signed=True)
            text += f", {beside} beside {first['bidder']} on the same cards"
        close = [row["bidder"] for row in records if row["difference_low"] <= 0 <= row["difference_high"]]
        if best is first and close:
            text += f", not told apart from {listed(close)}"
        told.append(f"{text}.")
    return " ".join(told)


def shown(frames: Mapping[str, pd.DataFrame]) -> list[Table]:
    """Return the tables of the summary, one for each player and number of players."""
    tables = []
    for (players, playing), rows in frames["grid"].groupby(["players", "playing"], sort=False):
        records = _records(rows)
        columns = {
            "bidder": [break_name(row["bidder"], _NAME) for row in records],
            "points/round": [with_margin(row, "points_per_round") for row in records],
            "difference": [with_margin(row, "difference", signed=True) for row in records],
            "hit %": [with_margin(row, "hit_rate", times=100) for row in records],
            "promised": [_promised(row) for row in records],
        }
        title = f"{playing} plays, {players} players; difference: points beside {records[0]['bidder']}"
        tables.append(plain_table(title, columns))
    return tables


def _promised(row: Mapping[str, Any]) -> str:
    value = row["promised"]
    return "" if pd.isna(value) else f"{100 * value:.1f}"


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return frame.to_dict("records")  # type: ignore[return-value]  # keys are columns' names
