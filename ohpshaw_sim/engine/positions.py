"""A position of the play with open cards, and the compiled table on which its ending is played out."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ohpshaw_sim.cards import NO_CARD, NO_SUIT, Card, Mask, Suit, format_card
from ohpshaw_sim.engine.state import records
from ohpshaw_sim.errors import IllegalError
from ohpshaw_sim.kernels.bits import FREE, U
from ohpshaw_sim.kernels.playout import PLAYOUT, play_card
from ohpshaw_sim.kernels.policy import turn_of, turned, turned_suit
from ohpshaw_sim.kernels.tricks import beats, legal_cards, suit_led
from ohpshaw_sim.rules import Rules


@dataclass(frozen=True)
class Position:
    """Where a round stands once all have bid, all hands being known."""

    rules: Rules
    trump: Suit
    """-1 = no trump."""
    hands: tuple[Mask, ...]
    """By seat: the cards it still holds."""
    bids: tuple[int, ...]
    """By seat."""
    tricks: tuple[int, ...]
    """By seat: tricks won so far."""
    leader: int
    """The seat that leads the trick, or has led it."""
    table: tuple[Card, ...] = ()
    """The cards of the trick under way, in playing order."""

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.hands)

    @property
    def seat(self) -> int:
        """The seat to play."""
        return (self.leader + len(self.table)) % self.players

    @property
    def left(self) -> int:
        """Tricks to be won still, that under way included."""
        return self.hands[self.seat].bit_count()

    @property
    def hand_size(self) -> int:
        """Cards dealt to each seat."""
        return sum(self.tricks) + self.left

    @property
    def legal(self) -> Mask:
        """The cards that may be played."""
        hand, must_trump = U(self.hands[self.seat]), self.rules.must_trump
        return int(legal_cards(hand, self.led_by()[0], self.trump, must_trump))

    def led_by(self) -> tuple[Suit, Card, int]:
        """Return the suit led, the card and the seat that win the trick so far; -1 = none."""
        led, best, winner = NO_SUIT, NO_CARD, -1
        for place, card in enumerate(self.table):
            led = suit_led(led, best, card)
            if best == NO_CARD or beats(card, best, led, self.trump):
                best, winner = card, (self.leader + place) % self.players
        return led, best, winner

    def check(self) -> None:
        """Raise IllegalError, one sentence, for what no round comes to."""
        players = self.players
        self.rules.largest_hand(players)
        for name, values in (("bids", self.bids), ("tricks", self.tricks)):
            if len(values) != players:
                raise IllegalError(f"{name} has {len(values)} entries for {players} hands; give one for each")
        if not 0 <= self.leader < players or len(self.table) >= players:
            raise IllegalError(
                f"seat {self.leader} cannot have led to {len(self.table)} cards at {players} players"
            )
        self._check_cards()
        if min(self.tricks) < 0 or not all(0 <= bid <= self.hand_size for bid in self.bids):
            raise IllegalError(
                f"bids {self.bids} and tricks {self.tricks} do not fit a round of {self.hand_size} tricks"
            )

    def _check_cards(self) -> None:
        """Raise IllegalError for cards that stand twice or nowhere, and for hands of wrong sizes."""
        if not self.left:
            raise IllegalError("no card is left to play; the round is over")
        seen = 0
        cards = [1 << card for card in self.table]
        for mask in (*self.hands, *cards):
            wrong = mask & (seen | ~self.rules.pack_mask)
            if wrong:
                card = format_card(wrong.bit_length() - 1)
                raise IllegalError(
                    f"{card} stands twice, or is no card of the pack of {self.rules.pack_name}"
                )
            seen |= mask
        for place in range(self.players):
            seat = (self.leader + place) % self.players
            owed = self.left - (place < len(self.table))
            if self.hands[seat].bit_count() != owed:
                raise IllegalError(
                    f"seat {seat} holds {self.hands[seat].bit_count()} cards and should hold {owed}"
                )

    def lay(self, first: Card = NO_CARD) -> Any:
        """Return the position as a `kernels.playout` table, once `first` was played to it if it is given."""
        tables, turn = records(PLAYOUT, 1), U(turn_of(self.trump))
        table = tables[0]
        table.players, table.left, table.must_trump = self.players, self.left, self.rules.must_trump
        table.trump = turned_suit(self.trump, self.trump)
        table.odd = bool(self.rules.must_trump or self.rules.pack_mask & int(FREE))
        table.waiting, table.turn, table.led = self.players, self.leader, NO_SUIT
        held = [U(hand) for hand in self.hands]
        for place, card in enumerate(self.table):
            held[(self.leader + place) % self.players] |= U(1 << card)
        for seat, hand in enumerate(held):
            table.hands[seat] = turned(hand, turn)
            table.needs[seat] = self.bids[seat] - self.tricks[seat]
        table.live = np.bitwise_or.reduce(table.hands[: self.players])
        for card in (*self.table, *([] if first == NO_CARD else [first])):
            play_card(tables, U(turned(U(1 << card), turn)))
        return tables
