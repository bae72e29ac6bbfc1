"""A match, round by round: seating, dealer rotation, running totals, tie-break rounds, winners (B3 to B6, B13 to B16).

Both drivers call `begin_match`, then for every round `begin_round`, `advance` and `end_round`.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.cards import NO_CARD
from ohpshaw_sim.engine.address import word_at
from ohpshaw_sim.engine.given import lay_given
from ohpshaw_sim.engine.laying import lay_round
from ohpshaw_sim.engine.luck import LIFT, MOST_PAIRS, MOST_TRUMPS
from ohpshaw_sim.engine.options import show_rules
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ZERO, popcount
from ohpshaw_sim.kernels.dealing import TURNED, deal, first_dealer
from ohpshaw_sim.kernels.rng import below, fold, stream_word
from ohpshaw_sim.kernels.scoring import NO_POINTS, add_bonus, round_score, strike
from ohpshaw_sim.kernels.tricks import suit_lane

SEATING: Final = 1
"""Word of a set's card key that seats the line-up; word 0 draws the first dealer, rounds fold the key itself."""


@jit
def begin_match(view: Any, table: Any, match: Any, game: Any, set_number: int, rotation: int) -> None:
    """Seat the line-up for one rotation of a set and clear the score.

    The seating is drawn once for the set; each rotation moves every place one seat on, so that over the rotations
    each place holds each hand once.
    """
    players = game.players
    table.players = players
    table.set_number = set_number
    table.rotation = rotation
    table.set_key = fold(game.root_cards, set_number)
    table.round_number = 0
    table.contenders = 0
    table.luck = 0
    table.first_dealer = game.first_dealer if game.first_dealer >= 0 else first_dealer(table.set_key, players)
    match_key = fold(fold(fold(game.root_agents, set_number), rotation), game.arm)
    _seat_places(table, match)
    for seat in range(players):
        table.scores[seat] = 0
        table.seat_keys[seat] = fold(match_key, seat)
    match.set_number = set_number
    match.rotation = rotation
    match.winners = 0
    match.rounds = game.rounds
    _clear_match(view, game)


@jit
def _seat_places(table: Any, match: Any) -> None:
    """Shuffle the places over the seats by the set's key and turn them by the rotation."""
    players = table.players
    for place in range(len(match.places)):
        match.places[place] = -1  # more places than players
    key = fold(stream_word(table.set_key, SEATING), 0)
    for seat in range(players):
        table.places[seat] = seat
    for last in range(players - 1, 0, -1):
        other = below(stream_word(key, last), last + 1)
        table.places[last], table.places[other] = table.places[other], table.places[last]
    for seat in range(players):
        match.places[(seat + table.rotation) % players] = table.places[seat]
    for seat in range(players):
        table.places[seat] = match.places[seat]


@jit
def _clear_match(view: Any, game: Any) -> None:
    """Empty every field of a view that speaks of the match; one loop a field, which compiles to block writes."""
    show_rules(view, game)
    view.round_number = 0
    view.extra_round = 0
    view.contenders = 0
    for seat in range(len(view.scores)):
        view.scores[seat] = 0
    for index in range(len(view.schedule)):
        view.schedule[index] = game.schedule[index]
    past_bids, past_tricks = view.past_bids, view.past_tricks
    for index in range(past_bids.shape[0]):
        for seat in range(past_bids.shape[1]):
            past_bids[index, seat] = -1
    for index in range(past_tricks.shape[0]):
        for seat in range(past_tricks.shape[1]):
            past_tricks[index, seat] = -1


@jit
def begin_round(view: Any, table: Any, game: Any) -> None:
    """Deal the next round of a match, or lay a given deal; a tie-break round when the schedule is played out."""
    number = table.round_number
    extra = number - game.schedule_length + 1 if number >= game.schedule_length else 0
    hand_size = game.tie_break_hand if extra else game.schedule[number]
    if game.given == ZERO:
        dealer = (table.first_dealer + number) % game.players
        turn_up = deal(fold(table.set_key, number), game.pack, game.players, hand_size, dealer, table)
        trump = int(game.trumps[number])
        if trump != TURNED:
            turn_up = NO_CARD
    else:
        dealer, turn_up, trump = lay_given(game, table)
    for seat in range(game.players):
        table.round_keys[seat] = fold(table.seat_keys[seat], number)
    table.asked += 1  # a sign of life for whoever watches
    view.round_number = number
    view.rounds_to_go = 0 if extra else game.schedule_length - number - 1
    view.extra_round = extra
    view.contenders = table.contenders
    view.schedule[number] = hand_size
    lay_round(view, table, dealer, hand_size, turn_up, trump)
    if game.deal_values != ZERO and table.rotation == 0 and table.trump >= 0 and not extra:
        table.luck += _luck_of_deal(table, game.deal_values)


@jit
def _luck_of_deal(table: Any, values: Any) -> int:
    """Return what the values at an address say of the deal on the table (see `luck`)."""
    lane = suit_lane(table.trump)
    trumps, pairs = 0, 0
    for seat in range(table.players):
        held = popcount(table.hands[seat] & lane)
        trumps += held
        pairs += held * (held - 1) // 2
    split = (table.hand_size * (MOST_TRUMPS + 1) + trumps) * (MOST_PAIRS + 1) + pairs
    return int(np.int64(word_at(values, split)) - LIFT)


@jit
def end_round(view: Any, table: Any, match: Any, game: Any) -> bool:
    """Score a finished round and return whether the match goes on."""
    number = table.round_number
    match.dealers[number] = table.dealer
    scoring, zero_bid, hand_size = game.scoring, game.zero_bid, table.hand_size
    for seat in range(game.players):
        bid, tricks = table.bids[seat], table.tricks[seat]
        match.points[number, seat] = round_score(scoring, zero_bid, hand_size, bid, tricks)
        match.bids[number, seat] = bid
        match.tricks[number, seat] = tricks
        view.past_bids[number, seat] = bid
        view.past_tricks[number, seat] = tricks
    match.forfeits[number] = table.forfeits
    if table.forfeits:
        strike(match.points[number], table.forfeits, game.players)
    if game.round_winner_bonus:
        add_bonus(match.points[number], game.players)
    if number < game.schedule_length:  # points of tie-break rounds are kept apart from the total (B15)
        for seat in range(game.players):
            table.scores[seat] += match.points[number, seat]
            view.scores[seat] = table.scores[seat]
    table.round_number = number + 1
    match.extra_rounds = max(number + 1 - game.rounds, 0)
    if number + 1 < game.rounds:
        return True
    _find_contenders(table, match, game, number)
    match.luck = table.luck
    alone = table.contenders & (table.contenders - 1) == 0
    if alone or number + 1 >= game.rounds + game.extra_rounds:
        match.winners = table.contenders
        return False
    return True


@jit
def _find_contenders(table: Any, match: Any, game: Any, number: int) -> None:
    """Keep the seats that are highest: by total at the end of the schedule, by this round's points among the tied."""
    extra = number >= game.rounds
    best = NO_POINTS
    tied = 0
    for seat in range(game.players):
        if extra and not table.contenders >> seat & 1:
            continue
        value = match.points[number, seat] if extra else table.scores[seat]
        if value > best:
            best = value
            tied = 0
        if value == best:
            tied |= 1 << seat
    table.contenders = tied
