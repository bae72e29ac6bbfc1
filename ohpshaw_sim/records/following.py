"""The cards of a record before the judge: held, followed suit, or a revoke (B10, B12, V8, V10).

Where a hand is not in the record, every card that the seat plays is known to have been in it. So a heart played after
a discard on hearts shows the discard to be a revoke, and what is not known is left alone.
"""

from typing import Final

from ohpshaw_sim.cards import JESTER, WIZARD, Mask, format_card, format_cards, mask_of, rank_of
from ohpshaw_sim.kernels.bits import U
from ohpshaw_sim.kernels.tricks import legal_cards, shown_voids, suit_lane
from ohpshaw_sim.records.case import Case
from ohpshaw_sim.records.record import CAUGHT_LATER, Revoke
from ohpshaw_sim.records.spelling import SUIT_NAMES
from ohpshaw_sim.records.tricks import lay_tricks
from ohpshaw_sim.records.turns import wait_for_card
from ohpshaw_sim.records.verdict import Play, RuleBrokenError, broken

_FREE: Final = (JESTER, WIZARD)


class Holdings:
    """What is known of the hands: `left` are the cards known to be held still, as masks by seat."""

    def __init__(self, case: Case) -> None:
        record = case.record
        hands = record.hands or (None,) * record.players
        self.given = [hand is not None for hand in hands]
        self.left = [mask_of(hand or ()) for hand in hands]
        self.elsewhere = sum(self.left)
        """Cards of the hands that the record gives."""
        for trick in case.played:
            for play in trick.plays:
                if not self.given[play.seat]:
                    self.left[play.seat] |= (1 << play.card) & ~self.elsewhere


def judge_plays(case: Case) -> None:
    """Check every card, and say who won the tricks, or who is to play. Raises RuleBrokenError.

    After a breach the case holds the tricks as they were before it.
    """
    record = case.record
    assert case.trump is not None
    _lay(case, len(record.plays))
    case.voids = [0] * record.players
    holdings = Holdings(case)
    revokes = [revoke for revoke in record.revokes if revoke.kind == CAUGHT_LATER]
    made = 0
    try:
        for trick in case.played:
            for play in trick.plays:
                _judge_play(case, holdings, revokes, play)
                made += 1
        if len(record.plays) > made:
            raise _one_too_many(case, made)
    except RuleBrokenError:
        _lay(case, made)
        raise
    _check_marks(case, holdings, revokes, made)
    if made < record.players * record.hand_size:
        wait_for_card(case, holdings.left, holdings.given)


def _lay(case: Case, count: int) -> None:
    """Lay the tricks that the first so many cards make."""
    record = case.record
    assert case.trump is not None
    cards = record.plays[:count]
    case.played = tuple(lay_tricks(cards, record.players, record.hand_size, case.eldest, case.trump))
    case.tricks = [0] * record.players
    for trick in case.played:
        if trick.finished:
            case.tricks[trick.winner] += 1


def _judge_play(case: Case, holdings: Holdings, revokes: list[Revoke], play: Play) -> None:
    """Check one card and take it from its hand."""
    seat, card, led, _ = play
    must_trump, bit, trump = case.rules.must_trump, 1 << card, case.trump or 0
    if not bit & holdings.left[seat] & case.rules.pack_mask & ~case.turned:
        raise _not_held(case, holdings, play)
    if bit & legal_cards(U(holdings.left[seat]), led, trump, must_trump):
        case.voids[seat] |= int(shown_voids(card, led, trump, must_trump))
    elif not _excused(revokes, play):
        raise _revoke(case, holdings, play)
    holdings.left[seat] ^= bit


def _not_held(case: Case, holdings: Holdings, play: Play) -> RuleBrokenError:
    """Return what is raised for a card that the seat cannot have had."""
    seat, card, _, number = play
    name, before = format_card(card), [one for trick in case.played for one in trick.plays]
    if not case.rules.pack_mask >> card & 1:
        rule = "V8" if rank_of(card) in _FREE else "V17"
        sentence = f"seat {seat} plays {name}, which the {case.rules.pack_name} pack does not hold"
    elif card == case.record.turn_up:
        rule, sentence = "B5", f"seat {seat} plays {name}, which was turned up and is out of play"
    else:
        earlier = next((one for one in before[: before.index(play)] if one.card == card), None)
        if earlier is not None:
            rule = "B2"
            sentence = (
                f"seat {seat} plays {name}, which seat {earlier.seat} has played in trick {earlier.trick}"
            )
        else:
            rule, sentence = "B10", f"seat {seat} plays {name}, which is not in its hand"
    if rule == "B10" and holdings.given[seat]:
        sentence += f"; it holds {format_cards(holdings.left[seat])}"
    return broken(rule, sentence, seat, card, number)


def _revoke(case: Case, holdings: Holdings, play: Play) -> RuleBrokenError:
    """Return what is raised for a card that did not follow, or trump, though it could have (B10, V10)."""
    seat, card, led, number = play
    trump, left = case.trump or 0, holdings.left[seat]
    only_trumping = bool(legal_cards(U(left), led, trump, False) >> card & 1)
    owed: Mask = legal_cards(U(left), led, trump, case.rules.must_trump)
    if only_trumping:
        rule, duty = "V10", f"cannot follow {SUIT_NAMES[led]} and must trump"
    else:
        rule, duty = "B10", f"must follow {SUIT_NAMES[led]}"
    if holdings.given[seat]:
        found = f"it may play {format_cards(owed)}"
    else:
        found = (
            f"it held {format_cards(owed & int(suit_lane(trump if only_trumping else led)))}, played later"
        )
    sentence = (
        f"seat {seat} plays {format_card(card)} but {duty}: {found}; "
        "a revoke found at the table is marked under revokes (B12)"
    )
    return broken(rule, sentence, seat, card, number)


def _excused(revokes: list[Revoke], play: Play) -> bool:
    """Take away the mark of a revoke found too late that lets this card stand (B12), if there is one."""
    mine = [one for one in revokes if one.seat == play.seat and one.trick in (None, play.trick)]
    if mine:
        revokes.remove(max(mine, key=lambda one: one.trick is not None))
    return bool(mine)


def _one_too_many(case: Case, made: int) -> RuleBrokenError:
    record = case.record
    card = record.plays[made]
    return broken(
        "B5",
        f"{format_card(card)} is played after all {made} cards of {record.players} hands of {record.hand_size}",
        card=card,
    )


def _check_marks(case: Case, holdings: Holdings, revokes: list[Revoke], made: int) -> None:
    """Refuse the mark of a revoke of which the cards, where all that count are known, show nothing (B12)."""
    finished = made == case.record.players * case.record.hand_size
    played = {(play.seat, play.trick) for trick in case.played for play in trick.plays}
    for one in revokes:
        if finished or (holdings.given[one.seat] and (one.seat, one.trick) in played):
            where = "every trick" if one.trick is None else f"trick {one.trick}"
            raise broken(
                "B12",
                f"seat {one.seat} is marked as caught later, but kept to the rules in {where}",
                one.seat,
                trick=one.trick,
            )
