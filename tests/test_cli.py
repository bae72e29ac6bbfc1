"""The command line as people meet it: results on stdout, one sentence for every mistake, exit codes."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from agent_files import write_agent
from command_line import Command, process
from ohpshaw_sim.cli.tournament import ABOUT_SETS
from ohpshaw_sim.tournament.spec import BLOCK_SETS

QUICK = ("--hand-sizes", "1-3", "--sets", "32", "--seed", "5")
REPEAT = "ohpshaw tournament random random+random --hand-sizes 1-3 --sets 32 --seed 5"


def tables_in(folder: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes() for path in (folder / "tables").iterdir() if path.name != "timing.csv"
    }


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which `run` is a finished run."""
    where = tmp_path_factory.mktemp("cli")
    done = process(
        "tournament", "random", "random+random", *QUICK, "--out", "run", where=where, PYTHONHASHSEED="1"
    )
    assert done.returncode == 0, done.stderr
    return where


def test_help_names_commands_and_exit_codes_at_once(tmp_path: Path) -> None:
    before = os.times()
    done = process("--help", where=tmp_path)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    assert used < 2  # seconds of a processor, whatever else the machine does; 0.3 as a rule
    for word in ("tournament", "report", "agents", "bench", "Exit codes"):
        assert word in done.stdout


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("ohpshaw_sim.cli.app", {"numpy", "numba", "pandas", "matplotlib", "scipy", "pyarrow"}),
        ("ohpshaw_sim.tournament.run", {"pandas", "matplotlib", "scipy.stats"}),
    ],
)
def test_nothing_heavy_is_imported_early(tmp_path: Path, module: str, heavy: set[str]) -> None:
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert heavy.isdisjoint(done.stdout.split())


def test_version(ohpshaw: Command) -> None:
    assert re.fullmatch(r"ohpshaw \d+\.\d+\.\d+\S*\n", ohpshaw("--version").out)


@pytest.mark.pictures
def test_a_tournament_writes_tables_and_plots_and_says_how_to_repeat_it(
    ohpshaw: Command, tmp_path: Path
) -> None:
    said = ohpshaw("tournament", "random", "random+random", *QUICK)
    (folder,) = (tmp_path / "results").iterdir()
    assert {"standings.csv", "pairwise.csv", "timing.csv"} <= {
        path.name for path in (folder / "tables").iterdir()
    }
    assert any((folder / "plots").glob("standings*.png"))
    assert (folder / "report.html").read_text().startswith("<!doctype html>")
    assert f"report  results/{folder.name}/report.html" in said.err
    assert "random" in said.out
    assert all(len(line) <= 80 for line in said.out.splitlines())
    assert "\x1b" not in said.out + said.err
    assert f"folder  results/{folder.name}" in said.err
    assert REPEAT in said.err


def test_a_drawn_seed_is_shown_and_repeats_the_run(ohpshaw: Command) -> None:
    said = ohpshaw("tournament", "random", "random", "--hand-sizes", "2", "--sets", "16")
    repeat = re.search(r"repeat  ohpshaw (.*)", said.err)
    assert repeat is not None
    assert ohpshaw(*repeat[1].split(), "--out", "again").out == said.out


def test_hash_seeds_change_nothing(tmp_path: Path, finished: Path) -> None:
    process(
        "tournament", "random", "random+random", *QUICK, "--out", "run", where=tmp_path, PYTHONHASHSEED="2"
    )
    assert tables_in(tmp_path / "run") == tables_in(finished / "run")


def test_the_same_spec_again_shows_its_results(ohpshaw: Command, finished: Path) -> None:
    said = ohpshaw("tournament", "random", "random+random", *QUICK, "--out", "run", where=finished)
    assert "already" in said.err
    assert "random+random" in said.out


def test_results_come_as_json_and_csv(ohpshaw: Command, finished: Path) -> None:
    as_json = json.loads(ohpshaw("report", "run", "--no-plots", "--format", "json", where=finished).out)
    assert {row["agent"] for row in as_json["standings"]} == {"random", "random+random"}
    assert as_json["seed"] == 5
    as_csv = ohpshaw("report", "run", "--no-plots", "--format", "csv", where=finished).out
    assert as_csv.encode() == tables_in(finished / "run")["standings.csv"]


def test_a_report_rebuilds_the_same_tables(ohpshaw: Command, finished: Path) -> None:
    tables = tables_in(finished / "run")
    for name in tables:
        (finished / "run" / "tables" / name).unlink()
    ohpshaw("report", "run", "--no-plots", where=finished)
    assert tables_in(finished / "run") == tables


