"""An agent's mean corrected for the luck of the deals.

Luck is a control variate (Lavenberg & Welch, Management Science 27, 1981): in a set with luck l, whose expectation is
known exactly (`engine.luck`), an entrant's points y are replaced by

    y - b (l - E l) P,          P seats x points a seat,

which has the same mean whatever b is, as long as b does not come from the same sets. So sets are kept apart in slices,
and the b of a slice comes from the other slices: that of least squares there, or 0 where these do not show that luck
matters (a correlation of less than twice its standard error). So the corrected mean is unbiased.

Luck is a set's, not an agent's: all entrants hold the same cards, once for each seat they hold. In a paired difference
it cancels by design, and there is nothing to correct.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from ohpshaw_sim.analysis.estimates import Cells, cells_of, point_range
from ohpshaw_sim.analysis.moments import ratio_sums
from ohpshaw_sim.analysis.run import Run
from ohpshaw_sim.analysis.statistics import NAN, NO_INTERVAL, Ratio, mean_interval, ratio
from ohpshaw_sim.engine.luck import UNIT, counts_luck, expected_luck

NAME: Final = "points_per_round_corrected"
_CLEAR: Final = 4.0
"""Square of how many standard errors a correlation must be worth."""


class Plain(NamedTuple):
    """Sums over the sets of a slice, float64 [line-ups]: sets, points, luck and their products; seat-rounds a set."""

    n: Any
    y: Any
    yy: Any
    luck: Any
    luck_sq: Any
    y_luck: Any
    rounds: Any

    def residuals(self, slope: float, mean: float) -> float:
        """Return the sum of squares of points - slope * luck - mean * rounds."""
        level = mean * self.rounds
        squares = self.yy + slope**2 * self.luck_sq + level**2 * self.n
        return float((squares - 2 * (slope * self.y_luck + level * (self.y - slope * self.luck))).sum())


def corrected_points(run: Run, row: Mapping[str, Any]) -> Cells:
    """Return the cells of an entrant's corrected points per round; NaN where it is not narrower."""
    found = narrower_mean(run, row)
    if found is None:
        return cells_of(NAME, NAN, NO_INTERVAL)
    ends = point_range(run.rules, run.schedule(row["players"]))
    return cells_of(NAME, found.value, mean_interval(found, *ends))


def narrower_mean(run: Run, row: Mapping[str, Any]) -> Ratio | None:
    """Return an entrant's corrected mean if its variance is less than the plain one's, else None."""
    plain = ratio(ratio_sums(row, {"points": 1}, {"rounds": 1}))
    found = corrected_mean(run, row["players"], row["entrant"])
    return found if found is not None and found.variance < plain.variance else None


def corrected_mean(run: Run, players: int, entrant: int) -> Ratio | None:
    """Return an entrant's points per seat-round corrected for luck, over its sets; None where it is not counted.

    So it is for Wizard packs and given deals, in runs of schemas 1 and 2, with fewer than two slices, and where no
    slice shows that luck matters.
    """
    if not counts_luck(run.rules, given=bool(run.manifest.get("deals"))):
        return None
    slices = _slices(run, players, entrant)
    if len(slices) < 2:
        return None
    slopes = [_slope(slices[:at] + slices[at + 1 :]) for at in range(len(slices))]
    if not any(slopes):
        return None
    seat_rounds = sum(float((one.n * one.rounds).sum()) for one in slices)
    points = sum(float((one.y - slope * one.luck).sum()) for one, slope in zip(slices, slopes, strict=True))
    mean = points / seat_rounds
    squares = sum(one.residuals(slope, mean) for one, slope in zip(slices, slopes, strict=True))
    weight = sum(float((one.n * one.rounds**2).sum()) for one in slices)
    sets = seat_rounds**2 / weight
    return Ratio(mean, NAN if sets <= 1 else sets / (sets - 1) * squares / seat_rounds**2, sets)


def _slices(run: Run, players: int, entrant: int) -> list[Plain]:
    """Return an entrant's sums by slice, luck less its expectation and in points of all its seats and rotations."""
    schedule = run.schedule(players)
    expected = float(expected_luck(run.rules, schedule, players))
    rows = run.matches[(run.matches["players"] == players) & (run.matches["entrant"] == entrant)]
    seats = rows["lineup"].map(lambda number: run.lineup(players, number).seats(entrant))
    names = ["n", "points", "points_x_points", "luck", "luck_sq", "points_x_luck"]
    n, y, yy, luck, luck_sq, y_luck = rows[names].to_numpy(np.float64).T
    centre, scale = expected * seats.to_numpy(np.float64), players / UNIT
    sums = Plain(
        n,
        y,
        yy,
        (luck - n * centre) * scale,
        (luck_sq - 2 * centre * luck + n * centre**2) * scale**2,
        (y_luck - centre * y) * scale,
        seats.to_numpy(np.float64) * players * len(schedule),
    )
    of_slice = rows["slice"].to_numpy()
    return [Plain(*(column[of_slice == number] for column in sums)) for number in np.unique(of_slice)]


def _slope(slices: list[Plain]) -> float:
    """Return the slope of points over luck in some slices, 0 where it is not clear."""
    sums = Plain(*(np.concatenate(column) for column in zip(*slices, strict=True)))
    mean = sums.y.sum() / (sums.n * sums.rounds).sum()
    together = float((sums.y_luck - mean * sums.rounds * sums.luck).sum())
    spread, squares = float(sums.luck_sq.sum()), sums.residuals(0.0, mean)
    clear = together**2 * float(sums.n.sum()) > _CLEAR * spread * squares
    return together / spread if clear else 0.0
