"""Dealing: a Fisher-Yates shuffle of which only the cards that are dealt are drawn.

The deal is a pure function of its key, so it never depends on who plays. Portable on purpose: picking set bits from a
mask of the pack with PDEP is no faster than this by enough, and several times slower without PDEP.
"""

from typing import Any, Final

from ohpshaw_sim.cards import NO_CARD
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ZERO, bit
from ohpshaw_sim.kernels.rng import below, stream_word, take

DRAWS_PER_WORD: Final = 5


@jit
def first_dealer(set_key: Any, players: int) -> int:
    """Draw the first dealer's seat of a set from its card key (B3)."""
    return below(stream_word(set_key, 0), players)


@jit
def deal(key: Any, deck: Any, pack_size: int, players: int, hand_size: int, dealer: int, hands: Any) -> int:
    """Deal a round into `hands` (uint64 by seat) from `deck`, and return the turn-up, -1 if no card is left.

    `deck` is a uint8 array that holds the pack's cards in its first `pack_size` places; it is left part-shuffled.
    Cards go one at a time clockwise from eldest hand, the next one is turned (B5, B6). Any order of the deck
    beforehand gives uniform deals; the same order and key give the same deal.
    """
    for seat in range(players):
        hands[seat] = ZERO
    dealt = players * hand_size
    turned = dealt < pack_size
    word, seat = ZERO, dealer
    for drawn in range(dealt + turned):
        if drawn % DRAWS_PER_WORD == 0:
            word = stream_word(key, drawn // DRAWS_PER_WORD)
        step, word = take(word, pack_size - drawn)
        card = deck[drawn + step]
        deck[drawn + step] = deck[drawn]
        deck[drawn] = card
        if drawn < dealt:
            seat = seat + 1 if seat + 1 < players else 0
            hands[seat] |= bit(card)
    return deck[dealt] if turned else NO_CARD
