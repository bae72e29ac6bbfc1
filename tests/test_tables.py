"""Run folders read back, and their tables worked out again from the seat-rounds behind them."""

import io
import json
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from rich.console import Console
from scipy import stats

from ohpshaw_sim.analysis.estimates import point_range
from ohpshaw_sim.analysis.parts import read_blocks
from ohpshaw_sim.analysis.run import Run, load_run
from ohpshaw_sim.analysis.summary import standings_table
from ohpshaw_sim.analysis.tables import make_tables
from ohpshaw_sim.analysis.writing import write_tables
from ohpshaw_sim.errors import ConflictError, MalformedError
from ohpshaw_sim.kernels.scoring import round_score
from ohpshaw_sim.rules import ROUND_BONUS, SCORINGS, Rules
from synthetic_run import THREE_AGENTS, per_set, write_part, write_run

NAMES = list(THREE_AGENTS)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, pd.DataFrame]:
    folder = tmp_path_factory.mktemp("run")
    log = write_run(folder, players=(3, 4), hand_sizes=(1, 2, 3, 5))
    return load_run(folder), log.assign(agent=[NAMES[entrant] for entrant in log.entrant])


def row_of(frame: pd.DataFrame, **where: object) -> pd.Series:
    for name, value in where.items():
        frame = frame[frame[name] == value]
    assert len(frame) == 1
    return frame.iloc[0]


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("agent", NAMES)
def test_standings_agree_with_the_rounds(played: tuple[Run, pd.DataFrame], players: int, agent: str) -> None:
    run, log = played
    row = row_of(make_tables(run)["standings"], players=players, agent=agent)
    mine = log[(log.players == players) & (log.agent == agent)]
    sets = per_set(mine, ["players"])
    assert row.sets == len(sets)
    assert row.rounds == len(mine)
    assert row.points_per_round == pytest.approx(mine.points.mean())
    assert row.hit_rate == pytest.approx((mine.bid == mine.tricks).mean())
    assert row.win_share == pytest.approx(mine.wins.sum() / 420 / (len(mine) / 4))
    assert (row.mean_bid, row.mean_tricks) == pytest.approx((mine.bid.mean(), mine.tricks.mean()))
    zero = mine[mine.bid == 0]
    assert row.zero_bid_share == pytest.approx(len(zero) / len(mine))
    assert row.zero_bid_hit_rate == pytest.approx((zero.tricks == 0).mean())
    if players == 3:  # every set weighs the same, so the interval is the plain t interval of the sets' means
        means = sets.points / sets.rounds
        half = stats.t.ppf(0.975, len(sets) - 1) * means.std() / len(sets) ** 0.5
        assert row.points_per_round_high - row.points_per_round == pytest.approx(half)


def test_standings_are_sorted_and_shares_of_wins_add_up(played: tuple[Run, pd.DataFrame]) -> None:
    frame = make_tables(played[0])["standings"]
    assert list(frame.agent) == NAMES * 2
    assert list(frame.players) == [3] * 3 + [4] * 3
    for players, rows in frame.groupby("players"):
        seats_per_set = rows.rounds / rows.sets / (players * 4)
        matches = seats_per_set * rows.sets
        assert (rows.win_share * matches).sum() == pytest.approx(rows.sets.max())


def test_standings_have_the_promised_columns(played: tuple[Run, pd.DataFrame]) -> None:
    with_interval = [
        name + end for name in ("points_per_round", "win_share", "hit_rate") for end in ("", "_low", "_high")
    ]
    means = ["mean_bid", "mean_tricks", "zero_bid_share", "zero_bid_hit_rate"]
    assert list(make_tables(played[0])["standings"]) == [
        "agent",
        "players",
        "sets",
        "rounds",
        *with_interval,
        *means,
        *(f"points_per_round_corrected{end}" for end in ("", "_low", "_high")),
    ]


@pytest.mark.parametrize(("table", "key"), [("by_hand_size", "hand_size"), ("by_position", "position")])
def test_breakdowns_agree_with_the_rounds(played: tuple[Run, pd.DataFrame], table: str, key: str) -> None:
    run, log = played
    frame = make_tables(run)[table]
    groups = log.assign(hit=log.bid == log.tricks, zero=log.bid == 0).groupby(["agent", "players", key])
    assert len(frame) == len(groups)
    for (agent, players, value), rows in groups:
        row = row_of(frame, agent=agent, players=players, **{key: value})
        assert row.rounds == len(rows)
        assert row.points_per_round == pytest.approx(rows.points.mean())
        assert row.hit_rate == pytest.approx(rows.hit.mean())
        assert row.mean_bid == pytest.approx(rows.bid.mean())
        assert row.mean_tricks == pytest.approx(rows.tricks.mean())
        assert row.zero_bid_share == pytest.approx(rows.zero.mean())
        assert row.hit_rate_low < row.hit_rate < row.hit_rate_high


