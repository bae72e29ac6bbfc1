"""From a round record to the position of its ending: what `ohpshaw solve` starts from."""

from collections.abc import Sequence
from typing import Any

from ohpshaw_sim.cards import NO_SUIT, Card, Mask, mask_of
from ohpshaw_sim.engine.positions import Position
from ohpshaw_sim.errors import IllegalError
from ohpshaw_sim.records.judge import judge
from ohpshaw_sim.records.record import RoundRecord, read_record
from ohpshaw_sim.records.verdict import Decision, Status, Verdict


def position_of(
    record: RoundRecord | dict[str, Any], trick: int | None = None, bids: Sequence[int] | None = None
) -> Position:
    """Return where a round stands whose hands are all known, or where it stood as a trick began.

    trick   number of that trick, 1 for the first; None = as far as the record goes
    bids    by seat, instead of those of the record

    Hands that are not in the record are those that were played, if the round was played to its end. Raises
    MalformedError for what is no record; IllegalError where hands or bids are missing, where nothing is left to play,
    for a trick that is not in the record, and for a record that breaks a rule.

    >>> position_of({"players": 3, "dealer": 2, "hand_size": 1, "turn_up": "7H", "bids": [1, 0, 1],
    ...              "plays": "2C TC 2H"}, trick=1).seat
    0
    """
    record = record if isinstance(record, RoundRecord) else read_record(record)
    if bids is not None:
        if len(bids) != record.players:
            raise IllegalError(f"{len(bids)} bids were given for {record.players} players; give one for each")
        record = record.model_copy(update={"bids": tuple(bids)})
    _heard(judge(record))
    dealt = _dealt(record)
    if trick is not None:
        record = _cut(record, trick)
    verdict = _heard(judge(record))
    if verdict.turn is None:
        raise IllegalError("the round is over; say at which trick to begin, 1 for the first")
    if verdict.turn.decision is not Decision.play:
        raise IllegalError(f"{verdict.turn.sentence}; an ending is solved once all have bid")
    under_way = verdict.played[-1]
    table: tuple[Card, ...] = under_way.cards
    return Position(
        record.rules_in_force,
        NO_SUIT if verdict.trump is None else verdict.trump,
        tuple(hand & ~mask_of(record.plays) for hand in dealt),
        tuple(bid or 0 for bid in verdict.bids),
        verdict.tricks,
        under_way.leader,
        table,
    )


def _heard(verdict: Verdict) -> Verdict:
    """Return a verdict; raise IllegalError for one from which nobody plays on."""
    if verdict.breach is not None:
        raise IllegalError(f"the record breaks a rule: {verdict.breach.sentence} ({verdict.breach.rule})")
    if verdict.status is Status.misdeal:
        raise IllegalError("the round was misdealt and is not played (B7)")
    return verdict


def _cut(record: RoundRecord, trick: int) -> RoundRecord:
    """Return a record as it stood when a trick began."""
    begun = min(len(record.plays) // record.players + 1, record.hand_size)
    if not 1 <= trick <= begun:
        raise IllegalError(f"there is no trick {trick} to begin at; the record goes as far as trick {begun}")
    plays = record.plays[: (trick - 1) * record.players]
    later = {"plays": plays, "winners": None, "tricks": None, "scores": None, "revokes": (), "forfeits": ()}
    return record.model_copy(update=later)


def _dealt(record: RoundRecord) -> tuple[Mask, ...]:
    """Return the hands as they were dealt."""
    hands = record.hands or (None,) * record.players
    if None in hands and len(record.plays) == record.players * record.hand_size:
        played = [0] * record.players
        for trick in judge(record).played:
            for play in trick.plays:
                played[play.seat] |= 1 << play.card
        return tuple(played)
    unknown = [seat for seat, hand in enumerate(hands) if hand is None]
    if unknown:
        raise IllegalError(
            f"the hand of seat {unknown[0]} is not in the record; an ending is solved with open cards"
        )
    return tuple(mask_of(hand or ()) for hand in hands)
