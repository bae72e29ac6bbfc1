"""Faults of agents: what went wrong, where, and in the words that people are told."""

import signal
from typing import Any, Final, NamedTuple

from ohpshaw_sim.engine.interrupts import AgentInterruptError
from ohpshaw_sim.errors import AgentError

FAULT_KINDS: Final = ("exception", "illegal", "hang", "crash", "memory")
"""It raised; it answered what is not legal, or no integer; it took too long; it ended its process; it outgrew its
memory."""
OF_THE_MACHINE: Final = ("hang", "crash", "memory")
"""Kinds that another machine, or another day, need not see again."""
OUT_OF_MEMORY: Final = 77
"""Exit code of a process whose agents have left it no memory to go on with."""
_LONGEST: Final = 200


class Fault(NamedTuple):
    """One fault: the seat forfeited the round from this decision on.

    `decision` counts the seat's decisions in the round: 0 is its bid, 1 to the hand size its cards, `auction.NAMING`
    the trump that it named. `sentence` goes on from the agent's name: "raised ValueError: no idea".
    """

    set_number: int
    rotation: int
    round_number: int
    seat: int
    place: int
    decision: int
    kind: str
    sentence: str

    @property
    def spot(self) -> tuple[int, int, int, int, int]:
        """The decision it happened at."""
        return self.set_number, self.rotation, self.round_number, self.seat, self.decision

    @property
    def round_spot(self) -> tuple[int, int, int]:
        """The round it happened in."""
        return self[:3]


def kind_of(error: BaseException) -> str:
    """Return the kind of fault that an agent's error makes."""
    if isinstance(error, AgentInterruptError):
        return "hang"
    if isinstance(error, MemoryError):
        return "memory"
    if isinstance(error, AgentError):  # of the adapters, about an answer that is no int
        return "illegal"
    return "exception" if isinstance(error, Exception) else "crash"


def raised(error: BaseException) -> str:
    """Say in a few words, on one line, what an agent raised."""
    try:
        text = " ".join(str(error).split())
    except Exception:  # its own error may raise where it is written out
        text = ""
    if isinstance(error, AgentError | AgentInterruptError):
        return text.removeprefix("it ")[:_LONGEST]
    name = type(error).__name__
    return f"raised {name}: {text}"[:_LONGEST] if text else f"raised {name}"


def death(code: int | None, waited: float | None = None) -> tuple[str, str]:
    """Return the kind of fault that a process died of, and what is said of its agent.

    `code` is its exit code, minus the signal if it was one; `waited` are the seconds after which it was ended.
    """
    if waited is not None:
        return "hang", f"gave no answer for {waited:g} s"
    if code == OUT_OF_MEMORY:
        return "memory", "left its worker process no memory to go on with"
    how = f"exit code {code}"
    if code is not None and code < 0:
        try:
            how = f"signal {signal.Signals(-code).name}"
        except ValueError:
            how = f"signal {-code}"
    return "crash", f"crashed its worker process ({how})"


class RowFaultError(Exception):
    """An agent misbehaved: carries the row it played in, what it did, and the kind of fault."""

    def __init__(self, row: int, what: str, kind: str = "illegal") -> None:
        super().__init__(f"row {row}: {what}")
        self.row = row
        self.what = what
        self.kind = kind

    @classmethod
    def of(cls, row: int, error: BaseException) -> Any:
        """Return the fault that an error of an agent's own code makes."""
        return cls(row, raised(error), kind_of(error))


class UnreadyError(Exception):
    """An agent could not begin its matches: carries its place in the line-up, and what it did."""

    def __init__(self, place: int, error: BaseException) -> None:
        super().__init__(f"place {place}: {raised(error)}")
        self.place = place
        self.what = f"{raised(error)}, told that matches begin"
