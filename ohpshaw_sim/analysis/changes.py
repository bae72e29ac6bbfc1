"""What changed between two runs: how they were asked for, and how their agents' points differ.

Where both runs dealt the same cards to the same line-ups (an agent's code was edited, say), an agent's points are
compared block by block, over the blocks that both have; blocks are independent of each other. Else they are compared
as two independent means, with the degrees of freedom of Welch (Biometrika 34, 1947); if the runs share deals all the
same, that is rather too wide.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import pandas as pd

from ohpshaw_sim.analysis.estimates import point_range
from ohpshaw_sim.analysis.moments import ratio_sums
from ohpshaw_sim.analysis.parts import read_blocks
from ohpshaw_sim.analysis.run import Run
from ohpshaw_sim.analysis.statistics import NO_INTERVAL, Interval, Ratio, mean_interval, ratio
from ohpshaw_sim.engine.tally_schema import MOMENTS

_CARDS: Final = ("versus", "seed", "players", "hand_sizes", "rules", "deals_digest", "block_sets")
"""Entries of a spec that decide which cards are dealt in which block."""
_TOLD: Final = ("agents", *_CARDS, "on_fault", "sets")
_BESIDE: Final = ("comparison", "sources", "versions", "git_commit")


class Change(NamedTuple):
    """One entry of two manifests that is not the same."""

    name: str
    one: Any
    other: Any


def changes_in_request(one: Run, other: Run) -> list[Change]:
    """Return what differs between the manifests of two runs, as far as it can matter."""
    specs = one.manifest["spec"], other.manifest["spec"]
    found = [Change(name, specs[0].get(name), specs[1].get(name)) for name in _TOLD]
    found += [Change(name, one.manifest.get(name), other.manifest.get(name)) for name in _BESIDE]
    return [change for change in found if change.one != change.other]


def same_results(one: Run, other: Run) -> bool:
    """Tell whether both runs hold the same sums, to the last digit."""
    names = ("totals", "hand_size", "position", "pairs", "counts")
    return one.entrants == other.entrants and all(
        getattr(one, name).equals(getattr(other, name)) for name in names
    )


def changes_in_points(one: Run, other: Run) -> pd.DataFrame:
    """Compare the agents that are in both runs: one row per number of players and agent.

    Agents that are in one run only are compared in order, if both have as many of them, as `one -> other`. Columns:
    `agent`, `players`, `sets_one`, `sets_other`; `paired`, whether the same line-ups were dealt the same cards, and
    `sets_compared`, on how many sets that both runs have (0 where they are not paired). Of these sets, else of all,
    `points_one`, `points_other` (points per round) and `difference` (other less one) with its 95 % interval `low`,
    `high`: NaN where a single block is shared, or where all blocks are equal.
    """
    columns = ["agent", "players", "sets_one", "sets_other", "sets_compared", "points_one", "points_other"]
    return pd.DataFrame(list(_rows(one, other)), columns=[*columns, "difference", "low", "high", "paired"])


def _rows(one: Run, other: Run) -> Iterator[dict[str, Any]]:
    partners = _partners(one.entrants, other.entrants)
    alike = _tables_alike(one, other, partners)
    columns = ("n", "rounds", "points")
    series = [read_blocks(run.folder, sums=columns) for run in (one, other)] if alike else []
    sums = [run.totals.groupby(["players", "entrant"])[["n", *MOMENTS]].sum() for run in (one, other)]
    for players, entrant in sums[0].index:
        which = (entrant, partners.get(entrant, -1))
        if (players, which[1]) not in sums[1].index:
            continue
        both: list[Any] = [sums[at].loc[(players, which[at])] for at in (0, 1)]
        pairs = _pairs(series, players, which) if players in alike else pd.DataFrame()
        yield {
            "agent": " -> ".join(dict.fromkeys((one.entrants[which[0]], other.entrants[which[1]]))),
            "players": players,
            "sets_one": int(both[0]["n"]),
            "sets_other": int(both[1]["n"]),
            **(_independent(both, one, players) if pairs.empty else _paired(pairs, one, players)),
        }


def _tables_alike(one: Run, other: Run, partners: Mapping[int, int]) -> set[int]:
    """Return the numbers of players at which both runs dealt the same cards to the same line-ups, seat by seat."""
    specs = one.manifest["spec"], other.manifest["spec"]
    if any(specs[0].get(name) != specs[1].get(name) for name in _CARDS):
        return set()
    mine = {
        (lineup.players, lineup.lineup): tuple(partners.get(entrant, -1) for entrant in lineup.entrants)
        for lineup in one.lineups
    }
    theirs = {(lineup.players, lineup.lineup): lineup.entrants for lineup in other.lineups}
    counts = {players for players, _ in mine}
    return {
        players
        for players in counts
        if {key: table for key, table in mine.items() if key[0] == players}
        == {key: table for key, table in theirs.items() if key[0] == players}
    }


def _partners(one: Sequence[str], other: Sequence[str]) -> dict[int, int]:
    """Match the entrants of two runs: those of one name, and those left over in order if they are as many."""
    partners = {index: other.index(name) for index, name in enumerate(one) if name in other}
    left = [index for index in range(len(one)) if index not in partners]
    free = [index for index in range(len(other)) if index not in partners.values()]
    return partners | (dict(zip(left, free, strict=True)) if len(left) == len(free) else {})


def _widest(run: Run, players: int) -> float:
    low, high = point_range(run.rules, run.schedule(players))
    return high - low


def _independent(both: list[Any], run: Run, players: int) -> dict[str, Any]:
    """Compare two means of runs that have nothing to do with each other; `both` are an agent's sums in them."""
    first, second = points = [ratio(ratio_sums(row, {"points": 1}, {"rounds": 1})) for row in both]
    value, widest = second.value - first.value, _widest(run, players)
    variance, sets = first.variance + second.variance, min(first.sets, second.sets)
    if variance > 0:
        sets = 1 + variance**2 / sum(part.variance**2 / (part.sets - 1) for part in points)
    interval = mean_interval(Ratio(value, variance, sets), -widest, widest)
    return _cells(0, first.value, value, interval, paired=False)


