"""A table of random players scores (10 + H / N) / (H + 1) a round in expectation, exactly.

Uniform bids are independent of the play, so each of 0..H hits with chance 1 / (H + 1) whatever the tricks T
taken: E[score] = (10 + E[T]) / (H + 1), and over all seats of a round E[T] = H / N. A set seats every place
once in every position, so it holds for each place of the line-up too.
"""

import numpy as np
import pytest

from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.engine.tally import Tally
from ohpshaw_sim.engine.tally_schema import MOMENTS
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.kernels._jit import JIT_DISABLED
from ohpshaw_sim.rules import Rules

SETS = 40 if JIT_DISABLED else 20_000
SIZES = {3: (1, 4, 17), 4: (1, 5, 13), 5: (2, 10), 6: (3, 8), 7: (1, 7)}


@pytest.fixture(scope="module", params=SIZES)
def tally(request: pytest.FixtureRequest) -> Tally:
    players = request.param
    lineup = (resolve("random"),) * players
    return play_sets(Game(Rules(), players, SIZES[players], lineup, tuple(range(players))), 31, 0, SETS)


def test_points_by_hand_size_and_place(tally: Tally) -> None:
    players = tally.pairs.shape[0]
    for size in SIZES[players]:
        sums = dict(zip(MOMENTS, tally.by_hand_size[:, size].T, strict=True))
        assert (sums["rounds"] == SETS * players).all()
        mean = sums["points"] / SETS
        error = np.sqrt((sums["points_x_points"] / SETS - mean**2) / SETS)
        expected = players * (10 + size / players) / (size + 1)
        assert (np.abs(mean - expected) <= 4 * error).all(), (size, mean, expected, error)


def test_bids_hit_one_in_hand_size_plus_one(tally: Tally) -> None:
    players = tally.pairs.shape[0]
    for size in SIZES[players]:
        sums = dict(zip(MOMENTS, tally.by_hand_size[:, size].sum(axis=0), strict=True))
        for chosen, count in (("hits", sums["rounds"]), ("zero_bids", sums["rounds"])):
            error = np.sqrt(count * size) / (size + 1)
            assert abs(sums[chosen] - count / (size + 1)) <= 4 * error


def test_every_bid_is_as_likely_in_every_position(tally: Tally) -> None:
    players = tally.pairs.shape[0]
    for size in SIZES[players]:
        bids = tally.counts[:, size].sum(axis=(0, 3))[:, : size + 1]
        rounds = SETS * players
        assert (bids.sum(axis=1) == rounds).all()
        off = np.abs(bids - rounds / (size + 1)) / (np.sqrt(rounds * size) / (size + 1))
        assert off.max() <= 4
