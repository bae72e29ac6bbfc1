"""The last card, in a one-card round or at a round's end: nothing is left to choose, so its chance can be counted."""

from typing import Any

import numpy as np

from ohpshaw_agents._winner_sums import power_of
from ohpshaw_agents._winner_weights import LAST_HIGHER, ONE_BID, ONE_PASS
from ohpshaw_sim.kernels._jit import jit_inline
from ohpshaw_sim.kernels.bits import FREE, ONE, SUITED, WIZARDS, U, bit, lowest_bit, popcount
from ohpshaw_sim.kernels.tricks import suit_lane


@jit_inline
def position_of(view: Any) -> int:
    """Return the bidding position, 0 = eldest hand."""
    return (np.int64(view.seat) - np.int64(view.dealer) - 1) % np.int64(view.players)


@jit_inline
def _count_beating(card: int, unseen: Any, trump: int) -> int:
    """Count the unseen cards that beat a card which is led, or is trump; of a Jester all but Jesters."""
    if bit(card) & FREE:
        return 0 if bit(card) & WIZARDS else popcount(unseen & (SUITED | WIZARDS))
    higher = popcount((unseen & suit_lane(card >> 4)) >> U(card)) + popcount(unseen & WIZARDS)
    return higher if card >> 4 == trump else higher + popcount(unseen & suit_lane(trump))


@jit_inline
def _count_lower(card: int, unseen: Any) -> int:
    """Count the unseen lower cards of a card's suit, and Jesters: one of them must be led for a side card to win."""
    jesters = popcount(unseen & FREE & ~WIZARDS)
    return jesters + popcount(unseen & suit_lane(card >> 4) & (bit(card) - ONE))


@jit_inline
def one_card_chance(view: Any, unseen: Any, params: Any) -> float:
    """Return the chance to win a one-card round, from what may be out and the bids before."""
    card, trump = lowest_bit(view.hand), np.int64(view.trump)
    before = position_of(view)
    beating = _count_beating(card, unseen, trump)
    beaten = beating / popcount(unseen)
    chance = power_of(1.0 - beaten, np.int64(view.players) - 1 - before)
    for step in range(before):
        heard = view.bids[(np.int64(view.dealer) + 1 + step) % view.players]
        if bit(card) & WIZARDS:
            chance *= 1.0 - popcount(unseen & WIZARDS) / popcount(unseen)  # of Wizards the first wins
        elif heard < 0:
            chance *= 1.0 - beaten
        elif heard == 0:
            chance *= 1.0 - beaten * params[ONE_PASS]
        else:
            strong = popcount(unseen & (suit_lane(trump) | WIZARDS))
            chance *= max(0.0, 1.0 - params[ONE_BID] * beating / max(strong, 1))
    if before > 0 and card >> 4 != trump and not bit(card) & FREE:
        chance *= _count_lower(card, unseen) / popcount(unseen)
    return chance


@jit_inline
def last_card_chance(view: Any, card: int, leads: bool, unseen: Any, params: Any) -> float:
    """Return the chance that `card` wins the last trick, seen from the trick before it."""
    trump, others = np.int64(view.trump), np.int64(view.players) - 1
    out = max(popcount(unseen) - others + np.int64(view.on_table), others)
    beaten = min(params[LAST_HIGHER] * _count_beating(card, unseen, trump) / out, 1.0)
    if leads or card >> 4 == trump or bit(card) & FREE:
        return power_of(1.0 - beaten, others)
    led = min(_count_lower(card, unseen) / out, 1.0)
    return led * power_of(1.0 - beaten, others - 1)
