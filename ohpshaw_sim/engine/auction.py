"""What comes before the first lead: the trump that a dealer may have to name, and the bids."""

from typing import Any, Final

from ohpshaw_sim.engine.asking import FINISHED, NO_ANSWER, ask_compiled, is_legal, refuse, show_decision, wait
from ohpshaw_sim.interface.view import BID, MAX_HAND, PLAY
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bidding import announcement, legal_bids, open_bids
from ohpshaw_sim.kernels.bits import ZERO, U
from ohpshaw_sim.kernels.tricks import next_seat

ANY_SUIT: Final = U(0b1111)
"""Legal answers of a dealer that names trump."""
NAMING: Final = 1 + MAX_HAND
"""Number of that decision among a seat's in a round: 0 is its bid, 1 to the hand size are its plays."""


@jit
def name_trump(view: Any, table: Any, game: Any, shown: Any, answer: int) -> int:
    """Have the dealer name trump; FINISHED when eldest hand is to bid (V8)."""
    dealer = U(table.dealer)
    if answer == NO_ANSWER:
        show_decision(view, table, dealer, ANY_SUIT, NAMING)
        place = table.places[dealer]
        address = game.name_call[place]
        if address == ZERO:
            return wait(table, dealer, place, ANY_SUIT)
        answer = ask_compiled(
            view, shown, table, game, place, address, game.bid_params[place], game.bid_params_count[place]
        )
        if not is_legal(answer, ANY_SUIT):
            return refuse(table, place, ANY_SUIT, answer)
    table.trump = answer
    view.trump = answer
    table.kind = BID
    view.kind = BID
    table.turn = next_seat(dealer, U(table.players))
    return FINISHED


@jit
def bid_on(view: Any, table: Any, game: Any, shown: Any, answer: int) -> int:
    """Carry the auction on; FINISHED when all have bid and the first trick is to be led."""
    players, dealer, seat = U(table.players), U(table.dealer), U(table.turn)
    legal = legal_bids(table.hand_size)
    while True:
        if answer == NO_ANSWER:
            if seat == dealer:
                legal = open_bids(table.hand_size, game.hook_from, _others_bids(table, seat))
            show_decision(view, table, seat, legal, 0)
            place = table.places[seat]
            address = game.bid_call[place]
            if address == ZERO:
                table.turn = seat
                return wait(table, seat, place, legal)
            answer = ask_compiled(
                view, shown, table, game, place, address, game.bid_params[place], game.bid_params_count[place]
            )
            if not is_legal(answer, legal):
                table.turn = seat
                return refuse(table, place, legal, answer)
        table.bids[seat] = answer
        if not game.simultaneous:
            view.bids[seat] = answer
        if seat == dealer:  # the dealer bids last (B8)
            _begin_play(view, table, game)
            return FINISHED
        seat = next_seat(seat, players)
        answer = NO_ANSWER


@jit
def _others_bids(table: Any, dealer: Any) -> int:
    """Return the total of all bids but the dealer's."""
    total = 0
    for seat in range(U(0), U(table.players)):
        if seat != dealer:
            total += table.bids[seat]
    return total


@jit
def _begin_play(view: Any, table: Any, game: Any) -> None:
    """Reveal all bids and announce their total; eldest hand is to lead (B9, B10, V9)."""
    total = 0
    for seat in range(table.players):
        total += table.bids[seat]
    if game.simultaneous:
        for seat in range(table.players):
            view.bids[seat] = table.bids[seat]
    view.announcement = announcement(total, table.hand_size)
    table.kind = PLAY
    view.kind = PLAY
    table.turn = next_seat(U(table.dealer), U(table.players))
