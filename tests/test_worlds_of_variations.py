"""Worlds under variations: what is possible is what the rules make possible, no more and no less."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import reference as ref
import translate
from ohpshaw_sim.cards import cards_in, lane_of
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.engine.samples import VARIATIONS
from ohpshaw_sim.interface.view import PLAY
from ohpshaw_sim.kernels._jit import JIT_DISABLED
from ohpshaw_sim.kernels.bits import SUITED, U
from ohpshaw_sim.kernels.rng import fold
from ohpshaw_sim.kernels.worlds import SEATS, prepare_worlds, sample_world, unseen_problem, world_plan
from ohpshaw_sim.rule_text import read_rules
from ohpshaw_sim.rules import Rules


def positions(rules: Rules, players: int, size: int, draw: random.Random) -> Iterator[Round]:
    """A round played at random, stopped before each card."""
    trump = draw.randrange(2) if rules.trump == "rotate" else None
    table = Round.deal(rules, players, size, draw.randrange(players), draw.randrange(10**9), trump=trump)
    while not table.done:
        if table.kind == PLAY:
            yield table
        table.answer(draw.choice([*cards_in(table.legal)]))


def prepared(view: Any) -> tuple[Any, int, float]:
    """The plan of a view's worlds, the pool and their number."""
    needs, cannot, plan = np.zeros(SEATS, np.int8), np.zeros(SEATS, np.uint64), world_plan()
    pool = unseen_problem(view, needs, cannot)
    return plan, int(pool), float(prepare_worlds(plan, U(pool), view.players, needs, cannot))


@pytest.mark.rule("V8", "V10")
@pytest.mark.parametrize("rules", VARIATIONS, ids=lambda rules: rules.scoring)
def test_the_real_deal_is_possible_and_worlds_keep_to_what_was_shown(rules: Rules) -> None:
    draw = random.Random(8)
    voids = 0
    for number in range(1 if JIT_DISABLED else 25):
        players = 3 + number % 5
        for table in positions(rules, players, draw.randint(2, rules.largest_hand(players)), draw):
            view = table.view
            plan, pool, worlds = prepared(view)
            assert worlds >= 1, "the real deal is one"
            hands = np.zeros(SEATS, np.uint64)
            sample_world(plan, U(fold(view.rnd, 0)), hands)
            for seat in set(range(players)) - {int(view.seat)}:
                shown = sum(lane_of(suit) for suit in range(4) if view.voids[seat] >> suit & 1) & int(SUITED)
                voids += shown > 0
                for hand in (int(hands[seat]), table.hands[seat]):
                    assert hand & ~pool == 0
                    assert hand & shown == 0
                    assert hand.bit_count() == table.hands[seat].bit_count()
    assert voids > 20


def ways_to_deal(pool: list[int], sizes: list[int]) -> Iterator[list[set[int]]]:
    """All ways to give so many cards of a pool to each seat."""
    if not sizes:
        yield []
        return
    for hand in itertools.combinations(pool, sizes[0]):
        rest = [card for card in pool if card not in hand]
        for others in ways_to_deal(rest, sizes[1:]):
            yield [set(hand), *others]


def could_be(hands: dict[int, set[int]], table: Round, rules: Rules) -> bool:
    """Whether every card so far was legal if the seats still hold these hands, by the referee."""
    view = table.view
    trump = None if view.trump < 0 else int(view.trump)
    held = [{*hands.get(seat, set()), *cards_in(view.played[seat])} for seat in range(int(view.players))]
    seat = int(view.leaders[0])
    trick: list[ref.Play] = []
    for number, card in enumerate(table.plays):
        if seat in hands:
            cards = [translate.card(one) for one in held[seat]]
            if translate.card(card) not in ref.legal_cards(
                cards, ref.led_suit(trick), trump, rules.must_trump
            ):
                return False
        held[seat] -= {card}
        trick.append((seat, translate.card(card)))
        seat = (seat + 1) % int(view.players)
        if len(trick) == view.players:
            trick, seat = [], int(view.leaders[1 + number // int(view.players)])
    return True


@pytest.mark.rule("V10")
@pytest.mark.parametrize("rules", ["podrida:pack=3x3", "oh-pshaw:pack=3x3", "podrida:pack=2x5,trump=rotate"])
def test_worlds_are_the_deals_under_which_every_card_was_legal(rules: str) -> None:
    draw, played, fewer = random.Random(4), read_rules(rules), 0
    for _ in range(2 if JIT_DISABLED else 40):
        for table in positions(played, 3, 2, draw):
            own = int(table.view.seat)
            others = [seat for seat in range(3) if seat != own]
            _, pool, worlds = prepared(table.view)
            sizes = [table.hands[seat].bit_count() for seat in others]
            dealt = [*ways_to_deal([*cards_in(pool)], sizes)]
            possible = sum(could_be(dict(zip(others, way, strict=True)), table, played) for way in dealt)
            assert worlds == possible
            fewer += possible < len(dealt)
    assert fewer > 10 or JIT_DISABLED
