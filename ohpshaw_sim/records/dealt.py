"""The deal of a record before the judge: seats, hand size, hands, turn-up and trump (B1 to B7, V6 to V8, V17)."""

import re
from functools import lru_cache
from typing import Final

from ohpshaw_sim.cards import NO_SUIT, SUIT_LETTERS, Suit, format_card
from ohpshaw_sim.engine.auction import ANY_SUIT
from ohpshaw_sim.engine.checks import check_round
from ohpshaw_sim.errors import IllegalError
from ohpshaw_sim.kernels.dealing import NAMED, turned_trump
from ohpshaw_sim.records.case import Case
from ohpshaw_sim.records.spelling import SUIT_NAMES
from ohpshaw_sim.records.stated import every_card_is_dealt, fixed_trump
from ohpshaw_sim.records.verdict import Decision, RuleBrokenError, Turn, broken
from ohpshaw_sim.rules import Rules

_IDS: Final = re.compile(r" \(([BV]\d+)[^()]*\)")


def judge_deal(case: Case) -> None:
    """Check seats, hand size, hands and turn-up, and settle what is trump, as far as it is decided.

    Raises RuleBrokenError.
    """
    _check_round(case)
    _check_cards(case)
    _settle_trump(case)


@lru_cache(maxsize=4096)
def _refusal(rules: Rules, players: int, hand_size: int, dealer: int, trump: Suit | None) -> str | None:
    """Return why the engine would refuse such a round; None if it would not. Kept, since many rounds are alike."""
    try:
        check_round(rules, players, hand_size, dealer, trump)
    except IllegalError as error:
        return str(error)
    return None


def _check_round(case: Case) -> None:
    record, rules = case.record, case.rules
    refusal = _refusal(rules, record.players, record.hand_size, record.dealer, fixed_trump(record, rules))
    if refusal is not None:
        found, names_dealer = _IDS.search(refusal), refusal.startswith("dealer")
        rule = found[1] if found else "B3" if names_dealer else "V17"
        raise broken(rule, _IDS.sub("", refusal), record.dealer if names_dealer else None)
    every = every_card_is_dealt(record, rules)
    if record.turn_up is not None and every:
        raise broken("B6", "every card is dealt and none is left to turn up", card=record.turn_up)
    if record.turn_up is None and fixed_trump(record, rules) is None and not every:
        raise broken("B5", "a card must be turned up unless every card is dealt; give turn_up")


def _check_cards(case: Case) -> None:
    """Refuse a misdeal that is not marked as one: a wrong count, a card dealt twice or not in the pack (B7)."""
    record, pack = case.record, case.pack
    if record.hands is not None and len(record.hands) != record.players:
        raise broken("B7", f"{len(record.hands)} hands were given for {record.players} players")
    seen = 0
    for seat, hand in enumerate(record.hands or ()):
        for card in hand or ():
            _check_card(card, pack, seen, f"seat {seat}", seat)
            seen |= 1 << card
        if hand is not None and len(hand) != record.hand_size:
            raise broken("B7", f"seat {seat} has {len(hand)} cards in a round of {record.hand_size}", seat)
    if record.turn_up is not None:
        _check_card(record.turn_up, pack, seen, "the turn-up", None)


def _check_card(card: int, pack: int, seen: int, where: str, seat: int | None) -> None:
    if not pack >> card & 1:
        raise broken("B7", f"{where} has {format_card(card)}, which the pack does not hold", seat, card)
    if seen >> card & 1:
        raise broken("B7", f"{format_card(card)} is dealt twice, the second time to {where}", seat, card)


def _settle_trump(case: Case) -> None:
    """Find what is trump; where the dealer has still to name it, that is whose turn it is (V8)."""
    record = case.record
    if record.turn_up is None:
        fixed = fixed_trump(record, case.rules)
        case.trump = NO_SUIT if fixed is None else fixed
        return
    trump = turned_trump(record.turn_up)
    if trump == NAMED:
        _name_trump(case)
    elif record.trump is not None and record.trump != trump:
        raise _wrong_trump(case, trump)
    else:
        case.trump = trump


def _wrong_trump(case: Case, trump: Suit) -> RuleBrokenError:
    card, stated = case.record.turn_up or 0, case.record.trump
    says = "no trump" if stated == NO_SUIT else SUIT_NAMES[stated or 0]
    if trump == NO_SUIT:
        return broken(
            "V8", f"{format_card(card)} was turned up, so there is no trump, and not {says}", card=card
        )
    return broken(
        "B5",
        f"{format_card(card)} was turned up, so {SUIT_NAMES[trump]} are trump, and not {says}",
        card=card,
    )


def _name_trump(case: Case) -> None:
    record = case.record
    card, dealer = format_card(record.turn_up or 0), record.dealer
    if record.trump is not None and record.trump != NO_SUIT:
        case.trump = record.trump
    elif record.trump == NO_SUIT:
        raise broken("V8", f"{card} was turned up, so seat {dealer} must name one of the four suits", dealer)
    elif record.plays or any(bid is not None for bid in record.bids or ()):
        raise broken(
            "V8", f"{card} was turned up, so seat {dealer} must name trump before anyone bids", dealer
        )
    else:
        suits = int(ANY_SUIT)
        sentence = f"seat {dealer} is to name trump: {', '.join(SUIT_LETTERS[:-1])} or {SUIT_LETTERS[-1]}"
        case.turn = Turn(dealer, Decision.name_trump, suits, suits, sentence, (dealer,))
