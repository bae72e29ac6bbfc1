"""The command, run in the process of the tests."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest

from ohpshaw_sim.cli import app


class Said(NamedTuple):
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


Command: TypeAlias = Callable[..., Said]


def command_here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return a function that runs the command, checks its exit code and returns what it said."""

    def run(*words: str | Path, code: int = 0) -> Said:
        monkeypatch.setenv("TERM", "dumb")
        monkeypatch.setenv("COLUMNS", "80")
        monkeypatch.setattr(sys, "argv", ["ohpshaw", *map(str, words)])
        got = app.run()
        said = Said(*capsys.readouterr())
        assert got == code, said.err
        return said

    return run
