"""The legal bid nearest to a number."""

from typing import Any

from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ONE, U


@jit
def nearest_legal(legal: Any, hand_size: int, wanted: float) -> int:
    """Return the bid of a mask of legal ones that is nearest to a number; of two equally near the lower."""
    best, best_distance = 0, 1e9
    for one in range(hand_size + 1):
        if legal >> U(one) & ONE and abs(one - wanted) < best_distance:
            best, best_distance = one, abs(one - wanted)
    return best
