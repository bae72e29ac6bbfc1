"""What the design of a run bought, estimand by estimand: variances of estimates, divided by one another.

A set replays the same deals under every rotation of the seats. Against as many rounds with deals and seats of their
own, over the same hand sizes and positions, that can help (good and bad hands even out) or not (the same cards, seen P
times, tell less than P deals). Factors, each a variance over a smaller one when it is above 1:

    rotation    of the mean of independent rounds (`round_variance`) / of the mean over sets
    pairing     of two means over sets, added up (as if they were independent) / of their paired difference
    luck        of the mean over sets / of the mean corrected for luck (`corrected`); 1 where it would not be narrower,
                or where luck cancels, as in a difference
    in_all      their product. A run's seat-rounds times `in_all` is what they are worth in independent seat-rounds

A variance from n sets is itself an estimate. Intervals take the sets' sums as normal. Then a variance over n sets,
times (n - 1) / its expectation, is a chi-square variable of n - 1 degrees of freedom. For the sum S and the difference
D of two agents' means the factor of pairing is (1 + var S / var D) / 2, and var S / var D is an F variable of n - 1 and
n - 1 degrees of freedom times its expectation where both vary alike (Pitman, Biometrika 31, 1939; Morgan, ibid.). The
factor of luck is 1 / (1 - r^2), r being a correlation: Fisher's z (Fisher, Metron 1, 1921). These intervals are
approximate, and wide enough to warn of factors from few sets.
"""

from math import atanh, tanh
from typing import Any, Final, NamedTuple

import pandas as pd
from scipy.special import fdtri, gammaincinv, ndtri

from ohpshaw_sim.analysis.corrected import narrower_mean
from ohpshaw_sim.analysis.moments import ratio_sums
from ohpshaw_sim.analysis.pairwise import difference_of
from ohpshaw_sim.analysis.round_variance import round_variance
from ohpshaw_sim.analysis.run import Run
from ohpshaw_sim.analysis.statistics import CONFIDENCE, NAN, NO_INTERVAL, Interval, ratio
from ohpshaw_sim.engine.tally_schema import MOMENTS

