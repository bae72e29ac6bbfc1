"""Waiting for a key between the steps of something that is watched."""

import enum
import os
import sys
from collections.abc import Callable, Sequence
from typing import Final

_HINT: Final = "[Enter] next  [h] hands  [r] rest of the round  [a] all the rest  [q] quit"


class Speed(enum.Enum):
    """How far to go without asking."""

    STEP = "step"
    ROUND = "round"
    ALL = "all"


class Pace:
    """Asks on a terminal how to go on; elsewhere, or with `step` false, everything is shown at once."""

    def __init__(self, *, step: bool) -> None:
        self._speed = Speed.STEP if step else Speed.ALL
        self.quits = False

    def rest(
        self, hands: Callable[[], Sequence[str]], write: Callable[[str], None], *, round_over: bool
    ) -> None:
        """Wait for a key, if one is asked for; `hands` are shown on demand. Sets `quits` at the wish to leave."""
        if self._speed is Speed.ROUND and round_over:
            self._speed = Speed.STEP
        while self._speed is Speed.STEP:
            key = _asked()
            if key in ("h", "H"):
                for line in hands():
                    write(line)
                continue
            self.quits = key in ("q", "Q", "\x1b", "\x04")
            self._speed = {"r": Speed.ROUND, "a": Speed.ALL}.get(key.lower(), Speed.STEP)
            return


def can_step() -> bool:
    """Tell whether a person sits at both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _asked() -> str:
    """Show what keys do, and return the next one."""
    sys.stdout.write(_HINT)
    sys.stdout.flush()
    try:
        return _key()
    finally:
        sys.stdout.write("\r" + " " * len(_HINT) + "\r")
        sys.stdout.flush()


if sys.platform == "win32":
    import msvcrt

    def _key() -> str:
        """Return the next key that is pressed."""
        key = msvcrt.getwch()
        if key == "\x03":
            raise KeyboardInterrupt
        return key

else:
    import termios
    import tty

    def _key() -> str:
        """Return the next key that is pressed; Ctrl-C interrupts as ever. At the end of input it is Ctrl-D."""
        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)
        try:
            tty.setcbreak(terminal)
            key = os.read(terminal, 8)  # an arrow key sends several bytes
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)
        return key.decode("utf-8", "replace") or "\x04"
