"""What may be bid, and what is announced when all have bid."""

from typing import Any

from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ONE, U


@jit
def legal_bids(hand_size: int) -> Any:
    """Return the legal bids as a mask: bit b for bid b, every whole number from 0 to the hand size (B8)."""
    return (ONE << U(hand_size + 1)) - ONE


@jit
def announcement(total: int, hand_size: int) -> int:
    """Return -1 (under), 0 (even) or 1 (over): the bids' total against the number of tricks (B9)."""
    return (1 if total > hand_size else 0) - (1 if total < hand_size else 0)
