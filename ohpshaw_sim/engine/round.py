"""One round, stepped from Python: for tests, records and people."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from ohpshaw_sim.cards import NO_CARD, Card, Mask, cards_in, format_card, format_cards
from ohpshaw_sim.engine.advance import NO_ANSWER, advance, is_legal
from ohpshaw_sim.engine.laying import lay_round
from ohpshaw_sim.engine.state import GAME, ROUND_OVER, TABLE, records
from ohpshaw_sim.errors import IllegalError
from ohpshaw_sim.interface.view import BID, blank_views
from ohpshaw_sim.kernels.dealing import deal
from ohpshaw_sim.kernels.rng import fold, root
from ohpshaw_sim.kernels.scoring import round_score
from ohpshaw_sim.rules import Rules


class Round:
    """A round in progress; `start` and `deal` make one, `answer` carries it on.

    >>> table = Round.start(Rules(), 3, 1, 2, [1 << 14, 1 << 13, 1 << 30], 5)
    >>> for answer in (1, 0, 0, 14, 13, 30):
    ...     table.answer(answer)
    >>> table.done, table.tricks, table.scores
    (True, [1, 0, 0], [11, 10, 10])
    """

    def __init__(
        self, table: Any, rules: Rules, hand_size: int, dealer: int, turn_up: Card, seed: int
    ) -> None:
        self._table, self._game = table, records(GAME, 1)[0]
        self.view, self._shown = blank_views(2)
        key = fold(root(seed, "agents"), 0)
        for seat in range(table.players):
            table.round_keys[seat] = np.uint64(fold(np.uint64(key), seat))
        lay_round(self.view, table, dealer, hand_size, turn_up, np.uint64(rules.pack_mask))
        self._go_on(NO_ANSWER)

    @classmethod
    def start(
        cls,
        rules: Rules,
        players: int,
        hand_size: int,
        dealer: int,
        hands: Sequence[Mask],
        turn_up: Card = NO_CARD,
        *,
        seed: int = 0,
    ) -> Self:
        """Start a round from given hands (masks by seat) and turn-up (-1 when every card is dealt).

        `seed` gives the random words that agents see. Raises IllegalError, saying why, for a wrong count, a card
        dealt twice or one that is not in the pack (B7), and when the rules refuse the players or the hand size.
        """
        _check_table(rules, players, hand_size, dealer)
        _check_deal(rules, players, hand_size, hands, turn_up)
        table = records(TABLE, 1)[0]
        table.players = players
        table.hands[:players] = np.array([int(hand) for hand in hands], np.uint64)
        return cls(table, rules, hand_size, dealer, turn_up, seed)

    @classmethod
    def deal(cls, rules: Rules, players: int, hand_size: int, dealer: int, seed: int) -> Self:
        """Deal a round from a seed. Raises IllegalError when the rules refuse the players or the hand size."""
        _check_table(rules, players, hand_size, dealer)
        table = records(TABLE, 1)[0]
        table.players = players
        key = np.uint64(fold(root(seed, "cards"), 0))
        turn_up = deal(key, np.uint64(rules.pack_mask), players, hand_size, dealer, table)
        return cls(table, rules, hand_size, dealer, int(turn_up), seed)

    @property
    def done(self) -> bool:
        """Whether all cards are played."""
        return bool(self._table.kind == ROUND_OVER)

    @property
    def kind(self) -> int:
        """The kind of decision that is awaited: BID (0) or PLAY (1); 2 when the round is over."""
        return int(self._table.kind)

    @property
    def seat(self) -> int:
        """The seat that is to answer."""
        return int(self._table.turn)

    @property
    def legal(self) -> Mask:
        """Legal answers: bit b for bid b, bit c for card c; 0 when the round is over."""
        return 0 if self.done else int(self._table.legal)

    @property
    def bids(self) -> list[int]:
        """Bids by seat; -1 = not made yet."""
        return [int(bid) for bid in self._table.bids[: self._table.players]]

    @property
    def tricks(self) -> list[int]:
        """Tricks won so far, by seat."""
        return [int(tricks) for tricks in self._table.tricks[: self._table.players]]

    @property
    def hands(self) -> list[Mask]:
        """Cards still held, as masks by seat."""
        return [int(hand) for hand in self._table.hands[: self._table.players]]

    @property
    def plays(self) -> list[Card]:
        """Cards in playing order."""
        return [int(card) for card in self.view.plays[: self.view.plays_made]]

    @property
    def leaders(self) -> list[int]:
        """The seat that led, or is to lead, each trick so far."""
        return [int(seat) for seat in self.view.leaders if seat >= 0]

    @property
    def scores(self) -> list[int]:
        """Points by seat. Raises IllegalError while cards are left to play."""
        if not self.done:
            raise IllegalError("the round is not over; it has no scores yet")
        return [int(round_score(bid, tricks)) for bid, tricks in zip(self.bids, self.tricks, strict=True)]

    def answer(self, value: int) -> None:
        """Bid or play for the seat whose turn it is.

        Raises IllegalError, naming what would be legal, for anything else; the round is then as it was before.
        """
        if self.done:
            raise IllegalError("the round is over; nothing more can be played")
        if not is_legal(value, np.uint64(self._table.legal)):
            raise IllegalError(self._refusal(value))
        self._go_on(value)

    def _refusal(self, value: int) -> str:
        legal = self.legal
        if self.kind == BID:
            return f"seat {self.seat} may not bid {value}; legal bids are 0 to {legal.bit_length() - 1} (B8)"
        card = format_card(value) if value in cards_in(self._table.hands[self.seat]) else f"card {value}"
        return f"seat {self.seat} may not play {card}; it may play {format_cards(legal)} (B10)"

    def _go_on(self, answer: int) -> None:
        advance(self.view, self._table, self._game, self._shown, answer)


def _check_table(rules: Rules, players: int, hand_size: int, dealer: int) -> None:
    largest = rules.largest_hand(players)
    if not 1 <= hand_size <= largest:
        raise IllegalError(
            f"hand size {hand_size} cannot be dealt to {players} players; use 1 to {largest} (B4)"
        )
    if not 0 <= dealer < players:
        raise IllegalError(f"dealer {dealer} is no seat at {players} players; seats are 0 to {players - 1}")


def _check_deal(rules: Rules, players: int, hand_size: int, hands: Sequence[Mask], turn_up: Card) -> None:
    """Refuse a deal with a wrong count, a duplicate or an unknown card (B7)."""
    if len(hands) != players:
        raise IllegalError(f"{len(hands)} hands were given for {players} players (B7)")
    turned = [1 << turn_up] if turn_up >= 0 else []
    seen = 0
    for name, cards in [
        *((f"seat {seat}", hand) for seat, hand in enumerate(hands)),
        ("the turn-up", sum(turned)),
    ]:
        if cards & ~rules.pack_mask:
            raise IllegalError(f"{name} has cards that the {rules.pack_name} pack does not hold (B7)")
        if seen & cards:
            raise IllegalError(f"{format_cards(seen & cards)} is dealt twice, the second time to {name} (B7)")
        if name != "the turn-up" and cards.bit_count() != hand_size:
            raise IllegalError(f"{name} has {cards.bit_count()} cards in a round of {hand_size} (B7)")
        seen |= cards
    if (seen == rules.pack_mask and not turned) == (turn_up >= 0):
        raise IllegalError("a card must be turned up unless every card is dealt (B5, B6)")
