"""Dealing: each card is drawn by its rank among those left in the pack.

The deal is a pure function of its key, so it never depends on who plays. The cards left are a mask, and drawing is one
`nth_bit`: with PDEP two and a half times as fast as a Fisher-Yates shuffle of bytes, whose swaps wait for each other
in memory; without PDEP somewhat slower than it. The cards are the same either way.
"""

from typing import Any, Final

from ohpshaw_sim.cards import JESTER, NO_CARD, NO_SUIT, WIZARD
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ZERO, U, bit, nth_bit, popcount
from ohpshaw_sim.kernels.rng import below, stream_word, take
from ohpshaw_sim.kernels.tricks import next_seat

DRAWS_PER_WORD: Final = 5
TURNED, NAMED = -2, -3
"""In place of a trump suit: it is that of the card turned; the dealer names it."""


@jit
def first_dealer(set_key: Any, players: int) -> int:
    """Draw the first dealer's seat of a set from its card key (B3)."""
    return below(stream_word(set_key, 0), players)


@jit
def deal(key: Any, pack: Any, players: int, hand_size: int, dealer: int, table: Any) -> int:
    """Deal a round into `table.hands` (uint64 by seat) and return the turn-up, -1 if no card is left.

    `pack` is the mask of all cards. They go one at a time clockwise from eldest hand, the next one is turned (B5, B6).
    """
    for seat in range(players):
        table.hands[seat] = ZERO
    left = popcount(pack)
    word, seat = ZERO, U(dealer)
    for drawn in range(players * hand_size):
        if drawn % DRAWS_PER_WORD == 0:
            word = stream_word(key, drawn)
        rank, word = take(word, left)
        card = bit(nth_bit(pack, rank))
        pack ^= card
        left -= 1
        seat = next_seat(seat, U(players))
        table.hands[seat] |= card
    if left == 0:
        return NO_CARD
    return nth_bit(pack, below(stream_word(key, players * hand_size), left))


@jit
def turned_trump(turn_up: int) -> int:
    """Return the trump that a turned card makes: its suit, NO_SUIT for none or a Jester, NAMED for a Wizard (V8)."""
    if turn_up < 0 or turn_up & 15 == JESTER:
        return NO_SUIT
    return NAMED if turn_up & 15 == WIZARD else turn_up >> 4
