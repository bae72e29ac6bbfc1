"""`monte-carlo`: its totals world by world, what it plays on against the engine, and `monte-carlo-1` elsewhere."""

import random
from typing import Any

import numpy as np
import pytest

from ohpshaw_agents import count_winners, learned, monte_carlo
from ohpshaw_agents._careful_start import model_view
from ohpshaw_agents._heeded_worlds import heeded_world, lay_bidder
from ohpshaw_agents._learned_table import lay_round, take, worth_ahead
from ohpshaw_agents._one_card import one_card_bid
from ohpshaw_agents._playout_desk import UNIT, lay_out
from ohpshaw_agents.monte_carlo_1 import distinct_cards
from ohpshaw_sim.cards import cards_in
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.interface.view import BID
from ohpshaw_sim.kernels._jit import JIT_DISABLED
from ohpshaw_sim.kernels.bits import U
from ohpshaw_sim.kernels.rng import fold
from ohpshaw_sim.rule_text import read_rules
from ohpshaw_sim.rules import Rules

WEIGHTS = count_winners.make_agent().params_array
LEARNED = learned.make_agent()
PARAMS: Any = LEARNED.params_array
SHOWN = (
    *("kind", "seat", "hand", "leader", "led", "on_table", "winning_card", "winning_seat"),
    *("trick_number", "gone", "bids", "tricks", "voids"),
)
"""Fields of a view that must be right in the middle of a round played on."""
MONTE_CARLO = monte_carlo.make_agent(worlds=2)
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


def some_way_on(rng: random.Random, rules: Rules) -> Round | None:
    """A round in which some bids and cards were drawn; None if that was all of it."""
    table = dealt(rng, rules)
    for _ in range(rng.randrange(table.view.players * 3)):
        table.answer(rng.choice([*cards_in(table.legal)]))
        if table.done:
            return None
    return table


@compiled
def test_looking_ahead_is_played_by_the_others_kind_and_judged_by_the_networks() -> None:
    """`learned` in other seats up to the asker's next choice; there, what its best is worth."""
    rng = random.Random(12)
    worth, room, ends, found_at_choices = np.empty(64), np.empty(learned.ROOM, np.float32), 0, 0
    for number in range(100):
        table = some_way_on(rng, RULES[number % 2])
        if table is None:
            continue
        asker, models, hands = int(table.view.seat), model_view(), hands_of(table)
        answer = rng.choice([*cards_in(table.legal)])
        lay_round(table.view, models)
        take(models, hands, answer)
        found = worth_ahead(models, hands, asker, PARAMS, worth, room)
        table.answer(answer)
        while not table.done:
            answers = U(table.legal if table.kind == BID else distinct_cards(table.view))
            best = int(learned.best_answer(table.view, PARAMS, answers, worth, room))
            if table.view.seat == asker and len([*cards_in(int(answers))]) > 1:
                break
            table.answer(best)
        if table.done:
            others = [points for seat, points in enumerate(table.scores) if seat != asker]
            expected = table.scores[asker] - PARAMS[0] * sum(others) / len(others)
            ends += 1
        else:
            expected = max(worth[answer] for answer in cards_in(int(answers)))
            found_at_choices += 1
        assert found == pytest.approx(expected, abs=1e-9)
    assert min(ends, found_at_choices) > 5


@compiled
def test_totals_are_what_is_seen_ahead_in_each_world_and_at_first() -> None:
    worlds, first = 12, 7.0  # fewer worlds than after which answers are dropped
    params = resolve(f"monte-carlo:worlds={worlds},heed=2,first={first}").bidder.params_array  # type: ignore[union-attr]
    nets = params[monte_carlo._NETS :]
    rng, worth, opinion, seen = random.Random(13), np.empty(64), np.empty(64), 0
    room = np.empty(learned.ROOM, np.float32)
    for number in range(40):
        table = some_way_on(rng, RULES[number % 4])
        if table is None:
            continue
        view, totals, models = table.view, np.zeros(64, np.int64), model_view()
        answers = table.legal if view.kind == BID else int(distinct_cards(view))
        if not answers & (answers - 1):
            continue
        assert int(monte_carlo.judge(view, params, U(answers), totals)) == answers
        learned.best_answer(view, nets, U(answers), opinion, room)
        desk = lay_out(view, worlds)
        lay_bidder(view, desk.bidders)
        wanted = {answer: int(opinion[answer] * first * UNIT) for answer in cards_in(answers)}
        for world in range(worlds):
            key = U(fold(view.rnd, world))
            heeded_world(desk.plan, view, key, 2, desk.hands, desk.kept, desk.bidders, WEIGHTS)
            for answer in wanted:
                hands = desk.hands.copy()
                lay_round(view, models)
                take(models, hands, answer)
                asker = int(view.seat)
                ahead = worth_ahead(models, hands, asker, nets, worth, room)
                wanted[answer] += int(ahead * UNIT)
        assert {answer: int(totals[answer]) for answer in wanted} == wanted
        seen += 1
    assert seen > 10


@compiled
@pytest.mark.parametrize("rules", [Rules(scoring="soft"), read_rules("wizard")])
def test_where_the_networks_do_not_know_the_game_it_is_monte_carlo_1(rules: Rules) -> None:
    plays = []
    for agent in ("monte-carlo:worlds=24,heed=3", "monte-carlo-1:worlds=24,heed=3"):
        game = Game(rules, 4, (1, 4), (resolve(agent), *(resolve("greedy"),) * 3), (0, 1, 1, 1))
        plays.append(play_sets(game, 20_270_601, 0, 1, log=True).rows)
    assert np.array_equal(plays[0], plays[1])


@compiled
def test_a_single_card_is_bid_as_the_solved_round_has_it() -> None:
    bids = set()
    for seed in range(60):
        table = Round.deal(Rules(), 3 + seed % 5, 1, 0, seed)
        while table.kind == BID and not table.done:
            bid = one_card_bid(table.view)
            for agent in (LEARNED, MONTE_CARLO):
                assert agent.bid(table.view, agent.params_array) == bid
            bids.add(int(bid))
            table.answer(int(bid))
    assert bids == {0, 1}


def test_odd_parameters_are_told() -> None:
    for spec, complaint in [
        ("worlds=0", "at least 1"),
        ("heed=0", "at least 1"),
        ("check=-1", "check at least 0"),
        ("first=-1", "use 0 to 1000000"),
        ("spite=-1", "out of range"),
    ]:
        with pytest.raises(AgentError, match=complaint):
            resolve(f"monte-carlo:{spec}")
