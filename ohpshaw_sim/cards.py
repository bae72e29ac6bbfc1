"""Cards as small integers, hands as 64-bit masks.

A card is `16 * suit + rank`: suits clubs, diamonds, hearts, spades are 0..3, ranks two..ace are 2..14. A hand is a
mask with bit `card` set, so each suit owns one 16-bit lane:

    bit  63      48 47      32 31      16 15       0
         [ spades ] [ hearts ] [diamonds] [ clubs  ]        within a lane: bit 2 = two ... bit 14 = ace

Bits 1 and 15 of each lane stay free for a deck with Jesters and Wizards. No numba here: these are for people and tests.
"""

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from ohpshaw_sim.errors import MalformedError

Card: TypeAlias = int
Suit: TypeAlias = int
Rank: TypeAlias = int
Mask: TypeAlias = int

CLUBS, DIAMONDS, HEARTS, SPADES = SUITS = range(4)
JACK, QUEEN, KING, ACE = 11, 12, 13, 14
RANKS: Final = range(2, ACE + 1)
NO_CARD: Final = -1
NO_SUIT: Final = -1

LANE: Final[Mask] = 0xFFFF
SUIT_LETTERS: Final = "CDHS"
SUIT_SYMBOLS: Final = "♣♦♥♠"
RANK_LETTERS: Final = "??23456789TJQKA"

_SUIT_OF_LETTER: Final = {
    letter: suit for letters in (SUIT_LETTERS, SUIT_SYMBOLS) for suit, letter in enumerate(letters)
}
_RANK_OF_TEXT: Final = {letter: rank for rank, letter in enumerate(RANK_LETTERS) if rank >= 2} | {"10": 10}


def card_of(suit: Suit, rank: Rank) -> Card:
    """Return the card of a suit (0..3) and a rank (2..14)."""
    return 16 * suit + rank


def suit_of(card: Card) -> Suit:
    """Return the suit (0..3) of a card."""
    return card >> 4


def rank_of(card: Card) -> Rank:
    """Return the rank (2..14) of a card."""
    return card & 15


def lane_of(suit: Suit) -> Mask:
    """Return the mask of all cards of one suit."""
    return LANE << (16 * suit)


def mask_of(cards: Iterable[Card]) -> Mask:
    """Return the mask that holds these cards; a card named twice counts once."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_in(mask: Mask) -> Iterator[Card]:
    """Yield the cards of a mask from the lowest bit up: clubs first, twos first.

    Raises MalformedError for a negative number, which would have no end of cards.
    """
    mask = int(mask)
    if mask < 0:
        raise MalformedError(
            f"{mask} is no mask of cards; a mask is 0 or more, with bit `card` set for each card"
        )
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def pack_mask(suits: int = 4, ranks: int = 13) -> Mask:
    """Return the pack of the first `suits` suits, each with its highest `ranks` ranks (rule V17).

    >>> format_cards(pack_mask(2, 4))
    'AC KC QC JC AD KD QD JD'
    """
    return mask_of(card_of(suit, ACE - step) for suit in range(suits) for step in range(ranks))


def parse_card(text: str) -> Card:
    """Read one card: rank, then suit, as `TH`, `10H`, `10♥` or `th`.

    Raises MalformedError, naming the text, when it is no card.

    >>> parse_card("10♥") == parse_card("th") == 16 * HEARTS + 10
    True
    """
    cleaned = text.strip().upper()
    rank = _RANK_OF_TEXT.get(cleaned[:-1])
    suit = _SUIT_OF_LETTER.get(cleaned[-1:])
    if rank is None or suit is None:
        raise MalformedError(
            f"{text!r} is no card; write a rank 2..9, T or 10, J, Q, K, A and a suit C, D, H, S"
        )
    return card_of(suit, rank)


def parse_cards(text: str) -> list[Card]:
    """Read cards separated by spaces or commas, in the order written.

    Raises MalformedError when one of them is no card.
    """
    return [parse_card(word) for word in text.replace(",", " ").split()]


def format_card(card: Card, *, symbols: bool = False) -> str:
    """Write a card as `TH`, or as `T♥` with `symbols`; no card (-1) is `--`.

    Raises MalformedError for a number that is no card.

    >>> format_card(parse_card("10h")), format_card(parse_card("10h"), symbols=True)
    ('TH', 'T♥')
    """
    if card == NO_CARD:
        return "--"
    if suit_of(card) not in range(len(SUIT_LETTERS)) or rank_of(card) not in RANKS:
        raise MalformedError(f"{card} is no card; a card is 16 * suit + rank, with suit 0..3 and rank 2..14")
    return RANK_LETTERS[rank_of(card)] + (SUIT_SYMBOLS if symbols else SUIT_LETTERS)[suit_of(card)]


def format_cards(cards: Mask | Iterable[Card], *, symbols: bool = False) -> str:
    """Write cards separated by spaces: a mask by suit with high cards first, a sequence in its own order.

    >>> format_cards(mask_of([3, 14, 30]))
    'AC 3C AD'
    """
    if isinstance(cards, Iterable):
        return " ".join(format_card(card, symbols=symbols) for card in cards)
    ordered = sorted(cards_in(cards), key=lambda card: (suit_of(card), -rank_of(card)))
    return " ".join(format_card(card, symbols=symbols) for card in ordered)
