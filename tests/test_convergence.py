"""The table of convergence against the seat-rounds behind it, prefix by prefix."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from scipy import stats

from ohpshaw_sim.analysis.convergence import POINTS, convergence, looks
from ohpshaw_sim.analysis.run import load_run
from ohpshaw_sim.analysis.tables import standings
from ohpshaw_sim.charts.convergence import draw
from synthetic_run import THREE_AGENTS, per_set, write_run

NAMES = list(THREE_AGENTS)


def test_each_row_is_the_estimate_over_the_first_blocks(tmp_path: Path) -> None:
    log = write_run(tmp_path, players=(3, 4), hand_sizes=(1, 2, 3), sets=92, block_sets=8)
    frame = convergence(load_run(tmp_path))
    rows = frame[(frame.players == 3) & (frame.agent == "count-winners")]
    blocks = sorted(log[log.players == 3].block.unique())
    assert len(rows) == len(blocks)
    for row, last in zip(rows.itertuples(), blocks, strict=True):
        mine = log[(log.players == 3) & (log.block <= last) & (log.entrant == NAMES.index("count-winners"))]
        sums = per_set(mine, ["players"])
        means = sums.points / sums.rounds
        assert row.sets == len(means)
        assert row.points_per_round == pytest.approx(mine.points.mean())
        half = stats.t.ppf(0.975, len(means) - 1) * means.std() / len(means) ** 0.5
        assert (row.low, row.high) == pytest.approx((mine.points.mean() - half, mine.points.mean() + half))


def test_the_last_row_is_the_standings(tmp_path: Path) -> None:
    """Also where seats are held unequally, and entrants sit out."""
    for agents in (THREE_AGENTS, {f"agent {i}": i / 10 for i in range(7)}):
        folder = tmp_path / str(len(agents))
        write_run(folder, agents, hand_sizes=(1, 2), sets=84, block_sets=2)
        run = load_run(folder)
        last = convergence(run).groupby("agent").last()
        whole = standings(run).set_index("agent")
        assert sorted(last.index) == sorted(whole.index)
        for name, same in (("sets", "sets"), ("points_per_round", "points_per_round"),
                           ("low", "points_per_round_low"), ("high", "points_per_round_high")):  # fmt: skip
            pd.testing.assert_series_equal(
                last[name], whole[same], check_like=True, check_names=False, rtol=1e-12
            )


def test_it_is_the_same_however_the_run_was_cut(tmp_path: Path) -> None:
    for parts in (1, 6):
        write_run(tmp_path / str(parts), parts=parts, players=(3, 4), hand_sizes=(2,))
    once, again = (convergence(load_run(tmp_path / name)) for name in ("1", "6"))
    pd.testing.assert_frame_equal(once, again, check_exact=True)


def test_looks_are_few_and_end_with_the_run() -> None:
    for turns in (1, 2, 39, 40, 41, 1000, 10**6):
        found = looks(turns).tolist()
        assert found[-1] == turns
        assert found == sorted(set(found))
        assert len(found) <= POINTS
    assert looks(3).tolist() == [1, 2, 3]
    assert len(looks(10**6)) > POINTS * 0.7


def test_the_chart_ends_at_the_estimate_and_shows_its_interval(tmp_path: Path) -> None:
    write_run(tmp_path, hand_sizes=(1, 2), sets=48, block_sets=2)
    frame = convergence(load_run(tmp_path))
    ax = Figure().subplots()
    draw(frame, ax)
    for agent, line in zip(NAMES, ax.lines[::2], strict=True):
        last = frame[frame.agent == agent].iloc[-1]
        assert tuple(np.asarray(line.get_xydata())[-1]) == (last.sets, last.points_per_round)
        assert ax.get_ylim()[0] < last.low < last.high < ax.get_ylim()[1]
    assert len(ax.collections) == len(NAMES)
