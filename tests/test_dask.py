"""Runs on a Dask cluster of real processes: the same tables whatever becomes of workers and scheduler."""

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from pathlib import Path
from typing import Any

import pytest

from agent_files import write_agent
from dask_processes import Cluster, die, kill
from ohpshaw_sim.analysis.run import load_run
from ohpshaw_sim.analysis.writing import write_tables
from ohpshaw_sim.cli import app
from ohpshaw_sim.errors import ClusterError
from ohpshaw_sim.tournament import dask_crew
from ohpshaw_sim.tournament.dask_crew import DaskCrew
from ohpshaw_sim.tournament.limits import Limits
from ohpshaw_sim.tournament.losses import AgentLostError
from ohpshaw_sim.tournament.luggage import Luggage
from ohpshaw_sim.tournament.options import Options
from ohpshaw_sim.tournament.pace import Pace
from ohpshaw_sim.tournament.progress import Progress
from ohpshaw_sim.tournament.run import Outcome, State, play_tournament
from ohpshaw_sim.tournament.spec import Spec, make_spec

pytestmark = pytest.mark.slow

BLOCKS = 24


def spec_of(*agents: str, **values: Any) -> Spec:
    request = {"players": 3, "hand_sizes": "1-2", "seed": 5, "block_sets": 2, "sets": 2 * BLOCKS, **values}
    return make_spec(agents=agents or ("random", "greedy"), **request)


def play(folder: Path, spec: Spec, dask: str | Path | None = None, **how: Any) -> Outcome:
    options = Options(out=folder, dask=None if dask is None else str(dask), jobs=1)
    return play_tournament(spec, options, **how)


def tables_of(folder: Path) -> dict[str, bytes]:
    write_tables(load_run(folder))
    tables = (folder / "tables").glob("*.csv")
    return {path.name: path.read_bytes() for path in tables if path.name != "timing.csv"}


def once(deed: Callable[[], Any]) -> Callable[[Progress], None]:
    """A listener that does something when the first sets have been played."""
    done: list[bool] = []

    def listen(progress: Progress) -> None:
        if progress.sets_done and not done:
            assert progress.sets_done < 2 * BLOCKS
            done.append(True)
            deed()

    return listen


@pytest.fixture(autouse=True)
def _one_block_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pace, "next_size", lambda *_: 1)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("home") / "run"
    play(folder, spec_of())
    return tables_of(folder)


@pytest.fixture(scope="module")
def clusters() -> Iterator[list[Cluster]]:
    begun: list[Cluster] = []
    yield begun
    for cluster in begun:
        cluster.end()


@pytest.fixture
def cluster(clusters: list[Cluster], tmp_path_factory: pytest.TempPathFactory) -> Cluster:
    """A scheduler that is there, with one worker at least: what the tests before have left of them."""
    if not clusters or clusters[-1].scheduler.poll() is not None:
        clusters.append(Cluster(tmp_path_factory.mktemp("cluster")))
    if not clusters[-1].workers:
        clusters[-1].add_worker()
    return clusters[-1]


