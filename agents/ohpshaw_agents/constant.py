"""`constant`: bids the same number each round, or the legal bid nearest to it, and plays for it as `greedy` does."""

from typing import Any, Final

import numpy as np

from ohpshaw_agents import count_winners, greedy
from ohpshaw_agents._nearest_bid import nearest_legal
from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.interface.view import MAX_HAND
from ohpshaw_sim.kernels._jit import jit

_WEIGHTS: Final = tuple(count_winners.make_agent().params)
_BID: Final = len(_WEIGHTS)
"""Place in `params`, after the weights of `count-winners`."""


@jit
def bid(view: Any, params: Any) -> int:
    """Return the legal bid nearest to the constant; of two equally near the lower."""
    return nearest_legal(view.legal, np.int64(view.hand_size), params[_BID])


def make_agent(bid: int = 0) -> CompiledAgent:  # the parameter's name is what people write
    """Make the agent; `bid` is the number that it bids."""
    if not 0 <= bid <= MAX_HAND:
        raise AgentError(f"bid is {bid}; it should be 0 to {MAX_HAND}")
    return CompiledAgent(bid=_bid, play=greedy.play, promise=count_winners.promise, params=(*_WEIGHTS, bid))


_bid: Final = bid
"""The function, which the parameter of `make_agent` hides."""
