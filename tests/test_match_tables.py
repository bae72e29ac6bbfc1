"""Tables of matches, ratings and rings, from run folders written without playing."""

from collections.abc import Sequence
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from rich.console import Console
from scipy import stats

from ohpshaw_sim.analysis.cross import field_tables
from ohpshaw_sim.analysis.cycles import _rings, cycles
from ohpshaw_sim.analysis.matches import matches
from ohpshaw_sim.analysis.plackett_luce import log_strengths
from ohpshaw_sim.analysis.ratings import field_of, rating_notes, ratings
from ohpshaw_sim.analysis.run import Lineup, Run, load_run
from ohpshaw_sim.analysis.tables import make_tables
from ohpshaw_sim.engine.tally_schema import MATCH_SUMS, NEXT, SLICES, WIN_UNIT
from place_orders import choices
from synthetic_run import write_run

FOUR = {"oracle": 0.8, "average": 0.4, "weak": 0.2, "random": 0.0}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, pd.DataFrame]:
    folder = tmp_path_factory.mktemp("run")
    log = write_run(folder, FOUR, players=(3, 4), hand_sizes=(1, 2, 3), sets=256)
    return load_run(folder), log.assign(agent=[list(FOUR)[entrant] for entrant in log.entrant])


@pytest.mark.parametrize("agent", FOUR)
def test_matches_agree_with_the_rounds(played: tuple[Run, pd.DataFrame], agent: str) -> None:
    run, log = played
    frame = matches(run)
    row = frame[(frame.agent == agent) & (frame.players == 4)].iloc[0]
    seats = log[log.players == 4].groupby(["set", "rotation", "place", "agent"]).points.sum().reset_index()
    seats["at"] = seats.groupby(["set", "rotation"]).points.rank(method="average", ascending=False)
    mine = seats[seats.agent == agent]
    sets = mine.groupby("set")["at"].mean()
    assert (row.sets, row.matches) == (len(sets), len(mine))
    assert row.mean_place == pytest.approx(mine["at"].mean())
    half = stats.t.ppf(0.975, len(sets) - 1) * sets.std() / len(sets) ** 0.5
    assert row.mean_place_high - row.mean_place == pytest.approx(half)
    assert row.points_per_match == pytest.approx(mine.points.mean())
    standings = make_tables(run)["standings"]
    same = standings[(standings.agent == agent) & (standings.players == 4)].iloc[0]
    assert row.points_per_match_low == pytest.approx(3 * same.points_per_round_low)
    assert (row.win_share, row.win_share_high) == (same.win_share, same.win_share_high)


def test_places_of_a_table_have_the_mean_of_a_table(played: tuple[Run, pd.DataFrame]) -> None:
    for players, rows in matches(played[0]).groupby("players"):
        mean = (rows.mean_place * rows.matches).sum() / rows.matches.sum()
        assert 2 * mean - 1 == pytest.approx(players)


def test_ratings_are_the_strengths_of_all_orders_of_the_rounds(played: tuple[Run, pd.DataFrame]) -> None:
    """Three players of four agents: fitted again from the matches themselves, ties in all their orders."""
    run, log = played
    frame = ratings(run)
    frame = frame[frame.players == 3].set_index("agent")
    totals = log[log.players == 3].groupby(["set", "rotation", "place", "entrant"]).points.sum().reset_index()
    seats, times, wins = [], [], np.zeros(4)
    for _, one in totals.groupby(["set", "rotation"]):
        ranks = one.points.rank(method="min", ascending=False).astype(int).tolist()
        for (left, place), share in choices(ranks).items():
            mine = np.zeros(4, int)
            np.add.at(mine, [entrant for at, entrant in enumerate(one.entrant) if left >> at & 1], 1)
            seats.append(mine)
            times.append(share / WIN_UNIT)
            wins[one.entrant.iloc[place]] += share / WIN_UNIT
    expected = log_strengths(np.array(seats), np.array(times)[:, None], wins[:, None])[:, 0]
    assert frame.loc[list(FOUR), "rating"].to_numpy() == pytest.approx(expected, abs=1e-6)
    assert frame.rating.mean() == pytest.approx(0, abs=1e-9)
    assert frame["rank"].tolist() == [1, 2, 3, 4]
    assert list(frame.index) == list(FOUR)
    assert (frame.low < frame.rating).all()
    assert (frame.rating < frame.high).all()
    assert (frame.rank_low <= frame["rank"]).all()
    assert frame.beats_average.to_numpy() == pytest.approx(1 / (1 + np.exp(-frame.rating)))
    assert rating_notes(run) == []


