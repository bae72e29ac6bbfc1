"""Asking agents from outside compiled code: those that are not compiled, and compiled ones one at a time."""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.engine.calls import ask_all
from ohpshaw_sim.engine.fault import RowFaultError
from ohpshaw_sim.engine.interrupts import HOLD
from ohpshaw_sim.interface.batch import Batch
from ohpshaw_sim.interface.view import BID, NAME_TRUMP, PLAY, blank_views
from ohpshaw_sim.kernels.bidding import longest_suit

_LARGEST: Final = np.uint64(np.iinfo(np.int64).max)
_CALLS: Final = {
    BID: ("bid_call", "bid_params"),
    NAME_TRUMP: ("name_call", "bid_params"),
    PLAY: ("play_call", "play_params"),
}
"""Fields of a GAME record: the address that answers a kind of decision, and its parameters."""


def outside_answers(agent: Any, kind: int, batch: Batch, row: int) -> Any:
    """Return an outside agent's answers to a batch as int64, refusing anything but one integer per row.

    Raises RowFaultError for row `row` when it raises or answers otherwise; what is no Exception passes through.
    """
    try:
        answers = HOLD.call(_answers_of, agent, kind, batch)
    except Exception as error:  # an agent's own code may raise anything
        raise RowFaultError.of(row, error) from error
    if answers.shape != (len(batch),):
        raise RowFaultError(row, f"answered {len(batch)} decisions with an array of shape {answers.shape}")
    if answers.dtype.kind not in "iu":
        raise RowFaultError(
            row, f"answered with {answers.dtype} values; answers are integers, convert on purpose"
        )
    if answers.dtype == np.uint64:
        answers = np.minimum(answers, _LARGEST)  # no answer may wrap round to a legal one
    return answers.astype(np.int64)


def _answers_of(agent: Any, kind: int, batch: Batch) -> Any:
    """Ask an agent; one that has no mind of its own names the longest suit as trump."""
    if kind == PLAY:
        return np.asarray(agent.plays(batch))
    if kind == BID:
        return np.asarray(agent.bids(batch))
    if hasattr(agent, "name_trumps"):
        return np.asarray(agent.name_trumps(batch))
    return np.array([longest_suit(hand) for hand in batch.hand], np.int64)


class CompiledCalls:
    """Compiled agents of a game, asked one decision at a time; `game` is its GAME record."""

    def __init__(self, game: Any) -> None:
        self._game = game
        self._shown = blank_views(1)

    def answer(self, views: Any, row: int, kind: int, place: int) -> int:
        """Return an agent's answer to one view, of which it is shown a copy. Raises RowFaultError."""
        call, params = _CALLS[kind]
        self._shown[0] = views[row]
        address, data = self._game[call][place], self._game[params][place]
        count = self._game[f"{params}_count"][place]
        try:
            return int(ask_all(self._shown, address, data, count))
        except Exception as error:  # an agent's own code may raise anything
            raise RowFaultError.of(row, error) from error
