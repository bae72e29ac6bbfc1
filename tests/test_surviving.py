"""Runs that are killed, interrupted or find the disk full, and go on to the very same tables."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import mortal_run
from command_line import Command
from ohpshaw_sim.analysis.run import load_run
from ohpshaw_sim.analysis.writing import write_tables
from ohpshaw_sim.tournament.options import Options
from ohpshaw_sim.tournament.pace import Pace
from ohpshaw_sim.tournament.parts import TEMPORARY, FolderError
from ohpshaw_sim.tournament.run import play_tournament

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes are killed as POSIX does it")
REQUEST = ("random", "greedy", "--hand-sizes", "1-3", "--seed", "4", "--block-sets", "1", "--no-progress")


def tables_of(folder: Path) -> dict[str, bytes]:
    write_tables(load_run(folder))
    return {
        path.name: path.read_bytes() for path in (folder / "tables").glob("*.csv") if path.stem != "timing"
    }


def kept_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted((folder / "records").glob("*.jsonl")))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of `mortal_run`, never interrupted."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    how = Options(out=folder, jobs=1, save_rounds=True, records="every:40")
    play_tournament(mortal_run.spec_of(), how)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(("kills", "kept"), [(25, "PLAIN"), (12, "KEPT")])
def test_a_run_killed_at_random_moments_ends_with_the_same_tables(
    tmp_path: Path, whole: Path, kills: int, kept: str
) -> None:
    folder = tmp_path / "run"
    words = [sys.executable, mortal_run.__file__, str(folder), str(kills), "7", kept]
    told = subprocess.run(words, capture_output=True, text=True, timeout=500, check=True)
    lives = [line.split() for line in told.stdout.splitlines()]
    assert [life[0] for life in lives].count("moment") == (kills + 1) // 2
    assert sum(life[2] == "killed" for life in lives[:-1]) >= kills * 4 // 5, told.stdout
    assert lives[-1][2:4] == ["ended", "0"], told.stdout + told.stderr
    sets = [int(life[-2]) for life in lives]
    assert sets == sorted(sets), "what was played is never lost"
    assert sets[-1] == mortal_run.SETS
    assert len({*sets}) > kills // 4, "the run went on between the kills"
    assert tables_of(folder) == tables_of(whole)
    assert not [path for path in folder.rglob("*") if path.name.startswith(TEMPORARY)]
    assert not (folder / "aside").exists()
    if kept == "KEPT":
        assert kept_of(folder) == kept_of(whole)


@pytest.mark.slow
def test_a_command_killed_in_the_middle_is_resumed_by_the_command(tmp_path: Path, ohpshaw: Command) -> None:
    words = ["tournament", *REQUEST, "--for", "5m", "--out", "run"]
    running = subprocess.Popen(
        [sys.executable, "-c", "from ohpshaw_sim.cli import main; main()", *words],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(tmp_path / "run" / "parts", running)
        assert ohpshaw("status", "run").err.startswith("playing: ")
        assert "another run is being played into run" in ohpshaw("resume", "run", code=2).err
    finally:
        running.send_signal(signal.SIGKILL)
        running.wait()
    told = ohpshaw("status", "run").err
    assert told.startswith("stopped: ")
    assert told.rstrip().endswith("to go on: ohpshaw resume run")
    went_on = ohpshaw("resume", "run", "--for", "0.2s", "--no-progress")
    assert went_on.err.splitlines()[-1] == "go on   ohpshaw resume run --for TIME"
    sets = str(load_run(tmp_path / "run").manifest["sets"])
    other = ohpshaw("tournament", *REQUEST, "--sets", sets, "--out", "other")
    assert other.out == went_on.out
    assert tables_of(tmp_path / "run") == tables_of(tmp_path / "other")


def _wait_for(parts: Path, running: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 120
    while not any(parts.glob("part-*")):
        assert running.poll() is None, "the run ended before it was killed"
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with room for little."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk], check=False, capture_output=True
    ).returncode:
        pytest.skip("a small file system can be mounted by root only")
    yield disk
    subprocess.run(["umount", "--lazy", disk], check=True)


def test_a_full_disk_is_told_and_the_run_goes_on_when_there_is_room(
    small_disk: Path, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pace, "next_size", lambda *_: 5)
    folder = small_disk / "run"
    how = Options(out=folder, jobs=2)
    with pytest.raises(FolderError, match=r"part-\d+-\d+.parquet cannot be written: No space left on device"):
        play_tournament(mortal_run.spec_of(), how)
    assert not [path for path in folder.rglob("*") if path.name.startswith(TEMPORARY)]
    assert load_run(folder).totals["n"].sum() > 0
    subprocess.run(["mount", "-o", "remount,size=64m", small_disk], check=True)
    play_tournament(mortal_run.spec_of(), how, resume=True)
    assert tables_of(folder) == tables_of(whole)


def test_a_quota_is_told_with_the_line_that_goes_on(tmp_path: Path, whole: Path) -> None:
    """Files of more than a few kilobytes cannot be written: the manifest fits, parts do not."""
    child = os.fork()
    if child == 0:  # pragma: no cover - a process of its own
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        os._exit(_play_under_quota(tmp_path / "run"))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    folder = tmp_path / "run"
    play_tournament(mortal_run.spec_of(), Options(out=folder), resume=True)
    assert tables_of(folder) == tables_of(whole)


def _play_under_quota(folder: Path) -> int:
    Pace.next_size = lambda *_: 5  # type: ignore[method-assign]
    played: list[int] = []
    try:

        def watch(_: object) -> None:
            played.append(1)
            if len(played) == 3:
                resource.setrlimit(resource.RLIMIT_FSIZE, (6_000, resource.RLIM_INFINITY))

        play_tournament(mortal_run.spec_of(), Options(out=folder, jobs=1), listener=watch)
    except FolderError as error:
        return 0 if "cannot be written: File too large" in str(error) else 3
    return 4
