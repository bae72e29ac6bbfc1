"""Agents that misbehave at chosen decisions, of every kind, and which decisions these are.

They bid and play the lowest that is legal, but where the decision's random word says so. Words do not depend on what is
played, so the decisions at which an agent fails are known beforehand.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from ohpshaw_sim.interface.agent import CompiledAgent, as_agent
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import U, lowest_bit
from scripted import spoil

ONE_IN: Final = 12
"""One decision in so many is a fault."""


def is_chosen(word: int) -> bool:
    """Whether hostile agents fail at the decision with this word."""
    return word % ONE_IN == 7


class Scalar:
    """Fails by a deed: what it returns is the answer."""

    def __init__(self, deed: Callable[[], Any] | None = None) -> None:
        self.deed = deed

    def bid(self, view: Any) -> Any:
        if self.deed is not None and is_chosen(view.rnd):
            return self.deed()
        return (view.legal & -view.legal).bit_length() - 1

    play = name_trump = bid


class Vector:
    """Fails by a deed that is handed the answers and the rows at fault: what it returns are the answers."""

    def __init__(self, deed: Callable[[Any, Any], Any] | None = None) -> None:
        self.deed = deed

    def bids(self, batch: Any) -> Any:
        legal = batch.legal
        answers = np.bitwise_count((legal & (~legal + np.uint64(1))) - np.uint64(1)).astype(np.int64)
        rows = np.flatnonzero(batch.rnd % np.uint64(ONE_IN) == np.uint64(7))
        return answers if self.deed is None or not len(rows) else self.deed(answers, rows)

    plays = name_trumps = bids


@jit
def compiled(view: Any, params: Any) -> int:
    """Fail as `params[0]` says: 0 not at all, 1 raise, 2 answer illegally, 3 scribble on the view, then raise."""
    if 0 < params[0] < 4 and view.rnd % U(ONE_IN) == U(7):
        if params[0] == 3:
            spoil(view)
        if params[0] != 2:
            raise ValueError("no idea")
        return 77
    answer = lowest_bit(view.legal)
    if params[0] == 4:
        spoil(view)
    return answer


def compiled_agent(deed: int) -> CompiledAgent:
    """A compiled agent with one of these deeds; 4 scribbles at every decision and fails at none."""
    return CompiledAgent(compiled, compiled, (deed,), compiled)


def failing(error: BaseException) -> Callable[[], Any]:
    """A deed: raise."""

    def deed() -> Any:
        raise error

    return deed


class Unprintable(Exception):  # noqa: N818  # its name is told
    """An error that cannot be written out."""

    def __str__(self) -> str:
        raise RuntimeError


class OwnError(BaseException):
    """An error that `except Exception` does not catch."""


def answering(answer: Any) -> Callable[[], Any]:
    """A deed: answer so."""
    return lambda: answer


def put(value: int) -> Callable[[Any, Any], Any]:
    """A deed of a vectorised agent: give this answer in the rows at fault."""

    def deed(answers: Any, rows: Any) -> Any:
        answers[rows] = value
        return answers

    return deed


def crash(_answers: Any, _rows: Any) -> Any:
    """A deed of a vectorised agent: raise."""
    raise ValueError("no idea")


SCALARS: Final = {
    "raises": (failing(ValueError("no idea")), "exception", "raised ValueError: no idea"),
    "cannot be told": (failing(Unprintable()), "exception", "raised Unprintable"),
    "answers 77": (answering(77), "illegal", "answered 77, which is illegal"),
    "answers -1": (answering(-1), "illegal", "answered -1, which is illegal"),
    "answers a float": (answering(1.0), "illegal", "answered 1.0, a float; an answer is an int"),
    "answers None": (answering(None), "illegal", "answered None, a NoneType; an answer is an int"),
    "leaves": (failing(SystemExit(4)), "crash", "raised SystemExit: 4"),
    "its own error": (failing(OwnError("enough")), "crash", "raised OwnError: enough"),
    "allocates": (lambda: len(bytearray(10**15)), "memory", "raised MemoryError"),
}
"""Scalar agents by what they do: the deed, the kind of fault, and what is said of it."""
VECTORS: Final = {
    "raises": (crash, "exception", "raised ValueError: no idea"),
    "answers 77": (put(77), "illegal", "answered 77, which is illegal"),
    "floats": (lambda answers, _: answers.astype(float), "illegal", "answered with float64 values"),
    "shape": (lambda answers, _: answers[1:], "illegal", "answered 1 decisions with an array of shape (0,)"),
}
COMPILED: Final = {
    "raises": (1, "exception", "raised ValueError: no idea"),
    "answers 77": (2, "illegal", "answered 77, which is illegal"),
    "scribbles, then raises": (3, "exception", "raised ValueError: no idea"),
}


def hostile_agents() -> Iterator[tuple[str, Any, str, str]]:
    """Every hostile agent: a name, the agent, the kind of its faults and what is said of them."""
    for name, (deed, kind, said) in SCALARS.items():
        yield f"scalar {name}", as_agent(Scalar(deed), name), kind, said
    for name, (spoils, kind, said) in VECTORS.items():
        yield f"vector {name}", Vector(spoils), kind, said
    for name, (number, kind, said) in COMPILED.items():
        yield f"compiled {name}", compiled_agent(number), kind, said
