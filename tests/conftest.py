"""Fixtures that several test modules share."""

from pathlib import Path

import pytest

from command_line import Command, Said, in_this_process


@pytest.fixture
def ohpshaw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command in this process, in `tmp_path` unless told otherwise, and check its exit code."""

    def run(*words: str | Path, code: int = 0, where: Path = tmp_path) -> Said:
        got, said = in_this_process(words, where, monkeypatch, capsys)
        assert got == code, said.err
        return said

    return run
