"""Yardsticks stay what they were: a frozen agent makes the decisions that it made when it was frozen."""

import pytest

from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.kernels._jit import JIT_DISABLED
from ohpshaw_sim.rules import Rules

PLACE, BID, TRICKS = 6, 7, 8
"""Columns of `tally.round_rows`."""

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="tests/test_interpreted.py plays agents interpreted")


def test_monte_carlo_1_bids_and_plays_as_it_did() -> None:
    lineup = tuple(resolve(name) for name in ("monte-carlo-1:worlds=24", "random", "random", "random"))
    game = Game(Rules(), 4, (1, 3, 5, 8), lineup, (0, 1, 1, 1))
    rows = play_sets(game, 20_270_401, 0, 2, log=True).rows
    mine = rows[rows[:, PLACE] == 0]
    assert "".join(map(str, mine[:, BID])) == "00020001130401120024000300010013"
    assert "".join(map(str, mine[:, TRICKS])) == "00010011131700011036000300010013"
