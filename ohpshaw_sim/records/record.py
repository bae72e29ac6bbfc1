"""A round record: one round of the game as a JSON object, read and checked for its form.

docs/records.md tells of every key. What stands here knows the form only, as docs/round-record.schema.json does; whether
the rules were kept is asked of `judge`.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ohpshaw_sim.cards import Card, Suit
from ohpshaw_sim.errors import MalformedError, OhPshawError
from ohpshaw_sim.reading import sentence_of
from ohpshaw_sim.records.incidents import (
    FAR,
    Forfeit,
    Revoke,
    far,
    forfeit,
    key,
    listed,
    or_null,
    revoke,
    small,
    text,
)
from ohpshaw_sim.records.spelling import read_card, read_cards, read_trump, shown, whole_reader
from ohpshaw_sim.rule_text import PRESET, read_rules, rules_text
from ohpshaw_sim.rules import Rules

BASE_RULES: Final = "oh-pshaw"


def _rules(given: object, where: str) -> str | dict[str, Any]:
    if isinstance(given, str | dict):
        return given
    raise MalformedError(f"{where}: {shown(given)} should be rules, as in 'oh-hell' or {{'hook': true}}")


class RoundRecord(BaseModel):
    """One round as it was played, or as far as it was; frozen. Use `read_record` for errors of one sentence.

    >>> record = read_record({"players": 3, "dealer": 2, "hand_size": 1, "turn_up": "7♥", "plays": "2C 10c AD"})
    >>> record.plays, record.bids
    ((2, 10, 30), None)
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    rules: Annotated[str | dict[str, Any], key(_rules)] = BASE_RULES
    """Rules in force: a preset, a line such as `oh-hell:max_hand=5`, or an object of options."""
    players: Annotated[int, key(small)]
    """Number of players."""
    dealer: Annotated[int, key(small)]
    """The dealer's seat; seats count clockwise from 0."""
    hand_size: Annotated[int, key(small)]
    """Cards dealt to each seat."""
    turn_up: Annotated[Card | None, key(or_null(read_card))] = None
    """The card turned for trump; null where none was."""
    trump: Annotated[Suit | None, key(read_trump)] = None
    """The trump suit where no card decides it: C, D, H, S, or none; beside a Wizard turned up, the suit named."""
    hands: Annotated[
        tuple[tuple[Card, ...] | None, ...] | None, key(or_null(listed(or_null(read_cards))))
    ] = None
    """Hands as they were dealt, by seat; null for one that is not known."""
    bids: Annotated[tuple[int | None, ...] | None, key(or_null(listed(or_null(far))))] = None
    """Bids by seat; null for one that is not made yet."""
    plays: Annotated[tuple[Card, ...], key(read_cards)] = ()
    """Cards in playing order."""
    names: Annotated[tuple[str, ...] | None, key(or_null(listed(text)))] = None
    """Players' names by seat."""
    round: Annotated[int | None, key(or_null(whole_reader(1, FAR)))] = None
    """Number of the round in its match, 1 for the first."""
    seed: Annotated[int | None, key(or_null(whole_reader(0, None)))] = None
    """Seed that the cards were dealt from."""
    set: Annotated[int | None, key(or_null(whole_reader(0, None)))] = None
    """Number of the set in its tournament, 0 for the first."""
    rotation: Annotated[int | None, key(or_null(small))] = None
    """Rotation of the set's seats, 0 for the first."""
    lineup: Annotated[int | None, key(or_null(whole_reader(0, FAR)))] = None
    """Number of the line-up among those with so many players."""
    misdeal: Annotated[bool, Field(strict=True)] = False
    """The round was misdealt and counts for nothing (B7)."""
    revokes: Annotated[tuple[Revoke, ...], key(listed(revoke))] = ()
    """Revokes as they were found at the table (B12)."""
    forfeits: Annotated[tuple[Forfeit, ...], key(listed(forfeit))] = ()
    """Seats whose agents failed: they score 0, and from then on gave random answers."""
    winners: Annotated[tuple[int, ...] | None, key(or_null(listed(small)))] = None
    """Who won each trick, as it was written down; checked."""
    tricks: Annotated[tuple[int, ...] | None, key(or_null(listed(small)))] = None
    """Tricks won by seat, as it was written down; checked."""
    scores: Annotated[tuple[int, ...] | None, key(or_null(listed(far)))] = None
    """Points by seat, as it was written down; checked."""
    comment: Annotated[str | None, key(or_null(text))] = None
    """Anything."""

    @property
    def rules_in_force(self) -> Rules:
        """The rules; equal ones are one object. Raises MalformedError, IllegalError or ConflictError."""
        given = self.rules
        return _rules_of(
            given if isinstance(given, str) else json.dumps(given, sort_keys=True), type(given) is str
        )

    @property
    def rules_line(self) -> str:
        """The rules as one line, however they were written. Raises as `rules_in_force` does."""
        return _line_of(self.rules_in_force)


KEYS: Final = tuple(RoundRecord.model_fields)


def read_record(table: object) -> RoundRecord:
    """Return the record that a JSON object holds.

    Raises MalformedError, one sentence, for a key that is missing, unknown or of another form, for lists that do not
    fit the number of players, and what `read_rules` raises for rules that make no game.
    """
    if not isinstance(table, Mapping):
        raise MalformedError(
            f"a record is an object such as {{'players': 4, ...}}, and this is {shown(table)}"
        )
    try:
        record = RoundRecord.model_validate(dict(table))
    except ValidationError as error:
        raise sentence_of(error, "a record", KEYS) from None
    check_form(record)
    return record


def check_form(record: RoundRecord) -> None:
    """Raise MalformedError unless lists have an entry for each seat and seats are seats; and what the rules raise."""
    record.rules_in_force  # noqa: B018  # asked for what it raises
    for name in ("bids", "names", "tricks", "scores"):
        entries = getattr(record, name)
        if entries is not None and len(entries) != record.players:
            raise MalformedError(
                f"{name} has {len(entries)} entries for {record.players} players; give one for each seat"
            )
    seats = (
        *(("winners", seat) for seat in record.winners or ()),
        *(("revokes", one.seat) for one in record.revokes),
        *(("forfeits", one.seat) for one in record.forfeits),
    )
    for name, seat in seats:
        if seat >= record.players:
            raise MalformedError(
                f"{name}: {seat} is no seat at {record.players} players; seats are 0 to {record.players - 1}"
            )


@lru_cache(maxsize=256)
def _rules_of(text: str, plain: bool) -> Rules:
    """Return the rules of a text, or of an object as JSON; a file is refused, for a record stands by itself."""
    if plain and text.lower().endswith(".toml"):
        raise MalformedError(
            f"rules: {shown(text)} is a file; a record names its rules itself, or holds the options"
        )
    given: Any = text if plain else json.loads(text)
    if not plain and not isinstance(given.get(PRESET, ""), str):
        raise MalformedError(f"rules: {PRESET} is {shown(given[PRESET])}; it should be a name in quotes")
    try:
        return read_rules(given)
    except OhPshawError as error:
        raise type(error)(f"rules: {error}") from None


@lru_cache(maxsize=256)
def _line_of(rules: Rules) -> str:
    return rules_text(rules)
