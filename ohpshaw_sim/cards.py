"""Cards as small integers, hands as 64-bit masks.

A card is `16 * suit + rank`: suits clubs, diamonds, hearts, spades are 0..3, ranks two..ace are 2..14. A hand is a
mask with bit `card` set, so each suit owns one 16-bit lane:

    bit  63      48 47      32 31      16 15       0
         [ spades ] [ hearts ] [diamonds] [ clubs  ]        within a lane: bit 2 = two ... bit 14 = ace

Rank 1 is a Jester and rank 15 a Wizard, in the Wizard pack only. They belong to no suit: the lane tells the four copies
apart. A Wizard is written `W` and a Jester `F`, for fool, with the letter of its lane: `WC`, `FC`. `JC` is the jack of
clubs, as ever. No numba here: these are for people and tests.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, TypeAlias

from ohpshaw_sim.errors import MalformedError

Card: TypeAlias = int
Suit: TypeAlias = int
Rank: TypeAlias = int
Mask: TypeAlias = int

CLUBS, DIAMONDS, HEARTS, SPADES = SUITS = range(4)
JACK, QUEEN, KING, ACE = 11, 12, 13, 14
RANKS: Final = range(2, ACE + 1)
JESTER, WIZARD = 1, 15
"""Ranks of the cards that belong to no suit (V8)."""
NO_CARD: Final = -1
NO_SUIT: Final = -1

LANE: Final[Mask] = 0xFFFF
SUIT_LETTERS: Final = "CDHS"
SUIT_SYMBOLS: Final = "♣♦♥♠"
RANK_LETTERS: Final = "?F23456789TJQKAW"

_SUIT_OF_LETTER: Final = {
    letter: suit for letters in (SUIT_LETTERS, SUIT_SYMBOLS) for suit, letter in enumerate(letters)
}
_WRITTEN: Final = [
    {NO_CARD: "--"}
    | {
        16 * suit + rank: RANK_LETTERS[rank] + letter
        for suit, letter in enumerate(letters)
        for rank in range(JESTER, WIZARD + 1)
    }
    for letters in (SUIT_LETTERS, SUIT_SYMBOLS)
]
"""Each card as it is written, in letters and with symbols: many thousands are, where rounds are kept."""
_RANK_OF_TEXT: Final = {letter: rank for rank, letter in enumerate(RANK_LETTERS) if rank > 0} | {"10": 10}


def card_of(suit: Suit, rank: Rank) -> Card:
    """Return the card of a suit (0..3) and a rank (2..14; 1 = Jester, 15 = Wizard)."""
    return 16 * suit + rank


def suit_of(card: Card) -> Suit:
    """Return the suit (0..3) of a card; of a Wizard or Jester its lane."""
    return card >> 4


def rank_of(card: Card) -> Rank:
    """Return the rank (2..14) of a card; 1 = Jester, 15 = Wizard."""
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
    """Return the pack of the first `suits` suits, each with its highest `ranks` ranks (rules B2, V17).

    >>> format_cards(pack_mask(2, 4))
    'AC KC QC JC AD KD QD JD'
    """
    return mask_of(card_of(suit, ACE - step) for suit in range(suits) for step in range(ranks))


def wizard_pack_mask() -> Mask:
    """Return the 60 cards of the Wizard pack (rule V8)."""
    return pack_mask() | mask_of(card_of(suit, rank) for suit in SUITS for rank in (JESTER, WIZARD))


def parse_card(text: str) -> Card:
    """Read one card: rank, then suit, as `TH`, `10H`, `10♥` or `th`; a Wizard `WH`, a Jester `FH`.

    Raises MalformedError, naming the text, when it is no card.

    >>> parse_card("10♥") == parse_card("th") == 16 * HEARTS + 10
    True
    """
    cleaned = text.strip().upper()
    rank = _RANK_OF_TEXT.get(cleaned[:-1])
    suit = _SUIT_OF_LETTER.get(cleaned[-1:])
    if rank is None or suit is None:
        raise MalformedError(
            f"{text!r} is no card; write a rank 2..9, T or 10, J, Q, K, A (W = Wizard, F = Jester) "
            "and a suit C, D, H, S"
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
    written = _WRITTEN[symbols].get(card)
    if written is None:
        raise MalformedError(f"{card} is no card; a card is 16 * suit + rank, with suit 0..3 and rank 1..15")
    return written


def format_cards(cards: Mask | Iterable[Card], *, symbols: bool = False) -> str:
    """Write cards separated by spaces: a mask by suit with high cards first, a sequence in its own order.

    In a mask Wizards come before the suits and Jesters after them.

    >>> format_cards(mask_of([3, 14, 30]))
    'AC 3C AD'
    """
    ordered = cards if isinstance(cards, Iterable) else sorted(cards_in(cards), key=_place_in_hand)
    written = _WRITTEN[symbols]
    return " ".join([written.get(card) or format_card(card) for card in ordered])


@cache
def _place_in_hand(card: Card) -> tuple[bool, bool, Suit, Rank]:
    """Return what sorts a card into a hand as people hold it."""
    return rank_of(card) != WIZARD, rank_of(card) == JESTER, suit_of(card), -rank_of(card)
