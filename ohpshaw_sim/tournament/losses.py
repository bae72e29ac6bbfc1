"""What is known of a worker process that has died: how, who was at work, and which decision was asked for."""

from typing import NamedTuple

from ohpshaw_sim.engine.fault import Fault, death
from ohpshaw_sim.engine.spots import noted_spot
from ohpshaw_sim.engine.workspace import Workspace
from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.tournament.station import PLAYING, Station


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
        who = f"agent {self.agent!r}" if self.agent else "something other than an agent"
        return f"{who} {self.what}{'; its worker process was stopped' if self.kind == 'hang' else ''}"


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
    kind, what = death(code, waited)
    if look.phase != PLAYING:
        return Loss(agent, kind, what, None, 0, None)
    noted = Workspace.attach(station.memory).table[0]
    spot, fault = noted_spot(noted), None
    if spot is not None:
        set_number, rotation, number, seat, decision = spot
        place = int(noted.asked_place)
        fault = Fault(set_number, rotation, number, seat, place, decision, kind, what)
    return Loss(agent, kind, what, look.item, station.arm, fault)
