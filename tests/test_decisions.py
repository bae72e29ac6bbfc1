"""The rule that decides a comparison: its measure, its order, and its promise over a thousand runs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ohpshaw_sim.analysis.decisions import (
    Decision,
    Rule,
    decision_after,
    first_decided,
    make_rule,
    measure_of,
    within_margin,
)
from ohpshaw_sim.analysis.power import sequential_sets
from ohpshaw_sim.analysis.sequences import Measure, Track
from ohpshaw_sim.errors import MalformedError
from ohpshaw_sim.rules import Rules

RUNS, LOOKS, BLOCK = 1000, 3000, 16
FINE = 64
"""Parts that a unit is cut into, so that differences can be moved to a mean of very nearly 0 and stay integers."""
SCHEDULES = {
    "equal by luck": (1, 2, 3),
    "equal by others' luck": (5,),
    "near": tuple(range(1, 8)),
    "near one deal": (5,),
    "apart one card": (1,),
    "apart": (1, 2, 3),
}
"""Hand sizes of the series in golden/paired_differences.csv, four players each."""
MOST_FALSE = int(stats.binom.ppf(0.999, RUNS, 0.05))

Draw = Callable[[np.random.Generator, tuple[int, int]], Any]


def track_of(totals: list[int], squares: list[int], measure: Measure) -> Track:
    sets = np.full(len(totals), BLOCK)
    return Track.empty(measure).after(sets, np.array(totals), np.array(squares))


def recorded(pair: str) -> tuple[Any, Measure]:
    """Return the differences that a pair was seen to have, once for each time, and their measure."""
    frame = pd.read_csv(Path(__file__).parent / "golden" / "paired_differences.csv")
    mine = frame[frame.pair == pair]
    sizes = SCHEDULES[pair]
    return np.repeat(mine["difference"].to_numpy(), mine["count"]), measure_of(
        Rules(hand_sizes=sizes), 4, sizes
    )


def with_mean_zero(values: Any, measure: Measure) -> tuple[Any, Measure]:
    moved = np.round((values - values.mean()) * FINE).astype(np.int64)
    return moved, Measure(measure.unit / FINE, measure.widest, measure.scale)


def decided(draw: Draw, measure: Measure, rule: Rule, runs: int = RUNS, looks: int = LOOKS) -> list[Decision]:
    """Return what runs ended with that were looked at after every block."""
    rng = np.random.default_rng(7)
    found = []
    for _ in range(runs):
        blocks = draw(rng, (looks, BLOCK))
        sums = np.full(looks, BLOCK), blocks.sum(axis=1), (blocks**2).sum(axis=1)
        track = Track.empty(measure).after(*sums)
        block = first_decided(track, rule)
        found.append(Decision.UNDECIDED if block is None else decision_after(track, rule, block))
    return found


def signs(found: list[Decision]) -> int:
    return sum(one in (Decision.SUPERIOR, Decision.INFERIOR) for one in found)


@pytest.mark.parametrize("pair", SCHEDULES)
def test_agents_without_a_difference_are_rarely_found_different(pair: str) -> None:
    """Differences as they were played, moved to a mean of 0: 1,000 runs, 3,000 looks each."""
    values, measure = with_mean_zero(*recorded(pair))
    found = decided(lambda rng, shape: rng.choice(values, shape), measure, Rule())
    assert signs(found) <= MOST_FALSE


def rare_losses(deals: int, chance: float) -> Draw:
    """Sets of some deals: each loses 100 with this chance, else gains what makes up for it on the average."""
    gain = round(100 * chance / (1 - chance) * FINE)

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> Any:
        lost = rng.binomial(deals, chance, shape)
        return (deals - lost) * gain - lost * 100 * FINE

    return draw


@pytest.mark.parametrize(("deals", "chance"), [(1, 0.01), (1, 0.001), (13, 0.002), (13, 0.0005)])
def test_rare_and_costly_mistakes_are_not_overlooked(deals: int, chance: float) -> None:
    """Before its first mistake an agent looks better in every set; t tests and asymptotic sequences believe it."""
    measure = Measure(unit=1 / 100 / FINE / deals, widest=1.0, scale=17 / 16 / deals)
    found = decided(rare_losses(deals, chance), measure, Rule(), looks=500)
    assert signs(found) <= MOST_FALSE


def test_a_plain_interval_looked_at_as_often_errs_in_a_third_of_runs() -> None:
    """What the sequence is for; and that these tests can fail."""
    values, _ = with_mean_zero(*recorded("equal by luck"))
    rng = np.random.default_rng(7)
    false = 0
    for _ in range(200):
        blocks = rng.choice(values, (LOOKS, BLOCK))
        n = BLOCK * np.arange(1, LOOKS + 1)
        total, squares = blocks.sum(axis=1).cumsum(), (blocks**2).sum(axis=1).cumsum()
        errors = np.sqrt((squares - total**2 / n) / (n - 1) * n)
        false += bool((np.abs(total) > stats.t.ppf(0.975, n - 1) * errors)[3:].any())
    assert false > 200 / 3


def test_differences_as_large_as_the_margin_are_rarely_called_equivalent() -> None:
    values, measure = with_mean_zero(*recorded("near"))
    margin = 0.1
    moved = values + round(margin / measure.unit)
    found = decided(lambda rng, shape: rng.choice(moved, shape), measure, Rule(margin=margin))
    assert found.count(Decision.EQUIVALENT) <= MOST_FALSE
    assert found.count(Decision.INFERIOR) <= MOST_FALSE
    assert found.count(Decision.SUPERIOR) > RUNS / 2


@pytest.mark.parametrize(("pair", "margin"), [("apart", None), ("near", None), ("equal by luck", 0.3)])
def test_the_promised_power_is_kept(pair: str, margin: float | None) -> None:
    """As many sets as `plan` names for 80 % decide 80 % of runs as they should, or a little more."""
    values, measure = recorded(pair)
    if margin is not None:
        values, measure = with_mean_zero(values, measure)
    points = values * measure.unit
    rule, difference = Rule(margin=margin), 0.0 if margin else float(points.mean())
    waiting = sequential_sets(difference, float(points.std()), measure, rule, 0.8, BLOCK)
    assert waiting is not None
    looks = -(-waiting.for_power // BLOCK)
    found = decided(lambda rng, shape: rng.choice(values, shape), measure, rule, looks=looks)
    wanted = Decision.EQUIVALENT if margin else Decision.SUPERIOR
    assert stats.binom.ppf(0.001, RUNS, 0.78) <= found.count(wanted) <= stats.binom.ppf(0.999, RUNS, 0.84)


def test_agents_that_never_differ_are_equivalent_in_the_end_and_never_apart() -> None:
    measure = measure_of(Rules(hand_sizes=(1, 2, 3)), 4, (1, 2, 3))
    track = track_of([0] * 500, [0] * 500, measure)
    assert first_decided(track, Rule()) is None
    block = first_decided(track, Rule(margin=0.05))
    assert block is not None
    assert track.sets[block] > measure.scale / 0.05
    assert decision_after(track, Rule(margin=0.05), block) is Decision.EQUIVALENT


def test_nothing_is_decided_on_fewer_sets_than_asked() -> None:
    track = track_of([900] * 60, [60_000] * 60, Measure(0.02, 12.0, 4.0))
    assert track.above(0, 0.05)[4]
    for least in (160, 480):
        block = first_decided(track, Rule(min_sets=least))
        assert block is not None
        assert track.sets[block] == least
        assert decision_after(track, Rule(min_sets=least), block - 1) is Decision.UNDECIDED


def test_a_known_sign_is_told_before_a_small_size() -> None:
    """A difference of 0.02 in thousands of even sets: above 0, and within 0.1."""
    track = track_of([16] * 4000, [32] * 4000, Measure(0.02, 2.0, 1.0))
    rule = Rule(margin=0.1)
    assert decision_after(track, rule) is Decision.SUPERIOR
    assert within_margin(track, rule) is True
    assert within_margin(track, Rule()) is None
    mirrored = track_of([-16] * 4000, [32] * 4000, Measure(0.02, 2.0, 1.0))
    assert decision_after(mirrored, rule) is Decision.INFERIOR


def test_one_deal_of_many_is_the_scale_and_a_whole_set_when_asked() -> None:
    rules = Rules(hand_sizes=(1, 2, 3))
    by_deal, whole = (measure_of(rules, 4, (1, 2, 3), exact=exact) for exact in (False, True))
    assert by_deal.widest == whole.widest == 12
    assert by_deal.scale == pytest.approx(13 / 3 * 17 / 16)
    assert whole.scale == pytest.approx(12 * 17 / 16)
    assert by_deal.unit == 1 / 12
    one = Rules(hand_sizes=(5,))
    assert measure_of(one, 3, (5,)) == measure_of(one, 3, (5,), exact=True)
    wizard = Rules(hand_sizes=(2,), scoring="wizard")
    assert measure_of(wizard, 3, (2,)).widest == 60  # 20 + 10 * 2 made, or 10 * 2 lost


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"alpha": 0.7}, "alpha is 0.7; it should be less than 0.5"),
        ({"alpha": 0}, "alpha is 0; it should be greater than 0"),
        ({"margin": -1}, "margin is -1; it should be greater than 0"),
        ({"min_sets": 0}, "min_sets is 0; it should be greater than or equal to 1"),
        ({"magrin": 1}, "a comparison has no 'magrin' (did you mean 'margin'?)"),
    ],
)
def test_bad_rules_are_told_in_a_sentence(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(MalformedError) as told:
        make_rule(**values)
    assert str(told.value) == sentence
