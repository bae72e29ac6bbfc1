"""Laying a round: the table and the view as they are before the first bid, and before each trick."""

from typing import Any

from ohpshaw_sim.cards import NO_CARD, NO_SUIT
from ohpshaw_sim.interface.view import BID, NAME_TRUMP, NOT_ANNOUNCED
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ZERO, U, bit
from ohpshaw_sim.kernels.dealing import NAMED, TURNED, turned_trump
from ohpshaw_sim.kernels.tricks import next_seat


@jit
def lay_round(view: Any, table: Any, dealer: int, hand_size: int, turn_up: int, trump: int) -> None:
    """Start a round whose hands and round keys already lie in the table: eldest hand is to bid.

    `trump` is a suit, NO_SUIT, or TURNED: what the turn-up makes it. If that is a Wizard, the dealer is to name it.
    """
    if trump == TURNED:
        trump = turned_trump(turn_up)
    eldest = next_seat(U(dealer), U(table.players))
    table.kind = NAME_TRUMP if trump == NAMED else BID
    table.turn = U(dealer) if trump == NAMED else eldest
    trump = NO_SUIT if trump == NAMED else trump
    table.trump = trump
    table.hand_size = hand_size
    table.dealer = dealer
    table.plays_made = 0
    table.forfeits = 0
    table.led = NO_SUIT
    table.gone = bit(turn_up) if turn_up >= 0 else ZERO
    for seat in range(table.players):
        table.bids[seat] = -1
        table.tricks[seat] = 0
    _clear_round(view)
    view.kind = table.kind
    view.players = table.players
    view.hand_size = hand_size
    view.dealer = dealer
    view.trump = trump
    view.turn_up = turn_up
    view.gone = table.gone
    show_new_trick(view, eldest, 0)


@jit
def _clear_round(view: Any) -> None:
    """Empty every field of a view that speaks of the round."""
    view.announcement = NOT_ANNOUNCED
    view.plays_made = 0
    for seat in range(len(view.bids)):
        view.bids[seat] = -1
        view.tricks[seat] = 0
        view.voids[seat] = 0
        view.played[seat] = ZERO
    for index in range(len(view.plays)):
        view.plays[index] = NO_CARD
    for index in range(len(view.leaders)):
        view.leaders[index] = -1


@jit
def show_new_trick(view: Any, leader: Any, number: int) -> None:
    """Show that a seat is to lead."""
    view.leader = leader
    view.led = NO_SUIT
    view.on_table = 0
    view.winning_card = NO_CARD
    view.winning_seat = -1
    view.trick_number = number
    view.leaders[number] = leader
