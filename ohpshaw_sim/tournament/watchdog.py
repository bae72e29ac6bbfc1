"""The watch that a worker keeps over itself: an agent's Python code that takes too long is interrupted on the spot.

Nothing is done for each decision. A thread looks at the count of decisions now and then; where it stands still for too
long while an agent's Python code runs, a signal has the main thread raise AgentInterruptError. Code that is deaf to
that (compiled code, or an agent that catches everything) is left to the parent, which ends the process.
"""

import signal
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Final

from ohpshaw_sim.engine.interrupts import HOLD, AgentInterruptError

_GLANCES: Final = 16
"""Looks taken within the time that a decision may take."""


class Watchdog:
    """Watches the main thread; `progress` returns a count that changes with every decision asked for."""

    def __init__(self, seconds: float, progress: Callable[[], int]) -> None:
        self._seconds, self._progress = seconds, progress
        self._overdue = -1

    def start(self) -> None:
        """Begin to watch, from the main thread; nothing happens where threads cannot be signalled."""
        if not hasattr(signal, "pthread_kill"):  # not on Windows
            return
        signal.signal(signal.SIGALRM, self._interrupt)
        signal.siginterrupt(signal.SIGALRM, False)
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        main, seen, since = threading.main_thread(), -1, 0.0
        while True:
            time.sleep(min(self._seconds / _GLANCES, 1.0))
            now = self._progress() if HOLD.asking else -1
            if now < 0 or now != seen:
                seen, since = now, time.monotonic()
            elif time.monotonic() - since >= self._seconds and main.ident is not None:
                self._overdue = now
                signal.pthread_kill(main.ident, signal.SIGALRM)

    def _interrupt(self, _signal: int, _frame: FrameType | None) -> None:
        """Raise in the main thread, unless the answer has come in the meantime."""
        if HOLD.asking and self._progress() == self._overdue:
            HOLD.asking = False  # once is enough: what comes next may be the engine's own code
            raise AgentInterruptError(f"it gave no answer for {self._seconds:g} s")