FACTORS: Final = ("rotation", "pairing", "luck", "in_all")
_LOW, _HIGH = (1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2


Alone = dict[int, float]
"""By entrant: the variance of a single seat-round (`round_variance`)."""


class Factor(NamedTuple):
    """A ratio of variances and its interval."""

    value: float
    interval: Interval


NONE: Final = Factor(1.0, NO_INTERVAL)
"""A factor that does not apply."""


def efficiency(run: Run) -> pd.DataFrame:
    """Tell what rotation, pairing and the luck correction bought, per estimand.

    Columns: `players`, `estimand` (`mean`: an agent's points per round; `difference`: of two agents that met, or of the
    arms of a comparison), `agent`, `other` (empty for a mean), `sets`; then `rotation`, `pairing`, `luck` and `in_all`
    with intervals (formulas: see the module), 1 without interval where a factor does not apply; and `rounds` (the
    seat-rounds behind the estimate) with `independent_rounds`, what they are worth. Empty where it is not defined: with
    fewer than two sets, and all but pairing and luck where counts do not tell the points (`round_variance`).
    """
    rows: list[dict[str, Any]] = []
    for players, sums in run.totals.groupby("players"):
        alone = {
            entrant: round_variance(run, int(sums["players"].iloc[0]), entrant)
            for entrant in sums["entrant"].unique().tolist()
        }
        rows += [
            *_means(run, sums, alone),
            *_differences(run, run.pairs[run.pairs["players"] == players], alone),
        ]
    return pd.DataFrame(rows)


def _means(run: Run, sums: pd.DataFrame, alone: Alone) -> list[dict[str, Any]]:
    keys = ["players", "entrant"]
    rows: list[Any] = sums.groupby(keys)[["n", *MOMENTS]].sum().reset_index().to_dict("records")
    return [_mean(run, row, alone[row["entrant"]] / row["rounds"]) for row in rows]


def _mean(run: Run, row: dict[str, Any], alone: float) -> dict[str, Any]:
    plain = ratio(ratio_sums(row, {"points": 1}, {"rounds": 1}))
    corrected = narrower_mean(run, row)
    luck = _luck_factor(plain.variance, corrected.variance, plain.sets) if corrected else NONE
    best = corrected.variance if corrected else plain.variance
    factors = (
        _variance_factor(alone, plain.variance, plain.sets),
        NONE,
        luck,
        _variance_factor(alone, best, plain.sets),
    )
    return _row(run, row["players"], (row["entrant"], None), (row["n"], row["rounds"]), factors)


def _differences(run: Run, pairs: pd.DataFrame, alone: Alone) -> list[dict[str, Any]]:
    return [_difference(run, group, alone) for _, group in pairs.groupby(["entrant", "other"])]


def _difference(run: Run, group: pd.DataFrame, by_entrant: Alone) -> dict[str, Any]:
    """Return the row of a pair; `group` holds its sums by line-up."""
    players, entrant, other = (int(group[name].iloc[0]) for name in ("players", "entrant", "other"))
    sets = int(group["n"].sum())
    halves = [_of_sets(run, players, one, group["lineup"].tolist()) for one in (entrant, other)]
    apart = sum(half.variance for half in halves)
    alone = sum(by_entrant[one] / half.rounds for one, half in zip((entrant, other), halves, strict=True))
    paired = difference_of(run, players, entrant, other, group).variance
    factors = (
        _variance_factor(alone, apart, sets),
        _pairing_factor(apart, paired, sets),
        NONE,
        _variance_factor(alone, paired, sets),
    )
    rounds = sum(half.rounds for half in halves)
    return _row(run, players, (entrant, other), (sets, rounds), factors)


class _Half(NamedTuple):
    """One agent of a pair: the variance of its mean over the pair's sets, each weighing the same; its seat-rounds."""

    variance: float
    rounds: int


def _of_sets(run: Run, players: int, entrant: int, lineups: list[int]) -> _Half:
    """Work out one agent's mean over the sets of some line-ups; in a comparison, over those of its own arm."""
    rows = run.totals[(run.totals["players"] == players) & (run.totals["entrant"] == entrant)]
    here = rows[rows["lineup"].isin(lineups)]
    rows = rows if here.empty else here
    each = players * len(run.schedule(players))
    weights = [1 / (run.lineup(players, number).seats(entrant) * each) for number in rows["lineup"]]
    points = zip(weights, rows["points"].tolist(), rows["points_x_points"].tolist(), strict=True)
    scaled = [(weight * total, weight**2 * squares) for weight, total, squares in points]
    sets, total, squares = int(rows["n"].sum()), sum(one for one, _ in scaled), sum(two for _, two in scaled)
    variance = NAN if sets < 2 else (squares / sets - (total / sets) ** 2) / (sets - 1)
    return _Half(variance, int(rows["rounds"].sum()))


def _variance_factor(known: float, estimated: float, sets: float) -> Factor:
    """Return known / estimated, the latter from so many sets (chi-square)."""
    if not estimated > 0 or not sets > 1:
        return Factor(NAN, NO_INTERVAL)
    value = known / estimated
    low, high = (value * 2 * float(gammaincinv((sets - 1) / 2, tail)) / (sets - 1) for tail in (_LOW, _HIGH))
    return Factor(value, Interval(low, high))


def _pairing_factor(apart: float, paired: float, sets: int) -> Factor:
    """Return the variances apart over that of the paired difference (F, see the module)."""
    if not paired > 0 or not sets > 1:
        return Factor(NAN, NO_INTERVAL)
    value = apart / paired
    sum_to_difference = 2 * value - 1
    low, high = (
        (1 + sum_to_difference / float(fdtri(sets - 1, sets - 1, tail))) / 2 for tail in (_HIGH, _LOW)
    )
    return Factor(value, Interval(low, high))


def _luck_factor(plain: float, corrected: float, sets: float) -> Factor:
    """Return the plain variance over the corrected one (Fisher's z, see the module)."""
    value = plain / corrected
    if not sets > 3:
        return Factor(value, NO_INTERVAL)
    z, margin = atanh((1 - 1 / value) ** 0.5), float(ndtri(_HIGH)) / (sets - 3) ** 0.5
    low, high = (1 / (1 - tanh(max(end, 0.0)) ** 2) for end in (z - margin, z + margin))
    return Factor(value, Interval(low, high))


def _row(
    run: Run, players: int, who: tuple[int, int | None], size: tuple[int, int], factors: tuple[Factor, ...]
) -> dict[str, Any]:
    """Return a row of the table."""
    entrant, other = who
    sets, rounds = size
    row: dict[str, Any] = {
        "players": players,
        "estimand": "mean" if other is None else "difference",
        "agent": run.entrants[entrant],
        "other": NAN if other is None else run.entrants[other],
        "sets": sets,
    }
    for name, (value, interval) in zip(FACTORS, factors, strict=True):
        row |= {name: value, f"{name}_low": interval.low, f"{name}_high": interval.high}
    return row | {"rounds": rounds, "independent_rounds": rounds * factors[-1].value}
