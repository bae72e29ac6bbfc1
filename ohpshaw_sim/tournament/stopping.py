"""Asking a run to stop: Ctrl-C, or a polite signal."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any


@contextlib.contextmanager
def interruptible(stop: threading.Event) -> Iterator[None]:
    """Turn a first Ctrl-C, or a polite request to end (SIGTERM, as a cluster sends it), into `stop` meanwhile; a
    second Ctrl-C raises KeyboardInterrupt as usual."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ask(_signal: int, _frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    def end(_signal: int, _frame: FrameType | None) -> None:
        stop.set()

    former: Any = signal.signal(signal.SIGINT, ask)
    ended: Any = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, former)
        signal.signal(signal.SIGTERM, ended)
