"""What a tournament plays: the part of a request that decides every result, and nothing else.

Two runs with equal `plan_hash` play the same cards and decisions set by set; the longer one only adds sets.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from ohpshaw_sim.errors import ConflictError, IllegalError
from ohpshaw_sim.reading import Whole, read_numbers, sentence_of
from ohpshaw_sim.rule_text import make_rules, read_rules, rules_text
from ohpshaw_sim.rules import Rules

SCHEMA: Final = 3
"""Version of the plan and of the run folder; another one means that results cannot be continued."""
BLOCK_SETS: Final = 16
LARGEST_SEED: Final = 2**63 - 1
LEAST_COMPARED: Final = 3
_LONGEST_NAME: Final = 60


def _player_counts(given: Any) -> Any:
    return read_numbers(given, "player numbers")


class Spec(BaseModel):
    """A tournament to be played; frozen and validated as a whole. Use `make_spec` for errors of one sentence.

    >>> make_spec(agents=["random"], seed=1, hand_sizes="1-3").schedule(players=4)
    (1, 2, 3)
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    agents: tuple[str, ...] = Field(min_length=1)
    """Names as `resolve` reads them, one per entrant."""
    versus: bool = False
    """A comparison: the first two agents take turns in one seat, on the same deals, with the others around them."""
    players: Annotated[tuple[int, ...], BeforeValidator(_player_counts)] = (4,)
    """Numbers of players; blocks take them in turn."""
    hand_sizes: tuple[int, ...] | None = None
    """Hand size of each round of a match; None = the schedule of the rules."""
    rules: str = "oh-pshaw"
    """A preset, with options if need be, as `rule_text.rules_text` writes them: `oh-pshaw:pack=2x4,max_hand=2`.

    Whatever `read_rules` reads may be given. Hand sizes that it lists are kept in `hand_sizes`, and a schedule that
    hand sizes take the place of is left out: equal rules make equal specs."""
    deals: str | None = None
    """File whose deals are played, one match of it in each set; None = deals come from the seed.

    Players and hand sizes are then those of the file."""
    deals_digest: str | None = None
    """Names what that file holds."""
    sets: Whole | None = Field(default=None, ge=1)
    """Sets to play in all; None = until told to stop."""
    seed: Whole = Field(ge=0, le=LARGEST_SEED)
    block_sets: Whole = Field(default=BLOCK_SETS, ge=1)
    """Sets played in a row by one line-up."""
    on_fault: Literal["stop", "forfeit"] = "stop"
    """What becomes of an agent that fails: the run stops, or the seat forfeits the round."""

    @model_validator(mode="before")
    @classmethod
    def _rules_are_read(cls, given: dict[str, Any]) -> dict[str, Any]:
        sizes = given.get("hand_sizes")
        rules = read_rules(given.get("rules", "oh-pshaw"), **({} if sizes is None else {"hand_sizes": sizes}))
        apart = rules if rules.hand_sizes is None else make_rules(rules, schedule="up", hand_sizes=None)
        return {**given, "hand_sizes": rules.hand_sizes, "rules": rules_text(apart)}

    @model_validator(mode="after")
    def _makes_a_game(self) -> Self:
        if self.versus and len(self.agents) < LEAST_COMPARED:
            raise IllegalError("a comparison needs two agents and at least one more to fill the other seats")
        if len(set(self.players)) < len(self.players):
            raise IllegalError(f"players {list(self.players)} has a number twice; give each once")
        if (self.deals is None) != (self.deals_digest is None):
            raise ConflictError(
                "deals and deals_digest go together; `read_request` finds the digest of a file"
            )
        for players in self.players:
            self.schedule(players)
        return self

    def rules_in_force(self) -> Rules:
        """Return the preset with its options and these hand sizes. Raises MalformedError or IllegalError."""
        return _rules_of(self.rules, self.hand_sizes)

    def schedule(self, players: int) -> tuple[int, ...]:
        """Return the hand size of each round at this number of players. Raises IllegalError."""
        return self.rules_in_force().schedule_for(players)

    def plan_hash(self) -> str:
        """Return 16 hex digits that name what is played: everything here but how many sets of it.

        Of a file of deals it is what the file holds that counts, and not where it lies.
        """
        apart = {"sets", "deals"} if self.deals else {"sets", "deals", "deals_digest"}
        apart |= {"on_fault"} if self.on_fault == "stop" else set()
        plan = {"schema": SCHEMA, **self.model_dump(mode="json", exclude=apart)}
        plan["rules"] = self.rules_in_force().model_dump(mode="json", exclude_defaults=True)
        text = json.dumps(plan, sort_keys=True, separators=(",", ":"))
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def folder_name(self, sources: Mapping[str, str] | None = None) -> str:
        """Return the default name of the run folder: agents and plan hash, safe in any file system.

        `sources`, digests of agents' files, go into the hash: an edited agent plays into another folder.
        """
        agents = "-vs-".join(_slug(agent) for agent in self.agents)
        digest = self.plan_hash()
        if sources:
            text = json.dumps([digest, dict(sources)], sort_keys=True)
            digest = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
        return f"{agents[:_LONGEST_NAME].rstrip('-_.')}-{digest[:10]}"


@lru_cache(maxsize=64)
def _rules_of(text: str, hand_sizes: tuple[int, ...] | None) -> Rules:
    return read_rules(text) if hand_sizes is None else read_rules(text, hand_sizes=hand_sizes)


def make_spec(**values: Any) -> Spec:
    """Return a spec, checked. Raises MalformedError or IllegalError that says what and where."""
    try:
        return Spec(**values)
    except ValidationError as error:
        raise sentence_of(error, "a tournament", list(Spec.model_fields)) from None


def _slug(agent: str) -> str:
    """Return an agent's name as part of a folder name: files by their stem, odd characters as `_`."""
    parts = [re.sub(r"^.*\.py\b", lambda found: Path(found[0]).stem, part) for part in agent.split("+")]
    return re.sub(r"[^A-Za-z0-9.+=-]+", "_", "+".join(parts)).strip("._-") or "agent"
