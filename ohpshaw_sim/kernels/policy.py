"""The bid-seeking policy: cheap choices that aim at a bid, good enough to play every seat of a rollout.

All masks here are turned (`trump_on_top`): trump, if there is one, is suit 3, so a trick needs no turning to tell
which card wins. A seat's *need* is its bid less the tricks it has won.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import LANE, ONE, ZERO, U, highest_bit, lane, lowest_bit, popcount
from ohpshaw_sim.kernels.tricks import legal_cards, lift

TOP_SUIT: Final = 3
_RANK: Final = U(0x0001_0001_0001_0001)


@jit
def turn_of(trump: int) -> Any:
    """Return by how many bits (uint64) `turned` moves masks so that trump is suit 3; 0 without trump."""
    return lift(TOP_SUIT, trump)


@jit
def turned(mask: Any, turn: Any) -> Any:
    """Return a mask with its lanes turned round by `turn` bits (0, 16, 32 or 48; uint64)."""
    return (mask << turn) | (mask >> (U(64) - turn & U(63)))


@jit
def turned_suit(suit: int, trump: int) -> int:
    """Return the suit that `turned` moves a suit to (trump to 3); -1 stays -1, and all suits stay without trump."""
    return (suit - trump + TOP_SUIT) & 3 if suit >= 0 and trump >= 0 else suit


@jit
def turned_back(card: int, turn: Any) -> int:
    """Return the card that `turned` moved to `card`."""
    return (card - np.int64(turn)) & 63


@jit
def _ranks(cards: Any) -> Any:
    """Return the ranks that a mask holds in any suit, as a mask of 16 bits."""
    pairs = cards | (cards >> U(32))
    return (pairs | (pairs >> U(16))) & LANE


@jit
def _lowest(cards: Any) -> Any:
    """Return a card of the lowest rank, as a mask."""
    held = cards & (_RANK << U(lowest_bit(_ranks(cards))))
    return held & (~held + ONE)


@jit
def _highest(cards: Any) -> Any:
    """Return a card of the highest rank, as a mask."""
    held = cards & (_RANK << U(highest_bit(_ranks(cards))))
    return held & (~held + ONE)


@jit
def aim_card(hand: Any, led: int, able: Any, best: Any, need: int, left: int, last: bool) -> Any:
    """Return the card, as a mask, that a seat plays who needs `need` of the `left` tricks still to be won.

    hand   the seat's cards (uint64, not empty)
    led    suit led, -1 to lead
    able   cards that can win this trick (`tricks.contest`)
    best   the strongest card on the table, as a mask; 0 to lead
    last   whether the seat plays last to the trick

    It wins as cheaply as it can if it needs tricks and throws the highest card that loses if it needs none.
    """
    legal = legal_cards(hand, led)
    want = need > 0
    winners = legal & able & ~((best << ONE) - ONE) if led >= 0 else (legal if want else ZERO)
    losers = legal ^ winners
    some = winners if want else losers
    pool = some if some else legal
    if not want:
        high = led >= 0 and (some != ZERO or last)
    else:
        high = some != ZERO and not last
    return _highest(pool) if high else _lowest(pool)


@jit
def likely_tricks(hand: Any, unseen: Any, trump: int, others: int) -> float:
    """Return the number of tricks (float) that a hand may be expected to win.

    unseen   the cards that may be in other hands (uint64)
    others   cards that the other seats hold, out of `unseen`
    """
    share = others / max(popcount(unseen), 1)
    expected = 0.0
    rest = U(hand)
    while rest != ZERO:
        card = lowest_bit(rest)
        rest &= rest - ONE
        suit = card >> 4
        above = share * popcount((unseen & lane(suit)) >> U(card))
        if suit == trump:
            expected += max(1.0 - 0.3 * above, 0.35)
        else:
            expected += max(1.0 - 0.6 * above, 0.0) * (1.0 - 0.2 * share)
    return expected


@jit
def quick_bid(hand: Any, unseen: Any, trump: int, others: int) -> int:
    """Return a bid near the number of tricks that a hand may be expected to win."""
    return int(likely_tricks(hand, unseen, trump, others) + 0.5)
