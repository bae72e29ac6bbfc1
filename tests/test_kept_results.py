"""What stands in `results/reference`: a page for each study that says how it was made, and one made again."""

import re
import shutil
from importlib import metadata
from pathlib import Path

import pytest

from command_line import Command
from ohpshaw_sim import __version__

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT / "results" / "reference"
FOLDERS = sorted(path for path in REFERENCE.iterdir() if path.is_dir())
MADE_AGAIN = "seat-advantage"


def made_by_run(folder: Path) -> bool:
    return (ROOT / "experiments" / f"{folder.name}.toml").exists()


@pytest.mark.parametrize(
    "folder", [one for one in FOLDERS if made_by_run(one)], ids=lambda folder: folder.name
)
def test_each_page_says_question_command_seed_and_version(folder: Path) -> None:
    page = (folder / "README.md").read_text("utf-8")
    experiment = (ROOT / "experiments" / f"{folder.name}.toml").read_text("utf-8")
    (question,) = re.findall(r'^question = "(.+)"$', experiment, re.MULTILINE)
    assert page.startswith(f"# {question}\n\n")
    assert f"ohpshaw run experiments/{folder.name}.toml --publish results/reference/{folder.name}" in page
    (seed,) = re.findall(r"^seed = (\d+)$", experiment, re.MULTILINE)
    assert re.search(rf"Made by version \d+\.\d+\.\d+, seed {seed}, with", page)
    for name in re.findall(r"\]\((\S+?)\)", page):
        assert (folder / name).is_file(), name


def test_what_is_kept_is_small() -> None:
    assert sum(path.stat().st_size for path in REFERENCE.rglob("*") if path.is_file()) < 8_000_000


@pytest.mark.pictures
@pytest.mark.slow
def test_one_of_them_made_again_is_the_same_to_the_byte(ohpshaw: Command, tmp_path: Path) -> None:
    kept = REFERENCE / MADE_AGAIN
    shutil.copytree(ROOT / "experiments", tmp_path / "experiments")
    target = f"results/reference/{MADE_AGAIN}"
    ohpshaw("run", f"experiments/{MADE_AGAIN}.toml", "--no-progress", "--publish", target)
    made = {path.name: path.read_bytes() for path in (tmp_path / target).iterdir()}
    there = {path.name: path.read_bytes() for path in kept.iterdir()}
    assert set(made) == set(there)
    drawn_alike = f"matplotlib {metadata.version('matplotlib')}\n" in there["versions.txt"].decode()
    for name, content in there.items():
        if name == "README.md":
            version = __version__.encode()
            assert re.sub(rb"version \S+,", b"version %s," % version, content) == made[name]
        elif name != "versions.txt" and (drawn_alike or not name.endswith(".png")):
            assert content == made[name], name
