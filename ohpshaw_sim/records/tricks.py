"""Who played which card, who won the tricks, and which cards were legal: the verbs of the rules along a list of cards.

    cards   C0 C1 C2 | C3 C4 C5 | C6        in playing order, `players` to a trick
    laid    one column per card: SEAT, BEFORE, AFTER, WINNER, WINNING

Compiled, for a record has some forty cards and each needs half a dozen of the verbs.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ohpshaw_sim.cards import NO_CARD, NO_SUIT, Card, Suit
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import bit
from ohpshaw_sim.kernels.tricks import beats, legal_cards, shown_voids, suit_led
from ohpshaw_sim.records.verdict import Play, Trick

SEAT, BEFORE, AFTER, WINNER, WINNING = range(5)
"""Rows of `laid`: who plays the card; the suit led before and after it, -1 = none; the seat and the card that win the
trick so far."""
ROWS: Final = 5


@jit
def lay_cards(cards: Any, players: int, eldest: int, trump: int, laid: Any) -> None:
    """Fill `laid` (int64, rows x cards): eldest hand leads the first trick, the winner the next (B10, B11)."""
    leader, led, best, winner = eldest, NO_SUIT, NO_CARD, eldest
    for index in range(len(cards)):
        card, place = cards[index], index % players
        if place == 0:
            leader, led, best = winner, NO_SUIT, NO_CARD
        seat = (leader + place) % players
        laid[SEAT, index] = seat
        laid[BEFORE, index] = led
        led = suit_led(led, best, card)
        if best == NO_CARD or beats(card, best, led, trump):
            best, winner = card, seat
        laid[AFTER, index] = led
        laid[WINNER, index] = winner
        laid[WINNING, index] = best


@jit
def try_cards(cards: Any, laid: Any, left: Any, trump: int, must_trump: bool, legal: Any, shown: Any) -> None:
    """Fill, by card, `legal` (uint64 masks) and `shown` (int64, voids as bits) from the hands `left` (uint64 by seat).

    Hands lose the cards as they are played. A card that is not in its hand is in no mask of legal ones.
    """
    for index in range(len(cards)):
        card, seat, led = cards[index], laid[SEAT, index], laid[BEFORE, index]
        legal[index] = legal_cards(left[seat], led, trump, must_trump)
        shown[index] = shown_voids(card, led, trump, must_trump)
        left[seat] &= ~bit(card)


def lay(cards: Any, players: int, eldest: int, trump: Suit) -> Any:
    """Return the columns of cards (an int64 array) that are played from eldest hand on."""
    laid = np.empty((ROWS, len(cards)), np.int64)
    lay_cards(cards, players, eldest, trump, laid)
    return laid


def make_tricks(
    cards: Sequence[Card], laid: Any, players: int, hand_size: int, eldest: int
) -> tuple[Trick, ...]:
    """Return the tricks of cards that were laid, with the one to be led next, if there is one."""
    seats, before, after, winner, winning = laid[:, : len(cards)].tolist()
    tricks, leader = [], eldest
    for start in range(0, min(len(cards) + 1, players * hand_size), players):
        number, end = start // players + 1, min(start + players, len(cards))
        plays = tuple([Play(seats[at], cards[at], before[at], number) for at in range(start, end)])
        if not plays:
            tricks.append(Trick(leader, plays, NO_SUIT, -1, NO_CARD, False))
            break
        last = end - 1
        finished = len(plays) == players
        tricks.append(Trick(leader, plays, after[last], winner[last], winning[last], finished))
        leader = winner[last]
    return tuple(tricks)
