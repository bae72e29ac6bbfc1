"""The estimates that fill the tables' cells: each a value and both ends of its 95 % interval.

Points lie between 0 and 10 + hand size (a bid hit exactly scores 10 + bid, a miss 0). That range matters
only where all sets gave the same value, and where an interval would leave it.
"""

from collections.abc import Iterable, Mapping

import pandas as pd

from ohpshaw_sim.analysis.moments import ratio_sums
from ohpshaw_sim.analysis.statistics import Interval, mean_interval, ratio, share_interval
from ohpshaw_sim.rules import HIT_BONUS

Cells = dict[str, float]
"""Cells of one row by column: an estimate is `name`, `name_low`, `name_high`, NaN where it is not defined."""

ROUNDS = {"rounds": 1}
"""Seat-rounds, the usual denominator: an entrant that holds two seats counts twice, and so do its sets."""


def highest_points(sizes: Iterable[int]) -> float:
    """Return the most points per round that rounds of these hand sizes can give, each round counting once."""
    most = [HIT_BONUS + size for size in sizes]
    return sum(most) / len(most)


def points(
    row: Mapping[str, int],
    name: str,
    highest: float,
    *,
    of: Mapping[str, int],
    per: Mapping[str, int] = ROUNDS,
) -> Cells:
    """Estimate a mean of points between 0 and `highest`: a ratio of two combinations of quantities."""
    estimate = ratio(ratio_sums(row, of, per))
    return _cells(name, estimate.value, mean_interval(estimate, 0.0, highest))


def share(
    row: Mapping[str, int], name: str, *, of: Mapping[str, int], per: Mapping[str, int] = ROUNDS
) -> Cells:
    """Estimate a share between 0 and 1, a ratio of two combinations of quantities over sets."""
    estimate = ratio(ratio_sums(row, of, per))
    return _cells(name, estimate.value, share_interval(estimate))


def mean_bids(counts: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return mean_bid and mean_tricks over seat-rounds, one row per value of the keys."""
    weighted = counts.assign(bid=counts["bid"] * counts["n"], tricks=counts["tricks"] * counts["n"])
    sums = weighted.groupby(keys)[["n", "bid", "tricks"]].sum()
    return pd.DataFrame({"mean_bid": sums["bid"] / sums["n"], "mean_tricks": sums["tricks"] / sums["n"]})


def _cells(name: str, value: float, interval: Interval) -> Cells:
    return {name: value, f"{name}_low": interval.low, f"{name}_high": interval.high}