def _pairs(series: list[pd.DataFrame], players: int, which: tuple[int, int]) -> pd.DataFrame:
    """Return an agent's points in the blocks that both runs have."""
    own = [
        frame[(frame["players"] == players) & (frame["entrant"] == entrant)].drop(columns="entrant")
        for frame, entrant in zip(series, which, strict=True)
    ]
    return own[0].merge(own[1], on=["block", "players", "lineup", "n", "rounds"])


def _paired(pairs: pd.DataFrame, run: Run, players: int) -> dict[str, Any]:
    """Compare an agent's points on the same cards: a ratio of differences to rounds over blocks."""
    rounds, widest = pairs["rounds"], _widest(run, players)
    difference = pairs["points_y"] - pairs["points_x"]
    moments = {"points": difference, "rounds": rounds, "rounds_x_points": rounds * difference}
    moments |= {"points_x_points": difference**2, "rounds_x_rounds": rounds**2}
    sums = {name: int(values.sum()) for name, values in moments.items()}
    found = ratio(ratio_sums(sums, {"points": 1}, {"rounds": 1}))
    interval = NO_INTERVAL if (difference == 0).all() else mean_interval(found, -widest, widest)
    points = int(pairs["points_x"].sum()) / int(rounds.sum())
    return _cells(int(pairs["n"].sum()), points, found.value, interval, paired=True)


def _cells(
    sets: int, points: float, difference: float, interval: Interval, *, paired: bool
) -> dict[str, Any]:
    return {
        "sets_compared": sets,
        "points_one": points,
        "points_other": points + difference,
        "difference": difference,
        "low": interval.low,
        "high": interval.high,
        "paired": paired,
    }
