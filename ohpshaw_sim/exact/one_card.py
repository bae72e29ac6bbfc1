"""Counting one-card rounds: how many deals agree with a card held and the bids heard, and how many of them it wins.

Bids do not change a one-card round: every card is played, the highest trump wins, else the highest card of the suit led
by eldest hand. So a seat's chance to win depends on the earlier bids only by what they tell of cards. Seats are bidding
positions here, 0 = eldest hand. The bids before seat k are a *node*: node 2**k - 1 + v, where v has one bit a seat,
eldest hand's the highest; the nodes of n seats are 0 .. 2**n - 2.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ONE, U, bit, popcount
from ohpshaw_sim.kernels.tricks import suit_lane

MOST_SEATS: Final = 7
CARDS: Final = 64
"""Cards are numbers below this."""


@jit
def first_node(seat: int) -> int:
    """Return the first of the nodes at which a seat bids; there are 2**seat."""
    return (1 << seat) - 1


@jit
def lay_beliefs(ones: Any, seat: int, heard: int, weights: Any) -> None:
    """Write the weight of each card in each earlier hand, from the bids heard, to `weights[seat, card]`.

    `ones[node, card]` is how often a bid of 1 is made with a card, `heard` are the bids before `seat` as bits. Whole
    numbers (0 or 1) stay whole numbers in integer arrays, and all counts exact.
    """
    for earlier in range(seat):
        node = first_node(earlier) + (heard >> (seat - earlier))
        one = heard >> (seat - earlier - 1) & 1
        for card in range(CARDS):
            weights[earlier, card] = ones[node, card] if one else 1 - ones[node, card]


@jit
def count_deals(weights: Any, seats: int, first: Any, others: Any, sums: Any) -> Any:
    """Return the weighted number of ways to deal different cards to the first `seats` seats.

    Seat 0 may hold the cards of the mask `first`, the other seats those of `others`. `sums` is scratch for 2**7 numbers
    of the kind of `weights`. The count runs over the cards, one at a time: entry `taken` of `sums` is the number for
    the set of seats that hold one of the cards so far.
    """
    sums[: 1 << seats] = 0
    sums[0] = 1
    for card in range(CARDS):
        if (first | others) >> U(card) & ONE:
            for taken in range((1 << seats) - 1, 0, -1):
                for seat in range(seats):
                    able = first if seat == 0 else others
                    if taken >> seat & 1 and able >> U(card) & ONE:
                        sums[taken] += sums[taken ^ (1 << seat)] * weights[seat, card]
    return sums[(1 << seats) - 1]


@jit
def arrangements(cards: int, places: int) -> int:
    """Return the number of ways to put different cards of so many in so many places; 0 if there are too few."""
    ways = 1
    for taken in range(places):
        ways *= max(cards - taken, 0)
    return ways


@jit
def not_beating(card: int, trump: int, unseen: Any) -> Any:
    """Return the unseen cards (a mask) that do not beat a card which is led, or is trump (-1 = there is none)."""
    higher = suit_lane(card >> 4) & ~((bit(card) << ONE) - ONE)
    if card >> 4 != trump:
        higher |= suit_lane(trump)
    return unseen & ~higher


@jit
def leads_lower(card: int, trump: int, seat: int, harmless: Any) -> Any:
    """Return the cards (a mask) that eldest hand may hold if `card` in `seat` is to win, of the `harmless` ones."""
    if seat == 0 or card >> 4 == trump:
        return harmless
    return harmless & suit_lane(card >> 4)


@jit
def count_wins(
    weights: Any, players: int, seat: int, card: int, trump: int, unseen: Any, sums: Any
) -> tuple[Any, Any]:
    """Return the weighted number of deals in which `card` wins for `seat`, and that of all deals.

    `weights` are those of `lay_beliefs`, `unseen` the pack without the turn-up and the card. Deals of n players are
    counted by who holds what: n - 1 different cards in order.
    """
    later = players - 1 - seat
    total = count_deals(weights, seat, unseen, unseen, sums) * arrangements(popcount(unseen) - seat, later)
    harmless = not_beating(card, trump, unseen)
    led = leads_lower(card, trump, seat, harmless)
    won = count_deals(weights, seat, led, harmless, sums)
    return won * arrangements(popcount(harmless) - seat, later), total


@jit
def scratch(weights: Any) -> Any:
    """Return scratch for `count_deals`, of the kind of `weights`."""
    return np.zeros(1 << MOST_SEATS, weights.dtype)
