"""How the estimates settled: points per round after ever more blocks, in the order of the schedule."""

from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ohpshaw_sim.analysis.estimates import point_range
from ohpshaw_sim.analysis.parts import find_parts, iterate_blocks
from ohpshaw_sim.analysis.run import Run
from ohpshaw_sim.analysis.statistics import RatioSums, mean_interval, ratio

POINTS: Final = 40
"""Looks at a long run. They lie evenly on a logarithmic scale, since intervals narrow with the root of the sets."""


def convergence(run: Run) -> pd.DataFrame:
    """Estimate points per round from the first blocks of a run, then from more and more of them.

    Columns: `players`, `agent`, `sets` in which it has sat so far, `points_per_round`, `low` and `high` of its
    plain 95 % interval. Up to `POINTS` rows per number of players and agent, the last over all blocks; an agent
    has none before its first set and none where it has sat in no further one. Sorted by players, entrant, sets.
    Each row depends on the blocks alone, not on how the run was cut, and its interval holds for one look. Memory
    does not grow with the run.
    """
    players = sorted({lineup.players for lineup in run.lineups})
    rows: list[dict[str, Any]] = []
    for count, by_entrant in zip(players, _prefix_sums(run, players), strict=True):
        ends = point_range(run.rules, run.schedule(count))
        for agent, sums in zip(run.entrants, by_entrant.tolist(), strict=True):
            seen = 0
            for n, *moments in sums:
                if n > seen:
                    seen = n
                    found = ratio(RatioSums(*moments))
                    low, high = mean_interval(found, *ends)
                    rows.append({"players": count, "agent": agent, "sets": n, "points_per_round": found.value,
                                 "low": low, "high": high})  # fmt: skip
    return pd.DataFrame(rows, columns=["players", "agent", "sets", "points_per_round", "low", "high"])


def _prefix_sums(run: Run, players: list[int]) -> NDArray[np.int64]:
    """Return sums over all blocks up to each look: [players, entrants, looks, n and the fields of RatioSums].

    The ratio is points to seat-rounds. An entrant plays as many rounds in every set of a block, so the sums of
    products with them follow from the sums of points.
    """
    blocks = find_parts(run.folder)[-1].end
    # Blocks go through the numbers of players in turn, and each turn counts whole.
    lasts = looks(-(-blocks // len(players))) * len(players) - 1
    sums = np.zeros((len(players), len(run.entrants), len(lasts), 6), dtype=np.int64)
    for piece in iterate_blocks(run.folder, sums=("n", "rounds", "points", "points_x_points")):
        block, count, _, entrant, n, x, y, yy = (column.to_numpy() for column in piece.columns)
        per_set = x // n
        where = np.searchsorted(players, count), entrant, np.searchsorted(lasts, block)
        np.add.at(sums, where, np.stack([n, y, x, yy, per_set * y, per_set * x], axis=1))
    return sums.cumsum(axis=2)


def looks(turns: int) -> NDArray[np.int64]:
    """Return after how many of so many turns (>= 1) to look: whole, rising, at most `POINTS`, the last is `turns`.

    >>> looks(5).tolist()
    [1, 2, 3, 4, 5]
    """
    spaced = np.geomspace(1, turns, POINTS) if turns > POINTS else np.arange(1, turns + 1)
    return np.unique(np.rint(spaced).astype(np.int64))
