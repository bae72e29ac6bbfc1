"""What does playing on a Dask cluster cost? Workers and scheduler of this machine, over loopback.

    python benchmarks/scaling.py            about four minutes on a quiet machine of two processors
    python benchmarks/scaling.py --quick    half a minute, to see that it works

Two workers against one and against two threads without Dask, as ratios of interleaved repeats with their medians and
ranges; bytes of a chunk on its way out and back; processor time of the scheduler for each chunk; seconds until the
first chunk is back. Ratios by the clock mean something on a quiet machine alone, those of processor time on a busy
one, too. It needs the extra `dask`.
"""

import argparse
import pickle
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psutil

from ohpshaw_sim.tournament.chunk import Task, play_task
from ohpshaw_sim.tournament.crew import Crew, ThreadCrew
from ohpshaw_sim.tournament.dask_crew import DaskCrew
from ohpshaw_sim.tournament.limits import Limits
from ohpshaw_sim.tournament.luggage import Luggage, pack, press, unpress
from ohpshaw_sim.tournament.parts import write_part
from ohpshaw_sim.tournament.spec import Spec, make_spec

LINEUPS = {
    "4 players, 4 agents": {"agents": ("count-winners", "random", "greedy", "random+random"), "players": 4},
    "7 players, 7 agents": {"agents": ("random", "greedy", "count-winners", *("random",) * 4), "players": 7},
}
LUGGAGE = Luggage((), trusted=True, limits=Limits())


