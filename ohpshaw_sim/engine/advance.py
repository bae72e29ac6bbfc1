"""Who acts next: the one loop that plays a round, resumable at every decision.

`advance` asks compiled agents itself, by address, and returns as soon as a decision belongs to an agent outside, with
that agent's seat; called again with the answer it plays on. Both drivers stand on it.
"""

from typing import Any, Final

from ohpshaw_sim.cards import NO_CARD, NO_SUIT
from ohpshaw_sim.engine.calls import call_agent, copy_view
from ohpshaw_sim.engine.state import ROUND_OVER
from ohpshaw_sim.interface.view import BID, NOT_ANNOUNCED, PLAY
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bidding import announcement, legal_bids
from ohpshaw_sim.kernels.bits import ONE, ZERO, U, bit
from ohpshaw_sim.kernels.rng import stream_word
from ohpshaw_sim.kernels.tricks import contest, legal_cards, lift, strength

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
    while True:
        if answer != NO_ANSWER:
            accept(view, table, answer)
        if table.kind == ROUND_OVER:
            return FINISHED
        show(view, table)
        place = table.places[table.turn]
        table.asked += 1
        table.asked_place = place
        address = game.bid_call[place] if table.kind == BID else game.play_call[place]
        if address == ZERO:
            return table.turn  # type: ignore[no-any-return]  # an int64 of the record
        answer = _ask(view, table, game, shown, place, address)
        if not is_legal(answer, table.legal):
            return ILLEGAL


@jit
def is_legal(answer: int, legal: Any) -> bool:
    """Tell whether an answer is one of the set bits of `legal`; the range is checked before anything is shifted."""
    return 0 <= answer < 64 and (legal >> U(answer & 63)) & ONE == ONE


@jit
def _ask(view: Any, table: Any, game: Any, shown: Any, place: int, address: Any) -> int:
    """Ask a compiled agent; one that is not trusted gets a copy of the view."""
    handed = view
    if game.guarded[place]:
        copy_view(shown, view)
        handed = shown
    if table.kind == BID:
        return call_agent(address, handed, game.bid_params[place], game.bid_params_count[place])
    return call_agent(address, handed, game.play_params[place], game.play_params_count[place])


@jit
def show(view: Any, table: Any) -> None:
    """Turn the view to the seat whose turn it is: its hand, its legal answers, its random word."""
    seat = table.turn
    hand = table.hands[seat]
    legal = legal_bids(table.hand_size) if table.kind == BID else legal_cards(hand, table.led)
    table.legal = legal
    view.hand = hand
    view.legal = legal
    view.rnd = stream_word(table.round_keys[seat], table.decisions[seat])
    table.decisions[seat] += 1
    view.kind = table.kind
    view.seat = seat


@jit
def accept(view: Any, table: Any, answer: int) -> None:
    """Carry out a legal answer of the seat whose turn it is."""
    if table.kind == BID:
        _accept_bid(view, table, answer)
    else:
        _accept_card(view, table, answer)


@jit
def _accept_bid(view: Any, table: Any, bid: int) -> None:
    seat = table.turn
    table.bids[seat] = bid
    view.bids[seat] = bid
    table.turn = next_seat(seat, table.players)
    if seat == table.dealer:  # the dealer bids last (B8), eldest leads (B10)
        total = 0
        for other in range(table.players):
            total += table.bids[other]
        view.announcement = announcement(total, table.hand_size)
        table.kind = PLAY
        _begin_trick(view, table, table.turn)


@jit
def _accept_card(view: Any, table: Any, card: int) -> None:
    seat = table.turn
    played = bit(card)
    if table.on_table == 0:
        table.led = card >> 4
        table.contest = contest(table.led, table.trump)
        table.lift = lift(table.led, table.trump)
        view.led = table.led
    elif card >> 4 != table.led:
        view.voids[seat] |= 1 << table.led
    table.hands[seat] ^= played
    view.gone |= played
    view.played[seat] |= played
    view.plays[table.plays_made] = card
    table.plays_made += 1
    table.on_table += 1
    view.plays_made = table.plays_made
    view.on_table = table.on_table
    power = strength(played, table.contest, table.lift)
    if power > table.best:
        table.best = power
        table.best_seat = seat
        view.winning_card = card
        view.winning_seat = seat
    table.turn = next_seat(seat, table.players)
    if table.on_table == table.players:
        _end_trick(view, table)


@jit
def _end_trick(view: Any, table: Any) -> None:
    winner = table.best_seat
    table.tricks[winner] += 1
    view.tricks[winner] = table.tricks[winner]
    table.tricks_done += 1
    view.trick_number = table.tricks_done
    if table.tricks_done == table.hand_size:
        table.kind = ROUND_OVER
    else:
        _begin_trick(view, table, winner)  # the winner leads next (B11)


@jit
def _begin_trick(view: Any, table: Any, leader: int) -> None:
    table.leader = leader
    table.turn = leader
    table.led = NO_SUIT
    table.on_table = 0
    table.best = ZERO
    view.leader = leader
    view.led = NO_SUIT
    view.on_table = 0
    view.winning_card = NO_CARD
    view.winning_seat = -1
    view.leaders[table.tricks_done] = leader


@jit
def next_seat(seat: int, players: int) -> int:
    """Return the seat to the left."""
    return seat + 1 if seat + 1 < players else 0


@jit
def lay_round(view: Any, table: Any, dealer: int, hand_size: int, turn_up: int, pack: Any) -> None:
    """Start a round whose hands and round keys already lie in the table: eldest hand is to bid."""
    trump = turn_up >> 4 if turn_up >= 0 else NO_SUIT
    table.trump = trump
    table.hand_size = hand_size
    table.dealer = dealer
    table.kind = BID
    table.turn = next_seat(dealer, table.players)
    table.tricks_done = 0
    table.plays_made = 0
    for seat in range(table.players):
        table.bids[seat] = -1
        table.tricks[seat] = 0
        table.decisions[seat] = 0
    _clear_round(view)
    view.players = table.players
    view.hand_size = hand_size
    view.dealer = dealer
    view.trump = trump
    view.turn_up = turn_up
    view.pack = pack
    view.gone = bit(turn_up) if turn_up >= 0 else ZERO
    _begin_trick(view, table, table.turn)


@jit
def _clear_round(view: Any) -> None:
    """Empty every field of a view that speaks of the round."""
    view.announcement = NOT_ANNOUNCED
    view.trick_number = 0
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
