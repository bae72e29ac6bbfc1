"""One attempt at asking an agent: an answer, or what went wrong."""

from collections.abc import Callable
from typing import Any, NamedTuple

from ohpshaw_sim.engine.fault import RowFaultError, kind_of, raised
from ohpshaw_sim.engine.interrupts import HOLD


class Trouble(NamedTuple):
    """What went wrong: the kind of a fault and its sentence."""

    kind: str
    sentence: str


def attempt(ask: Callable[[], Any]) -> tuple[Any, Trouble | None]:
    """Return what asking an agent gives, or what went wrong."""
    HOLD.tighten()
    try:
        return ask(), None
    except RowFaultError as error:
        trouble = Trouble(error.kind, error.what)
    except BaseException as error:
        if stray(error):
            raise
        trouble = Trouble(kind_of(error), raised(error))
    finally:
        HOLD.loosen()
    if trouble.kind == "memory":  # here, where the error and what it held are gone
        HOLD.outgrow()
    return None, trouble


def stray(error: BaseException) -> bool:
    """Tell an error that no agent has caused: Ctrl-C, but in a worker process, which does not hear of it."""
    return isinstance(error, KeyboardInterrupt) and not HOLD.watched
