"""Comparisons: two agents take turns in one seat, among the same others, on the same cards."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ohpshaw_sim.analysis.parts import read_blocks
from ohpshaw_sim.analysis.run import Run, load_run
from ohpshaw_sim.analysis.tables import make_tables
from ohpshaw_sim.analysis.writing import table_text
from ohpshaw_sim.tournament.options import Options
from ohpshaw_sim.tournament.run import play_tournament
from ohpshaw_sim.tournament.spec import make_spec

AGENTS = ["greedy", "random", "greedy", "random"]


def play(folder: Path, agents: list[str] = AGENTS, sets: int = 40, **options: Any) -> Run:
    values: dict[str, Any] = {"hand_sizes": "1-3", "block_sets": 4, "seed": 5}
    spec = make_spec(agents=agents, versus=True, sets=sets, **values)
    play_tournament(spec, Options(out=folder, **options))
    return load_run(folder)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return play(tmp_path_factory.mktemp("arms") / "run", jobs=1, save_rounds=True)


def rounds_of(run: Run) -> pd.DataFrame:
    return pd.concat([pd.read_parquet(path) for path in sorted(run.folder.glob("parts/rounds-*"))])


def test_the_difference_is_of_both_arms_set_by_set(run: Run) -> None:
    points = rounds_of(run).groupby(["set", "entrant"])["points"].sum().unstack()
    difference = points[0] - points[1]
    pair = run.pairs[(run.pairs.entrant == 0) & (run.pairs.other == 1)]
    assert pair[["n", "difference", "difference_sq"]].sum().tolist() == [
        40,
        difference.sum(),
        (difference**2).sum(),
    ]
    blocks = read_blocks(run.folder, "block_pair").query("entrant == 0 and other == 1")
    assert blocks["difference"].tolist() == difference.groupby(difference.index // 4).sum().tolist()
    per_round = difference.sum() / 40 / (4 * 3)
    row = make_tables(run)["pairwise"].query("agent == 'greedy' and other == 'random'").iloc[0]
    assert row["difference"] == pytest.approx(per_round)


def test_both_arms_have_the_same_seats_and_dealers_and_luck_of_their_own(run: Run) -> None:
    rounds = rounds_of(run)
    keys = ["set", "rotation", "round", "seat"]
    arms = [rounds[rounds.lineup % 2 == arm].sort_values(keys).reset_index(drop=True) for arm in (0, 1)]
    for column in (*keys, "place", "dealer", "hand_size"):
        assert arms[0][column].tolist() == arms[1][column].tolist()
    others = [arm[arm.entrant == 3] for arm in arms]  # random bids from its own luck alone
    assert others[0]["bid"].tolist() != others[1]["bid"].tolist()


def test_the_tables_do_not_depend_on_jobs_or_chunks_or_driver(run: Run, tmp_path: Path) -> None:
    other = play(tmp_path / "other", jobs=2, driver="batched")
    for name, table in make_tables(run).items():
        assert table_text(table) == table_text(make_tables(other)[name]), name


def test_equal_agents_differ_by_luck_alone(tmp_path: Path) -> None:
    run = play(tmp_path / "run", ["random", "random", "greedy"], sets=80, jobs=2)
    row = make_tables(run)["pairwise"].query("agent == 'random' and other == 'random#2'").iloc[0]
    assert row["low"] < 0 < row["high"]
    assert run.pairs.query("entrant == 0 and other == 1")["difference_sq"].sum() > 0
