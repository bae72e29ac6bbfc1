"""Forcing bids: a situation is met in play, then its bidder is made to bid this and that on redealt hands."""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.engine.advance import advance
from ohpshaw_sim.engine.asking import FINISHED, ILLEGAL, NO_ANSWER, ask_compiled, is_legal, refuse
from ohpshaw_sim.engine.calls import copy_view
from ohpshaw_sim.engine.match import begin_match, begin_round
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ONE, ZERO, U, bit
from ohpshaw_sim.kernels.rng import fold
from ohpshaw_sim.kernels.scoring import add_bonus, round_score
from ohpshaw_sim.studies.zero_bids.redeals import redeal
from ohpshaw_sim.studies.zero_bids.situations import (
    ASKED_GAME,
    AT_BID,
    CHOOSING,
    FIELD_GAME,
    LAID,
    NOT_PLAYED,
    PLAYED,
    VALUING,
)

PILOT_SHARE: Final = 8
"""The pilot, in which every bid is tried, is one in so many of the redeals."""
OTHERS_KEPT: Final = 3
"""Bids other than zero that are tried after it, the bidder's own apart."""


@jit
def meet_situations(desk: Any, number: int, first: int, redeals: int, key: Any, situations: Any) -> int:
    """Fill in `situations`, those of sets `first`, ... in round `number`; return FINISHED, ILLEGAL or IMPURE.

    `redeals` is an even number of them for each situation, 0 = none; `key` (uint64) is the root of their cards.
    """
    for index in range(len(situations)):
        outcome = _meet(desk, number, first + index, situations[index])
        if outcome == FINISHED and redeals:
            own = fold(fold(key, first + index), number)
            outcome = _value_bids(desk, redeals, own, situations[index])
        if outcome != FINISHED:
            return outcome
    return FINISHED


@jit
def _meet(desk: Any, number: int, set_number: int, situation: Any) -> int:
    """Play a round up to the bid of place 0, note the situation, then play it on with its bid, and with zero."""
    view, table, match = desk.views[PLAYED], desk.tables[PLAYED], desk.matches[0]
    game, asked, shown = desk.games[FIELD_GAME], desk.games[ASKED_GAME], desk.shown[0]
    begin_match(view, table, match, game, set_number, 0)
    table.round_number = number
    begin_round(view, table, game)
    copy_view(desk.views[LAID], view)
    desk.tables[LAID] = table
    seat = advance(view, table, asked, shown, NO_ANSWER)
    if seat < 0:
        return seat
    copy_view(desk.views[AT_BID], view)
    desk.tables[AT_BID] = table
    _note(situation, view, table, game, seat)
    situation.set_number = set_number
    bid = ask_compiled(
        view, shown, table, game, 0, game.bid_call[0], game.bid_params[0], game.bid_params_count[0]
    )
    if not is_legal(bid, situation.legal):
        return refuse(table, 0, situation.legal, bid)
    situation.bid = bid
    if play_on(desk, bid) != FINISHED:
        return ILLEGAL
    situation.tricks, situation.points = table.tricks[seat], points_of(desk, seat)
    situation.zero_tricks, situation.zero_points = NOT_PLAYED, 0
    if situation.legal & ONE:
        if play_on(desk, 0) != FINISHED:
            return ILLEGAL
        situation.zero_tricks, situation.zero_points = table.tricks[seat], points_of(desk, seat)
    return FINISHED


@jit
def _note(situation: Any, view: Any, table: Any, game: Any, seat: int) -> None:
    """Note what the bidder knows."""
    eldest = table.dealer + 1
    situation.hand_size = table.hand_size
    situation.position = (seat - eldest + table.players) % table.players
    situation.trump = view.trump
    situation.turn_up = view.turn_up
    situation.hand = view.hand
    situation.legal = view.legal
    situation.heard = 0 if game.simultaneous else situation.position
    for place in range(len(situation.bids)):
        known = place < situation.heard
        situation.bids[place] = view.bids[(eldest + place) % table.players] if known else -1


@jit
def play_on(desk: Any, bid: int) -> int:
    """Play the round at AT_BID to its end from this bid; return FINISHED or ILLEGAL."""
    view, table = desk.views[PLAYED], desk.tables[PLAYED]
    copy_view(view, desk.views[AT_BID])
    desk.tables[PLAYED] = desk.tables[AT_BID]
    return advance(view, table, desk.games[ASKED_GAME], desk.shown[0], bid)


@jit
def points_of(desk: Any, seat: int) -> int:
    """Return the points of a seat in the round just finished."""
    table, game, points = desk.tables[PLAYED], desk.games[FIELD_GAME], desk.points
    for other in range(table.players):
        bid, tricks = table.bids[other], table.tricks[other]
        points[other] = round_score(game.scoring, game.zero_bid, table.hand_size, bid, tricks)
    if game.round_winner_bonus:
        add_bonus(points, table.players)
    return np.int64(points[seat])


@jit
def _value_bids(desk: Any, redeals: int, key: Any, situation: Any) -> int:
    """Force bids on redealt hands and add up what they score.

    All legal bids on a pilot; on the rest of the first half zero, the bidder's own and the best others by the pilot;
    on the second half zero, its own and the best other by the first half.
    """
    seat = U(desk.tables[AT_BID].turn)
    half, tried = CHOOSING, situation.legal
    for number in range(redeals):
        if number == redeals // PILOT_SHARE:
            tried = _kept(situation, tried, OTHERS_KEPT)
        if number == redeals // 2:
            half, tried = VALUING, _kept(situation, tried, 1)
        outcome, weight = redeal(desk, seat, situation, fold(key, number))
        situation.redeals += 1
        if outcome == FINISHED and weight > 0.0:
            situation.weight[half] += weight
            situation.squares[half] += weight * weight
            outcome = _force(desk, seat, situation, half, tried, weight)
        elif outcome == FINISHED:
            situation.lost += 1
        if outcome != FINISHED:
            return outcome
    return FINISHED


@jit
def _force(desk: Any, seat: Any, situation: Any, half: int, tried: Any, weight: float) -> int:
    """Play the redeal at AT_BID on from each bid of the mask `tried` and add its points up; FINISHED or ILLEGAL."""
    for bid in range(np.int64(situation.hand_size) + 1):
        if tried >> U(bid) & ONE:
            if play_on(desk, bid) != FINISHED:
                return ILLEGAL
            situation.worth[half, bid] += weight * points_of(desk, seat)
            if bid == 0 and desk.tables[PLAYED].tricks[seat] == 0:
                situation.made[half] += weight
    return FINISHED


@jit
def _kept(situation: Any, tried: Any, others: int) -> Any:
    """Return, of the bids tried, zero, the bidder's own and the `others` best of the rest so far, as a mask.

    The best is noted as `situation.other`; of equal ones the lowest.
    """
    kept = situation.legal & (ONE | bit(np.int64(situation.bid)))
    for rank in range(others):
        best, most = NOT_PLAYED, 0.0
        for bid in range(1, np.int64(situation.hand_size) + 1):
            worth = situation.worth[CHOOSING, bid]
            open_ = tried >> U(bid) & ONE != ZERO and (kept >> U(bid) & ONE == ZERO or rank == 0)
            if open_ and (best == NOT_PLAYED or worth > most):
                best, most = bid, worth
        if rank == 0:
            situation.other = best
        if best != NOT_PLAYED:
            kept |= bit(best)
    return kept
