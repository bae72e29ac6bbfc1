"""What is said of a card that cannot stand: whose it was, what is wrong with it, what was owed (B2, B5, B10, V10)."""

from ohpshaw_sim.cards import JESTER, NO_SUIT, WIZARD, Mask, format_card, format_cards, rank_of
from ohpshaw_sim.kernels.bits import U
from ohpshaw_sim.kernels.tricks import legal_cards, suit_lane
from ohpshaw_sim.records.case import Case
from ohpshaw_sim.records.spelling import SUIT_NAMES
from ohpshaw_sim.records.verdict import Play, RuleBrokenError, broken


def not_held(case: Case, play: Play, left: Mask) -> RuleBrokenError:
    """Return what is raised for a card that the seat cannot have had; `left` is what it is known to hold."""
    seat, card, _, number = play
    begin = f"seat {seat} plays {format_card(card)}, which"
    if not case.pack >> card & 1:
        rule = "V8" if rank_of(card) in (JESTER, WIZARD) else "V17"
        return broken(rule, f"{begin} the {case.rules.pack_name} pack does not hold", seat, card, number)
    if card == case.record.turn_up:
        return broken("B5", f"{begin} was turned up and is out of play", seat, card, number)
    for trick in case.played:
        for one in trick.plays:
            if one.card == card:
                sentence = f"{begin} seat {one.seat} has played in trick {one.trick}"
                return broken("B2", sentence, seat, card, number)
    if case.hands[seat] is not None:
        return broken("B10", f"{begin} is not in its hand; it holds {format_cards(left)}", seat, card, number)
    owner = next(other for other, hand in enumerate(case.hands) if hand is not None and card in hand)
    return broken("B10", f"{begin} was dealt to seat {owner}", seat, card, number)


def revoke_found(case: Case, play: Play, left: Mask, legal: Mask) -> RuleBrokenError:
    """Return what is raised for a card that did not follow, or trump, though it could have (B10, V10)."""
    seat, card, led, number = play
    trump = NO_SUIT if case.trump is None else case.trump
    owes_trump = bool(int(legal_cards(U(left), led, trump, False)) >> card & 1)
    duty = "cannot follow {} and must trump" if owes_trump else "must follow {}"
    if case.hands[seat] is not None:
        found = f"it may play {format_cards(legal)}"
    else:
        owed = legal & int(suit_lane(trump if owes_trump else led))
        found = f"it plays {format_cards(owed)} later"
    begin = f"seat {seat} plays {format_card(card)} but {duty.format(SUIT_NAMES[led])}"
    sentence = f"{begin}: {found}; mark a revoke that stood under revokes"
    return broken("V10" if owes_trump else "B10", sentence, seat, card, number)


def one_too_many(case: Case) -> RuleBrokenError:
    """Return what is raised where cards are played after the last trick."""
    record = case.record
    every = record.players * record.hand_size
    card = record.plays[every]
    return broken(
        "B5", f"{format_card(card)} is played after the last of {record.hand_size} tricks", card=card
    )
