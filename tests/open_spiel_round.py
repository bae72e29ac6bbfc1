"""One round of OpenSpiel's `oh_hell`, an engine written by others, with the cards of `tests/reference.py`.

Where it plays by other rules than ours:

- It always has the hook (V1), whatever the hand size. Once the others' total is beyond the tricks it bars nothing,
  as we do.
- It always needs a card to turn: no round without trump, none that deals every card (B6). Four players may ask for
  13 cards each of 52, but then it waits for ever for a turn-up; the hand sizes that it draws itself stop before.
- Cards are dealt from seat 0 whoever deals, and the dealer is drawn; only the order of dealing is of no account.
- Bids are made in turn, and nothing is announced after the last (B9).
- With `off_bid_penalty` a hit pays 10 + points x tricks and a miss costs points x the difference, without it
  a hit pays 10 + points x tricks and a miss points x tricks, `points` being `points_per_trick`. That is V16 and
  V11 with 1 point a trick. The base game (B13) is the first with nothing for a miss; V15 is the first with
  10 points a trick and 10 more for a hit. V12 and V13 it does not know.

It agrees on who is asked, what may be bid and played, who wins a trick and leads the next.

Its actions are in turn: the number of tricks, the dealer, the cards (the turn-up last), the bids (cards in the
pack + bid) and the plays. Its card number is rank * suits + suit, the lowest rank 0; what its suits are called
does not matter.
"""

import functools
import random
from collections.abc import Sequence
from typing import Any

import pyspiel

from reference import ACE, Card, Deal, deal_out, new_pack

PACKS = [(4, 13)] * 3 + [(2, 13), (3, 10), (4, 8), (1, 13), (2, 4), (4, 2)]
"""Packs that rounds are drawn from, as suits and ranks: the usual one more often."""
SCORINGS = ("exact", "soft", "wizard", "penalty")
"""Our names of what it can pay, exactly or as told above."""


@functools.cache
def load(players: int, suits: int, ranks: int, hand_size: int, scoring: str = "exact") -> Any:
    parameters = {"players": players, "num_suits": suits, "num_cards_per_suit": ranks}
    parameters |= {"num_tricks_fixed": hand_size, "off_bid_penalty": scoring != "soft"}
    return pyspiel.load_game("oh_hell", parameters | {"points_per_trick": 10 if scoring == "wizard" else 1})


def start(deal: Deal, dealer: int, suits: int, ranks: int, scoring: str = "exact") -> Any:
    """OpenSpiel's state of a round that is dealt and waits for its first bid."""
    state = load(len(deal.hands), suits, ranks, len(deal.hands[0]), scoring).new_initial_state()
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


def points(paid: Sequence[float], scoring: str) -> list[int]:
    """What our scoring gives for what OpenSpiel paid; a hit is all that it pays more than nothing for."""
    if scoring == "exact":
        return [max(0, int(each)) for each in paid]
    return [int(each) + 10 * (scoring == "wizard" and each > 0) for each in paid]


class OpenSpielRound:
    """A round dealt at random: `seat` is to answer, with a bid while `bidding`, else with a card."""

    def __init__(self, players: int, seed: int, largest: int = 99, scoring: str = "exact") -> None:
        """Deal any pack of `PACKS` and any hand size up to `largest` that leaves a card to turn."""
        self.draw = random.Random(seed)
        self.scoring = scoring
        self.suits, self.ranks = self.draw.choice([pack for pack in PACKS if pack[0] * pack[1] > players])
        self.bid_0 = self.suits * self.ranks
        self.hand_size = self.draw.randint(1, min(largest, (self.bid_0 - 1) // players))
        self.dealer = self.draw.randrange(players)
        shuffled = self.draw.sample(new_pack(self.suits, self.ranks), self.bid_0)
        self.deal = deal_out(shuffled, players, self.hand_size, self.dealer)
        self.state = start(self.deal, self.dealer, self.suits, self.ranks, scoring)

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

    def legal_bids(self) -> list[int]:
        return sorted(action - self.bid_0 for action in self.state.legal_actions())

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

    def tricks(self) -> list[int]:
        """The tricks won by seat, the last one too, as its text has them."""
        _, _, line = str(self.state).partition("Tricks Won:")
        return [int(word) for word in line.splitlines()[0].split()]

    def scores(self) -> list[int]:
        """The scores by seat, by our name of the scoring."""
        return points(self.state.returns(), self.scoring)
