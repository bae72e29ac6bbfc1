"""`exact-one-card`: bids the solved one-card round as its equilibrium does, every other round as `count-winners`.

In a one-card round nothing is left to choose after the bids. So its equilibrium can be had exactly: each bid is the
best answer to what the bids before it tell, if these are made in the same way.
"""

from typing import Any

from ohpshaw_agents import count_winners
from ohpshaw_agents._one_card import UNSOLVED, one_card_bid
from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.kernels._jit import jit

_count: Any = count_winners.bid


@jit
def bid(view: Any, params: Any) -> int:
    """Bid by the equilibrium where it is known, else for the highest expected score."""
    solved = one_card_bid(view)
    return _count(view, params) if solved == UNSOLVED else solved


def make_agent() -> CompiledAgent:
    """Make the agent; it has no parameters."""
    return CompiledAgent(bid, count_winners.play, count_winners.make_agent().params)
