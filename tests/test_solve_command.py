"""`ohpshaw solve`: from a round record to what each card is worth, and every mistake in one sentence."""

import csv
import doctest
import io
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from command_line import Command
from ohpshaw_sim.cards import parse_card
from ohpshaw_sim.engine.endings import solve
from ohpshaw_sim.errors import IllegalError
from ohpshaw_sim.records.ending_at import position_of

DOCS = (Path(__file__).resolve().parents[1] / "docs" / "endings.md").read_text("utf-8")
DONE: dict[str, Any] = {
    "players": 3,
    "dealer": 2,
    "hand_size": 2,
    "turn_up": "7H",
    "hands": ["AS 2C", "KS 4D", "2S 5C"],
    "bids": [1, 1, 0],
    "plays": "2C KS 5C, 2S AS 4D",
    "names": ["Ann", "Bob", "Zoë"],
    "scores": [11, 0, 0],
}
OPEN = {**DONE, "plays": "2C", "scores": None}
SHOWN = """\
line 1, trick 1: hearts are trump; oh-pshaw
  0 Ann, 0 of 1  ♥ –  ♠ A  ♦ –  ♣ –
  1 Bob, 0 of 1  ♥ –  ♠ K  ♦ 4  ♣ –
  2 Zoë, 0 of 0  ♥ –  ♠ 2  ♦ –  ♣ 5
1 Bob is to play to 2♣; 2♣ of 0 Ann is winning.

             0 Ann    1 Bob    2 Zoë  its bid
  K♠  *      11.00     0.00     0.00  lost
  4♦  *      11.00     0.00     0.00  lost
  in all     11.00     0.00     0.00
  bids        sure     lost     lost
"""


def saved(folder: Path, *records: dict[str, Any]) -> str:
    text = "".join(json.dumps(record) + "\n" for record in records)
    (folder / "rounds.jsonl").write_text(text, "utf-8")
    return "rounds.jsonl"


def test_what_people_see(ohpshaw: Command, tmp_path: Path) -> None:
    said = ohpshaw("solve", saved(tmp_path, OPEN))
    assert said.out == SHOWN
    assert said.err == ""


def test_a_round_that_is_over_is_solved_from_any_trick_on(ohpshaw: Command, tmp_path: Path) -> None:
    file = saved(tmp_path, DONE)
    error = "rounds.jsonl:1: the round is over; say at which trick to begin, 1 for the first"
    assert error in ohpshaw("solve", file, code=2).err
    (found,) = map(json.loads, ohpshaw("solve", file, "--trick", "2", "--format", "json").out.splitlines())
    assert (found["trick"], found["seat"], found["tricks"]) == (2, 2, [0, 0, 1])
    assert found["points"] == [11, 0, 0]
    without = {key: value for key, value in DONE.items() if key != "hands"}
    assert position_of(without, trick=1) == position_of(DONE, trick=1)


@pytest.mark.parametrize("ties", ["average", "spite", "first"])
def test_json_and_csv_say_what_python_says(ohpshaw: Command, tmp_path: Path, ties: str) -> None:
    file = saved(tmp_path, DONE, OPEN)
    solution = solve(position_of(DONE, trick=1), ties)
    asked = ("solve", file, "--line", "1", "--trick", "1", "--ties", ties, "--format")
    table = json.loads(ohpshaw(*asked, "json").out)
    assert [tuple(play["points"]) for play in table["plays"]] == [play.points for play in solution.plays]
    assert [play["best"] for play in table["plays"]] == [play.best for play in solution.plays]
    assert table["positions"] == solution.positions
    rows = list(csv.DictReader(io.StringIO(ohpshaw(*asked, "csv").out)))
    assert len(rows) == 3 * len(solution.plays)
    for row, (play, seat) in zip(
        rows, [(play, seat) for play in solution.plays for seat in range(3)], strict=True
    ):
        assert (parse_card(row["card"]), int(row["of_seat"])) == (play.card, seat)
        assert float(row["points"]) == play.points[seat]


def test_bids_may_be_given(ohpshaw: Command, tmp_path: Path) -> None:
    dealt = {**DONE, "bids": None, "plays": [], "scores": None}
    file = saved(tmp_path, dealt)
    assert (
        "seat 0 is to bid: 0-2; an ending is solved once all have bid" in ohpshaw("solve", file, code=2).err
    )
    given = ohpshaw("solve", file, "--bids", "1,1,0", "--format", "json").out
    assert given == ohpshaw("solve", saved(tmp_path, DONE), "--trick", "1", "--format", "json").out
    assert "2 bids were given for 3 players" in ohpshaw("solve", file, "--bids", "1,1", code=2).err
    assert "'x' is no list of bids" in ohpshaw("solve", file, "--bids", "x", code=2).err


@pytest.mark.parametrize(
    ("changes", "words", "sentence"),
    [
        ({"hands": ["AS 2C", None, "2S 5C"]}, (), "the hand of seat 1 is not in the record"),
        ({"plays": "3C"}, (), "the record breaks a rule: seat 0 plays 3C, which is not in its hand"),
        ({"misdeal": True}, (), "the round was misdealt"),
        ({}, ("--trick", "2"), "there is no trick 2 to begin at; the record goes as far as trick 1"),
        ({}, ("--line", "7"), "rounds.jsonl has no record that begins on line 7"),
    ],
)
def test_what_cannot_be_solved(
    ohpshaw: Command, tmp_path: Path, changes: dict[str, Any], words: tuple[str, ...], sentence: str
) -> None:
    assert sentence in ohpshaw("solve", saved(tmp_path, {**OPEN, **changes}), *words, code=2).err


def test_a_suit_that_is_not_named_yet() -> None:
    record = {
        "rules": "wizard",
        "players": 3,
        "dealer": 2,
        "hand_size": 1,
        "turn_up": "WC",
        "hands": ["AS", "2S", "3S"],
    }
    with pytest.raises(IllegalError, match="an ending is solved once all have bid"):
        position_of(record)


def test_the_document_shows_what_is_written(ohpshaw: Command, tmp_path: Path) -> None:
    ((name, text),) = re.findall(r"<!-- file: (\S+) -->\n```json\n(.*?)```", DOCS, re.DOTALL)
    (tmp_path / name).write_text(text, "utf-8")
    ((line, shown),) = re.findall(r"<!-- shown: ohpshaw (.*?) -->\n```\n(.*?)```", DOCS, re.DOTALL)
    assert ohpshaw(*shlex.split(line)).out == shown
    bob = {
        ties: json.loads(ohpshaw("solve", name, "--ties", ties, "--format", "json").out)["points"][1]
        for ties in ("average", "spite", "first")
    }
    assert bob == {"average": 5.5, "spite": 0, "first": 0}
    test = doctest.DocTestParser().get_doctest(DOCS, {}, "endings.md", None, 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0
