"""What a design bought, worked out again from the rounds; the correction for luck, unbiased whatever luck is."""

import json
from dataclasses import replace
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ohpshaw_sim.analysis.corrected import corrected_mean
from ohpshaw_sim.analysis.efficiency import (
    _luck_factor,
    _pairing_factor,
    _variance_factor,
    efficiency,
)
from ohpshaw_sim.analysis.round_variance import round_variance
from ohpshaw_sim.analysis.run import Lineup, Run, load_run
from ohpshaw_sim.analysis.tables import make_tables
from ohpshaw_sim.engine import luck
from ohpshaw_sim.engine.tally_schema import SLICES
from synthetic_run import THREE_AGENTS, matches, per_set, write_run

NAMES = list(THREE_AGENTS)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, pd.DataFrame]:
    folder = tmp_path_factory.mktemp("run")
    log = write_run(folder, players=(3, 4), hand_sizes=(1, 2, 4), sets=192)
    return load_run(folder), log.assign(agent=[NAMES[entrant] for entrant in log.entrant])


def row_of(frame: pd.DataFrame, **where: object) -> pd.Series:
    for name, value in where.items():
        frame = frame[frame[name] == value]
    assert len(frame) == 1
    return frame.iloc[0]


def alone_variance(rounds: pd.DataFrame) -> float:
    """The variance of a mean of as many independent rounds, as often of each hand size and position."""
    strata = rounds.groupby(["hand_size", "position"]).points
    return float((strata.size() * strata.var()).sum() / len(rounds) ** 2)


@pytest.mark.parametrize("agent", NAMES)
def test_rotation_of_a_mean_from_the_rounds(played: tuple[Run, pd.DataFrame], agent: str) -> None:
    run, log = played
    rounds = log[(log.players == 3) & (log.agent == agent)]
    sets = per_set(rounds, ["players"])
    variance = (sets.points / sets.rounds).var() / len(sets)
    row = row_of(efficiency(run), players=3, estimand="mean", agent=agent)
    assert round_variance(run, 3, NAMES.index(agent)) / len(rounds) == pytest.approx(alone_variance(rounds))
    assert row.rotation == pytest.approx(alone_variance(rounds) / variance)
    assert (row.sets, row.rounds) == (len(sets), len(rounds))
    assert row.independent_rounds == pytest.approx(row.in_all * row.rounds)
    freedom = len(sets) - 1
    low, high = (stats.chi2.ppf(tail, freedom) / freedom for tail in (0.025, 0.975))
    assert (row.rotation_low, row.rotation_high) == pytest.approx((low * row.rotation, high * row.rotation))


@pytest.mark.parametrize("players", [3, 4])
def test_pairing_of_a_difference_from_the_rounds(played: tuple[Run, pd.DataFrame], players: int) -> None:
    """With four seats for three agents, sets weigh the same whoever holds two seats."""
    run, log = played
    mine = log[log.players == players]
    sets = mine.groupby(["set", "agent"]).points.mean().unstack("agent")
    a, b = sets["monte-carlo"], sets["random"]
    row = row_of(efficiency(run), players=players, estimand="difference", agent="monte-carlo", other="random")
    alone = sum(alone_variance(mine[mine.agent == agent]) for agent in ("monte-carlo", "random"))
    apart, paired = (a.var() + b.var()) / len(sets), (a - b).var() / len(sets)
    assert row.rotation == pytest.approx(alone / apart)
    assert row.pairing == pytest.approx(apart / paired)
    assert row.in_all == pytest.approx(alone / paired)
    assert row.luck == 1
    assert np.isnan(row.luck_low)
    freedom = len(sets) - 1
    ratio = (a + b).var() / paired / len(sets)
    ends = [(1 + ratio / stats.f.ppf(tail, freedom, freedom)) / 2 for tail in (0.975, 0.025)]
    assert [row.pairing_low, row.pairing_high] == pytest.approx(ends)


def test_luck_of_nothing_is_not_applied(played: tuple[Run, pd.DataFrame]) -> None:
    """The synthetic runs' luck has nothing to do with their points."""
    tables = make_tables(played[0])
    frame = tables["efficiency"]
    assert (frame.luck < 1.03).all()
    corrected = tables["standings"].points_per_round_corrected
    unapplied = frame[(frame.estimand == "mean") & (frame.luck == 1)]
    assert corrected.isna().sum() == len(unapplied) >= 4


def test_factors_cover_what_is_true() -> None:
    rng = np.random.default_rng(3)
    inside = np.zeros(3)
    runs, sets = 400, 60
    for _ in range(runs):
        common, a, b, luck_ = rng.normal(size=(4, sets))
        one, two = common + a, common + b
        factor = _variance_factor(2.5, one.var(ddof=1), sets)
        inside[0] += factor.interval.low < 1.25 < factor.interval.high
        factor = _pairing_factor(one.var(ddof=1) + two.var(ddof=1), (one - two).var(ddof=1), sets)
        inside[1] += factor.interval.low < 2 < factor.interval.high
        points = luck_ + a
        slope = np.cov(points, luck_)[0, 1] / luck_.var(ddof=1)
        factor = _luck_factor(points.var(), (points - slope * luck_).var(), sets)
        inside[2] += factor.interval.low < 2 < factor.interval.high
    assert (inside > 0.92 * runs).all()


