"""Strengths from places, against choix, and against the likelihood itself made largest by force."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import choix
import numpy as np
import pytest
from scipy.optimize import minimize

from ohpshaw_sim.analysis.plackett_luce import PSEUDO, groups, log_strengths
from place_orders import orders, ranks_of


def drawn(rng: np.random.Generator, strengths: Any, tables: Sequence[Sequence[int]]) -> list[list[int]]:
    """A place order, who comes first foremost, of each table: Plackett-Luce by way of Gumbel's distribution."""
    return [
        [table[at] for at in np.argsort(-(np.log(strengths[list(table)]) + rng.gumbel(size=len(table))))]
        for table in tables
    ]


def counted(items: int, weighted: Sequence[tuple[float, Sequence[int]]]) -> tuple[Any, Any, Any]:
    """Seats, times and wins of place orders, each with a weight."""
    chosen: dict[tuple[int, ...], Any] = defaultdict(lambda: np.zeros(items))
    for weight, order in weighted:
        for at in range(len(order) - 1):
            chosen[tuple(sorted(order[at:]))][order[at]] += weight
    seats = np.array([[left.count(item) for item in range(items)] for left in chosen])
    wins = np.array(list(chosen.values()))
    return seats, wins.sum(axis=1)[:, None], wins.sum(axis=0)[:, None]


def likeliest(items: int, weighted: Sequence[tuple[float, Sequence[int]]], pseudo: float) -> Any:
    """Log strengths with mean 0 that make the likelihood largest, the ghost's matches included; by force."""

    def cost(logs: Any) -> float:
        strength = np.exp(logs)
        found = sum(
            weight * (logs[order[at]] - np.log(sum(strength[item] for item in order[at:])))
            for weight, order in weighted
            for at in range(len(order) - 1)
        )
        for item in range(items):
            together = np.log(strength[item] + strength[items])
            found += pseudo * (logs[item] + logs[items] - 2 * together)
        return float(-found)

    best = minimize(cost, np.zeros(items + 1), method="BFGS", options={"gtol": 1e-9}).x[:items]
    return best - best.mean()


def test_strengths_are_those_of_choix() -> None:
    rng = np.random.default_rng(5)
    strengths = np.array([3.0, 2, 1, 1, 0.5, 0.2])
    found = drawn(rng, strengths, [rng.choice(6, 4, replace=False).tolist() for _ in range(400)])
    mine = log_strengths(*counted(6, [(1, order) for order in found]), pseudo=0)[:, 0]
    theirs = choix.ilsr_rankings(6, [tuple(order) for order in found])
    assert mine == pytest.approx(theirs - theirs.mean(), abs=1e-6)
    assert mine == pytest.approx(np.log(strengths) - np.log(strengths).mean(), abs=0.3)


def test_with_several_seats_and_ties_strengths_make_the_likelihood_largest() -> None:
    rng = np.random.default_rng(6)
    weighted: list[tuple[float, list[int]]] = []
    for _ in range(60):
        table = rng.choice([0, 0, 1, 2, 2, 3], 4)
        every = orders(ranks_of(rng.integers(0, 4, 4).tolist()))
        weighted += [(1 / len(every), [int(table[place]) for place in order]) for order in every]
    mine = log_strengths(*counted(4, weighted))[:, 0]
    assert mine == pytest.approx(likeliest(4, weighted, PSEUDO), abs=1e-5)
    without = log_strengths(*counted(4, weighted), pseudo=0)[:, 0]
    assert without == pytest.approx(likeliest(4, weighted, 0), abs=1e-4)


def test_whoever_always_wins_stays_finite_and_first() -> None:
    orders_ = [(1.0, [0, 1, 2]), (1.0, [0, 2, 1])] * 50
    seats, times, wins = counted(3, orders_)
    best, *others = log_strengths(seats, times, wins)[:, 0]
    assert 3 < best < 12
    assert others[0] == pytest.approx(others[1])
    more = log_strengths(seats, 10 * times, 10 * wins)[0, 0]
    assert more > best  # the ghost weighs less, the more matches there are


def test_weightings_are_fitted_side_by_side() -> None:
    rng = np.random.default_rng(7)
    weighted = [(1.0, rng.permutation(4).tolist()) for _ in range(30)]
    seats, times, wins = counted(4, weighted)
    weights = np.array([1.0, 0.5, 7.0])
    together = log_strengths(seats, times * weights, wins * weights)
    for at, weight in enumerate(weights):
        alone = log_strengths(seats, times * weight, wins * weight)[:, 0]
        assert together[:, at] == pytest.approx(alone, abs=1e-7)
    started = log_strengths(seats, times, wins, start=together[:, :1] + 3)
    assert started[:, 0] == pytest.approx(together[:, 0], abs=1e-7)


def test_strengths_without_a_maximum_do_not_settle_without_the_ghost() -> None:
    seats, times, wins = counted(2, [(1.0, [0, 1])])
    with pytest.raises((ArithmeticError, RuntimeWarning)):
        log_strengths(seats, times, wins, pseudo=0)


def test_groups_that_never_met_and_those_that_never_lost() -> None:
    def of(*found: Sequence[int]) -> tuple[int, int]:
        chosen: dict[tuple[int, ...], Any] = defaultdict(lambda: np.zeros(4, bool))
        for order in found:
            for at in range(len(order) - 1):
                chosen[tuple(sorted(order[at:]))][order[at]] = True
        seats = np.array([[left.count(item) for item in range(4)] for left in chosen])
        return groups(seats, np.array(list(chosen.values())))

    assert of([0, 1], [1, 0], [2, 3], [3, 2]) == (2, 2)
    assert of([0, 1], [1, 2], [2, 3], [3, 0]) == (1, 1)
    assert of([0, 1, 2, 3], [0, 3, 2, 1]) == (1, 2)
    assert of([0, 1, 2, 3]) == (1, 4)
    assert of([0, 1], [1, 0], [1, 2], [2, 1], [3, 3]) == (2, 2)
