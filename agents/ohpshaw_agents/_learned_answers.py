"""What `learned` sees of an answer that it might give: ANSWER numbers about 0..1 for a bid or a card.

`scratch` is what `_learned_sight.see` left of the decision.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_agents._learned_sight import AFTER, EXPECTED, PLACE, Q, power
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import U, highest_bit, lowest_bit, popcount
from ohpshaw_sim.kernels.tricks import beats, suit_lane

ANSWER: Final = 18


@jit
def see_bid(view: Any, bid: int, answer: Any, scratch: Any) -> None:
    """Fill `answer` (float64[ANSWER]) with what a bid looks like."""
    for place in range(ANSWER):
        answer[place] = 0.0
    hand_size = np.int64(view.hand_size)
    answer[min(bid, 7)] = 1.0
    answer[8] = bid / hand_size
    beyond = bid - scratch[EXPECTED]
    answer[9] = beyond / 3.0
    answer[10] = max(beyond, 0.0) / 3.0
    answer[11] = min(beyond * beyond, 9.0) / 9.0
    claimed = bid
    for seat in range(view.players):
        claimed += max(np.int64(view.bids[seat]), 0)
    answer[12] = claimed / hand_size - 1.0
    answer[13] = 1.0 if bid == hand_size else 0.0
    answer[14] = bid / 5.0


@jit
def see_card(view: Any, card: int, answer: Any, scratch: Any) -> None:
    """Fill `answer` (float64[ANSWER]) with what a card looks like."""
    for place in range(ANSWER):
        answer[place] = 0.0
    suit, trump = card >> 4, np.int64(view.trump)
    lane = U(suit_lane(suit))
    hand, unseen = U(view.hand), view.pack & ~(view.gone | view.hand)
    mine, out = hand & lane, unseen & lane
    slot = np.int64(scratch[PLACE + suit])
    answer[slot] = 1.0
    higher = popcount(out >> U(card))
    lower = popcount(out) - higher
    answer[4] = higher / 6.0
    answer[5] = lower / 6.0
    over = popcount(mine >> U(card)) - 1
    answer[6] = over / 4.0
    answer[7] = (popcount(mine) - 1 - over) / 4.0
    answer[8] = 1.0 if popcount(mine) == 1 else 0.0
    wins = view.on_table == 0 or beats(card, np.int64(view.winning_card), np.int64(view.led), trump)
    if wins:
        after = 1.0 - scratch[AFTER]
        answer[9] = 1.0
        answer[10] = power(after, higher)
        answer[11] = 1.0 if higher == 0 else 0.0
        ruffs = 0 if suit == trump else popcount(unseen & suit_lane(trump))
        answer[12] = answer[10] * power(after, ruffs)
        answer[13] = 1.0 if scratch[AFTER] == 0.0 else 0.0
        answer[14] = power(scratch[Q], lower)
    legal = view.legal
    answer[15] = 1.0 if card == highest_bit(legal & lane) else 0.0
    answer[16] = 1.0 if card == lowest_bit(legal & lane) else 0.0
    answer[17] = 1.0 if suit == trump else 0.0
