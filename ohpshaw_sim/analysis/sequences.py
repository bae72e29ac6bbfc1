"""A confidence sequence for a mean of bounded differences: intervals that hold however often one looks.

A plain 95 % interval covers the truth in 95 of 100 runs if their length was fixed beforehand. Looked at after
every block, it leaves the truth sooner or later in nearly all of them. Here all intervals of a run cover the
truth at once in 1 - alpha of runs, so one may look after each block and stop on what is seen.

With differences x_1, x_2, ... of mean mu, and centres c_i that are known before x_i, let

    S_n = sum x_i - n mu,        V_n = sum (x_i - c_i)^2.

Where x_i - c_i >= -1, the expectation of exp(l (x_i - mu) - p(l) (x_i - c_i)^2), p(l) = -log(1 - l) - l, is at
most 1 for all 0 <= l < 1 (Fan, Grama & Liu, Electronic Journal of Probability 20, 2015, Lemma 4.1; Howard, Ramdas,
McAuliffe & Sekhon, Annals of Statistics 49, 2021, Theorem 4). Products of it are the wealth of a gambler in a game
that is not in his favour. So is their mean over l, weighted such that u = 1 - l has a density proportional to
u^(r - 1) e^(-r u) (the gamma-exponential mixture of Howard et al.):

    W(s, v) = e^(s + v) * r^r / (G(r) P(r, r)) * G(v + r) P(v + r, s + v + r) / (s + v + r)^(v + r),

where G is the gamma function and P its regularised incomplete one. By Ville's inequality W(S_n, V_n) ever reaches
2 / alpha with probability alpha / 2 at most. The interval holds every mu that neither side's wealth rules out.
Nothing of this is asymptotic: the interval is as wide as it must be while rare, large differences may still hide.

The formulas are in units of the *scale*, by which x_i - c_i can fall short at most. r says for which V the interval
is narrowest, and is no condition.
"""

from dataclasses import dataclass
from math import log
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import gammainc, gammaln

from ohpshaw_sim.analysis.statistics import Interval

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

NARROWEST_AT: Final = 32.0
"""The V, in squares of the scale, for which the interval is narrowest: a few hundred sets of many deals."""
CENTRES_WITHIN: Final = 1 / 16
"""Centres stay this near to 0, as a share of the widest difference."""


def log_wealth(s: Floats | float, v: Floats | float, alpha: float) -> Floats:
    """Return log W(s, v) (see the module) of one side; -inf where s <= 0, which is evidence of nothing.

    `s` and `v` >= 0 are in units of the scale and its square, arrays or numbers.
    """
    r = _tuning(alpha)
    s = np.asarray(s, np.float64)
    a = np.asarray(v, np.float64) + r
    b = np.maximum(s, 0.0) + a
    constant = r * log(r) - gammaln(r) - log(gammainc(r, r))
    value = constant + b - r + gammaln(a) + np.log(gammainc(a, b)) - a * np.log(b)
    return np.where(s > 0, value, -np.inf)


def half_width(sets: int, spread: float, scale: float, alpha: float) -> float:
    """Return how far the interval reaches to either side of the mean of so many differences.

    `spread` is V_n, the sum of squares about the centres, in square points; `scale` is in points.
    """
    v, wanted = spread / scale**2, log(2 / alpha)
    highest = 1.0
    while log_wealth(highest, v, alpha) < wanted:
        highest *= 2
    s = brentq(lambda s: float(log_wealth(s, v, alpha)) - wanted, highest / 4096, highest, xtol=1e-12)
    return float(s) * scale / sets


def _tuning(alpha: float) -> float:
    """Return r for which a side's bound is about narrowest at `NARROWEST_AT` (Howard et al., section 3.5)."""
    side = 2 * log(2 / alpha)
    return NARROWEST_AT / (side + log(1 + side))


@dataclass(frozen=True)
class Measure:
    """What a whole number of difference is worth, and how far differences can go, in points per round."""

    unit: float
    """One of the integers that differences are kept in."""
    widest: float
    """The most that a set's difference can be."""
    scale: float
    """By how much a set's difference can at most fall short of the centre: see `scale_of`."""


