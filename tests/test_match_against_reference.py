"""Whole matches against the referee: dealers, hand sizes, totals, tie-break rounds, early stops, winners."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import reference as ref
from ohpshaw_sim.engine.advance import advance
from ohpshaw_sim.engine.asking import FINISHED, NO_ANSWER
from ohpshaw_sim.engine.match import begin_match, begin_round, end_round
from ohpshaw_sim.engine.options import lay_rules
from ohpshaw_sim.engine.state import GAME, MATCH, TABLE, records
from ohpshaw_sim.interface.view import blank_views
from ohpshaw_sim.kernels.rng import root
from ohpshaw_sim.rules import EXTRA_ROUNDS, Rules


class Plan(NamedTuple):
    """What is played: `rounds` fewer than the schedule's means that play stops early (B16)."""

    players: int
    schedule: list[int]
    rounds: int
    tie_break_hand: int | None = None
    first_dealer: int = -1


def random_plan(draw: random.Random) -> Plan:
    players = draw.randint(3, 7)
    schedule = [draw.randint(1, 3) for _ in range(draw.randint(1, 4))]
    rounds = draw.choice([len(schedule)] * 3 + [draw.randint(1, len(schedule))])
    return Plan(players, schedule, rounds, draw.choice([None, None, 2]), draw.randint(-1, players - 1))


def game_record(plan: Plan, seed: int) -> Any:
    """The engine's record of a game in which every seat is asked from outside."""
    game = records(GAME, 1)[0]
    game.root_cards, game.root_agents = root(seed, "cards"), root(seed, "agents")
    lay_rules(game, Rules(), len(plan.schedule))
    game.players, game.first_dealer = plan.players, plan.first_dealer
    game.schedule[: len(plan.schedule)] = plan.schedule
    game.schedule_length, game.rounds = len(plan.schedule), plan.rounds
    game.tie_break_hand = plan.tie_break_hand or max(plan.schedule)
    game.extra_rounds = EXTRA_ROUNDS if plan.rounds == len(plan.schedule) else 0
    return game


Choose = Callable[[list[int]], int]
"""Picks one of the legal answers."""


class EngineMatch:
    """One match of the engine, stepped from outside."""

    def __init__(self, plan: Plan, seed: int, set_number: int = 0, rotation: int = 0) -> None:
        self.game = game_record(plan, seed)
        self.views, self.table, self.match = blank_views(2), records(TABLE, 1)[0], records(MATCH, 1)[0]
        self.view = self.views[0]
        begin_match(self.view, self.table, self.match, self.game, set_number, rotation)

    def play_round(self, choose: Choose) -> bool:
        """Play the next round, each answer by `choose(legal answers)`; return whether the match goes on."""
        begin_round(self.view, self.table, self.game)
        answer = NO_ANSWER
        while advance(self.view, self.table, self.game, self.views[1], answer) != FINISHED:
            answer = choose([place for place in range(64) if int(self.view.legal) >> place & 1])
        return bool(end_round(self.view, self.table, self.match, self.game))

    def result(self, number: int) -> list[list[int]]:
        """Bids, tricks and points of a finished round, by seat."""
        match, players = self.match, int(self.game.players)
        return [column[number, :players].tolist() for column in (match.bids, match.tricks, match.points)]

    def winners(self) -> list[int]:
        return [seat for seat in range(8) if int(self.match.winners) >> seat & 1]


def assert_view_shows_the_match(view: Any, judge: ref.Match) -> None:
    """The match as a seat sees it, while a round is on."""
    played, players = len(judge.table), judge.players
    assert view.scores[:players].tolist() == judge.totals()
    assert int(view.round_number) == played + len(judge.extra)
    assert int(view.rounds_to_go) == max(0, judge.rounds_to_go - 1)
    assert int(view.extra_round) == (0 if judge.rounds_to_go else len(judge.extra) + 1)
    tied = sum(1 << seat for seat in judge.leaders())
    assert int(view.contenders) == (0 if judge.rounds_to_go else tied)
    assert view.schedule[: len(judge.schedule)].tolist() == judge.schedule
    extra = [judge.tie_break_hand or max(judge.schedule)] * int(view.extra_round)
    assert view.schedule[len(judge.schedule) :][: len(extra) + 1].tolist() == [*extra, 0]


def play_a_match(plan: Plan, seed: int, choose: Choose) -> ref.Match:
    """Play in the engine what the referee says is next, until the referee says it is over."""
    engine = EngineMatch(plan, seed)
    dealer = int(engine.table.first_dealer)
    assert plan.first_dealer in (-1, dealer)
    judge = ref.Match(plan.players, plan.schedule, dealer, plan.tie_break_hand)
    going = True

    def choose_and_check(legal: list[int]) -> int:
        assert_view_shows_the_match(engine.view, judge)
        return choose(legal)

    while not judge.over:
        assert going
        hand_size, dealer, number = judge.next_hand_size, judge.dealer, len(judge.table) + len(judge.extra)
        going = engine.play_round(choose_and_check)
        bids, tricks, points = engine.result(number)
        assert engine.match.dealers[number] == dealer
        assert sum(tricks) == hand_size
        assert points == [ref.round_score(bid, won) for bid, won in zip(bids, tricks, strict=True)]
        judge.record(points)
        if number + 1 == plan.rounds < len(plan.schedule):
            judge.stop()
    assert not going
    assert engine.winners() == [seat for seat, rank in enumerate(judge.ranks()) if rank == 1]
    return judge


@pytest.mark.rule("B3", "B4", "B13", "B14", "B15", "B16")
def test_random_matches() -> None:
    draw = random.Random(15)
    extra_rounds: Counter[int] = Counter()
    for number in range(300):
        judge = play_a_match(random_plan(draw), number, draw.choice)
        extra_rounds[len(judge.extra)] += 1
    assert {0, 1, 2, 3} <= set(extra_rounds)


@pytest.mark.rule("B15")
def test_matches_of_players_who_seldom_hit_are_tied_to_the_last() -> None:
    draw = random.Random(16)
    shared = 0
    for number in range(60):
        plan = Plan(draw.randint(3, 7), [5], rounds=1)
        judge = play_a_match(plan, number, lambda legal: draw.choice([legal[-1]] * 50 + legal))
        shared += judge.ranks().count(1) > 1
        assert len(judge.extra) <= EXTRA_ROUNDS
    assert shared > 5, shared


@pytest.mark.rule("B4")
def test_the_schedules_of_the_rules() -> None:
    draw = random.Random(17)
    for players in range(3, 8):
        schedule = list(Rules().schedule_for(players))
        judge = play_a_match(Plan(players, schedule, len(schedule)), players, draw.choice)
        assert [len(schedule), len(judge.table)] == [ref.LAST_HAND[players]] * 2


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_every_rotation_of_a_set_gives_each_place_another_hand_of_the_same_deals(players: int) -> None:
    plan = Plan(players, [4, 2], rounds=2)
    held: set[tuple[int, int]] = set()
    for rotation in range(players):
        engine = EngineMatch(plan, seed=3, set_number=8, rotation=rotation)
        engine.play_round(lambda legal: legal[0])
        places = engine.match.places[:players].tolist()
        assert sorted(places) == list(range(players))
        hands = [int(engine.view.played[seat]) for seat in range(players)]
        held.update((place, hand) for place, hand in zip(places, hands, strict=True))
        assert int(engine.match.dealers[0]) == int(EngineMatch(plan, seed=3, set_number=8).table.first_dealer)
    assert len({hand for _, hand in held}) == players
    assert len(held) == players * players
