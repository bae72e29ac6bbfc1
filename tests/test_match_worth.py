"""The chance to win a match, from the score table and the rounds to come, against plain enumeration."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

from ohpshaw_agents._match_worth import lay_worth, win_chance
from ohpshaw_sim.interface.view import blank_views
from ohpshaw_sim.rules import SCORINGS
from reference_options import Options
from reference_scores import round_score

HIT = 0.625


def view_of(scores: tuple[int, ...], sizes: tuple[int, ...], **fields: int) -> Any:
    """What seat 0 sees in a round after which those of `sizes` come."""
    view = blank_views(1)[0]
    view.players, view.seat = len(scores), 0
    view.scores[: len(scores)] = scores
    view.rounds_to_go = len(sizes)
    view.schedule[1 : len(sizes) + 1] = sizes
    for name, value in fields.items():
        setattr(view, name, value)
    return view


def chance_of(view: Any, points: tuple[int, ...]) -> float:
    given = np.zeros(8, np.int64)
    given[: len(points)] = points
    return float(win_chance(view, lay_worth(view, HIT), given))


def from_seat(view: Any, seat: int, points: tuple[int, ...]) -> float:
    view.seat = seat
    return chance_of(view, points)


def rounds_of_a_seat(players: int, sizes: tuple[int, ...], options: Options) -> dict[int, float]:
    """Points of a seat over some rounds, with their chances: binomial bids, hit or missed by one."""
    found = {0: 1.0}
    for size in sizes:
        after: dict[int, float] = {}
        for before, chance in found.items():
            for bid in range(size + 1):
                claim = math.comb(size, bid) * (1 / players) ** bid * (1 - 1 / players) ** (size - bid)
                missed = bid - 1 if bid else 1
                for tricks, share in ((bid, HIT), (missed, 1 - HIT)):
                    total = before + round_score(bid, tricks, options, size)
                    after[total] = after.get(total, 0.0) + chance * claim * share
        found = after
    return found


@pytest.mark.parametrize("zero_bid", ["as-scored", "hand-size"])
@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("sizes", [(2,), (3, 1)])
def test_it_is_what_all_ways_to_go_on_say(sizes: tuple[int, ...], scoring: str, zero_bid: str) -> None:
    options = Options(scoring=scoring, zero_bid=zero_bid)
    scores, points = (31, 38, 27), (12, 0, 11)
    ways = rounds_of_a_seat(3, sizes, options)
    assert sum(ways.values()) == pytest.approx(1)
    wanted = 0.0
    for outcome in itertools.product(ways.items(), repeat=3):
        totals = [scores[seat] + points[seat] + outcome[seat][0] for seat in range(3)]
        weight = math.prod(chance for _, chance in outcome)
        for other in (1, 2):
            weight *= 1.0 if totals[other] < totals[0] else 0.5 if totals[other] == totals[0] else 0.0
        wanted += weight
    view = view_of(scores, sizes, scoring=SCORINGS.index(scoring), zero_bid=int(zero_bid == "hand-size"))
    assert chance_of(view, points) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize(
    ("scores", "points", "chance"),
    [
        ((40, 30, 20), (0, 0, 0), 1),
        ((40, 30, 20), (0, 11, 0), 0),
        ((40, 30, 20), (0, 10, 0), 1 / 2),
        ((40, 30, 30), (0, 10, 10), 1 / 3),
        ((40, 30, 30), (12, 10, 10), 1),
    ],
)
def test_after_the_last_round_it_is_exact(
    scores: tuple[int, ...], points: tuple[int, ...], chance: float
) -> None:
    assert chance_of(view_of(scores, ()), points) == chance


def test_in_a_tie_break_round_only_the_tied_count() -> None:
    tied = view_of((40, 40, 39), (), extra_round=1, contenders=0b011)
    assert chance_of(tied, (0, 0, 12)) == 1 / 2
    assert chance_of(tied, (10, 0, 12)) == 1
    assert from_seat(tied, 2, (0, 0, 12)) == 0


@pytest.mark.parametrize("players", range(3, 8))
def test_the_seats_share_the_match(players: int) -> None:
    scores = tuple(30 + 7 * seat % 5 for seat in range(players))
    points = tuple(11 * (seat % 2) for seat in range(players))
    view = view_of(scores, (5, 6, 7))
    shares = [from_seat(view, seat, points) for seat in range(players)]
    # A tie of three and more is taken for less than it is.
    assert 0.9 < sum(shares) <= 1
    even = view_of((30,) * players, (5, 6, 7))
    assert from_seat(even, 0, (0,) * players) == pytest.approx(1 / players, abs=0.03)


def test_more_points_are_better_and_more_of_the_others_worse() -> None:
    view = view_of((50, 55, 45, 52), (8, 9))
    own = [chance_of(view, (points, 0, 11, 0)) for points in range(21)]
    assert all(np.diff(own) > 0)
    others = [chance_of(view, (10, points, 11, 0)) for points in range(21)]
    assert all(np.diff(others) < 0)


def test_many_rounds_of_many_points_have_room() -> None:
    view = view_of((0, 0, 0), (15,) * 9, scoring=SCORINGS.index("wizard"))
    worth = lay_worth(view, HIT)
    assert sum(worth.chance) == pytest.approx(1)
    assert chance_of(view, (0, 0, 0)) == pytest.approx(1 / 3, abs=0.01)
