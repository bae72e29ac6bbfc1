"""What `count-winners` reckons with, against the same sums written out."""

import itertools
import math
import random

import numpy as np
import pytest

from ohpshaw_agents._winner_sums import COLUMNS, LEADING, ROWS, aimed_chance, odds_of, power_of


@pytest.mark.parametrize("base", [0.0, 0.3, 0.97, 1.0, 1.5])
def test_powers(base: float) -> None:
    for exponent in range(64):
        assert float(power_of(base, exponent)) == pytest.approx(base**exponent, rel=1e-12)


def test_odds_are_nearly_the_exponential() -> None:
    for score in np.linspace(-3, 3, 61):
        assert float(odds_of(float(score))) == pytest.approx(math.exp(score), rel=0.1)


def chance_by_enumeration(odds: list[float], wanted: int) -> float:
    """The chance of so many wins: all ways, one after the other."""
    return sum(
        math.prod(o / (1 + o) if i in winners else 1 / (1 + o) for i, o in enumerate(odds))
        for winners in itertools.combinations(range(len(odds)), wanted)
    )


def test_the_chance_of_each_number_of_tricks_is_that_of_all_ways_to_win_them() -> None:
    """With an aim of 1 nothing is pushed; every number of wins, those few enough to need no memory and the others."""
    rng = random.Random(1)
    for _ in range(40):
        odds = [rng.choice([1e6, rng.uniform(0.01, 4.0)]) for _ in range(rng.randint(1, 9))]
        room = np.zeros((ROWS, COLUMNS))
        room[LEADING, : len(odds)] = odds
        factor = rng.uniform(0.5, 2.0)
        chances = [
            float(aimed_chance(room, LEADING, len(odds), t, factor, 1.0)) for t in range(len(odds) + 1)
        ]
        wanted = [chance_by_enumeration([o * factor for o in odds], t) for t in range(len(odds) + 1)]
        assert chances == pytest.approx(wanted, rel=1e-9, abs=1e-12)
        assert sum(chances) == pytest.approx(1.0)


def test_aiming_raises_the_chance_of_what_is_wanted() -> None:
    room = np.zeros((ROWS, COLUMNS))
    room[LEADING, :6] = [0.2, 0.4, 0.7, 1.0, 1.5, 3.0]
    for wanted in range(7):
        aimed, plain = (float(aimed_chance(room, LEADING, 6, wanted, 1.0, aim)) for aim in (2.0, 1.0))
        assert aimed >= plain - 1e-12
    assert float(aimed_chance(room, LEADING, 6, -1, 1.0, 2.0)) == 0.0
    assert float(aimed_chance(room, LEADING, 6, 7, 1.0, 2.0)) == 0.0
