"""A comparison read back from its run folder: what is decided, by how much the agents differ, and what that took."""

from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from ohpshaw_sim.analysis.decisions import (
    Decision,
    Rule,
    decision_after,
    first_decided,
    make_rule,
    measure_of,
    within_margin,
)
from ohpshaw_sim.analysis.parts import read_blocks
from ohpshaw_sim.analysis.power import fixed_sets, fixed_sets_within
from ohpshaw_sim.analysis.run import Run
from ohpshaw_sim.analysis.sequences import Track
from ohpshaw_sim.analysis.statistics import paired_difference
from ohpshaw_sim.errors import MalformedError

POWER: Final = 0.8
"""Power of the test of a fixed size that a comparison is measured by."""


def rule_of(manifest: dict[str, Any]) -> Rule | None:
    """Return the rule of a comparison; None for a run that is none. Raises MalformedError for one that is no rule."""
    given = manifest.get("comparison")
    return None if given is None else make_rule(**given)


def track_of(run: Run, rule: Rule) -> Track:
    """Return the differences of a comparison, block by block, up to the one that decides.

    In a run that is under way, or was killed, there may be blocks beyond that one, and some missing: what is played
    without a gap from the first block on is what counts.
    """
    rows = read_blocks(run.folder, "block_pair")
    rows = rows[(rows["entrant"] == 0) & (rows["other"] == 1)]
    rows = rows[rows["block"].to_numpy() == np.arange(len(rows))]
    players = run.lineups[0].players
    measure = measure_of(run.rules, players, run.schedule(players), exact=rule.exact)
    n, totals, squares = (rows[name].to_numpy() for name in ("n", "difference", "difference_sq"))
    track = Track.empty(measure).after(n, totals, squares)
    return track.until(first_decided(track, rule))


class Comparison(NamedTuple):
    """What a comparison has come to. Differences are in points per round, agent less other, in the same seats on the
    same cards."""

    agent: str
    other: str
    players: int
    sets: int
    decision: Decision
    difference: float
    low: float
    high: float
    """`low` and `high` hold although the run stopped on what it showed: all intervals of a run hold at once in
    1 - `alpha` of runs."""
    plain_low: float
    plain_high: float
    """The plain 95 % interval, for a run whose number of sets was fixed beforehand; NaN for a single set."""
    alpha: float
    margin: float | None
    within_margin: bool | None
    """Whether the difference is known to lie inside the margin; None without one."""
    fixed_sets: int | None
    """After how many sets a t test of a size fixed beforehand finds the difference as estimated with a power of
    `POWER`; for `equivalent`: finds it inside the margin if there is none. None where no number helps."""


def compared(run: Run) -> Comparison:
    """Return what a comparison has come to. Raises MalformedError for a run that is none, or holds no first block."""
    found = _compared(run)
    if found is None:
        raise MalformedError(f"the first block of {run.folder} is not played yet")
    return found


def comparison(run: Run) -> pd.DataFrame:
    """Tell what a comparison has come to: one row, its columns the fields of `Comparison`; none before its first block.

    Raises MalformedError for a run that is no comparison.
    """
    found = _compared(run)
    frame = pd.DataFrame([] if found is None else [found._asdict()], columns=list(Comparison._fields))
    kinds = {"decision": "str", "margin": "float64", "within_margin": "boolean", "fixed_sets": "Int64"}
    return frame.astype(kinds)


def _compared(run: Run) -> Comparison | None:
    rule = rule_of(run.manifest)
    if rule is None:
        raise MalformedError(f"{run.folder} holds no comparison; `ohpshaw compare` plays one")
    track = track_of(run, rule)
    if not len(track):
        return None
    sets, total, squares = (int(values[-1]) for values in (track.sets, track.totals, track.squares))
    unit, widest = track.measure.unit, track.measure.widest
    plain = paired_difference(sets, total, squares, unit=unit, widest=widest)
    decision = decision_after(track, rule)
    return Comparison(
        run.entrants[0],
        run.entrants[1],
        run.lineups[0].players,
        sets,
        decision,
        plain.value,
        *track.interval(rule.alpha),
        plain.low,
        plain.high,
        rule.alpha,
        rule.margin,
        within_margin(track, rule),
        _fixed(track, rule, decision),
    )


def deviation(track: Track) -> float:
    """Return the standard deviation of the sets' differences, in points per round; NaN for a single set."""
    sets, total, squares = (int(values[-1]) for values in (track.sets, track.totals, track.squares))
    if sets < 2:
        return float("nan")
    return float((max(sets * squares - total * total, 0) / (sets * (sets - 1))) ** 0.5 * track.measure.unit)


def _fixed(track: Track, rule: Rule, decision: Decision) -> int | None:
    sd = deviation(track)
    if not sd > 0:
        return None
    if decision is Decision.EQUIVALENT and rule.margin is not None:
        return fixed_sets_within(rule.margin, sd, rule.alpha, POWER)
    return fixed_sets(track.mean(), sd, rule.alpha, POWER)
