"""`monte-carlo`: deals the unseen cards many times over, plays each world out, answers with the best mean score.

Every answer is tried in the same worlds, and what they tell is weighed against what the networks of `learned` know:

1. The networks say what each answer is worth.
2. Quick playouts to the end of the round, a glance at each card, leave the best few answers.
3. These are played on to the asker's next choice, the other seats by `count-winners`; the networks say what that is
   worth. With what they said at first that is averaged to one opinion.
4. They are played out to the end, the first cards as `count-winners` would, until one of them stands out. The opinion
   counts as `trust` more playouts.

Playouts err by chance and by how they are played, the networks by what they never learned: together they err less.
Worlds agree with everything that was seen; of `heed` of them one is kept, by how good the bids made were in it. Where
the networks do not know the game (other scorings, Wizards), the playouts decide alone.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_agents import learned
from ohpshaw_agents._careful_start import WEIGHTS, model_view
from ohpshaw_agents._heeded_worlds import heeded_world, lay_bidder
from ohpshaw_agents._learned_table import lay_round, next_worth, take
from ohpshaw_agents._playout_desk import UNIT, add_up, lay_out, try_out
from ohpshaw_agents.monte_carlo_1 import distinct_cards, has_missed, in_the_running, leaders
from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.interface.view import BID
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ONE, ZERO, U, lowest_bit, popcount
from ohpshaw_sim.kernels.rng import fold
from ohpshaw_sim.kernels.worlds import SEATS

_WORLDS, _CAREFUL, _HEED, _SPITE, _LOOKS, _TRUST, _FIRST, _OWN = range(8)
"""Places in `params`; from the last on stand the weights of `count-winners`, then the parameters of `learned`."""
_NETS: Final = _OWN + len(WEIGHTS)
_FINAL: Final = 3
"""Answers that are looked at closely."""
_CHECK: Final = 32
"""Worlds after which an answer that is clearly behind is dropped, and as many again each time."""


@jit
def choose(view: Any, params: Any) -> int:
    """Bid or play for the best mean score; an answer without choice at once."""
    answers = view.legal if view.kind == BID else distinct_cards(view)
    if answers & (answers - ONE) == ZERO:
        return lowest_bit(answers)
    totals = np.zeros(64, np.int64)
    return lowest_bit(leaders(totals, judge(view, params, answers, totals), 1))


@jit
def judge(view: Any, params: Any, answers: Any, totals: Any) -> Any:
    """Return those of the `answers` (a mask) that are in the running to the end, `totals` (int64[64]) being theirs."""
    known, careful = learned.is_known(view), np.int64(0 if has_missed(view) else params[_CAREFUL])
    count, dealt, spite, trust = np.int64(params[_WORLDS]), 0, params[_SPITE], params[_TRUST]
    desk, weights = lay_out(view, count), params[_OWN:_NETS]
    lay_bidder(view, desk.bidders)
    opinion, room = np.zeros(64), np.empty(learned.ROOM)
    if known:
        learned.best_answer(view, params[_NETS:], answers, opinion, room)
    if careful == 0 or popcount(answers) > _FINAL:
        for number in range(count):
            dealt = _deal(view, desk, number, dealt, params)
            try_out(view, desk, number, fold(view.rnd, number), answers, np.int64(0), False, spite, weights)
        add_up(view, desk, spite)
        _total(desk.scores, count, answers, totals, opinion, trust)
        if careful == 0:
            return answers
        answers = leaders(totals, answers, _FINAL)
    if known:
        dealt = _look_ahead(view, desk, answers, params, dealt, opinion, room)
    for number in range(count):
        dealt = _deal(view, desk, number, dealt, params)
        try_out(view, desk, number, fold(view.rnd, number), answers, careful, False, spite, weights)
        if (number + 1) % _CHECK == 0 or number + 1 == count:
            add_up(view, desk, spite)
            _total(desk.scores, number + 1, answers, totals, opinion, trust)
            answers = in_the_running(desk.scores, number + 1, totals, answers)
            if answers & (answers - ONE) == ZERO:
                break
    return answers


@jit
def _deal(view: Any, desk: Any, number: int, dealt: int, params: Any) -> int:
    """Lay the hands of world `number` on the desk, where the first `dealt` are kept; return how many are now."""
    if number < dealt:
        desk.hands[:] = desk.dealt[number]
        return dealt
    key, heed = fold(view.rnd, number), np.int64(params[_HEED])
    heeded_world(desk.plan, view, key, heed, desk.hands, desk.kept, desk.bidders, params[_OWN:_NETS])
    desk.dealt[number] = desk.hands
    return number + 1


@jit
def _look_ahead(view: Any, desk: Any, answers: Any, params: Any, dealt: int, opinion: Any, room: Any) -> int:
    """Average the opinion of some answers (a mask) with what it is at the next choice; return the worlds dealt."""
    looks = min(np.int64(params[_LOOKS]), np.int64(params[_WORLDS]))
    models, hands, worth = model_view(), np.zeros(SEATS, np.uint64), np.empty(64)
    sums = opinion * params[_FIRST]
    for number in range(looks):
        dealt = _deal(view, desk, number, dealt, params)
        rest = answers
        while rest != ZERO:
            answer = lowest_bit(rest)
            rest &= rest - ONE
            hands[:] = desk.hands
            lay_round(view, models)
            take(models, hands, answer)
            asker = np.int64(view.seat)
            sums[answer] += next_worth(models, hands, asker, params[_NETS:], params[_OWN:_NETS], worth, room)
    for answer in range(64):
        if answers >> U(answer) & ONE:
            opinion[answer] = sums[answer] / (params[_FIRST] + looks)
    return dealt


@jit
def _total(scores: Any, worlds: int, answers: Any, totals: Any, opinion: Any, trust: float) -> None:
    """Add up the scores of some answers (a mask) in the first worlds, and the opinion of them as so many more."""
    while answers != ZERO:
        answer = lowest_bit(answers)
        answers &= answers - ONE
        totals[answer] = np.int64(opinion[answer] * trust * UNIT)
        for number in range(worlds):
            totals[answer] += scores[answer, number]


def make_agent(
    worlds: int = 160,
    careful: int = 12,
    heed: int = 6,
    spite: float = 0.0,
    looks: int = 40,
    trust: float = 160.0,
    first: float = 20.0,
) -> CompiledAgent:
    """Make the agent.

    worlds    worlds per answer
    careful   cards after the answer that are played as `count-winners` would, of the best answers; 0 = none
    heed      worlds drawn for each one kept, by how well it explains the bids; 1 = all worlds count alike
    spite     worth of a point of another seat in a playout; 0 = only ties are broken by it
    looks     worlds, of these, in which the best answers are played on to the next choice
    trust     how many playouts the opinion of the networks counts as; 0 = playouts alone
    first     how many looks their opinion at first sight counts as
    """
    if worlds < 1 or careful < 0 or heed < 1 or looks < 0:
        raise AgentError("worlds and heed are at least 1, careful and looks at least 0")
    if not 0.0 <= spite <= 10.0:
        raise AgentError(f"spite {spite} is out of range; use 0 to 10")
    if not (trust >= 0.0 and first > 0.0):
        raise AgentError("trust is at least 0, first above 0")
    head = (worlds, careful, heed, spite, looks, trust, first)
    return CompiledAgent(choose, choose, np.concatenate([head, WEIGHTS, learned.make_agent().params]))