def test_bids_are_counted(played: tuple[Run, pd.DataFrame]) -> None:
    run, log = played
    frame = make_tables(run)["bids"]
    keys = ["agent", "players", "hand_size", "position", "bid", "tricks"]
    assert list(frame) == [*keys, "count"]
    pd.testing.assert_series_equal(
        frame.set_index(keys)["count"].sort_index(), log.groupby(keys).size(), check_names=False
    )


def test_pairs_agree_with_the_sets_in_which_both_sat(played: tuple[Run, pd.DataFrame]) -> None:
    run, log = played
    frame = make_tables(run)["pairwise"]
    assert len(frame) == 6
    assert set(frame.comparisons) == {6}
    for row in frame.itertuples():
        table = log[log.players == row.players]
        means = table.pivot_table(values="points", index="set", columns="agent", aggfunc="mean")
        difference = (means[row.agent] - means[row.other]).dropna()
        assert row.sets == len(difference)
        assert row.difference == pytest.approx(difference.mean())
        reference = stats.ttest_1samp(difference, 0)
        assert (row.low, row.high) == pytest.approx(tuple(reference.confidence_interval()))
        assert row.p_holm >= reference.pvalue * (1 - 1e-9)


def test_zero_bids_agree_with_the_rounds(played: tuple[Run, pd.DataFrame]) -> None:
    run, log = played
    row = row_of(make_tables(run)["zero_bids"], agent="count-winners", players=4, hand_size=3)
    mine = log[(log.agent == "count-winners") & (log.players == 4) & (log.hand_size == 3)]
    zero, other = mine[mine.bid == 0], mine[mine.bid > 0]
    assert row.rounds == len(mine)
    assert row.zero_bid_share == pytest.approx(len(zero) / len(mine))
    assert row.zero_bid_hit_rate == pytest.approx((zero.tricks == 0).mean())
    assert row.points_per_zero_bid == pytest.approx(zero.points.mean())
    assert row.points_per_other_bid == pytest.approx(other.points.mean())
    assert row.points_per_other_bid_low < row.points_per_other_bid < row.points_per_other_bid_high


def test_tables_are_the_same_bytes_however_the_plan_was_cut(tmp_path: Path) -> None:
    for parts in (1, 5):
        folder = tmp_path / str(parts)
        write_run(folder, parts=parts, hand_sizes=(2, 4))
        write_tables(load_run(folder))
    once, again = (sorted((tmp_path / name / "tables").iterdir()) for name in ("1", "5"))
    assert [path.name for path in once] == [
        f"{name}.csv"
        for name in (
            "bids",
            "by_hand_size",
            "by_position",
            "convergence",
            "cycles",
            "efficiency",
            "matches",
            "pairwise",
            "ratings",
            "standings",
            "zero_bids",
        )
    ]
    assert [path.read_bytes() for path in once] == [path.read_bytes() for path in again]
    assert b"\r" not in once[9].read_bytes()


def test_written_tables_read_back(played: tuple[Run, pd.DataFrame], tmp_path: Path) -> None:
    tables = write_tables(played[0], tmp_path / "elsewhere")
    for name, frame in tables.items():
        read = pd.read_csv(tmp_path / "elsewhere" / f"{name}.csv")
        pd.testing.assert_frame_equal(read, frame, check_exact=False, atol=1e-6, rtol=1e-2, check_dtype=False)


def test_one_set_gives_figures_without_intervals(tmp_path: Path) -> None:
    write_run(tmp_path, sets=1, parts=1, hand_sizes=(3,))
    tables = write_tables(load_run(tmp_path))
    ends = [name for name in tables["standings"].columns if str(name).endswith(("_low", "_high"))]
    assert tables["standings"][ends].isna().all(axis=None)
    assert tables["standings"]["points_per_round"].notna().all()
    assert tables["pairwise"][["low", "high", "p_holm"]].isna().all(axis=None)
    assert set(tables["pairwise"].comparisons) == {0}
    assert ",,," in (tmp_path / "tables" / "standings.csv").read_text()


def test_four_of_a_kind_have_honest_intervals(tmp_path: Path) -> None:
    write_run(tmp_path, {f"random#{i}": 0.0 for i in range(4)}, hand_sizes=(1, 2))
    frame = make_tables(load_run(tmp_path))["standings"]
    assert len(frame) == 4
    for name in ("points_per_round", "win_share", "hit_rate"):
        assert ((frame[f"{name}_high"] - frame[f"{name}_low"]) > 0.01).all()


def test_a_single_entrant_needs_no_pairs(tmp_path: Path) -> None:
    write_run(tmp_path, {"random": 0.0}, hand_sizes=(1, 2))
    tables = write_tables(load_run(tmp_path))
    assert tables["standings"].win_share.item() == 0.25
    assert tables["standings"].win_share_low.item() < 0.25 < tables["standings"].win_share_high.item()
    assert tables["pairwise"].empty
    assert (tmp_path / "tables" / "pairwise.csv").read_text().startswith("agent,other,players")


