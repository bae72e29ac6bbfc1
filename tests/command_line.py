"""The `ohpshaw` command as tests run it: in this process, by the fixture `ohpshaw`, or in one of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from ohpshaw_sim.cli import app


class Said(NamedTuple):
    out: str
    err: str


COMMAND = "from ohpshaw_sim.cli import main; main()"
"""Code that is the command, for a process of its own."""
WITHOUT_PICTURES = f"""
import sys, types
sys.modules["ohpshaw_sim.charts.figures"] = types.SimpleNamespace(save_plots=lambda *_: [])
sys.modules["ohpshaw_sim.report.page"] = types.SimpleNamespace(write_report=lambda *_: None)
{COMMAND}
"""
"""The same without pictures and page of a run, which the fixture `few_pictures` leaves out of this process."""
Command = Callable[..., Said]
"""`ohpshaw(*words, code=0, where=tmp_path)`: what it said, its exit code checked."""


def in_this_process(
    words: tuple[str | Path, ...],
    where: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> tuple[int, Said]:
    """Run the command here and return its exit code and what it said."""
    monkeypatch.chdir(where)
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "argv", ["ohpshaw", *map(str, words)])
    code = app.run()
    return code, Said(*capsys.readouterr())


def process(*words: str | Path, where: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own, without pictures."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_PICTURES, *map(str, words)],
        cwd=where,
        env={**os.environ, "TERM": "dumb", "COLUMNS": "80", **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
