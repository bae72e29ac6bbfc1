"""What bids in a one-card round are worth, and what each seat could have had instead, by counting deals.

Since bids change nothing but what later bidders hear, the best answer of one seat to the others is to take, at each
card and each history of bids, the bid that scores more in all the deals that agree with both.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.exact.one_card import (
    CARDS,
    MOST_SEATS,
    count_wins,
    first_node,
    lay_beliefs,
    scratch,
)
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ONE, bit, lowest_bit

OWN, BEST, HITS, ONES = range(4)
"""Columns of what `add_turn_up` adds up, by seat: points as bid, points of a best answer, bids hit, bids of 1."""
COLUMNS: Final = 4


@jit
def add_turn_up(
    ones: Any,
    own: Any,
    players: int,
    unseen: Any,
    trump: int,
    points: Any,
    legal: Any,
    answers: Any,
    sums: Any,
) -> None:
    """Add the deals of one turn-up to `sums` (float64[seat, COLUMNS]).

    ones      float64[node, card]: how often others hear a bid of 1, see `one_card`
    own       the same for the seat's own bids: `ones` again, or another sample of what the agent does
    unseen    the pack without the turn-up; `trump` -1 = none
    points    float64[bid, wins?]
    legal     int64[node]: the bids open there, as a mask
    answers   float64[node, card], written: how often a best answer bids 1, which is always or never

    Where all bids are certain (0 or 1), sums are whole numbers, and exact.
    """
    for seat in range(players):
        for heard in range(1 << seat):
            add_node(ones, own, players, seat, heard, unseen, trump, points, legal, answers, sums)


@jit
def add_node(
    ones: Any,
    own: Any,
    players: int,
    seat: int,
    heard: int,
    unseen: Any,
    trump: int,
    points: Any,
    legal: Any,
    answers: Any,
    sums: Any,
) -> None:
    """Add what a seat scores that has heard certain bids, with every card."""
    weights, node = np.zeros((MOST_SEATS, CARDS)), first_node(seat) + heard
    spare = scratch(weights)
    lay_beliefs(ones, seat, heard, weights)
    left = unseen
    while left:
        card = lowest_bit(left)
        left &= left - ONE
        wins, deals = count_wins(weights, players, seat, card, trump, unseen & ~bit(card), spare)
        worth_0 = points[0, 1] * wins + points[0, 0] * (deals - wins)
        worth_1 = points[1, 1] * wins + points[1, 0] * (deals - wins)
        one = own[node, card]
        answer = legal[node] >> 1 if legal[node] != 3 else np.int64(worth_1 > worth_0)
        answers[node, card] = answer
        sums[seat, OWN] += one * worth_1 + (1.0 - one) * worth_0
        sums[seat, BEST] += worth_1 if answer else worth_0
        sums[seat, HITS] += one * wins + (1.0 - one) * (deals - wins)
        sums[seat, ONES] += one * deals
