"""`monte-carlo`: deals the unseen cards many times over, plays each world out, answers with the best mean score.

Every answer is tried in the same worlds. A bid is judged by playouts in which the asker plays for that bid, a card by
playouts that begin with it; their first cards are played with care, the rest at a glance. Worlds agree with everything
that was seen, each as likely as any other; of `heed` such worlds the agent keeps one, by how well it explains the bids.
A score counts the points of the asker less `spite` times the points of all others.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_agents._careful_start import WEIGHTS, careful_start, lay_model, model_view
from ohpshaw_agents._heeded_worlds import heeded_world
from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.interface.view import BID
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bidding import legal_bids
from ohpshaw_sim.kernels.bits import ONE, ZERO, U, bit, lowest_bit, popcount
from ohpshaw_sim.kernels.playout import AIM, RANDOM, lay_hands, lay_position, playout, playout_table
from ohpshaw_sim.kernels.policy import bid_aim, likely_tricks, nearest_bid, share_held, turn_of, turned
from ohpshaw_sim.kernels.rng import fold
from ohpshaw_sim.kernels.scoring import round_score
from ohpshaw_sim.kernels.worlds import SEATS, prepare_worlds, unseen_problem, world_plan

ROLLOUTS: Final = {"greedy": AIM, "random": RANDOM}
"""Values of the parameter `rollout`."""
_WORLDS, _BID_WORLDS, _ROLLOUT, _CAREFUL, _HEED, _SPITE, _WEIGHTS = range(7)
"""Places in `params`; from the last on stand the weights of `count-winners`."""
_FINAL: Final = 3
"""Answers that are tried with care: the best after quick playouts. Half-way the worst of them is dropped."""
_LARGE: Final = 10
"""Cards in hand from which on fewer are played with care."""
_UNIT: Final = 1 << 20
"""Values are whole numbers of this fraction of a point, so that they add up to the same on every machine."""
_TIE: Final = 1
"""What a point of another seat counts at least: between equal answers the one that harms them is taken."""


@jit
def choose(view: Any, params: Any) -> int:
    """Bid or play for the best mean score; an answer without choice at once."""
    answers = view.legal if view.kind == BID else distinct_cards(view)
    if answers & (answers - ONE) == ZERO:
        return lowest_bit(answers)
    values = np.zeros(64, np.int64)
    return lowest_bit(_leaders(values, judge(view, params, answers, values), 1))


@jit
def distinct_cards(view: Any) -> Any:
    """Return a mask of the lowest legal card of each group that is worth the same.

    Two cards of a suit are when neither an unseen card nor the one that wins the trick so far lies between them.
    """
    apart = view.pack & ~(view.hand | view.gone)
    if view.on_table:
        apart |= bit(view.winning_card)
    kept = ZERO
    rest = U(view.legal)
    below = -64
    while rest != ZERO:
        card = lowest_bit(rest)
        rest &= rest - ONE
        if below >> 4 != card >> 4 or apart & (bit(card) - bit(below)) != ZERO:
            kept |= bit(card)
        below = card
    return kept


@jit
def judge(view: Any, params: Any, answers: Any, values: Any) -> Any:
    """Add up in `values` (int64[64]) what each of the `answers` (a mask) scores in every world.

    Before careful playouts, as many quick ones choose the few answers that are worth it. Returns the mask of those
    that were tried in all worlds.
    """
    bidding = view.kind == BID
    needs, cannot, bids = np.zeros(SEATS, np.int8), np.zeros(SEATS, np.uint64), np.zeros(SEATS, np.int64)
    hands, kept, aims = np.zeros(SEATS, np.uint64), np.zeros(SEATS, np.uint64), np.zeros(SEATS, np.float64)
    plan, tables, models = world_plan(), playout_table(), model_view()
    table, model = tables[0], models[0]
    prepare_worlds(plan, unseen_problem(view, needs, cannot), view.players, needs, cannot)
    lay_model(view, model)
    table.rollout = np.int64(params[_ROLLOUT])
    hands[view.seat] = view.hand
    for seat in range(view.players):
        bids[seat] = view.bids[seat]
    careful = _careful_cards(view, params)
    worlds = np.int64(params[_BID_WORLDS if bidding else _WORLDS])
    quick = worlds if careful > 0 and popcount(answers) > _FINAL else 0
    for world in range(quick + worlds):
        if world == quick and quick > 0:
            answers = _leaders(values, answers, _FINAL)
            values[:] = 0
        if world == quick + worlds // 2 and world > quick and careful > 0:
            answers = _leaders(values, answers, 2)
        table.key = fold(view.rnd, world)
        heeded_world(plan, view, table.key, np.int64(params[_HEED]), hands, kept)
        if bidding:
            _fill_aims(view, hands, aims)
        rest = answers
        while rest != ZERO:
            answer = lowest_bit(rest)
            rest &= rest - ONE
            if bidding:
                bids[view.seat] = answer
                _guess_bids(view, hands, aims, bids)
            lay_position(view, table)
            lay_hands(view, table, hands, bids)
            first = ZERO if bidding else turned(bit(answer), turn_of(view.trump))
            if world >= quick and careful > 0:
                careful_start(view, table, model, bids, first, careful, params[_WEIGHTS:])
                first = ZERO
            playout(table, first)
            values[answer] += _worth(view, table, bids, params[_SPITE])
    return answers


@jit
def _careful_cards(view: Any, params: Any) -> int:
    """Return how many cards are played with care: fewer in large hands, where each takes longer to choose."""
    left = view.hand_size - view.trick_number
    cards: int = np.int64(params[_CAREFUL]) * _LARGE // max(left, _LARGE)
    return cards


@jit
def _worth(view: Any, table: Any, bids: Any, spite: float) -> int:
    """Return what a world played out is worth to the asker, in fractions of a point."""
    against = max(np.int64(spite * _UNIT), _TIE)
    worth = 0
    for seat in range(view.players):
        score = round_score(bids[seat], bids[seat] - table.needs[seat])
        worth += score * (_UNIT if seat == view.seat else -against)
    return worth


@jit
def _leaders(values: Any, answers: Any, count: int) -> Any:
    """Return the best `count` (or all) of some answers, as a mask; of equal ones the lower."""
    leaders = ZERO
    for _ in range(min(count, popcount(answers))):
        best = -1
        for answer in range(64):
            if answers >> U(answer) & ONE and (best < 0 or values[answer] > values[best]):
                best = answer
        leaders |= bit(best)
        answers ^= bit(best)
    return leaders


@jit
def _fill_aims(view: Any, hands: Any, aims: Any) -> None:
    """Write to `aims` what the hands of the seats that have not bid are worth, in tricks."""
    for seat in range(view.players):
        if view.bids[seat] < 0 and seat != view.seat:
            unseen = view.pack & ~(hands[seat] | view.gone)
            aims[seat] = likely_tricks(hands[seat], unseen, view.trump, view.players, view.hand_size)


@jit
def _guess_bids(view: Any, hands: Any, aims: Any, bids: Any) -> None:
    """Write the bids of the seats that bid after this one, each as it hears those before it."""
    announced = 0
    seat = view.dealer
    legal = legal_bids(view.hand_size)
    for place in range(view.players):
        seat = (seat + 1) % view.players
        if view.bids[seat] < 0 and seat != view.seat:
            share = share_held(view.pack & ~(hands[seat] | view.gone), view.players, view.hand_size)
            aim = bid_aim(aims[seat], share, place, announced, view.players, view.hand_size)
            bids[seat] = nearest_bid(aim, legal)
        announced += bids[seat]


def make_agent(
    worlds: int = 100,
    rollout: str = "greedy",
    bid_worlds: int = 0,
    careful: int = 12,
    heed: int = 12,
    spite: float = 0.0,
) -> CompiledAgent:
    """Make the agent.

    worlds       worlds per card played
    rollout      who plays them out in all seats: "greedy" or "random"
    bid_worlds   worlds per bid; 0 = as many as `worlds`
    careful      cards after the answer that are played as `count-winners` would; fewer in hands above ten
    heed         worlds drawn for each one kept, by how well it explains the bids; 1 = all worlds count alike
    spite        worth of a point of another seat; 0 = only ties are broken by it
    """
    if rollout not in ROLLOUTS:
        raise AgentError(f"there is no rollout {rollout!r}; it is {' or '.join(ROLLOUTS)}")
    if worlds < 1 or bid_worlds < 0 or careful < 0 or heed < 1:
        raise AgentError("worlds and heed are at least 1, bid_worlds and careful at least 0")
    if not 0.0 <= spite <= 10.0:
        raise AgentError(f"spite {spite} is out of range; use 0 to 10")
    params = (worlds, bid_worlds or worlds, ROLLOUTS[rollout], careful, heed, spite, *WEIGHTS)
    return CompiledAgent(choose, choose, params)
