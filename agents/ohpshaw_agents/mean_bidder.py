"""`mean-bidder`: bids the number of tricks that it expects, rounded, and plays for it as `greedy` does.

It counts its winners as `count-winners` does and adds up their chances instead of asking which bid is worth most.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_agents import count_winners, greedy
from ohpshaw_agents._nearest_bid import nearest_legal
from ohpshaw_agents._winner_bid import bid_excess, weigh_hand
from ohpshaw_agents._winner_last_card import position_of
from ohpshaw_agents._winner_sums import (
    CHANCES,
    COLUMNS,
    FOLLOWING,
    LEADING,
    ROWS,
    mean_tricks,
    odds_of,
)
from ohpshaw_agents._winner_weights import BIDS_BEFORE
from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.interface.view import MAX_HAND
from ohpshaw_sim.kernels._jit import jit

_WEIGHTS: Final = tuple(count_winners.make_agent().params)
_MARGIN: Final = len(_WEIGHTS)
"""Place in `params`, after the weights of `count-winners`."""


@jit
def bid(view: Any, params: Any) -> int:
    """Return the legal bid nearest to the tricks to expect and the margin; of two equally near the lower."""
    room = np.empty((ROWS, COLUMNS))
    count = weigh_hand(view, params, room)
    if view.hand_size == 1:
        mean = room[CHANCES, 1]
    else:
        row = LEADING if position_of(view) == 0 else FOLLOWING
        mean = mean_tricks(room, row, count, odds_of(params[BIDS_BEFORE] * bid_excess(view)))
    return nearest_legal(view.legal, np.int64(view.hand_size), mean + params[_MARGIN])


def make_agent(margin: float = 0.0) -> CompiledAgent:
    """Make the agent; `margin` is added to the tricks it expects: below 0 it is cautious, above 0 bold."""
    if not abs(margin) <= MAX_HAND:
        raise AgentError(f"margin is {margin}; it should be between -{MAX_HAND} and {MAX_HAND}")
    return CompiledAgent(bid=bid, play=greedy.play, promise=count_winners.promise, params=(*_WEIGHTS, margin))
