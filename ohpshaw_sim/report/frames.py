"""Frames that only the page has: tables of the run brought into a shape that is read at a glance."""

from typing import Final

import pandas as pd

from ohpshaw_sim.charts.bid_against_tricks import FEWEST

_ORDINALS: Final = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th")


def points_by_position(frame: pd.DataFrame, agents: list[str], players: int) -> pd.DataFrame:
    """Return `by_position` with one row per entrant and one column, with interval, per position in the bidding."""
    columns = {}
    for position, of_position in frame.groupby("position"):
        place = int(str(position))
        name = "eldest hand" if place == 0 else "dealer" if place == players - 1 else _ORDINALS[place]
        rows = of_position.set_index("agent").reindex(agents)
        for end in ("", "_low", "_high"):
            columns[name + end] = rows[f"points_per_round{end}"]
    return pd.DataFrame(columns).rename_axis("agent").reset_index()


def hits_by_bid(frame: pd.DataFrame, agents: list[str]) -> pd.DataFrame:
    """Return `bids` with one row per entrant and bid: seat-rounds and their share; share hit and mean of tricks taken
    where there are enough to say something."""
    counted = frame.assign(
        hit=frame["count"].where(frame["bid"] == frame["tricks"], 0), tricks=frame["tricks"] * frame["count"]
    )
    sums = counted.groupby(["agent", "bid"])[["count", "hit", "tricks"]].sum().reindex(agents, level="agent")
    rounds = sums["count"]
    enough = rounds.where(rounds >= FEWEST)
    columns = {
        "rounds": rounds,
        "bid_share": rounds / rounds.groupby("agent").transform("sum"),
        "hit_rate": sums["hit"] / enough,
        "mean_tricks": sums["tricks"] / enough,
    }
    return pd.DataFrame(columns).reset_index()
