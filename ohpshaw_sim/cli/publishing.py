"""Putting what an experiment came to where it is kept: small tables, pictures, and a page about them."""

import csv
import json
import shutil
from importlib import metadata
from pathlib import Path
from typing import Final

from ohpshaw_sim.analysis.comparison import compared
from ohpshaw_sim.analysis.run import load_run
from ohpshaw_sim.analysis.summary import standings_table
from ohpshaw_sim.analysis.tables import make_tables, standings
from ohpshaw_sim.cli.verdict import sentence
from ohpshaw_sim.errors import ConflictError
from ohpshaw_sim.report.answer import answer_for
from ohpshaw_sim.studies.experiment import Experiment
from ohpshaw_sim.studies.output import REQUEST, SUMMARY, answer_of, as_text
from ohpshaw_sim.tournament.manifest import versions
from ohpshaw_sim.tournament.parts import write_atomically

PAGE: Final = "README.md"
MADE_WITH: Final = "versions.txt"
NOT_KEPT: Final = ("timing",)
"""Tables that nobody can make again."""
_LONGEST: Final = 5_000
"""Lines of a table that is small enough to be kept."""


def publish_results(experiment: Experiment, folder: Path, target: Path, command: str) -> None:
    """Copy the tables and pictures of an experiment into `target` and write a page about them.

    What lay there under these names is replaced, tables and pictures of an earlier time go. Raises ConflictError for a
    table or picture that there is none of, FolderError where it cannot be written.
    """
    tables = _chosen(folder / "tables", ".csv", experiment.publish.tables, experiment)
    plots = _chosen(folder / "plots", ".png", experiment.publish.plots, experiment)
    target.mkdir(parents=True, exist_ok=True)
    for old in (*target.glob("*.csv"), *target.glob("*.png")):
        old.unlink()
    for path in (*tables, *plots):
        shutil.copyfile(path, target / path.name)
    page = _page(experiment, folder, command, tables, plots)
    write_atomically(target / PAGE, lambda path: _write(path, page))
    drawn = {"matplotlib": metadata.version("matplotlib")}
    made = "".join(f"{name} {version}\n" for name, version in (versions() | drawn).items())
    write_atomically(target / MADE_WITH, lambda path: _write(path, made))


def _chosen(folder: Path, ending: str, names: tuple[str, ...] | None, experiment: Experiment) -> list[Path]:
    there = {path.stem: path for path in sorted(folder.glob(f"*{ending}")) if path.stem not in NOT_KEPT}
    if names is None:
        return [path for path in there.values() if ending != ".csv" or _lines(path) <= _LONGEST]
    for name in names:
        if name not in there:
            raise ConflictError(
                f"in {experiment.path}: publish names {name!r}, but the study makes {', '.join(there) or 'nothing'}"
            )
    return [there[name] for name in names]


def _lines(path: Path) -> int:
    with path.open(encoding="utf-8", newline="") as file:
        return sum(1 for _ in csv.reader(file))


def _page(experiment: Experiment, folder: Path, command: str, tables: list[Path], plots: list[Path]) -> str:
    pieces = [
        f"# {experiment.question}",
        _answer(folder),
        f"Made by version {versions().get('ohpshaw-sim', '?')}, seed {_seed(folder)}, with\n\n```sh\n{command}\n```",
        *(f"![{_title(path)}]({path.name})" for path in plots),
        *_told(folder),
        "Tables: "
        + ", ".join(f"[{path.name}]({path.name})" for path in tables)
        + f". Versions: [{MADE_WITH}]({MADE_WITH}).",
    ]
    return "\n\n".join(piece for piece in pieces if piece) + "\n"


def _seed(folder: Path) -> int:
    """Return the seed of what a folder holds."""
    if (folder / REQUEST).exists():
        return int(json.loads((folder / REQUEST).read_text("utf-8"))["request"]["seed"])
    return int(load_run(folder).manifest["seed"])


def _title(path: Path) -> str:
    return path.stem.replace("_", " ").replace("-", " ")


def _answer(folder: Path) -> str:
    """Return the answer in a sentence; of a run by number of players."""
    if (folder / REQUEST).exists():
        return answer_of(folder)
    run = load_run(folder)
    if run.manifest.get("comparison"):
        return sentence(compared(run))
    found = make_tables(run)
    told = []
    for players, rows in found["standings"].groupby("players"):
        pairs = found["pairwise"][found["pairwise"]["players"] == players]
        told.append(f"{players} players: {answer_for(rows, pairs).sentence.striptags()}")
    return "\n\n".join(told)


def _told(folder: Path) -> list[str]:
    """Return what the summary says besides the answer, as it stands; of a run its standings."""
    if (folder / SUMMARY).exists():
        rest = (folder / SUMMARY).read_text("utf-8").partition("\n\n")[2]
        return [f"```text\n{rest.rstrip()}\n```"] if rest.strip() else []
    run = load_run(folder)
    if run.manifest.get("comparison"):
        return []
    return [f"```text\n{as_text(standings_table(standings(run))).rstrip()}\n```"]


def _write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8", newline="\n")
