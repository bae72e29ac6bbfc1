"""`expectation-bidder`: bids what promises most points, or the lowest or highest bid that promises nearly as much.

With a margin of 0 it bids as `count-winners` does. A cautious one has a margin below 0: of all bids whose expected
score is within so many points of the best it takes the lowest. A bold one has a margin above 0 and takes the highest.
It plays as `greedy`.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_agents import count_winners, greedy
from ohpshaw_agents._winner_bid import bid_excess, expected_score, weigh_hand
from ohpshaw_agents._winner_sums import COLUMNS, ROWS, odds_of
from ohpshaw_agents._winner_weights import BIDS_BEFORE
from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ONE, U

_WEIGHTS: Final = tuple(count_winners.make_agent().params)
_MARGIN: Final = len(_WEIGHTS)
"""Place in `params`, after the weights of `count-winners`."""
_WIDEST: Final = 100.0


@jit
def bid(view: Any, params: Any) -> int:
    """Return the lowest or highest legal bid whose expected score is within the margin of the best."""
    room = np.empty((ROWS, COLUMNS))
    count = weigh_hand(view, params, room)
    factor = odds_of(params[BIDS_BEFORE] * bid_excess(view))
    best, best_score = 0, -1e9
    for wanted in range(np.int64(view.hand_size) + 1):
        if view.legal >> U(wanted) & ONE:
            score = expected_score(view, params, room, count, factor, wanted)
            if score > best_score:
                best, best_score = wanted, score
    margin = params[_MARGIN]
    if margin == 0.0:
        return best
    chosen = best
    for wanted in range(np.int64(view.hand_size) + 1):
        if view.legal >> U(wanted) & ONE:
            near = expected_score(view, params, room, count, factor, wanted) >= best_score - abs(margin)
            if near and (wanted < chosen if margin < 0.0 else wanted > chosen):
                chosen = wanted
    return chosen


def make_agent(margin: float = 0.0) -> CompiledAgent:
    """Make the agent; `margin` is in points: below 0 it is cautious, above 0 bold."""
    if not abs(margin) <= _WIDEST:
        raise AgentError(f"margin is {margin}; it should be between -{_WIDEST:g} and {_WIDEST:g}")
    return CompiledAgent(bid=bid, play=greedy.play, promise=count_winners.promise, params=(*_WEIGHTS, margin))
