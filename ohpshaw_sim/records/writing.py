"""Writing round records: objects with their keys in one order, on one line each.

Two equal rounds give equal lines, and `read_record` reads back what was written.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np

from ohpshaw_sim.cards import (
    NO_CARD,
    NO_SUIT,
    SUIT_LETTERS,
    WIZARD,
    Card,
    Mask,
    Suit,
    format_card,
    format_cards,
    rank_of,
)
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.errors import MalformedError
from ohpshaw_sim.interface.view import NAME_TRUMP
from ohpshaw_sim.reading import did_you_mean
from ohpshaw_sim.records.record import KEYS, RoundRecord
from ohpshaw_sim.records.spelling import NO_TRUMP
from ohpshaw_sim.rule_text import rules_text
from ohpshaw_sim.rules import Rules

_LISTS: Final = ("bids", "names", "winners", "tricks", "scores")


def record_of(
    rules: Rules | str,
    players: int,
    dealer: int,
    hand_size: int,
    *,
    hands: Iterable[Mask | None] | None = None,
    turn_up: Card = NO_CARD,
    trump: Suit | None = None,
    bids: Iterable[int] | None = None,
    plays: Iterable[Card] = (),
    **more: Any,
) -> dict[str, Any]:
    """Return a round as the object that a record holds, what is not known left out.

    `hands` are masks by seat as they were dealt, None for one that is not known; `bids` go by seat, -1 = not made yet;
    `plays` are cards in playing order; all of them may be numpy arrays. `trump` is a suit, -1 = none, None where the
    turn-up says it. `more` are other keys of a record: names, round, seed, scores, ... Who writes many records under
    the same rules gives `rules` as text, which takes no time. Raises MalformedError for a key that no record has.

    >>> record = record_of("oh-pshaw", 3, 2, 1, turn_up=39, bids=[1, 0, -1], round=1)
    >>> record_line(record)
    '{"rules":"oh-pshaw","players":3,"dealer":2,"hand_size":1,"turn_up":"7H","bids":[1,0,null],"round":1}'
    """
    for key in more:
        if key not in KEYS:
            raise MalformedError(f"a record has no {key!r}{did_you_mean(key, KEYS)}")
    cards = [int(card) for card in plays]
    found = {
        "rules": rules if isinstance(rules, str) else rules_text(rules),
        "players": int(players),
        "dealer": int(dealer),
        "hand_size": int(hand_size),
        "turn_up": None if turn_up == NO_CARD else format_card(int(turn_up)),
        "trump": None if trump is None else _trump(trump),
        "hands": None
        if hands is None
        else [None if hand is None else format_cards(int(hand)) for hand in hands],
        "bids": None if bids is None else [None if bid < 0 else int(bid) for bid in bids],
        "plays": format_cards(cards) if cards else None,
        **more,
    }
    return {key: found[key] for key in KEYS if found.get(key) is not None}


def record_of_round(table: Round, rules: Rules | str, **more: Any) -> dict[str, Any]:
    """Return a round of the engine, finished or not, as the object that a record holds.

    `rules` are those it is played by, `more` as for `record_of`.
    """
    view = table.view
    turn_up, trump = int(view.turn_up), int(view.trump)
    # Written where no card says it, or where the dealer has named it, a Wizard being turned (V8).
    stated = turn_up == NO_CARD or (rank_of(turn_up) == WIZARD and table.kind != NAME_TRUMP)
    return record_of(
        rules,
        int(view.players),
        int(view.dealer),
        int(view.hand_size),
        hands=[held | int(gone) for held, gone in zip(table.hands, view.played, strict=False)],
        turn_up=turn_up,
        trump=trump if stated else None,
        bids=table.bids,
        plays=table.plays,
        **more,
    )


def record_table(record: RoundRecord) -> dict[str, Any]:
    """Return a record as the object that is read back to an equal one, in one spelling."""
    found = {
        **{key: getattr(record, key) for key in KEYS},
        "turn_up": None if record.turn_up is None else format_card(record.turn_up),
        "trump": None if record.trump is None else _trump(record.trump),
        "hands": None
        if record.hands is None
        else [None if hand is None else format_cards(hand) for hand in record.hands],
        "plays": format_cards(record.plays) or None,
        "misdeal": record.misdeal or None,
        "revokes": [revoke.model_dump(exclude_none=True) for revoke in record.revokes] or None,
        "forfeits": [forfeit.model_dump(exclude_none=True) for forfeit in record.forfeits] or None,
    }
    for key in _LISTS:
        found[key] = None if found[key] is None else list(found[key])
    return {key: found[key] for key in KEYS if found.get(key) is not None}


def record_line(record: Mapping[str, Any]) -> str:
    """Return a record's object as one line of JSON in ASCII, without the line's end; numpy's numbers are numbers."""
    return _ENCODER.encode(record)


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise MalformedError(f"{value!r} cannot be written into a record; give numbers, text and lists of them")


def _trump(trump: Suit) -> str:
    return NO_TRUMP if trump == NO_SUIT else SUIT_LETTERS[trump]


_ENCODER: Final = json.JSONEncoder(separators=(",", ":"), default=_plain)
