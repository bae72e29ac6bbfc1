"""What an agent does at many decisions: the engine plays up to each, and the agent is asked, once or many times.

An agent that draws on its random word is a distribution over answers. It is sampled: the agent is asked with several
words at each decision, each word a function of the seed, the decision and the word's number.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from ohpshaw_sim.engine.advance import advance
from ohpshaw_sim.engine.asking import NO_ANSWER
from ohpshaw_sim.engine.calls import call_agent, calls_of, copy_view
from ohpshaw_sim.engine.fault import RowFaultError
from ohpshaw_sim.engine.laying import lay_round
from ohpshaw_sim.engine.options import show_rules
from ohpshaw_sim.engine.outside import outside_answers
from ohpshaw_sim.engine.play import AgentFaultError
from ohpshaw_sim.engine.state import TABLE, records
from ohpshaw_sim.exact.small_game import SmallGame
from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.interface.batch import Batch
from ohpshaw_sim.interface.discovery import Entrant
from ohpshaw_sim.interface.view import BID, PLAY, blank_views
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ONE, U
from ohpshaw_sim.kernels.dealing import TURNED
from ohpshaw_sim.kernels.rng import fold, stream_word

AT_ONCE: Final = 4096
"""Decisions laid out side by side."""


class Situations(NamedTuple):
    """Decisions of a small game after one turn-up, one a row: a deal, and the answers that lead from its first bid."""

    hands: Any
    """uint64[row, seat]: the deal; what others than the seat asked hold is never shown."""
    answers: Any
    """int8[row, number]: bids and cards in turn."""
    made: Any
    """int[row]: how many there are."""


@jit
def show_situations(
    games: Any, hands: Any, turn_up: int, answers: Any, made: Any, tables: Any, shown: Any, views: Any
) -> None:
    """Play up to each of some decisions and leave it shown in its row of `views`. `tables` and `shown` are scratch."""
    game, table = games[0], tables[0]
    table.players = game.players
    for row in range(len(hands)):
        view = views[row]
        show_rules(view, game)
        view.schedule[0] = game.schedule[0]
        for seat in range(game.players):
            table.hands[seat] = hands[row, seat]
        lay_round(view, table, game.players - 1, game.schedule[0], turn_up, TURNED)
        advance(view, table, game, shown[0], NO_ANSWER)
        for number in range(made[row]):
            advance(view, table, game, shown[0], np.int64(answers[row, number]))


@jit
def ask_each(
    views: Any, shown: Any, key: Any, numbers: Any, address: Any, params: Any, count: int, answers: Any
) -> None:
    """Ask a compiled agent at each view, once with each of its words; write `answers[view, word]` (int64).

    `numbers` are those of the decisions. The agent is shown a copy, since it may write to it.
    """
    for row in range(len(views)):
        own = fold(key, numbers[row])
        for word in range(answers.shape[1]):
            copy_view(shown[0], views[row])
            shown[0].rnd = stream_word(own, word)
            answers[row, word] = call_agent(address, shown[0], params, count)


@jit
def draw_words(key: Any, numbers: Any, word: int, words: Any) -> None:
    """Write word number `word` of each decision to `words` (uint64)."""
    for row in range(len(words)):
        words[row] = stream_word(fold(key, numbers[row]), word)


class Asker:
    """An agent to be asked in a small game."""

    def __init__(self, entrant: Entrant, game: SmallGame) -> None:
        self.entrant, self._games = entrant, game.record()
        self._tables, self._shown, self._views = records(TABLE, 1), blank_views(1), blank_views(AT_ONCE)
        self._views["past_bids"], self._views["past_tricks"] = -1, -1

    def answers(self, situations: Situations, turn_up: int, key: Any, words: int) -> Any:
        """Return what the agent answers, asked with so many words of a key at each decision: int64[decision, word].

        Raises AgentFaultError when an answer is illegal, or the agent raises.
        """
        found = np.zeros((len(situations.made), words), np.int64)
        for start in range(0, len(found), AT_ONCE):
            rows = slice(start, start + AT_ONCE)
            hands, answers, made = (array[rows] for array in situations)
            views = self._views[: len(made)]
            show_situations(self._games, hands, turn_up, answers, made, self._tables, self._shown, views)
            self._ask(views, key, start, found[rows])
        return found

    def _ask(self, views: Any, key: Any, first: int, found: Any) -> None:
        """Ask for bids and plays apart, and look whether all answers are legal."""
        for kind, agent in ((BID, self.entrant.bidder), (PLAY, self.entrant.player)):
            rows = np.flatnonzero(views["kind"] == kind)
            if len(rows) == 0:
                continue
            asked, numbers = views[rows].view(np.recarray), first + rows
            answers = np.zeros((len(rows), found.shape[1]), np.int64)
            try:
                self._ask_one(agent, kind, asked, numbers, key, answers)
            except RowFaultError as error:
                raise self._fault(error.what) from error
            found[rows] = answers
        legal = np.asarray(views["legal"])[:, None]
        shifts = np.clip(found, 0, 63).astype(np.uint64)
        wrong = (found < 0) | (found > 63) | ((legal >> shifts) & ONE == 0)
        if wrong.any():
            raise self._fault(f"answered {found[wrong][0]}, which is illegal")

    def _ask_one(self, agent: Any, kind: int, views: Any, numbers: Any, key: Any, answers: Any) -> None:
        if isinstance(agent, CompiledAgent):
            calls = calls_of(agent)
            address = U(calls.bid if kind == BID else calls.play)
            try:
                ask_each(
                    views, self._shown, key, numbers, address, U(calls.params), calls.params_count, answers
                )
            except Exception as error:  # an agent's own code may raise anything
                raise RowFaultError.of(0, error) from error
            return
        words = np.zeros(len(views), np.uint64)
        for word in range(answers.shape[1]):
            draw_words(key, numbers, word, words)
            views["rnd"] = words
            answers[:, word] = outside_answers(agent, kind, Batch(views, np.arange(len(views))), 0)

    def _fault(self, what: str) -> AgentFaultError:
        return AgentFaultError(f"agent {self.entrant.name} {what}", 0, -1, -1, -1)
