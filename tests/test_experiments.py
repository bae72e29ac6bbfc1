"""Experiments: every file runs at demonstration size, what is wrong in one is told in a sentence, pages say how."""

import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from command_line import Command
from ohpshaw_sim.kernels._jit import JIT_DISABLED

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted((ROOT / "experiments").glob("*.toml"))
TOLD = (ROOT / "experiments" / "README.md").read_text("utf-8")

SEATS = """
question = "Is it better to bid last?"
study = "rules"
agents = ["random"]
players = "3"
hand-sizes = "1-2"
sets = 6
seed = 1
[demo]
sets = 4
"""


def write(where: Path, text: str, name: str = "seats.toml") -> Path:
    path = where / name
    path.write_text(text, "utf-8")
    return path


@pytest.mark.pictures
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_experiment_runs_at_demonstration_size(path: Path, ohpshaw: Command, tmp_path: Path) -> None:
    said = ohpshaw("run", path, "--demo", "--no-progress", "--publish", "kept")
    assert all(len(line) <= 80 for line in said.out.splitlines())
    folder = tmp_path / "results" / f"{path.stem}-demo"
    assert any((folder / "tables").glob("*.csv"))
    page = (tmp_path / "kept" / "README.md").read_text("utf-8")
    question = re.search(r'^question = "(.+)"$', path.read_text("utf-8"), re.MULTILINE)
    assert question is not None
    assert page.startswith(f"# {question[1]}\n\n")
    assert f"ohpshaw run {path} --demo" in page
    for name in re.findall(r"\]\((\S+?)\)", page):
        assert (tmp_path / "kept" / name).is_file()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_experiment_is_listed(path: Path) -> None:
    assert f"[{path.name}]({path.name})" in TOLD


@pytest.mark.skipif(JIT_DISABLED, reason="too slow for an interpreter")
def test_ingredients_are_compared_seat_by_seat(tmp_path: Path) -> None:
    small = ("--sets", "2", "--up-to", "2", "--seconds", "0.01", "--jobs", "1", "--out", str(tmp_path))
    line = [sys.executable, str(ROOT / "experiments" / "ingredients.py"), *small]
    subprocess.run(line, check=True, capture_output=True, cwd=tmp_path)
    whole, *others = pd.read_csv(tmp_path / "ingredients.csv").to_dict("records")
    assert len(others) == 5
    for row in others:
        for figure, mean in (("points_more", "points_per_round"), ("wins_more", "win_share")):
            assert row[figure] == pytest.approx(whole[mean] - row[mean], abs=1e-5)
            assert row[f"{figure}_low"] <= row[figure] <= row[f"{figure}_high"]


def test_full_size_and_demonstration_go_to_folders_of_their_own(ohpshaw: Command, tmp_path: Path) -> None:
    path = write(tmp_path, SEATS)
    ohpshaw("run", path)
    ohpshaw("run", path, "--demo")
    sets = [
        int(pd.read_csv(tmp_path / "results" / name / "tables" / "variants.csv")["sets"].iloc[0])
        for name in ("seats", "seats-demo")
    ]
    assert sets == [6, 4]


def test_what_was_played_is_not_played_again(ohpshaw: Command, tmp_path: Path) -> None:
    path = write(tmp_path, SEATS)
    first = ohpshaw("run", path)
    played = tmp_path / "results" / "seats" / "played"
    (one,) = played.iterdir()
    before = one.stat().st_mtime_ns
    assert ohpshaw("run", path).out == first.out
    assert one.stat().st_mtime_ns == before
    ohpshaw("run", path, "--seed", "2")
    assert len([*played.iterdir()]) == 2


def test_jobs_change_nothing(ohpshaw: Command, tmp_path: Path) -> None:
    path = write(tmp_path, SEATS)
    ohpshaw("run", path, "--jobs", "1", "--out", "one")
    ohpshaw("run", path, "--jobs", "3", "--out", "three")
    for name in ("variants", "positions", "dealer_less_eldest"):
        one, three = (tmp_path / folder / "tables" / f"{name}.csv" for folder in ("one", "three"))
        assert one.read_bytes() == three.read_bytes()


