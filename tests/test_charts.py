"""Every picture of a run, in the odd cases too; and what it must not depend on."""

import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
import pandas as pd
import pytest
from matplotlib.figure import Figure

from ohpshaw_sim.analysis.names import break_name
from ohpshaw_sim.analysis.run import load_run
from ohpshaw_sim.analysis.tables import make_tables
from ohpshaw_sim.analysis.writing import write_tables
from ohpshaw_sim.charts import figures, points, win_share
from ohpshaw_sim.charts.figures import FIGURES, save_plots
from ohpshaw_sim.charts.study_ladder import ladder_figure
from ohpshaw_sim.charts.style import looks_of, plain_style
from synthetic_run import THREE_AGENTS, write_run

LONG = "monte-carlo:worlds=200,rollout=greedy+count-winners"
MANY = {LONG: 0.6, **{f"agent-{i:02d}": 0.04 * i for i in range(13)}}

pytestmark = pytest.mark.filterwarnings("error")


def tables_of(folder: Path, **options: object) -> dict[str, pd.DataFrame]:
    write_run(folder, **options)
    return make_tables(load_run(folder))


@pytest.mark.parametrize(
    "options",
    [
        {"hand_sizes": (1, 2, 3)},
        {"hand_sizes": (5,), "sets": 16},
        {"agents": {"random": 0.0}, "hand_sizes": (1, 4), "sets": 16},
        {"sets": 1, "parts": 1, "hand_sizes": (1, 2, 9)},
        {"agents": MANY, "hand_sizes": (1, 2), "sets": 28, "block_sets": 1},
    ],
    ids=["plain", "one hand size", "one entrant", "one set", "many entrants with long names"],
)
def test_every_run_gets_its_pictures(tmp_path: Path, options: dict[str, object]) -> None:
    paths = save_plots(tables_of(tmp_path, **options), tmp_path / "plots")
    assert [path.name for path in paths] == [f"{name}.png" for name in FIGURES]
    assert sorted(path.name for path in (tmp_path / "plots").iterdir()) == sorted(path.name for path in paths)
    for path in paths:
        assert path.read_bytes().startswith(b"\x89PNG")


def test_pictures_are_made_per_number_of_players(tmp_path: Path) -> None:
    tables = tables_of(tmp_path, players=(3, 5), hand_sizes=(1, 2), sets=32)
    names = [path.name for path in save_plots(tables, tmp_path / "plots")]
    assert names == [f"{name}-{players}-players.png" for players in (3, 5) for name in FIGURES]


def test_pictures_are_the_same_bytes_from_files_and_under_a_users_own_settings(tmp_path: Path) -> None:
    write_run(tmp_path, hand_sizes=(1, 2), sets=32)
    tables = write_tables(load_run(tmp_path))
    once = save_plots(tables, tmp_path / "once")
    read = {name: pd.read_csv(tmp_path / "tables" / f"{name}.csv") for name in tables}
    with mpl.rc_context({"font.size": 30, "lines.linewidth": 9, "axes.facecolor": "pink"}):
        again = save_plots(read, tmp_path / "again")
    assert [path.read_bytes() for path in once] == [path.read_bytes() for path in again]


def test_the_best_entrant_is_on_top_and_the_fair_share_is_shown(tmp_path: Path) -> None:
    frame = tables_of(tmp_path, hand_sizes=(1, 2, 3))["standings"]
    left, right = Figure().subplots(1, 2)
    points.draw(frame, left)
    win_share.draw(frame, right)
    assert [label.get_text() for label in left.get_yticklabels()] == list(THREE_AGENTS)
    assert left.yaxis_inverted()
    assert "fair share 25%" in [text.get_text() for text in right.texts]


def test_line_charts_show_the_best_entrants_and_say_so(tmp_path: Path) -> None:
    tables = tables_of(tmp_path, agents=MANY, hand_sizes=(1, 2), sets=28, block_sets=1)
    figure = FIGURES["by_hand_size"](tables, looks_of(tables["by_hand_size"]["agent"].tolist()))
    assert len(figure.axes[0].lines) == figures.MOST_LINES
    assert "best 12 of 14 entrants" in figure.get_supxlabel().replace("\n", " ")


def test_zero_bids_say_that_hands_differ(tmp_path: Path) -> None:
    tables = tables_of(tmp_path, hand_sizes=(1, 2), sets=32)
    figure = FIGURES["zero_bids"](tables, looks_of(list(THREE_AGENTS)))
    for ax in figure.axes:
        assert ax.get_ylim()[0] < 0
        assert all(max(line.get_ydata()) < ax.get_ylim()[1] for line in ax.lines)
    assert "made on different hands" in figure.get_supxlabel().replace("\n", " ")


def test_looks_differ() -> None:
    looks = looks_of([f"agent {i}" for i in range(70)])
    assert len(set(looks.values())) == 70


@pytest.mark.parametrize("width", [8, 12, 24, 40])
def test_names_are_broken_to_measure_and_keep_their_ends(width: int) -> None:
    for name in (LONG, "random#2", "a/path/to/some.py:agent", "x" * 60, "monte-carlo:worlds=50+greedy#3"):
        lines = break_name(name, width).splitlines()
        assert max(map(len, lines)) <= width
        if "…" not in "".join(lines):
            assert "".join(lines) == name


def test_analysis_needs_no_plotting_and_charts_no_pyplot() -> None:
    code = (
        "import sys, ohpshaw_sim.analysis.writing, ohpshaw_sim.analysis.summary\n"
        "assert 'matplotlib' not in sys.modules\n"
        "import ohpshaw_sim.charts.figures\n"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("players", [1, 2, 4])
def test_the_title_of_a_ladder_leaves_room_for_the_names_beside_it(players: int) -> None:
    rows = [(agent, LONG, n) for agent in (LONG, "random") for n in range(3, 3 + players)]
    ladder = pd.DataFrame(rows, columns=["agent", "field", "players"]).assign(
        win_share=0.3, win_share_low=0.2, win_share_high=0.4, sets=9
    )
    times = ladder[["agent", "players"]].assign(us_per_decision=50.0)
    with plain_style():
        figure = ladder_figure(ladder, times, LONG)
        figure.canvas.draw()
    (title,) = [text for text in figure.texts if text.get_text().startswith("Strength")]
    assert not title.get_window_extent().overlaps(figure.legends[0].get_window_extent())
