"""Fixtures that several test modules share."""

from pathlib import Path

import pytest

from command_line import Command, Said, in_this_process
from ohpshaw_sim.charts import figures
from ohpshaw_sim.report import page


@pytest.fixture(autouse=True)
def few_pictures(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out pictures and the page of a run, which take most of a small run's time, but for tests of them."""
    if request.node.get_closest_marker("pictures") is None:
        monkeypatch.setattr(figures, "save_plots", lambda *_: [])
        monkeypatch.setattr(page, "write_report", lambda *_: None)


@pytest.fixture
def ohpshaw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command in this process, in `tmp_path` unless told otherwise, and check its exit code."""

    def run(*words: str | Path, code: int = 0, where: Path = tmp_path) -> Said:
        got, said = in_this_process(words, where, monkeypatch, capsys)
        assert got == code, said.err
        return said

    return run
