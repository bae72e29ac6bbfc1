"""A one-card round after one turn-up, of any number of players, its deals counted."""

from typing import Any

import numpy as np

from ohpshaw_sim.cards import cards_in
from ohpshaw_sim.exact.asking import Asker, Situations
from ohpshaw_sim.exact.one_card import CARDS, arrangements, first_node
from ohpshaw_sim.exact.one_card_value import BEST, COLUMNS, OWN, add_turn_up
from ohpshaw_sim.exact.small_game import SmallGame
from ohpshaw_sim.interface.discovery import Entrant
from ohpshaw_sim.interface.view import MAX_PLAYERS
from ohpshaw_sim.kernels.bidding import open_bids
from ohpshaw_sim.kernels.bits import U
from ohpshaw_sim.kernels.scoring import round_score
from ohpshaw_sim.rules import SCORINGS


class OneCardPart:
    """See `sampled.Part`; ways to play are how often 1 is bid: float64[node, card], see `one_card`."""

    def __init__(self, game: SmallGame, turn_up: int, entrant: Entrant) -> None:
        self.turn_up, self._game, self._entrant = turn_up, game, entrant
        self._nodes = first_node(game.players)
        self._cards = list(cards_in(game.unseen(turn_up)))
        self.deals = arrangements(len(self._cards), game.players)
        self.decisions = self._nodes * len(self._cards)

    def ask(self, key: Any, words: int) -> Any:
        """Return the agent's bids with every card at every node."""
        situations = [self._situations(seat, heard) for seat, heard in self._histories()]
        every = Situations(*(np.concatenate(column) for column in zip(*situations, strict=True)))
        return Asker(self._entrant, self._game).answers(every, self.turn_up, key, words)

    def play(self, answers: Any) -> Any:
        """Return how often 1 is bid."""
        ones = np.zeros((self._nodes, CARDS))
        ones[:, self._cards] = (answers == 1).mean(axis=1).reshape(self._nodes, len(self._cards))
        return ones

    def best(self, play: Any) -> tuple[Any, Any, Any]:
        """Return points, points of best answers, and these answers."""
        sums, answers = self._add(play, play)
        return sums[:, OWN], sums[:, BEST], answers

    def value(self, play: Any, answers: Any) -> tuple[Any, Any]:
        """Return points, and points of other answers."""
        return self._add(play, play)[0][:, OWN], self._add(play, answers)[0][:, OWN]

    def _histories(self) -> list[tuple[int, int]]:
        """Return seat and bids heard of every node, in order."""
        return [(seat, heard) for seat in range(self._game.players) for heard in range(1 << seat)]

    def _situations(self, seat: int, heard: int) -> Situations:
        """Return the decisions of a seat that has heard certain bids, with every card; others hold any."""
        hands = np.zeros((len(self._cards), MAX_PLAYERS), np.uint64)
        for row, card in enumerate(self._cards):
            spare = [other for other in self._cards if other != card][: self._game.players - 1]
            for place, dealt in enumerate([*spare[:seat], card, *spare[seat:]]):
                hands[row, place] = 1 << dealt
        answers = np.zeros((len(self._cards), MAX_PLAYERS), np.int8)
        for place in range(seat):
            answers[:, place] = heard >> (seat - place - 1) & 1
        return Situations(hands, answers, np.full(len(self._cards), seat))

    def _add(self, ones: Any, own: Any) -> tuple[Any, Any]:
        game, rules = self._game, self._game.rules
        scoring, zero_bid = SCORINGS.index(rules.scoring), int(rules.zero_bid == "hand-size")
        points = np.array(
            [[round_score(scoring, zero_bid, 1, bid, won) for won in (0, 1)] for bid in (0, 1)], np.float64
        )
        sums, answers = np.zeros((game.players, COLUMNS)), np.zeros((self._nodes, CARDS))
        unseen, trump = U(game.unseen(self.turn_up)), game.trump(self.turn_up)
        add_turn_up(ones, own, game.players, unseen, trump, points, self._legal(), answers, sums)
        return sums, answers

    def _legal(self) -> Any:
        """Return the bids open at each node, as a mask; the hook takes one from the dealer (V1)."""
        game = self._game
        hook_from = game.rules.hook_from if game.rules.hook else 0
        return np.array(
            [
                int(open_bids(1, hook_from if seat == game.dealer else 0, heard.bit_count()))
                for seat, heard in self._histories()
            ]
        )
