"""A compiled agent in one file: it bids its aces and high trumps, and plays high cards until it has them.

In a tournament:  ohpshaw tournament examples/agents/compiled_agent.py count-winners random --sets 96
With a parameter: ohpshaw tournament examples/agents/compiled_agent.py:lowest_trump=9 random --sets 96
To check it:      ohpshaw agents check examples/agents/compiled_agent.py

`bid` and `play` are compiled by numba: they see one record of `ohpshaw_sim.interface.view` and a float64
array of parameters, and answer with an int. A function that they call needs the decorator `@jit` of
`ohpshaw_sim.kernels._jit`, as those of `kernels.bits` have it.
"""

from typing import Any, Final

from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.kernels.bits import ZERO, U, bit, lane, lowest_bit, popcount

ACE: Final = 14
ALL_OF_A_RANK: Final = U(0x0001_0001_0001_0001)
"""One bit per suit; shifted by a rank it is the mask of that rank's cards."""


def bid(view: Any, params: Any) -> int:
    """Bid one for each ace and for each trump from `lowest_trump` up."""
    high = ALL_OF_A_RANK << U(ACE)
    for rank in range(int(params[0]), ACE):
        high |= (ALL_OF_A_RANK << U(rank)) & lane(view.trump)
    tricks = popcount(view.hand & high)
    return (
        tricks if view.legal & bit(tricks) else lowest_bit(view.legal)
    )  # some rules forbid the dealer one bid


def play(view: Any, params: Any) -> int:  # noqa: ARG001  # the signature every agent function has
    """Play the highest legal card while tricks are missing, the lowest one from then on."""
    missing = view.bids[view.seat] - view.tricks[view.seat]
    for step in range(2, ACE + 1):
        rank = ACE + 2 - step if missing > 0 else step
        cards = view.legal & (ALL_OF_A_RANK << U(rank))
        if cards != ZERO:
            return lowest_bit(cards)
    return lowest_bit(view.legal)


def make_agent(lowest_trump: int = 11) -> CompiledAgent:
    """Make the agent; `lowest_trump` is the lowest rank of a trump that counts as a trick (11 = jack)."""
    return CompiledAgent(bid, play, (lowest_trump,))
