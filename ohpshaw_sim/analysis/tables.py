"""The tables of a run: tidy frames, one row per entrant, number of players and whatever the table is by.

Numbers of players are never mixed: every row speaks of one. Figures are per seat: an entrant that holds two
seats plays two rounds a deal, and its fair share of wins is 1 / players for each. `_low` and `_high` are
the ends of 95 % intervals over sets (`statistics`). Sets of different line-ups are taken together, so an
interval also covers how much line-ups differ; where entrants hold unequal numbers of seats, sets weigh by
seat-rounds.
"""

from collections.abc import Callable
from typing import Any

import pandas as pd

from ohpshaw_sim.analysis.comparison import comparison
from ohpshaw_sim.analysis.comparison_looks import comparison_looks
from ohpshaw_sim.analysis.convergence import convergence
from ohpshaw_sim.analysis.corrected import corrected_points
from ohpshaw_sim.analysis.cycles import cycles
from ohpshaw_sim.analysis.efficiency import efficiency
from ohpshaw_sim.analysis.estimates import Range, mean_bids, point_range, points, share
from ohpshaw_sim.analysis.faults import faults
from ohpshaw_sim.analysis.matches import matches
from ohpshaw_sim.analysis.pairwise import pairwise
from ohpshaw_sim.analysis.ratings import ratings
from ohpshaw_sim.analysis.run import Run
from ohpshaw_sim.engine.tally_schema import MOMENTS, WIN_UNIT

RowMaker = Callable[[dict[str, Any]], dict[str, Any]]
"""Makes a row's cells from its sums: keys, n and moments."""


def make_tables(run: Run) -> dict[str, pd.DataFrame]:
    """Make all tables of a run, by name; the functions below describe them.

    A comparison has two more, and so has a run in which agents may forfeit.
    """
    makers: tuple[Callable[[Run], pd.DataFrame], ...] = (
        standings,
        by_hand_size,
        by_position,
        bids,
        pairwise,
        zero_bids,
        matches,
        ratings,
        cycles,
        efficiency,
        *((comparison, comparison_looks) if run.manifest.get("comparison") else ()),
        convergence,
        *((faults,) if run.manifest.get("on_fault") == "forfeit" else ()),
    )
    return {maker.__name__: maker(run) for maker in makers}


def standings(run: Run) -> pd.DataFrame:
    """Rank the entrants: sorted by players, then by points per round, best first.

    Columns: `agent`, `players`, `sets`, `rounds` (seat-rounds); `points_per_round`, `win_share` (matches
    won per match and seat, ties split) and `hit_rate` with intervals; `mean_bid`, `mean_tricks`,
    `zero_bid_share` (of all bids) and `zero_bid_hit_rate` (of the zero bids; NaN without any). Then, where it
    narrows the interval, `points_per_round_corrected` for the luck of the deals (see `corrected`), else NaN.
    """

    def cells(row: dict[str, Any]) -> dict[str, Any]:
        schedule = run.schedule(row["players"])
        return (
            {"sets": row["n"], "rounds": row["rounds"]}
            | points(row, "points_per_round", point_range(run.rules, schedule), of={"points": 1})
            | share(row, "win_share", of={"wins": len(schedule)}, per={"rounds": WIN_UNIT})
            | share(row, "hit_rate", of={"hits": 1})
        )

    frame = _table(run, run.totals, [], cells)
    frame = frame.assign(zero_bid_hit_rate=_over(run.totals, [], "zero_hits", "zero_bids").to_numpy())
    frame = pd.concat(
        [frame, _rows(run, run.totals, [], lambda row: corrected_points(run, row)).iloc[:, 2:]], axis=1
    )
    return frame.sort_values(
        ["players", "points_per_round"], ascending=[True, False], kind="stable", ignore_index=True
    )


def by_hand_size(run: Run) -> pd.DataFrame:
    """Tell the entrants' performance by hand size: see `by_position` for the columns."""
    return _table(
        run,
        run.hand_size,
        ["hand_size"],
        lambda row: _performance(row, point_range(run.rules, [row["hand_size"]])),
    )


