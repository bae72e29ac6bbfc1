"""Refusing a round that cannot be played: numbers that do not fit the rules, and misdeals (B7)."""

from collections.abc import Sequence

from ohpshaw_sim.cards import NO_SUIT, SUIT_LETTERS, Card, Mask, Suit, format_cards, lane_of
from ohpshaw_sim.errors import IllegalError
from ohpshaw_sim.rules import Rules


def check_round(rules: Rules, players: int, hand_size: int, dealer: int, trump: Suit | None = None) -> None:
    """Raise IllegalError unless such a round is part of a match under these rules.

    `trump` is what stands in place of a turn-up, -1 = no trump; None = a card is turned.
    """
    largest = rules.largest_hand(players)
    if not 1 <= hand_size <= largest:
        raise IllegalError(
            f"hand size {hand_size} cannot be dealt to {players} players; use 1 to {largest} (B4)"
        )
    if not 0 <= dealer < players:
        raise IllegalError(f"dealer {dealer} is no seat at {players} players; seats are 0 to {players - 1}")
    _check_trump(rules, trump)


def _check_trump(rules: Rules, trump: Suit | None) -> None:
    """Refuse a trump that the rules do not set, and a turn-up where nothing is turned."""
    if trump is None:
        if rules.trump == "rotate":
            raise IllegalError("suits take turns as trump and no card is turned; say which suit it is (V6)")
    elif trump == NO_SUIT:
        if not rules.no_trump_final:
            raise IllegalError(
                "a round without trump is not agreed on; turn a card, or add no_trump_final (V7)"
            )
    elif not 0 <= trump < len(SUIT_LETTERS) or not rules.pack_mask & lane_of(trump):
        raise IllegalError(
            f"suit {trump} is not in the pack; suits are 0 to 3: {', '.join(SUIT_LETTERS)} (V6)"
        )
    elif rules.trump != "rotate":
        raise IllegalError("trump is the suit of a turned card and cannot be set; give the turn-up (B5)")


def check_deal(
    rules: Rules, players: int, hand_size: int, hands: Sequence[Mask], turn_up: Card, *, turned: bool = True
) -> None:
    """Refuse a deal with a wrong count, a duplicate or an unknown card (B7); `turned` = a card is to be turned."""
    if len(hands) != players:
        raise IllegalError(f"{len(hands)} hands were given for {players} players (B7)")
    shown = 1 << turn_up if turn_up >= 0 else 0
    seen = 0
    for name, cards in [*((f"seat {seat}", hand) for seat, hand in enumerate(hands)), ("the turn-up", shown)]:
        if cards & ~rules.pack_mask:
            raise IllegalError(f"{name} has cards that the {rules.pack_name} pack does not hold (B7)")
        if seen & cards:
            raise IllegalError(f"{format_cards(seen & cards)} is dealt twice, the second time to {name} (B7)")
        if name != "the turn-up" and cards.bit_count() != hand_size:
            raise IllegalError(f"{name} has {cards.bit_count()} cards in a round of {hand_size} (B7)")
        seen |= cards
    if not turned and shown:
        raise IllegalError("a card was turned up in a round in which none is (V6, V7)")
    if turned and (seen == rules.pack_mask and not shown) == (turn_up >= 0):
        raise IllegalError("a card must be turned up unless every card is dealt (B5, B6)")
