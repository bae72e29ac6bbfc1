"""Ratio estimators, intervals and paired differences against hand formulas, special cases and simulation."""

from math import isnan, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from ohpshaw_sim.analysis.statistics import (
    Ratio,
    RatioSums,
    holm,
    mean_interval,
    paired_difference,
    ratio,
    share_interval,
    unseen_share,
    wilson,
)

Values = NDArray[np.int64]


def sums_of(y: Values, x: Values) -> RatioSums:
    return RatioSums(*(int(total) for total in (y.sum(), x.sum(), y @ y, x @ y, x @ x)))


def test_ratio_agrees_with_the_textbook_when_sets_weigh_the_same() -> None:
    y = np.array([30, 41, 25, 38, 33])
    estimate = ratio(sums_of(y, np.full(5, 10)))
    assert estimate.value == pytest.approx(3.34)
    assert estimate.variance == pytest.approx(np.var(y / 10, ddof=1) / 5)
    assert estimate.sets == 5


def test_ratio_agrees_with_residuals_worked_out_set_by_set() -> None:
    rng = np.random.default_rng(5)
    x = rng.integers(0, 9, 40)
    y = rng.binomial(x, 0.3)
    estimate = ratio(sums_of(y, x))
    residuals = y - y.sum() / x.sum() * x
    effective = x.sum() ** 2 / (x**2).sum()
    assert estimate.sets == pytest.approx(effective)
    assert estimate.sets < np.count_nonzero(x)
    assert estimate.variance == pytest.approx(
        effective / (effective - 1) * (residuals**2).sum() / x.sum() ** 2
    )


def test_ratio_knows_no_variance_from_one_set_and_no_value_from_none() -> None:
    nothing, one = ratio(RatioSums(0, 0, 0, 0, 0)), ratio(RatioSums(3, 4, 9, 12, 16))
    assert isnan(nothing.value)
    assert isnan(nothing.variance)
    assert one.value == 0.75
    assert isnan(one.variance)
    for estimate in (nothing, one):
        assert all(isnan(end) for end in (*mean_interval(estimate, 0, 10), *share_interval(estimate)))


def test_one_set_with_zero_bids_among_a_thousand_gives_no_interval() -> None:
    zero_bids, zero_hits = np.zeros(1000, np.int64), np.zeros(1000, np.int64)
    zero_bids[7], zero_hits[7] = 3, 2
    assert all(isnan(end) for end in share_interval(ratio(sums_of(zero_hits, zero_bids))))


def test_variance_is_exactly_zero_when_all_sets_agree_and_the_sums_are_huge() -> None:
    sets, x, y = 10**8, 10**6 + 7, 10**5 + 3
    estimate = ratio(RatioSums(sets * y, sets * x, sets * y * y, sets * x * y, sets * x * x))
    assert estimate.variance == 0.0
    assert estimate.sets == sets


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_a_share_without_variance_has_the_width_of_one_observation_per_set(share: float) -> None:
    low, high = share_interval(Ratio(share, 0.0, 20))
    assert 0 <= low <= share <= high <= 1
    assert (low, high) == wilson(share, 20, stats.t.ppf(0.975, 19))
    assert high - low > 0.1


def test_wilson_agrees_with_scipy() -> None:
    reference = stats.binomtest(7, 30).proportion_ci(0.95, method="wilson")
    assert wilson(7 / 30, 30, stats.norm.ppf(0.975)) == pytest.approx((reference.low, reference.high))


def test_a_mean_without_variance_is_bounded_by_what_the_sets_do_not_rule_out() -> None:
    assert unseen_share(30) == pytest.approx(stats.binomtest(0, 30).proportion_ci(0.95).high)
    low, high = mean_interval(Ratio(4.0, 0.0, 30), 0, 14)
    assert (low, high) == pytest.approx((4 - 4 * unseen_share(30), 4 + 10 * unseen_share(30)))


