"""The first cards of a playout, played as `count-winners` would: what follows an answer at once decides most."""

from typing import Any, Final

import numpy as np

from ohpshaw_agents import count_winners
from ohpshaw_sim.cards import JESTER, NO_CARD
from ohpshaw_sim.interface.view import PLAY, VIEW
from ohpshaw_sim.kernels._jit import JIT_DISABLED, jit
from ohpshaw_sim.kernels.bits import ONE, ZERO, U, highest_bit
from ohpshaw_sim.kernels.playout import play_card
from ohpshaw_sim.kernels.policy import aim_card, turn_of, turned, turned_suit
from ohpshaw_sim.kernels.scoring import EXACT
from ohpshaw_sim.kernels.tricks import legal_cards, shown_voids

WEIGHTS: Final = tuple(count_winners.make_agent().params)
"""What `careful_start` takes as `weights`, as an array."""
_choose: Final = count_winners.play

if JIT_DISABLED:

    def model_view() -> Any:
        """Return an empty view, an array of one record, for `careful_start` to show its seats."""
        return np.zeros(1, VIEW).view(np.recarray)

else:

    @jit
    def model_view() -> Any:
        """Return an empty view, an array of one record, for `careful_start` to show its seats."""
        return np.zeros(1, VIEW)


@jit
def lay_model(view: Any, models: Any) -> None:
    """Fill in what a model view shows through all of a decision's playouts; its cards are turned."""
    model, turn = models[0], turn_of(view.trump)
    model.kind = PLAY
    model.players = view.players
    model.hand_size = view.hand_size
    model.dealer = view.dealer
    model.trump = turned_suit(view.trump, view.trump)
    model.pack = turned(view.pack, turn)
    model.must_trump = view.must_trump
    model.scoring = view.scoring
    model.zero_bid = view.zero_bid
    model.round_winner_bonus = view.round_winner_bonus


@jit
def careful_start(
    view: Any, tables: Any, models: Any, bids: Any, first: Any, plays: int, weights: Any
) -> None:
    """Play `first` (a turned mask; 0 = none) and up to `plays` further cards of a table's position.

    Once the seat of `view` cannot hit its bid any more, and a miss is a miss, they are played at a glance.

    bids      by seat
    models    a view filled by `lay_model`
    weights   the parameters of `count-winners`
    """
    table, model, turn = tables[0], models[0], turn_of(view.trump)
    for seat in range(view.players):
        model.bids[seat] = bids[seat]
        model.tricks[seat] = view.tricks[seat]
        model.voids[seat] = 0
        for suit in range(4):
            if view.voids[seat] >> suit & 1:
                model.voids[seat] |= 1 << turned_suit(suit, view.trump)
    hidden = model.pack & ~turned(view.gone, turn) & ~table.live  # the stock
    card = first
    made = 0 if first != ZERO else 1
    while made <= plays and table.left > 0:
        seat = table.turn
        if card == ZERO:
            missed = view.scoring == EXACT and not 0 <= table.needs[view.seat] <= table.left
            card = _glance_card(tables) if missed else _model_card(tables, models, hidden, weights)
        model.voids[seat] |= shown_voids(highest_bit(card), table.led, table.trump, table.must_trump != 0)
        play_card(tables, card)
        if table.waiting == table.players:
            model.tricks[table.turn] += 1
        card = ZERO
        made += 1


@jit
def _glance_card(tables: Any) -> Any:
    """Return the card that `kernels.policy` has the seat to play choose, as a mask."""
    table = tables[0]
    hand, need = table.hands[table.turn], table.needs[table.turn]
    must_trump = table.must_trump != 0
    return aim_card(
        hand, table.live, table.trump, table.led, table.best, need, table.waiting, table.players, must_trump
    )


@jit
def _model_card(tables: Any, models: Any, hidden: Any, weights: Any) -> Any:
    """Show the seat to play its view and return the card it chooses, as a mask."""
    table, model = tables[0], models[0]
    hand = table.hands[table.turn]
    legal = legal_cards(hand, table.led, table.trump, table.must_trump != 0)
    if legal & (legal - ONE) == ZERO:
        return legal
    model.hand = hand
    model.legal = legal
    model.seat = table.turn
    model.gone = model.pack & ~(hidden | table.live)
    model.led = table.led
    model.on_table = table.players - table.waiting
    model.winning_card = NO_CARD
    if model.on_table:
        model.winning_card = highest_bit(table.best) if table.best != ZERO else JESTER
    model.winning_seat = table.best_seat if model.on_table else -1
    model.trick_number = model.hand_size - table.left
    return ONE << U(_choose(model, weights))