def test_a_users_file_and_what_it_imports_go_along(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = write_agent(tmp_path, "lowest")
    agent.write_text("import its_helper\n" + agent.read_text())
    (tmp_path / "its_helper.py").write_text("HERE = True\n")
    monkeypatch.chdir(tmp_path)
    spec = spec_of("random", "lowest.py", "lowest.py+random", sets=8)
    play(tmp_path / "home", spec)
    play(tmp_path / "far", spec, cluster.file)
    assert load_run(tmp_path / "far").entrants == ("random", "lowest.py", "lowest.py+random")
    assert tables_of(tmp_path / "far") == tables_of(tmp_path / "home")


def test_a_run_that_is_interrupted_goes_on(
    cluster: Cluster, tmp_path: Path, expected: dict[str, bytes]
) -> None:
    ask = once(lambda: os.kill(os.getpid(), signal.SIGINT))
    outcome = play(tmp_path / "run", spec_of(), cluster.file, listener=ask)
    assert outcome.state is State.INTERRUPTED
    assert 0 < outcome.sets_played < 2 * BLOCKS
    assert play(tmp_path / "run", spec_of(), cluster.file, resume=True).state is State.FINISHED
    assert tables_of(tmp_path / "run") == expected


def test_an_agent_that_crashes_far_away_is_named(cluster: Cluster, tmp_path: Path) -> None:
    agents = ("random", str(write_agent(tmp_path, "aborts")))
    with pytest.raises(AgentLostError, match=r"aborts\.py.*SIGABRT"):
        play(tmp_path / "run", spec_of(*agents, sets=200), cluster.file)


def test_a_worker_of_another_version_gets_nothing_to_play(
    cluster: Cluster, tmp_path: Path, expected: dict[str, bytes]
) -> None:
    cluster.kill_workers()
    cluster.add_worker("--preload", "other_version")
    cluster.wait_for(1)
    with pytest.raises(ClusterError, match=r"no worker fits: tcp.* has numba 0\.1 instead of") as caught:
        play(tmp_path / "none", spec_of(), cluster.file)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "none").exists()
    cluster.add_worker()
    cluster.wait_for(2)

    def replace_the_one_that_fits() -> None:
        """What was meant for it is sent to the one that joins, though another is there all the time."""
        kill(cluster.workers[-1])
        cluster.add_worker()

    said: list[str] = []
    listener = once(replace_the_one_that_fits)
    play(tmp_path / "run", spec_of(), cluster.file, notice=said.append, listener=listener)
    assert len(said) == 1
    assert "gets nothing to play: it has numba 0.1 instead of" in said[0]
    cluster.kill_workers()
    assert tables_of(tmp_path / "run") == expected


def test_workers_that_die_are_replaced_by_one_that_joins_late(
    cluster: Cluster, tmp_path: Path, expected: dict[str, bytes]
) -> None:
    while len(cluster.workers) < 2:
        cluster.add_worker()
    cluster.wait_for(2)
    kill_one = once(lambda: kill(cluster.workers[0]))

    def listen(progress: Progress) -> None:
        kill_one(progress)
        if progress.sets_done >= BLOCKS and len(cluster.workers) == 2:
            cluster.kill_workers()
            cluster.add_worker()

    outcome = play(tmp_path / "run", spec_of(), cluster.file, listener=listen)
    assert outcome.state is State.FINISHED
    assert len(cluster.workers) == 1
    assert tables_of(tmp_path / "run") == expected


def test_a_chunk_that_loses_each_worker_is_given_up(cluster: Cluster) -> None:
    while len(cluster.workers) < 3:
        cluster.add_worker()
    with (
        DaskCrew(str(cluster.file), Luggage((), True, Limits()), print) as crew,
        pytest.raises(ClusterError, match="3 times in a row; look into the workers' logs"),
    ):
        crew.executor.submit(die).result(timeout=60)
    cluster.kill_workers()


def test_a_lost_scheduler_ends_the_run_and_loses_nothing(
    cluster: Cluster, tmp_path: Path, expected: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    monkeypatch.setattr(dask_crew, "_PATIENCE", "6s")  # so long it is waited for
    with pytest.raises(ClusterError, match="the connection to the scheduler was lost") as caught:
        play(folder, spec_of(), cluster.file, listener=once(lambda: kill(cluster.scheduler)))
    assert app._exit_code(caught.value) == 1
    assert load_run(folder).totals["n"].sum() > 0
    play(folder, spec_of(), resume=True)
    assert tables_of(folder) == expected


def test_a_cluster_of_this_machine(tmp_path: Path) -> None:
    """Its workers have nannies, and so are daemons, which may have no children unless they are told."""
    spec = spec_of("random", str(write_agent(tmp_path, "lowest")), sets=8)
    play(tmp_path / "home", spec)
    play(tmp_path / "far", spec, "local:1")
    assert tables_of(tmp_path / "far") == tables_of(tmp_path / "home")


def test_a_run_that_nobody_plays_can_be_stopped(tmp_path: Path) -> None:
    """It waits for workers as long as it takes, or until Ctrl-C."""
    cluster = Cluster(tmp_path)
    said: list[str] = []
    try:
        with DaskCrew(str(cluster.file), Luggage((), True, Limits()), said.append) as crew:
            future = crew.executor.submit(os.getpid)
            assert not future.cancel()
            crew.stop()
            assert wait([future], timeout=30).done
            assert future.cancelled()
    finally:
        cluster.end()
    assert "waiting for one to join tcp://127.0.0.1" in said[0]
