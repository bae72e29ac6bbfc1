"""Worker processes for agents that users bring: an executor that watches its workers and replaces the dead.

Such an agent may crash or hang its process. The standard pools then lose all work and cannot say who did it;
here each worker plays at a station shared with this process, so a crash or a standstill is laid at the door
of the agent whose answer was awaited.
"""

import contextlib
import mmap
import multiprocessing
import os
import pickle
import signal
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, Final, TypeVar

from ohpshaw_sim.tournament.limits import Limits
from ohpshaw_sim.tournament.losses import lost, post_mortem
from ohpshaw_sim.tournament.station import PLAYING, SIZE, Look, Station
from ohpshaw_sim.tournament.worker import serve

Result = TypeVar("Result")

COMPILE_ALLOWANCE: Final = 240.0
"""Seconds more while agents are imported and compiled."""
LIVES: Final = 3
"""How often a job is begun again when something outside kills its worker (out of memory, an operator); where agents
may forfeit, whoever handed the job in sees to that."""
_FROM_OUTSIDE: Final = (-signal.SIGINT, -signal.SIGTERM, -9)
"""Exit codes of a worker that something other than its agent has ended; 9 is SIGKILL, which Windows lacks."""
_GLANCE: Final = 0.1
_CONTEXT: Final = multiprocessing.get_context("spawn")


@dataclass
class _Job:
    """A call that waits or runs."""

    call: bytes
    future: Future[Any]
    lives: int = LIVES


class _Worker:
    """One spawned process, the pipe to it and the station it plays at."""

    def __init__(self, limits: Limits) -> None:
        handle, name = tempfile.mkstemp(prefix="ohpshaw-station-")
        os.truncate(handle, SIZE)
        self.path = Path(name)
        self.station = Station(mmap.mmap(handle, SIZE))
        os.close(handle)
        self.pipe, far_end = _CONTEXT.Pipe()
        self.process = _CONTEXT.Process(target=serve, args=(far_end, name, limits), daemon=True)
        self.process.start()
        far_end.close()
        self.job: _Job | None = None
        self.hung = False
        self.seen: Look | None = None
        self.since = 0.0

    def take(self, job: _Job) -> None:
        """Begin a job; a worker that has just died is noticed later."""
        self.job, self.seen = job, None
        with contextlib.suppress(OSError):
            self.pipe.send_bytes(job.call)

    def standstill(self, now: float) -> float:
        """Return for how many seconds nothing has moved at the station."""
        look = self.station.look()
        if look != self.seen:
            self.seen, self.since = look, now
        return now - self.since

    def dismiss(self, *, kill: bool = False) -> None:
        """End the process and let go of its memory."""
        if kill:
            self.process.kill()
        self.pipe.close()
        self.process.join(timeout=10)
        self.path.unlink(missing_ok=True)


