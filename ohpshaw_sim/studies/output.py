"""The folder of a study: what was asked, its tables and pictures, and a summary that begins with the answer."""

import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import pandas as pd
from matplotlib.figure import Figure
from pydantic import BaseModel
from rich.console import Console
from rich.table import Table

from ohpshaw_sim.analysis.writing import write_table
from ohpshaw_sim.charts.paper import save
from ohpshaw_sim.errors import ConflictError
from ohpshaw_sim.tournament.manifest import git_commit, machine, versions
from ohpshaw_sim.tournament.parts import write_atomically

REQUEST: Final = "request.json"
SUMMARY: Final = "summary.txt"
WIDTH: Final = 80
CELLS: Final = "played"
"""Folder of what line-ups came to, from which an interrupted study goes on."""


def begin(out: Path, study: str, request: BaseModel) -> None:
    """Make the folder of a study and write what is asked. Raises ConflictError where something else lies there.

    The same study asked for with other options is at home there: what it has played already is used again.
    """
    if out.exists() and not out.is_dir():
        raise ConflictError(f"{out} is a file; give another folder")
    there = _study_of(out / REQUEST)
    if there != study and out.is_dir() and any(out.iterdir()):
        holds = f"a study of another kind, {there!r}" if there else "something else"
        raise ConflictError(f"{out} holds {holds}; give another folder with --out")
    out.mkdir(parents=True, exist_ok=True)
    facts = {
        "study": study,
        "request": request.model_dump(mode="json", exclude={"jobs"}),
        "versions": versions(),
        "git_commit": git_commit(),
        "machine": machine(),
    }
    text = json.dumps(facts, indent=2) + "\n"
    write_atomically(out / REQUEST, lambda path: _write(path, text))


def _study_of(path: Path) -> str:
    try:
        return str(json.loads(path.read_text("utf-8"))["study"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def write_results(
    out: Path,
    tables: Mapping[str, pd.DataFrame],
    pictures: Mapping[str, Figure],
    answer: str,
    shown: Iterable[Table],
) -> None:
    """Write the tables (CSV), the pictures (PNG) and the summary: the answer, then tables for people in 80 columns."""
    for name in ("tables", "plots"):
        (out / name).mkdir(exist_ok=True)
    for name, frame in tables.items():
        write_table(frame, out / "tables" / f"{name}.csv")
    for name, figure in pictures.items():
        save(figure, out / "plots" / f"{name}.png")
    text = wrapped(answer) + "".join(f"\n{as_text(table)}" for table in shown)
    write_atomically(out / SUMMARY, lambda path: _write(path, text))


def wrapped(text: str) -> str:
    """Return a paragraph in lines of 80 columns."""
    return as_text(text)


def as_text(table: Any) -> str:
    """Return a rich table, or a text, in plain lines of 80 columns."""
    stream = io.StringIO()
    console = Console(file=stream, width=WIDTH, color_system=None, highlight=False, markup=False)
    console.print(table)
    return "".join(f"{line.rstrip()}\n" for line in stream.getvalue().splitlines())


def answer_of(out: Path) -> str:
    """Return the answer of a study, the first paragraph of its summary; empty where there is none."""
    path = out / SUMMARY
    return " ".join(path.read_text("utf-8").split("\n\n")[0].split()) if path.exists() else ""


def _write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8", newline="\n")
