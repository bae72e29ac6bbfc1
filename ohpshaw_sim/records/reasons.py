"""Why a trick is won, in words."""

from collections.abc import Sequence

from ohpshaw_sim.cards import JESTER, WIZARD, Card, Suit, rank_of, suit_of
from ohpshaw_sim.records.spelling import SUIT_NAMES


def why_won(cards: Sequence[Card], winner: Card, trump: Suit) -> str:
    """Say in a few words why a card wins a trick (B11, V8); `cards` lie in playing order, finished or not.

    >>> why_won([46, 20, 42], 20, trump=1), why_won([42, 46, 20], 46, trump=3)
    ('the only trump', 'highest heart led')
    """
    if rank_of(winner) == WIZARD:
        return "the first Wizard" if sum(rank_of(card) == WIZARD for card in cards) > 1 else "a Wizard"
    if rank_of(winner) == JESTER:
        return "all Jesters: the first"
    if suit_of(winner) != trump:
        return f"highest {SUIT_NAMES[suit_of(winner)][:-1]} led"
    trumps = [card for card in cards if suit_of(card) == trump and JESTER < rank_of(card) < WIZARD]
    return "highest trump" if len(trumps) > 1 else "the only trump"
