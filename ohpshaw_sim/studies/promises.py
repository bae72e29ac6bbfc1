"""What chance a bidder gives its own bid: asked of agents that tell, as they bid.

A compiled agent tells by its function `promise(view, bid, params)`. To have it asked, its bids are made through the
batched driver, which gives the same results, by an agent that stands in for it.
"""

from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import numpy as np

from ohpshaw_sim.engine.tally_schema import ROW_COLUMNS
from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.interface.discovery import Entrant
from ohpshaw_sim.kernels._jit import jit

MILLION: Final = 1_000_000


class Recorder:
    """Stands in for an entrant's bidder and writes down what it promises."""

    def __init__(self, entrant: Entrant, bidder: CompiledAgent) -> None:
        assert bidder.promise is not None
        self.entrant = replace(entrant, bidder=self)
        """The same entrant with this as its bidder."""
        self._params = bidder.params_array
        self._bid, self._promise = _compiled(bidder.bid), _compiled(bidder.promise)
        self._first = self._matches = 0
        self.told: list[Any] = []
        """int64 [bids, 4] per batch: match, round, seat, promise in millionths."""

    def matches_begin(self, count: int) -> None:
        """Count the matches, which come in the order of sets and rotations."""
        self._first, self._matches = self._matches, self._matches + count

    def bids(self, batch: Any) -> Any:
        """Return the bids of the agent, and note its promises for rounds of the schedule."""
        views = batch.records().view(np.recarray)
        answers = np.array([self._bid(view, self._params) for view in views], np.int64)
        told = [
            self._promise(view, bid, self._params) for view, bid in zip(views, answers.tolist(), strict=True)
        ]
        promised = np.rint(np.array(told) * MILLION).astype(np.int64)
        noted = np.stack([self._first + batch.match, batch.round_number, batch.seat, promised], axis=1)
        self.told.append(noted[batch.extra_round == 0])
        return answers

    def plays(self, _: Any) -> Any:
        """Never called: the other half of the entrant plays."""
        raise NotImplementedError


@lru_cache(maxsize=64)
def _compiled(function: Any) -> Any:
    """Return a function compiled; those of built-in agents are already."""
    return function if hasattr(function, "py_func") else jit(function)


def promising(entrant: Entrant) -> Recorder | None:
    """Return a recorder for an entrant; None where its bidder does not tell."""
    bidder = entrant.bidder
    if not isinstance(bidder, CompiledAgent) or bidder.promise is None:
        return None
    return Recorder(entrant, bidder)


def promises_of(recorder: Recorder, log: Any, first_set: int, players: int) -> Any:
    """Return the promise behind each row of an engine's log, int64 in millionths."""
    match, round_number, seat, promised = np.concatenate(recorder.told).T
    recorder.told.clear()
    rounds = int(round_number.max()) + 1
    table = np.full(((match.max() + 1), rounds, players), -1, np.int64)
    table[match, round_number, seat] = promised
    at = {name: log[:, ROW_COLUMNS.index(name)] for name in ("set", "rotation", "round", "seat")}
    return table[(at["set"] - first_set) * players + at["rotation"], at["round"], at["seat"]]
