"""`ohpshaw score` as people meet it: tables of 80 columns, forms for programs, refusals; and its document."""

import io
import json
import random
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pytest
from rich.cells import cell_len
from rich.console import Console

from ohpshaw_sim.cli import app
from ohpshaw_sim.cli.score_tables import rounds_table, short_names, standings_table
from ohpshaw_sim.cli.score_words import remarks
from ohpshaw_sim.records.sheet_reading import read_sheet
from ohpshaw_sim.records.sheet_scores import score_sheet
from ohpshaw_sim.records.sheet_standings import ScoredSheet
from ohpshaw_sim.rules import Rules
from sheets import as_json, as_wide, random_evening, rules_of

DOCUMENT = (Path(__file__).resolve().parents[1] / "docs" / "score-sheets.md").read_text("utf-8")
SHEET = """\
cards,dealer,Ann bid,Ann tricks,Bob bid,Bob tricks,Cem bid,Cem tricks,note
1,Ann,0,0,1,1,1,0,first of all
2,Bob,1,1,0,1,0,0,
3,Cem,1,,1,,2,,
"""


class Said(NamedTuple):
    out: str
    err: str


Command = Callable[..., Said]


@pytest.fixture
def score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Score a text or bytes as `evening.csv`, or as stdin, and check the exit code."""

    def run(
        text: str | bytes, *words: str, code: int | tuple[int, ...] = 0, file: str = "evening.csv"
    ) -> Said:
        data = text.encode() if isinstance(text, str) else text
        (tmp_path / "evening.csv").write_bytes(data)
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("TERM", "dumb")
        monkeypatch.setenv("COLUMNS", "80")
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        monkeypatch.setattr(sys, "argv", ["ohpshaw", "score", file, *words])
        got = app.run()
        said = Said(*capsys.readouterr())
        assert got in (code if isinstance(code, tuple) else (code,)), said.err
        return said

    return run


def shown(sheet: ScoredSheet) -> list[str]:
    """All lines that the command would show."""
    out = io.StringIO()
    console = Console(file=out, width=80, color_system=None)
    console.print(rounds_table(sheet))
    console.print(standings_table(sheet))
    return (out.getvalue() + remarks(sheet)).splitlines()


# Tables


def test_the_running_table_standings_and_remarks(score: Command) -> None:
    lines = [line.strip() for line in score(SHEET, "--max-hand", "3").out.splitlines()]
    assert "1      1  Ann     over   0/0 10 10  1/1 11 11  1/0  0  0" in lines
    assert "2      2  Bob     under  1/1 11 21  0/1  0 11  0/0 10 10" in lines
    assert any(line.startswith("3      3  Cem     over    1/") for line in lines)
    assert "1  Ann        21   2/2    100" in lines
    assert "rounds     2 of 3 scored" in lines
    assert "under way  round 3, bids 4 for 3 tricks: over; it counts for nothing yet (B16)" in lines
    assert "leader     stopped now, Ann wins with 21 points (B16)" in lines
    assert "round 1    first of all" in lines


def test_a_tie_on_top_tells_of_the_tie_break(score: Command) -> None:
    assert "result     Ann wins with 21 points\n" in score(SHEET, "--max-hand", "2").out
    even = "cards,dealer,Ann bid,Ann tricks,Bob bid,Bob tricks,Cem bid,Cem tricks\n2,Ann,1,1,1,1,1,0\n"
    out = " ".join(score(even, "--hand-sizes", "2").out.split())
    assert "result Ann and Bob are tied on top with 11 points (B15)" in out
    assert "tie-break one more round of 2 cards, Bob deals; all play, Ann and Bob for the tie (B15)" in out


def test_seven_players_with_long_names_fit_80_columns() -> None:
    names = ["Anna Lena", "Maximiliane-Sophie", "José María", "Christopher", "Christoph", "Zoë", "张伟丽"]
    head = ["cards,dealer", *(f"{name} bid,{name} tricks" for name in names)]
    lines = [",".join(head)]
    lines += [f"{size},{names[(size - 1) % 7]},{size},{size}" + f",{size},0" * 6 for size in range(1, 9)]
    rules = Rules(wizard=True, scoring="wizard")
    sheet = score_sheet(read_sheet("\n".join(lines), "evening.csv"), rules)
    table = shown(sheet)
    assert max(map(cell_len, table)) <= 80
    assert "\n".join(table).count("8/0 -80") == 6  # no figure is cut


def test_names_are_cut_so_that_they_differ() -> None:
    assert short_names(["Ann", "Maximilian", "Anna Lena", "Christopher", "Christoph"], 7) == [
        "Ann",
        "Maximi…",
        "Anna",
        "Chris…1",
        "Chris…2",
    ]


@pytest.mark.parametrize("seed", range(40))
def test_every_evening_fits_80_columns(seed: int) -> None:
    evening = random_evening(seed)
    sheet = score_sheet(read_sheet(as_json(evening), "sheet.json"), rules_of(evening))
    assert max(map(cell_len, shown(sheet))) <= 80


# For programs


def test_json_and_csv_say_the_same(score: Command) -> None:
    facts = json.loads(score(SHEET, "--format", "json").out)
    assert (facts["file"], facts["complete"], facts["leaders"]) == ("evening.csv", False, ["Ann"])
    assert facts["rounds"][2]["state"] == "under way"
    frame = pd.read_csv(io.StringIO(score(SHEET, "--format", "csv").out))
    assert [one["total"] for round_ in facts["rounds"] for one in round_["scores"]] == frame["total"].tolist()
    assert frame.groupby("player")["rank"].first().to_dict() == {
        one["player"]: one["rank"] for one in facts["standings"]
    }


def test_a_sheet_comes_from_stdin_in_any_layout(score: Command) -> None:
    assert score(SHEET, file="-").out == score(SHEET).out
    evening = random_evening(1)
    wide, nested = (
        json.loads(score(text, "--format", "json", file="-").out)
        for text in (as_wide(evening), as_json(evening))
    )
    assert wide == nested


def test_rules_of_the_command_win_over_those_of_the_sheet(score: Command) -> None:
    text = '{"rules": {"preset": "oh-hell", "max_hand": 3}, "players": ["Ann", "Bob", "Cem"], "rounds": []}'
    for words, rules in (
        ((), "oh-hell:max_hand=3"),
        (("--scoring", "soft"), "oh-hell:max_hand=3,scoring=soft"),
        (("--rules", "river"), "river"),
    ):
        assert json.loads(score(text, "--format", "json", *words).out)["rules"] == rules


# Refusals


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        (SHEET.replace("2,Bob", "2,Ann"), (), 'evening.csv: row 3, column "dealer": Ann deals'),
        (
            SHEET.replace("0,0,1,1", "0,1,1,1"),
            (),
            'evening.csv: row 2, columns "Ann tricks", "Bob tricks", "Cem tricks"',
        ),
        (SHEET, ("--seats", "Ann,Bob"), "2 players make no game"),
        (SHEET, ("--seats", "Ann,Bob,Dan"), "the seats given leave out Cem"),
        (SHEET, ("--seats", "Ann\r,Bob,Cem,Dan"), "the seats given: there is no player 'Dan'"),
        (SHEET, ("--hand-sizes", "1,3", "--check-schedule"), 'column "cards": hand size 2'),
        (SHEET, ("--rules", "rivr"), "did you mean 'river'?"),
        ("", (), "there is nothing in it"),
        (b"caf\xe9,b", (), "is not UTF-8"),
        (SHEET.encode("utf-16"), (), "is not UTF-8"),
    ],
)
def test_a_refusal_is_one_sentence_and_exit_code_2(
    score: Command, text: str | bytes, words: tuple[str, ...], said: str
) -> None:
    got = score(text, *words, code=2)
    assert got.out == ""
    assert got.err.startswith("ohpshaw: ")
    assert got.err.count("\n") == 1
    assert said in got.err


@pytest.mark.parametrize("file", ["missing.csv", "."])
def test_a_file_that_cannot_be_read_is_exit_code_1(score: Command, file: str) -> None:
    assert f"{file} cannot be read" in score(SHEET, file=file, code=1).err


def test_bytes_of_chance_never_end_in_a_traceback(score: Command) -> None:
    for seed in range(100):
        draw = random.Random(seed)
        data = bytearray(
            as_wide(random_evening(seed)).encode() if seed % 2 else as_json(random_evening(seed)).encode()
        )
        for _ in range(draw.randint(1, 3)):
            data[draw.randrange(len(data))] = draw.randrange(256)
        said = score(bytes(data), code=(0, 2))
        assert said.out or re.fullmatch(r"ohpshaw: .+\n", said.err)


# The document


def test_the_examples_of_the_document_are_what_they_say(score: Command, tmp_path: Path) -> None:
    files = re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", DOCUMENT, re.DOTALL)
    assert [name for name, _ in files] == ["evening.csv", "long.csv", "evening.json"]
    for name, text in files[1:]:
        (tmp_path / name).write_text(text, "utf-8")
    lines = re.findall(r"^ohpshaw .*$", DOCUMENT, re.MULTILINE)
    assert len(lines) >= 6
    words = [shlex.split(line)[2:] for line in lines]
    printed = [score(files[0][1], *more, file=file).out for file, *more in words]
    (told,) = re.findall(r"```text\n(.*?)```", DOCUMENT, re.DOTALL)
    assert [line.rstrip() for line in printed[0].splitlines()] == told.splitlines()


def test_the_python_of_the_document_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    exec(compile(code, "score-sheets.md", "exec"), {})
    assert capsys.readouterr().out == "(12, 11, 0) (1, 2, 3) ['over', 'over']\n"
