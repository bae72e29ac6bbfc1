"""Fixtures that several test modules share."""

import gc
from pathlib import Path

import pytest

from command_line import Command, Said, in_this_process
from ohpshaw_sim.charts import figures
from ohpshaw_sim.report import page


def pytest_configure() -> None:
    """Have the garbage collector look less often: it took a twelfth of the time that numba compiles for."""
    gc.set_threshold(50_000, 20, 20)


def pytest_collection_finish() -> None:
    """Spare it modules and tests, which stay."""
    gc.collect()
    gc.freeze()


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
