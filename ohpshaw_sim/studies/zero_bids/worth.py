"""What zero is worth beside the best other bid, on redealt hands of the same situations.

The best other bid is chosen on one half of the redeals and valued on the other, so the luck that makes a bid look best
does not count for it. It is the best that a bidder could find with so many redeals: a little less than the best there
is. `best` takes zero or that other bid, whichever the first half prefers, and is valued on the second half, too.
"""

import numpy as np
import pandas as pd

from ohpshaw_sim.rules import Rules
from ohpshaw_sim.studies.zero_bids.grouping import groups_of, hand_group
from ohpshaw_sim.studies.zero_bids.means import cells, difference_ends, ends_of, mean_of, share_of

FEWEST: int = 20
"""Situations that a cell of the heat map takes."""


def valued(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the situations that were valued, with what follows from the two halves.

    zero_best   whether the first half prefers zero to the best other bid
    gain        points of zero less those of the best other bid, on the second half
    best_b      points on the second half of the one that the first half prefers
    """
    rows = frame[frame["effective"] > 0].copy()
    rows["zero_best"] = rows["zero_a"] >= rows["other_a"]
    rows["gain"] = rows["zero_b"] - rows["other_b"]
    rows["best_b"] = np.where(rows["zero_best"], rows["zero_b"], rows["other_b"])
    rows["hands"] = hand_group(rows)
    return rows


def worth_table(rows: pd.DataFrame, rules: Rules) -> pd.DataFrame:
    """Return the table `worth`: one row per group of valued situations.

    Columns: agent, players, by, value; situations; zero_points, other_points, gain (zero less other), best_points,
    own_points (what the agent itself bid), loss (best less own), zero_best_share, zero_bid_share, gain_where_bid (gain
    where the agent bid zero), each with _low and _high.
    """
    return pd.DataFrame([{**head, **_row(group, rules)} for head, group in groups_of(rows)])


def _row(rows: pd.DataFrame, rules: Rules) -> dict[str, float]:
    ends = ends_of(rows, rules)
    apart = difference_ends(ends)
    bid_zero = rows["bid"] == 0
    return {
        "situations": len(rows),
        **cells("zero_points", mean_of(rows["zero_b"], ends)),
        **cells("other_points", mean_of(rows["other_b"], ends)),
        **cells("gain", mean_of(rows["gain"], apart)),
        **cells("best_points", mean_of(rows["best_b"], ends)),
        **cells("own_points", mean_of(rows["own_b"], ends)),
        **cells("loss", mean_of(rows["best_b"] - rows["own_b"], apart)),
        **cells("zero_best_share", share_of(rows["zero_best"])),
        **cells("zero_bid_share", share_of(bid_zero)),
        **cells("gain_where_bid", mean_of(rows["gain"][bid_zero], apart)),
    }


def heat_map_table(rows: pd.DataFrame, rules: Rules) -> pd.DataFrame:
    """Return the table `heat_map`: gain by trumps and high cards, one row per group of hand sizes and such a cell.

    Columns: agent, players, hands, trumps, high_cards; situations; gain, zero_chance, zero_best_share, each with _low
    and _high. Cells of fewer than FEWEST situations are left out, and rounds without trump.
    """
    keys = ["agent", "players", "hands", "trumps", "high_cards"]
    table = []
    for values, group in rows[rows["has_trump"]].groupby(keys, sort=True, observed=True):
        if len(group) >= FEWEST:
            head = dict(zip(keys, values, strict=True))
            table.append({**head, **_heat(group, rules)})
    return pd.DataFrame(table, columns=None if table else [*keys, "situations", "gain"])


def _heat(rows: pd.DataFrame, rules: Rules) -> dict[str, float]:
    return {
        "situations": len(rows),
        **cells("gain", mean_of(rows["gain"], difference_ends(ends_of(rows, rules)))),
        **cells("zero_chance", mean_of(rows["chance_b"], (0.0, 1.0))),
        **cells("zero_best_share", share_of(rows["zero_best"])),
    }
