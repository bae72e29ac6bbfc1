"""Means and shares over situations, each with its interval: situations are of independent deals, and are the unit."""

from typing import Final

import pandas as pd

from ohpshaw_sim.analysis.estimates import point_range
from ohpshaw_sim.analysis.statistics import (
    NAN,
    NO_INTERVAL,
    Interval,
    Ratio,
    mean_interval,
    t_quantile,
    wilson,
)
from ohpshaw_sim.rules import Rules

Range = tuple[float, float]
"""The least and the most that a value can be."""
_FEWEST: Final = 2
"""Situations that an interval takes."""


def mean_of(values: pd.Series, ends: Range) -> tuple[float, float, float]:
    """Return the mean of values that lie between `ends`, and both ends of its 95 % interval (Student's t)."""
    count = len(values)
    if not count:
        return (NAN, NAN, NAN)
    value = float(values.mean())
    if count < _FEWEST:
        return (value, *NO_INTERVAL)
    return (value, *mean_interval(Ratio(value, float(values.var()) / count, count), *ends))


def share_of(marks: pd.Series) -> tuple[float, float, float]:
    """Return the share of marks that are true, and both ends of its 95 % interval (Wilson's)."""
    count = len(marks)
    if not count:
        return (NAN, NAN, NAN)
    value = float(marks.mean())
    interval: Interval = wilson(value, count, t_quantile(count)) if count >= _FEWEST else NO_INTERVAL
    return (value, *interval)


def cells(name: str, estimate: tuple[float, float, float]) -> dict[str, float]:
    """Return an estimate as the cells `name`, `name_low` and `name_high` of a row."""
    return dict(zip((name, f"{name}_low", f"{name}_high"), estimate, strict=True))


def difference_ends(ends: Range) -> Range:
    """Return the least and the most that the difference of two values between `ends` can be."""
    low, high = ends
    return low - high, high - low


def ends_of(rows: pd.DataFrame, rules: Rules) -> Range:
    """Return the least and the most points that any round of some rows can give."""
    ranges = [point_range(rules, (int(size),)) for size in rows["hand_size"].unique()]
    return min((low for low, _ in ranges), default=NAN), max((high for _, high in ranges), default=NAN)
