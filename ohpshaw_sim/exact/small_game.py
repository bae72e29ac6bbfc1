"""A single round as a game of its own: its rules, players and hand size, its turn-ups and all its deals.

Seat 0 is eldest hand, the last seat deals. The turn-up is seen by all, so each turn-up begins a game apart from the
others, and a value of the whole is the mean over turn-ups.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ohpshaw_sim.cards import NO_CARD, NO_SUIT, Card, Mask, cards_in, mask_of
from ohpshaw_sim.engine.options import lay_rules
from ohpshaw_sim.engine.state import GAME, records
from ohpshaw_sim.errors import ConflictError
from ohpshaw_sim.interface.view import MAX_PLAYERS
from ohpshaw_sim.rule_text import make_rules
from ohpshaw_sim.rules import Rules


@dataclass(frozen=True)
class SmallGame:
    """A round with a turned trump and bids in turn.

    Raises IllegalError when the pack cannot serve the hand size, ConflictError for rules that are not looked into.
    """

    rules: Rules
    players: int
    hand_size: int

    def __post_init__(self) -> None:
        make_rules(self.rules, schedule="up", max_hand=None, hand_sizes=(self.hand_size,)).schedule_for(
            self.players
        )
        unfit = {
            "wizard": self.rules.wizard,
            "simultaneous bidding": self.rules.bidding == "simultaneous",
            "rotating trumps": self.rules.trump == "rotate",
            "a last round without trump": self.rules.no_trump_final,
        }
        found = [name for name, there in unfit.items() if there]
        if found:
            raise ConflictError(
                f"rounds with {found[0]} are not solved; a card is turned and bids are made in turn: leave it out"
            )

    @property
    def dealer(self) -> int:
        """The seat that deals and bids last."""
        return self.players - 1

    @property
    def cards(self) -> list[Card]:
        """The pack."""
        return list(cards_in(self.rules.pack_mask))

    @property
    def turn_ups(self) -> list[Card]:
        """The cards that may be turned; only -1 where every card is dealt (B6)."""
        return [NO_CARD] if len(self.cards) == self.players * self.hand_size else self.cards

    def unseen(self, turn_up: Card) -> Mask:
        """Return the pack without the turn-up."""
        return self.rules.pack_mask & ~(1 << turn_up if turn_up >= 0 else 0)

    def trump(self, turn_up: Card) -> int:
        """Return the trump that a turn-up makes."""
        return turn_up >> 4 if turn_up >= 0 else NO_SUIT

    @property
    def deals_per_turn_up(self) -> int:
        """Number of ways to deal the hands once the turn-up lies open."""
        left = len(self.cards) - (self.turn_ups[0] >= 0)
        return math.prod(
            math.comb(left - seat * self.hand_size, self.hand_size) for seat in range(self.players)
        )

    @property
    def lines_per_deal(self) -> int:
        """At most so many ways to bid and play a deal."""
        return int(((self.hand_size + 1) * math.factorial(self.hand_size)) ** self.players)

    def deals(self, turn_up: Card) -> Any:
        """Return all deals after a turn-up: uint64[deal, seat], masks."""
        hands = np.array(list(_hands(tuple(cards_in(self.unseen(turn_up))), self.players, self.hand_size)))
        deals = np.zeros((len(hands), MAX_PLAYERS), np.uint64)
        deals[:, : self.players] = hands
        return deals

    def record(self) -> Any:
        """Return the GAME record (in an array of 1), in which every decision is asked outside the engine."""
        games = records(GAME, 1)
        lay_rules(games[0], self.rules, rounds=1)
        games[0].players = self.players
        games[0].schedule_length = games[0].rounds = 1
        games[0].schedule[0] = self.hand_size
        return games


def _hands(cards: tuple[Card, ...], players: int, hand_size: int) -> Iterator[tuple[Mask, ...]]:
    """Yield every way to give each player a hand of these cards."""
    for hand in combinations(cards, hand_size):
        if players == 1:
            yield (mask_of(hand),)
            continue
        rest = tuple(card for card in cards if card not in hand)
        for others in _hands(rest, players - 1, hand_size):
            yield (mask_of(hand), *others)
