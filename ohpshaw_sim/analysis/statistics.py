"""Estimates and intervals over sets: pure functions of exact integer sums.

The unit of every interval is the set: sets have deals of their own and are independent, while rounds of one
set share cards, seats and opponents. Everything is worked out from sums over sets, so a billion rounds cost
what ten cost.

Ratios (points per round, shares of rounds). A set gives a numerator y and a denominator x >= 0, say points
and seat-rounds. With R = sum y / sum x and residuals e = y - R x,

    var R = m / (m - 1) * sum e^2 / (sum x)^2,        m = (sum x)^2 / sum x^2.

This is the linearised variance of a ratio (Cochran, Sampling Techniques, 3rd ed. 1977, 6.4) with Kish's
effective number of sets m (Kish, Survey Sampling, 1965) in the place of their number: m is the number of
sets when all weigh the same, never more than the number of sets in which x is not 0, and so does not
mistake a thousand sets with one zero bid among them for a thousand observations of zero bids. Quantiles are
Student's with m - 1 degrees of freedom.

Nothing here gives an interval of width zero. Where no interval can be had (one set, nothing to divide by)
low and high are NaN.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

CONFIDENCE: Final = 0.95
NAN: Final = float("nan")


class Interval(NamedTuple):
    """Both ends of an interval; NaN where there is none."""

    low: float
    high: float


NO_INTERVAL: Final = Interval(NAN, NAN)


class RatioSums(NamedTuple):
    """Sums over sets of a numerator y and a denominator x: exact, so that no variance is lost to rounding."""

    y: int
    x: int
    yy: int
    xy: int
    xx: int


class Ratio(NamedTuple):
    """A ratio over sets: its value, the variance of that value, and the effective number of sets behind it.

    `value` is NaN where the denominator is 0; `variance` is NaN where fewer than two sets have a denominator.
    """

    value: float
    variance: float
    sets: float


class Difference(NamedTuple):
    """A mean of paired differences, its interval, its two-sided p-value before any correction, and its variance."""

    value: float
    low: float
    high: float
    p: float
    variance: float = NAN


def ratio(sums: RatioSums) -> Ratio:
    """Estimate sum y / sum x with its linearised variance (formula and sources: see the module)."""
    y, x, yy, xy, xx = sums
    if x == 0:
        return Ratio(NAN, NAN, 0.0)
    spare = x * x - xx  # (m - 1) sum x^2: zero when a single set holds the whole denominator
    if spare == 0:
        return Ratio(y / x, NAN, 1.0)
    residuals = yy * x * x - 2 * y * x * xy + y * y * xx  # (sum x)^2 sum e^2, exact
    return Ratio(y / x, residuals / (x * x * spare), x * x / xx)


def t_quantile(sets: float, confidence: float = CONFIDENCE) -> float:
    """Return the two-sided quantile of Student's t over (effectively) this many sets, more than one."""
    return float(stdtrit(sets - 1, (1 + confidence) / 2))


def unseen_share(sets: float, confidence: float = CONFIDENCE) -> float:
    """Bound the probability that a set gives another value, when all sets seen gave the same one.

    The exact (Clopper-Pearson) upper bound for 0 of `sets`: q = 1 - (alpha / 2) ** (1 / sets).
    """
    return float(1 - ((1 - confidence) / 2) ** (1 / sets))


def mean_interval(estimate: Ratio, lowest: float, highest: float, confidence: float = CONFIDENCE) -> Interval:
    """Return the interval of a mean whose values lie between `lowest` and `highest`.

    value -+ t * sqrt(variance), cut to the possible range. Without variance: the mean if an unseen value
    had the largest probability q that the sets do not rule out (`unseen_share`) and were `lowest`, or
    `highest`.
    """
    if np.isnan(estimate.variance):
        return NO_INTERVAL
    value = estimate.value
    if estimate.variance == 0:
        share = unseen_share(estimate.sets, confidence)
        return Interval(value - share * (value - lowest), value + share * (highest - value))
    half = t_quantile(estimate.sets, confidence) * estimate.variance**0.5
    return Interval(max(value - half, lowest), min(value + half, highest))


def wilson(share: float, trials: float, quantile: float) -> Interval:
    """Return Wilson's score interval (JASA 22, 1927) for a share of trials, whole or not."""
    shrink = 1 + quantile**2 / trials
    centre = (share + quantile**2 / (2 * trials)) / shrink
    half = quantile * (share * (1 - share) / trials + (quantile / (2 * trials)) ** 2) ** 0.5 / shrink
    # At 0 and 1 the ends meet exactly but for rounding.
    return Interval(
        0.0 if share == 0 else max(centre - half, 0.0), 1.0 if share == 1 else min(centre + half, 1.0)
    )


def share_interval(estimate: Ratio, confidence: float = CONFIDENCE) -> Interval:
    """Return the interval of a share between 0 and 1.

    Wilson's interval with the effective sample size share * (1 - share) / variance (Korn & Graubard, Survey
    Methodology 24, 1998) and Student's quantile. Without variance, a share of 0 or 1 included, the
    effective sample size is the (effective) number of sets.
    """
    if np.isnan(estimate.variance):
        return NO_INTERVAL
    share, variance, sets = estimate
    trials = sets if variance == 0 else share * (1 - share) / variance
    return wilson(share, trials, t_quantile(sets, confidence))


def paired_difference(
    sets: int, total: int, squares: int, *, unit: float, widest: float, confidence: float = CONFIDENCE
) -> Difference:
    """Return the mean of paired differences over sets, by Student's t on the sets' differences.

    `total` and `squares` are the sum and square sum of integer differences, each worth `unit`; the value of
    one lies between -widest and widest. Without variance, the interval is that of `mean_interval` and p
    that of the sign test, 2 ** (1 - sets), or 1 when the difference is 0. One set: no interval and no p.
    """
    if sets == 0:
        return Difference(NAN, NAN, NAN, NAN)
    value = total / sets * unit
    if sets == 1:
        return Difference(value, NAN, NAN, NAN)
    spread = sets * squares - total * total  # sets^2 (sets - 1) times the variance of the mean
    variance = spread / (sets * sets * (sets - 1)) * unit**2
    low, high = mean_interval(Ratio(value, variance, sets), -widest, widest, confidence)
    if spread == 0:
        return Difference(value, low, high, 1.0 if total == 0 else 2.0 ** (1 - sets), variance)
    return Difference(value, low, high, float(2 * stdtr(sets - 1, -abs(value) / variance**0.5)), variance)


def holm(p_values: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return p-values adjusted for their number (Holm, Scandinavian Journal of Statistics 6, 1979).

    The k-th smallest of n (k from 0) is multiplied by n - k, then raised to its predecessor if below, and
    cut at 1. NaN stays NaN and is not counted.

    >>> [round(float(p), 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full_like(p, np.nan)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    scaled = p[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    return adjusted