def test_a_mean_keeps_to_the_possible_range() -> None:
    assert mean_interval(Ratio(1.0, 1.0, 2), 0, 11)[0] == 0
    assert mean_interval(Ratio(10.5, 1.0, 2), 0, 11)[1] == 11


def test_paired_difference_is_the_one_sample_t_test() -> None:
    values = np.array([4, -2, 7, 1, 3, 0])
    found = paired_difference(6, int(values.sum()), int(values @ values), unit=0.5, widest=10)
    reference = stats.ttest_1samp(values * 0.5, 0)
    assert found.value == pytest.approx(values.mean() * 0.5)
    assert found.p == pytest.approx(reference.pvalue)
    assert (found.low, found.high) == pytest.approx(tuple(reference.confidence_interval()))


def test_paired_differences_without_variance() -> None:
    same = paired_difference(10, 50, 250, unit=1, widest=20)
    assert same.low < 5 < same.high
    assert same.p == 2 * 0.5**10
    none = paired_difference(10, 0, 0, unit=1, widest=20)
    assert none.p == 1
    assert none.low < 0 < none.high
    one = paired_difference(1, 5, 25, unit=1, widest=20)
    assert one.value == 5
    assert all(isnan(value) for value in one[1:])
    assert isnan(paired_difference(0, 0, 0, unit=1, widest=20).value)


def test_holm_by_hand_and_without_the_tests_that_were_not_made() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, np.nan, 0.6]) == pytest.approx([1.0, np.nan, 1.0], nan_ok=True)
    assert holm([]).shape == (0,)


def clustered(rng: np.random.Generator, sets: int, share: float, size: int) -> tuple[Values, Values]:
    """Draw hits and rounds of sets that differ in difficulty (beta) and in size."""
    x = rng.integers(size // 2, size + 1, sets)
    return rng.binomial(x, rng.beta(8 * share, 8 * (1 - share), sets)), x


@pytest.mark.parametrize(
    ("sets", "share", "size"), [(12, 0.5, 40), (100, 0.2, 8), (60, 0.9, 20), (200, 0.02, 10)]
)
def test_shares_are_covered_as_often_as_promised(sets: int, share: float, size: int) -> None:
    rng = np.random.default_rng([sets, size])
    covered = 0
    for _ in range(2000):
        low, high = share_interval(ratio(sums_of(*clustered(rng, sets, share, size))))
        covered += low <= share <= high
    assert 0.93 <= covered / 2000 <= 0.97


@pytest.mark.parametrize(("sets", "size"), [(10, 52), (100, 16)])
def test_means_are_covered_as_often_as_promised(sets: int, size: int) -> None:
    rng = np.random.default_rng([sets, size])
    covered = 0
    for _ in range(2000):
        hits, x = clustered(rng, sets, 0.4, size)
        low, high = mean_interval(ratio(sums_of(12 * hits, x)), 0, 12)
        covered += low <= 4.8 <= high
    assert 0.93 <= covered / 2000 <= 0.97


def test_rare_zero_bids_are_not_too_surely_known() -> None:
    """Few sets hold a zero bid at all: the interval must still cover at least as often as promised."""
    rng = np.random.default_rng(11)
    covered = made = 0
    for _ in range(2000):
        x = (rng.random(300) < 0.02).astype(np.int64)
        low, high = share_interval(ratio(sums_of(rng.binomial(x, 0.7), x)))
        made += not isnan(low)
        covered += low <= 0.7 <= high
    assert made > 1900
    assert covered / made >= 0.93


def test_paired_intervals_are_covered_and_null_p_values_are_uniform() -> None:
    rng = np.random.default_rng(3)
    found = []
    for _ in range(2000):
        values = rng.integers(-20, 21, 25)
        found.append(
            paired_difference(25, int(values.sum()), int(values @ values), unit=1, widest=sqrt(2) * 20)
        )
    covered = sum(one.low <= 0 <= one.high for one in found)
    assert 0.93 <= covered / 2000 <= 0.97
    assert stats.kstest([one.p for one in found], "uniform").pvalue > 0.001