def test_points_that_the_counts_do_not_tell_leave_rotation_open(played: tuple[Run, pd.DataFrame]) -> None:
    """Where a round was forfeited, say."""
    run = played[0]
    totals = run.totals.copy()
    totals.loc[(totals.players == 3) & (totals.entrant == 0), "points"] -= 11
    frame = efficiency(replace(run, totals=totals))
    mine = (frame.players == 3) & ((frame.agent == NAMES[0]) | (frame.other == NAMES[0]))
    assert frame[mine].rotation.isna().all()
    assert frame[~mine].rotation.notna().all()


def with_luck(run: Run, log: pd.DataFrame) -> Run:
    return replace(run, matches=matches(log))


def test_the_correction_is_unbiased_and_narrower() -> None:
    """Many short runs of sets whose points go with luck, in part and not in a straight line."""
    rules = {"hand_sizes": [1, 2]}
    rng = np.random.default_rng(2)
    schedule, players = (1, 2), 3
    ways = [(split, many / comb(51, 12)) for split, many in luck.split_ways(players, 2, 51, 12).items()]
    values = np.array([luck.deal_values()[(players, 2, *split)] for split, _ in ways])
    chances = np.array([chance for _, chance in ways])
    first = [(split, many / comb(51, 12)) for split, many in luck.split_ways(players, 1, 51, 12).items()]
    firsts = np.array([luck.deal_values()[(players, 1, *split)] for split, _ in first])
    found, plain, spreads = [], [], []
    for _ in range(300):
        sets = 32
        drawn = rng.choice(values, sets, p=chances) + rng.choice(firsts, sets, p=[c for _, c in first])
        points = np.round(60 + 0.06 * drawn + (drawn > 300) * 9 + rng.exponential(8, sets)).astype(np.int64)
        rows = pd.DataFrame({"slice": np.arange(sets) % SLICES, "points": points, "luck": drawn, "n": 1})
        rows = rows.assign(
            points_x_points=points**2, luck_sq=drawn**2, points_x_luck=points * drawn, places=0, places_sq=0
        )
        sums = rows.groupby("slice").sum().reset_index().assign(players=players, lineup=0, entrant=0)
        estimate = corrected_mean(invented(sums, rules, schedule), players, 0)
        plain.append(points.mean() / 6)
        found.append(plain[-1] if estimate is None else estimate.value)
        spreads.append(points.var(ddof=1) / sets / 36 if estimate is None else estimate.variance)
    exact = (
        60 + 8 + 0.06 * float(luck.expected_luck(invented(sums, rules, schedule).rules, schedule, players))
    )
    both = (
        (values[:, None] + firsts[None, :] > 300)
        * chances[:, None]
        * np.array([c for _, c in first])[None, :]
    )
    exact = (exact + 9 * both.sum()) / 6
    error = np.std(found) / len(found) ** 0.5
    assert abs(np.mean(found) - exact) < 3.5 * error
    assert np.std(found) < 0.9 * np.std(plain)
    assert np.mean(spreads) == pytest.approx(np.var(found), rel=0.2)


def invented(sums: pd.DataFrame, rules: dict[str, Any], schedule: tuple[int, ...]) -> Run:
    """A run of one line-up of which only the sums of whole matches matter."""
    no = pd.DataFrame()
    lineups = (Lineup(3, 0, (0, 1, 2), schedule),)
    return Run(Path("x"), {"rules": rules}, ("a", "b", "c"), lineups, no, no, no, no, no, sums, no)


def test_luck_is_not_corrected_where_it_is_not_counted(
    played: tuple[Run, pd.DataFrame], tmp_path: Path
) -> None:
    run, log = played
    total = log.groupby(["players", "set"]).points.transform("sum")
    lucky = with_luck(run, log.assign(luck=total - total.groupby(log.players).transform("mean").astype(int)))
    assert corrected_mean(lucky, 3, 0) is not None
    for more in ({"rules": {"wizard": True}}, {"deals": "0123"}):
        assert corrected_mean(replace(lucky, manifest={**run.manifest, **more}), 3, 0) is None
    write_run(tmp_path, sets=16, block_sets=1, parts=1, hand_sizes=(1, 2))
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps({**manifest, "rules": {"round_winner_bonus": True}}))
    frame = efficiency(load_run(tmp_path))
    assert frame[["rotation", "in_all", "independent_rounds"]].isna().all(axis=None)
    assert frame.pairing.notna().all()
