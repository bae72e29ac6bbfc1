"""`monte-carlo`: without the networks it is `monte-carlo-1`; what it plays on follows the engine to the card."""

import random
from typing import Any

import numpy as np
import pytest

from ohpshaw_agents import count_winners, learned
from ohpshaw_agents._careful_start import model_view
from ohpshaw_agents._learned_table import lay_round, next_worth, take
from ohpshaw_sim.cards import cards_in
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.interface.view import BID
from ohpshaw_sim.kernels._jit import JIT_DISABLED
from ohpshaw_sim.kernels.bits import U
from ohpshaw_sim.rules import Rules

WEIGHTS = count_winners.make_agent().params_array
PARAMS: Any = learned.make_agent().params
SHOWN = (
    *("kind", "seat", "hand", "leader", "led", "on_table", "winning_card", "winning_seat"),
    *("trick_number", "gone", "bids", "tricks", "voids"),
)
"""Fields of a view that must be right in the middle of a round played on."""
RULES = (Rules(), Rules(hook=True), Rules(must_trump=True), Rules(pack="4x6"))

compiled = pytest.mark.skipif(JIT_DISABLED, reason="too slow for an interpreter")


def dealt(rng: random.Random, rules: Rules) -> Round:
    """A round of some players and hand size."""
    players = rng.choice((3, 4))
    return Round.deal(rules, players, rng.randint(1, 6), rng.randrange(players), rng.randrange(10**6))


def hands_of(table: Round) -> Any:
    return np.array([*table.hands, *[0] * (8 - len(table.hands))], np.uint64)


def test_a_round_played_on_shows_what_the_engine_shows() -> None:
    rng = random.Random(11)
    for number in range(8 if JIT_DISABLED else 60):
        table = dealt(rng, RULES[number % len(RULES)])
        for _ in range(rng.randrange(4)):
            table.answer(rng.choice([*cards_in(table.legal)]))
            if table.done:
                break
        models, hands = model_view(), hands_of(table)
        lay_round(table.view, models)
        while not table.done:
            model, view = models.view(np.recarray)[0], table.view
            model.hand = hands[model.seat]
            answer = rng.choice([*cards_in(table.legal)])
            for field in SHOWN:
                shown, seen = np.atleast_1d(model[field]), np.atleast_1d(view[field])
                assert np.array_equal(shown[: view.players], seen[: view.players]), field
            take(models, hands, answer)
            table.answer(answer)
        assert [int(tricks) for tricks in models["tricks"][0][: len(table.tricks)]] == table.tricks


@compiled
def test_looking_ahead_is_count_winners_to_the_next_choice_and_the_networks_there() -> None:
    rng = random.Random(12)
    worth, room, ends = np.empty(64), np.empty(learned.ROOM), 0
    for number in range(60):
        table = dealt(rng, RULES[number % 2])
        for _ in range(rng.randrange(table.view.players * 3)):
            table.answer(rng.choice([*cards_in(table.legal)]))
            if table.done:
                break
        if table.done:
            continue
        asker, models, hands = int(table.view.seat), model_view(), hands_of(table)
        answer = rng.choice([*cards_in(table.legal)])
        lay_round(table.view, models)
        take(models, hands, answer)
        found = next_worth(models, hands, asker, PARAMS, WEIGHTS, worth, room)
        table.answer(answer)
        while not table.done and not (table.view.seat == asker and table.legal & (table.legal - 1)):
            decide = count_winners.bid if table.kind == BID else count_winners.play
            table.answer(int(decide(table.view, WEIGHTS)))
        if table.done:
            others = [points for seat, points in enumerate(table.scores) if seat != asker]
            expected = table.scores[asker] - PARAMS[0] * sum(others) / len(others)
            ends += 1
        else:
            learned.best_answer(table.view, PARAMS, U(table.legal), worth, room)
            expected = max(worth[answer] for answer in cards_in(table.legal))
        assert found == pytest.approx(expected, abs=1e-9)
    assert 5 < ends < 55


@compiled
def test_without_trust_in_the_networks_it_is_monte_carlo_1() -> None:
    plays = []
    for agent in ("monte-carlo:worlds=24,looks=0,trust=0", "monte-carlo-1:worlds=24"):
        game = Game(Rules(), 4, (1, 4, 8), (resolve(agent), *(resolve("greedy"),) * 3), (0, 1, 1, 1))
        plays.append(play_sets(game, 20_270_601, 0, 3, log=True).rows)
    assert np.array_equal(plays[0], plays[1])
    trusting = Game(
        Rules(), 4, (1, 4, 8), (resolve("monte-carlo:worlds=24"), *(resolve("greedy"),) * 3), (0, 1, 1, 1)
    )
    assert not np.array_equal(plays[0], play_sets(trusting, 20_270_601, 0, 3, log=True).rows)


def test_odd_parameters_are_told() -> None:
    for spec, complaint in [
        ("worlds=0", "at least 1"),
        ("heed=0", "at least 1"),
        ("careful=-1", "at least 0"),
        ("looks=-1", "at least 0"),
        ("spite=-1", "out of range"),
        ("trust=-1", "trust is at least 0"),
        ("first=0", "first above 0"),
    ]:
        with pytest.raises(AgentError, match=complaint):
            resolve(f"monte-carlo:{spec}")
