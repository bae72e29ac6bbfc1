"""The estimates that fill the tables' cells: each a value and both ends of its 95 % interval.

The scoring says between which ends the points of a round lie. That range matters only where all sets gave the
same value, and where an interval would leave it.
"""

from collections.abc import Mapping, Sequence

import pandas as pd

from ohpshaw_sim.analysis.moments import ratio_sums
from ohpshaw_sim.analysis.statistics import Interval, mean_interval, ratio, share_interval
from ohpshaw_sim.rules import HIT_BONUS, ROUND_BONUS, WIZARD_HIT, WIZARD_STEP, ZERO_BONUS, Rules

Cells = dict[str, float]
"""Cells of one row by column: an estimate is `name`, `name_low`, `name_high`, NaN where it is not defined."""

Range = tuple[float, float]
"""The least and the most that a value can be."""

ROUNDS = {"rounds": 1}
"""Seat-rounds, the usual denominator: an entrant that holds two seats counts twice, and so do its sets."""


def point_range(rules: Rules, sizes: Sequence[int], *, zero: bool | None = None) -> Range:
    """Return the least and the most points per round that rounds of these hand sizes can give.

    Each round counts once. `zero` says whether the bid is zero; None = any bid.
    """
    ranges = [_range_of_a_round(rules, size, zero=zero) for size in sizes]
    low, high = (sum(ends) / len(sizes) for ends in zip(*ranges, strict=True))
    return low, high


def _range_of_a_round(rules: Rules, size: int, *, zero: bool | None) -> Range:
    """Return the least and the most points of a seat in a round (B13, V11 to V13, V15, V16)."""
    wizard = rules.scoring == "wizard"
    largest = 0 if zero else size
    hit = WIZARD_HIT + WIZARD_STEP * largest if wizard else HIT_BONUS + largest
    made = ZERO_BONUS + size if rules.zero_bid == "hand-size" else WIZARD_HIT if wizard else HIT_BONUS
    # Bids of zero and of the hand size can be missed by all tricks, those between them by fewer.
    worst = {"exact": 0, "soft": 1 if zero else 0, "wizard": -WIZARD_STEP * size, "penalty": -size}
    best = made if zero else hit if zero is False else max(hit, made)
    if rules.scoring == "soft":
        best = max(best, size)  # a zero bid may be missed by more tricks than it is worth
    return worst[rules.scoring], best + (ROUND_BONUS if rules.round_winner_bonus else 0)


def points(
    row: Mapping[str, int],
    name: str,
    ends: Range,
    *,
    of: Mapping[str, int],
    per: Mapping[str, int] = ROUNDS,
) -> Cells:
    """Estimate a mean of points between two ends: a ratio of two combinations of quantities."""
    estimate = ratio(ratio_sums(row, of, per))
    return cells_of(name, estimate.value, mean_interval(estimate, *ends))


def share(
    row: Mapping[str, int], name: str, *, of: Mapping[str, int], per: Mapping[str, int] = ROUNDS
) -> Cells:
    """Estimate a share between 0 and 1, a ratio of two combinations of quantities over sets."""
    estimate = ratio(ratio_sums(row, of, per))
    return cells_of(name, estimate.value, share_interval(estimate))


def mean_bids(counts: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return mean_bid and mean_tricks over seat-rounds, one row per value of the keys."""
    weighted = counts.assign(bid=counts["bid"] * counts["n"], tricks=counts["tricks"] * counts["n"])
    sums = weighted.groupby(keys)[["n", "bid", "tricks"]].sum()
    return pd.DataFrame({"mean_bid": sums["bid"] / sums["n"], "mean_tricks": sums["tricks"] / sums["n"]})


def cells_of(name: str, value: float, interval: Interval) -> Cells:
    """Return the cells of an estimate and its interval."""
    return {name: value, f"{name}_low": interval.low, f"{name}_high": interval.high}
