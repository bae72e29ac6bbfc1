"""Runs: the same tables however they are played, and a plain word when an agent fails."""

import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from agent_files import write_agent
from ohpshaw_sim.analysis.run import load_run
from ohpshaw_sim.analysis.writing import write_tables
from ohpshaw_sim.errors import AgentError, ConflictError
from ohpshaw_sim.tournament.losses import AgentLostError
from ohpshaw_sim.tournament.options import Options
from ohpshaw_sim.tournament.pace import Pace
from ohpshaw_sim.tournament.progress import Progress
from ohpshaw_sim.tournament.run import Outcome, State, play_tournament
from ohpshaw_sim.tournament.spec import Spec, make_spec
from ohpshaw_sim.tournament.station import Station, station_here
from ohpshaw_sim.tournament.stopping import interruptible
from ohpshaw_sim.tournament.workers import WorkerPool

AGENTS = ("random", "random+random", "random")


def spec_of(**values: Any) -> Spec:
    return make_spec(
        **{"agents": AGENTS, "players": "3-4", "hand_sizes": "1-3", "seed": 5, "sets": 100, **values}
    )


def tables_of(folder: Path) -> dict[str, bytes]:
    write_tables(load_run(folder))
    return {
        path.name: path.read_bytes()
        for path in (folder / "tables").glob("*.csv")
        if path.name != "timing.csv"
    }


def play(folder: Path, spec: Spec | None = None, **how: Any) -> Outcome:
    more = {key: how.pop(key) for key in ("resume", "listener", "executor") if key in how}
    return play_tournament(spec or spec_of(), Options(out=folder, **how), **more)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("runs") / "one"
    outcome = play(folder, jobs=1)
    assert outcome.state is State.FINISHED
    assert outcome.sets_played == 100
    return tables_of(folder)


@pytest.mark.parametrize(("jobs", "driver"), [(2, "auto"), (1, "compiled"), (2, "batched")])
def test_tables_are_the_same_for_any_jobs_and_driver(
    tmp_path: Path, expected: dict[str, bytes], jobs: int, driver: str
) -> None:
    play(tmp_path / "run", jobs=jobs, driver=driver)
    assert tables_of(tmp_path / "run") == expected


@pytest.mark.parametrize("size", [1, 3, 100])
def test_tables_are_the_same_for_any_cut(
    tmp_path: Path, expected: dict[str, bytes], size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pace, "next_size", lambda *_: size)
    play(tmp_path / "run")
    assert len(list((tmp_path / "run" / "parts").iterdir())) >= 6 // size
    assert tables_of(tmp_path / "run") == expected


def test_tables_are_the_same_from_any_executor(tmp_path: Path, expected: dict[str, bytes]) -> None:
    with ThreadPoolExecutor(2) as executor:
        play(tmp_path / "run", executor=executor, jobs=2)
    assert tables_of(tmp_path / "run") == expected


def test_threads_of_an_executor_play_at_stations_of_their_own() -> None:
    """At one station two threads would play in the same memory, and now and then spoil each other's game."""
    both = threading.Barrier(2)

    def station(_: int) -> Station:
        both.wait(60)
        return station_here()

    with ThreadPoolExecutor(2) as executor:
        one, other = executor.map(station, range(2))
    assert one is not other
    assert one.workspace is not other.workspace
    assert station_here() is station_here()


def test_tables_are_the_same_from_worker_processes(tmp_path: Path, expected: dict[str, bytes]) -> None:
    with WorkerPool(2) as executor:
        play(tmp_path / "run", executor=executor, jobs=2)
    assert tables_of(tmp_path / "run") == expected


def test_an_interrupted_run_goes_on_to_the_same_tables(tmp_path: Path, expected: dict[str, bytes]) -> None:
    folder = tmp_path / "run"
    outcome = play(folder, jobs=1, listener=_interrupt_after(1))
    assert outcome.state is State.INTERRUPTED
    assert 0 < outcome.sets_played < 100
    assert outcome.command == f"ohpshaw resume {folder}"
    with pytest.raises(ConflictError, match=r"unfinished.*`ohpshaw resume"):
        play(folder)
    assert play(folder, resume=True).state is State.FINISHED
    assert tables_of(folder) == expected
    assert play(folder).state is State.ALREADY_THERE


def _interrupt_after(sets: int) -> Callable[[Progress], None]:
    def listen(progress: Progress) -> None:
        if progress.sets_done >= sets and not progress.interrupted:
            os.kill(os.getpid(), signal.SIGINT)

    return listen


def test_a_run_may_grow(tmp_path: Path, expected: dict[str, bytes]) -> None:
    folder = tmp_path / "run"
    play(folder, spec_of(sets=40))
    assert play(folder).state is State.FINISHED
    assert tables_of(folder) == expected
    with pytest.raises(ConflictError, match="more than the 40"):
        play(folder, spec_of(sets=40))


