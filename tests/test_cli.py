"""The command line as people meet it: results on stdout, one sentence for every mistake, exit codes."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agent_files import write_agent

QUICK = ("--hand-sizes", "1-3", "--sets", "32", "--seed", "5")


def ohpshaw(
    *words: str | Path, where: Path, code: int | None = 0, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder, without a terminal, and check its exit code (None = any)."""
    done = subprocess.run(
        [sys.executable, "-c", "from ohpshaw_sim.cli import main; main()", *map(str, words)],
        cwd=where,
        env={**os.environ, "TERM": "dumb", "COLUMNS": "80", **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert code is None or done.returncode == code, done.stderr
    return done


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run in `where / run`, made by the command."""
    where = tmp_path_factory.mktemp("cli")
    ohpshaw("tournament", "random", "random+random", *QUICK, "--out", "run", where=where)
    return where


def test_help_names_commands_and_exit_codes_at_once(tmp_path: Path) -> None:
    begun = time.process_time(), time.perf_counter()
    done = ohpshaw("--help", where=tmp_path)
    assert time.perf_counter() - begun[1] < 5  # a loaded machine; 0.3 s on a free one
    for word in ("tournament", "report", "agents", "bench", "Exit codes"):
        assert word in done.stdout


def test_help_imports_nothing_heavy(tmp_path: Path) -> None:
    code = "import sys; from ohpshaw_sim.cli.app import app; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    heavy = {"numpy", "numba", "pandas", "matplotlib", "scipy", "pyarrow"}
    assert heavy.isdisjoint(done.stdout.split())


def test_play_imports_nothing_for_pictures_and_tables(tmp_path: Path) -> None:
    code = "import sys, ohpshaw_sim.tournament.run; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert {"pandas", "matplotlib", "scipy.stats"}.isdisjoint(done.stdout.split())


def test_version(tmp_path: Path) -> None:
    assert re.fullmatch(r"ohpshaw \d+\.\d+\.\d+\S*\n", ohpshaw("--version", where=tmp_path).stdout)


def test_a_tournament_writes_tables_and_plots_and_says_how_to_repeat_it(tmp_path: Path) -> None:
    done = ohpshaw("tournament", "random", "random+random", *QUICK, where=tmp_path)
    (folder,) = (tmp_path / "results").iterdir()
    assert {"standings.csv", "pairwise.csv", "timing.csv"} <= {
        path.name for path in (folder / "tables").iterdir()
    }
    assert any((folder / "plots").glob("standings*.png"))
    assert "random" in done.stdout
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    assert "\x1b" not in done.stdout + done.stderr
    assert f"folder  results/{folder.name}" in done.stderr
    assert "ohpshaw tournament random random+random --hand-sizes 1-3 --sets 32 --seed 5" in done.stderr


def test_a_drawn_seed_is_shown_and_repeats_the_run(tmp_path: Path) -> None:
    done = ohpshaw(
        "tournament", "random", "random+random", "--hand-sizes", "2", "--sets", "16", where=tmp_path
    )
    repeat = re.search(r"repeat  ohpshaw (.*)", done.stderr)
    assert repeat is not None
    again = ohpshaw(*repeat[1].split(), "--out", "again", where=tmp_path)
    assert again.stdout == done.stdout


def test_the_same_spec_again_shows_its_results(finished: Path) -> None:
    done = ohpshaw("tournament", "random", "random+random", *QUICK, "--out", "run", where=finished)
    assert "already" in done.stderr
    assert "random+random" in done.stdout


def test_results_come_as_json_and_csv(finished: Path) -> None:
    as_json = json.loads(ohpshaw("report", "run", "--format", "json", where=finished).stdout)
    assert {row["agent"] for row in as_json["standings"]} == {"random", "random+random"}
    assert as_json["seed"] == 5
    as_csv = ohpshaw("report", "run", "--format", "csv", where=finished).stdout
    assert as_csv == (finished / "run" / "tables" / "standings.csv").read_text()


def test_a_report_rebuilds_the_same_tables(finished: Path) -> None:
    tables = {path: path.read_bytes() for path in (finished / "run" / "tables").iterdir()}
    for path in tables:
        if path.name != "timing.csv":
            path.unlink()
    ohpshaw("report", "run", "--no-plots", where=finished)
    assert {path: path.read_bytes() for path in (finished / "run" / "tables").iterdir()} == tables


def test_hash_seeds_change_nothing(tmp_path: Path, finished: Path) -> None:
    words = ("tournament", "random", "random+random", *QUICK, "--out")
    for seed in ("1", "2"):
        ohpshaw(*words, f"run{seed}", where=tmp_path, PYTHONHASHSEED=seed)
        for table in (finished / "run" / "tables").iterdir():
            if table.name != "timing.csv":
                assert (tmp_path / f"run{seed}" / "tables" / table.name).read_bytes() == table.read_bytes()


def test_a_dry_run_shows_the_plan_and_writes_nothing(tmp_path: Path) -> None:
    done = ohpshaw(
        "tournament", "random", "random+random", "--players", "3,4", *QUICK, "--dry-run", where=tmp_path
    )
    assert "32 sets in 2 blocks" in done.stdout
    assert not any(tmp_path.iterdir())
    as_json = ohpshaw("tournament", "random", *QUICK, "--dry-run", "--format", "json", where=tmp_path)
    assert json.loads(as_json.stdout)["sets"] == 32


def test_a_configuration_file_is_read_and_flags_win(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text('agents = ["random"]\nhand_sizes = "1-3"\nsets = 16\nseed = 5\n')
    ohpshaw("tournament", "--config", "study.toml", "--sets", "32", "--out", "run", where=tmp_path)
    spec = json.loads((tmp_path / "run" / "manifest.json").read_text())["spec"]
    assert (spec["sets"], spec["agents"], spec["hand_sizes"]) == (32, ["random"], [1, 2, 3])


def test_four_equal_agents_get_four_rows_with_honest_intervals(tmp_path: Path) -> None:
    words = ("tournament", *["random"] * 4, *QUICK, "--format", "json")
    rows = json.loads(ohpshaw(*words, where=tmp_path).stdout)["standings"]
    assert {row["agent"] for row in rows} == {"random", "random#2", "random#3", "random#4"}
    assert all(row["points_per_round_low"] < row["points_per_round_high"] for row in rows)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("randm",), "did you mean 'random'"),
        ((), "there are:"),
        (("random", "--players", "2"), "2 players"),
        (("random", "--players", "four"), "'four'"),
        (("random", "--hand-sizes", "14"), "hand size 14"),
        (("random", "--seed", "-1"), "seed is -1"),
        (("random", "--sets", "0"), "sets is 0"),
        (("random", "--sets", "1", "--for", "1h"), "exclude"),
        (("random", "--for", "soon"), "'soon' is no duration"),
        (("random", "--jobs", "0"), "jobs is 0"),
        (("random", "--rules", "hearts"), "'hearts'"),
        (("no/such/bot.py",), "no/such/bot.py"),
        (("random:speed=3",), "speed"),
        (("random", "--config", "missing.toml"), "missing.toml"),
    ],
)
def test_a_wrong_request_is_one_sentence_and_exit_code_2(
    tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    done = ohpshaw("tournament", *words, where=tmp_path, code=2)
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ohpshaw: ")
    assert said in last
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "said"), [(("--playrs", "3"), "--players"), (("--driver", "fast"), "fast")]
)
def test_a_mistyped_option_is_exit_code_2(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    done = ohpshaw("tournament", "random", *words, where=tmp_path, code=2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_another_spec_is_exit_code_2(finished: Path) -> None:
    done = ohpshaw(
        "tournament", "random", "--hand-sizes", "2", "--sets", "16", "--out", "run", where=finished, code=2
    )
    assert "another tournament" in done.stderr


def test_an_unwritable_folder_is_exit_code_1(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = ohpshaw("tournament", "random", *QUICK, "--out", "file/run", where=tmp_path, code=1)
    assert "cannot be made" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_report_of_nothing_is_one_sentence(tmp_path: Path) -> None:
    done = ohpshaw("report", "nothing", where=tmp_path, code=None)
    assert done.returncode in {1, 2}
    assert done.stderr.startswith("ohpshaw: nothing is no run folder")


@pytest.mark.parametrize("name", ["raises", "aborts"])
def test_a_failing_agent_is_exit_code_3(tmp_path: Path, name: str) -> None:
    agent = write_agent(tmp_path, name)
    done = ohpshaw("tournament", "random", agent, *QUICK, "--out", "run", where=tmp_path, code=3)
    assert name in done.stderr
    assert "Traceback" not in done.stderr


def test_what_an_agent_prints_is_no_result(tmp_path: Path) -> None:
    agent = write_agent(tmp_path, "lowest")
    agent.write_text(agent.read_text().replace("self.asked += 1", "self.asked += 1; print('noise')"))
    done = ohpshaw("tournament", "random", agent, *QUICK, where=tmp_path)
    assert "noise" not in done.stdout


def test_agents_are_listed(tmp_path: Path) -> None:
    done = ohpshaw("agents", where=tmp_path)
    for name in ("random", "greedy", "count-winners", "monte-carlo"):
        assert name in done.stdout
    assert "worlds" in done.stdout


def test_the_bench_measures(tmp_path: Path) -> None:
    words = (
        "bench",
        "random",
        "--players",
        "3,4",
        "--hand-sizes",
        "2,14",
        "--seconds",
        "0.02",
        "--format",
        "json",
    )
    figures = json.loads(ohpshaw(*words, where=tmp_path).stdout)
    assert [(row["players"], row["hand_size"]) for row in figures["engine"]] == [(3, 2), (3, 14), (4, 2)]
    assert figures["agents"][0]["decisions_per_second"] > 0
