"""Following suit and winning a trick, on masks and without branches on suits.

Strength puts trump on top: a card's bit is kept only if its suit is led or trump, and the lanes are turned round until
the trump lane is the highest one. A Wizard has all bits. The winner of a trick is then an unsigned maximum, of equal
ones the first, and 0 means "cannot win": a Jester, or a card of another suit. So while the best strength of a trick is
0, only Jesters lie on the table, if anything, and the next other card sets the suit led (V8).

Wizards and Jesters (`bits.FREE`) belong to no suit and may be played at any time. The functions named `plain_` are for
packs without them, where nobody has to trump: the same answers for less.
"""

from typing import Any

import numpy as np

from ohpshaw_sim.cards import NO_SUIT
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ALL_BITS, FREE, ONE, SUITED, WIZARDS, ZERO, U, bit, lane, lowest_bit


@jit
def suit_lane(suit: int) -> Any:
    """Return the mask of the cards that belong to a suit; an empty mask for no suit (-1)."""
    return lane(suit) & SUITED


@jit
def plain_following(hand: Any, led_lane: Any) -> Any:
    """Return the cards of a hand that lie in the lane led, or the whole hand if none does (B10)."""
    suited = hand & led_lane
    return suited if suited else hand


@jit
def following(hand: Any, led_lane: Any, trump_lane: Any, must_trump: bool) -> Any:
    """Return the cards of a hand that may be played where the suit of `led_lane` is to be followed (B10, V8, V10).

    Those of the suit and all that belong to none; the whole hand if it has none of the suit, or the lane is empty. Who
    must trump and cannot follow has its trumps instead, and all that belong to no suit.
    """
    suited = hand & led_lane
    if suited:
        return suited | (hand & FREE)
    trumps = hand & trump_lane
    if must_trump and led_lane and trumps:
        return trumps | (hand & FREE)
    return hand


@jit
def legal_cards(hand: Any, led: int, trump: int, must_trump: bool) -> Any:
    """Return the cards of a hand that may be played to a trick where suit `led` was led; all to no suit (-1)."""
    return following(hand, suit_lane(led), suit_lane(trump), must_trump)


@jit
def own_suit(card: int) -> int:
    """Return the suit that a card belongs to, -1 for a Wizard or Jester: what it sets as the suit led (V8)."""
    return card >> 4 if bit(card) & SUITED else NO_SUIT


@jit
def suit_led(led: int, winning_card: int, card: int) -> int:
    """Return the suit led, -1 for none, once `card` lies on the table: the first card that is no Jester sets it (V8).

    `led` and `winning_card` (-1 = none) are those before it. A Wizard sets none, and then none is set any more.
    """
    if winning_card >= 0 and winning_card & 15 > 1:
        return led
    return own_suit(card)


@jit
def contest(led: int, trump: int) -> Any:
    """Return the mask of the cards that can win a trick by rank: the suit led and trump (-1 = none)."""
    return suit_lane(led) | suit_lane(trump)


@jit
def lift(led: int, trump: int) -> Any:
    """Return by how many bits (uint64) `strength` turns the lanes so that trump, else the suit led, is on top."""
    return U(48 - 16 * (trump if trump >= 0 else max(led, 0)))


@jit
def plain_strength(mask: Any, contest: Any, lift: Any) -> Any:
    """Return the strength (uint64) of a one-card mask in a trick: the larger wins, 0 cannot win (B11)."""
    wins = mask & contest
    return (wins << lift) | (wins >> (U(64) - lift & U(63)))


@jit
def strength(mask: Any, contest: Any, lift: Any) -> Any:
    """Return the strength (uint64) of a one-card mask in a trick, which may be a Wizard or Jester (B11, V8)."""
    return ALL_BITS if mask & WIZARDS else plain_strength(mask, contest, lift)


@jit
def beats(card: int, other: int, led: int, trump: int) -> bool:
    """Tell whether a card beats another one played before it to a trick where suit `led` was led (B11, V8)."""
    able, turn = contest(led, trump), lift(led, trump)
    return strength(bit(card), able, turn) > strength(bit(other), able, turn)  # type: ignore[no-any-return]  # uint64


@jit
def plain_shown_voids(card: int, led: int) -> int:
    """Return the void that a card shows, as bit s for suit s, in a trick where suit `led` was led."""
    return np.int64(card >> 4 != led) << led


@jit
def shown_voids(card: int, led: int, trump: int, must_trump: bool) -> int:
    """Return the voids that a card shows, bit s for suit s, played where suit `led` (-1 = none) was to be followed.

    A discard shows a void in the suit led; where trumping is a duty, one that is no trump also shows a void in trump.
    """
    discard = np.int64((led >= 0) & (bit(card) & (suit_lane(led) | FREE) == ZERO))
    voids = discard << (led & 3)
    if must_trump:
        voids |= (discard & np.int64((trump >= 0) & (card >> 4 != trump))) << (trump & 3)
    return voids


@jit
def next_seat(seat: Any, players: Any) -> Any:
    """Return the seat to the left; seats are uint64, which spares every index a check for negative ones."""
    following = seat + ONE
    return following if following < players else ZERO


@jit
def unlike_cards(cards: Any, apart: Any) -> Any:
    """Return the lowest card of each group of `cards` that are worth the same, all masks.

    Two cards of a suit are when none of `apart` lies between them. All Wizards are, and all Jesters.
    """
    wizards, jesters = cards & WIZARDS, cards & FREE & ~WIZARDS
    kept = (bit(lowest_bit(wizards)) if wizards else ZERO) | (bit(lowest_bit(jesters)) if jesters else ZERO)
    rest = cards & SUITED
    below = -64
    while rest != ZERO:
        card = lowest_bit(rest)
        rest &= rest - ONE
        if below >> 4 != card >> 4 or apart & (bit(card) - bit(below)) != ZERO:
            kept |= bit(card)
        below = card
    return kept
