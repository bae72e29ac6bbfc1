"""The workers of a Dask cluster as an executor: whoever fits takes part, whenever it joins.

A worker that dies has its calls begun again elsewhere, by Dask itself. What is added here: each call brings along the
files of its run, workers of other versions get nothing to play, and each way to fail is told in a sentence.
"""

import contextlib
import importlib
import pickle
import threading
from collections.abc import Callable
from concurrent import futures
from concurrent.futures import Executor, Future
from typing import Any, Final, TypeVar

from ohpshaw_sim.errors import ClusterError, OhPshawError
from ohpshaw_sim.tournament import far
from ohpshaw_sim.tournament.luggage import Luggage, pack, unpress
from ohpshaw_sim.tournament.store import Notice

Result = TypeVar("Result")

_GLANCE: Final = 2.0
"""Seconds between two looks at who is there."""


class DaskPool(Executor):
    """An executor of a Dask client's workers, which fit or are left out.

    `notice` is handed a sentence, from another thread maybe, when there is nobody to play or somebody does not fit.
    Calls wait until somebody is there.
    """

    def __init__(self, client: Any, luggage: Luggage, notice: Notice) -> None:
        """Look who is there. Raises ClusterError when workers are there and none of them fits."""
        self._client = client
        self._notice = notice
        self._marks = far.marks()
        digest, self._luggage = pack(luggage)
        self._key = f"{digest}-{client.id}"
        self._executor = client.get_executor(pure=False)  # and no retries: what fails once fails again
        self._lock = threading.RLock()
        self._sent: dict[_Call[Any], _Sent] = {}
        self._threads: dict[str, int] = {}
        self._unfit: dict[str, str] = {}
        self._alone = False
        self._stopping = False
        self._closed = threading.Event()
        with contextlib.suppress(Exception):  # a worker that dies meanwhile; the watch looks again
            self._look_around()
        if self._unfit and not self._threads:
            raise ClusterError(self._why_nobody())
        self._watch = threading.Thread(target=self._keep_watch, daemon=True)
        self._watch.start()

    @property
    def threads(self) -> int:
        """How many calls can be played at the same time, as of a moment ago; at least 1."""
        return max(1, sum(self._threads.values()))

    def submit(self, function: Callable[..., Result], /, *args: Any, **kwargs: Any) -> Future[Result]:
        """Have a worker call a function of this package by position; see Executor.submit."""
        if kwargs:
            raise TypeError("calls on a cluster take no named arguments")
        outer: _Call[Result] = _Call()
        self._send(outer, pickle.dumps((function, args)))
        return outer

    def stop(self) -> None:
        """Ask all workers to begin no further block."""
        if not self._stopping:
            self._stopping = True
            threading.Thread(target=self._ask_to_stop, daemon=True).start()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let go of the workers; see Executor.shutdown. They play on for others."""
        if cancel_futures:
            self._forget_all()
        elif wait:
            futures.wait(list(self._sent))
        self._closed.set()
        if self._client.status == "running":  # else everything would wait for the scheduler to come back
            with contextlib.suppress(Exception):
                self._executor.shutdown(wait=False)  # it would wait for what was sent in vain, too
                self._on_workers(far.leave)
        self._watch.join(timeout=_GLANCE)

    def _send(self, outer: "_Call[Any]", call: bytes) -> None:
        """Hand a call to the scheduler, for those who fit; where only others are there, keep it until one joins."""
        with self._lock:
            where = list(self._threads) if self._unfit else None
            if where == []:
                self._sent[outer] = _Sent(None, call, where)
                return
            try:
                inner = self._executor.submit(
                    far.call, self._marks, self._key, self._luggage, call, workers=where
                )
            except Exception as error:  # whatever Dask raises without a scheduler
                outer.set_exception(ClusterError(f"the scheduler takes no work: {error}"))
                return
            self._sent[outer] = _Sent(inner, call, where)
        inner.add_done_callback(lambda _: self._settle(outer, inner))

    def _settle(self, outer: "_Call[Any]", inner: Future[Any]) -> None:
        """Take in what became of a call."""
        with self._lock:
            sent = self._sent.get(outer)
            if sent is None or sent.inner is not inner:  # given up, or sent anew
                return
            del self._sent[outer]
        if inner.cancelled():
            outer.set_exception(ClusterError("the connection to the scheduler was lost"))
            return
        error = inner.exception()
        if error is None and inner.result()[0] == "done":
            outer.set_result(unpress(inner.result()[1]))
        elif isinstance(error, OhPshawError):
            outer.set_exception(error)
        else:  # away from the client's own thread, which must not wait
            threading.Thread(target=self._mend, args=(outer, sent.call, error), daemon=True).start()

    def _mend(self, outer: "_Call[Any]", call: bytes, error: BaseException | None) -> None:
        """Send a call elsewhere if a worker is found that does not fit, else tell what happened."""
        before = set(self._unfit)
        with contextlib.suppress(Exception):  # as there
            self._look_around(again=True)
        if error is None or set(self._unfit) > before:
            self._send(outer, call)
        elif type(error).__name__ == "KilledWorker":
            times = getattr(error, "allowed_failures", 0) + 1
            outer.set_exception(
                ClusterError(
                    f"a chunk has lost its worker {times} times in a row; look into the workers' logs, often "
                    "their memory is too small"
                )
            )
        else:
            outer.set_exception(error)

    def _keep_watch(self) -> None:
        while not self._closed.wait(_GLANCE):
            with contextlib.suppress(Exception):  # while the scheduler is lost; its calls end by themselves
                self._look_around()
                self._send_again()
                if self._stopping:
                    self._ask_to_stop()

    def _look_around(self, *, again: bool = False) -> None:
        """Find out who is there; those who have joined are asked whether they fit, or all `again`."""
        there = self._client.scheduler_info()["workers"]
        known = {} if again else {**self._threads, **self._unfit}
        joined = [address for address in there if address not in known]
        answers = self._client.run(far.marks, workers=joined, on_error="return") if joined else {}
        answers = {address: found for address, found in answers.items() if not isinstance(found, OSError)}
        with self._lock:
            differences = {address: _difference(self._marks, found) for address, found in answers.items()}
            for address, words in differences.items():
                if words and address not in self._unfit:
                    self._notice(f"worker {address} gets nothing to play: it has {words}")
            fit = {address for address, words in differences.items() if not words} | set(self._threads)
            self._unfit |= {address: words for address, words in differences.items() if words}
            self._unfit = {address: words for address, words in self._unfit.items() if address in there}
            self._threads = {
                address: facts["nthreads"]
                for address, facts in there.items()
                if address in fit and address not in self._unfit
            }
            alone = not self._threads
            if alone and not self._alone and not self._unfit:
                self._notice(f"no worker is there; waiting for one to join {self._client.scheduler.address}")
            self._alone = alone

    def _send_again(self) -> None:
        """Send calls anew that were meant for workers of whom none is left."""
        with self._lock:
            for outer, sent in list(self._sent.items()):
                if self._threads and sent.where is not None and not set(sent.where) & set(self._threads):
                    del self._sent[outer]
                    sent.cancel()
                    self._send(outer, sent.call)

    def _why_nobody(self) -> str:
        address, words = next(iter(self._unfit.items()))
        return (
            f"no worker fits: {address} has {words}; install the same versions there as here, and begin the "
            "workers anew"
        )

    def _ask_to_stop(self) -> None:
        if not self._threads:  # nobody is there who would answer
            self._forget_all()
            return
        with contextlib.suppress(Exception):  # a worker or the scheduler may go at this moment
            self._on_workers(far.stop)

    def _on_workers(self, function: Callable[[str], None]) -> None:
        self._client.run(function, self._key, workers=list(self._threads), on_error="ignore")

    def _forget_all(self) -> None:
        with self._lock:
            sent, self._sent = self._sent, {}
        for outer, one in sent.items():
            one.cancel()
            outer.drop()


class _Call(Future[Result]):
    """The future of a call. Who holds it cannot cancel it, since nobody here knows what has begun."""

    def cancel(self) -> bool:
        """Do nothing."""
        return False

    def drop(self) -> None:
        """Have the call count as cancelled."""
        super().cancel()
        self.set_running_or_notify_cancel()


class _Sent:
    """A call that is under way: the client's future of it (None = it waits here), the call itself, whom it is meant
    for (None = all)."""

    def __init__(self, inner: Future[Any] | None, call: bytes, where: list[str] | None) -> None:
        self.inner = inner
        self.call = call
        self.where = where

    def cancel(self) -> None:
        if self.inner is not None:
            self.inner.cancel()


def _difference(wanted: dict[str, str], found: Any) -> str:
    """Say in which marks a worker differs; found is what it answered, or the error that it answered with."""
    if not isinstance(found, dict):
        return f"no such version of ohpshaw-sim ({type(found).__name__}: {found})"
    return ", ".join(
        f"{mark} {found.get(mark, 'none')} instead of {value}"
        for mark, value in wanted.items()
        if found.get(mark) != value
    )


def distributed() -> Any:
    """Return the package `distributed`. Raises ClusterError, which says how to install it, when it is not there."""
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise ClusterError(
            "--dask needs the package distributed; install it with: pip install 'ohpshaw-sim[dask]'"
        ) from None