def test_blocks_are_read_one_by_one(played: tuple[Run, pd.DataFrame]) -> None:
    run, log = played
    blocks = read_blocks(run.folder)
    assert list(blocks.block.unique()) == list(range(12))
    assert blocks.points.sum() == log.points.sum() == run.totals.points.sum()
    pairs = read_blocks(run.folder, "block_pair")
    assert pairs.difference.sum() == run.pairs.difference.sum()
    with pytest.raises(MalformedError, match="'position' are not kept by block"):
        read_blocks(run.folder, "position")


def test_a_part_left_over_from_a_merge_counts_once(tmp_path: Path) -> None:
    log = write_run(tmp_path, parts=3)
    expected = load_run(tmp_path).totals
    write_part(tmp_path, log, 0, int(log.block.max()) + 1)
    pd.testing.assert_frame_equal(load_run(tmp_path).totals, expected)


def test_parts_that_share_some_blocks_are_refused(tmp_path: Path) -> None:
    log = write_run(tmp_path, parts=3)
    write_part(tmp_path, log, 2, 6)
    with pytest.raises(ConflictError, match="hold the same blocks"):
        load_run(tmp_path)


def test_what_is_wrong_with_a_folder_is_said_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(MalformedError, match="no readable manifest"):
        load_run(tmp_path)
    manifest = tmp_path / "manifest.json"
    manifest.write_text("{")
    with pytest.raises(MalformedError, match="not readable as JSON"):
        load_run(tmp_path)
    manifest.write_text("[]")
    with pytest.raises(MalformedError, match="names no schema"):
        load_run(tmp_path)
    manifest.write_text(json.dumps({"schema": 1}))
    with pytest.raises(MalformedError, match="does not list"):
        load_run(tmp_path)
    manifest.write_text(json.dumps({"schema": 4}))
    with pytest.raises(ConflictError, match="schema 4; this version reads 3"):
        load_run(tmp_path)


def test_missing_and_torn_parts(tmp_path: Path) -> None:
    write_run(tmp_path, sets=16, parts=2, hand_sizes=(1,))
    first, second = sorted((tmp_path / "parts").iterdir())
    whole = second.read_bytes()
    second.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(MalformedError, match=r"part-0000000\d-0000000\d\.parquet .* is torn"):
        load_run(tmp_path)
    second.write_bytes(whole)
    pd.read_parquet(second).drop(columns="wins").to_parquet(second)
    with pytest.raises(MalformedError, match="lacks the column wins"):
        load_run(tmp_path)
    first.unlink()
    second.unlink()
    with pytest.raises(MalformedError, match="no finished parts yet"):
        load_run(tmp_path)


def test_an_entrant_unknown_to_the_manifest_is_refused(tmp_path: Path) -> None:
    write_run(tmp_path, sets=16, parts=2, hand_sizes=(1,))
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    manifest["entrants"].pop()
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(MalformedError, match="speak of entrant 2"):
        load_run(tmp_path)


@pytest.mark.parametrize("sets", [1, 96])
def test_the_summary_fits_80_columns(tmp_path: Path, sets: int) -> None:

    names = {
        "monte-carlo:worlds=200,rollout=greedy+count-winners": 0.6,
        "random": 0.0,
        "path/to/my_agent.py:best": 0.3,
    }
    write_run(tmp_path, names, players=(3, 4), sets=sets, parts=1, block_sets=1, hand_sizes=(2, 3))
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(standings_table(make_tables(load_run(tmp_path))["standings"]))
    text = console.export_text()
    assert "…" not in text
    assert ("±" in text) == (sets > 1)
    assert max(len(line) for line in text.splitlines()) <= 80
    assert np.all(
        [word in text for word in ("monte-carlo:", "count-winners", "random", "points/round", "rounds")]
    )


def test_points_stay_between_the_ends_that_the_scoring_sets() -> None:
    """The formula against all bids and tricks, by the engine's scoring."""
    for scoring, zero_bid, bonus in product(SCORINGS, ("as-scored", "hand-size"), (False, True)):
        rules = Rules(scoring=scoring, zero_bid=zero_bid, round_winner_bonus=bonus)
        for size in range(1, 16):
            code, more = SCORINGS.index(scoring), ROUND_BONUS if bonus else 0
            for zero, bids in ((True, [0]), (False, range(1, size + 1)), (None, range(size + 1))):
                all_points = [
                    round_score(code, zero_bid == "hand-size", size, bid, tricks)
                    for bid in bids
                    for tricks in range(size + 1)
                ]
                expected = (min(all_points), max(all_points) + more)
                assert point_range(rules, [size], zero=zero) == expected, (rules, size, zero)
    assert point_range(Rules(), [1, 3]) == (0, 12)
