"""What studies are asked for: the options they share, checked with a sentence for each mistake."""

import secrets
from collections.abc import Mapping
from typing import Annotated, Any, Final, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.reading import Whole, read_numbers, sentence_of
from ohpshaw_sim.rules import Rules
from ohpshaw_sim.tournament.asked_rules import take_rules
from ohpshaw_sim.tournament.options import processors
from ohpshaw_sim.tournament.spec import LARGEST_SEED

_DRAWN_SEEDS: Final = 10**9
LEAST_SETS: Final = 2
"""Sets that an interval takes."""


def _player_counts(given: Any) -> Any:
    return read_numbers(given, "player numbers")


def _agent(given: Any) -> Any:
    if isinstance(given, str):
        resolve(given)
    return given


AgentName = Annotated[str, BeforeValidator(_agent)]
"""An agent's name as `resolve` reads it; it is made once, so that a wrong one is told before anything is played."""


class TableRequest(BaseModel):
    """Who plays by which rules, as every study asks it. Use `make_request` for errors of one sentence."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    players: Annotated[tuple[int, ...], BeforeValidator(_player_counts)] = Field(default=(4,), min_length=1)
    """Numbers of players, each played by itself."""
    rules: Rules = Rules()
    """The rules in force; whatever `read_rules` takes, and single options of rules beside it, may be given."""
    seed: Whole = Field(default_factory=lambda: secrets.randbelow(_DRAWN_SEEDS), ge=0, le=LARGEST_SEED)
    jobs: Whole = Field(default_factory=processors, ge=1)
    """Threads; they change no result."""

    @model_validator(mode="before")
    @classmethod
    def _rules_are_read(cls, given: dict[str, Any]) -> dict[str, Any]:
        flags = {key: value for key, value in given.items() if value is not None}
        rules = take_rules(None, {}, flags)
        return {**flags, "rules": rules}


class StudyRequest(TableRequest):
    """Options that studies of duplicate sets share."""

    sets: Whole = Field(ge=LEAST_SETS)
    """Duplicate sets of each line-up: one match's deals in every rotation of the seats."""

    @model_validator(mode="after")
    def _makes_a_game(self) -> Self:
        for players in self.players:
            self.rules.schedule_for(players)
        return self


Request = TypeVar("Request", bound=BaseModel)


def make_request(kind: type[Request], options: Mapping[str, Any], what: str) -> Request:
    """Return a request of a kind, checked; `what` names it in errors, as in "a ladder".

    Raises MalformedError, IllegalError, ConflictError or AgentError, one sentence each.
    """
    given = {key: value for key, value in options.items() if value is not None}
    try:
        return kind(**given)
    except ValidationError as error:
        raise sentence_of(error, what, list(kind.model_fields)) from None
