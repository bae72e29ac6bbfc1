"""Points of a round."""

from typing import Any, Final

from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.rules import HIT_BONUS, ROUND_BONUS, SCORINGS, WIZARD_HIT, WIZARD_STEP, ZERO_BONUS

EXACT, SOFT, WIZARD, PENALTY = range(len(SCORINGS))
NO_POINTS: Final = -1_000_000
"""Less than any round can cost."""


@jit
def round_score(scoring: int, zero_bid: int, hand_size: int, bid: int, tricks: int) -> int:
    """Return the points of one seat for one round, without the bonus for the round's winner.

    scoring    EXACT: 10 + bid if hit, else 0 (B13). SOFT: 10 + tricks, else tricks (V11). WIZARD: 20 + 10 a trick, else
               -10 per trick over or under (V15). PENALTY: 10 + bid, else minus the difference (V16)
    zero_bid   1 = a zero bid made scores 5 + hand size instead (V12)
    """
    if scoring == EXACT and not zero_bid:  # the base game, without a branch on who hits
        return HIT_BONUS + bid if bid == tricks else 0
    if bid == tricks:
        if zero_bid and bid == 0:
            return ZERO_BONUS + hand_size
        return WIZARD_HIT + WIZARD_STEP * bid if scoring == WIZARD else HIT_BONUS + bid
    if scoring == EXACT:
        return 0
    if scoring == SOFT:
        return tricks
    return -abs(bid - tricks) * (WIZARD_STEP if scoring == WIZARD else 1)


@jit
def strike(points: Any, forfeits: int, players: int) -> None:
    """Set the points (an array by seat) of the seats that have forfeited the round, bits of `forfeits`, to 0."""
    for seat in range(players):
        if forfeits >> seat & 1:
            points[seat] = 0


@jit
def add_bonus(points: Any, players: int) -> None:
    """Add 10 to the highest points (an array by seat) of a round, for each seat that has them, if above 0 (V13)."""
    best = 0
    for seat in range(players):
        best = max(best, points[seat])
    for seat in range(players):
        if best > 0 and points[seat] == best:
            points[seat] += ROUND_BONUS
