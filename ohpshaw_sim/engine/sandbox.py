"""A process of its own for an agent that is known to end the one it plays in.

The process is forked from the one that plays, with the agent in it as it is there, and answers one decision after the
other; when it dies or hangs, the next decision gets a new one. A fork costs some milliseconds, where a new worker costs
a second and has to play all over again. There is no forking on Windows.
"""

import contextlib
import ctypes
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, Final

from ohpshaw_sim.engine.fault import OUT_OF_MEMORY, death
from ohpshaw_sim.engine.interrupts import HOLD

POSSIBLE: Final = hasattr(os, "fork")
_DIE_WITH_PARENT: Final = 1  # PR_SET_PDEATHSIG of prctl(2)


class SandboxLostError(Exception):
    """The process has died, or was ended since no answer came: the kind of fault, and what is said of it."""

    def __init__(self, kind: str, what: str) -> None:
        super().__init__(what)
        self.kind, self.what = kind, what


class Sandbox:
    """Calls a function in a forked process, where it may do what it likes."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._child: int | None = None
        self._pipe: Connection

    def call(self, *arguments: Any) -> Any:
        """Return what the function returns within the time for a decision. Raises SandboxLostError."""
        if self._child is None:
            self._fork()
        try:
            self._pipe.send(arguments)
            if self._pipe.poll(HOLD.seconds):
                return self._pipe.recv()
        except Exception:  # it has died, or answers nonsense
            raise SandboxLostError(*death(self._end())) from None
        self._end()
        raise SandboxLostError(*death(None, HOLD.seconds))

    def close(self) -> None:
        """End the process."""
        if self._child is not None:
            self._end()

    def _fork(self) -> None:
        near, far = Pipe()
        parent = os.getpid()
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", DeprecationWarning
            )  # of forking beside threads: none of them is needed
            child = os.fork()
        if child == 0:
            near.close()
            _serve(far, self._function, parent)
        far.close()
        self._child, self._pipe = child, near

    def _end(self) -> int:
        """End the process, if it has not ended itself; return its exit code, minus the signal if it was one."""
        child, self._child = self._child, None
        self._pipe.close()
        if child is None:
            return 0
        os.kill(child, signal.SIGKILL)  # one that is ending keeps the exit code it has
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status)


def _serve(pipe: Connection, function: Callable[..., Any], parent: int) -> None:
    """Answer until the other end of the pipe is closed; this process ends here, whatever happens."""
    try:
        _leave_with(parent)
        while True:
            pipe.send(function(*pipe.recv()))
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except (EOFError, OSError):
        os._exit(0)
    finally:
        os._exit(1)


def _leave_with(parent: int) -> None:
    """Have this process end when the one that forked it is gone."""
    with contextlib.suppress(AttributeError, OSError):  # Linux only
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)
