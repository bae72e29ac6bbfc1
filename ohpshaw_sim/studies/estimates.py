"""Estimates over sets from seat-rounds: the set is the unit, all sums behind an interval are exact integers."""

from typing import Any

import numpy as np

from ohpshaw_sim.analysis.estimates import Cells, Range, cells_of
from ohpshaw_sim.analysis.statistics import (
    Interval,
    RatioSums,
    mean_interval,
    paired_difference,
    ratio,
    share_interval,
)


def over_sets(of_set: Any, y: Any, x: Any, unit: int = 1) -> RatioSums:
    """Return the sums of a ratio over sets; `of_set` int [rows] says to which set a row's y and x (int) belong.

    The ratio is that of y to `unit` times x.
    """
    sets = int(of_set.max()) + 1 if len(of_set) else 0
    tops, bottoms = (_added(of_set, values, sets) for values in (y, x))
    below = [bottom * unit for bottom in bottoms]
    return RatioSums(
        sum(tops),
        sum(below),
        sum(top * top for top in tops),
        sum(top * bottom for top, bottom in zip(tops, below, strict=True)),
        sum(bottom * bottom for bottom in below),
    )


def _added(of_set: Any, values: Any, sets: int) -> list[int]:
    """Return the sums of whole values by set."""
    added = np.zeros(sets, np.int64)
    np.add.at(added, of_set, values)
    return [int(one) for one in added]


def mean_cells(name: str, of_set: Any, y: Any, x: Any, ends: Range, *, unit: int = 1) -> Cells:
    """Return the cells of a mean of y per `unit` times x, which lies between two ends, with its interval over sets."""
    estimate = ratio(over_sets(of_set, y, x, unit))
    return cells_of(name, estimate.value, mean_interval(estimate, *ends))


def share_cells(name: str, of_set: Any, y: Any, x: Any) -> Cells:
    """Return the cells of a share of x, with its interval over sets."""
    estimate = ratio(over_sets(of_set, y, x))
    return cells_of(name, estimate.value, share_interval(estimate))


def paired_cells(name: str, ours: Any, theirs: Any, *, unit: float, widest: float) -> Cells:
    """Return the cells of the mean difference of two arrays of whole sums, set by set, each of them worth `unit`.

    The mean lies between -widest and widest.
    """
    difference = ours.astype(np.int64) - theirs
    total, squares = int(difference.sum()), int((difference**2).sum())
    found = paired_difference(len(difference), total, squares, unit=unit, widest=widest)
    return cells_of(name, found.value, Interval(found.low, found.high))
