"""One round of OpenSpiel's `oh_hell`, an engine written by others, with the cards of `tests/reference.py`.

With `off_bid_penalty` and one point per trick it pays 10 + bid for a hit and less than nothing for a miss, so
`max(0, return)` is the base game's score (B13). It always has the hook: only hook-legal bids can be drawn.
It cannot play a round in which every card is dealt (B6). Its actions are in turn: the number of tricks, the
dealer, the cards (dealt from seat 0 whoever deals, the turn-up last), the bids (cards in the pack + bid)
and the plays. Its card number is rank * suits + suit, suits in the order C D H S, the lowest rank 0.
"""

import functools
import random
from typing import Any, Self

import pyspiel

from reference import ACE, Card, Deal

PACKS = [(4, 13), (4, 13), (4, 13), (4, 8), (3, 10), (2, 13)]
"""Packs that rounds are drawn from, as suits and ranks: mostly the usual one."""


@functools.cache
def load(players: int, suits: int, ranks: int, hand_size: int) -> Any:
    parameters = {"players": players, "num_suits": suits, "num_cards_per_suit": ranks}
    parameters |= {"num_tricks_fixed": hand_size, "off_bid_penalty": True, "points_per_trick": 1}
    return pyspiel.load_game("oh_hell", parameters)


class OpenSpielRound:
    """A round dealt at random: `seat` is to answer, with a bid while `bidding`, else with a card."""

    def __init__(self, players: int, pack: tuple[int, int], hand_size: int, draw: random.Random) -> None:
        self.pack, self.suits, self.ranks = pack, *pack
        self.players, self.hand_size, self.draw = players, hand_size, draw
        self.dealer = draw.randrange(players)
        self.state = load(players, *pack, hand_size).new_initial_state()
        actions = draw.sample(range(self.suits * self.ranks), players * hand_size + 1)
        for action in (hand_size, self.dealer, *actions):
            self.state.apply_action(action)
        dealt = [self.card(action) for action in actions]
        self.deal = Deal([dealt[seat:-1:players] for seat in range(players)], dealt[-1])

    @classmethod
    def random(cls, players: int, seed: int, largest: int = 99) -> Self:
        """Deal a round of any pack in `PACKS` and any hand size up to `largest` that leaves a card to turn."""
        draw = random.Random(seed)
        suits, ranks = draw.choice(PACKS)
        return cls(
            players, (suits, ranks), draw.randint(1, min(largest, (suits * ranks - 1) // players)), draw
        )

    def card(self, action: int) -> Card:
        return action % self.suits, action // self.suits + ACE - self.ranks + 1

    @property
    def seat(self) -> int:
        return int(self.state.current_player())

    @property
    def bidding(self) -> bool:
        return bool(self.state.legal_actions()[0] >= self.suits * self.ranks)

    @property
    def done(self) -> bool:
        return bool(self.state.is_terminal())

    def legal_cards(self) -> list[Card]:
        return sorted(self.card(action) for action in self.state.legal_actions())

    def answer(self) -> int | Card:
        """Make a random legal bid or play, and return the bid or the card."""
        action = self.draw.choice(self.state.legal_actions())
        bid = action - self.suits * self.ranks
        self.state.apply_action(action)
        return bid if bid >= 0 else self.card(action)

    def scores(self) -> list[int]:
        return [max(0, int(points)) for points in self.state.returns()]
