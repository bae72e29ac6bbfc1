"""How much the points of single rounds vary, and what independent rounds would therefore have told.

What happened is counted by hand size, bidding position, bid and tricks, and those decide a seat's points: so the
variance within a hand size and position is exact. A sample of N independent rounds that has every hand size and
position as often as the schedule, N_hp times, has a mean of variance

    sum over h, p of N_hp s_hp^2 / N^2,         s_hp^2 the variance within, with divisor N_hp - 1

(a stratified sample: Cochran, Sampling Techniques, 3rd ed. 1977, 5.3). The bonus for the best of a round (V13) depends
on the other seats and is not counted: under it there is no such variance. Rounds that were forfeited are left out.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.analysis.run import Run
from ohpshaw_sim.analysis.statistics import NAN
from ohpshaw_sim.kernels.scoring import round_score
from ohpshaw_sim.rules import SCORINGS

_points: Final = getattr(round_score, "py_func", round_score)
"""The scoring as plain Python: a few hundred calls are not worth waking the compiler for."""


def round_variance(run: Run, players: int, entrant: int) -> float:
    """Return the variance of a seat-round's points within hand sizes and positions, as the schedule weighs these.

    Divided by a number of independent seat-rounds it is the variance of their mean. NaN where the counts do not tell
    the points, under V13 and where rounds were forfeited, or where some hand size and position was played once only.
    """
    rows = run.counts[(run.counts["players"] == players) & (run.counts["entrant"] == entrant)]
    if run.rules.round_winner_bonus or rows.empty:
        return NAN
    scoring, zero_bid = SCORINGS.index(run.rules.scoring), int(run.rules.zero_bid == "hand-size")
    cells = rows[["hand_size", "bid", "tricks"]].to_numpy()
    points = np.array([_points(scoring, zero_bid, *cell) for cell in cells.tolist()], np.float64)
    often = rows["n"].to_numpy(np.float64)
    _, stratum = np.unique(rows[["hand_size", "position"]].to_numpy(), axis=0, return_inverse=True)

    def sums(values: Any) -> Any:
        return np.bincount(stratum.reshape(-1), values)

    count = sums(often)
    totals = run.totals[(run.totals["players"] == players) & (run.totals["entrant"] == entrant)]
    if count.min() <= 1 or (often * points).sum() != totals["points"].sum():
        return NAN
    mean = sums(often * points) / count
    squares = sums(often * (points - mean[stratum.reshape(-1)]) ** 2)
    return float((count * squares / (count - 1)).sum() / count.sum())
