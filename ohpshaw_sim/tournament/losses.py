"""What is known of a worker process that has died: how, who was at work, and which decision was asked for."""

import signal
from typing import Final, NamedTuple

from ohpshaw_sim.engine.fault import Fault
from ohpshaw_sim.engine.forfeits import noted_spot
from ohpshaw_sim.engine.workspace import Workspace
from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.tournament.station import PLAYING, Station

OUT_OF_MEMORY: Final = 77
"""Exit code of a worker whose agents have left it no memory to go on with."""


class Loss(NamedTuple):
    """A worker lost in a block: `what` goes on from the agent's name.

    `block` is None when it was lost before it played, `fault` None when the decision is not known exactly.
    """

    agent: str | None
    kind: str
    what: str
    block: int | None
    arm: int
    fault: Fault | None

    @property
    def sentence(self) -> str:
        """Who did it, and what."""
        return f"{f'agent {self.agent!r}' if self.agent else 'something other than an agent'} {self.what}"


class AgentLostError(AgentError):
    """An agent crashed its worker process, left it, or kept it waiting for too long."""

    loss: Loss | None = None
    """What is known of it, where the process was lost."""


def lost(loss: Loss) -> AgentLostError:
    """Return the error that tells of a loss."""
    error = AgentLostError(loss.sentence)
    error.loss = loss
    return error


def post_mortem(station: Station, code: int | None, waited: float | None) -> Loss:
    """Return what a dead worker's station tells, given its exit code; `waited` = seconds, if it was ended for that."""
    look, agent = station.look(), station.awaited()
    kind, what = _cause(code, waited)
    if look.phase != PLAYING:
        return Loss(agent, kind, what, None, 0, None)
    noted = Workspace.attach(station.memory).table[0]
    spot, fault = noted_spot(noted), None
    if spot is not None:
        set_number, rotation, number, seat, decision = spot
        place = int(noted.asked_place)
        fault = Fault(set_number, rotation, number, seat, place, decision, kind, what)
    return Loss(agent, kind, what, look.item, station.arm, fault)


def _cause(code: int | None, waited: float | None) -> tuple[str, str]:
    """Return the kind of fault that ends a process so, and what is said of it."""
    if waited is not None:
        return "hang", f"gave no answer for {waited:g} s; its worker process was stopped"
    if code == OUT_OF_MEMORY:
        return "memory", "left its worker process no memory to go on with"
    how = f"exit code {code}"
    if code is not None and code < 0:
        try:
            how = f"signal {signal.Signals(-code).name}"
        except ValueError:
            how = f"signal {-code}"
    return "crash", f"crashed its worker process ({how})"
