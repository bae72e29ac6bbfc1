"""Words of a round record: cards, suits and whole numbers, each read strictly and written in one way.

Cards are those of `ohpshaw_sim.cards`: `TH`, `10H`, `10♥` or `th`, a Wizard `WH`, a Jester `FH`. Beside each way of
reading stands its JSON Schema, which accepts and refuses the same.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from ohpshaw_sim.cards import (
    NO_SUIT,
    RANK_LETTERS,
    SUIT_LETTERS,
    SUIT_SYMBOLS,
    Card,
    Suit,
    card_of,
    parse_card,
)
from ohpshaw_sim.errors import MalformedError

NO_TRUMP: Final = "none"
"""How a round without trump is written, where it is to be said."""
_CARD: Final = f"(?:10|[2-9TtJjQqKkAaWwFf])[CcDdHhSs{SUIT_SYMBOLS}]"
CARD_SCHEMA: Final[dict[str, Any]] = {"type": "string", "pattern": rf"^\s*{_CARD}\s*$"}
_CARDS_TEXT: Final[dict[str, Any]] = {
    "type": "string",
    "pattern": rf"^[\s,]*(?:{_CARD}(?:[\s,]+{_CARD})*)?[\s,]*$",
}
CARDS_SCHEMA: Final[dict[str, Any]] = {"anyOf": [_CARDS_TEXT, {"type": "array", "items": _CARDS_TEXT}]}
TRUMP_SCHEMA: Final[dict[str, Any]] = {
    "anyOf": [
        {"type": "string", "pattern": rf"^\s*(?:[CcDdHhSs{SUIT_SYMBOLS}]|{NO_TRUMP})\s*$"},
        {"type": "null"},
    ]
}
SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")
_SHOWN: Final = 40


def _spellings() -> dict[str, Card]:
    """Return every way to write a card, with the card."""
    cards = {}
    for rank, letter in enumerate(RANK_LETTERS[1:], start=1):
        for figure in {letter, letter.lower(), *(["10"] if letter == "T" else [])}:
            for suit, signs in enumerate(zip(SUIT_LETTERS, SUIT_LETTERS.lower(), SUIT_SYMBOLS, strict=True)):
                cards.update({figure + sign: card_of(suit, rank) for sign in signs})
    return cards


_CARD_OF_WORD: Final[Mapping[str, Card]] = _spellings()
_SUIT_OF_WORD: Final = {
    sign: suit
    for signs in (SUIT_LETTERS, SUIT_LETTERS.lower(), SUIT_SYMBOLS)
    for suit, sign in enumerate(signs)
} | {NO_TRUMP: NO_SUIT}


def shown(given: object) -> str:
    """Return a value as a sentence may quote it, at most about 40 characters of it."""
    text = ascii(given) if isinstance(given, str) and not given.isprintable() else repr(given)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."


def read_card(given: object, where: str) -> Card:
    """Return a card; `where` names the key in the MalformedError raised for anything else."""
    word = given.strip() if isinstance(given, str) else ""
    if word in _CARD_OF_WORD:
        return _CARD_OF_WORD[word]
    raise MalformedError(f"{where}: {_no_card(given)}")


def _no_card(given: object) -> str:
    """Return what is said of something that is no card."""
    if isinstance(given, str) and len(given) <= _SHOWN and given.isprintable():
        try:
            parse_card(given)
        except MalformedError as error:
            return str(error)
    return f"{shown(given)} is no card; write a rank and a suit, as in TH or 10♥"


def read_cards(given: Any, where: str) -> tuple[Card, ...]:
    """Return the cards of a string, separated by spaces or commas, or of a list of such strings.

    Raises MalformedError, naming the key, for anything else.
    """
    several = isinstance(given, list | tuple)
    text = " ".join([_text(item, where) for item in given]) if several else _text(given, where)
    words = text.replace(",", " ").split()
    try:
        return tuple([_CARD_OF_WORD[word] for word in words])
    except KeyError:
        wrong = next(word for word in words if word not in _CARD_OF_WORD)
        raise MalformedError(f"{where}: {_no_card(wrong)}") from None


def _text(given: object, where: str) -> str:
    if isinstance(given, str):
        return given
    raise MalformedError(
        f"{where}: {shown(given)} are no cards; write a string such as 'TH 7C', or a list of them"
    )


def read_trump(given: object, where: str) -> Suit | None:
    """Return a suit, -1 for `none`, None for null. Raises MalformedError, naming the key, for anything else."""
    if given is None:
        return None
    word = given.strip() if isinstance(given, str) else None
    if word in _SUIT_OF_WORD:
        return _SUIT_OF_WORD[word]
    raise MalformedError(f"{where}: {shown(given)} is no suit; write C, D, H, S or none")


def whole_schema(low: int, high: int | None) -> dict[str, Any]:
    """Return the JSON Schema of a whole number in a range."""
    return {"type": "integer", "minimum": low, **({} if high is None else {"maximum": high})}


def whole_reader(low: int, high: int | None) -> Callable[[object, str], int]:
    """Return a function that reads a whole number from `low` to `high` (None = no end), as JSON writes it.

    As in JSON Schema 2.0 is a whole number; true is not. It raises MalformedError, naming the key.
    """

    def read(given: object, where: str) -> int:
        if type(given) is float and given.is_integer():
            given = int(given)
        if type(given) is int and low <= given and (high is None or given <= high):
            return given
        span = f"from {low} on" if high is None else f"{low} to {high}"
        raise MalformedError(f"{where}: {shown(given)} should be a whole number {span}")

    return read
