"""Where `monte-carlo` tries its answers: a desk of arrays on which worlds are dealt, played with care, and added up."""

from typing import Any, Final, NamedTuple

import numpy as np

from ohpshaw_agents._careful_start import careful_start, lay_model, model_view
from ohpshaw_sim.interface.view import BID
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bidding import open_bids
from ohpshaw_sim.kernels.bits import ONE, ZERO, bit, lowest_bit
from ohpshaw_sim.kernels.playout import lay_hands, lay_position, play_card, playout_table, random_playout
from ohpshaw_sim.kernels.policy import bid_aim, likely_tricks, nearest_bid, share_held, turn_of, turned
from ohpshaw_sim.kernels.rng import fold
from ohpshaw_sim.kernels.scoring import add_bonus, round_score
from ohpshaw_sim.kernels.together import lay_world, need_left, play_together, world_rows
from ohpshaw_sim.kernels.words import WIDE
from ohpshaw_sim.kernels.worlds import SEATS, prepare_worlds, unseen_problem, world_plan

UNIT: Final = 1 << 20
"""Scores are whole numbers of this fraction of a point, so that they add up to the same on every machine."""
_TIE: Final = 1
"""What a point of another seat counts at least: between equal answers the one that harms them is taken."""
_PLAY: Final = 1 << 32
"""Sets the random words of a playout apart from those that dealt its world."""


class Desk(NamedTuple):
    """The arrays of one decision. Those of records are handed round whole: a record alone keeps nothing alive."""

    plan: Any  # how worlds are dealt, `kernels.worlds`
    tables: Any  # one position, `kernels.playout`
    models: Any  # one view, shown to a seat that plays with care
    bidders: Any  # one view, as seats saw it at their bids
    hands: Any  # by seat: the hands of a world
    kept: Any  # by seat: scratch of whoever deals it
    dealt: Any  # by number of world and seat: the hands, for a second use
    bids: Any  # by seat; -1 = not made yet
    aims: Any  # by seat that has not bid: what its hand is worth, in tricks
    worlds: Any  # positions that wait to be played to the end, side by side, `kernels.together`
    waiting: Any  # one number: how many
    tried: Any  # by position: the answer tried in it and the number of its world
    claims: Any  # by position and seat: the bid
    points: Any  # by seat: what a round came to
    scores: Any  # by answer and number of world: what it scored


@jit
def lay_out(view: Any, count: int) -> Any:
    """Return a desk for so many worlds, on which what the view shows is laid out."""
    needs, cannot = np.zeros(SEATS, np.int8), np.zeros(SEATS, np.uint64)
    desk = Desk(
        world_plan(),
        playout_table(),
        model_view(),
        model_view(),
        np.zeros(SEATS, np.uint64),
        np.zeros(SEATS, np.uint64),
        np.zeros((count, SEATS), np.uint64),
        np.zeros(SEATS, np.int64),
        np.zeros(SEATS, np.float64),
        world_rows(),
        np.zeros(1, np.int64),
        np.zeros((WIDE, 2), np.int64),
        np.zeros((WIDE, SEATS), np.int64),
        np.zeros(SEATS, np.int64),
        np.zeros((64, count), np.int64),
    )
    prepare_worlds(desk.plan, unseen_problem(view, needs, cannot), view.players, needs, cannot)
    lay_model(view, desk.models)
    desk.hands[view.seat] = view.hand
    for seat in range(view.players):
        desk.bids[seat] = view.bids[seat]
    return desk


@jit
def try_out(
    view: Any,
    desk: Any,
    number: int,
    key: Any,
    answers: Any,
    careful: int,
    random: bool,
    spite: float,
    weights: Any,
) -> None:
    """Try each of the `answers` (a mask) in the world of `desk.hands`, which is number `number`.

    careful   cards that are played with care at first, by `weights`
    random    whether the rest is played at random, by `key`, or by the policy of `kernels.policy`
    spite     see `add_up`

    The scores are there only after `add_up`.
    """
    bidding = view.kind == BID
    if bidding:
        _fill_aims(view, desk)
    while answers != ZERO:
        answer = lowest_bit(answers)
        answers &= answers - ONE
        first = ZERO if bidding else turned(bit(answer), turn_of(view.trump))
        if bidding:
            desk.bids[view.seat] = answer
            _guess_bids(view, desk)
        lay_position(view, desk.tables)
        lay_hands(view, desk.tables, desk.hands, desk.bids)
        if careful > 0:
            careful_start(view, desk.tables, desk.models, desk.bids, first, careful, weights)
        elif first != ZERO:
            play_card(desk.tables, first)
        if random:
            desk.tables[0].key = fold(key, _PLAY)
            random_playout(desk.tables)
        _put_by(view, desk, number, answer)
        if desk.waiting[0] == WIDE:
            add_up(view, desk, spite)


@jit
def _put_by(view: Any, desk: Any, number: int, answer: int) -> None:
    """Lay the position on the table beside those that wait."""
    column = desk.waiting[0]
    lay_world(desk.worlds, column, desk.tables)
    desk.tried[column, 0] = answer
    desk.tried[column, 1] = number
    for seat in range(view.players):
        desk.claims[column, seat] = desk.bids[seat]
    desk.waiting[0] += 1


@jit
def add_up(view: Any, desk: Any, spite: float) -> None:
    """Play the positions that wait to the end and write down their scores.

    A score is the points of the asker less `spite` times those of all others, in whole fractions of a point.
    """
    if desk.waiting[0] == 0:
        return
    play_together(desk.worlds, desk.waiting[0], desk.tables)
    against = max(np.int64(spite * UNIT), _TIE)
    for column in range(desk.waiting[0]):
        for seat in range(view.players):
            bid = desk.claims[column, seat]
            tricks = bid - need_left(desk.worlds, column, seat)
            desk.points[seat] = round_score(view.scoring, view.zero_bid, view.hand_size, bid, tricks)
        if view.round_winner_bonus:
            add_bonus(desk.points, view.players)
        worth = 0
        for seat in range(view.players):
            worth += desk.points[seat] * (UNIT if seat == view.seat else -against)
        desk.scores[desk.tried[column, 0], desk.tried[column, 1]] = worth
    desk.waiting[0] = 0


@jit
def _fill_aims(view: Any, desk: Any) -> None:
    """Write down what the hands of the seats that have not bid are worth."""
    for seat in range(view.players):
        if view.bids[seat] < 0 and seat != view.seat:
            hand = desk.hands[seat]
            unseen = view.pack & ~(hand | view.gone)
            desk.aims[seat] = likely_tricks(hand, unseen, view.trump, view.players, view.hand_size)


@jit
def bids_of_seat(view: Any, seat: int, total: int) -> Any:
    """Return the bids (a mask) that a seat may make when those before it add up to `total`."""
    return open_bids(view.hand_size, view.hook_from if seat == view.dealer else 0, total)


@jit
def _guess_bids(view: Any, desk: Any) -> None:
    """Write down the bids that this seat has not heard, each as its seat hears those before it, if any."""
    total, announced, heard = 0, 0, 0
    seat = view.dealer
    for _ in range(view.players):
        seat = (seat + 1) % view.players
        if view.bids[seat] < 0 and seat != view.seat:
            share = share_held(view.pack & ~(desk.hands[seat] | view.gone), view.players, view.hand_size)
            aim = bid_aim(desk.aims[seat], share, heard, announced, view.players, view.hand_size)
            desk.bids[seat] = nearest_bid(aim, bids_of_seat(view, seat, total))
        total += desk.bids[seat]
        if view.simultaneous == 0:
            announced, heard = total, heard + 1
