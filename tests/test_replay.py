"""`ohpshaw replay` as people meet it: accounts of 80 columns, JSON, CSV, exit codes, and never a traceback."""

import csv
import io
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ohpshaw_sim.cli import app
from ohpshaw_sim.errors import OhPshawError
from ohpshaw_sim.records.account import Account
from ohpshaw_sim.records.files import read_lines
from ohpshaw_sim.records.judge import judge
from ohpshaw_sim.records.match import Totals
from ohpshaw_sim.records.record import read_record
from ohpshaw_sim.records.tables import COLUMNS, seat_rows, verdict_table
from ohpshaw_sim.records.writing import record_line, record_of_round
from random_rounds import cut, play_at_random

DONE: dict[str, Any] = {
    "players": 3,
    "dealer": 2,
    "hand_size": 2,
    "turn_up": "7H",
    "hands": ["AS 3H", "KS 4D", "2S 5C"],
    "bids": [2, 0, 1],
    "plays": "AS KS 2S, 3H 4D 5C",
    "names": ["Ann", "Bob", "Zoë"],
}
OPEN: dict[str, Any] = {**DONE, "plays": "AS"}
BROKEN: dict[str, Any] = {**DONE, "plays": "AS 4D"}
ACCOUNT = """\
match 1, round 1  oh-pshaw; 3 players, 2 cards; Zoë deals
turned up 7♥, hearts are trump
hands     0 Ann  3♥ A♠
          1 Bob  4♦ K♠
          2 Zoë  5♣ 2♠
bids      Ann: 2, Bob: 0, Zoë: 1; 3 bid for 2 tricks: over
trick 1   Ann A♠*  Bob K♠  Zoë 2♠
          Ann wins: highest spade led
trick 2   Ann 3♥*  Bob 4♦  Zoë 5♣
          Ann wins: the only trump
result            bid  tricks  score  total
          0 Ann     2       2     12     12  hit
          1 Bob     0       0     10     10  hit
          2 Zoë     1       0      0      0

match 1, round 2  oh-pshaw; 3 players, 2 cards; Zoë deals
turned up 7♥, hearts are trump
hands     0 Ann  3♥ A♠
          1 Bob  4♦ K♠
          2 Zoë  5♣ 2♠
bids      Ann: 2, Bob: 0, Zoë: 1; 3 bid for 2 tricks: over
trick 1   Ann A♠*
          Ann is winning: highest spade led
to go on  seat 1 (Bob) is to play to trick 1, spades led: K♠
"""


class Said(NamedTuple):
    out: str
    err: str


Replay = Callable[..., Said]


@pytest.fixture
def replay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Replay:
    """Replay records, or the bytes of a file, in this process, and check the exit code."""

    def run(*given: Any, options: tuple[str, ...] = (), code: int = 0) -> Said:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("TERM", "dumb")
        if len(given) == 1 and isinstance(given[0], bytes):
            data = given[0]
        else:
            data = "".join(json.dumps(record) + "\n" for record in given).encode()
        (tmp_path / "f.jsonl").write_bytes(data)
        monkeypatch.setattr(sys, "argv", ["ohpshaw", "replay", "f.jsonl", *options])
        got = app.run()
        said = Said(*capsys.readouterr())
        assert got == code, said.err
        return said

    return run


def process(*words: str, given: bytes, **environment: str) -> "subprocess.CompletedProcess[bytes]":
    """Run the command in a process of its own, with the records on standard input."""
    line = [sys.executable, "-c", "from ohpshaw_sim.cli import main; main()", "replay", "-", *words]
    return subprocess.run(line, input=given, env=environment, capture_output=True, timeout=120, check=False)


# What is shown


def test_the_account_of_a_round(replay: Replay) -> None:
    said = replay(DONE, OPEN)
    assert said.out == ACCOUNT
    assert said.err == "2 records: 1 finished, 1 unfinished, 0 broken\n"


def test_a_broken_rule_is_named_with_its_seat_and_exit_code_4(replay: Replay) -> None:
    said = replay(DONE, BROKEN, DONE, code=4)
    assert "BROKEN    B10: seat 1 (Bob) plays 4♦ but must follow spades" in said.out
    assert said.out.count("result") == 2  # what follows is read as well
    assert said.err == "3 records: 2 finished, 0 unfinished, 1 broken\n"


def test_one_line_for_each_round(replay: Replay) -> None:
    said = replay(DONE, OPEN, {**DONE, "misdeal": True}, BROKEN, options=("--brief",), code=4)
    first, second, third, fourth = said.out.splitlines()
    assert first == "line 1, match 1, round 1: finished: Ann: 12, Bob: 10, Zoë: 0"
    assert second.startswith("line 2, match 1, round 2: unfinished: seat 1 (Bob) is to play")
    assert third == "line 3, match 1, round 3: misdeal"
    assert fourth.startswith("line 4, match 1, round 3: broken, B10: seat 1 (Bob) plays 4♦")
    assert said.err.endswith("1 broken, 1 misdealt\n")


