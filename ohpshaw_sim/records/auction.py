"""The bids of a record before the judge (B8, B9, V1, V9)."""

from ohpshaw_sim.cards import Mask, cards_in, format_card
from ohpshaw_sim.kernels.bidding import announcement, open_bids
from ohpshaw_sim.reading import write_numbers
from ohpshaw_sim.records.case import Case
from ohpshaw_sim.records.verdict import Decision, Turn, broken
from ohpshaw_sim.rules import Rules

ANNOUNCED = {-1: "under", 0: "even", 1: "over"}


def judge_bids(case: Case) -> None:
    """Check the bids in their order and announce their total, or say who is to bid. Raises RuleBrokenError."""
    record, rules = case.record, case.rules
    written = record.bids or (None,) * record.players
    case.bids = [None] * record.players
    waiting: list[int] = []
    others = 0
    for place in range(record.players):
        seat = (case.eldest + place) % record.players
        bid = written[seat]
        if bid is None:
            waiting.append(seat)
            continue
        if waiting and rules.bidding == "in-turn":
            raise broken("B8", f"seat {seat} has bid {bid} before seat {waiting[0]} has bid", seat)
        legal = bids_open(rules, record.hand_size, others, dealer=seat == record.dealer)
        if bid < 0 or not legal >> bid & 1:
            _refuse(case, seat, bid, legal)
        case.bids[seat] = bid
        others += bid
    if waiting:
        _wait(case, waiting, others)
    else:
        case.announcement = ANNOUNCED[announcement(others, record.hand_size)]


def bids_open(rules: Rules, hand_size: int, others: int, *, dealer: bool) -> Mask:
    """Return the bids that are legal, bit b for bid b, where the bids made so far add up to `others` (B8, V1)."""
    return int(open_bids(hand_size, rules.hook_from if dealer and rules.hook else 0, others))


def _refuse(case: Case, seat: int, bid: int, legal: Mask) -> None:
    """Raise RuleBrokenError for a bid that is not legal."""
    size, still_open = case.record.hand_size, write_numbers(list(cards_in(legal)))
    if 0 <= bid <= size:
        raise broken(
            "V1",
            f"seat {seat} deals and bids {bid}, which brings the bids to the number of tricks, {size}; "
            f"it may bid {still_open}",
            seat,
        )
    raise broken("B8", f"seat {seat} bids {bid} in a round of {size}; it may bid {still_open}", seat)


def _wait(case: Case, waiting: list[int], others: int) -> None:
    """Say who is to bid, and what; raise RuleBrokenError when a card was played before."""
    record, seat = case.record, waiting[0]
    if record.plays:
        card = record.plays[0]
        raise broken(
            "B8", f"{format_card(card)} is played before seat {seat} has bid", case.eldest, card, trick=1
        )
    legal = bids_open(case.rules, record.hand_size, others, dealer=seat == record.dealer)
    sentence = f"seat {seat} is to bid: {write_numbers(list(cards_in(legal)))}"
    if legal != bids_open(case.rules, record.hand_size, others, dealer=False):
        sentence += f"; {record.hand_size - others} would bring the bids to the number of tricks (V1)"
    if case.rules.bidding == "simultaneous":
        everyone = waiting
        if len(waiting) > 1:
            sentence += f"; so are seats {', '.join(map(str, waiting[1:]))}, all at once (V9)"
    else:
        everyone = [seat]
    case.turn = Turn(seat, Decision.bid, legal, legal, sentence, tuple(everyone))
