"""`random`: uniform over legal bids and legal cards; the floor every other agent is measured from."""

from typing import Any

from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import nth_bit, popcount
from ohpshaw_sim.kernels.rng import below


@jit
def choose(view: Any, params: Any) -> int:  # noqa: ARG001  # the signature every agent function has
    """Return any of the legal answers, each with the same chance."""
    return nth_bit(view.legal, below(view.rnd, popcount(view.legal)))


def make_agent() -> CompiledAgent:
    """Make the agent; it has no parameters."""
    return CompiledAgent(bid=choose, play=choose)
