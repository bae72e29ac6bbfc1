"""Views of real decisions, for putting agents to the test."""

import time
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import numpy as np

from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.interface.agent import CompiledAgent, Decide, compile_decision
from ohpshaw_sim.interface.discovery import Entrant
from ohpshaw_sim.interface.view import BID, NAME_TRUMP, PLAY, VIEW
from ohpshaw_sim.kernels.bits import nth_bit, popcount
from ohpshaw_sim.kernels.rng import below
from ohpshaw_sim.rules import PLAYERS, Rules

VARIATIONS: Final = (
    Rules(wizard=True, scoring="wizard", must_trump=True, hook=True),
    Rules(must_trump=True, bidding="simultaneous", scoring="penalty", trump="rotate", no_trump_final=True),
    Rules(wizard=True, bidding="simultaneous", scoring="soft", round_winner_bonus=True, zero_bid="hand-size"),
)
"""Between them every option that a view shows."""
_NAMING: Final = (VARIATIONS[0], 3, (1, 2, 3, 4, 5) * 8)
"""Rules, players and hand sizes of a match in which a Wizard is turned now and then."""
VIEWS_TO_ASK: Final = 400
"""Of each kind of decision."""
SECONDS_TO_ASK: Final = 10.0


class _Recorder:
    """A vectorised agent that keeps every view it is shown and answers at random."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def bids(self, batch: Any) -> Any:
        return self._answer(batch)

    def plays(self, batch: Any) -> Any:
        return self._answer(batch)

    def name_trumps(self, batch: Any) -> Any:
        return self._answer(batch)

    def _answer(self, batch: Any) -> Any:
        self.seen.append(batch.records())
        legal, words = batch.legal, batch.rnd
        return np.array(
            [nth_bit(mask, below(word, popcount(mask))) for mask, word in zip(legal, words, strict=True)],
            np.int64,
        )


@lru_cache(maxsize=2)
def sample_views(sets: int = 1, seed: int = 1) -> Any:
    """Return the views (VIEW records) of all decisions of some random matches, at every number of players.

    Decisions lie in the order they were asked, of the base game and of `VARIATIONS` in turn. Hand sizes run from 1 to
    the largest the pack serves, so that no-trump rounds are among them. Since a Wizard is seldom turned, the decisions
    of dealers that name trump follow from matches of their own.
    """
    seen: list[Any] = []
    for players in PLAYERS:
        for rules in (Rules(), VARIATIONS[players % len(VARIATIONS)]):
            schedule = tuple(sorted({1, 2, 3, 5, rules.largest_hand(players)}))
            seen.append(_views_of(rules, players, schedule, sets, seed))
    naming = of_kind(_views_of(*_NAMING, 4 * sets, seed), NAME_TRUMP)
    return np.concatenate([*seen, naming]).astype(VIEW).view(np.recarray)


def _views_of(rules: Rules, players: int, schedule: tuple[int, ...], sets: int, seed: int) -> Any:
    recorder = _Recorder()
    entrant = Entrant("recorder", recorder, recorder)
    play_sets(Game(rules, players, schedule, (entrant,) * players, (0,) * players), seed, 0, sets)
    return np.concatenate(recorder.seen)


def of_kind(views: Any, kind: int) -> Any:
    """Return the views of one kind of decision."""
    return views[np.asarray(views["kind"]) == kind]


def compiled_halves(entrant: Entrant, views: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the compiled functions of an entrant with their parameters and an even choice of the views to ask."""
    if isinstance(entrant.bidder, CompiledAgent):
        yield _half(entrant.bidder.bid, entrant.bidder, of_kind(views, BID))
        yield _half(entrant.bidder.name_trump, entrant.bidder, of_kind(views, NAME_TRUMP))
    if isinstance(entrant.player, CompiledAgent):
        yield _half(entrant.player.play, entrant.player, of_kind(views, PLAY))


def _half(decide: Decide, agent: CompiledAgent, views: Any) -> tuple[Any, Any, Any]:
    step = max(1, len(views) // VIEWS_TO_ASK)
    return compile_decision(decide, "it"), agent.params_array, views[::step]


def within_seconds(views: Any, seconds: float = SECONDS_TO_ASK) -> Iterator[Any]:
    """Yield views in turn until the time is over."""
    began = time.perf_counter()
    for view in views:
        yield view
        if time.perf_counter() - began > seconds:
            return
