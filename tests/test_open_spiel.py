"""The engine against OpenSpiel's `oh_hell` on random rounds: turns, legal bids under the hook, legal cards, trick
winners, leaders, scores.

What it plays otherwise stands in `open_spiel_round.py`.
"""

from collections import Counter
from typing import Any

import pytest

import translate
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.interface.view import BID, PLAY
from ohpshaw_sim.rules import Rules

open_spiel_round = pytest.importorskip("open_spiel_round")

ROUNDS = 4000
"""By number of players: 20,000 in all."""


def engine_round(theirs: Any) -> Round:
    rules = Rules(pack=f"{theirs.suits}x{theirs.ranks}", scoring=theirs.scoring, hook=True)
    hands = [translate.mask(hand) for hand in theirs.deal.hands]
    turn_up = translate.number(theirs.deal.turn_up)
    return Round.start(rules, len(hands), theirs.hand_size, theirs.dealer, hands, turn_up)


def bid_in_both(theirs: Any, ours: Round) -> int:
    """Compare what may be bid, bid at random in both, and return the mask of what might have been bid."""
    legal: int = sum(1 << bid for bid in theirs.legal_bids())
    assert (ours.seat, ours.kind, ours.legal) == (theirs.seat, BID, legal)
    ours.answer(theirs.bid())
    return legal


def play_in_both(theirs: Any, ours: Round) -> None:
    """Compare who leads or follows with what, and play at random in both."""
    legal = translate.mask(theirs.legal_cards())
    assert (ours.seat, ours.kind, ours.legal) == (theirs.seat, PLAY, legal)
    ours.answer(translate.number(theirs.play()))


@pytest.mark.slow
@pytest.mark.rule("B5", "B8", "B10", "B11", "B13", "V1", "V11", "V15", "V16", "V17")
@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_random_rounds_agree(players: int) -> None:
    seen: Counter[str] = Counter()
    for number in range(ROUNDS):
        scoring = open_spiel_round.SCORINGS[number % len(open_spiel_round.SCORINGS)]
        theirs = open_spiel_round.OpenSpielRound(players, seed=100_000 * players + number, scoring=scoring)
        ours = engine_round(theirs)
        every_bid = (2 << theirs.hand_size) - 1
        for _ in range(players - 1):
            assert bid_in_both(theirs, ours) == every_bid
        hooked = bid_in_both(theirs, ours) != every_bid
        for _ in range(players * theirs.hand_size):
            play_in_both(theirs, ours)
        assert theirs.done
        assert ours.done
        assert ours.tricks == theirs.tricks()
        assert ours.scores == theirs.scores()
        seen[f"pack {theirs.suits}x{theirs.ranks}"] += 1
        seen["the hook takes a bid" if hooked else "the hook takes none"] += 1
        hits = sum(bid == won for bid, won in zip(ours.bids, ours.tricks, strict=True))
        seen.update({f"{scoring} hit": hits, f"{scoring} missed": players - hits})
    packs = [pack for pack in open_spiel_round.PACKS if pack[0] * pack[1] > players]
    expected = {f"pack {suits}x{ranks}" for suits, ranks in packs}
    assert expected <= {name for name, count in seen.items() if count > ROUNDS / 20}, seen
    assert len(seen) == len(expected) + 10, seen
    assert min(seen.values()) > ROUNDS / 20, seen  # they were rounds worth comparing


def test_open_spiel_cannot_play_a_round_that_deals_every_card() -> None:
    state = open_spiel_round.load(4, 4, 13, 13).new_initial_state()
    for action in (13, 0, *range(52)):
        state.apply_action(action)
    assert state.is_chance_node()
    assert not state.legal_actions()
