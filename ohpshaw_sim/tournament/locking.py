"""One run at a time in a run folder: a lock that ends with its process, however that ends."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from ohpshaw_sim.errors import ConflictError

NAME: Final = ".lock"
_PATIENCE: Final = 1.0
"""Seconds to wait, for whoever only looks whether the lock is free holds it for a moment."""


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other runs out of a folder meanwhile. Raises ConflictError when one is under way.

    On file systems without locks two runs are not told apart.
    """
    lock = FileLock(folder / NAME)
    try:
        lock.acquire(timeout=_PATIENCE)
    except Timeout:
        raise ConflictError(
            f"another run is being played into {folder}; wait for it to end "
            f"(`ohpshaw status {folder}` tells how far it is)"
        ) from None
    except NotImplementedError:
        yield
        return
    try:
        yield
    finally:
        lock.release()


def is_locked(folder: Path) -> bool:
    """Tell whether a run is being played into a folder."""
    lock = FileLock(folder / NAME)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    except (OSError, NotImplementedError):  # a folder that cannot be written, or a file system without locks
        return False
    lock.release()
    return False
