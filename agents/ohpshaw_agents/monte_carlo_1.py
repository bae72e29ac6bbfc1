"""`monte-carlo-1`: `monte-carlo` as it was in version 0.1, frozen: the yardstick that later agents are measured by.

It deals the unseen cards many times over, plays each world out, answers with the best mean score. Every answer is
tried in the same worlds. A bid is judged by playouts in which the asker plays for that bid, a card by playouts that
begin with it. Quick playouts, at a glance, choose the few answers that are worth more; these are played out with care,
as `count-winners` plays, until one of them stands out. Worlds agree with everything that was seen, each as likely as
any other; of `heed` such worlds the agent keeps one, by how good the bids made were in it. A score counts the points of
the asker less `spite` times the points of all others.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_agents._careful_start import WEIGHTS
from ohpshaw_agents._heeded_worlds import heeded_world, lay_bidder
from ohpshaw_agents._playout_desk import UNIT, add_up, lay_out, try_out
from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.interface.view import BID, PLAY
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ONE, ZERO, U, bit, lowest_bit, popcount
from ohpshaw_sim.kernels.rng import fold
from ohpshaw_sim.kernels.scoring import EXACT
from ohpshaw_sim.kernels.tricks import unlike_cards

ROLLOUTS: Final = {"greedy": 0, "random": 1}
"""Values of the parameter `rollout`."""
_WORLDS, _BID_WORLDS, _ROLLOUT, _CAREFUL, _HEED, _SPITE, _WEIGHTS = range(7)
"""Places in `params`; from the last on stand the weights of `count-winners`."""
_FINAL: Final = 3
"""Answers that are tried with care: the best after quick playouts."""
_CHECK: Final = 32
"""Worlds after which an answer that is clearly behind is dropped, and as many again each time."""
_CLEARLY: Final = 9.0
"""How clearly: the square of the standard errors of the difference."""
_UNSEEN: Final = float(5 * UNIT) ** 2
"""The square of a difference that no world has shown yet: answers that were alike so far may still differ."""


@jit
def choose(view: Any, params: Any) -> int:
    """Bid or play for the best mean score; an answer without choice at once."""
    answers = view.legal if view.kind == BID else distinct_cards(view)
    if answers & (answers - ONE) == ZERO:
        return lowest_bit(answers)
    totals = np.zeros(64, np.int64)
    return lowest_bit(leaders(totals, judge(view, params, answers, totals), 1))


@jit
def distinct_cards(view: Any) -> Any:
    """Return a mask of the lowest legal card of each group that is worth the same.

    Two cards of a suit are when neither an unseen card nor the one that wins the trick so far lies between them. All
    Wizards are, and all Jesters.
    """
    apart = view.pack & ~(view.hand | view.gone)
    if view.on_table:
        apart |= bit(view.winning_card)
    return unlike_cards(view.legal, apart)


@jit
def judge(view: Any, params: Any, answers: Any, totals: Any) -> Any:
    """Return those of the `answers` (a mask) that are in the running to the end, `totals` (int64[64]) being theirs."""
    heed, random, spite = np.int64(params[_HEED]), params[_ROLLOUT] == 1, params[_SPITE]
    careful = np.int64(0 if has_missed(view) else params[_CAREFUL])
    count = np.int64(params[_BID_WORLDS if view.kind == BID else _WORLDS])
    quick = count if careful == 0 or popcount(answers) > _FINAL else 0
    desk, weights = lay_out(view, count), params[_WEIGHTS:]
    lay_bidder(view, desk.bidders)
    for number in range(quick):
        key = fold(view.rnd, number)
        heeded_world(desk.plan, view, key, heed, desk.hands, desk.kept, desk.bidders, weights)
        desk.dealt[number] = desk.hands
        try_out(view, desk, number, key, answers, np.int64(0), random, spite, weights)
    if quick > 0:
        add_up(view, desk, spite)
        _total(desk.scores, quick, answers, totals)
        if careful == 0:
            return answers
        answers = leaders(totals, answers, _FINAL)
    for number in range(count):
        key = fold(view.rnd, number)
        if quick > 0:
            desk.hands[:] = desk.dealt[number]
        else:
            heeded_world(desk.plan, view, key, heed, desk.hands, desk.kept, desk.bidders, weights)
        try_out(view, desk, number, key, answers, careful, random, spite, weights)
        if (number + 1) % _CHECK == 0 or number + 1 == count:
            add_up(view, desk, spite)
            _total(desk.scores, number + 1, answers, totals)
            answers = in_the_running(desk.scores, number + 1, totals, answers)
            if answers & (answers - ONE) == ZERO:
                break
    return answers


@jit
def has_missed(view: Any) -> bool:
    """Tell whether the asker cannot hit its bid any more, and scores nothing whatever it plays."""
    need = view.bids[view.seat] - view.tricks[view.seat]
    graded = view.scoring != EXACT
    return bool(view.kind == PLAY and not graded and (need < 0 or need > view.hand_size - view.trick_number))


@jit
def _total(scores: Any, worlds: int, answers: Any, totals: Any) -> None:
    """Add up the scores of some answers (a mask) in the first worlds."""
    while answers != ZERO:
        answer = lowest_bit(answers)
        answers &= answers - ONE
        totals[answer] = 0
        for number in range(worlds):
            totals[answer] += scores[answer, number]


@jit
def in_the_running(scores: Any, worlds: int, totals: Any, answers: Any) -> Any:
    """Return the answers that are not clearly behind the best one, world by world."""
    best = lowest_bit(leaders(totals, answers, 1))
    kept = bit(best)
    for answer in range(64):
        if answer != best and answers >> U(answer) & ONE:
            behind, squares = np.float64(totals[best] - totals[answer]), 0.0
            for number in range(worlds):
                squares += np.float64(scores[best, number] - scores[answer, number]) ** 2
            if behind * behind < _CLEARLY * (squares + _UNSEEN - behind * behind / worlds):
                kept |= bit(answer)
    return kept


@jit
def leaders(totals: Any, answers: Any, count: int) -> Any:
    """Return the best `count` (or all) of some answers, as a mask; of equal ones the lower."""
    leaders = ZERO
    for _ in range(min(count, popcount(answers))):
        best = -1
        for answer in range(64):
            if answers >> U(answer) & ONE and (best < 0 or totals[answer] > totals[best]):
                best = answer
        leaders |= bit(best)
        answers ^= bit(best)
    return leaders


def make_agent(
    worlds: int = 320,
    rollout: str = "greedy",
    bid_worlds: int = 0,
    careful: int = 12,
    heed: int = 6,
    spite: float = 0.0,
) -> CompiledAgent:
    """Make the agent.

    worlds       worlds per card played
    rollout      who plays them out in all seats: "greedy" or "random"
    bid_worlds   worlds per bid; 0 = as many as `worlds`
    careful      cards after the answer that are played as `count-winners` would, of the best answers; 0 = none
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
