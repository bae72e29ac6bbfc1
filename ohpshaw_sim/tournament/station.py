"""Where a chunk is played: the memory of the game, and the signals between who plays and who watches.

A worker process plays at a station whose memory it shares with its parent, so that the parent sees from
outside whether play goes on and whose decision is awaited, even while compiled code runs.
"""

import threading
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ohpshaw_sim.engine.workspace import Workspace

IDLE, PREPARING, PLAYING = range(3)
"""What goes on at a station; preparing is importing, resolving and compiling agents."""
HEAD: Final = 4_096
"""Bytes before the game's memory: four words, then the names."""
SIZE: Final = HEAD + Workspace.SIZE
"""Bytes of a shared station."""
_STOP, _PHASE, _ITEM, _LENGTH, _ARM = range(5)
_TEXT: Final = 64


class Look(NamedTuple):
    """What can be seen of a station from outside; two equal looks mean that nothing has moved in between."""

    phase: int
    item: int
    decisions: int
    place: int


class Station:
    """A place to play at, in this process's own memory or in a buffer of SIZE bytes shared with a parent.

    In a shared buffer the one that plays asks for `workspace`; the one that watches only looks.
    """

    def __init__(self, buffer: Any = None, stop: threading.Event | None = None) -> None:
        self._buffer = memoryview(bytearray(HEAD)) if buffer is None else memoryview(buffer)
        self.shared = buffer is not None
        self._words = np.frombuffer(self._buffer, np.int64, _ARM + 1)
        self._event = stop
        self._workspace: Workspace | None = None

    @property
    def workspace(self) -> Workspace:
        """The memory to play in, allocated when it is first asked for."""
        if self._workspace is None:
            self._workspace = Workspace.allocate(self.memory if self.shared else None)
        return self._workspace

    @property
    def memory(self) -> memoryview:
        """The part of a shared buffer that the game is played in."""
        return self._buffer[HEAD:SIZE]

    @property
    def arm(self) -> int:
        """The arm of a comparison that is played, else 0."""
        return int(self._words[_ARM])

    @property
    def stopped(self) -> bool:
        """Whether no further block should be begun."""
        return bool(self._words[_STOP]) or (self._event is not None and self._event.is_set())

    def stop(self) -> None:
        """Ask for no further block to be begun."""
        self._words[_STOP] = 1

    def note(self, phase: int, names: Sequence[str] = (), item: int = 0, arm: int = 0) -> None:
        """Say what goes on: which agents play (names by place) in a block, or which one is being prepared."""
        text = "\n".join(names).encode()[: HEAD - _TEXT]
        self._buffer[_TEXT : _TEXT + len(text)] = text
        self._words[_LENGTH] = len(text)
        self._words[_ITEM] = item
        self._words[_ARM] = arm
        self._words[_PHASE] = phase

    def look(self) -> Look:
        """Return what can be seen of a shared station."""
        phase = int(self._words[_PHASE])
        progress = Workspace.attach(self.memory).progress() if phase == PLAYING else (0, -1)
        return Look(phase, int(self._words[_ITEM]), *progress)

    def awaited(self) -> str | None:
        """Return the agent that is being prepared or whose answer is awaited; None if no agent is."""
        look = self.look()
        names = (
            bytes(self._buffer[_TEXT : _TEXT + int(self._words[_LENGTH])])
            .decode(errors="replace")
            .split("\n")
        )
        index = look.place if look.phase == PLAYING else look.item
        return names[index] if look.phase != IDLE and 0 <= index < len(names) else None


_here: list[Station] = []
_own = threading.local()


def station_here() -> Station:
    """Return the station shared with a parent, if this process is a worker, else this thread's own.

    Two threads at one station would play in the same memory.
    """
    if _here:
        return _here[0]
    if not hasattr(_own, "station"):
        _own.station = Station()
    station: Station = _own.station
    return station


def settle(station: Station) -> None:
    """Make a station this process's own."""
    _here[:] = [station]


def settle_thread(station: Station) -> None:
    """Make a station this thread's own."""
    _own.station = station
