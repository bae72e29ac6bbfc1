"""What a round of a real table scores: as the engine scores it, and with what a revoke costs (B12, V14)."""

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from ohpshaw_sim.kernels.scoring import add_bonus, round_score
from ohpshaw_sim.rules import ROUND_BONUS, SCORINGS, Rules

_RULE_OF_SCORING: Final = dict(zip(SCORINGS, ("B13", "V11", "V15", "V16"), strict=True))


def round_scores(
    rules: Rules,
    hand_size: int,
    bids: Sequence[int],
    tricks: Sequence[int],
    revoked: Collection[int] = (),
) -> list[int]:
    """Return the points of a round by seat (B13, V11 to V16).

    A seat of `revoked`, whose revoke was caught later, scores 0 even if its bid was hit, less `revoke_penalty`; the
    bonus for the highest score of the round (V13) goes by what is left (B12, V14).

    >>> round_scores(Rules(revoke_penalty=10, round_winner_bonus=True), 3, [3, 0, 0], [3, 0, 0], revoked=[0])
    [-10, 20, 20]
    """
    scoring, zero_bid = SCORINGS.index(rules.scoring), int(rules.zero_bid == "hand-size")
    pairs = zip(bids, tricks, strict=True)
    points = np.array([round_score(scoring, zero_bid, hand_size, *pair) for pair in pairs], np.int64)
    for seat in revoked:
        points[seat] = -rules.revoke_penalty
    if rules.round_winner_bonus:
        add_bonus(points, len(points))
    return [int(value) for value in points]


def rule_of_points(rules: Rules, bid: int, tricks: int, error: int, revoked: bool) -> str:
    """Return the id of the rule that a wrong score goes against; `error` = the points it is off by."""
    if revoked:
        return "V14" if rules.revoke_penalty and abs(error) == rules.revoke_penalty else "B12"
    if rules.round_winner_bonus and abs(error) == ROUND_BONUS:
        return "V13"
    if bid == tricks == 0 and rules.zero_bid == "hand-size":
        return "V12"
    return _RULE_OF_SCORING[rules.scoring]
