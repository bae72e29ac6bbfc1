"""How far a study has come, as it is told to whoever listens."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias


class Step(NamedTuple):
    """Where a study stands: what is done just now, and how many of its pieces of work, all alike, are done."""

    what: str
    done: int
    all: int
    unit: str = "sets"


Told: TypeAlias = Callable[[Step], None]
"""Is told each step of a study."""


def nobody(_: Step) -> None:
    """Listen to nothing."""


def sets_told(told: Told, what: str, before: int, everything: int) -> Callable[[int], None]:
    """Return a listener to one piece of a study's work that tells how many sets of everything are played."""
    return lambda sets: told(Step(what, before + sets, everything))
