"""The referee's plan of a match: how many cards each round deals, and where its trump comes from.

Rounds are numbered from 0 through the whole match: after the schedule's rounds come the extra ones (B15).
"""

from reference_cards import CLUBS, DIAMONDS, HEARTS, SPADES, Card, is_jester, is_wizard, new_pack
from reference_options import Options

LAST_HAND = {3: 15, 4: 13, 5: 10, 6: 8, 7: 7}  # B4
ROTATION = (HEARTS, CLUBS, DIAMONDS, SPADES)  # V6


def pack_of(options: Options) -> list[Card]:
    """The pack of these options, unshuffled: B2, V8, V17."""
    return new_pack(options.suits, options.ranks, options.wizard)


# Hand sizes


def ascending_schedule(players: int, cards: int = 52, max_hand: int | None = None) -> list[int]:
    """B4: hand sizes 1, 2, ... to the last. V17: a pack of fewer cards ends sooner."""
    last = min(LAST_HAND[players], cards // players) if max_hand is None else max_hand
    assert 1 <= last <= cards // players
    return list(range(1, last + 1))


def last_hand(options: Options, players: int) -> int:
    """The largest hand of a schedule that has no sizes of its own: B4, and as far as the pack goes under V8."""
    if options.max_hand is not None:
        return options.max_hand
    largest = options.cards // players
    return largest if options.wizard else min(LAST_HAND[players], largest)


def schedule(options: Options, players: int) -> list[int]:
    """The hand sizes of the match, round by round."""
    if options.hand_sizes is not None:  # B4
        return list(options.hand_sizes)
    # V5: its hands are seven cards at most, however many play.
    last = 7 if options.schedule == "contract-whist" else last_hand(options, players)
    rising, falling = list(range(1, last + 1)), list(range(last, 0, -1))
    return {
        "up": rising,  # B4
        "up-down": rising + falling[1:],  # V2: the peak once
        "down": falling,  # V3
        "down-up": falling + rising[1:],  # V4: the one-card round once
        "contract-whist": falling + rising[1:],  # V5
    }[options.schedule]


def extra_hand(options: Options, players: int) -> int:
    """B15: extra rounds deal the schedule's largest hand unless another size was agreed."""
    return options.tie_break_hand or max(schedule(options, players))


# Trump


def final_no_trump(options: Options, players: int, number: int) -> bool:
    """V7: the last round of the schedule, and no extra round."""
    return options.no_trump_final and number == len(schedule(options, players)) - 1


def turns_up(options: Options, players: int, number: int) -> bool:
    """B5: whether the round turns a card, if one is left. V6, V7: nothing is turned."""
    return options.trump == "turn-up" and not final_no_trump(options, players, number)


def rotating_trump(options: Options, number: int) -> int:
    """V6: by round, from the first, on through extra rounds (B15).

    The rulebook does not say what a small pack (V17) rotates: the suits that it has, in the same order. With
    V8 nothing is turned either, so that nobody names a trump.
    """
    suits = [suit for suit in ROTATION if suit < options.suits]
    return suits[number % len(suits)]


def trump_of_round(options: Options, players: int, number: int, turn_up: Card | None) -> int | None:
    """The trump of a round as it is dealt; None where there is none, or none until the dealer names it."""
    if final_no_trump(options, players, number):  # V7
        return None
    if options.trump == "rotate":  # V6, in a round that deals every card too (B6)
        return rotating_trump(options, number)
    if turn_up is None or is_jester(turn_up) or is_wizard(turn_up):  # B6, V8
        return None
    return turn_up[0]  # B5


def dealer_names(turn_up: Card | None) -> bool:
    """V8: a Wizard turned up has the dealer name the trump."""
    return turn_up is not None and is_wizard(turn_up)


def default_suits(hand: list[Card]) -> list[int]:
    """V8: the dealer's default: its longest suit, ties to the higher cards, compared from the highest down.

    The rulebook leaves it open which of two suits with the very same ranks is named: all such are returned,
    all four suits for a hand of Wizards and Jesters.
    """
    held = [
        sorted((c[1] for c in hand if c[0] == suit and not (is_jester(c) or is_wizard(c))), reverse=True)
        for suit in range(4)
    ]
    best = max((len(ranks), ranks) for ranks in held)
    return [suit for suit in range(4) if (len(held[suit]), held[suit]) == best]
