"""A small game after one turn-up, all its lines walked through."""

from functools import cached_property
from typing import Any

import numpy as np

from ohpshaw_sim.exact.asking import Asker, Situations
from ohpshaw_sim.exact.lines import Lines, lines_of
from ohpshaw_sim.exact.sequences import best_answers, fold_back, points_of, worth_of
from ohpshaw_sim.exact.small_game import SmallGame
from ohpshaw_sim.exact.walk import Found
from ohpshaw_sim.interface.discovery import Entrant
from ohpshaw_sim.kernels._jit import jit


@jit
def even_over(found: Found, answers: Any, chances: Any) -> None:
    """Write to `chances` (by sequence) how often each answer was given, `answers` being [information set, word]."""
    words = answers.shape[1]
    for infoset in range(len(found.owner)):
        for sequence in range(found.first[infoset], found.first[infoset] + found.options[infoset]):
            given = 0
            for word in range(words):
                given += answers[infoset, word] == found.answer_of[sequence]
            chances[sequence] = given / words


class LinePart:
    """See `sampled.Part`; ways to play are chances by sequence."""

    def __init__(self, game: SmallGame, turn_up: int, entrant: Entrant) -> None:
        self.turn_up, self._entrant = turn_up, entrant
        self._lines: Lines = lines_of(game, turn_up)
        self.deals, self.decisions = len(self._lines.deals), self._lines.infosets

    @cached_property
    def _situations(self) -> Situations:
        found = self._lines.found
        return Situations(self._lines.deals[found.deal], found.answers, found.made)

    def ask(self, key: Any, words: int) -> Any:
        """Return the agent's answers at every information set."""
        return Asker(self._entrant, self._lines.game).answers(self._situations, self.turn_up, key, words)

    def play(self, answers: Any) -> Any:
        """Return the chances by sequence that answers give."""
        chances = np.ones(self._lines.sequences)
        even_over(self._lines.found, answers, chances)
        return chances

    def best(self, play: Any) -> tuple[Any, Any, Any]:
        """Return points, points of best answers, and these answers."""
        return (points_of(self._lines, play), *best_answers(self._lines, play))

    def value(self, play: Any, answers: Any) -> tuple[Any, Any]:
        """Return points, and points of other answers."""
        worth = worth_of(self._lines, play)
        other = worth.copy()
        fold_back(self._lines.found, play, worth)
        fold_back(self._lines.found, answers, other)
        players = self._lines.game.players
        return worth[:players].copy(), other[:players].copy()
