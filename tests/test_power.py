"""Sets that a difference takes: against the textbook, simulation, and the sequence itself."""

from math import inf

import numpy as np
import pytest
from scipy import stats

from ohpshaw_sim.analysis.decisions import Rule
from ohpshaw_sim.analysis.power import fixed_sets, fixed_sets_within, pilot_of, sequential_sets
from ohpshaw_sim.analysis.sequences import Measure, Track, half_width

MEASURE = Measure(unit=0.01, widest=17.0, scale=2.0)


def test_the_textbook_case() -> None:
    """Half a standard deviation at 5 %, 80 %: 34 pairs (Cohen, Statistical Power Analysis, 2nd ed. 1988)."""
    assert fixed_sets(0.5, 1.0, 0.05, 0.8) == 34
    assert fixed_sets(-0.5, 1.0, 0.05, 0.8) == 34
    assert fixed_sets(0.25, 0.5, 0.05, 0.8) == 34


@pytest.mark.parametrize(
    ("effect", "alpha", "power"), [(2.0, 0.05, 0.8), (0.3, 0.01, 0.9), (0.05, 0.05, 0.95)]
)
def test_one_set_less_is_too_few(effect: float, alpha: float, power: float) -> None:
    sets = fixed_sets(effect, 1.0, alpha, power)
    assert sets is not None
    found = [
        stats.nct(n - 1, effect * n**0.5).sf(stats.t.ppf(1 - alpha / 2, n - 1)) for n in (sets - 1, sets)
    ]
    assert found[1] >= power
    assert found[0] < power or sets == 2


def test_no_difference_is_found_by_no_number_of_sets() -> None:
    assert fixed_sets(0.0, 1.0, 0.05, 0.8) is None
    assert fixed_sets(1e-9, 1.0, 0.05, 0.8) is None
    assert fixed_sets(1.0, 0.0, 0.05, 0.8) == 2
    assert fixed_sets_within(1e-9, 1.0, 0.05, 0.8) is None
    assert sequential_sets(0.0, 1.0, MEASURE, Rule(), 0.8, 16) is None
    assert sequential_sets(1e-9, 1.0, MEASURE, Rule(), 0.8, 16) is None


def test_sets_to_lie_within_a_margin() -> None:
    sets = fixed_sets_within(0.1, 1.0, 0.05, 0.8)
    assert sets is not None
    means = np.random.default_rng(1).normal(0, 1 / sets**0.5, 200_000)
    inside = (np.abs(means) + stats.norm.ppf(0.975) / sets**0.5 < 0.1).mean()
    assert inside == pytest.approx(0.8, abs=0.004)


def test_looking_as_one_goes_takes_the_sets_that_the_interval_says() -> None:
    """With next to no spread every run ends at the same look: the first whose half-width is below the difference."""
    waiting = sequential_sets(0.5, 1e-9, MEASURE, Rule(), 0.8, 16)
    assert waiting is not None
    wanted = next(n for n in range(64, 10_000, 16) if half_width(n, 0.0, 2.0, 0.05) <= 0.5)
    assert set(vars(waiting).values()) == {wanted}


def test_waiting_is_ordered_and_grows_as_the_square_of_the_difference() -> None:
    near, far = (sequential_sets(difference, 0.8, MEASURE, Rule(), 0.8, 16) for difference in (0.02, 0.04))
    assert near is not None
    assert far is not None
    assert near.median <= near.mean <= near.for_power <= near.most
    assert 3.3 < near.mean / far.mean < 4.7
    fixed = fixed_sets(0.02, 0.8, 0.05, 0.8)
    assert fixed is not None
    assert fixed < near.mean < 2 * fixed


def test_other_powers_and_least_sets() -> None:
    values = [sequential_sets(0.1, 0.8, MEASURE, Rule(), power, 16) for power in (0.5, 0.9)]
    assert [one and one.for_power for one in values] == [
        one and (one.median, one.most)[at] for at, one in enumerate(values)
    ]
    late = sequential_sets(0.1, 0.8, MEASURE, Rule(min_sets=5000), 0.8, 16)
    assert late is not None
    assert late.median >= 5000


def pilot(values: np.ndarray) -> tuple[float, float, float]:
    """Return mean, standard deviation and its upper bound of a pilot, whole differences [blocks, sets]."""
    sums = np.full(len(values), values.shape[1]), values.sum(axis=1), (values**2).sum(axis=1)
    found = pilot_of(Track.empty(Measure(0.5, inf, 1.0)).after(*sums))
    assert found.sets == values.size
    return found.mean, found.sd, found.sd_high


def test_a_pilot_gives_the_plain_mean_and_deviation() -> None:
    values = np.random.default_rng(4).integers(-9, 20, (20, 16))
    mean, sd, high = pilot(values)
    assert mean == pytest.approx(values.mean() / 2)
    assert sd == pytest.approx(values.std(ddof=1) / 2)
    assert high > sd
    assert pilot(np.zeros((20, 16), np.int64)) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("heavy", [False, True])
def test_the_bound_of_a_pilots_deviation_holds_for_differences_of_any_shape(heavy: bool) -> None:
    """In 95 of 100 pilots, where the textbook's chi-square bound holds in 70 for the second shape."""
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(1000):
        values = np.round(rng.normal(0, 100, (20, 16)))
        if heavy:
            values *= rng.random((20, 16)) < 0.2
        truth = 50 * (0.2**0.5 if heavy else 1)
        held += pilot(values.astype(np.int64))[2] >= truth
    assert 0.91 <= held / 1000 <= 0.98
