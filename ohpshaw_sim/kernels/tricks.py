"""Following suit and winning a trick, on masks and without branches on suits.

Strength puts trump on top: a card's bit is kept only if its lane is led or trump, and the lanes are turned round until
the trump lane is the highest one. The winner of a trick is then an unsigned maximum, and 0 means "cannot win".
"""

from typing import Any

from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ONE, ZERO, U, bit, lane


@jit
def following(hand: Any, led_lane: Any) -> Any:
    """Return the cards of a hand that lie in the lane led, or the whole hand if none does (B10)."""
    suited = hand & led_lane
    return suited if suited else hand


@jit
def legal_cards(hand: Any, led: int) -> Any:
    """Return the cards of a hand that may be played to a trick where suit `led` was led; all to no lead (-1) (B10)."""
    return following(hand, lane(led))


@jit
def contest(led: int, trump: int) -> Any:
    """Return the mask of the cards that can win a trick: the suit led and trump (-1 = none)."""
    return lane(led) | lane(trump)


@jit
def lift(led: int, trump: int) -> Any:
    """Return by how many bits (uint64) `strength` turns the lanes so that trump, else the suit led, is on top."""
    return U(48 - 16 * (trump if trump >= 0 else led))


@jit
def strength(mask: Any, contest: Any, lift: Any) -> Any:
    """Return the strength (uint64) of a one-card mask in a trick: the larger wins, 0 cannot win (B11)."""
    wins = mask & contest
    return (wins << lift) | (wins >> (U(64) - lift & U(63)))


@jit
def beats(card: int, other: int, led: int, trump: int) -> bool:
    """Tell whether a card beats another one played before it to a trick where suit `led` was led (B11)."""
    able, turn = contest(led, trump), lift(led, trump)
    return strength(bit(card), able, turn) > strength(bit(other), able, turn)  # type: ignore[no-any-return]  # uint64


@jit
def next_seat(seat: Any, players: Any) -> Any:
    """Return the seat to the left; seats are uint64, which spares every index a check for negative ones."""
    following = seat + ONE
    return following if following < players else ZERO
