"""The engine against OpenSpiel's `oh_hell` on random rounds: turns, legal cards, trick winners, leaders,
scores."""

from collections import Counter
from typing import Any

import pytest

import translate
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.interface.view import BID, PLAY
from ohpshaw_sim.rules import Rules

open_spiel_round = pytest.importorskip("open_spiel_round")

ROUNDS = 4200
"""By number of players: 21,000 in all."""


def engine_round(theirs: Any) -> Round:
    rules = Rules(pack=f"{theirs.suits}x{theirs.ranks}")
    hands = [translate.mask(hand) for hand in theirs.deal.hands]
    turn_up = translate.number(theirs.deal.turn_up)
    return Round.start(rules, len(hands), theirs.hand_size, theirs.dealer, hands, turn_up)


def play_through(theirs: Any, ours: Round) -> int:
    """Answer at random in both, comparing before every decision; return how many there were."""
    decisions = 0
    while not theirs.done:
        bidding = theirs.bidding
        assert not ours.done
        assert (ours.seat, ours.kind) == (theirs.seat, BID if bidding else PLAY)
        if bidding:
            ours.answer(theirs.bid())
        else:
            assert translate.cards(ours.legal) == theirs.legal_cards()
            ours.answer(translate.number(theirs.play()))
        decisions += 1
    return decisions


@pytest.mark.rule("B8", "B10", "B11", "B13")
@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_random_rounds_agree(players: int) -> None:
    hits: Counter[bool] = Counter()
    decisions = 0
    for number in range(ROUNDS):
        theirs = open_spiel_round.OpenSpielRound(players, seed=100_000 * players + number)
        ours = engine_round(theirs)
        decisions += play_through(theirs, ours)
        assert ours.done
        assert list(ours.scores) == theirs.scores()
        hits.update(score > 0 for score in theirs.scores())
    assert decisions > 20 * ROUNDS  # they were rounds worth comparing
    assert min(hits[True], hits[False]) > ROUNDS / 2
