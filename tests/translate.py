"""The referee's cards, tuples `(suit, rank)`, to and from the package's card numbers and masks."""

from collections.abc import Iterable
from typing import SupportsInt

from reference import Card


def number(card: Card | None) -> int:
    """The package's number of a card; -1 for none."""
    return -1 if card is None else 16 * card[0] + card[1]


def mask(cards: Iterable[Card]) -> int:
    mask = 0
    for suit, rank in cards:
        mask |= 1 << 16 * suit + rank
    return mask


def card(number: int) -> Card:
    return number // 16, number % 16


def places(mask: SupportsInt) -> list[int]:
    """Where a mask has bits, lowest first: bids or card numbers."""
    bits, found = int(mask), []
    while bits:
        rest = bits & bits - 1
        found.append((bits ^ rest).bit_length() - 1)
        bits = rest
    return found


def cards(mask: SupportsInt) -> list[Card]:
    """The cards of a mask, lowest first."""
    return [card(place) for place in places(mask)]


def suit(suit: int | None) -> int:
    """The package's suit; -1 for none."""
    return -1 if suit is None else suit


def suits(suits: Iterable[int]) -> int:
    """The package's set of suits: bit s for suit s."""
    mask = 0
    for suit in suits:
        mask |= 1 << suit
    return mask