@dataclass
class WorkerPool(Executor):
    """An executor of spawned processes; `jobs` at a time.

    A job whose worker crashes, or makes no decision for too long, ends with AgentLostError, which names the
    agent; one whose worker is killed from outside is begun again, unless agents may forfeit.
    """

    jobs: int
    limits: Limits = field(default_factory=Limits)
    _waiting: deque[_Job] = field(default_factory=deque)
    _workers: list[_Worker] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _closing: bool = False
    _stopping: bool = False
    _manager: threading.Thread | None = None

    def __post_init__(self) -> None:
        self._bell, self._button = _CONTEXT.Pipe(duplex=False)
        self.limits = self.limits.shared_out(self.jobs)

    def submit(self, function: Callable[..., Result], /, *args: Any, **kwargs: Any) -> Future[Result]:
        """Have a worker call a function of a module; see Executor.submit."""
        job = _Job(pickle.dumps((function, args, kwargs)), Future())
        with self._lock:
            if self._closing:
                raise RuntimeError("this pool of workers is closed")
            self._waiting.append(job)
            if self._manager is None:
                self._manager = threading.Thread(target=self._manage, daemon=True)
                self._manager.start()
        self._ring()
        return job.future

    def stop(self) -> None:
        """Ask the workers to begin no further block."""
        self._stopping = True
        for worker in list(self._workers):
            worker.station.stop()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers when their jobs are done; see Executor.shutdown."""
        with self._lock:
            self._closing = True
            if cancel_futures:
                while self._waiting:
                    self._waiting.popleft().future.cancel()
        self._ring()
        if wait and self._manager is not None:
            self._manager.join()

    def kill(self) -> None:
        """End the workers at once, whatever they are doing."""
        self.shutdown(wait=False, cancel_futures=True)
        for worker in list(self._workers):
            worker.process.kill()
        if self._manager is not None:
            self._manager.join()

    def _ring(self) -> None:
        with contextlib.suppress(OSError):
            self._button.send_bytes(b".")

    def _manage(self) -> None:
        """Hand out jobs, take in results, watch: the loop of the pool's own thread."""
        if hasattr(signal, "pthread_sigmask"):  # workers inherit it: Ctrl-C must not hit them while they load
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        while True:
            self._hand_out()
            with self._lock:
                if self._closing and not self._waiting and not any(worker.job for worker in self._workers):
                    break
            ready = wait([self._bell, *(worker.pipe for worker in self._workers)], timeout=_GLANCE)
            if self._bell in ready:
                self._bell.recv_bytes()
            for worker in list(self._workers):
                if worker.pipe in ready:
                    self._hear(worker)
                elif worker.job is not None:
                    self._watch(worker)
        for worker in self._workers:
            worker.dismiss()
        self._workers.clear()

    def _hand_out(self) -> None:
        """Give waiting jobs to idle workers, and make workers up to `jobs`."""
        while True:
            idle = next((worker for worker in self._workers if worker.job is None), None)
            if idle is None and len(self._workers) >= self.jobs:
                return
            with self._lock:
                job = self._waiting.popleft() if self._waiting else None
            if job is None:
                return
            if not (job.future.running() or job.future.set_running_or_notify_cancel()):
                continue
            if idle is None:
                idle = _Worker(self.limits)
                self._workers.append(idle)
            if self._stopping:
                idle.station.stop()
            idle.take(job)

    def _hear(self, worker: _Worker) -> None:
        """Take in a worker's result, or its death."""
        try:
            done, value, leaving = pickle.loads(worker.pipe.recv_bytes())
        except Exception:  # it has died, or an agent has written to the pipe
            worker.process.kill()
            self._bury(worker)
            return
        job, worker.job = worker.job, None
        if leaving:
            self._workers.remove(worker)
            worker.dismiss()
        if job is None:
            return
        if done:
            job.future.set_result(value)
        else:
            job.future.set_exception(value)

    def _watch(self, worker: _Worker) -> None:
        """Kill a worker at which nothing has moved for too long."""
        still = worker.standstill(time.monotonic())
        playing = worker.seen is not None and worker.seen.phase == PLAYING
        if still > self.limits.patience + (0 if playing else COMPILE_ALLOWANCE):
            worker.hung = True
            worker.process.kill()

    def _bury(self, worker: _Worker) -> None:
        """Settle what a dead worker leaves behind."""
        self._workers.remove(worker)
        worker.process.join(timeout=10)
        code = worker.process.exitcode
        loss = post_mortem(worker.station, code, self.limits.seconds if worker.hung else None)
        worker.dismiss()
        job = worker.job
        if job is None:
            return
        from_outside = code in _FROM_OUTSIDE and not worker.hung
        if from_outside and self._closing:
            job.future.set_exception(BrokenExecutor("the workers were ended"))
        elif from_outside and job.lives > 1 and not self.limits.forfeit:
            job.lives -= 1
            with self._lock:
                self._waiting.appendleft(job)
        else:
            job.future.set_exception(lost(loss))
