"""What each bidding position is worth, from seat-rounds: in points, and beyond the mean of all positions."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ohpshaw_sim.analysis.estimates import Range
from ohpshaw_sim.studies.estimates import mean_cells, share_cells


def by_position(rows: Mapping[str, Any], players: int, ends: Range) -> list[dict[str, Any]]:
    """Return a row of figures per position, 0 = eldest hand; `rows` holds seat-rounds by column of `playing.COLUMNS`.

    `effect` is what a position makes beyond the mean of all, on the same cards. A round lies between the `ends`.
    """
    low, high = ends
    found = []
    for position in range(players):
        here = rows["position"] == position
        of_set, one = rows["set"][here], np.ones(int(here.sum()), np.int64)
        beyond = rows["points"] * np.where(here, players - 1, -1)
        found.append(
            {"position": position, "rounds": int(here.sum())}
            | mean_cells("points_per_round", of_set, rows["points"][here], one, ends)
            | mean_cells("effect", rows["set"], beyond, np.ones_like(beyond), (low - high, high - low))
            | share_cells("hit_rate", of_set, (rows["bid"] == rows["tricks"])[here], one)
        )
    return found
