"""`learned`: small networks trained by self-play say what each bid and card is worth; it takes the best.

For each number of players there are two: one for bids, one for cards. Both tell of an answer the chance to hit the bid
and the points that other seats are left with, as they came out in rounds that the agent played with itself
(`experiments/train_learned.py`). They know the game by the standard scoring and packs without Wizards; elsewhere the
agent bids and plays as `count-winners` does. The round of one card is solved, and bid as its equilibrium does.

Weights are float32, and two of them stand in each number of `params`.
"""

from pathlib import Path
from typing import Any, Final

import numpy as np

from ohpshaw_agents import count_winners
from ohpshaw_agents._learned_answers import ANSWER, see_bid, see_card
from ohpshaw_agents._learned_net import ACTIVE, FIRST, OUT, SECOND, SIZE, weigh_answer, weigh_state
from ohpshaw_agents._learned_sight import SCRATCH, STATE, see
from ohpshaw_agents._one_card import UNSOLVED, one_card_bid
from ohpshaw_agents._winner_sums import hit_points
from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.interface.view import BID
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import FREE, ONE, ZERO, lowest_bit
from ohpshaw_sim.kernels.scoring import EXACT

WEIGHTS_FILE: Final = Path(__file__).with_name("learned_weights.npy")
_SPITE: Final = 0
FOUND_IN: Final = 1 + len(count_winners.make_agent().params)
"""Where the networks begin in `params`; before them stand `spite` and the weights of `count-winners`."""
_ANSWER_AT: Final = STATE + SCRATCH
_COMMON_AT: Final = _ANSWER_AT + ANSWER
_FIRST_AT: Final = _COMMON_AT + FIRST
_SECOND_AT: Final = _FIRST_AT + FIRST
_OUT_AT: Final = _SECOND_AT + SECOND
ROOM: Final = _OUT_AT + OUT
"""Numbers that a decision works with."""
_count_winners_bid: Final = count_winners.bid
_count_winners_play: Final = count_winners.play


@jit
def is_known(view: Any) -> bool:
    """Tell whether the networks know the game: the standard scoring, no Wizards and Jesters."""
    return bool(view.scoring == EXACT and view.pack & FREE == ZERO)


@jit
def bid(view: Any, params: Any) -> int:
    """Return the legal bid that promises most; of a single card the solved one."""
    if not is_known(view):
        return _count_winners_bid(view, params[1:])
    solved = one_card_bid(view)
    if solved != UNSOLVED:
        return solved
    return best_answer(view, params, view.legal, np.empty(64), np.empty(ROOM, np.float32))


@jit
def play(view: Any, params: Any) -> int:
    """Return the legal card that promises most."""
    if view.legal & (view.legal - ONE) == ZERO:
        return lowest_bit(view.legal)
    if not is_known(view):
        return _count_winners_play(view, params[1:])
    return best_answer(view, params, view.legal, np.empty(64), np.empty(ROOM, np.float32))


@jit
def best_answer(view: Any, params: Any, answers: Any, worth: Any, room: Any) -> int:
    """Return the best of some answers (a mask), and write what each is worth, in points, to `worth` (float64[64]).

    `room` (float32[ROOM]) is scratch; the state and what `see_bid` and `see_card` need are left at its beginning.
    """
    state, scratch, answer = room[:STATE], room[STATE:_ANSWER_AT], room[_ANSWER_AT:_COMMON_AT]
    common, first = room[_COMMON_AT:_FIRST_AT], room[_FIRST_AT:_SECOND_AT]
    second, out = room[_SECOND_AT:_OUT_AT], room[_OUT_AT:]
    active = np.empty(ACTIVE, np.int64)
    bidding = view.kind == BID
    nets = params[FOUND_IN:].view(np.float32)
    base = (2 * (np.int64(view.players) - 3) + (0 if bidding else 1)) * SIZE
    see(view, state, scratch)
    weigh_state(nets, base, state, common, active)
    aim = np.int64(0 if bidding else view.bids[view.seat])
    best, best_worth = -1, -1e9
    while answers != ZERO:
        chosen = lowest_bit(answers)
        answers &= answers - ONE
        if bidding:
            see_bid(view, chosen, answer, scratch)
        else:
            see_card(view, chosen, answer, scratch)
        weigh_answer(nets, base, common, answer, first, second, out, active)
        points = hit_points(view, chosen if bidding else aim)
        worth[chosen] = points * np.float64(out[0]) - params[_SPITE] * 10.0 * np.float64(out[1])
        if worth[chosen] > best_worth:
            best, best_worth = chosen, worth[chosen]
    return best


def packed(weights: Any) -> Any:
    """Return weights (float32[2n]) as numbers for `params`, two in each; they are never read as what they look like."""
    return np.ascontiguousarray(weights, np.float32).view(np.float64)


def make_agent(spite: float = 0.6) -> CompiledAgent:
    """Make the agent.

    spite   worth of a point that another seat (each alike) gets
    """
    if not 0.0 <= spite <= 10.0:
        raise AgentError(f"spite {spite} is out of range; use 0 to 10")
    weights = packed(np.load(WEIGHTS_FILE))
    return CompiledAgent(bid, play, np.concatenate([[spite], count_winners.make_agent().params, weights]))
