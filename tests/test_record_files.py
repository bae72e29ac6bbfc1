"""Files of round records: the forms they come in, lines named in errors, and running totals."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from ohpshaw_sim.errors import FileError, MalformedError, OhPshawError
from ohpshaw_sim.records.files import read_lines, read_records
from ohpshaw_sim.records.judge import judge
from ohpshaw_sim.records.match import Standing, Totals
from ohpshaw_sim.records.record import read_record

ONE: dict[str, Any] = {"players": 3, "dealer": 2, "hand_size": 1, "turn_up": "7H"}
TWO: dict[str, Any] = {**ONE, "dealer": 0}
LINES = f"{json.dumps(ONE)}\n{json.dumps(TWO)}\n"


def read(text: str | bytes) -> list[tuple[int, int]]:
    """Line and dealer of each record of a text."""
    data = text.encode() if isinstance(text, str) else text
    return [(line, record.dealer) for line, record in read_lines(io.BytesIO(data), "f")]


# Forms


def test_one_record_to_a_line() -> None:
    assert read(LINES) == [(1, 2), (2, 0)]
    assert read(LINES.strip()) == [(1, 2), (2, 0)]
    assert read(f"\n  \n{json.dumps(ONE)}\r\n\r\n\n{json.dumps(TWO)}") == [(3, 2), (6, 0)]


def test_a_byte_order_mark_is_passed_over() -> None:
    assert read(b"\xef\xbb\xbf" + LINES.encode()) == [(1, 2), (2, 0)]
    assert read(b"\xef\xbb\xbf\n" + LINES.encode()) == [(2, 2), (3, 0)]


def test_one_record_over_several_lines() -> None:
    assert read(json.dumps(ONE, indent=2)) == [(1, 2)]
    assert read("\n\n" + json.dumps(ONE, indent=2) + "\n\n") == [(3, 2)]


def test_a_list_of_records() -> None:
    assert read(json.dumps([ONE, TWO])) == [(1, 2), (1, 0)]
    assert read(json.dumps([ONE, TWO], indent=1)) == [(2, 2), (8, 0)]
    assert read(f"[{json.dumps(ONE)},\n\n {json.dumps(TWO)}\n]\n") == [(1, 2), (3, 0)]
    assert read("[]") == []


def test_a_file_by_its_name_and_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "evening.jsonl"
    path.write_text(LINES, "utf-8")
    assert [line for line, _ in read_records(path)] == [1, 2]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(LINES.encode())))
    assert [line for line, _ in read_records("-")] == [1, 2]


# Mistakes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "f:1: there is no record"),
        (" \n\n", "f:1: there is no record"),
        (LINES + '{"players": 3,', "f:3: this is no JSON"),
        (LINES + "[]", "f:3: a record is an object"),
        (LINES + '{"players": 3}', "f:3: a record needs 'dealer'"),
        (LINES + '\n{"players": NaN}', "f:4: this is no JSON: NaN"),
        (LINES + '{"players": 3, "players": 4}', "f:3: 'players' stands there twice"),
        (LINES + '{"players": ' + "9" * 5000 + "}", "f:3: this is no JSON: a number is too long"),
        (LINES + "[" * 100_000, "f:3: this is no record: its lists are too deep"),
        (LINES.encode() + b'{"comment": "\xff"}', "f:3: byte 14 of this line is no UTF-8"),
        (LINES.encode("utf-16"), "f:1: byte 1 of this line is no UTF-8"),
        ('{\n "players": 3,\n "dealer" 2\n}', "f:3: this is no JSON"),
        (f"[{json.dumps(ONE)}\n{json.dumps(TWO)}]", "f:2: a comma or ]"),
        (f"[{json.dumps(ONE)},\n]", "f:2: this is no JSON"),
        (f"[{json.dumps(ONE)},\n{{}}]", "f:2: a record needs 'players'"),
        (f"[{json.dumps(ONE)}]\n\n5", "f:3: nothing more should come here"),
        (f"[{json.dumps(ONE)}", "f:1: a comma or ]"),
        (json.dumps(ONE, indent=2) + json.dumps(TWO, indent=2), "f:6: nothing more should come here"),
        ("hello", "f:1: this is no JSON"),
        ("5", "f:1: a record is an object"),
        ('{"rules": "oh-hel"}', "f:1: a record needs 'players'"),
        (json.dumps({**ONE, "rules": "oh-hel"}), "f:1: rules: there are no rules named 'oh-hel'"),
    ],
)
def test_a_mistake_names_its_line(text: str | bytes, said: str) -> None:
    with pytest.raises(MalformedError) as caught:
        read(text)
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


def test_what_comes_before_a_mistake_is_read() -> None:
    lines = read_lines(io.BytesIO(LINES.encode() + b"{"), "f")
    assert [next(lines).line, next(lines).line] == [1, 2]
    with pytest.raises(MalformedError):
        next(lines)


@pytest.mark.parametrize("name", ["nothing.jsonl", ".", "a\0b"])
def test_a_file_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileError) as caught:
        list(read_records(name))
    assert isinstance(caught.value, OhPshawError)
    assert "\n" not in str(caught.value)


# Running totals

WON: dict[str, Any] = {**ONE, "bids": [1, 0, 0], "plays": "AS KS QS", "names": ["Ann", "Bob", "Cem"]}


def standings(*changes: dict[str, Any]) -> list[Standing]:
    totals, found = Totals(), []
    for change in changes:
        record = read_record({**WON, **change})
        found.append(totals.add(record, judge(record)))
    return found


def places(*changes: dict[str, Any]) -> list[tuple[int, int]]:
    return [(standing.match, standing.round) for standing in standings(*changes)]


@pytest.mark.rule("B14")
def test_rounds_add_up() -> None:
    assert [standing.totals for standing in standings({}, {}, {})] == [
        (11, 10, 10),
        (22, 20, 20),
        (33, 30, 30),
    ]
    assert places({}, {}, {}) == [(1, 1), (1, 2), (1, 3)]


def test_only_consecutive_numbers_make_a_match() -> None:
    assert places({"round": 3}, {"round": 4}, {"round": 4}, {"round": 6}) == [(1, 3), (1, 4), (2, 4), (3, 6)]
    assert places({"round": 1}, {}, {"round": 2}) == [(1, 1), (2, 1), (3, 2)]


def test_other_rules_players_or_names_make_another_match() -> None:
    assert places({}, {"rules": "oh-pshaw:pack=4x13"}, {"rules": "river"}) == [(1, 1), (1, 2), (2, 1)]
    assert places({}, {"names": ["Ann", "Bob", "Dan"]}) == [(1, 1), (2, 1)]
    four = {"players": 4, "names": None, "bids": [0, 0, 0, 0], "plays": ""}
    assert places({}, four) == [(1, 1), (2, 1)]


@pytest.mark.rule("B7", "B16")
def test_what_is_not_finished_adds_nothing() -> None:
    open_ended, broken, misdealt = {"plays": "AS"}, {"bids": [9, 0, 0]}, {"misdeal": True}
    found = standings({}, open_ended, broken, misdealt, {})
    assert [standing.totals[0] for standing in found] == [11, 11, 11, 11, 22]
    assert [standing.round for standing in found] == [1, 2, 3, 4, 4]  # the same dealer deals again (B7)


def test_a_score_written_down_wrong_is_counted_as_it_should_be() -> None:
    assert standings({"scores": [0, 0, 0]}, {})[1].totals == (22, 20, 20)


@pytest.mark.rule("B7")
def test_a_misdealt_round_keeps_its_number() -> None:
    assert places({"round": 1}, {"round": 2, "misdeal": True}, {"round": 2}) == [(1, 1), (1, 2), (1, 2)]


@pytest.mark.rule("B15")
def test_extra_rounds_are_kept_apart() -> None:
    found = standings({"round": 15}, {"round": 16})  # three players play 15 rounds
    assert [(one.totals[0], one.extra) for one in found] == [(11, False), (11, True)]
