"""What the study `bidding` is asked for."""

from typing import Annotated, Any, Final, Self

from pydantic import BeforeValidator, Field, model_validator

from ohpshaw_sim.errors import ConflictError
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.reading import Whole
from ohpshaw_sim.studies.request import LEAST_SETS, AgentName, StudyRequest

BIDDERS: Final = (
    "expectation-bidder",
    "expectation-bidder:margin=-0.5",
    "expectation-bidder:margin=0.5",
    "mean-bidder",
    "mean-bidder:margin=-0.3",
    "mean-bidder:margin=0.3",
    "greedy",
    "constant:bid=0",
    "constant:bid=1",
)
"""Bidders unless told otherwise: the best expected score and the rounded mean, each cautious and bold, and others."""
PLAYING: Final = ("count-winners", "greedy")
"""Agents that play unless told otherwise."""
SETS: Final = 500
_FEWEST: Final = 1


def _several(given: Any) -> Any:
    return (given,) if isinstance(given, str) else given


Names = Annotated[tuple[AgentName, ...], BeforeValidator(_several)]


class Request(StudyRequest):
    """Options of the study `bidding`; those that studies share are in `StudyRequest`."""

    bidders: Names = Field(default=BIDDERS, min_length=_FEWEST)
    """Agents that bid; the first is the one that others are compared with."""
    playing: Names = Field(default=PLAYING, min_length=_FEWEST)
    """Agents that play for the bids of each of them."""
    field: Names = Field(default=("count-winners",), min_length=_FEWEST)
    """Agents in the other seats; few are repeated."""
    sets: Whole = Field(default=SETS, ge=LEAST_SETS)
    """Duplicate sets of each pair of a bidder and a player."""

    @model_validator(mode="after")
    def _can_be_joined(self) -> Self:
        for bidder in self.bidders:
            for player in self.playing:
                resolve(f"{bidder}+{player}")
        if len({*self.bidders}) < len(self.bidders) or len({*self.playing}) < len(self.playing):
            raise ConflictError("a bidder or a player is named twice; give each once")
        seats = min(self.players) - 1
        if len(self.field) > seats:
            raise ConflictError(
                f"field names {len(self.field)} agents for {seats} seats; name as many or fewer"
            )
        return self
