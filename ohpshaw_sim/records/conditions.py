"""Conditions on a deal, as people write them: `eldest trumps>=3, dealer aces=0 and any voids>=1`.

    CONDITIONS   CONDITION, CONDITION, ... or CONDITION and CONDITION: all must hold
    CONDITION    WHOSE WHAT OP NUMBER
    WHOSE        `SUBJECTS`, or a seat: 2, seat2, seat 2
    WHAT         `MEASURES`, or a card: AS = 1 where it is held, 0 where not
    OP           = != < <= > >=
    NUMBER       a whole number; J, Q, K or A for 11 to 14

A condition is counted on whole arrays of deals.
"""

import operator
import re
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ohpshaw_sim.cards import RANK_LETTERS, lane_of, mask_of, parse_card
from ohpshaw_sim.errors import IllegalError, MalformedError
from ohpshaw_sim.kernels.bits import U
from ohpshaw_sim.reading import did_you_mean
from ohpshaw_sim.records.deals import Deals, Setting
from ohpshaw_sim.records.measures import MEASURES, SUIT_WORDS, Measure, among, turned_mask

SUBJECTS: Final = {
    "eldest": "the seat at the dealer's left",
    "dealer": "the dealer",
    "any": "at least one seat",
    "all": "every seat",
    "turn-up": "the turned card",
    "stock": "the cards neither dealt nor turned",
}
"""Whose cards are counted; seats by their number besides."""

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
            f"{text!r} is no condition; write WHOSE WHAT OP NUMBER, as in 'eldest trumps>=3'"
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
    return Measure("", among(card))


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
        return turned_mask(deals)
    if subject == "stock":
        dealt = np.bitwise_or.reduce(deals.hands, axis=1, keepdims=True)
        return U(deals.setting.rules.pack_mask) & ~(dealt | turned_mask(deals))
    if subject.isdecimal():
        return deals.hands[:, int(subject), None]
    seats = deals.dealers if subject == "dealer" else (deals.dealers + 1) % deals.setting.players
    return np.take_along_axis(deals.hands, seats[:, None], axis=1)