def test_a_tournament_goes_on_and_a_comparison_decides(ohpshaw: Command, tmp_path: Path) -> None:
    play = 'question = "Who?"\nstudy = "tournament"\nagents = ["random", "greedy"]\nplayers = 3\nhand_sizes = [1, 2]\n'
    path = write(tmp_path, f"{play}sets = 32\nseed = 1\n[rules]\nhook = true\n", "who.toml")
    ohpshaw("run", path)
    assert "holds this run already" in ohpshaw("run", path).err
    compare = play.replace("tournament", "compare").replace("players = 3", 'players = 3\nfield = ["random"]')
    path = write(tmp_path, f"{compare}max-sets = 128\nmin_sets = 64\nseed = 1\n", "than.toml")
    said = ohpshaw("run", path, "--publish", "kept")
    assert "random" in said.out
    assert said.out.split("\n\n")[0].split()[0] in (tmp_path / "kept" / "README.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (('study = "rules"', 'study = "rule"'), "there is no study 'rule' (did you mean 'rules'?)"),
        (('question = "Is it better to bid last?"', ""), "an experiment needs 'question'"),
        (('study = "rules"', ""), "an experiment needs 'study'"),
        (("sets = 6", "stes = 6"), "a study of rules has no 'stes' (did you mean 'sets'?)"),
        (("sets = 6", ""), "a study of rules needs 'sets'"),
        (("sets = 6", "sets = 1"), "sets is 1; it should be greater than or equal to 2"),
        (("sets = 6", 'sets = "many"'), "sets is 'many'; it should be a whole number"),
        (('players = "3"', 'players = "2"'), "2 players"),
        (('["random"]', '["rndom"]'), "there is no agent 'rndom'; did you mean 'random'?"),
        (("[demo]\nsets = 4", "demo = 3"), "demo is 3; it should be a table of options, below [demo]"),
        (("[demo]", '[demo]\nstudy = "ladder"'), "[demo] has 'study', which a demonstration cannot change"),
        (("[demo]", '[publish]\ntabels = ["x"]\n[demo]'), "has no 'tabels' (did you mean 'tables'?)"),
        (
            ("[demo]", '[variants]\na = "oh-hel"\n[demo]'),
            "there are no rules named 'oh-hel' (did you mean 'oh-hell'?)",
        ),
        (('hand-sizes = "1-2"', 'hand-sizes = "1-2"\nhook = "perhaps"'), "hook is 'perhaps'"),
    ],
)
def test_a_mistake_is_told_in_a_sentence(
    ohpshaw: Command, tmp_path: Path, change: tuple[str, str], sentence: str
) -> None:
    text = SEATS.replace(*change)
    assert text != SEATS
    size = ("--demo",) if "demo" in change[0] else ()
    said = ohpshaw("run", write(tmp_path, text), *size, code=2)
    assert sentence in said.err
    assert "Traceback" not in said.err
    assert not (tmp_path / "results").exists()


def test_a_table_that_is_not_made_cannot_be_published(ohpshaw: Command, tmp_path: Path) -> None:
    path = write(tmp_path, SEATS.replace("[demo]", '[publish]\ntables = ["standings"]\n[demo]'))
    said = ohpshaw("run", path, "--publish", "kept", code=2)
    assert (
        "publish names 'standings', but the study makes dealer_less_eldest, positions, variants" in said.err
    )


def test_a_folder_of_something_else_is_left_alone(ohpshaw: Command, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    write(tmp_path / "mine", "dear diary", "diary.txt")
    path = write(tmp_path, SEATS)
    assert "holds something else" in ohpshaw("run", path, "--out", "mine", code=2).err
    assert [one.name for one in (tmp_path / "mine").iterdir()] == ["diary.txt"]
    assert "cannot be read" in ohpshaw("run", "none.toml", code=2).err
