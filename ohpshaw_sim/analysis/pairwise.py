"""Paired differences: two entrants compared over the sets in which both sat, on the same cards."""

from math import lcm
from typing import Any

import pandas as pd

from ohpshaw_sim.analysis.estimates import point_range
from ohpshaw_sim.analysis.run import Run
from ohpshaw_sim.analysis.statistics import Difference, holm, paired_difference


def pairwise(run: Run) -> pd.DataFrame:
    """Compare every two entrants that met: one row per pair and number of players.

    Columns: `agent`, `other`, `players`, `sets` in which both sat, `difference` of their points per round
    (agent less other, the mean over these sets), `low` and `high` of its plain 95 % interval, `p_holm`
    (two-sided t test, Holm-corrected over all rows of this table) and `comparisons`, how many tests that
    were. Sorted by players, then in the order of the entrants.
    """
    keys = ["players", "entrant", "other"]
    rows = [_compare(run, key, group) for key, group in run.pairs.groupby(keys, sort=True)]
    columns = ["agent", "other", "players", "sets", "difference", "low", "high", "p"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.drop(columns="p").assign(
        p_holm=holm(frame["p"].to_numpy(float)), comparisons=int(frame["p"].notna().sum())
    )


def _compare(run: Run, key: Any, group: pd.DataFrame) -> dict[str, object]:
    """Return one row of the table; `group` holds the pair's sums by line-up."""
    players, entrant, other = (int(value) for value in key)
    found = difference_of(run, players, entrant, other, group)
    return {
        "agent": run.entrants[entrant],
        "other": run.entrants[other],
        "players": players,
        "sets": int(group["n"].sum()),
        "difference": found.value,
        "low": found.low,
        "high": found.high,
        "p": found.p,
    }


def difference_of(run: Run, players: int, entrant: int, other: int, group: pd.DataFrame) -> Difference:
    """Return the difference of two entrants over the sets in which both sat; `group` holds its sums by line-up.

    The line-ups' sums are brought to points per round and added up.

    A set's difference is points a * seats b - points b * seats a; per round each seat plays, it is that over
    seats a * seats b * rounds, where rounds = players rotations * length of the schedule. The line-ups'
    divisors are brought to a common multiple, so that the sums stay exact.
    """
    schedule = run.schedule(players)
    low, high = point_range(run.rules, schedule)
    lineups = {lineup.lineup: lineup for lineup in run.lineups if lineup.players == players}
    # In a comparison the second agent sits in the other arm, where the first one sits in this: one seat each.
    held = [(max(lineups[at].seats(entrant), 1), max(lineups[at].seats(other), 1)) for at in group["lineup"]]
    common = lcm(*(a * b for a, b in held))
    weights = [common // (a * b) for a, b in held]
    sums = zip(weights, group["difference"].tolist(), group["difference_sq"].tolist(), strict=True)
    scaled = [(weight * total, weight**2 * squares) for weight, total, squares in sums]
    return paired_difference(
        int(group["n"].sum()),
        sum(total for total, _ in scaled),
        sum(squares for _, squares in scaled),
        unit=1 / (common * players * len(schedule)),
        widest=high - low,
    )
