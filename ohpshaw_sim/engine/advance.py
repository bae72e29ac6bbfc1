"""Who acts next: the one loop that plays a round, resumable at every decision.

`advance` asks compiled agents itself, by address, and returns as soon as a decision belongs to an agent outside, with
that agent's seat; called again with the answer it plays on. Both drivers stand on it.

What the loop touches at every card is kept without branches that a processor cannot predict (which card wins so far,
who follows suit): a wrong guess costs as much as all the rest of a decision.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.cards import NO_SUIT
from ohpshaw_sim.engine.calls import call_agent, copy_view
from ohpshaw_sim.engine.laying import show_new_trick
from ohpshaw_sim.engine.state import ROUND_OVER
from ohpshaw_sim.interface.view import BID, PLAY
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bidding import announcement, legal_bids
from ohpshaw_sim.kernels.bits import ONE, ZERO, U, bit, lane
from ohpshaw_sim.kernels.rng import stream_word
from ohpshaw_sim.kernels.tricks import contest, following, lift, next_seat, strength

NO_ANSWER: Final = -1
"""Given to `advance` at the start of a round."""
FINISHED: Final = -1
"""Returned by `advance` at the end of a round; 0 and above is the seat to ask."""
ILLEGAL: Final = -2
"""Returned by `advance` when the seat `table.turn` answered what is not legal; the table is as it was before."""


@jit
def advance(view: Any, table: Any, game: Any, shown: Any, answer: int) -> int:
    """Play on from `answer` to the next decision that is not a compiled agent's, or to the end of the round.

    `view` is kept up to date, `shown` is the record that agents which may scribble are given a copy in. Returns the
    seat to ask, FINISHED or ILLEGAL.
    """
    if table.kind == BID:
        outcome = _bid_on(view, table, game, shown, answer)
        if outcome != FINISHED:
            return outcome
        answer = NO_ANSWER
    return _play_on(view, table, game, shown, answer)


@jit
def is_legal(answer: int, legal: Any) -> bool:
    """Tell whether an answer is one of the set bits of `legal`; the range is checked before anything is shifted."""
    return 0 <= answer < 64 and (legal >> U(answer & 63)) & ONE == ONE


@jit
def _show(view: Any, table: Any, seat: Any, legal: Any, decision: int) -> None:
    """Turn the view to a seat: its hand, its legal answers, its random word."""
    view.hand = table.hands[seat]
    view.legal = legal
    view.rnd = stream_word(table.round_keys[seat], decision)
    view.seat = seat


@jit
def _ask(
    view: Any, shown: Any, table: Any, game: Any, place: int, address: Any, params: Any, count: int
) -> int:
    """Ask a compiled agent; one that is not trusted is shown a copy of the view, and who is asked is noted."""
    handed = view
    if game.guarded[place]:
        _note(table, place)
        copy_view(shown, view)
        handed = shown
    return call_agent(address, handed, params, count)


@jit
def _note(table: Any, place: int) -> None:
    """Note whose answer is awaited, for whoever watches."""
    table.asked += 1
    table.asked_place = place


@jit
def _bid_on(view: Any, table: Any, game: Any, shown: Any, answer: int) -> int:
    """Carry the auction on; FINISHED when all have bid and the first trick is to be led."""
    players, dealer, seat = U(table.players), U(table.dealer), U(table.turn)
    legal = legal_bids(table.hand_size)
    while True:
        if answer == NO_ANSWER:
            _show(view, table, seat, legal, 0)
            place = table.places[seat]
            address = game.bid_call[place]
            if address == ZERO:
                table.turn = seat
                return _wait(table, seat, place, legal)
            answer = _ask(
                view, shown, table, game, place, address, game.bid_params[place], game.bid_params_count[place]
            )
            if not is_legal(answer, legal):
                table.turn = seat
                return _refuse(table, place, legal, answer)
        table.bids[seat] = answer
        view.bids[seat] = answer
        if seat == dealer:  # the dealer bids last (B8)
            _begin_play(view, table)
            return FINISHED
        seat = next_seat(seat, players)
        answer = NO_ANSWER


@jit
def _wait(table: Any, seat: Any, place: int, legal: Any) -> int:
    """Stop at a decision of an agent outside and return its seat."""
    _note(table, place)
    table.legal = legal
    return np.int64(seat)


@jit
def _refuse(table: Any, place: int, legal: Any, answer: int) -> int:
    """Stop at a wrong answer of a compiled agent."""
    _note(table, place)
    table.legal = legal
    table.refused = answer
    return ILLEGAL


@jit
def _begin_play(view: Any, table: Any) -> None:
    """Announce the bids' total; eldest hand is to lead (B9, B10)."""
    total = 0
    for seat in range(table.players):
        total += table.bids[seat]
    view.announcement = announcement(total, table.hand_size)
    table.kind = PLAY
    view.kind = PLAY
    table.turn = next_seat(U(table.dealer), U(table.players))


