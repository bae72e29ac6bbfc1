"""docs/records.md does what it says: its files are judged, its commands run, its Python answers as shown."""

import doctest
import re
import shlex
import sys
from pathlib import Path

import pytest

from ohpshaw_sim.cli import app
from ohpshaw_sim.records import judge, record, writing
from ohpshaw_sim.records.files import read_records
from ohpshaw_sim.records.record import KEYS
from ohpshaw_sim.records.tables import COLUMNS

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "docs" / "records.md").read_text("utf-8")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files of the document, and in it."""
    files = re.findall(r"<!-- file: (\S+) -->\n```json\n(.*?)```", TEXT, re.DOTALL)
    assert files
    for name, text in files:
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


def test_every_key_and_column_is_told_of() -> None:
    table = TEXT.partition("## Keys")[2].partition("round-record.schema.json")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [*KEYS]
    for column in COLUMNS:
        assert f"`{column}`" in TEXT, column


@pytest.mark.usefixtures("place")
def test_what_is_shown_is_what_is_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (shown,) = re.findall(r"<!-- shown: ohpshaw (.*?) -->\n```\n(.*?)```", TEXT, re.DOTALL)
    monkeypatch.setattr(sys, "argv", ["ohpshaw", *shlex.split(shown[0])])
    assert app.run() == 0
    assert capsys.readouterr().out == shown[1]


def test_the_commands_run(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for line in "".join(blocks("sh")).splitlines():
        words, _, given = line.partition("<")
        with (place / (given.strip() or "evening.jsonl")).open("rb") as data:
            monkeypatch.setattr("sys.stdin", type("Stdin", (), {"buffer": data}))
            monkeypatch.setattr(sys, "argv", shlex.split(words))
            assert app.run() == 0, line
        assert capsys.readouterr().out


@pytest.mark.usefixtures("place")
def test_its_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    script, session = blocks("python")
    exec(compile(script, "records.md", "exec"), {})
    assert [line[0] for line in capsys.readouterr().out.splitlines()] == ["1", "2"]
    test = doctest.DocTestParser().get_doctest(session, {}, "records.md", None, 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_examples_of_the_code_run() -> None:
    for module in (judge, record, writing):
        found = doctest.testmod(module)
        assert (found.failed, found.attempted > 0) == (0, True), module


@pytest.mark.usefixtures("place")
def test_the_scores_of_the_example_were_checked() -> None:
    first, second = (one for _, one in read_records("evening.jsonl"))
    assert first.scores is not None
    assert judge.judge(first).breach is None
    assert judge.judge(second).turn is not None
