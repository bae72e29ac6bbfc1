"""Conditions on a deal, as people write them: `eldest trumps>=3, dealer aces=0 and any voids>=1`.

    CONDITIONS   CONDITION, CONDITION, ... or CONDITION and CONDITION: all must hold
    CONDITION    SUBJECT MEASURE OP NUMBER
    SUBJECT      `SUBJECTS`, or a seat: 2, seat2, seat 2
    MEASURE      `MEASURES`, or a card: AS = 1 where it is held, 0 where not
    OP           = != < <= > >=
    NUMBER       a whole number; J, Q, K or A for 11 to 14

A condition is counted on whole arrays of deals.
"""

import operator
import re
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from ohpshaw_sim.cards import (
    ACE,
    JACK,
    JESTER,
    KING,
    NO_CARD,
    QUEEN,
    RANK_LETTERS,
    RANKS,
    SUITS,
    lane_of,
    mask_of,
    parse_card,
)
from ohpshaw_sim.errors import IllegalError, MalformedError
from ohpshaw_sim.kernels.bits import SUITED, WIZARDS, U
from ohpshaw_sim.reading import did_you_mean
from ohpshaw_sim.records.deals import Deals, Setting

SUBJECTS: Final = {
    "eldest": "the seat at the dealer's left",
    "dealer": "the dealer",
    "any": "at least one seat",
    "all": "every seat",
    "turn-up": "the turned card",
    "stock": "the cards neither dealt nor turned",
}
"""Whose cards are counted; seats by their number besides."""

_SUIT_LANES: Final = np.array([lane_of(suit) & int(SUITED) for suit in SUITS], np.uint64)
_COMPARE: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "!=": operator.ne,
    "==": operator.eq,
    "=": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
    "≤": operator.le,
    "≥": operator.ge,
    "≠": operator.ne,
}
_FORM: Final = re.compile(rf"(.*?)\s*({'|'.join(_COMPARE)})\s*(\S+)")
_SEAT: Final = re.compile(r"(?:seat[- ]?)?(\d+)")

Count: TypeAlias = Callable[[Any, Deals], Any]
"""A measure: of masks (uint64 [deals, seats]) and the deals they are from, the numbers counted (same shape)."""


class Measure(NamedTuple):
    """Something that can be counted in a hand; `needs` is `trump`, `wizards`, a suit's name or empty."""

    meaning: str
    of: Count
    needs: str = ""


class Condition(NamedTuple):
    """One condition, read."""

    text: str
    subject: str
    measure: Measure
    compare: Callable[[Any, Any], Any]
    number: int


def read_conditions(text: str) -> tuple[Condition, ...]:
    """Read conditions joined by commas or `and`. Raises MalformedError, with a did-you-mean.

    >>> [condition.subject for condition in read_conditions("eldest trumps>=3, seat 2 spades <= 1 and any voids>=1")]
    ['eldest', '2', 'any']
    """
    return tuple(_read_condition(piece.strip()) for piece in re.split(r",|&&|\band\b", text.lower()))


def check_conditions(conditions: Sequence[Condition], setting: Setting) -> None:
    """Raise IllegalError for a condition that no deal of the setting could be asked."""
    for condition in conditions:
        reason = _senseless(condition, setting)
        if reason:
            raise IllegalError(f"{condition.text!r} cannot be asked: {reason}")


def satisfying(conditions: Sequence[Condition], deals: Deals) -> Deals:
    """Return the deals that satisfy all conditions."""
    for condition in conditions:
        counted = condition.measure.of(_cards_of(condition.subject, deals), deals)
        holds = condition.compare(counted.astype(np.int64), condition.number)
        deals = deals.rows(holds.all(axis=1) if condition.subject == "all" else holds.any(axis=1))
    return deals


def _read_condition(text: str) -> Condition:
    found = _FORM.fullmatch(text)
    if not found:
        raise MalformedError(
            f"{text!r} is no condition; write SUBJECT MEASURE OP NUMBER, as in 'eldest trumps>=3'"
        )
    whose_what, sign, number = found.groups()
    words = whose_what.split()
    if words[:1] == ["seat"]:
        words[:2] = ["".join(words[:2])]
    if len(words) < 2:
        raise MalformedError(
            f"{text!r} must say whose cards and what of them, as in 'eldest trumps>=3'; "
            f"whose: a seat number, {', '.join(SUBJECTS)}"
        )
    subject, measure = _subject(words[0], text), _measure("-".join(words[1:]), text)
    return Condition(text, subject, measure, _COMPARE[sign], _number(number, text))


def _subject(word: str, text: str) -> str:
    seat = _SEAT.fullmatch(word)
    if seat:
        return str(int(seat[1]))
    word = {"turnup": "turn-up", "turn_up": "turn-up", "each": "all", "every": "all"}.get(word, word)
    if word not in SUBJECTS:
        raise MalformedError(
            f"{word!r} in {text!r} is nobody at the table{did_you_mean(word, [*SUBJECTS, 'seat'])}"
        )
    return word


def _measure(word: str, text: str) -> Measure:
    word = word.replace("_", "-")
    for known in (word, f"{word}s"):
        if known in MEASURES:
            return MEASURES[known]
    try:
        card = mask_of([parse_card(word)])
    except MalformedError:
        raise MalformedError(
            f"{word!r} in {text!r} is nothing to count{did_you_mean(word, list(MEASURES))}"
        ) from None
    return Measure("", _among(card))


def _number(word: str, text: str) -> int:
    if re.fullmatch(r"\d{1,3}", word):
        return int(word)
    letter = word.upper()
    if len(letter) == 1 and RANK_LETTERS.find(letter) >= 10:
        return RANK_LETTERS.index(letter)
    raise MalformedError(
        f"{word!r} in {text!r} is no number to compare with; write 3, or a rank T, J, Q, K, A"
    )


