"""The cards of a record before the judge: held, followed suit, or a revoke (B10, B12, V8, V10).

Where a hand is not in the record, every card that the seat plays is known to have been in it. So a heart played after
a discard on hearts shows the discard to be a revoke, and what is not known is left alone.
"""

from typing import Any

import numpy as np

from ohpshaw_sim.cards import Card, Mask, mask_of
from ohpshaw_sim.records.case import Case
from ohpshaw_sim.records.incidents import CAUGHT_LATER, Revoke
from ohpshaw_sim.records.refusals import not_held, one_too_many, revoke_found
from ohpshaw_sim.records.tricks import BEFORE, SEAT, WINNER, lay, make_tricks, try_cards
from ohpshaw_sim.records.turns import wait_for_card
from ohpshaw_sim.records.verdict import Play, broken


def judge_plays(case: Case) -> None:
    """Check every card, and say who won the tricks, or who is to play. Raises RuleBrokenError.

    After a breach the case holds the tricks as they were before it.
    """
    record, trump = case.record, case.trump
    assert trump is not None
    every = record.players * record.hand_size
    plays = record.plays[:every]
    cards = np.array(plays, np.int64)
    laid = lay(cards, record.players, case.eldest, trump)
    held = _hands_known(case, plays, laid[SEAT].tolist())
    left, legal, shown = np.array(held, np.uint64), np.empty(len(cards), np.uint64), np.empty_like(cards)
    try_cards(cards, laid, left, trump, case.rules.must_trump, legal, shown)
    marks = [revoke for revoke in record.revokes if revoke.kind == CAUGHT_LATER]
    voids = shown.tolist()
    for at, (card, mask) in enumerate(zip(plays, legal.tolist(), strict=True)):
        if not mask >> card & 1:
            _judge_fault(case, laid, held, at, mask, marks, voids)
            voids[at] = 0  # it could have followed
    _lay_out(case, laid, len(plays), voids)
    if len(record.plays) > every:
        raise one_too_many(case)
    _check_marks(case, marks, finished=len(plays) == every)
    if len(plays) < every:
        wait_for_card(case, [int(mask) for mask in left])


def _hands_known(case: Case, plays: tuple[Card, ...], seats: list[int]) -> list[Mask]:
    """Return the cards each seat is known to have been dealt: its hand, or what it plays of cards that are free."""
    hands = case.hands
    held = [mask_of(hand or ()) for hand in hands]
    free = case.pack & ~case.turned & ~sum(held)
    if None in hands:
        for card, seat in zip(plays, seats, strict=True):
            if hands[seat] is None:
                held[seat] |= 1 << card & free
                free &= ~(1 << card)
    return held


def _lay_out(case: Case, laid: Any, count: int, voids: list[int]) -> None:
    """Put into the case what the first so many cards have come to."""
    record = case.record
    case.played = make_tricks(record.plays[:count], laid, record.players, record.hand_size, case.eldest)
    for winner in laid[WINNER, record.players - 1 : count : record.players].tolist():
        case.tricks[winner] += 1
    for seat, shown in zip(laid[SEAT, :count].tolist(), voids, strict=False):
        case.voids[seat] |= shown


def _judge_fault(
    case: Case, laid: Any, held: list[Mask], at: int, legal: Mask, marks: list[Revoke], voids: list[int]
) -> None:
    """Raise RuleBrokenError for a card that is not legal, unless it is a revoke that is marked (B12)."""
    record = case.record
    seat = int(laid[SEAT, at])
    play = Play(seat, record.plays[at], int(laid[BEFORE, at]), at // record.players + 1)
    left = held[seat] & ~mask_of(
        card for card, other in zip(record.plays[:at], laid[SEAT].tolist(), strict=False) if other == seat
    )
    is_held = bool(left >> play.card & 1)
    if is_held and _excused(marks, play):
        return
    _lay_out(case, laid, at, voids)
    raise revoke_found(case, play, left, legal) if is_held else not_held(case, play, left)


def _excused(marks: list[Revoke], play: Play) -> bool:
    """Take away the mark of a revoke found too late that lets this card stand (B12), if there is one."""
    mine = [one for one in marks if one.seat == play.seat and one.trick in (None, play.trick)]
    if mine:
        marks.remove(max(mine, key=lambda one: one.trick is not None))
    return bool(mine)


def _check_marks(case: Case, marks: list[Revoke], *, finished: bool) -> None:
    """Refuse the mark of a revoke of which the cards, where all that count are known, show nothing (B12)."""
    played = {(play.seat, play.trick) for trick in case.played for play in trick.plays} if marks else set()
    for one in marks:
        if finished or (case.hands[one.seat] is not None and (one.seat, one.trick) in played):
            where = "every trick" if one.trick is None else f"trick {one.trick}"
            raise broken(
                "B12",
                f"seat {one.seat} is marked as caught later, but kept to the rules in {where}",
                one.seat,
                trick=one.trick,
            )
