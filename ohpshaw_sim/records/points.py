"""Points of a round that was played at a table: the scoring in force, and what a revoke costs."""

from collections.abc import Collection, Sequence

import numpy as np

from ohpshaw_sim.kernels.scoring import add_bonus, round_score
from ohpshaw_sim.rules import ROUND_BONUS, SCORINGS, Rules

_RULE_OF_SCORING = dict(zip(SCORINGS, ("B13", "V11", "V15", "V16"), strict=True))


def table_points(
    rules: Rules, hand_size: int, bids: Sequence[int], tricks: Sequence[int], revoked: Collection[int] = ()
) -> tuple[int, ...]:
    """Return the points by seat of a finished round (B13, V11 to V16).

    A seat in `revoked`, whose revoke was found too late, scores 0 whatever it bid, less the penalty (B12, V14), and
    has no part in the bonus.
    """
    scoring, zero_bid = SCORINGS.index(rules.scoring), int(rules.zero_bid == "hand-size")
    pairs = zip(bids, tricks, strict=True)
    points = np.array([round_score(scoring, zero_bid, hand_size, *pair) for pair in pairs], np.int64)
    for seat in revoked:
        points[seat] = 0
    if rules.round_winner_bonus:
        add_bonus(points, len(points))
    for seat in revoked:
        points[seat] -= rules.revoke_penalty
    return tuple(points.tolist())


def rule_of_points(rules: Rules, bid: int, tricks: int, error: int, revoked: bool) -> str:
    """Return the id of the rule that a wrong score goes against; `error` = the points it is off by."""
    if revoked:
        return "V14" if rules.revoke_penalty and abs(error) == rules.revoke_penalty else "B12"
    if rules.round_winner_bonus and abs(error) == ROUND_BONUS:
        return "V13"
    if bid == tricks == 0 and rules.zero_bid == "hand-size":
        return "V12"
    return _RULE_OF_SCORING[rules.scoring]
