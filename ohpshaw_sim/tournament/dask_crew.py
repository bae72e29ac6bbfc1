"""A crew on a Dask cluster: one that is there, or one of this machine's own that ends with the run."""

import contextlib
import json
import logging
import re
import warnings
from pathlib import Path
from typing import Any, Final

from ohpshaw_sim.errors import ClusterError, MalformedError
from ohpshaw_sim.tournament.crew import Crew
from ohpshaw_sim.tournament.dask_pool import DaskPool, distributed
from ohpshaw_sim.tournament.luggage import Luggage
from ohpshaw_sim.tournament.store import Notice

_LOCAL: Final = re.compile(r"local:([1-9]\d{0,3})")
_ADDRESS: Final = re.compile(r"(?!local:)(\w+://)?[\w.\-\[\]:]+:\d+")
_LOUD: Final = ("distributed", "distributed.client")
"""Loggers of Dask that write to stderr what becomes of each connection."""
_PATIENCE: Final = "15s"
"""How long a scheduler may take to answer."""


class DaskCrew(Crew):
    """The workers of a Dask cluster, each thread of which plays a chunk at a time."""

    def __init__(self, target: str, luggage: Luggage, notice: Notice) -> None:
        """Connect to a cluster; see `connect`. Raises ClusterError or MalformedError."""
        check_target(target)
        distributed()  # whose import sets the levels of its loggers
        self._levels = {name: logging.getLogger(name).level for name in _LOUD}
        _set_levels(dict.fromkeys(_LOUD, logging.CRITICAL))  # what matters is told in sentences
        try:
            self._cluster, self._client = connect(target)
        except BaseException:
            _set_levels(self._levels)
            raise
        try:
            self._pool = DaskPool(self._client, luggage, notice)
        except BaseException:
            self._disconnect()
            raise
        super().__init__(self._pool, self._pool.threads)

    @property
    def jobs(self) -> int:
        """How many chunks are played at the same time; it changes as workers come and go."""
        return self._pool.threads

    @jobs.setter
    def jobs(self, jobs: int) -> None:
        """Take no notice: the cluster decides."""

    def stop(self) -> None:
        """Ask the workers to begin no further block."""
        self._pool.stop()

    def close(self, *, at_once: bool) -> None:
        """Let go of the cluster, and end it if it is this crew's own."""
        self._pool.shutdown(wait=not at_once, cancel_futures=at_once)
        self._disconnect()

    def _disconnect(self) -> None:
        with contextlib.suppress(Exception):  # the scheduler may be gone
            self._client.close(timeout=5)
        if self._cluster is not None:
            with contextlib.suppress(Exception):
                self._cluster.close(timeout=10)
        _set_levels(self._levels)


def _set_levels(levels: dict[str, int]) -> None:
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


def check_target(target: str) -> None:
    """Raise MalformedError unless a text names a cluster: a scheduler's address (tcp://HOST:PORT), its scheduler file,
    or `local:N` for N workers of one thread each on this machine."""
    if not (_LOCAL.fullmatch(target) or Path(target).is_file() or _ADDRESS.fullmatch(target)):
        raise MalformedError(
            f"dask is {target!r}; it should be the address of a scheduler, as in tcp://192.168.1.10:8786, "
            "a scheduler file that is there, or local:N for N workers on this machine"
        )


def connect(target: str) -> tuple[Any, Any]:
    """Return the cluster begun here (None = it was there) and a client of it; see `check_target`.

    Raises ClusterError when it cannot be reached or Dask is not installed.
    """
    dask, local, cluster = distributed(), _LOCAL.fullmatch(target), None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about versions of Dask: far.marks says what must be equal
            if local:
                cluster = _local_cluster(dask, int(local[1]))
            where = cluster or (_address_in(target) if Path(target).is_file() else target)
            return cluster, dask.Client(where, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, RuntimeError) as error:  # TimeoutError is an OSError
        if cluster is not None:
            cluster.close()
        raise ClusterError(
            f"no Dask scheduler answers at {target} ({_in_short(error)}); is it running, and can this machine "
            "reach it?"
        ) from None


def _address_in(scheduler_file: str) -> str:
    try:
        return str(json.loads(Path(scheduler_file).read_bytes())["address"])
    except (OSError, ValueError, LookupError, TypeError):
        raise ClusterError(f"{scheduler_file} is no scheduler file: it names no address") from None


def _local_cluster(dask: Any, workers: int) -> Any:
    return dask.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        memory_limit=0,
        silence_logs=logging.CRITICAL,
        preload=["ohpshaw_sim.tournament.far"],
    )


def _in_short(error: Exception) -> str:
    lines = str(error).splitlines()
    return lines[0] if lines else type(error).__name__
