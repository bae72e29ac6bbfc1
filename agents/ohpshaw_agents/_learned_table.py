"""A round played on from the middle, in one world: where `monte-carlo` looks ahead to its next choice.

The round stands in a view record, which each seat is shown with its own hand, and in the hands by seat. Packs without
Wizards and Jesters only.
"""

from typing import Any

import numpy as np

from ohpshaw_agents.learned import best_answer
from ohpshaw_agents.monte_carlo_1 import distinct_cards
from ohpshaw_sim.interface.view import BID, PLAY
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bidding import open_bids
from ohpshaw_sim.kernels.bits import ONE, ZERO, bit, lowest_bit
from ohpshaw_sim.kernels.scoring import round_score
from ohpshaw_sim.kernels.tricks import beats, legal_cards, shown_voids


@jit
def lay_round(view: Any, models: Any) -> None:
    """Copy what a decision's view shows of its round to the first of some view records."""
    model = models[0]
    model.kind = view.kind
    model.players = view.players
    model.hand_size = view.hand_size
    model.dealer = view.dealer
    model.trump = view.trump
    model.turn_up = view.turn_up
    model.pack = view.pack
    model.gone = view.gone
    model.leader = view.leader
    model.led = view.led
    model.on_table = view.on_table
    model.winning_card = view.winning_card
    model.winning_seat = view.winning_seat
    model.trick_number = view.trick_number
    model.hook_from = view.hook_from
    model.must_trump = view.must_trump
    model.scoring = view.scoring
    model.zero_bid = view.zero_bid
    model.seat = view.seat
    for seat in range(view.players):
        model.bids[seat] = view.bids[seat]
        model.tricks[seat] = view.tricks[seat]
        model.voids[seat] = view.voids[seat]


@jit
def take(models: Any, hands: Any, answer: int) -> None:
    """Let the seat to act, `models[0].seat`, make a bid or play a card, and move on to the next seat."""
    model = models[0]
    seat = np.int64(model.seat)
    following = (seat + 1) % model.players
    if model.kind == BID:
        model.bids[seat] = answer
        if seat == model.dealer:
            model.kind = PLAY
            model.leader = following
        model.seat = following
        return
    led = np.int64(model.led)
    if model.on_table == 0:
        led = answer >> 4
        model.led = led
    elif answer >> 4 != led:
        model.voids[seat] |= shown_voids(answer, led, np.int64(model.trump), model.must_trump != 0)
    if model.on_table == 0 or beats(answer, np.int64(model.winning_card), led, np.int64(model.trump)):
        model.winning_card = answer
        model.winning_seat = seat
    hands[seat] ^= bit(answer)
    model.gone |= bit(answer)
    model.on_table += 1
    model.seat = following
    if model.on_table == model.players:
        winner = np.int64(model.winning_seat)
        model.tricks[winner] += 1
        model.trick_number += 1
        model.on_table = 0
        model.led = -1
        model.winning_card = -1
        model.winning_seat = -1
        model.leader = winner
        model.seat = winner


@jit
def worth_ahead(models: Any, hands: Any, asker: int, params: Any, worth: Any, room: Any) -> float:
    """Let the others play on to the next choice of `asker`; return what its best answer there is worth, in points.

    They answer as `learned` does, the worth is what its networks say. If the round ends earlier, it is the points made,
    less `spite` times the mean of the others'. Of cards that are worth the same the lowest stands for all.

    params     those of `learned`; the first one is `spite`
    worth      float64[64], and `room`, float32[ROOM]: scratch
    """
    model = models[0]
    while model.trick_number < model.hand_size:
        seat = np.int64(model.seat)
        model.hand = hands[seat]
        model.legal = _legal_answers(models)
        answers = model.legal if model.kind == BID else distinct_cards(model)
        if answers & (answers - ONE) == ZERO:
            answer = lowest_bit(answers)
        else:
            answer = best_answer(model, params, answers, worth, room)
            if seat == asker:
                return worth[answer]  # type: ignore[no-any-return]  # float64
        take(models, hands, answer)
    points = 0.0
    for seat in range(model.players):
        bid, tricks = np.int64(model.bids[seat]), np.int64(model.tricks[seat])
        score = round_score(model.scoring, model.zero_bid, np.int64(model.hand_size), bid, tricks)
        points += score if seat == asker else -params[0] * score / (model.players - 1)
    return points


@jit
def _legal_answers(models: Any) -> Any:
    """Return the legal answers (a mask) of the seat to act, whose hand is in the view."""
    model = models[0]
    if model.kind != BID:
        return legal_cards(model.hand, np.int64(model.led), np.int64(model.trump), model.must_trump != 0)
    total = 0
    for seat in range(model.players):
        total += max(np.int64(model.bids[seat]), 0)
    hook_from = np.int64(model.hook_from) if model.seat == model.dealer else 0
    return open_bids(np.int64(model.hand_size), hook_from, total)