def test_json_carries_everything(replay: Replay) -> None:
    said = replay(DONE, OPEN, BROKEN, options=("--format", "json"), code=4)
    done, to_go_on, broken = map(json.loads, said.out.splitlines())
    assert done["record"] == {**DONE, "rules": "oh-pshaw", "plays": "AS KS 2S 3H 4D 5C"}
    assert (done["status"], done["trump"], done["announcement"]) == ("finished", "H", "over")
    assert (done["winners"], done["leaders"], done["tricks"]) == ([0, 0], [0, 0], [2, 0, 0])
    assert (done["scores"], done["totals"], done["voids"]) == ([12, 10, 0], [12, 10, 0], ["", "H", "H"])
    assert done["played"][1] == {
        "leader": 0,
        "cards": ["3H", "4D", "5C"],
        "led": "H",
        "winner": 0,
        "why": "the only trump",
    }
    assert (to_go_on["turn"]["seat"], to_go_on["turn"]["decision"], to_go_on["turn"]["legal"]) == (
        1,
        "play",
        ["KS"],
    )
    assert to_go_on["scores"] is None
    found = broken["broken"]
    assert (found["rule"], found["seat"], found["card"], found["trick"]) == ("B10", 1, "4D", 1)
    assert broken["turn"] is None


def test_csv_has_a_line_for_each_seat(replay: Replay) -> None:
    said = replay(DONE, OPEN, options=("--format", "csv"))
    rows = list(csv.DictReader(io.StringIO(said.out)))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 6
    assert [(row["name"], row["bid"], row["tricks"], row["score"], row["total"]) for row in rows[:2]] == [
        ("Ann", "2", "2", "12", "12"),
        ("Bob", "0", "0", "10", "10"),
    ]
    assert (rows[3]["status"], rows[3]["score"], rows[3]["total"]) == ("unfinished", "", "12")


