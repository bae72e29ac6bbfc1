"""Figures of whole matches beside those of rounds: wins, mean place, points a match."""

from typing import Any, Final

import pandas as pd

from ohpshaw_sim.analysis.estimates import Cells, cells_of, point_range, points, share
from ohpshaw_sim.analysis.run import Run
from ohpshaw_sim.analysis.statistics import RatioSums, mean_interval, ratio
from ohpshaw_sim.engine.tally_schema import MOMENTS, WIN_UNIT

_HALVES: Final = 2
"""Places are stored in halves."""


def matches(run: Run) -> pd.DataFrame:
    """Tell how the entrants do over whole matches: one row per entrant and number of players, best place first.

    Columns: `agent`, `players`, `sets`, `matches` (per seat held); with intervals `win_share` (ties split, as in the
    standings), `mean_place` (1 is best; seats that tie share the mean of their places, so that a table's mean is
    (players + 1) / 2) and `points_per_match`. Tie-break rounds decide places and count for nothing else. Of runs of
    schemas 1 and 2 there are no places.
    """
    keys = ["players", "entrant"]
    sums: list[Any] = run.totals.groupby(keys)[["n", *MOMENTS]].sum().reset_index().to_dict("records")
    frame = pd.DataFrame([_row(run, row) for row in sums])
    order = ["players", "mean_place", "win_share"]
    return frame.sort_values(order, ascending=[True, True, False], kind="stable", ignore_index=True)


def _row(run: Run, row: dict[str, Any]) -> dict[str, Any]:
    players, entrant = row["players"], row["entrant"]
    schedule = run.schedule(players)
    rounds = len(schedule)
    low, high = point_range(run.rules, schedule)
    return (
        {"agent": run.entrants[entrant], "players": players, "sets": row["n"]}
        | {"matches": row["rounds"] // rounds}
        | share(row, "win_share", of={"wins": rounds}, per={"rounds": WIN_UNIT})
        | _mean_place(run, players, entrant)
        | points(row, "points_per_match", (low * rounds, high * rounds), of={"points": rounds})
    )


def _mean_place(run: Run, players: int, entrant: int) -> Cells:
    """Estimate the mean place: a ratio over sets of places to matches, both per seat held."""
    rows = run.matches[(run.matches["players"] == players) & (run.matches["entrant"] == entrant)]
    y = x = yy = xy = xx = 0
    for _, group in rows.groupby("lineup"):
        played = _HALVES * players * run.lineup(players, int(group["lineup"].iloc[0])).seats(entrant)
        sets, places, squares = (int(group[name].sum()) for name in ("n", "places", "places_sq"))
        y, x, yy = y + places, x + sets * played, yy + squares
        xy, xx = xy + places * played, xx + sets * played**2
    estimate = ratio(RatioSums(y, x, yy, xy, xx))
    return cells_of("mean_place", estimate.value, mean_interval(estimate, 1, players))