def _senseless(condition: Condition, setting: Setting) -> str:
    """Return why a condition makes no sense in a setting; empty if it does."""
    subject, needs = condition.subject, condition.measure.needs
    if subject.isdecimal() and int(subject) >= setting.players:
        return (
            f"there is no seat {subject} at {setting.players} players, seats are 0 to {setting.players - 1}"
        )
    if needs == "trump" and not setting.has_trump:
        return f"round {setting.round_number} with {setting.hand_size} cards each has no trump"
    if subject == "turn-up" and (setting.fixed_trump is not None or not setting.stock):
        return f"no card is turned in round {setting.round_number} with {setting.hand_size} cards each"
    if needs == "wizards" and not setting.rules.wizard:
        return "these rules have no Wizards and Jesters; add the option wizard (V8)"
    if needs in SUIT_WORDS and not setting.rules.pack_mask & lane_of(SUIT_WORDS.index(needs)):
        return f"the {setting.rules.pack_name} pack has no {needs} (V17)"
    return ""


def _cards_of(subject: str, deals: Deals) -> Any:
    """Return the masks of a subject's cards, uint64 [deals, seats]."""
    if subject in ("any", "all"):
        return deals.hands
    if subject == "turn-up":
        return _turned(deals)
    if subject == "stock":
        dealt = np.bitwise_or.reduce(deals.hands, axis=1, keepdims=True)
        return U(deals.setting.rules.pack_mask) & ~(dealt | _turned(deals))
    if subject.isdecimal():
        return deals.hands[:, int(subject), None]
    seats = deals.dealers if subject == "dealer" else (deals.dealers + 1) % deals.setting.players
    return np.take_along_axis(deals.hands, seats[:, None], axis=1)


def _turned(deals: Deals) -> Any:
    """Return the turned card as a mask, uint64 [deals, 1]; empty where none is turned."""
    shown = np.uint64(1) << np.maximum(deals.turn_ups, 0).astype(np.uint64)
    return np.where(deals.turn_ups == NO_CARD, U(0), shown)[:, None]


def _trump_lanes(deals: Deals) -> Any:
    """Return the mask of trump cards, uint64 [deals, 1]; empty where there is none, or it is to be named."""
    return np.where(deals.trumps >= 0, _SUIT_LANES[np.maximum(deals.trumps, 0)], U(0))[:, None]


def _of_rank(rank: int) -> int:
    return mask_of(16 * suit + rank for suit in SUITS)


def _among(cards: int) -> Count:
    """Return the measure that counts some cards of the pack."""
    return lambda hands, _: np.bitwise_count(hands & U(cards))


def _trumps(hands: Any, deals: Deals) -> Any:
    return np.bitwise_count(hands & _trump_lanes(deals))


def _highest_trump(hands: Any, deals: Deals) -> Any:
    held, highest = hands & _trump_lanes(deals), np.zeros(hands.shape, np.int64)
    for rank in RANKS:
        highest[held & U(_of_rank(rank)) != 0] = rank
    return highest


def _sure_trumps(hands: Any, deals: Deals) -> Any:
    trumps, gone = _trump_lanes(deals), _turned(deals)
    held, sure = hands & trumps, np.zeros(hands.shape, np.int64)
    unbroken = np.broadcast_to(trumps != 0, hands.shape)
    for rank in reversed(RANKS):
        one = U(_of_rank(rank))
        unbroken = unbroken & ((held | gone) & one != 0)
        sure += unbroken & (held & one != 0)
    return sure


def _lengths(hands: Any, deals: Deals) -> Any:
    """Return how many cards of each suit of the pack are held, uint8 [suits, deals, seats]."""
    pack = deals.setting.rules.pack_mask
    return np.stack([np.bitwise_count(hands & lane) for lane in _SUIT_LANES if pack & int(lane)])


def _points(hands: Any, _: Deals) -> Any:
    worth = enumerate((JACK, QUEEN, KING, ACE), start=1)
    return sum(
        points * np.bitwise_count(hands & U(_of_rank(rank))).astype(np.int64) for points, rank in worth
    )


SUIT_WORDS: Final = ("clubs", "diamonds", "hearts", "spades")
MEASURES: Final = {
    "trumps": Measure("trumps held", _trumps, "trump"),
    "highest-trump": Measure(
        "rank of the highest trump, 2 to 14 (ace); 0 without one", _highest_trump, "trump"
    ),
    "sure-trumps": Measure(
        "trumps from the top without a gap, the turn-up counted as gone", _sure_trumps, "trump"
    ),
    **{
        name: Measure(f"{name} held", _among(int(_SUIT_LANES[suit])), name)
        for suit, name in enumerate(SUIT_WORDS)
    },
    "voids": Measure(
        "suits of which none is held", lambda hands, deals: (_lengths(hands, deals) == 0).sum(axis=0)
    ),
    "singletons": Measure(
        "suits of which one is held", lambda hands, deals: (_lengths(hands, deals) == 1).sum(axis=0)
    ),
    "longest": Measure("cards of the longest suit", lambda hands, deals: _lengths(hands, deals).max(axis=0)),
    "aces": Measure("aces held", _among(_of_rank(ACE))),
    "kings": Measure("kings held", _among(_of_rank(KING))),
    "queens": Measure("queens held", _among(_of_rank(QUEEN))),
    "jacks": Measure("jacks held", _among(_of_rank(JACK))),
    "points": Measure("4 an ace, 3 a king, 2 a queen, 1 a jack", _points),
    "wizards": Measure("Wizards held", _among(int(WIZARDS)), "wizards"),
    "jesters": Measure("Jesters held", _among(_of_rank(JESTER)), "wizards"),
}
"""What can be counted."""
