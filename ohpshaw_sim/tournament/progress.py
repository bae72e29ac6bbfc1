"""How far a run has come, as it is told to whoever listens."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """How far a run has come. Counts are of this session alone, `sets_done` and `sets` of the whole run."""

    sets_done: int
    sets: int | None
    rounds: int
    cards: int
    seconds: float
    seconds_left: float | None
    """None while it cannot be told."""
    interrupted: bool = False
    standing: str = ""
    """Where a comparison stands, in a few words."""


Listener = Callable[[Progress], None]
"""Is told the progress of a run a few times a second."""
