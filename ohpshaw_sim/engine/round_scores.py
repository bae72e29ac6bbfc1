"""The points of a finished round under any rules, revokes of real tables among them (B12, B13, V11 to V16)."""

from collections.abc import Collection, Sequence

import numpy as np

from ohpshaw_sim.kernels.scoring import add_bonus, round_score
from ohpshaw_sim.rules import SCORINGS, Rules


def round_scores(
    rules: Rules,
    hand_size: int,
    bids: Sequence[int],
    tricks: Sequence[int],
    revoked: Collection[int] = (),
    forfeited: Collection[int] = (),
) -> list[int]:
    """Return the points of a round by seat (B13, V11 to V16).

    A seat of `revoked`, whose revoke was caught later, scores 0 even if its bid was hit, less `revoke_penalty`; the
    bonus for the highest score of the round (V13) goes by what is left (B12, V14). A seat of `forfeited`, whose agent
    failed, scores 0 whatever else it did.

    >>> round_scores(Rules(revoke_penalty=10, round_winner_bonus=True), 3, [3, 0, 0], [3, 0, 0], revoked=[0])
    [-10, 20, 20]
    """
    scoring, zero_bid = SCORINGS.index(rules.scoring), int(rules.zero_bid == "hand-size")
    pairs = zip(bids, tricks, strict=True)
    points = np.array([round_score(scoring, zero_bid, hand_size, *pair) for pair in pairs], np.int64)
    for seat in revoked:
        points[seat] = -rules.revoke_penalty
    for seat in forfeited:
        points[seat] = 0
    if rules.round_winner_bonus:
        add_bonus(points, len(points))
    return [int(value) for value in points]
