"""The last card, in a one-card round or at a round's end: nothing is left to choose, so its chance can be counted."""

from typing import Any

import numpy as np

from ohpshaw_agents._winner_chances import power_of
from ohpshaw_agents._winner_weights import LAST_HIGHER, ONE_BID, ONE_PASS
from ohpshaw_sim.kernels._jit import jit_inline
from ohpshaw_sim.kernels.bits import ONE, U, bit, lane, lowest_bit, popcount


@jit_inline
def position_of(view: Any) -> int:
    """Return the bidding position, 0 = eldest hand."""
    return (np.int64(view.seat) - np.int64(view.dealer) - 1) % np.int64(view.players)


@jit_inline
def _count_beating(card: int, unseen: Any, trump: int) -> int:
    """Count the unseen cards that beat a card which is led, or is trump."""
    higher = popcount((unseen & lane(card >> 4)) >> U(card))
    return higher if card >> 4 == trump else higher + popcount(unseen & lane(trump))


@jit_inline
def _count_lower(card: int, unseen: Any) -> int:
    """Count the unseen lower cards of a card's suit: one of them must be led for a side card to win."""
    return popcount(unseen & lane(card >> 4) & (bit(card) - ONE))


@jit_inline
def one_card_chance(view: Any, unseen: Any, params: Any) -> float:
    """Return the chance to win a one-card round, from what may be out and the bids before."""
    card, trump = lowest_bit(view.hand), np.int64(view.trump)
    before = position_of(view)
    beating = _count_beating(card, unseen, trump)
    beaten = beating / popcount(unseen)
    chance = power_of(1.0 - beaten, np.int64(view.players) - 1 - before)
    for step in range(before):
        if view.bids[(np.int64(view.dealer) + 1 + step) % view.players] == 0:
            chance *= 1.0 - beaten * params[ONE_PASS]
        else:
            chance *= max(0.0, 1.0 - params[ONE_BID] * beating / max(popcount(unseen & lane(trump)), 1))
    if before > 0 and card >> 4 != trump:
        chance *= _count_lower(card, unseen) / popcount(unseen)
    return chance


@jit_inline
def last_card_chance(view: Any, card: int, leads: bool, unseen: Any, params: Any) -> float:
    """Return the chance that `card` wins the last trick, seen from the trick before it."""
    trump, others = np.int64(view.trump), np.int64(view.players) - 1
    out = max(popcount(unseen) - others + np.int64(view.on_table), others)
    beaten = min(params[LAST_HIGHER] * _count_beating(card, unseen, trump) / out, 1.0)
    if leads or card >> 4 == trump:
        return power_of(1.0 - beaten, others)
    led = min(_count_lower(card, unseen) / out, 1.0)
    return led * power_of(1.0 - beaten, others - 1)