def test_what_stdout_cannot_encode_is_written_otherwise() -> None:
    given = json.dumps({**DONE, "names": ["Ann", "\ud800", "\x1b[31m"]}).encode()
    done = process(given=given, PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert b"turned up 7H, hearts" in done.stdout
    assert b"\x1b" not in done.stdout
    for form in ("json", "csv"):
        done = process("--format", form, given=given, PYTHONIOENCODING="ascii")
        assert (done.returncode, b"Traceback" in done.stderr) == (0, False)


def test_accounts_keep_to_80_columns() -> None:
    draw = random.Random(4)
    names = ["Maximilian the Great of Somewhere", "Bob", "Bob", "É" * 90, "a\nb", "", "王"]
    for number in range(80):
        played = play_at_random(draw, largest=9)
        players = int(played.table.view.players)
        record = record_of_round(played.table, played.rules, names=names[:players] if number % 2 else None)
        table = read_record(cut(record, played, draw.randrange(len(played.decisions))))
        verdict = judge(table)
        lines = list(Account(table, verdict, Totals().add(table, verdict), symbols=True).lines())
        assert all(len(line) <= 80 and line.isprintable() for line in lines), lines


def test_an_open_pipe_that_closes_is_no_traceback() -> None:
    data = (record_line(DONE) + "\n").encode() * 3_000
    line = [sys.executable, "-c", "from ohpshaw_sim.cli import main; main()", "replay", "-"]
    with subprocess.Popen(
        line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        try:
            running.stdin.write(data)
            running.stdin.close()
        except BrokenPipeError:
            pass
        assert b"Traceback" not in running.stderr.read()


def test_progress_is_told_where_it_takes_long(replay: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ohpshaw_sim.cli.replay._FIRST_LINE", 0.0)
    first, last = replay(DONE, DONE, DONE, options=("--brief",)).err.splitlines()
    assert first.startswith("1 records, ")
    assert last.startswith("3 records: ")


# What cannot be read


def test_a_file_that_is_not_there_is_exit_code_1(replay: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    replay(DONE)
    monkeypatch.setattr(sys, "argv", ["ohpshaw", "replay", "nothing.jsonl"])
    assert app.run() == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (b"", "ohpshaw: f.jsonl:1: there is no record"),
        (b'{"players": 3}\n', "ohpshaw: f.jsonl:1: a record needs 'dealer'"),
        (b'{"palyers": 3}\n', "ohpshaw: f.jsonl:1: "),
        (record_line(DONE).encode() + b'\n{"players": 3', "ohpshaw: f.jsonl:2: this is no JSON"),
        (b"\xff\xfe", "ohpshaw: f.jsonl:1: byte 1 of this line is no UTF-8"),
    ],
)
def test_what_is_no_record_is_exit_code_2_with_its_line(replay: Replay, given: bytes, said: str) -> None:
    assert replay(given, code=2).err.splitlines()[-1].startswith(said)


def test_forms_that_exclude_each_other_are_exit_code_2(replay: Replay) -> None:
    assert "exclude each other" in replay(DONE, options=("--brief", "--format", "csv"), code=2).err


def test_the_help_tells_the_exit_codes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (["replay", "--help"], ["--help"]):
        monkeypatch.setattr(sys, "argv", ["ohpshaw", *words])
        assert app.run() == 0
        assert "4 a record breaks a rule" in " ".join(capsys.readouterr().out.replace("│", " ").split())


# Anything at all

JUNK: list[Any] = [
    *(None, True, -1, 0, 3, 99, 10**40, 2.5, 1e308, "", "TH", "none", "x" * 300, [], {}, [[]], [None] * 4),
    *(
        ["TH"] * 9,
        [0, 0, 0],
        {"preset": 3},
        {"hand_sizes": [1, "x"]},
        "wizard",
        "podrida:pack=1x13",
        "\ud800",
    ),
]


def mutated(draw: random.Random, lines: list[dict[str, Any]]) -> bytes:
    """A record, spoilt."""
    record = dict(draw.choice(lines))
    for _ in range(draw.randint(1, 3)):
        key = draw.choice(list(record))
        kind = draw.random()
        if kind < 0.15:
            record.pop(key)
        elif kind < 0.35:
            record[key] = draw.choice(JUNK)
        elif kind < 0.55 and isinstance(record[key], list) and record[key]:
            record[key] = [*record[key]]
            record[key][draw.randrange(len(record[key]))] = draw.choice(JUNK)
        elif kind < 0.9 and isinstance(record.get("plays"), str):
            words = record["plays"].split()
            if words:
                one, other = draw.randrange(len(words)), draw.randrange(len(words))
                words[one], words[other] = draw.choice([words[other], "WH", "2C", "zz"]), words[one]
            record["plays"] = " ".join(words)
        else:
            record[draw.choice(["plyas", "round", "seed", "trump", "scores", "revokes"])] = draw.choice(JUNK)
        if not record:
            break
    data = bytearray(json.dumps(record, indent=draw.choice([None, None, 1])).encode())
    for _ in range(draw.choice([0, 0, 0, 0, 1, 3])):
        data[draw.randrange(len(data))] = draw.randrange(256)
    return bytes(data[: draw.randrange(len(data))] if draw.random() < 0.1 else data)


def some_records(draw: random.Random) -> list[dict[str, Any]]:
    found = []
    for _ in range(60):
        played = play_at_random(draw, largest=5)
        more = {"names": None, "scores": played.table.scores, "round": draw.randint(1, 30)}
        record = record_of_round(played.table, played.rules, **more)
        found.append(
            cut(record, played, draw.randrange(len(played.decisions))) if draw.random() < 0.4 else record
        )
    return found


def judged(data: bytes) -> list[str]:
    """What becomes of a file: the status of each record, and `refused` where it ends with one that is none."""
    found: list[str] = []
    totals = Totals()
    try:
        for line, record in read_lines(io.BytesIO(data), "f"):
            verdict = judge(record)
            standing = totals.add(record, verdict)
            lines = list(Account(record, verdict, standing, symbols=True).lines())
            assert all(len(one) <= 80 for one in lines)
            json.dumps(verdict_table(line, record, verdict, standing))
            list(seat_rows(line, record, verdict, standing))
            assert verdict.breach is None or verdict.breach.rule[0] in "BV"
            found.append(verdict.status.value)
    except OhPshawError as error:
        sentence = str(error)
        if not (sentence.startswith("f:") and "\n" not in sentence and len(sentence) < 400):
            raise AssertionError(f"this is no sentence: {sentence!r}") from error
        found.append("refused")
    return found


def test_a_thousand_spoilt_records_are_judged_or_refused_in_one_sentence() -> None:
    draw = random.Random(1)
    records = some_records(draw)
    seen = Counter(one for _ in range(1_000) for one in judged(mutated(draw, records)))
    assert seen["refused"] > 200
    assert seen["broken"] > 100
    assert seen["finished"] > 5


def test_spoilt_files_end_with_one_of_the_exit_codes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    draw = random.Random(6)
    records = some_records(draw)
    monkeypatch.chdir(tmp_path)
    for number in range(100):
        (tmp_path / "f").write_bytes(b"\n".join(mutated(draw, records) for _ in range(draw.randint(1, 3))))
        form = draw.choice([["--brief"], [], ["--format", "json"], ["--format", "csv"]])
        monkeypatch.setattr(sys, "argv", ["ohpshaw", "replay", "f", *form])
        assert app.run() in (0, 2, 4), number
        assert "Traceback" not in capsys.readouterr().err
