"""What people are shown works: the example agents, and the commands of the README's tour."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from command_line import COMMAND, WITHOUT_PICTURES, Command
from ohpshaw_sim.cli import agents as checking

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = sorted((ROOT / "examples" / "agents").glob("*.py"))
README = (ROOT / "README.md").read_text("utf-8")


QUICK_CHECK = """
import sys
from ohpshaw_sim.engine import conformance
conformance.SECONDS_TO_PLAY, conformance.SECONDS_TO_TIME = 0.5, 0.05
sys.exit(conformance.main(sys.argv[1]))
"""
"""What `agents check` runs in a process of its own, each check for less time."""


@pytest.fixture(autouse=True)
def _checks_are_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "_CHECK", ("-c", QUICK_CHECK))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the examples and experiments as in the clone, and the files that the README has people save."""
    folder = tmp_path_factory.mktemp("examples")
    for name in ("examples", "experiments"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", README, re.DOTALL):
        (folder / name).write_text(text, "utf-8")
    return folder


TOUR = {
    section.splitlines()[0]: re.findall(r"^ohpshaw (.*)$", "".join(blocks), re.MULTILINE)
    for section in re.split(r"^##+ ", README, flags=re.MULTILINE)
    if (blocks := re.findall(r"^```sh\n(.*?)^```", section, re.DOTALL | re.MULTILINE))
}
"""The commands of the README's shell blocks, without the word `ohpshaw`, by the heading they stand under."""
TYPED = TOUR["A tournament"][0]
"""The one that is run in a process of its own, pictures and all."""


def run(line: str, where: Path, code: str = COMMAND) -> None:
    """Run a command in a process of its own; it must end well."""
    done = subprocess.run(
        [sys.executable, "-c", code, *shlex.split(line)],
        cwd=where,
        env={**os.environ, "TERM": "dumb", "COLUMNS": "80"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"


def test_the_examples_are_one_compiled_and_one_plain() -> None:
    assert [path.stem for path in EXAMPLES] == ["compiled_agent", "python_agent"]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_say_how_to_play_and_check_them(path: Path) -> None:
    shown = path.relative_to(ROOT).as_posix()
    text = path.read_text("utf-8")
    assert f"ohpshaw tournament {shown} " in text
    assert f"ohpshaw agents check {shown}" in text


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_conform(path: Path, place: Path, ohpshaw: Command) -> None:
    said = ohpshaw("agents", "check", path.relative_to(ROOT).as_posix(), where=place)
    assert "FAILED" not in said.out
    assert "speed" in said.out


def test_examples_enter_a_tournament_by_path_again_and_again(place: Path) -> None:
    agents = [path.relative_to(ROOT).as_posix() for path in EXAMPLES]
    line = f"tournament {' '.join(agents)} random --hand-sizes 1-5 --sets 48 --seed 1 --out"
    first, second = place / "results" / "first", place / "results" / "second"
    run(f"{line} {first}", place, WITHOUT_PICTURES)
    run(
        f"{line} {second} --jobs 1", place, WITHOUT_PICTURES
    )  # what the first one compiled is now loaded from the cache
    standings = [(folder / "tables" / "standings.csv").read_bytes() for folder in (first, second)]
    assert standings[0] == standings[1]
    ranked = pd.read_csv(first / "tables" / "standings.csv")
    assert sorted(ranked["agent"]) == sorted([*agents, "random"])
    assert ranked["agent"].iloc[-1] == "random"


def test_the_tour_shows_the_commands() -> None:
    shown = [line for lines in TOUR.values() for line in lines]
    for command in (
        "tournament",
        "report",
        "rules",
        "replay",
        "score",
        "deal",
        "watch",
        "agents check",
        "bench",
        "run",
        "ladder",
        "bidding",
    ):
        assert any(line.startswith(command) for line in shown), command


@pytest.mark.parametrize("heading", [heading for heading, lines in TOUR.items() if lines])
def test_the_tour_of_the_readme(heading: str, place: Path, ohpshaw: Command) -> None:
    """Section by section; no section needs what another one has made."""
    for line in TOUR[heading]:
        if line == TYPED:
            run(line, place)
            assert (place / "results" / "tour" / "report.html").exists()
        else:
            ohpshaw(*shlex.split(line), where=place)


def test_links_of_the_documents_lead_somewhere() -> None:
    folders = [
        ROOT / name for name in ("", "docs", "experiments", "results", "notebooks", "notebooks/rendered")
    ]
    for document in [document for folder in folders for document in folder.glob("*.md")]:
        text = document.read_text("utf-8")
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            if not link.startswith("http"):
                name, _, heading = link.partition("#")
                target = document.parent / name if name else document
                assert target.exists(), f"{document.name}: {link}"
                assert not heading or heading in headings(target), f"{document.name}: {link}"


def headings(document: Path) -> list[str]:
    """The anchors of a document's headings."""
    titles = re.findall(r"^#+ (.*)$", document.read_text("utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles]
