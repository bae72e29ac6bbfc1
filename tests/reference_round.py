"""The referee's round, from naming the trump (V8) and the first bid to the scores."""

from collections.abc import Collection

from reference_cards import Card, Deal, Play, best_play, led_suit, legal_cards, seat_after, voids_shown
from reference_options import BASE, Options
from reference_schedule import dealer_names, trump_of_round, turns_up
from reference_scores import announce, barred_bid, legal_bids, round_scores


class Round:
    """One round of these options, the `number`-th of its match from 0.

    `seat` is to answer next: to name the trump while `naming`, to bid while `bidding`, else to play.
    """

    def __init__(self, deal: Deal, dealer: int, options: Options = BASE, number: int = 0) -> None:
        self.rules = options
        self.players = len(deal.hands)
        self.hand_size = len(deal.hands[0])
        self.dealer = dealer
        assert deal.turn_up is None or turns_up(options, self.players, number)  # V6, V7
        self.hands = [list(hand) for hand in deal.hands]
        self.turn_up = deal.turn_up
        self.trump = trump_of_round(options, self.players, number, deal.turn_up)
        self.naming = dealer_names(deal.turn_up)  # V8
        self.bids: dict[int, int] = {}
        self.tricks = [0] * self.players
        self.voids: list[set[int]] = [set() for _ in range(self.players)]
        self.revoked: set[int] = set()  # B12: seats caught later
        self.trick: list[Play] = []  # the trick on the table
        self.finished: list[list[Play]] = []
        eldest = seat_after(dealer, self.players)
        self.seat = dealer if self.naming else eldest  # B8: eldest hand bids first
        self.leader = eldest  # B10: and leads first

    @property
    def bidding(self) -> bool:
        """Whether a bid is to come next."""
        return not self.naming and len(self.bids) < self.players

    @property
    def done(self) -> bool:
        """Whether every card has been played."""
        return len(self.finished) == self.hand_size

    @property
    def led(self) -> int | None:
        """The suit to follow; None while there is none."""
        return led_suit(self.trick)

    @property
    def announcement(self) -> str | None:
        """B9: made after the last bid; None before."""
        all_in = len(self.bids) == self.players
        return announce(self.bids.values(), self.hand_size) if all_in else None

    @property
    def visible_bids(self) -> dict[int, int]:
        """B8: the bids made so far are public. V9: none is before all are in."""
        hidden = self.rules.bidding == "simultaneous" and self.bidding
        return {} if hidden else dict(self.bids)

    def legal_suits(self) -> list[int]:
        """V8: the suits that the dealer may name."""
        return [0, 1, 2, 3]

    def legal_bids(self) -> list[int]:
        """The bids open to the seat whose turn it is."""
        last = len(self.bids) == self.players - 1  # the dealer
        barred = barred_bid(self.rules, self.hand_size, sum(self.bids.values())) if last else None
        return legal_bids(self.hand_size, barred)

    def legal_cards(self) -> list[Card]:
        """The cards that the seat whose turn it is may play."""
        return legal_cards(self.hands[self.seat], self.led, self.trump, self.rules.must_trump)

    def name(self, suit: int) -> None:
        """V8: a Wizard is turned up: the dealer names the trump, then eldest hand bids."""
        assert self.naming
        assert suit in self.legal_suits()
        self.trump = suit
        self.naming = False
        self.seat = self.leader

    def bid(self, bid: int) -> None:
        """B8: clockwise, dealer last, binding. V9: one after the other too, each unseen."""
        assert self.bidding
        assert bid in self.legal_bids()
        self.bids[self.seat] = bid
        self.seat = seat_after(self.seat, self.players)

    def play(self, card: Card) -> None:
        """B10: one card to the table."""
        assert not self.naming
        assert not self.bidding
        assert card in self.legal_cards()
        self.voids[self.seat] |= voids_shown(card, self.led, self.trump, self.rules.must_trump)
        self._lay(card)

    def revoke(self, card: Card) -> None:
        """B12: in a record, an illegal card that was caught later: the trick stands.

        The rulebook does not say what it reveals: nothing, for the seat may hold the suit that it did not play.
        """
        assert not self.naming
        assert not self.bidding
        assert card not in self.legal_cards()
        self.revoked.add(self.seat)
        self._lay(card)

    def _lay(self, card: Card) -> None:
        """B11: the last card of a trick ends it and the winner leads next."""
        self.hands[self.seat].remove(card)
        self.trick.append((self.seat, card))
        self.seat = seat_after(self.seat, self.players)
        if len(self.trick) == self.players:
            winner, _ = best_play(self.trick, self.trump)
            self.tricks[winner] += 1
            self.finished.append(self.trick)
            self.trick = []
            self.leader = self.seat = winner

    def scores(self, revoked: Collection[int] = ()) -> list[int]:
        """The round's score by seat; `revoked` names seats caught later (B12) besides those seen here."""
        assert self.done
        bids = [self.bids[seat] for seat in range(self.players)]
        return round_scores(bids, self.tricks, self.hand_size, self.rules, self.revoked.union(revoked))
