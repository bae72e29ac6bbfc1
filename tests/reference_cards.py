"""The referee's cards: the pack, the deal, the cards that may be played and the card that wins a trick."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

Card = tuple[int, int]
Play = tuple[int, Card]  # a seat and its card

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
ACE = 14
JESTER, WIZARD = 1, 15  # V8: ranks of cards whose suit number only tells the four of them apart


def is_jester(card: Card) -> bool:
    """V8: whether a card is one of the four Jesters."""
    return card[1] == JESTER


def is_wizard(card: Card) -> bool:
    """V8: whether a card is one of the four Wizards."""
    return card[1] == WIZARD


def of_suit(card: Card, suit: int | None) -> bool:
    """Whether a card belongs to a suit: V8: a Wizard or Jester belongs to none, and no card to None."""
    return card[0] == suit and not is_jester(card) and not is_wizard(card)


# The pack and the deal


def new_pack(suits: int = 4, ranks: int = 13, wizard: bool = False) -> list[Card]:
    """B2: 52 cards, two low, ace high. V17: fewer suits, or only the highest ranks. V8: 60 cards."""
    extra = [JESTER, WIZARD] if wizard else []
    every = sorted([*range(ACE - ranks + 1, ACE + 1), *extra])
    return [(suit, rank) for suit in range(suits) for rank in every]


def seat_after(seat: int, players: int) -> int:
    """The next seat clockwise."""
    return 0 if seat == players - 1 else seat + 1


def clockwise_from(first: int, players: int) -> list[int]:
    """All the seats in turn, beginning with `first`."""
    return [*range(first, players), *range(first)]


@dataclass
class Deal:
    """The hands by seat, the turn-up (None where nothing is turned) and the stock."""

    hands: list[list[Card]]
    turn_up: Card | None
    stock: list[Card] = field(default_factory=list)


def deal_out(shuffled: Sequence[Card], players: int, hand_size: int, dealer: int, turn: bool = True) -> Deal:
    """B5: one card at a time clockwise from eldest hand, then the turn-up. B6: nothing left to turn.

    Where the round turns nothing (V6, V7) the card that would be turned stays in the stock.
    """
    deal = Deal([[] for _ in range(players)], None)
    left = list(shuffled)
    for _ in range(hand_size):
        for seat in clockwise_from(seat_after(dealer, players), players):
            deal.hands[seat].append(left.pop(0))
    if left and turn:
        deal.turn_up = left.pop(0)
    deal.stock = left
    return deal


def misdeal(deal: Deal, pack: Collection[Card], hand_size: int, turn: bool = True) -> str | None:
    """B7: say what is wrong with a deal that someone supplies; None when it is in order."""
    seen = [card for hand in deal.hands for card in hand] + ([] if deal.turn_up is None else [deal.turn_up])
    if any(len(hand) != hand_size for hand in deal.hands):
        return "wrong count"
    if any(card not in pack for card in seen):
        return "unknown card"
    if len(set(seen)) != len(seen):
        return "duplicate"
    left = len(pack) - len(deal.hands) * hand_size
    if (deal.turn_up is not None) != (turn and left > 0):
        return "wrong turn-up"
    return None


# Tricks


def led_suit(trick: Sequence[Play]) -> int | None:
    """The suit to follow: that of the first card, Jesters passed over. V8: a Wizard there sets none."""
    for _, card in trick:
        if not is_jester(card):
            return None if is_wizard(card) else card[0]
    return None


def legal_cards(
    hand: Sequence[Card], led: int | None, trump: int | None = None, must_trump: bool = False
) -> list[Card]:
    """B10: the leader plays anything; the others follow suit if they can, otherwise play anything.

    V10: who cannot follow plays a trump if it has one; where there is no trump or no suit led it asks nothing.
    V8: a Wizard or Jester may always be played, and that goes before V10 (the rulebook does not say).
    """
    if led is None:
        return list(hand)
    owed = [card for card in hand if of_suit(card, led)]
    if not owed and must_trump:
        owed = [card for card in hand if of_suit(card, trump)]
    if not owed:
        return list(hand)
    return [card for card in hand if card in owed or is_jester(card) or is_wizard(card)]


def voids_shown(card: Card, led: int | None, trump: int | None = None, must_trump: bool = False) -> set[int]:
    """What a play reveals: a discard shows a void in the led suit. V10: one that is no trump, in trump too.

    V8: a Wizard or Jester shows nothing, and neither does any card where no suit is led.
    """
    if led is None or is_jester(card) or is_wizard(card) or of_suit(card, led):
        return set()
    if must_trump and trump is not None and not of_suit(card, trump):
        return {led, trump}
    return {led}


def best_play(trick: Sequence[Play], trump: int | None) -> Play:
    """B11: of the cards in playing order the highest trump, else the highest card of the led suit.

    V8: the first Wizard before all; Jesters lose, and where there is nothing else the first of them wins.
    """
    wizards = [play for play in trick if is_wizard(play[1])]
    if wizards:
        return wizards[0]
    if all(is_jester(card) for _, card in trick):
        return trick[0]
    trumps = [play for play in trick if of_suit(play[1], trump)]
    led = led_suit(trick)
    contest = trumps if trumps else [play for play in trick if of_suit(play[1], led)]
    return max(contest, key=lambda play: play[1][1])
