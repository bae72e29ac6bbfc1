"""What is played: the rules, the players, and an entrant at each place of the line-up; laid out for compiled code."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from ohpshaw_sim.engine.calls import calls_of
from ohpshaw_sim.engine.given import GivenDeals
from ohpshaw_sim.engine.luck import address_of_values, counts_luck
from ohpshaw_sim.engine.options import lay_rules
from ohpshaw_sim.engine.state import GAME, records
from ohpshaw_sim.errors import AgentError, ConflictError
from ohpshaw_sim.interface.agent import CompiledAgent, VectorAgent
from ohpshaw_sim.interface.discovery import Entrant
from ohpshaw_sim.kernels.rng import root
from ohpshaw_sim.rules import EXTRA_ROUNDS, Rules

Agents: TypeAlias = tuple[list[VectorAgent | None], list[VectorAgent | None]]
"""Bidders and players that are asked outside compiled code, by place; None = compiled."""


@dataclass(frozen=True)
class Game:
    """A line-up and what it plays.

    `schedule` holds the hand size of each round. `owners[place]` is the index 0, 1, ... of the competitor that holds a
    place of `lineup`; places of one competitor share it. `stop_after` ends each match after so many rounds, without
    tie-break rounds (B16). `arm` numbers the arm of a comparison: cards stay, agents' luck changes. `deals` are laid
    instead of dealing from the seed; then there are no tie-break rounds.
    Raises ConflictError when these do not fit together, IllegalError when the pack cannot serve the schedule.
    """

    rules: Rules
    players: int
    schedule: tuple[int, ...]
    lineup: tuple[Entrant, ...]
    owners: tuple[int, ...]
    stop_after: int | None = None
    arm: int = 0
    deals: GivenDeals | None = None

    def __post_init__(self) -> None:
        if not len(self.lineup) == len(self.owners) == self.players:
            raise ConflictError(
                f"{len(self.lineup)} entrants and {len(self.owners)} owners cannot fill {self.players} places"
            )
        if set(self.owners) != set(range(self.entrants)):
            raise ConflictError(f"owners {self.owners} must number the competitors 0, 1, ... without a hole")
        if self.stop_after is not None and self.stop_after < 1:
            raise ConflictError(f"a match cannot stop after {self.stop_after} rounds; give 1 or more")
        shape = (self.players, len(self.schedule))
        if self.deals is not None and shape != (self.deals.players, self.deals.rounds):
            raise ConflictError("the given deals are of other players or rounds than this game")
        options = {"hand_sizes": self.schedule, "max_hand": None, "schedule": "up"}
        Rules(**{**self.rules.model_dump(), **options}).schedule_for(self.players)

    @property
    def entrants(self) -> int:
        """Number of competitors."""
        return max(self.owners) + 1

    @property
    def largest_hand(self) -> int:
        """The largest hand size of the schedule."""
        return max(self.schedule)

    @property
    def extra_rounds(self) -> int:
        """The most tie-break rounds that a match may have (B15, B16)."""
        return EXTRA_ROUNDS if self.stop_after is None and self.deals is None else 0

    @property
    def tie_break_hand(self) -> int:
        """Hand size of tie-break rounds (B15)."""
        return self.rules.tie_break_hand or self.largest_hand

    @property
    def compiled(self) -> bool:
        """Whether every decision is a compiled agent's."""
        return all(
            isinstance(agent, CompiledAgent)
            for entrant in self.lineup
            for agent in (entrant.bidder, entrant.player)
        )


@lru_cache(maxsize=512)
def lay_game(game: Game, seed: int) -> Any:
    """Return the GAME record (in an array of 1) of a game under a seed; the engine only reads it.

    Raises AgentError, naming the entrant, when an agent does not compile.
    """
    games = records(GAME, 1)
    record = games[0]
    record.root_cards = root(seed, "cards")
    record.root_agents = root(seed, "agents")
    lay_rules(record, game.rules, len(game.schedule))
    record.players = game.players
    record.schedule_length = len(game.schedule)
    record.schedule[: len(game.schedule)] = game.schedule
    record.rounds = min(game.stop_after or len(game.schedule), len(game.schedule))
    record.extra_rounds = game.extra_rounds
    record.tie_break_hand = game.tie_break_hand
    record.first_dealer = -1 if game.rules.first_dealer is None else game.rules.first_dealer
    record.arm = game.arm
    if counts_luck(game.rules, given=game.deals is not None):
        record.deal_values = address_of_values(game.players)
    if game.deals is not None:
        record.given, record.given_sets = game.deals.address, game.deals.sets
    for place, entrant in enumerate(game.lineup):
        try:
            _lay_place(record, place, entrant)
        except AgentError as error:
            raise AgentError(f"agent {entrant.name} cannot play: {error}") from error
    return games


def _lay_place(record: Any, place: int, entrant: Entrant) -> None:
    """Write the addresses of a place's compiled functions; an outside agent keeps address 0."""
    record.guarded[place] = not entrant.trusted
    if isinstance(entrant.bidder, CompiledAgent):
        calls = calls_of(entrant.bidder)
        record.bid_call[place], record.bid_params[place] = calls.bid, calls.params
        record.name_call[place] = calls.name
        record.bid_params_count[place] = calls.params_count
    if isinstance(entrant.player, CompiledAgent):
        calls = calls_of(entrant.player)
        record.play_call[place], record.play_params[place] = calls.play, calls.params
        record.play_params_count[place] = calls.params_count


def outside_agents(game: Game) -> Agents:
    """Return the bidders and the players that are asked outside compiled code, by place; None = compiled."""
    bidders = [
        None if isinstance(entrant.bidder, CompiledAgent) else entrant.bidder for entrant in game.lineup
    ]
    players = [
        None if isinstance(entrant.player, CompiledAgent) else entrant.player for entrant in game.lineup
    ]
    return bidders, players
