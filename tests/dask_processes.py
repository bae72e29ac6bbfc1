"""A Dask scheduler and its workers as processes of their own, on this machine, for tests."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from distributed import Client

TESTS: Final = Path(__file__).resolve().parent


class Cluster:
    """A scheduler that begins at once, and workers that are begun one by one, in another working directory."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "scheduler.json"
        self._folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        self._log = (folder / "log.txt").open("wb")
        self.scheduler = self._begin(
            "dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self.file)
        )
        deadline = time.monotonic() + 60
        while not self.file.exists():
            assert time.monotonic() < deadline, (folder / "log.txt").read_text()
            time.sleep(0.05)

    def add_worker(self, *more: str) -> subprocess.Popen[bytes]:
        """Begin a worker of one thread; it joins in a few seconds."""
        known = ("--scheduler-file", str(self.file), "--no-nanny", "--nthreads", "1", "--memory-limit", "0")
        self.workers.append(self._begin("dask_worker", *known, "--local-directory", str(self._folder), *more))
        return self.workers[-1]

    def wait_for(self, workers: int) -> None:
        """Wait until so many workers have joined."""
        with Client(scheduler_file=str(self.file), set_as_default=False) as client:  # type: ignore[no-untyped-call]
            client.wait_for_workers(workers, timeout=60)

    def kill_workers(self) -> None:
        """Kill all workers without a warning."""
        for worker in self.workers:
            kill(worker)
        self.workers.clear()

    def end(self) -> None:
        """Kill everything."""
        self.kill_workers()
        kill(self.scheduler)
        self._log.close()

    def _begin(self, what: str, *words: str) -> subprocess.Popen[bytes]:
        paths = [str(TESTS), *filter(None, sys.path)]
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{what}", "--no-dashboard", *words],
            cwd=self._folder,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(paths),
                "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "2",
                "NUMBA_NUM_THREADS": "1",
            },
            stdout=self._log,
            stderr=self._log,
        )


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process as a lost machine would."""
    if process.poll() is None:
        process.send_signal(signal.SIGKILL)
    process.wait()


def die() -> None:
    """Kill the process that calls this: what memory that runs out does to a worker."""
    os.kill(os.getpid(), signal.SIGKILL)
