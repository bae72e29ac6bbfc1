"""What a worker on another machine does: it plays what it is called for, in a room for each run.

A call brings the luggage of its run along, and what the worker must be like; `call` is the one door, whose arguments
stay the same from version to version, so that a worker of another one can say so.
"""

import importlib
import multiprocessing
import pickle
import platform
import shutil
import signal
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import Executor
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from ohpshaw_sim.brought import Brought, stand_in
from ohpshaw_sim.tournament.limits import Limits
from ohpshaw_sim.tournament.luggage import Luggage, press, unpress
from ohpshaw_sim.tournament.manifest import source_digest
from ohpshaw_sim.tournament.station import Station, settle_thread
from ohpshaw_sim.tournament.workers import WorkerPool

_PACKAGES: Final = ("ohpshaw-sim", "numpy", "numba", "llvmlite")
"""What decides the results beside Python; what only reads and writes folders may differ."""


@cache
def marks() -> dict[str, str]:
    """Return what must be the same wherever a run is played: versions, and a digest of this package's sources."""
    found = {"python": ".".join(platform.python_version_tuple()[:2])}
    found |= {package: metadata.version(package) for package in _PACKAGES}
    return {**found, "sources of ohpshaw-sim": source_digest()}


def call(wanted: dict[str, str], key: str, luggage: bytes, function_and_arguments: bytes) -> tuple[str, Any]:
    """Return ("done", what a function returns, pressed), or ("unfit", this worker's marks) if they are not as wanted.

    Raises what the function raises.
    """
    if marks() != wanted:
        return "unfit", marks()
    function, arguments = pickle.loads(function_and_arguments)
    return "done", press(_room(key, luggage).call(function, arguments))


class Room:
    """Where the chunks of one run are played: threads of this process for trusted agents, else worker processes."""

    def __init__(self, key: str, data: bytes, threads: int) -> None:
        luggage: Luggage = unpress(data)
        self._folder = Path(tempfile.mkdtemp(prefix=f"ohpshaw-{key}-", dir=_home()))
        self._files = luggage.unpack(self._folder)
        self._stop = threading.Event()
        self._own = threading.local()
        self._pool = None if luggage.trusted else _pool(threads, luggage.limits)

    def call(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """Call a function of this package, which may play at `station_here()`."""
        if self._pool is not None:
            return self._pool.submit(call_with, self._files, function, arguments).result()
        if not hasattr(self._own, "station"):
            self._own.station = Station(stop=self._stop)
        settle_thread(self._own.station)
        return call_with(self._files, function, arguments)

    def stop(self) -> None:
        """Ask for no further block to be begun."""
        self._stop.set()
        if isinstance(self._pool, WorkerPool):
            self._pool.stop()

    def leave(self) -> None:
        """End the room's processes, whatever they are doing, and delete its files."""
        if isinstance(self._pool, WorkerPool):
            self._pool.kill()
        shutil.rmtree(self._folder, ignore_errors=True)


def call_with(files: dict[str, Brought], function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Call a function while copies stand in for the files that its run names."""
    stand_in(files)
    return function(*arguments)


_rooms: dict[str, Room] = {}
_lock = threading.Lock()


def _room(key: str, luggage: bytes) -> Room:
    with _lock:
        if key not in _rooms:
            _rooms[key] = Room(key, luggage, _threads())
        return _rooms[key]


def stop(key: str) -> None:
    """Ask this worker to begin no further block of a run."""
    if key in _rooms:
        _rooms[key].stop()


def leave(key: str) -> None:
    """Clear away what this worker keeps for a run."""
    with _lock:
        room = _rooms.pop(key, None)
    if room is not None:
        room.leave()


def dask_setup(worker: Any) -> None:  # noqa: ARG001  # the name and the signature of a Dask preload
    """Leave Ctrl-C to the one who began the run: a terminal sends it to all its processes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _worker() -> Any:
    return importlib.import_module("distributed").get_worker()


def _threads() -> int:
    return int(_worker().state.nthreads)


def _home() -> str:
    """Return the worker's own folder, which goes when it ends."""
    return str(_worker().local_directory)


def _pool(threads: int, limits: Limits) -> Executor:
    """Return watched processes for agents that users brought, as they are played at home, one for each thread."""
    # Dask marks the workers of a nanny as daemons, which may have no children; these end with their parent anyway.
    multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]
    return WorkerPool(threads, limits)
