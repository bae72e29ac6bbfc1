"""How the estimates settled: points per round after ever more blocks, in the order of the schedule."""

from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ohpshaw_sim.analysis.estimates import point_range
from ohpshaw_sim.analysis.parts import read_blocks
from ohpshaw_sim.analysis.run import Run
from ohpshaw_sim.analysis.statistics import RatioSums, mean_interval, ratio

POINTS: Final = 40
"""Looks at a long run. They lie evenly on a logarithmic scale, since intervals narrow with the root of the sets."""
_SUMS: Final = ("n", "rounds", "points", "points_x_points", "rounds_x_points", "rounds_x_rounds")


def convergence(run: Run) -> pd.DataFrame:
    """Estimate points per round from the first blocks of a run, then from more and more of them.

    Columns: `players`, `agent`, `sets` in which it has sat so far, `points_per_round`, `low` and `high` of its
    plain 95 % interval. Up to `POINTS` rows per number of players and agent, the last over all blocks; an agent
    has none before its first set and none where it has sat in no further one. Sorted by players, entrant, sets.
    Each row depends on the blocks alone, not on how the run was cut, and its interval holds for one look.
    """
    rows: list[dict[str, Any]] = []
    for (players, entrant), sums in _prefix_sums(read_blocks(run.folder)).groupby(["players", "entrant"]):
        ends = point_range(run.rules, run.schedule(int(players)))
        seen = 0
        for look in sums.to_dict("records"):
            if look["n"] > seen:
                seen = look["n"]
                rows.append({"players": players, "agent": run.entrants[entrant], **_estimate(look, ends)})
    return pd.DataFrame(rows, columns=["players", "agent", "sets", "points_per_round", "low", "high"])


def _estimate(look: dict[str, Any], ends: tuple[float, float]) -> dict[str, Any]:
    y, x = look["points"], look["rounds"]
    found = ratio(RatioSums(y, x, look["points_x_points"], look["rounds_x_points"], look["rounds_x_rounds"]))
    low, high = mean_interval(found, *ends)
    return {"sets": look["n"], "points_per_round": found.value, "low": low, "high": high}


def _prefix_sums(blocks: pd.DataFrame) -> pd.DataFrame:
    """Return by players, entrant and look the sums over all blocks up to that look."""
    turn = blocks["players"].nunique()  # blocks go through the numbers of players in turn
    lasts = looks(-(-(int(blocks["block"].max()) + 1) // turn)) * turn - 1
    per_set = blocks["rounds"] // blocks["n"]  # an entrant plays as many rounds in every set of a block
    added = blocks.assign(
        look=np.searchsorted(lasts, blocks["block"].to_numpy()),
        rounds_x_points=per_set * blocks["points"],
        rounds_x_rounds=per_set * blocks["rounds"],
    )
    keys = ["players", "entrant"]
    sums = added.groupby([*keys, "look"])[list(_SUMS)].sum()
    return sums.groupby(keys).cumsum().reset_index()


def looks(turns: int) -> NDArray[np.int64]:
    """Return after how many of so many turns (>= 1) to look: whole, rising, at most `POINTS`, the last is `turns`.

    >>> looks(5).tolist()
    [1, 2, 3, 4, 5]
    """
    spaced = np.geomspace(1, turns, POINTS) if turns > POINTS else np.arange(1, turns + 1)
    return np.unique(np.rint(spaced).astype(np.int64))
