"""How many sets a difference takes to be found: by a test of a size fixed beforehand, and by looking as one goes.

`difference` and `sd`, the standard deviation of the sets' paired differences, are in points per round.
"""

from dataclasses import dataclass
from math import ceil, exp, sqrt
from typing import Final

import numpy as np
from scipy.special import nctdtr, ndtri, stdtrit

from ohpshaw_sim.analysis.decisions import Rule
from ohpshaw_sim.analysis.sequences import Measure, Track, Whole, half_width

MOST_SETS: Final = 10**12
"""Where more would be needed, no number is given."""
_RUNS: Final = 1000
_LOOKS: Final = 500
_SURE: Final = 3.0
"""Standard errors by which simulated runs are longer than it takes to decide on the average."""


def fixed_sets(difference: float, sd: float, alpha: float, power: float) -> int | None:
    """Return the sets after which a two-sided paired t test finds a difference with this power.

    The power of the test is that of the noncentral t distribution (Johnson, Kotz & Balakrishnan, Continuous
    Univariate Distributions 2, 2nd ed. 1995, chapter 31). None without a difference, or when it takes over `MOST_SETS`.
    """
    if difference == 0:
        return None
    effect = abs(difference) / sd if sd else np.inf
    normal = ((ndtri(1 - alpha / 2) + ndtri(power)) / effect) ** 2
    if normal > MOST_SETS:
        return None
    sets = max(2, int(normal) - 2)
    while _power(sets, effect, alpha) < power:
        sets += 1
    return sets


def _power(sets: int, effect: float, alpha: float) -> float:
    """Return the chance that the test finds an effect, in standard deviations, with the right sign."""
    if np.isinf(effect):
        return 1.0
    quantile = stdtrit(sets - 1, 1 - alpha / 2)
    return float(1 - nctdtr(sets - 1, effect * sqrt(sets), quantile))


def fixed_sets_within(margin: float, sd: float, alpha: float, power: float) -> int | None:
    """Return the sets after which a plain interval lies within the margin with this power, if nothing differs.

    Two one-sided tests of alpha / 2 each, by the normal distribution (Schuirmann, Journal of Pharmacokinetics and
    Biopharmaceutics 15, 1987). None when it takes over `MOST_SETS`.
    """
    normal = ((ndtri(1 - alpha / 2) + ndtri((1 + power) / 2)) * sd / margin) ** 2
    return None if normal > MOST_SETS else max(2, ceil(normal))


@dataclass(frozen=True)
class Waiting:
    """After how many sets simulated comparisons ended."""

    mean: int
    median: int
    most: int
    """Nine in ten had ended."""
    for_power: int
    """The power's share had decided as they should: `max_sets` for this power."""


def sequential_sets(
    difference: float, sd: float, measure: Measure, rule: Rule, power: float, block_sets: int
) -> Waiting | None:
    """Return after how many sets the sequential rule finds a difference, by simulation with a fixed seed.

    The sets' differences are drawn from a normal distribution. With a difference of 0 the rule's margin is waited for.
    None when neither is there, or when it takes over `MOST_SETS`.
    """
    goal = abs(difference) or rule.margin
    if goal is None:
        return None
    horizon = _horizon(goal, sd, measure, rule)
    if horizon is None:
        return None
    step = block_sets * ceil(horizon / block_sets / _LOOKS)
    looks = step * np.arange(1, ceil(horizon / step) + 1)
    ended = _first_ends(abs(difference), sd, measure, rule, looks)
    at = [ceil(value) for value in np.quantile(ended, [0.5, 0.9, power], method="inverted_cdf")]
    return Waiting(ceil(ended.mean()), *at)


def _horizon(goal: float, sd: float, measure: Measure, rule: Rule) -> int | None:
    """Return sets after which all but one run in a thousand have reached the goal."""
    sets = max(rule.min_sets, 2)
    while sets < MOST_SETS:
        half = half_width(sets, sets * sd**2, measure.scale, rule.alpha)
        if half + _SURE * sd / sqrt(sets) < goal:
            return sets
        sets = ceil(sets * 1.1)
    return None


def _first_ends(difference: float, sd: float, measure: Measure, rule: Rule, looks: Whole) -> Whole:
    """Return for each simulated run the sets at which it ended as it should; the last look stands for later ones.

    The spread is taken as known, sets * sd^2: its own error is small beside that of the mean.
    """
    rng = np.random.default_rng(1)
    step = int(looks[0])
    walks = rng.normal(difference * step, sd * sqrt(step), (_RUNS, len(looks))).cumsum(axis=1)
    bounds = np.array([half_width(int(n), n * sd**2, measure.scale, rule.alpha) * n for n in looks])
    reached = walks if difference else (rule.margin or 0) * looks - np.abs(walks)
    found = (reached >= bounds) & (looks >= rule.min_sets)
    found[:, -1] = True
    ends: Whole = looks[found.argmax(axis=1)]
    return ends


@dataclass(frozen=True)
class Pilot:
    """What a short run says of the sets' differences: mean, standard deviation and its upper 95 % bound."""

    sets: int
    mean: float
    sd: float
    sd_high: float


def pilot_of(track: Track) -> Pilot:
    """Return what the blocks of a pilot say.

    The bound is that of the logarithm of the variance, by Student's t over the blocks' mean squares about the mean:
    blocks are independent, so it holds for differences of any shape, while the textbook's chi-square bound needs
    normal ones. Needs two blocks.
    """
    sets = np.diff(track.sets, prepend=0)
    totals, squares = np.diff(track.totals, prepend=0), np.diff(track.squares, prepend=0)
    unit, mean, blocks = track.measure.unit, track.mean(), len(track)
    about = squares * unit**2 - 2 * mean * totals * unit + sets * mean**2
    variance = float(about.sum() / (track.sets[-1] - 1))
    if variance <= 0:
        return Pilot(int(track.sets[-1]), mean, 0.0, 0.0)
    error = float((about / sets).std(ddof=1)) / sqrt(blocks) / variance
    high = variance * exp(float(stdtrit(blocks - 1, 0.95)) * error)
    return Pilot(int(track.sets[-1]), mean, sqrt(variance), sqrt(high))
