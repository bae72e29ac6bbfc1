"""The one-card round: no play to speak of, so the chance to win is counted; only the earlier bids need weights."""

from typing import Any

import numpy as np

from ohpshaw_agents._winner_chances import power_of
from ohpshaw_agents._winner_weights import ONE_BID, ONE_PASS
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ONE, U, bit, lane, lowest_bit, popcount


@jit
def position_of(view: Any) -> int:
    """Return the bidding position, 0 = eldest hand."""
    return (np.int64(view.seat) - np.int64(view.dealer) - 1) % np.int64(view.players)


@jit
def one_card_chance(view: Any, params: Any) -> float:
    """Return the chance to win a one-card round, from what may be out and the bids before."""
    card = lowest_bit(view.hand)
    trump = np.int64(view.trump)
    unseen = view.pack & ~(view.gone | view.hand)
    trumps = unseen & lane(trump)
    others = np.int64(view.players) - 1
    before = position_of(view)
    if card >> 4 == trump:
        beating = popcount(trumps >> U(card))
    else:
        beating = popcount(trumps) + popcount((unseen & lane(card >> 4)) >> U(card))
    beaten = beating / popcount(unseen)
    chance = power_of(1.0 - beaten, others - before)
    for step in range(before):
        earlier_bid = view.bids[(view.dealer + 1 + step) % view.players]
        if earlier_bid == 0:
            chance *= 1.0 - beaten * params[ONE_PASS]
        else:
            chance *= max(0.0, 1.0 - params[ONE_BID] * beating / max(popcount(trumps), 1))
    if before > 0 and card >> 4 != trump:  # it wins only if eldest led this suit, lower
        lower = popcount(unseen & lane(card >> 4) & (bit(card) - ONE))
        chance *= lower / popcount(unseen)
    return chance
