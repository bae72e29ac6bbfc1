"""Who plays the chunks: threads, watched worker processes, or any executor that is brought along."""

import threading
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self

from ohpshaw_sim.tournament.chunk import Chunk, Task, play_task
from ohpshaw_sim.tournament.limits import Limits
from ohpshaw_sim.tournament.station import Station
from ohpshaw_sim.tournament.workers import WorkerPool


class Crew:
    """An executor and how to stop it early; as a context it ends with its work done, or at once on errors."""

    def __init__(self, executor: Executor, jobs: int) -> None:
        self.executor = executor
        self.jobs = jobs

    def submit(self, task: Task) -> Future[Chunk]:
        """Have a task played."""
        return self.executor.submit(play_task, task)

    def stop(self) -> None:
        """Ask for no further block to be begun; an executor from elsewhere plays its chunks to their end."""

    def close(self, *, at_once: bool) -> None:
        """End the executor if it is this crew's own."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(at_once=kind is not None)


class ThreadCrew(Crew):
    """Threads of this process, for compiled agents that are trusted: they play without the GIL."""

    def __init__(self, jobs: int) -> None:
        super().__init__(ThreadPoolExecutor(jobs, "ohpshaw"), jobs)
        self._stop = threading.Event()
        self._stations = threading.local()

    def submit(self, task: Task) -> Future[Chunk]:
        """Have a task played by a thread, in that thread's own memory."""
        return self.executor.submit(self._play, task)

    def stop(self) -> None:
        """Ask the threads to begin no further block."""
        self._stop.set()

    def close(self, *, at_once: bool) -> None:
        """End the threads after the blocks under way; compiled code cannot be interrupted."""
        if at_once:
            self._stop.set()
        self.executor.shutdown(wait=True, cancel_futures=at_once)

    def _play(self, task: Task) -> Chunk:
        if not hasattr(self._stations, "mine"):
            self._stations.mine = Station(stop=self._stop)
        return play_task(task, self._stations.mine)


class WorkerCrew(Crew):
    """Watched worker processes, for agents that users bring."""

    def __init__(self, jobs: int, limits: Limits) -> None:
        self._pool = WorkerPool(jobs, limits)
        super().__init__(self._pool, jobs)

    def stop(self) -> None:
        """Ask the workers to begin no further block."""
        self._pool.stop()

    def close(self, *, at_once: bool) -> None:
        """End the workers."""
        if at_once:
            self._pool.kill()
        else:
            self._pool.shutdown()