def invented(
    choice_rows: list[tuple[int, ...]], lineups: Sequence[tuple[int, ...]], entrants: int, seed: int = 0
) -> Run:
    """A run of which only line-ups and choices matter."""
    players = len(lineups[0])
    columns = ["players", "lineup", "slice", "left", *NEXT]
    frame = pd.DataFrame(choice_rows, columns=[*columns[:4], "place", "share"])
    wide = frame.pivot_table(index=columns[:4], columns="place", values="share", aggfunc="sum", fill_value=0)
    wide.columns = pd.Index([f"next_{place}" for place in wide.columns])
    totals = [{"players": players, "lineup": 0, "entrant": one, "n": 1} for one in range(entrants)]
    empty = pd.DataFrame()
    return Run(
        Path("invented"),
        {"plan_hash": str(seed)},
        tuple("abcdefgh"[:entrants]),
        tuple(Lineup(players, number, one, (1,)) for number, one in enumerate(lineups)),
        *(pd.DataFrame(totals), empty, empty, empty, empty, empty),
        wide.reindex(columns=list(NEXT), fill_value=0).reset_index(),
    )


def rows_of(ranks: list[int], lineup: int, slice_: int) -> list[tuple[int, ...]]:
    return [
        (len(ranks), lineup, slice_, left, place, share) for (left, place), share in choices(ranks).items()
    ]


def test_groups_that_never_met_are_not_rated() -> None:
    lineups = [(0, 1, 2), (3, 4, 5)]
    found = [
        row
        for number in range(8)
        for lineup in range(2)
        for ranks in permutations([1, 2, 3])
        for row in rows_of(list(ranks), lineup, number)
    ]
    run = invented(found, lineups, 6)
    assert ratings(run)[["rating", "low", "high", "rank"]].isna().all(axis=None)
    assert "fall into 2 groups that never met" in rating_notes(run)[0]


def test_whoever_never_came_behind_has_a_rating_and_no_interval() -> None:
    found = [row for number in range(8) for r in ([1, 2, 3], [1, 3, 2]) for row in rows_of(r, 0, number)]
    frame = ratings(invented(found, [(0, 1, 2)], 3))
    assert frame.agent.tolist() == ["a", "b", "c"]
    assert np.isfinite(frame.rating).all()
    assert frame[["low", "high", "rank_low", "rank_high"]].isna().all(axis=None)
    assert "never came behind" in rating_notes(invented(found, [(0, 1, 2)], 3))[0]


def test_few_slices_give_no_interval_and_two_entrants_no_rating() -> None:
    found = [
        row for number in range(3) for r in permutations([1, 2, 3]) for row in rows_of(list(r), 0, number)
    ]
    run = invented(found, [(0, 1, 2)], 3)
    assert ratings(run).low.isna().all()
    assert "too few sets" in rating_notes(run)[0]
    assert ratings(invented(found, [(0, 1, 0)], 2)).empty


def test_intervals_of_ratings_cover_what_is_true_though_matches_of_a_set_go_alike() -> None:
    """Sixty invented runs of known strengths; the second match of a set is mostly the first one again."""
    strengths = np.log([3.0, 1.5, 1.0, 0.5])
    strengths -= strengths.mean()
    rng = np.random.default_rng(8)
    inside = []
    for trial in range(60):
        found = []
        for number in range(3 * SLICES):
            first, second = (np.argsort(np.argsort(-(strengths + rng.gumbel(size=4)))) + 1 for _ in range(2))
            for ranks in (first, first if rng.random() < 0.8 else second):
                found += rows_of(ranks.tolist(), 0, number % SLICES)
        run = invented(found, [(0, 1, 2, 3)], 4, trial)
        assert field_of(run, 4).times.sum() == pytest.approx(3 * SLICES * 2 * 3)
        frame = ratings(run).set_index("agent").loc[list("abcd")]
        inside.append((frame.low < strengths) & (strengths < frame.high))
    assert 0.91 < np.mean(inside) < 0.99