@jit
def _play_on(view: Any, table: Any, game: Any, shown: Any, answer: int) -> int:
    """Carry the play on; FINISHED when all cards are played.

    The trick under way lives in local variables, since a processor waits for what it has just written to memory. The
    table holds it only while an agent outside is asked: `_put_down` writes what the first lines here take up.
    """
    players, trump, hand_size = U(table.players), table.trump, table.hand_size
    decision = 1 + table.plays_made // table.players  # number of this trick; the bid was decision 0
    seat, led, gone = U(table.turn), table.led, table.gone
    on_table, plays_made = U(table.plays_made % table.players), U(table.plays_made)
    best_seat, best_card = U(table.best_seat), table.best_card
    led_lane, able, turn = lane(led), contest(led, trump), lift(led, trump)
    best = strength(bit(best_card), able, turn) if on_table else ZERO
    while True:
        if answer == NO_ANSWER:
            legal = following(table.hands[seat], led_lane)
            _show(view, table, seat, legal, decision)
            place = table.places[seat]
            address = game.play_call[place]
            if address == ZERO:
                _put_down(table, seat, led, gone, plays_made, best_seat, best_card)
                return _wait(table, seat, place, legal)
            answer = _ask(
                view,
                shown,
                table,
                game,
                place,
                address,
                game.play_params[place],
                game.play_params_count[place],
            )
            if not is_legal(answer, legal):
                _put_down(table, seat, led, gone, plays_made, best_seat, best_card)
                return _refuse(table, place, legal, answer)
        card, answer = answer, NO_ANSWER
        played = bit(card)
        if on_table == ZERO:
            led, best = card >> 4, ZERO
            led_lane, able, turn = lane(led), contest(led, trump), lift(led, trump)
            view.led = led
        _lay_card(view, table, seat, card, played, led)
        gone |= played
        view.gone = gone
        view.plays[plays_made] = card
        plays_made += ONE
        on_table += ONE
        view.plays_made = plays_made
        power = strength(played, able, turn)
        wins = power > best
        best = power if wins else best
        best_seat = seat if wins else best_seat
        best_card = card if wins else best_card
        if on_table < players:
            view.on_table = on_table
            view.winning_card = best_card
            view.winning_seat = best_seat
            seat = next_seat(seat, players)
            continue
        table.tricks[best_seat] += 1
        view.tricks[best_seat] = table.tricks[best_seat]
        if decision == hand_size:
            table.kind = ROUND_OVER
            return FINISHED
        seat, led, led_lane, on_table = best_seat, NO_SUIT, ZERO, ZERO  # the winner leads next (B11)
        show_new_trick(view, seat, decision)
        decision += 1


@jit
def _lay_card(view: Any, table: Any, seat: Any, card: int, played: Any, led: int) -> None:
    """Take a card from a seat's hand and show that the seat has played it; a discard shows a void."""
    view.voids[seat] |= (card >> 4 != led) << led
    table.hands[seat] ^= played
    view.played[seat] |= played


@jit
def _put_down(
    table: Any, seat: Any, led: int, gone: Any, plays_made: Any, best_seat: Any, best_card: int
) -> None:
    """Lay the trick under way back on the table."""
    table.turn = seat
    table.led = led
    table.gone = gone
    table.plays_made = plays_made
    table.best_seat = best_seat
    table.best_card = best_card
