"""What may be done to an agent's Python code while it is asked, in a process that watches over itself.

A worker process sets `HOLD` up: its watchdog interrupts code that takes too long, and its memory is capped while agents
are asked. In any other process nothing is watched, and all of this costs next to nothing.
"""

import contextlib
import gc
from collections.abc import Callable
from typing import Any, Final

try:
    import resource
except ImportError:  # not on Windows: memory is not capped there
    resource = None  # type: ignore[assignment]

RESERVE: Final = 256 * 2**20
"""Bytes that the engine may use beyond what agents may, so that it can go on when they have used up theirs."""


class AgentInterruptError(BaseException):
    """Raised inside an agent that takes too long; no `Exception`, so that few agents catch it by mistake."""


class Hold:
    """The state of this process, of which one thread asks agents."""

    def __init__(self) -> None:
        self.asking = False
        """Whether an agent's Python code runs: the only time at which it may be interrupted."""
        self.watched = False
        """Whether this is a worker process, where whatever agents raise is theirs."""
        self.seconds: float | None = None
        """Seconds that a decision may take in a process of its own; None = as long as it likes."""
        self.outgrown = False
        """Whether an agent has used up its memory here: what it still holds goes with the process."""
        self._most: int | None = None

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call what runs an agent's Python code: whatever it raises passes through."""
        try:
            self.asking = True
            return function(*arguments)
        finally:
            self.asking = False

    def cap(self, most: int) -> None:
        """Let this process use so many bytes of memory from now on; nothing happens where that cannot be told."""
        if resource is None:
            return
        with contextlib.suppress(OSError, ValueError):
            _, hard = resource.getrlimit(resource.RLIMIT_DATA)
            top = most + RESERVE
            hard = top if hard == resource.RLIM_INFINITY else min(hard, top)
            resource.setrlimit(resource.RLIMIT_DATA, (min(most, hard), hard))
            self._most = min(most, hard)

    def tighten(self) -> None:
        """Have the next agent keep within its memory."""
        self._set(self._most)

    def loosen(self) -> None:
        """Let the engine use its reserve."""
        self._set(None)

    def outgrow(self) -> None:
        """Take down that an agent has used up its memory, and free what can be freed."""
        self.outgrown = True
        self.loosen()
        if self._most is not None:
            gc.collect()

    def _set(self, soft: int | None) -> None:
        if self._most is None or resource is None:
            return
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_DATA, (hard if soft is None else soft, hard))


HOLD: Final = Hold()
"""This process's own."""
