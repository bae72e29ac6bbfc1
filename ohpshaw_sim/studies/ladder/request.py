"""What a ladder is asked for."""

from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, model_validator

from ohpshaw_sim.errors import ConflictError
from ohpshaw_sim.reading import Whole
from ohpshaw_sim.rule_text import make_rules
from ohpshaw_sim.rules import Rules
from ohpshaw_sim.studies.request import AgentName, StudyRequest


def _one_or_more(given: Any) -> Any:
    return (given,) if isinstance(given, str) else given


class Request(StudyRequest):
    """Options of the study `ladder`; those that studies share are in `StudyRequest`."""

    agents: tuple[AgentName, ...] = Field(min_length=1)
    """Those that are measured, each in one seat against the field."""
    field: Annotated[tuple[AgentName, ...], BeforeValidator(_one_or_more)] = ("count-winners",)
    """Fields: each of these agents by itself fills the other seats."""
    up_to: Whole | None = Field(default=None, ge=1)
    """Hands from one card to so many, or to what the pack serves at a number of players; None = the rules' schedule."""
    standings_sets: Whole = Field(default=0, ge=0)
    """Sets of a tournament of all agents, by number of players; 0 = none is played."""
    block_sets: Whole = Field(default=16, ge=1)
    """Sets that a line-up of that tournament plays in a row."""
    self_play_sets: Whole = Field(default=0, ge=0)
    """Sets of tables at which an agent plays with its like, a diagnostic; 0 = none is played."""
    seconds: float = Field(default=1.0, gt=0, le=3600)
    """Processor time for each figure of time per decision, if one match takes no longer."""

    @model_validator(mode="after")
    def _one_schedule(self) -> Self:
        if self.up_to is not None and (
            self.rules.hand_sizes or self.rules.max_hand or self.rules.schedule != "up"
        ):
            raise ConflictError(
                "up_to says what hands are played; leave out hand_sizes, max_hand and schedule"
            )
        return self

    def rules_at(self, players: int) -> Rules:
        """Return the rules in force at a number of players."""
        if self.up_to is None:
            return self.rules
        largest = min(self.up_to, self.rules.largest_hand(players))
        return make_rules(self.rules, hand_sizes=tuple(range(1, largest + 1)))
