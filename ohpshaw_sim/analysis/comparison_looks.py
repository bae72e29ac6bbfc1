"""A comparison look by look: how its interval closed in on the difference."""

from typing import Any

import pandas as pd

from ohpshaw_sim.analysis.comparison import rule_of, track_of
from ohpshaw_sim.analysis.convergence import looks
from ohpshaw_sim.analysis.run import Run
from ohpshaw_sim.analysis.statistics import paired_difference
from ohpshaw_sim.errors import MalformedError


def comparison_looks(run: Run) -> pd.DataFrame:
    """Tell what a comparison had come to after its first blocks, then after more and more of them.

    Columns: `sets`, `difference` (points per round, first agent less second), `low` and `high` of the interval that
    holds at every look, `plain_low` and `plain_high` of the plain 95 % interval, which does not. Up to
    `convergence.POINTS` rows, the last over all blocks. Raises MalformedError for a run that is no comparison.
    """
    rule = rule_of(run.manifest)
    if rule is None:
        raise MalformedError(f"{run.folder} holds no comparison; `ohpshaw compare` plays one")
    track = track_of(run, rule)
    unit, widest = track.measure.unit, track.measure.widest
    rows: list[dict[str, Any]] = []
    for block in (looks(len(track)) - 1).tolist():
        sets, total, squares = (int(sums[block]) for sums in (track.sets, track.totals, track.squares))
        plain = paired_difference(sets, total, squares, unit=unit, widest=widest)
        low, high = track.interval(rule.alpha, block)
        ends = {"low": low, "high": high, "plain_low": plain.low, "plain_high": plain.high}
        rows.append({"sets": sets, "difference": plain.value, **ends})
    return pd.DataFrame(rows)