@dataclass(frozen=True)
class Track:
    """Differences folded block by block, in the order of the schedule; the sums after each block are kept.

    A block gives its number of sets, and the sum and square sum of its sets' integer differences. Its centre is
    the mean of all before it, 0 for the first, and never further from 0 than `CENTRES_WITHIN` of the widest
    difference.
    """

    measure: Measure
    sets: Whole
    """int64 [blocks]: sets up to and with each block; likewise all that follow."""
    totals: Whole
    """int64 [blocks]: the sum of differences."""
    squares: Whole
    """int64 [blocks]: the sum of their squares."""
    spread: Floats
    """float64 [blocks]: V, in square points."""

    @classmethod
    def empty(cls, measure: Measure) -> Self:
        """Return a track of no blocks."""
        none = np.zeros(0, np.int64)
        return cls(measure, none, none, none, np.zeros(0))

    def __len__(self) -> int:
        return len(self.sets)

    def after(self, sets: Whole, totals: Whole, squares: Whole) -> Self:
        """Return the track with these blocks folded in: the same bits however blocks are shared out over calls."""
        unit = self.measure.unit
        all_sets, all_totals = _running(self.sets, sets), _running(self.totals, totals)
        bound = CENTRES_WITHIN * self.measure.widest
        centre = np.clip(unit * all_totals[:-1] / np.maximum(all_sets[:-1], 1), -bound, bound)
        about = unit**2 * squares - 2 * unit * centre * totals + sets * centre**2
        pieces = (
            (self.sets, all_sets),
            (self.totals, all_totals),
            (self.squares, _running(self.squares, squares)),
            (self.spread, _running(self.spread, np.maximum(about, 0.0))),
        )
        return type(self)(self.measure, *(np.concatenate([old, new[1:]]) for old, new in pieces))

    def since(self, block: int) -> Self:
        """Return the track with what it had come to after each block from number `block` on."""
        return self._part(slice(block, None))

    def until(self, block: int | None) -> Self:
        """Return the track up to and with block number `block`, all of it for None."""
        return self._part(slice(None if block is None else block + 1))

    def _part(self, blocks: slice) -> Self:
        kept = (getattr(self, name)[blocks] for name in ("sets", "totals", "squares", "spread"))
        return type(self)(self.measure, *kept)

    def mean(self, block: int = -1) -> float:
        """Return the mean difference up to and with a block, in points."""
        return float(self.totals[block] / self.sets[block] * self.measure.unit)

    def interval(self, alpha: float, block: int = -1) -> Interval:
        """Return the interval of the sequence after a block, in points, cut to the possible range."""
        mean, widest = self.mean(block), self.measure.widest
        half = half_width(int(self.sets[block]), float(self.spread[block]), self.measure.scale, alpha)
        return Interval(max(mean - half, -widest), min(mean + half, widest))

    def above(self, value: float, alpha: float) -> NDArray[np.bool_]:
        """Return for each block whether the interval after it lies above a value, in points."""
        return self._rules_out(value, 1, alpha)

    def below(self, value: float, alpha: float) -> NDArray[np.bool_]:
        """Return for each block whether the interval after it lies below a value, in points."""
        return self._rules_out(value, -1, alpha)

    def _rules_out(self, value: float, side: int, alpha: float) -> NDArray[np.bool_]:
        s = side * (self.totals * self.measure.unit - self.sets * value) / self.measure.scale
        v = self.spread / self.measure.scale**2
        wanted = log(2 / alpha)
        found = (s > 0) & (s * s >= 2 * v * wanted)  # p(l) >= l^2 / 2, so that log W <= s^2 / (2 v)
        found[found] = log_wealth(s[found], v[found], alpha) >= wanted
        return found


def _running(so_far: NDArray[Any], new: NDArray[Any]) -> NDArray[Any]:
    """Return the last sum so far and the running sums over new values behind it."""
    begin = so_far[-1:] if len(so_far) else np.zeros(1, so_far.dtype)
    return np.cumsum(np.concatenate([begin, new]))
