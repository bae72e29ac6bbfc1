"""The inside of a worker process: it plays what comes through a pipe, at a station its parent can see."""

import contextlib
import mmap
import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from multiprocessing.connection import Connection
from pathlib import Path

from ohpshaw_sim.engine.fault import OUT_OF_MEMORY
from ohpshaw_sim.engine.interrupts import HOLD
from ohpshaw_sim.errors import AgentError, OhPshawError
from ohpshaw_sim.tournament.limits import Limits
from ohpshaw_sim.tournament.losses import AgentLostError
from ohpshaw_sim.tournament.station import PLAYING, PREPARING, SIZE, Station, settle
from ohpshaw_sim.tournament.watchdog import Watchdog


def serve(pipe: Connection, station_path: str, limits: Limits) -> None:
    """Serve as a worker: play what comes through the pipe until it closes.

    Each answer is (whether it was done, result or error, whether the worker ends with it).
    """
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C reaches the whole group; the parent decides what ends
    os.dup2(2, 1)  # what an agent prints is no result
    threading.Thread(target=_follow_parent, daemon=True).start()
    with Path(station_path).open("r+b") as file:
        station = Station(mmap.mmap(file.fileno(), SIZE))
    settle(station)
    _hold(station, limits)
    while True:
        try:
            function, args, kwargs = pickle.loads(pipe.recv_bytes())
        except (EOFError, OSError):
            return
        try:
            answer = pickle.dumps((True, function(*args, **kwargs), HOLD.outgrown))
        except BaseException as error:  # SystemExit from an agent must not end the worker unexplained
            if limits.forfeit and isinstance(error, MemoryError):
                os._exit(OUT_OF_MEMORY)
            answer = pickle.dumps((False, _portable(error, station), HOLD.outgrown))
        pipe.send_bytes(answer)
        if HOLD.outgrown:
            return


def _hold(station: Station, limits: Limits) -> None:
    """Have agents kept within their limits."""
    HOLD.watched, HOLD.seconds = True, limits.seconds
    if limits.memory is not None:
        HOLD.cap(limits.memory)
    if limits.forfeit:
        Watchdog(limits.seconds, lambda: station.workspace.progress()[0]).start()


def _follow_parent() -> None:
    """End this process when its parent is gone, even in the middle of compiled code."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _portable(error: BaseException, station: Station) -> BaseException:
    """Return an error that survives pickling and says whose fault it was."""
    agent, phase = station.awaited(), station.look().phase
    if not isinstance(error, Exception):  # an agent that calls sys.exit
        return AgentLostError(f"agent {agent!r} raised {type(error).__name__}: {error}")
    if phase == PREPARING and not isinstance(error, OhPshawError):
        return AgentError(f"agent {agent!r} cannot be made: {type(error).__name__}: {error}")
    with contextlib.suppress(Exception):
        if str(pickle.loads(pickle.dumps(error))) == str(error):
            return error
    if isinstance(error, AgentError):
        return AgentLostError(str(error)) if phase == PLAYING else AgentError(str(error))
    return RuntimeError(traceback.format_exc())
