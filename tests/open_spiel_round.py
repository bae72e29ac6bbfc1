"""One round of OpenSpiel's `oh_hell`, an engine written by others, with the cards of `tests/reference.py`.

With `off_bid_penalty` and one point per trick it pays 10 + bid for a hit and less than nothing for a miss, so
`max(0, return)` is the base game's score (B13). It always has the hook: only hook-legal bids can be drawn.
It cannot play a round in which every card is dealt (B6). Its actions are in turn: the number of tricks, the
dealer, the cards (dealt from seat 0 whoever deals, the turn-up last), the bids (cards in the pack + bid)
and the plays. Its card number is rank * suits + suit, suits in the order C D H S, the lowest rank 0.
"""

import functools
import random
from typing import Any

import pyspiel

from reference import ACE, Card, Deal, deal_out, new_pack

PACKS = [(4, 13), (4, 13), (4, 13), (4, 8), (3, 10), (2, 13)]
"""Packs that rounds are drawn from, as suits and ranks: mostly the usual one."""


@functools.cache
def load(players: int, suits: int, ranks: int, hand_size: int) -> Any:
    parameters = {"players": players, "num_suits": suits, "num_cards_per_suit": ranks}
    parameters |= {"num_tricks_fixed": hand_size, "off_bid_penalty": True, "points_per_trick": 1}
    return pyspiel.load_game("oh_hell", parameters)


def start(deal: Deal, dealer: int, suits: int, ranks: int) -> Any:
    """OpenSpiel's state of a round that is dealt and waits for its first bid."""
    state = load(len(deal.hands), suits, ranks, len(deal.hands[0])).new_initial_state()
    assert deal.turn_up is not None
    dealt = [card for turn in zip(*deal.hands, strict=True) for card in turn]
    for action in (
        len(deal.hands[0]),
        dealer,
        *(number(card, suits, ranks) for card in (*dealt, deal.turn_up)),
    ):
        state.apply_action(action)
    return state


def number(card: Card, suits: int, ranks: int) -> int:
    """OpenSpiel's number of a card."""
    suit, rank = card
    return (rank - (ACE - ranks + 1)) * suits + suit


class OpenSpielRound:
    """A round dealt at random: `seat` is to answer, with a bid while `bidding`, else with a card."""

    def __init__(self, players: int, seed: int, largest: int = 99) -> None:
        """Deal any pack of `PACKS` and any hand size up to `largest` that leaves a card to turn."""
        self.draw = random.Random(seed)
        self.suits, self.ranks = self.draw.choice(PACKS)
        self.bid_0 = self.suits * self.ranks
        self.hand_size = self.draw.randint(1, min(largest, (self.bid_0 - 1) // players))
        self.dealer = self.draw.randrange(players)
        shuffled = self.draw.sample(new_pack(self.suits, self.ranks), self.bid_0)
        self.deal = deal_out(shuffled, players, self.hand_size, self.dealer)
        self.state = start(self.deal, self.dealer, self.suits, self.ranks)

    @property
    def seat(self) -> int:
        return int(self.state.current_player())

    @property
    def bidding(self) -> bool:
        return bool(self.state.legal_actions()[0] >= self.bid_0)

    @property
    def done(self) -> bool:
        return bool(self.state.is_terminal())

    def card(self, action: int) -> Card:
        return action % self.suits, action // self.suits + ACE - self.ranks + 1

    def legal_cards(self) -> list[Card]:
        return sorted(self.card(action) for action in self.state.legal_actions())

    def bid(self) -> int:
        """Make a random bid that the hook allows, and return it."""
        action = self.draw.choice(self.state.legal_actions())
        self.state.apply_action(action)
        return int(action - self.bid_0)

    def play(self) -> Card:
        """Play a random legal card, and return it."""
        action = self.draw.choice(self.state.legal_actions())
        self.state.apply_action(action)
        return self.card(action)

    def scores(self) -> list[int]:
        return [max(0, int(points)) for points in self.state.returns()]