def test_a_dry_run_shows_the_plan_and_writes_nothing(ohpshaw: Command, tmp_path: Path) -> None:
    said = ohpshaw("tournament", "random", "random+random", "--players", "3,4", *QUICK, "--dry-run")
    assert "32 sets in 2 blocks" in said.out
    as_json = ohpshaw("tournament", "random", *QUICK, "--dry-run", "--format", "json")
    assert json.loads(as_json.out)["sets"] == 32
    assert not any(tmp_path.iterdir())


def test_a_configuration_file_is_read_and_flags_win(ohpshaw: Command, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text('agents = ["random"]\nhand_sizes = "1-3"\nsets = 16\nseed = 5\n')
    ohpshaw("tournament", "--config", "study.toml", "--sets", "32", "--out", "run")
    spec = json.loads((tmp_path / "run" / "manifest.json").read_text())["spec"]
    assert (spec["sets"], spec["agents"], spec["hand_sizes"]) == (32, ["random"], [1, 2, 3])


def test_four_equal_agents_get_four_rows_with_honest_intervals(ohpshaw: Command) -> None:
    rows = json.loads(ohpshaw("tournament", *["random"] * 4, *QUICK, "--format", "json").out)["standings"]
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
    ohpshaw: Command, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    got = ohpshaw("tournament", *words, code=2)
    last = got.err.strip().splitlines()[-1]
    assert last.startswith("ohpshaw: ")
    assert said in last
    assert got.out == ""
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "said"), [(("--playrs", "3"), "--players"), (("--driver", "fast"), "fast")]
)
def test_a_mistyped_option_is_exit_code_2(ohpshaw: Command, words: tuple[str, ...], said: str) -> None:
    assert said in ohpshaw("tournament", "random", *words, code=2).err


def test_another_spec_is_exit_code_2(ohpshaw: Command, finished: Path) -> None:
    words = ("tournament", "random", "--hand-sizes", "2", "--sets", "16", "--out", "run")
    assert "another tournament" in ohpshaw(*words, where=finished, code=2).err


def test_an_unwritable_folder_is_exit_code_1(ohpshaw: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = ohpshaw("tournament", "random", *QUICK, "--out", "file/run", code=1)
    assert "cannot be made" in said.err


def test_a_report_of_nothing_is_one_sentence(ohpshaw: Command) -> None:
    assert ohpshaw("report", "nothing", code=2).err.startswith("ohpshaw: nothing is no run folder")


def test_a_failing_agent_is_exit_code_3(ohpshaw: Command, tmp_path: Path) -> None:
    said = ohpshaw("tournament", "random", write_agent(tmp_path, "raises"), *QUICK, "--out", "run", code=3)
    assert said.err.strip().splitlines()[-1].startswith("ohpshaw: agent ")
    assert "raises.py" in said.err


def test_what_an_agent_prints_is_no_result(tmp_path: Path) -> None:
    agent = write_agent(tmp_path, "lowest")
    agent.write_text(agent.read_text().replace("self.asked += 1", "self.asked += 1; print('noise')"))
    done = process("tournament", "random", agent, *QUICK, where=tmp_path)
    assert done.returncode == 0
    assert "noise" not in done.stdout


def test_the_help_names_the_defaults_in_force(ohpshaw: Command) -> None:
    said = " ".join(ohpshaw("tournament", "--help").out.replace("│", " ").split())
    assert f"Sets that a line-up plays in a row (default: {BLOCK_SETS})" in said
    assert f"(default: about {ABOUT_SETS}, all line-ups equally often)" in said


def test_agents_are_listed(ohpshaw: Command) -> None:
    said = ohpshaw("agents")
    for name in ("random", "greedy", "count-winners", "monte-carlo", "worlds="):
        assert name in said.out


@pytest.mark.parametrize(("name", "code"), [("aborts", 3), ("nothing", 2)])
def test_an_agent_is_checked_in_a_process_of_its_own(
    ohpshaw: Command, tmp_path: Path, name: str, code: int
) -> None:
    agent = write_agent(tmp_path, name) if name == "aborts" else "nothing"
    said = ohpshaw("agents", "check", agent, code=code)
    assert "FAILED" in said.out
    assert ("SIGABRT" if name == "aborts" else "no agent 'nothing'") in said.out


def test_the_bench_measures(ohpshaw: Command) -> None:
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
    figures = json.loads(ohpshaw(*words).out)
    assert [(row["players"], row["hand_size"]) for row in figures["engine"]] == [(3, 2), (3, 14), (4, 2)]
    assert figures["agents"][0]["decisions_per_second"] > 0
