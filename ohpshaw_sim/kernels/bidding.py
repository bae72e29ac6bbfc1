"""What may be bid, what is announced when all have bid, and the trump that a dealer names by default."""

from typing import Any

from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ONE, U, bit, popcount
from ohpshaw_sim.kernels.tricks import suit_lane


@jit
def legal_bids(hand_size: int) -> Any:
    """Return the legal bids as a mask: bit b for bid b, every whole number from 0 to the hand size (B8)."""
    return (ONE << U(hand_size + 1)) - ONE


@jit
def open_bids(hand_size: int, hook_from: int, others: int) -> Any:
    """Return the bids open to a dealer when the others' add up to `others` (V1).

    `hook_from` is the hand size from which on it is hooked, 0 = never.
    """
    forbidden = hand_size - others
    hooked = 0 < hook_from <= hand_size and forbidden >= 0
    return legal_bids(hand_size) & ~bit(forbidden) if hooked else legal_bids(hand_size)


@jit
def announcement(total: int, hand_size: int) -> int:
    """Return -1 (under), 0 (even) or 1 (over): the bids' total against the number of tricks (B9)."""
    return (1 if total > hand_size else 0) - (1 if total < hand_size else 0)


@jit
def longest_suit(hand: Any) -> int:
    """Return the suit of which a hand holds most cards, of equally long ones that with the higher cards (V8).

    Between suits of the same ranks the first of clubs, diamonds, hearts, spades.
    """
    best, most, highest = 0, -1, U(0)
    for suit in range(4):
        own = hand & suit_lane(suit)
        ranks = own >> U(16 * suit)
        if popcount(own) > most or (popcount(own) == most and ranks > highest):
            best, most, highest = suit, popcount(own), ranks
    return best