def test_another_spec_is_refused(tmp_path: Path) -> None:
    play(tmp_path / "run", spec_of(sets=16))
    with pytest.raises(ConflictError, match="another tournament"):
        play(tmp_path / "run", spec_of(sets=16, seed=6))


def test_a_run_for_some_time_can_be_repeated(tmp_path: Path) -> None:
    outcome = play(tmp_path / "run", spec_of(sets=None), seconds=1.0)
    assert outcome.state is State.FINISHED
    assert outcome.sets_played % 16 == 0
    assert f"--sets {outcome.sets_played}" in outcome.command
    assert play(tmp_path / "run", spec_of(sets=outcome.sets_played)).state is State.ALREADY_THERE


def test_saved_rounds_agree_with_the_sums(tmp_path: Path) -> None:
    play(tmp_path / "run", save_rounds=True)
    files = sorted((tmp_path / "run" / "parts").glob("rounds-*.parquet"))
    rounds = [pq.read_table(file).to_pandas() for file in files]
    totals = load_run(tmp_path / "run").totals
    for entrant in range(len(AGENTS)):
        points = sum(frame.loc[frame["entrant"] == entrant, "points"].sum() for frame in rounds)
        assert points == totals.loc[totals["entrant"] == entrant, "points"].sum()


@pytest.mark.parametrize(
    ("name", "error", "said"),
    [
        ("raises", AgentError, "no idea"),
        ("illegal", AgentError, "77"),
        ("floats", AgentError, "1.0"),
        ("hangs", AgentLostError, "no answer for 1 s"),
        ("aborts", AgentLostError, "SIGABRT"),
        ("leaves", AgentLostError, "exit code 4"),
        ("quits", AgentLostError, "SystemExit"),
    ],
)
def test_a_failing_agent_is_named_and_nothing_is_half_written(
    tmp_path: Path, name: str, error: type[Exception], said: str
) -> None:
    agents, limit = ("random", str(write_agent(tmp_path, name))), 1 if name == "hangs" else 5
    with pytest.raises(error, match=said) as caught:
        play(tmp_path / "run", spec_of(agents=agents, sets=320), time_limit=limit, jobs=1)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)
    left = [path.name for path in tmp_path.rglob("*") if path.name.startswith(".tmp")]
    assert left == []
    assert not (tmp_path / "run" / "tables").exists()


def test_a_compiled_loop_is_stopped(tmp_path: Path) -> None:
    agents = ("random", f"{write_agent(tmp_path, 'compiled')}:loops=1")
    with pytest.raises(AgentLostError, match=r"compiled.*no answer"):
        play(tmp_path / "run", spec_of(agents=agents, sets=32), time_limit=1)


@pytest.mark.parametrize("name", ["lowest", "compiled"])
def test_an_agent_in_a_file_plays(tmp_path: Path, name: str) -> None:
    outcome = play(tmp_path / "run", spec_of(agents=("random", str(write_agent(tmp_path, name))), sets=32))
    assert outcome.state is State.FINISHED
    assert load_run(tmp_path / "run").entrants == ("random", str(tmp_path / f"{name}.py"))


def test_a_worker_killed_from_outside_is_replaced(tmp_path: Path) -> None:
    with WorkerPool(1) as pool:
        assert pool.submit(_die_once, str(tmp_path / "died")).result(timeout=60) == "alive"


def test_a_worker_that_is_always_killed_gives_up(tmp_path: Path) -> None:
    del tmp_path
    with WorkerPool(1) as pool, pytest.raises(AgentLostError, match="SIGKILL"):
        pool.submit(_die).result(timeout=120)


def _die_once(mark: str) -> str:
    if not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "alive"


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_workers_end_with_their_pool() -> None:
    with WorkerPool(2) as pool:
        processes = {pool.submit(os.getpid).result(timeout=60) for _ in range(4)}
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{process}").exists() for process in processes) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(Path(f"/proc/{process}").exists() for process in processes)


def test_chunks_aim_at_a_second() -> None:
    pace = Pace()
    for _ in range(8):
        pace.learn(pace.blocks, pace.blocks * 0.05, elapsed=1.0)
    assert pace.blocks == 20
    pace.learn(20, 1.0, elapsed=3600.0)
    assert pace.blocks > 20
    many = Pace(blocks=20)
    many.learn(20, 1.0, elapsed=3.0, jobs=1000)
    assert many.blocks == 80
    many.learn(80, 4.0, elapsed=3.0, jobs=100)
    assert many.blocks == 66
    assert pace.next_size(blocks_left=8, jobs=2, seconds_left=None) == 2
    assert pace.next_size(blocks_left=10**6, jobs=2, seconds_left=0.2) == 2


def test_a_second_interrupt_is_a_real_one() -> None:
    stop = threading.Event()
    with interruptible(stop):
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.wait(5)
        with pytest.raises(KeyboardInterrupt):
            _interrupt_and_wait()


def _interrupt_and_wait() -> None:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(5)
