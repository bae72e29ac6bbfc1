"""The confidence sequence: against numerical integration, brute force, and expectations taken exactly."""

from itertools import product
from math import log, log1p

import numpy as np
import pytest
from scipy import integrate

from ohpshaw_sim.analysis.sequences import Measure, Track, half_width, log_wealth

ALPHA = 0.05
ONE = Measure(unit=1.0, widest=1.0, scale=17 / 16)


def weight(tilt: float) -> float:
    """The density over tilts 1 - u that the sequence's wealth is a mean for, as its module defines it."""
    side = 2 * log(2 / ALPHA)
    r = 32 / (side + log(1 + side))
    return float((1 - tilt) ** (r - 1) * np.exp(-r * (1 - tilt)))


def wealth_of(tilt: float, s: float, v: float) -> float:
    return float(np.exp(tilt * s + v * (log1p(-tilt) + tilt)))


@pytest.mark.parametrize(("s", "v"), [(3.0, 0.0), (3.0, 2.0), (0.5, 100.0), (40.0, 300.0), (500.0, 20000.0)])
def test_wealth_is_the_weighted_mean_of_the_gamblers(s: float, v: float) -> None:
    peak = s / (s + v)
    whole = integrate.quad(weight, 0, 1)[0]
    mean = integrate.quad(lambda tilt: wealth_of(tilt, s, v) * weight(tilt), 0, 1, points=[peak], limit=400)[
        0
    ]
    assert float(log_wealth(s, v, ALPHA)) == pytest.approx(log(mean / whole), abs=1e-6)


def test_no_gambler_gains_by_a_single_difference() -> None:
    """exp(l x - p(l) x^2) <= 1 + l x for x >= -1: what the whole sequence rests on."""
    for tilt in np.linspace(0, 0.999, 200):
        x = np.linspace(-1, 30, 4000)
        assert (tilt * x + (log1p(-tilt) + tilt) * x**2 <= np.log1p(tilt * x) + 1e-12).all()


@pytest.mark.parametrize("high", [0.05, 0.4, 1.0])
def test_the_expected_wealth_is_at_most_one_over_every_path(high: float) -> None:
    """All 2^10 paths of blocks of one set whose mean is 0: rare losses of 1, and gains that make up for them."""
    lose = high / (1 + high)
    unit = 1 / 20
    expected = np.zeros(2)
    for path in product([round(high / unit), -20], repeat=10):
        values = np.array(path)
        chance = np.prod(np.where(values < 0, lose, 1 - lose))
        track = Track.empty(Measure(unit, 1.0, 17 / 16)).after(np.ones(10, np.int64), values, values**2)
        s, v = values.sum() * unit / (17 / 16), track.spread[-1] / (17 / 16) ** 2
        expected += chance * np.exp([log_wealth(s, v, ALPHA), log_wealth(-s, v, ALPHA)])
    assert (expected <= 1).all()
    assert expected.max() > 0.1


def test_many_independent_deals_need_the_scale_of_one_only() -> None:
    """The expectation of gamblers' wealth over a set of up to 13 deals of 3,000 odd distributions, exactly."""
    rng = np.random.default_rng(2)
    tilts = np.array([0.05, 0.2, 0.5, 0.9])
    costs = -np.log1p(-tilts) - tilts
    values = np.arange(-20, 21) / 20
    for _ in range(3000):
        deals, kinds = int(rng.integers(1, 14)), int(rng.integers(2, 4))
        one = np.zeros(41)
        np.add.at(
            one, [0, *rng.integers(0, 41, kinds - 1)], rng.dirichlet([rng.choice([0.05, 0.2, 1, 5])] * kinds)
        )
        whole = np.ones(1)
        for _ in range(deals):
            whole = np.convolve(whole, one)
        mean = values @ one
        reach = mean + 1  # how far one deal can fall short of its mean
        if reach < 0.05:
            continue
        x = (np.arange(len(whole)) / 20 - deals - deals * mean) / reach
        assert (np.exp(tilts[:, None] * x - costs[:, None] * x**2) @ whole).max() <= 1 + 1e-9


def some_blocks(blocks: int = 40, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Differences [blocks, 8] and their track's arguments, stacked as int64 [3, blocks]."""
    values = np.random.default_rng(seed).integers(-9, 12, (blocks, 8))
    return values, np.array([np.full(blocks, 8), values.sum(1), (values**2).sum(1)])


def test_a_track_agrees_with_a_walk_from_set_to_set() -> None:
    values, blocks = some_blocks()
    track = Track.empty(Measure(0.5, 10.0, 11.0)).after(*blocks)
    seen: list[float] = []
    spread = 0.0
    for number, block in enumerate(values * 0.5):
        centre = min(max(float(np.mean(seen)), -0.625), 0.625) if seen else 0.0
        spread += float(((block - centre) ** 2).sum())
        seen.extend(block)
        assert track.spread[number] == pytest.approx(spread)
        assert track.mean(number) == pytest.approx(np.mean(seen))
        assert track.sets[number] == len(seen)


def test_a_track_is_the_same_however_its_blocks_come() -> None:
    _, blocks = some_blocks()
    at_once = Track.empty(ONE).after(*blocks)
    by_pieces = Track.empty(ONE)
    for first, end in ((0, 1), (1, 1), (1, 17), (17, 40)):
        by_pieces = by_pieces.after(*blocks[:, first:end])
    for name in ("sets", "totals", "squares", "spread"):
        assert getattr(at_once, name).tobytes() == getattr(by_pieces, name).tobytes()


def test_interval_and_wealth_tell_the_same() -> None:
    _, blocks = some_blocks(200)
    track = Track.empty(Measure(0.5, 10.0, 11.0)).after(*blocks)
    for value in (-0.5, 0.0, 0.7):
        above, below = track.above(value, ALPHA), track.below(value, ALPHA)
        for block in range(0, 200, 7):
            low, high = track.interval(ALPHA, block)
            assert low < track.mean(block) < high
            assert above[block] == (low > value)
            assert below[block] == (high < value)
    assert track.above(0, ALPHA)[-1]
    assert not track.above(0, ALPHA)[0]


def test_equal_differences_leave_an_interval_as_wide_as_what_may_hide() -> None:
    """After n sets without any difference, a loss of the scale in each of a share 3.7 / n of sets is not ruled out."""
    for sets in (10, 1000, 10**6):
        half = half_width(sets, 0.0, 2.0, ALPHA)
        assert half * sets > 2.0 * log(2 / ALPHA)
        assert half * sets == pytest.approx(half_width(1, 0.0, 2.0, ALPHA))


def test_intervals_narrow_as_the_square_root_of_sets() -> None:
    """Between two and a half and four standard errors from 500 to 5,000,000 sets, never less than a plain one."""
    for sets in (500, 5_000, 5_000_000):
        standard_error = 0.8 / sets**0.5
        assert 2.5 < half_width(sets, sets * 0.64, 2.0, ALPHA) / standard_error < 5
    ratios = [half_width(n, n * 0.64, 2.0, ALPHA) * n**0.5 for n in (100, 1_600)]
    assert ratios[1] < ratios[0]