def by_position(run: Run) -> pd.DataFrame:
    """Tell the entrants' performance by bidding position, 0 = eldest hand to players - 1 = dealer.

    Columns: `agent`, `players`, `position`, `rounds`; `points_per_round` and `hit_rate` with intervals;
    `mean_bid`, `mean_tricks`, `zero_bid_share`. Rotation brings each seat into each position equally often,
    at every hand size.
    """
    return _table(
        run,
        run.position,
        ["position"],
        lambda row: _performance(row, point_range(run.rules, run.schedule(row["players"]))),
    )


def bids(run: Run) -> pd.DataFrame:
    """Count seat-rounds by what was bid and what was taken.

    Columns: `agent`, `players`, `hand_size`, `position`, `bid`, `tricks`, `count`; only what happened has a
    row.
    """
    frame = run.counts[run.counts["n"] > 0].reset_index(drop=True)
    frame.insert(0, "agent", [run.entrants[index] for index in frame["entrant"]])
    return frame.drop(columns="entrant").rename(columns={"n": "count"})


def zero_bids(run: Run) -> pd.DataFrame:
    """Tell how often each entrant bids 0, how often that is hit, and what it earns beside its other bids.

    Columns: `agent`, `players`, `hand_size`, `rounds`; with intervals: `zero_bid_share` of all bids,
    `zero_bid_hit_rate`, `points_per_zero_bid` and `points_per_other_bid`. The last two compare different
    hands: an agent bids 0 on those that suit it.
    """

    def cells(row: dict[str, Any]) -> dict[str, Any]:
        of_zero, of_other = (point_range(run.rules, [row["hand_size"]], zero=zero) for zero in (True, False))
        other_points, other_bids = {"points": 1, "zero_points": -1}, {"rounds": 1, "zero_bids": -1}
        return (
            {"rounds": row["rounds"]}
            | share(row, "zero_bid_share", of={"zero_bids": 1})
            | share(row, "zero_bid_hit_rate", of={"zero_hits": 1}, per={"zero_bids": 1})
            | points(row, "points_per_zero_bid", of_zero, of={"zero_points": 1}, per={"zero_bids": 1})
            | points(row, "points_per_other_bid", of_other, of=other_points, per=other_bids)
        )

    return _rows(run, run.hand_size, ["hand_size"], cells)


def _performance(row: dict[str, Any], ends: Range) -> dict[str, Any]:
    return (
        {"rounds": row["rounds"]}
        | points(row, "points_per_round", ends, of={"points": 1})
        | share(row, "hit_rate", of={"hits": 1})
    )


def _rows(run: Run, sums: pd.DataFrame, by: list[str], cells: RowMaker) -> pd.DataFrame:
    """Make one row of cells per players, entrant and `by`, from sums over all line-ups."""
    keys = ["players", "entrant", *by]
    records: list[Any] = sums.groupby(keys)[["n", *MOMENTS]].sum().reset_index().to_dict("records")
    return pd.DataFrame(
        [
            {"agent": run.entrants[row["entrant"]]} | {key: row[key] for key in ["players", *by]} | cells(row)
            for row in records
        ]
    )


def _table(run: Run, sums: pd.DataFrame, by: list[str], cells: RowMaker) -> pd.DataFrame:
    """Make rows of cells and put the plain means beside them: bid, tricks, share of zero bids."""
    keys = ["players", "entrant", *by]
    means = mean_bids(run.counts, keys)
    zero = _over(sums, by, "zero_bids", "rounds")
    beside = means.reindex(zero.index).assign(zero_bid_share=zero)
    return pd.concat([_rows(run, sums, by, cells), beside.reset_index(drop=True)], axis=1)


def _over(sums: pd.DataFrame, by: list[str], numerator: str, denominator: str) -> "pd.Series[float]":
    """Divide one quantity's sum by another's, per players, entrant and `by`; NaN for 0 / 0."""
    grouped = sums.groupby(["players", "entrant", *by])[[numerator, denominator]].sum()
    return grouped[numerator] / grouped[denominator]
