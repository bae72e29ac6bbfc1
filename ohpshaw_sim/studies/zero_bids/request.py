"""What a study of zero bids is asked for."""

from typing import Annotated, Any, Final, Self

from pydantic import BeforeValidator, Field, model_validator

from ohpshaw_sim.errors import AgentError, ConflictError, IllegalError
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.reading import Whole
from ohpshaw_sim.studies.request import TableRequest

MOST_DEALS: Final = 1_000_000
REDEALS_STEP: Final = 16
"""Redeals come in multiples of this, so that halves and pilot are whole."""


def _agents(given: Any) -> Any:
    names = (given,) if isinstance(given, str) else given
    for name in names if isinstance(names, list | tuple) else ():
        if isinstance(name, str) and not resolve(name).compiled:
            raise AgentError(
                f"agent {name!r} is not compiled, and this study asks agents millions of times; "
                "give it a CompiledAgent"
            )
    return names


AgentNames = Annotated[tuple[str, ...], BeforeValidator(_agents)]


class Request(TableRequest):
    """A study of zero bids; frozen and validated as a whole. Use `make_request` for errors of one sentence."""

    agents: AgentNames = Field(default=("count-winners",), min_length=1)
    """Whose bids are studied, one after the other, each on the same deals."""
    field: AgentNames = ()
    """Who sits in the other seats: few are repeated, of many the first; empty = others of the bidder's kind."""
    deals: Whole = Field(default=4000, ge=2, le=MOST_DEALS)
    """Deals of each number of players and hand size, played as they fall."""
    situations: Whole = Field(default=200, ge=2)
    """The first so many of these are situations whose bids are valued on redealt hands."""
    redeals: Whole = Field(default=128, ge=2 * REDEALS_STEP, multiple_of=REDEALS_STEP)
    """Redeals of each situation: half of them choose the best bid, the other half value it."""

    @model_validator(mode="after")
    def _can_be_studied(self) -> Self:
        if self.rules.wizard:
            raise IllegalError(
                "zero bids are not studied with Wizards: a trump that the dealer names tells of its hand, "
                "and redeals do not heed that"
            )
        if self.situations > self.deals:
            raise ConflictError(
                f"{self.situations} situations are more than the {self.deals} deals they are taken from; raise deals"
            )
        for name, values in (("players", self.players), ("agents", self.agents)):
            if len(set(values)) < len(values):
                raise ConflictError(f"{name} {list(values)} names one twice; give each once")
        for players in self.players:
            self.rules.schedule_for(players)
        return self

    def sizes(self, players: int) -> tuple[int, ...]:
        """Return the hand sizes that are studied, ascending."""
        return tuple(sorted(set(self.rules.schedule_for(players))))

    def field_of(self, agent: str) -> tuple[str, ...]:
        """Return who sits around an agent, before few are repeated."""
        return self.field or (agent,)
