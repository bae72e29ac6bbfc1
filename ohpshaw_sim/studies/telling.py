"""How far a study has come, as it is told to whoever listens."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias


class Step(NamedTuple):
    """Where a study stands: what is done just now, and how many of its pieces of work, all alike, are done."""

    what: str
    done: int
    all: int
    unit: str = "line-ups"


Told: TypeAlias = Callable[[Step], None]
"""Is told each step of a study."""


def nobody(_: Step) -> None:
    """Listen to nothing."""
