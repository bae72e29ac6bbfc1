"""Who acts next: the one loop that plays a round, resumable at every decision.

`advance` asks compiled agents itself, by address, and returns as soon as a decision belongs to an agent outside, with
that agent's seat; called again with the answer it plays on. Both drivers stand on it.

What the loop touches at every card is kept without branches that a processor cannot predict (which card wins so far,
who follows suit): a wrong guess costs as much as all the rest of a decision.
"""

from typing import Any

from ohpshaw_sim.cards import NO_SUIT
from ohpshaw_sim.engine.asking import FINISHED, NO_ANSWER, ask_compiled, is_legal, refuse, show_decision, wait
from ohpshaw_sim.engine.auction import bid_on, name_trump
from ohpshaw_sim.engine.laying import show_new_trick
from ohpshaw_sim.engine.state import ROUND_OVER
from ohpshaw_sim.interface.view import BID, NAME_TRUMP
from ohpshaw_sim.kernels._jit import jit, jit_inline
from ohpshaw_sim.kernels.bits import FREE, ONE, ZERO, U, bit
from ohpshaw_sim.kernels.tricks import (
    contest,
    following,
    lift,
    next_seat,
    own_suit,
    plain_following,
    plain_shown_voids,
    plain_strength,
    shown_voids,
    strength,
    suit_lane,
)


@jit
def advance(view: Any, table: Any, game: Any, shown: Any, answer: int) -> int:
    """Play on from `answer` to the next decision that is not a compiled agent's, or to the end of the round.

    `view` is kept up to date, `shown` is the record that agents which may scribble are given a copy in. Returns the
    seat to ask, FINISHED or ILLEGAL.
    """
    if table.kind == NAME_TRUMP:
        outcome = name_trump(view, table, game, shown, answer)
        if outcome != FINISHED:
            return outcome
        answer = NO_ANSWER
    if table.kind == BID:
        outcome = bid_on(view, table, game, shown, answer)
        if outcome != FINISHED:
            return outcome
        answer = NO_ANSWER
    if game.pack & FREE == ZERO and game.must_trump == 0:
        return _play_on(view, table, game, shown, answer, True)
    return _play_on(view, table, game, shown, answer, False)


@jit_inline  # twice, so that the base game does not pay for cards without a suit, and for the duty to trump
def _play_on(  # noqa: PLR0915  # one loop on local variables, for the reason given below
    view: Any, table: Any, game: Any, shown: Any, answer: int, plain: bool
) -> int:
    """Carry the play on; FINISHED when all cards are played. `plain` is a constant, see `tricks`.

    The trick under way lives in local variables, since a processor waits for what it has just written to memory. The
    table holds it only while an agent outside is asked: `_put_down` writes what the first lines here take up.
    """
    players, trump, hand_size = U(table.players), table.trump, table.hand_size
    decision = 1 + table.plays_made // table.players  # number of this trick; the bid was decision 0
    seat, led, gone = U(table.turn), table.led, table.gone
    on_table, plays_made = U(table.plays_made % table.players), U(table.plays_made)
    best_seat, best_card = U(table.best_seat), table.best_card
    must_trump = game.must_trump != 0
    led_lane, able, turn = suit_lane(led), contest(led, trump), lift(led, trump)
    best = strength(bit(best_card), able, turn) if on_table else ZERO
    while True:
        if answer == NO_ANSWER:
            hand = table.hands[seat]
            if plain:
                legal = plain_following(hand, led_lane)
            else:
                legal = following(hand, led_lane, suit_lane(trump), must_trump)
            show_decision(view, table, seat, legal, decision)
            place = table.places[seat]
            address = game.play_call[place]
            if address == ZERO:
                _put_down(table, seat, led, gone, plays_made, best_seat, best_card)
                return wait(table, seat, place, legal)
            answer = ask_compiled(
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
                return refuse(table, place, legal, answer)
        card, answer = answer, NO_ANSWER
        played = bit(card)
        if on_table == ZERO or (
            not plain and best == ZERO
        ):  # the first card that is no Jester sets the suit led
            led = card >> 4 if plain else own_suit(card)
            led_lane, able, turn = suit_lane(led), contest(led, trump), lift(led, trump)
            if on_table == ZERO:
                best, best_seat, best_card = ZERO, seat, card
            view.led = led
        view.voids[seat] |= (
            plain_shown_voids(card, led) if plain else shown_voids(card, led, trump, must_trump)
        )
        table.hands[seat] ^= played
        view.played[seat] |= played
        gone |= played
        view.gone = gone
        view.plays[plays_made] = card
        plays_made += ONE
        on_table += ONE
        view.plays_made = plays_made
        power = plain_strength(played, able, turn) if plain else strength(played, able, turn)
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