class Cluster:
    """A scheduler and workers of one thread each, as processes of their own."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.file = folder / f"scheduler-{workers}.json"
        begin = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self.file))
        self._processes = [self._begin("dask_scheduler", *begin)]
        while not self.file.exists():
            time.sleep(0.05)
        for _ in range(workers):
            how = ("--no-nanny", "--nthreads", "1", "--memory-limit", "0", "--local-directory", str(folder))
            self._processes.append(self._begin("dask_worker", "--scheduler-file", str(self.file), *how))

    def scheduler_seconds(self) -> float:
        """Return the processor time that the scheduler has taken."""
        return _processor_seconds(self._processes[0].pid)

    def seconds(self) -> float:
        """Return the processor time that scheduler and workers have taken."""
        return sum(_processor_seconds(process.pid) for process in self._processes)

    def end(self) -> None:
        for process in reversed(self._processes):
            process.kill()
            process.wait()

    @staticmethod
    def _begin(what: str, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{what}", "--no-dashboard", *words]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _processor_seconds(process: int) -> float:
    times = psutil.Process(process).cpu_times()
    return float(times.user + times.system)


def tasks(spec: Spec, chunks: int, blocks: int) -> list[Task]:
    return [Task(spec, number * blocks, (number + 1) * blocks) for number in range(chunks)]


def play(crew: Crew, work: Sequence[Task], jobs: int) -> float:
    """Have all tasks played, two for each job at a time as a run does it; return the seconds it took."""
    begun, left, pending = time.perf_counter(), iter(work), set[Future[Any]]()
    while True:
        while len(pending) < 2 * jobs and (task := next(left, None)) is not None:
            pending.add(crew.submit(task))
        if not pending:
            return time.perf_counter() - begun
        done, pending = wait(pending, return_when=FIRST_COMPLETED)
        for future in done:
            future.result()


@contextmanager
def crews(folder: Path) -> Iterator[dict[str, tuple[Crew, int, Cluster | None]]]:
    """Give who plays, with the number of jobs: threads here, one worker, two workers."""
    with ExitStack() as stack:
        found: dict[str, tuple[Crew, int, Cluster | None]] = {
            f"{jobs} threads": (stack.enter_context(ThreadCrew(jobs)), jobs, None) for jobs in (1, 2)
        }
        for workers in (1, 2):
            cluster = Cluster(folder, workers)
            stack.callback(cluster.end)
            crew = stack.enter_context(DaskCrew(str(cluster.file), LUGGAGE, lambda _: None))
            while crew.jobs < workers:
                time.sleep(0.2)
            found[f"{workers} workers"] = (crew, workers, cluster)
        yield found


def ratios(found: dict[str, tuple[Crew, int, Cluster | None]], repeats: int, blocks: int) -> None:
    spec = make_spec(**LINEUPS["4 players, 4 agents"], seed=1, sets=None)
    work = tasks(spec, 12, blocks)
    for crew, jobs, _ in found.values():
        play(crew, work[: 2 * jobs], jobs)
    seconds: dict[str, list[float]] = {name: [] for name in found}
    busy: dict[str, list[float]] = {name: [] for name in found}
    for _ in range(repeats):
        for name, (crew, jobs, cluster) in found.items():
            before = time.process_time() + (cluster.seconds() if cluster else 0)
            seconds[name].append(play(crew, work, jobs))
            busy[name].append(time.process_time() + (cluster.seconds() if cluster else 0) - before)
    each = statistics.median(busy["1 threads"]) / len(work)
    print(f"{len(work)} chunks of {blocks} blocks, {each:.2f} s each; {repeats} repeats, medians (ranges)")
    print(f"  by the clock, at a load of {psutil.getloadavg()[0]:.1f}, so many times as fast:")
    for one, other in (("2 workers", "1 workers"), ("2 threads", "1 threads"), ("2 workers", "2 threads")):
        print(f"    {one} against {other:<10} {_ratio(seconds[other], seconds[one])}")
    print("  processor time of client, scheduler and workers, against that of threads without Dask:")
    for jobs in (1, 2):
        print(
            f"    {jobs} workers against threads  {_ratio(busy[f'{jobs} workers'], busy[f'{jobs} threads'])}"
        )


def _ratio(some: list[float], others: list[float]) -> str:
    pairs = sorted(one / other for one, other in zip(some, others, strict=True))
    return f"{statistics.median(pairs):.2f} ({pairs[0]:.2f}-{pairs[-1]:.2f})"


def bytes_per_chunk() -> None:
    """Print what a chunk weighs, and what the client does with it: taking in its result and writing its part."""
    luggage = pack(LUGGAGE)[1]
    print("a chunk                     bytes: call    result      part   client's ms")
    for name, lineup in LINEUPS.items():
        spec = make_spec(**lineup, seed=1, sets=None, hand_sizes="1-7")
        for blocks in (1, 16, 256, 1024):
            task = Task(spec, 0, blocks)
            call = len(pickle.dumps((play_task, (task,)))) + len(luggage)
            result = press(play_task(task))
            with tempfile.TemporaryDirectory() as folder:
                busy = statistics.median(_take_in(result, Path(folder), blocks) for _ in range(9))
                part = sum(path.stat().st_size for path in Path(folder).iterdir())
            print(f"  {name} {blocks:>4} blocks {call:>8} {len(result):>9} {part:>9} {1e3 * busy:>13.1f}")


def _take_in(result: bytes, folder: Path, blocks: int) -> float:
    before = time.process_time()
    chunk = unpress(result)
    write_part(folder, "plan", 0, blocks, chunk.sets, chunk.rows)
    return time.process_time() - before


def scheduler_time(found: dict[str, tuple[Crew, int, Cluster | None]], chunks: int) -> None:
    spec = make_spec(agents=("random",), players=3, hand_sizes="1", block_sets=1, seed=1, sets=None)
    crew, jobs, cluster = found["2 workers"]
    assert cluster is not None
    play(crew, tasks(spec, 50, 1), jobs)
    before = cluster.scheduler_seconds()
    seconds = play(crew, tasks(spec, chunks, 1), 10 * jobs)
    busy = cluster.scheduler_seconds() - before
    print(
        f"{chunks} chunks of one tiny set: scheduler {1e3 * busy / chunks:.2f} ms of processor time for each, "
        f"{1e3 * seconds / chunks:.2f} ms by the clock (client, workers and scheduler share the machine)"
    )


def start_up(repeats: int) -> None:
    spec = make_spec(agents=("random",), players=3, hand_sizes="1", seed=1, sets=None)
    seconds = []
    for _ in range(repeats):
        begun = time.perf_counter()
        with DaskCrew("local:2", LUGGAGE, lambda _: None) as crew:
            crew.submit(Task(spec, 0, 1)).result()
            seconds.append(time.perf_counter() - begun)
    print(f"local:2 until the first chunk is back: {statistics.median(seconds):.1f} s, numba's cache warm")


def main() -> None:
    """Measure and print everything."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="few repeats of little")
    quick = parser.parse_args().quick
    bytes_per_chunk()
    start_up(1 if quick else 3)
    with tempfile.TemporaryDirectory() as folder, crews(Path(folder)) as found:
        scheduler_time(found, 100 if quick else 2000)
        ratios(found, 2 if quick else 9, 4 if quick else 120)


if __name__ == "__main__":
    main()
