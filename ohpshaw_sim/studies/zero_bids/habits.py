"""What agents do: how often they bid zero, how often they make it, and what it pays, by what they held and heard."""

import pandas as pd

from ohpshaw_sim.rules import Rules
from ohpshaw_sim.studies.zero_bids.grouping import groups_of
from ohpshaw_sim.studies.zero_bids.means import cells, ends_of, mean_of, share_of


def zero_bids_table(frame: pd.DataFrame, rules: Rules) -> pd.DataFrame:
    """Return the table `zero_bids`: on the deals as they were, one row per group.

    Columns: agent, players, by, value; deals; zero_bids; zero_bid_share, zero_bid_hit_rate, points_per_zero_bid and
    points_per_other_bid, each with _low and _high.
    """
    return pd.DataFrame([{**head, **_row(rows, rules)} for head, rows in groups_of(frame)])


def _row(rows: pd.DataFrame, rules: Rules) -> dict[str, float]:
    zero = rows["bid"] == 0
    ends = ends_of(rows, rules)
    return {
        "deals": len(rows),
        "zero_bids": int(zero.sum()),
        **cells("zero_bid_share", share_of(zero)),
        **cells("zero_bid_hit_rate", share_of(rows["tricks"][zero] == 0)),
        **cells("points_per_zero_bid", mean_of(rows["points"][zero], ends)),
        **cells("points_per_other_bid", mean_of(rows["points"][~zero], ends)),
    }
