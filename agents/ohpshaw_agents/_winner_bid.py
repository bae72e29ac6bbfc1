"""What a bid lets expect, from the hand, the position and the bids before it."""

from typing import Any

import numpy as np

from ohpshaw_agents._winner_chances import fill_odds
from ohpshaw_agents._winner_last_card import one_card_chance, position_of
from ohpshaw_agents._winner_sums import (
    CHANCES,
    FOLLOWING,
    LEADING,
    aimed_chance,
    aimed_points,
    hit_points,
    one_trick_points,
)
from ohpshaw_agents._winner_weights import AIM_BID, ZERO_BID
from ohpshaw_sim.kernels._jit import jit, jit_inline
from ohpshaw_sim.kernels.bits import popcount
from ohpshaw_sim.kernels.scoring import EXACT


@jit_inline
def weigh_hand(view: Any, params: Any, room: Any) -> int:
    """Write the odds of a hand's cards to `room`, of a single card the chance instead; return their number."""
    hand_size = np.int64(view.hand_size)
    unseen = view.pack & ~(view.gone | view.hand)
    if hand_size == 1:
        room[CHANCES, 1] = one_card_chance(view, unseen, params)
        return 1
    share = hand_size / max(popcount(unseen), hand_size)
    return fill_odds(room, view.hand, unseen, np.int64(view.trump), share, np.int64(view.players) - 1, params)


@jit_inline
def expected_score(view: Any, params: Any, room: Any, count: int, factor: float, wanted: int) -> float:
    """Return what a bid of `wanted` lets expect, from what `weigh_hand` wrote."""
    if view.scoring != EXACT:
        return _expected_points(view, params, room, count, factor, wanted)
    chance = hit_chance(view, params, room, count, factor, wanted)
    if view.hand_size > 1:
        chance *= 1.0 if wanted else params[ZERO_BID]
    score: float = hit_points(view, wanted) * chance
    return score


@jit_inline
def hit_chance(view: Any, params: Any, room: Any, count: int, factor: float, wanted: int) -> float:
    """Return the chance to hit a bid of `wanted`, from what `weigh_hand` wrote."""
    if view.hand_size == 1:
        chance: float = room[CHANCES, 1] if wanted == 1 else 1.0 - room[CHANCES, 1]
        return chance
    row = LEADING if position_of(view) == 0 else FOLLOWING
    return aimed_chance(room, row, count, wanted, factor, params[AIM_BID])


@jit
def _expected_points(view: Any, params: Any, room: Any, count: int, factor: float, wanted: int) -> float:
    """Return the same where a miss scores, too."""
    if view.hand_size == 1:
        return one_trick_points(view, wanted, 0, room[CHANCES, 1])
    row = LEADING if position_of(view) == 0 else FOLLOWING
    return aimed_points(view, room, row, count, 0, wanted, factor, params[AIM_BID])


@jit_inline
def bid_excess(view: Any) -> float:
    """Return by how much the bids made so far exceed an equal share of the tricks, as a share of the tricks."""
    total, count = 0, 0
    for seat in range(view.players):
        if view.bids[seat] >= 0:
            total += np.int64(view.bids[seat])
            count += 1
    excess: float = total / view.hand_size - count / view.players
    return excess
