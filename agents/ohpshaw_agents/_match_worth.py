"""What points are worth for winning the match: the chance to win it, given what a round comes to.

    worth = lay_worth(view, HIT)            once for a decision
    win_chance(view, worth, points)         for each way the round may end

Whoever searches may take that chance as the score of a world, instead of the points. After the last round it is exact:
ties on top share the match. Before, the rounds to come are a model, the same for all seats and independent of each
other: a seat bids so many of the tricks as are its share, binomially, hits with the chance `hit`, and otherwise misses
by one trick. Nothing of it hangs on who sits where or plays how.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.scoring import round_score

HIT: Final = 0.6
"""About what good players hit."""


class Worth(NamedTuple):
    """What the rounds to come bring to a seat, in points from `low[0]` on."""

    chance: Any  # float64: of exactly so many points
    below: Any  # float64: of fewer, half of an equal number counted as such
    low: Any  # int64, one number
    count: Any  # int64, one number: places in use


@jit
def lay_worth(view: Any, hit: float) -> Any:
    """Return the model of the rounds that come after the one under way; `hit` is the chance to hit a bid."""
    room = 1
    for ahead in range(view.rounds_to_go):
        least, most = _range(view, np.int64(view.schedule[view.round_number + 1 + ahead]))
        room += most - least
    worth = Worth(np.zeros(room), np.zeros(room), np.zeros(1, np.int64), np.ones(1, np.int64))
    spare = np.zeros(room)
    worth.chance[0] = 1.0
    for ahead in range(view.rounds_to_go):
        _add_round(view, worth, spare, np.int64(view.schedule[view.round_number + 1 + ahead]), hit)
    sum_below = 0.0
    for place in range(worth.count[0]):
        worth.below[place] = sum_below + 0.5 * worth.chance[place]
        sum_below += worth.chance[place]
    return worth


@jit
def _add_round(view: Any, worth: Any, spare: Any, hand_size: int, hit: float) -> None:
    """Add the points of one more round to those there are."""
    least, most = _range(view, hand_size)
    before = worth.count[0]
    after = before + most - least
    for place in range(before):
        spare[place] = worth.chance[place]
    for place in range(after):
        worth.chance[place] = 0.0
    share = 1.0 / view.players
    claim = 1.0  # the chance of the bid
    for _ in range(hand_size):
        claim *= 1.0 - share
    for bid in range(hand_size + 1):
        made, missed = _outcomes(view, hand_size, bid)
        for place in range(before):
            worth.chance[place + made - least] += spare[place] * claim * hit
            worth.chance[place + missed - least] += spare[place] * claim * (1.0 - hit)
        claim *= share * (hand_size - bid) / ((1.0 - share) * (bid + 1))
    worth.low[0] += least
    worth.count[0] = after


@jit
def _outcomes(view: Any, hand_size: int, bid: int) -> tuple[int, int]:
    """Return what a bid scores if it is hit, and if it is missed by one."""
    made = round_score(view.scoring, view.zero_bid, hand_size, bid, bid)
    return made, round_score(view.scoring, view.zero_bid, hand_size, bid, bid - 1 if bid > 0 else 1)


@jit
def _range(view: Any, hand_size: int) -> tuple[int, int]:
    """Return the least and the most points of a round in the model."""
    least, most = _outcomes(view, hand_size, 0)[1], 0
    for bid in range(hand_size + 1):
        made, missed = _outcomes(view, hand_size, bid)
        least, most = min(least, made, missed), max(most, made, missed)
    return least, most


@jit
def win_chance(view: Any, worth: Any, points: Any) -> float:
    """Return the chance (0..1) that the asker wins the match if this round brings so many points (int64 by seat).

    In a tie-break round only the tied seats count, and the points of this round alone.
    """
    seat = view.seat
    if view.extra_round and not view.contenders >> seat & 1:
        return 0.0
    if view.rounds_to_go == 0:
        return _share_on_top(view, points)
    chance = 0.0
    own = view.scores[seat] + points[seat]
    for place in range(worth.count[0]):
        if worth.chance[place] > 0.0:
            wins = worth.chance[place]
            for other in range(view.players):
                if other != seat:
                    wins *= _at_most(worth, place + own - view.scores[other] - points[other])
            chance += wins
    return chance


@jit
def _at_most(worth: Any, place: int) -> float:
    """Return the chance that another seat stays behind one that it would catch with so many places."""
    if place < 0:
        return 0.0
    return worth.below[place] if place < worth.count[0] else 1.0


@jit
def _share_on_top(view: Any, points: Any) -> float:
    """Return the asker's share of the match when this round is the last."""
    own = view.scores[view.seat] + points[view.seat]
    tied = 1
    for other in range(view.players):
        if other != view.seat and not (view.extra_round and not view.contenders >> other & 1):
            total = view.scores[other] + points[other]
            if total > own:
                return 0.0
            tied += total == own
    return 1.0 / tied
