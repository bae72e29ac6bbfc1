"""One round, stepped from Python: for tests, records and people."""

from collections.abc import Sequence
from operator import index
from typing import Any, Final, Self, SupportsIndex

import numpy as np

from ohpshaw_sim.cards import NO_CARD, Card, Mask, Suit, cards_in, format_card, format_cards
from ohpshaw_sim.engine.advance import advance
from ohpshaw_sim.engine.asking import NO_ANSWER
from ohpshaw_sim.engine.checks import check_deal, check_round
from ohpshaw_sim.engine.laying import lay_round
from ohpshaw_sim.engine.options import lay_rules, show_rules
from ohpshaw_sim.engine.round_scores import round_scores
from ohpshaw_sim.engine.state import GAME, ROUND_OVER, TABLE, records
from ohpshaw_sim.errors import IllegalError
from ohpshaw_sim.interface.view import BID, NAME_TRUMP, blank_views
from ohpshaw_sim.kernels.dealing import TURNED, deal
from ohpshaw_sim.kernels.rng import fold, root
from ohpshaw_sim.rules import Rules

_ANSWERS: Final = 64
"""Bids, cards and suits are numbers below this."""


class Round:
    """A round in progress; `start` and `deal` make one, `answer` carries it on.

    >>> table = Round.start(Rules(), 3, 1, 2, [1 << 14, 1 << 13, 1 << 30], 5)
    >>> for answer in (1, 0, 0, 14, 13, 30):
    ...     table.answer(answer)
    >>> table.done, table.tricks, table.scores
    (True, [1, 0, 0], [11, 10, 10])
    """

    def __init__(
        self, table: Any, rules: Rules, hand_size: int, dealer: int, turn_up: Card, trump: int, seed: int
    ) -> None:
        self._table, self._game, self._rules = table, records(GAME, 1)[0], rules
        lay_rules(self._game, rules, rounds=1)
        self.view, self._shown = blank_views(2)
        self.view.past_bids[:], self.view.past_tricks[:] = -1, -1
        show_rules(self.view, self._game)
        key = fold(root(seed, "agents"), 0)
        for seat in range(table.players):
            table.round_keys[seat] = np.uint64(fold(np.uint64(key), seat))
        lay_round(self.view, table, dealer, hand_size, turn_up, trump)
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
        trump: Suit | None = None,
        seed: int = 0,
    ) -> Self:
        """Start a round from given hands (masks by seat) and turn-up (-1 when every card is dealt).

        `trump` is that of a round where nothing is turned (V6, V7), -1 = none. `seed` gives the random words that
        agents see. Raises IllegalError, saying why, for a wrong count, a card dealt twice or one that is not in the
        pack (B7), and when the rules refuse the players, the hand size or the trump.
        """
        hands, turn_up = [int(hand) for hand in hands], int(turn_up)  # numpy's would overflow below
        check_round(rules, players, hand_size, dealer, trump)
        check_deal(rules, players, hand_size, hands, turn_up, turned=trump is None)
        table = records(TABLE, 1)[0]
        table.players = players
        table.hands[:players] = np.array(hands, np.uint64)
        return cls(table, rules, hand_size, dealer, turn_up, TURNED if trump is None else trump, seed)

    @classmethod
    def deal(
        cls,
        rules: Rules,
        players: int,
        hand_size: int,
        dealer: int,
        seed: int,
        *,
        trump: Suit | None = None,
    ) -> Self:
        """Deal a round from a seed; `trump` as for `start`.

        Raises IllegalError when the rules refuse the players, the hand size or the trump.
        """
        check_round(rules, players, hand_size, dealer, trump)
        table = records(TABLE, 1)[0]
        table.players = players
        key = np.uint64(fold(root(seed, "cards"), 0))
        turn_up = int(deal(key, np.uint64(rules.pack_mask), players, hand_size, dealer, table))
        if trump is not None:
            return cls(table, rules, hand_size, dealer, NO_CARD, trump, seed)
        return cls(table, rules, hand_size, dealer, turn_up, TURNED, seed)

    @property
    def done(self) -> bool:
        """Whether all cards are played."""
        return bool(self._table.kind == ROUND_OVER)

    @property
    def kind(self) -> int:
        """The kind of decision that is awaited: BID (0), PLAY (1) or NAME_TRUMP (2); 3 when the round is over."""
        return int(self._table.kind)

    @property
    def seat(self) -> int:
        """The seat that is to answer."""
        return int(self._table.turn)

    @property
    def legal(self) -> Mask:
        """Legal answers: bit b for bid b, bit c for card c, bit s for suit s; 0 when the round is over."""
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
        return round_scores(self._rules, int(self.view.hand_size), self.bids, self.tricks)

    def answer(self, value: SupportsIndex) -> None:
        """Bid or play for the seat whose turn it is.

        Raises IllegalError, naming what would be legal, for anything else; the round is then as it was before.
        """
        if self.done:
            raise IllegalError("the round is over; nothing more can be played")
        try:
            answer = index(value)
        except TypeError:
            raise IllegalError(f"seat {self.seat} answered {value!r}; an answer is an int") from None
        if not 0 <= answer < _ANSWERS or not self.legal >> answer & 1:
            raise IllegalError(self._refusal(answer))
        self._go_on(answer)

    def _refusal(self, value: int) -> str:
        legal = self.legal
        if self.kind == NAME_TRUMP:
            return f"seat {self.seat} may not name {value} as trump; suits are 0 to 3 (V8)"
        if self.kind == BID:
            bids = ", ".join(str(bid) for bid in cards_in(legal))
            return f"seat {self.seat} may not bid {value}; it may bid {bids} (B8, V1)"
        card = format_card(value) if value in cards_in(self._table.hands[self.seat]) else f"card {value}"
        return f"seat {self.seat} may not play {card}; it may play {format_cards(legal)} (B10, V8, V10)"

    def _go_on(self, answer: int) -> None:
        advance(self.view, self._table, self._game, self._shown, answer)
