"""`monte-carlo`: deals worlds from the unseen cards, plays each out for every answer, takes the best mean score.

Worlds are uniform over all deals that agree with what was seen, and every answer is tried in the same ones. A bid is
judged by playouts in which the asker plays for that bid, a card by playouts that begin with it.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.interface.view import BID
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ONE, ZERO, U, bit, lane, lowest_bit, popcount
from ohpshaw_sim.kernels.playout import lay_position, playout, playout_table
from ohpshaw_sim.kernels.policy import quick_bid, turn_of, turned
from ohpshaw_sim.kernels.rng import fold
from ohpshaw_sim.kernels.scoring import round_score
from ohpshaw_sim.kernels.worlds import SEATS, prepare_worlds, sample_world, unseen_problem, world_plan

ROLLOUTS: Final = {"greedy": 0, "random": 1}
"""Values of the parameter `rollout`."""
WORLDS, BID_WORLDS, ROLLOUT = 0, 1, 2
"""Places in `params`."""
MOST_ANSWERS: Final = 21
OWN: Final = 1 << 30
"""Weight of the own score beside the others': their loss breaks ties only."""


@jit
def distinct_cards(legal: Any, others: Any) -> Any:
    """Return the lowest card (as a mask of them all) of each group of legal cards that are worth the same.

    Cards of one suit are, with no card of `others` between them: unseen ones, and the one that wins the trick so far.
    """
    kept = ZERO
    rest = U(legal)
    below = -1  # the next lower legal card
    while rest != ZERO:
        card = lowest_bit(rest)
        rest &= rest - ONE
        between = (bit(card) - ONE) & ~(bit(below) - ONE) & others if below >= 0 else ZERO
        if below < 0 or below >> 4 != card >> 4 or between != ZERO:
            kept |= bit(card)
        below = card
    return kept


@jit
def judge(view: Any, params: Any, answers: Any, values: Any) -> None:
    """Add up in `values` (int64) what each of the legal `answers` (a mask) scores over worlds."""
    me, turn = view.seat, turn_of(view.trump)
    hands, bids = np.zeros(SEATS, np.uint64), np.zeros(SEATS, np.int64)
    needs, cannot = np.zeros(SEATS, np.int8), np.zeros(SEATS, np.uint64)
    plan = world_plan()
    pool = unseen_problem(view, needs, cannot)
    prepare_worlds(plan, pool, view.players, needs, cannot)
    tables = playout_table()
    table = tables[0]
    lay_position(view, table)
    table.rollout = np.int64(params[ROLLOUT])
    hands[me] = view.hand
    held_by_others = (view.players - 1) * view.hand_size
    for world in range(np.int64(params[BID_WORLDS if view.kind == BID else WORLDS])):
        key = fold(view.rnd, world)
        table.key = key
        sample_world(plan, key, hands)
        for seat in range(view.players):
            bids[seat] = view.bids[seat]
            if bids[seat] < 0 and seat != me:
                unseen = view.pack & ~(hands[seat] | view.gone)
                bids[seat] = quick_bid(hands[seat], unseen, view.trump, held_by_others)
        rest = answers
        while rest != ZERO:
            answer = lowest_bit(rest)
            rest &= rest - ONE
            first = ZERO
            if view.kind == BID:
                bids[me] = answer
            else:
                first = turned(bit(answer), turn)
            for seat in range(view.players):
                table.hands[seat] = turned(hands[seat], turn)
                table.needs[seat] = bids[seat] - view.tricks[seat]
            playout(table, first)
            value = 0
            for seat in range(view.players):
                score = round_score(bids[seat], bids[seat] - table.needs[seat])
                value += OWN * score if seat == me else -score
            values[answer] += value


@jit
def best_answer(view: Any, params: Any, answers: Any) -> int:
    """Return the best of some legal answers (a mask); the lowest of equal ones."""
    if popcount(answers) == 1:
        return lowest_bit(answers)
    values = np.zeros(64, np.int64)
    judge(view, params, answers, values)
    best = lowest_bit(answers)
    for answer in range(best, 64):
        if answers & bit(answer) != ZERO and values[answer] > values[best]:
            best = answer
    return best


@jit
def choose_bid(view: Any, params: Any) -> int:
    """Bid for the best mean score."""
    return best_answer(view, params, view.legal)


@jit
def choose_card(view: Any, params: Any) -> int:
    """Play for the best mean score; a card without choice at once."""
    others = view.pack & ~(view.hand | view.gone)
    if view.on_table:
        others |= bit(view.winning_card)
    return best_answer(view, params, distinct_cards(view.legal, others))


def make_agent(worlds: int = 100, rollout: str = "greedy", bid_worlds: int = 0) -> CompiledAgent:
    """Make the agent.

    worlds       worlds per card played
    rollout      who plays them out: "greedy" or "random"
    bid_worlds   worlds per bid; 0 = as many as `worlds`
    """
    if rollout not in ROLLOUTS:
        raise AgentError(f"there is no rollout {rollout!r}; it is {' or '.join(ROLLOUTS)}")
    if worlds < 1 or bid_worlds < 0:
        raise AgentError(f"{worlds} worlds and {bid_worlds} bid_worlds make no sample; use at least 1")
    return CompiledAgent(choose_bid, choose_card, (worlds, bid_worlds or worlds, ROLLOUTS[rollout]))
