"""What a round of a real table scores: as the engine scores it, and with what a revoke costs (B12, V14)."""

from collections.abc import Collection, Sequence

import numpy as np

from ohpshaw_sim.engine.options import lay_rules, round_points
from ohpshaw_sim.engine.state import GAME, records
from ohpshaw_sim.kernels.scoring import add_bonus
from ohpshaw_sim.rules import Rules


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
    game = records(GAME, 1)[0]
    lay_rules(game, rules, 1)
    game.round_winner_bonus = False
    points = np.array(round_points(game, hand_size, bids, tricks), np.int64)
    for seat in revoked:
        points[seat] = -rules.revoke_penalty
    if rules.round_winner_bonus:
        add_bonus(points, len(points))
    return [int(value) for value in points]