def test_rings_are_those_of_force() -> None:
    rng = np.random.default_rng(4)
    for _ in range(60):
        agents = "abcde"
        steps: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        for a, b in combinations(agents, 2):
            kind = rng.integers(3)
            if kind:
                steps[a if kind == 1 else b][b if kind == 1 else a] = (1.0, 0.01)
        found = _rings(steps)
        for ring in found:
            assert all(there in steps[here] for here, there in zip(ring, (*ring[1:], ring[0]), strict=True))
        threes = {
            ring
            for ring in permutations(agents, 3)
            if ring[0] == min(ring)
            and ring[1] in steps[ring[0]]
            and ring[2] in steps[ring[1]]
            and ring[0] in steps[ring[2]]
        }
        assert {ring for ring in found if len(ring) == 3} == threes
        reach = np.array([[b in steps[a] for b in agents] for a in agents])
        closed = np.linalg.matrix_power(reach.astype(int) + np.eye(5, dtype=int), 5) > 0
        on_a_ring = {a for i, a in enumerate(agents) if any(closed[i, j] and reach[j, i] for j in range(5))}
        assert {agent for ring in found for agent in ring} == on_a_ring


def test_a_ring_is_pointed_out(played: tuple[Run, pd.DataFrame]) -> None:
    keys = {"players": 3, "lineup": 0, "n": 400}
    pairs = [
        {**keys, "entrant": a, "other": b, "difference": d, "difference_sq": 400 * 81}
        for a, b, d in [(0, 1, 900), (1, 2, 800), (0, 2, -700)]
    ]
    run = invented(rows_of([1, 2, 3], 0, 0), [(0, 1, 2)], 3)
    frame = cycles(Run(**{**run.__dict__, "pairs": pd.DataFrame(pairs)}))
    assert frame.cycle.tolist() == ["a > b > c > a"]
    assert frame.least_difference.iloc[0] == pytest.approx(700 / 400 / 3)
    assert cycles(played[0]).empty


def test_tables_of_a_field_fit_into_80_columns(played: tuple[Run, pd.DataFrame]) -> None:
    tables = make_tables(played[0])
    console = Console(width=80, record=True, color_system=None)
    for one in field_tables(tables):
        console.print(one)
    text = console.export_text()
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("ratings by places") == 2
    assert "…" not in text
    difference = tables["pairwise"].query("players == 4 and agent == 'oracle' and other == 'random'").iloc[0]
    assert f"+{difference.difference:.2f}*" in text
    assert f"-{difference.difference:.2f}*" in text


def test_runs_that_know_no_places_are_read_as_far_as_they_go(tmp_path: Path) -> None:
    """Parts of schemas 1 and 2 have neither rows nor columns of whole matches."""
    write_run(tmp_path, FOUR, hand_sizes=(1, 2), sets=32)
    new = {"slice", "left", *MATCH_SUMS[2:], *NEXT}
    for path in (tmp_path / "parts").iterdir():
        table = pq.read_table(path)
        old = table.filter(pa.array([kind not in ("match", "choice") for kind in table["kind"].to_pylist()]))
        pq.write_table(old.drop_columns(sorted(new)), path)
    tables = make_tables(load_run(tmp_path))
    assert tables["matches"].mean_place.isna().all()
    assert tables["matches"].win_share.notna().all()
    assert tables["ratings"].empty
    assert tables["standings"].points_per_round_corrected.isna().all()
    assert tables["efficiency"].rotation.notna().all()
    assert (tables["efficiency"].luck == 1).all()
