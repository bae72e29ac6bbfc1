"""Points of a round."""

from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.rules import HIT_BONUS


@jit
def round_score(bid: int, tricks: int) -> int:
    """Return the points of one seat for one round: 10 + bid if the bid was hit exactly, else 0 (B13)."""
    return HIT_BONUS + bid if bid == tricks else 0
