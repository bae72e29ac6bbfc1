"""What a worker process lets an agent do: how long it may think, how much memory it may use."""

import contextlib
import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

from ohpshaw_sim.errors import MalformedError

TIME_LIMIT: Final = 60.0
"""Seconds that a decision may take."""
_SHARE: Final = 0.8
"""Of the machine's memory, what all workers together may use if nothing else is asked for."""
_LEAST: Final = 2**30
"""Bytes that no worker is denied: Python, numba and the engine take half of it."""
_SIZES: Final = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_SIZE: Final = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT])i?B?", re.IGNORECASE)
_CGROUP: Final = Path("/sys/fs/cgroup/memory.max")


@dataclass(frozen=True)
class Limits:
    """Limits of each worker. `memory` is in bytes, None = none; with `forfeit` an agent that fails plays on."""

    seconds: float = TIME_LIMIT
    memory: int | None = None
    forfeit: bool = False

    @property
    def patience(self) -> float:
        """Seconds without a decision after which a worker is ended from outside; it may interrupt itself before."""
        return 1.25 * self.seconds + 1.0 if self.forfeit else self.seconds

    def shared_out(self, jobs: int) -> Self:
        """Return these limits for so many workers: where agents may forfeit, memory has a limit in any case."""
        return self if self.memory or not self.forfeit else replace(self, memory=_share(jobs))


def read_size(text: str) -> int:
    """Return the bytes of a size such as `2G`, `600MB` or `1.5 GiB`; K, M, G and T are powers of 1024.

    >>> read_size("1GB")
    1073741824

    Raises MalformedError for anything else, and for less than a worker needs to begin with.
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise MalformedError(f"{text!r} is no size of memory; write 2G or 600M")
    size = int(float(match[1]) * _SIZES[match[2].upper()])
    if size < _LEAST // 2:
        raise MalformedError(f"memory of {text} is less than a worker needs; give 512M or more")
    return size


def _share(jobs: int) -> int | None:
    """Return the bytes that each of so many workers may use if nothing else is asked for; None = it cannot be told."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not on Windows
        return None
    with contextlib.suppress(OSError, ValueError):  # no control group, or one without a limit
        total = min(total, int(_CGROUP.read_text("ascii")))
    return max(_LEAST, int(total * _SHARE) // max(jobs, 1))
