"""`monte-carlo`: deals the unseen cards many times over, looks ahead in each world, answers with the best mean.

1. The networks of `learned` say what each answer is worth by what is seen.
2. Worlds are dealt that agree with everything that was seen; of `heed` of them one is kept, by how good the bids made
   were in it.
3. In each world every answer in the running is tried: the other seats play on as `learned` would, to the asker's next
   choice. There the networks say what the best answer is worth.
4. That is averaged over the worlds, what the networks said at first counting as some more. An answer that is clearly
   behind is dropped.

So luck is averaged out twice: by the worlds, and by the networks, which have learned what such a position comes to in
the mean. Where they do not know the game (other scorings, Wizards) the agent is `monte-carlo-1`. The round of one card
is solved, and bid as its equilibrium does.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_agents import learned, monte_carlo_1
from ohpshaw_agents._careful_start import WEIGHTS, model_view
from ohpshaw_agents._heeded_worlds import heeded_world, lay_bidder
from ohpshaw_agents._learned_table import lay_round, take, worth_ahead
from ohpshaw_agents._one_card import UNSOLVED, one_card_bid
from ohpshaw_agents._playout_desk import UNIT, lay_out
from ohpshaw_agents.monte_carlo_1 import distinct_cards, in_the_running, leaders
from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.interface.view import BID
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ONE, ZERO, U, lowest_bit
from ohpshaw_sim.kernels.rng import fold
from ohpshaw_sim.kernels.worlds import SEATS

_WORLDS, _HEED, _FIRST, _CHECK, _ELSEWHERE = range(5)
"""Places in `params`; from the last on stand the parameters of `monte-carlo-1`, then those of `learned`."""
_OWN: Final = _ELSEWHERE + len(monte_carlo_1.make_agent().params) - len(WEIGHTS)
"""Where the weights of `count-winners` begin."""
_NETS: Final = _OWN + len(WEIGHTS)
_choose_elsewhere: Final = monte_carlo_1.choose


@jit
def choose(view: Any, params: Any) -> int:
    """Bid or play for the best mean worth; an answer without choice at once."""
    if not learned.is_known(view):
        return _choose_elsewhere(view, params[_ELSEWHERE:_NETS])
    answers = view.legal if view.kind == BID else distinct_cards(view)
    if answers & (answers - ONE) == ZERO:
        return lowest_bit(answers)
    if view.kind == BID:
        solved = one_card_bid(view)
        if solved != UNSOLVED:
            return solved
    totals = np.zeros(64, np.int64)
    return lowest_bit(leaders(totals, judge(view, params, answers, totals), 1))


@jit
def judge(view: Any, params: Any, answers: Any, totals: Any) -> Any:
    """Return those of the `answers` (a mask) that are in the running to the end, `totals` (int64[64]) being theirs."""
    count, heed, check = np.int64(params[_WORLDS]), np.int64(params[_HEED]), np.int64(params[_CHECK])
    weights, nets = params[_OWN:_NETS], params[_NETS:]
    desk, models, hands = lay_out(view, count), model_view(), np.zeros(SEATS, np.uint64)
    opinion, worth, room = np.empty(64), np.empty(64), np.empty(learned.ROOM, np.float32)
    lay_bidder(view, desk.bidders)
    learned.best_answer(view, nets, answers, opinion, room)
    for answer in range(64):
        totals[answer] = (
            np.int64(opinion[answer] * params[_FIRST] * UNIT) if answers >> U(answer) & ONE else 0
        )
    for number in range(count):
        heeded_world(
            desk.plan, view, fold(view.rnd, number), heed, desk.hands, desk.kept, desk.bidders, weights
        )
        rest = answers
        while rest != ZERO:
            answer = lowest_bit(rest)
            rest &= rest - ONE
            hands[:] = desk.hands
            lay_round(view, models)
            take(models, hands, answer)
            ahead = worth_ahead(models, hands, np.int64(view.seat), nets, worth, room)
            desk.scores[answer, number] = np.int64(ahead * UNIT)
            totals[answer] += desk.scores[answer, number]
        if check > 0 and (number + 1) % check == 0:
            answers = in_the_running(desk.scores, number + 1, totals, answers)
            if answers & (answers - ONE) == ZERO:
                break
    return answers


def make_agent(
    worlds: int = 120,
    heed: int = 6,
    first: float = 20.0,
    check: int = 16,
    spite: float = 0.6,
) -> CompiledAgent:
    """Make the agent.

    worlds    worlds at most
    heed      worlds drawn for each one kept, by how well it explains the bids; 1 = all worlds count alike
    first     how many worlds the networks' opinion at first sight counts as
    check     worlds after which answers that are clearly behind are dropped, and as many again each time; 0 = never
    spite     worth of a point that another seat (each alike) gets
    """
    if worlds < 1 or heed < 1 or check < 0:
        raise AgentError("worlds and heed are at least 1, check at least 0")
    if not 0.0 <= first <= 1e6:
        raise AgentError(f"first {first} is out of range; use 0 to 1000000")
    elsewhere = monte_carlo_1.make_agent(worlds=worlds, heed=heed).params
    nets = learned.make_agent(spite).params
    return CompiledAgent(choose, choose, np.concatenate([(worlds, heed, first, check), elsewhere, nets]))
