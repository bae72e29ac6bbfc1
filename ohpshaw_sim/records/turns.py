"""Whose card an unfinished record waits for, and what may be played (B10, V8, V10)."""

from ohpshaw_sim.cards import NO_SUIT, WIZARD, Mask, format_cards, rank_of
from ohpshaw_sim.kernels.bits import U
from ohpshaw_sim.kernels.tricks import legal_cards, suit_lane
from ohpshaw_sim.records.case import Case
from ohpshaw_sim.records.spelling import SUIT_NAMES
from ohpshaw_sim.records.verdict import Decision, Trick, Turn


def wait_for_card(case: Case, left: list[Mask]) -> None:
    """Say whose card is awaited, and what is legal, or may be where the hand is not known.

    `left` are the cards known to be held still, by seat.
    """
    trick, number = case.played[-1], len(case.played)
    trump = case.trump if case.trump is not None else NO_SUIT
    seat = (trick.leader + len(trick.plays)) % case.record.players
    begin = f"seat {seat} is to {'play to' if trick.plays else 'lead'} trick {number}{_on_table(trick)}"
    if case.hands[seat] is not None:
        legal = int(legal_cards(U(left[seat]), trick.led, trump, case.rules.must_trump))
        sentence = f"{begin}: {format_cards(legal)}"
        case.turn = Turn(seat, Decision.play, legal, legal, sentence, (seat,))
        return
    possible = _may_hold(case, left, seat)
    sentence = f"{begin}; its hand is not in the record: {_duty(case, seat, trick, trump)}"
    case.turn = Turn(seat, Decision.play, None, possible, sentence, (seat,))


def _on_table(trick: Trick) -> str:
    if not trick.plays:
        return ""
    if trick.led != NO_SUIT:
        return f", {SUIT_NAMES[trick.led]} led"
    return ", a Wizard led" if rank_of(trick.winning_card) == WIZARD else ", only Jesters played"


def _may_hold(case: Case, left: list[Mask], seat: int) -> Mask:
    """Return the cards that a seat whose hand is not known may hold still."""
    seen = case.turned | sum(cards for other, cards in enumerate(left) if other != seat)
    for trick in case.played:
        for play in trick.plays:
            seen |= 1 << play.card
    for suit in range(len(SUIT_NAMES)):
        if case.voids[seat] >> suit & 1:
            seen |= int(suit_lane(suit))
    return case.pack & ~seen


def _duty(case: Case, seat: int, trick: Trick, trump: int) -> str:
    """Return what a hand that is not known owes to the trick."""
    if trick.led == NO_SUIT:
        return "any card"
    void = case.voids[seat] >> trick.led & 1
    trumps = case.rules.must_trump and trump not in (NO_SUIT, trick.led) and not case.voids[seat] >> trump & 1
    otherwise = f"a trump if it has one ({SUIT_NAMES[trump]}, V10), else any card" if trumps else "any card"
    if void:
        return f"it is void in {SUIT_NAMES[trick.led]} and may play {otherwise}"
    return f"it must follow {SUIT_NAMES[trick.led]} if it can, else {otherwise}"
