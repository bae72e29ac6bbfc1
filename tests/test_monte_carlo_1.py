"""`monte-carlo-1` at the table: exact chances, hand-made endgames, groups of equal cards, the same answer twice."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ohpshaw_agents import count_winners
from ohpshaw_agents import monte_carlo_1 as monte_carlo
from ohpshaw_agents._careful_start import careful_start, lay_model, model_view
from ohpshaw_agents._heeded_worlds import bids_likeness, lay_bidder
from ohpshaw_agents._playout_desk import UNIT
from ohpshaw_sim.cards import (
    cards_in,
    format_card,
    lane_of,
    mask_of,
    pack_mask,
    parse_card,
    parse_cards,
)
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.interface.agent import compile_decision
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.interface.view import BID
from ohpshaw_sim.kernels._jit import JIT_DISABLED
from ohpshaw_sim.kernels.bits import U
from ohpshaw_sim.kernels.playout import lay_hands, lay_position, playout_table
from ohpshaw_sim.kernels.tricks import beats
from ohpshaw_sim.rules import Rules

GOLDEN = Path(__file__).parent / "golden"
WEIGHTS = count_winners.make_agent().params_array
"""Read-only, as agents get their parameters: another type would be compiled for anew."""

per_worlds = pytest.mark.skipif(JIT_DISABLED, reason="too many worlds for an interpreter")


class Asked:
    """The agent as it is asked by the engine."""

    def __init__(self, spec: str) -> None:
        agent: Any = resolve(spec).bidder
        self.params = agent.params_array
        self.bid_of, self.card_of = compile_decision(agent.bid, spec), compile_decision(agent.play, spec)

    def __call__(self, view: Any) -> int:
        return int((self.bid_of if view.kind == BID else self.card_of)(view, self.params))


def endgame(hands: list[str], bids: list[int], plays: str, turn_up: str) -> Round:
    """A round of hands dealt to seats 0, 1, ..., seat 0 to lead, with bids and plays made."""
    masks = [mask_of(parse_cards(hand)) for hand in hands]
    table = Round.start(
        Rules(), len(hands), len(hands[0].split()), len(hands) - 1, masks, parse_card(turn_up)
    )
    for bid in bids:
        table.answer(bid)
    for card in parse_cards(plays):
        table.answer(card)
    return table


@pytest.fixture(params=["monte-carlo-1", "monte-carlo-1:careful=0", "monte-carlo-1:rollout=random,careful=0"])
def agent(request: pytest.FixtureRequest) -> Asked:
    """The agent with each kind of rollout."""
    return Asked(request.param)


@per_worlds
def test_it_takes_the_trick_it_needs_and_ducks_the_one_it_does_not(agent: Asked) -> None:
    """The last seat holds the ace and the two of the suit led, and cannot win or lose the last trick by choice."""
    hands = ["KC 3D", "QC 4D", "JC 5D", "AC 2C"]
    needs_one = endgame(hands, [0, 0, 0, 1], "KC QC JC", "2S")
    assert format_card(agent(needs_one.view)) == "AC"
    needs_none = endgame(["KC 3C", "QC 4C", "JC 5C", "AC 2C"], [1, 1, 1, 0], "KC QC JC", "2S")
    assert format_card(agent(needs_none.view)) == "2C"


@per_worlds
def test_it_ruffs_when_it_must_win_and_throws_when_it_must_not(agent: Asked) -> None:
    hands = ["KC 3D", "QC 4D", "JC 5D", "7S 2H"]
    assert format_card(agent(endgame(hands, [0, 0, 0, 2], "KC QC JC", "2S").view)) == "7S"
    assert format_card(agent(endgame(hands, [1, 1, 1, 1], "KC QC JC", "AS").view)) in {"7S", "2H"}
    hands = ["KC 3D 4D", "QC 6D 7D", "JC 8D 9D", "2S 2H 3H"]
    assert format_card(agent(endgame(hands, [1, 1, 1, 0], "KC QC JC", "AS").view)) != "2S"


@per_worlds
def test_it_overtrumps_with_the_lowest_of_equal_trumps(agent: Asked) -> None:
    """Nine and ten stand side by side once the jack is on the table: the lower one of the group is played."""
    table = endgame(["KC 3D", "8S 4D", "QC 5D", "TS 9S"], [0, 0, 0, 2], "KC 8S QC", "2S")
    assert format_card(agent(table.view)) == "9S"


@per_worlds
@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_eldest_hand_bids_one_card_by_its_exact_chance(players: int) -> None:
    """To bid 1 pays when 11 p > 10 (1 - p), that is p > 10 / 21; cells within 0.06 of it are left out."""
    agent = Asked("monte-carlo-1:worlds=3000")
    exact = pd.read_csv(GOLDEN / "one_card_exact.csv").query("players == @players and seat == 0")
    clear = exact[(exact.probability - 10 / 21).abs() > 0.06]
    assert len(clear) > 10
    hearts, spades = 2, 3
    cells: Any = clear.itertuples()  # a row's fields have no types of their own
    for cell in cells:
        card = 16 * (spades if cell.card_is_trump else hearts) + cell.rank
        turn_up = parse_card("7S") if card != parse_card("7S") else parse_card("8S")
        others = [other for other in cards_in(pack_mask()) if other not in {card, turn_up}]
        hands = [1 << other for other in (card, *others[: players - 1])]
        table = Round.start(Rules(), players, 1, players - 1, hands, turn_up)
        assert agent(table.view) == int(cell.probability > 10 / 21), format_card(card)


def views(rng: random.Random, rounds: int) -> Any:
    """Every view of some rounds played at random."""
    for _ in range(rounds):
        players = rng.randint(3, 7)
        table = Round.deal(
            Rules(), players, rng.randint(1, 52 // players), rng.randrange(players), rng.randrange(10**6)
        )
        while not table.done:
            yield table
            table.answer(rng.choice(list(cards_in(table.legal))))


def test_its_answers_are_legal_and_the_same_each_time() -> None:
    specs = ["monte-carlo-1:worlds=2", "monte-carlo-1:worlds=2,heed=3,careful=1,spite=0.5,rollout=random"]
    agents = [(Asked(spec), Asked(spec)) for spec in specs]
    for table in views(random.Random(1), 2 if JIT_DISABLED else 150):
        for once, again in agents:
            answer = once(table.view)
            assert table.legal >> answer & 1
            assert again(table.view.copy()) == answer


def test_cards_of_one_group_win_and_lose_alike() -> None:
    rng = random.Random(2)
    grouped = 0
    for table in views(rng, 3 if JIT_DISABLED else 200):
        view, legal = table.view, table.legal
        if view.kind == BID:
            continue
        kept = int(monte_carlo.distinct_cards(view))
        assert kept
        assert kept & ~legal == 0
        rivals = [*cards_in(int(view.pack & ~(view.hand | view.gone)))]
        rivals += [int(view.winning_card)] if view.on_table else []
        for card in cards_in(legal & ~kept):
            grouped += 1
            lead = max(other for other in cards_in(kept & lane_of(card >> 4)) if other < card)
            for rival in rivals:
                for led in {card >> 4, rival >> 4}:
                    trump = int(view.trump)
                    assert beats(card, rival, led, trump) == beats(lead, rival, led, trump)
                    assert beats(rival, card, led, trump) == beats(rival, lead, led, trump)
    assert grouped


@per_worlds
def test_groups_do_not_change_the_best_mean() -> None:
    """All legal cards judged one by one: the best mean is that of the best group, but for what ranks do elsewhere."""
    params = Asked("monte-carlo-1:worlds=60,careful=0").params
    unlike, compared = 0, 0
    for table in views(random.Random(3), 60):
        view = table.view
        if view.kind == BID or table.legal.bit_count() < 2:
            continue
        kept = monte_carlo.distinct_cards(view)
        values, grouped = np.zeros(64, np.int64), np.zeros(64, np.int64)
        monte_carlo.judge(view, params, U(view.legal), values)
        monte_carlo.judge(view, params, U(kept), grouped)
        best, best_group = (max(some) / 2**20 / 60 for some in (values, grouped))
        compared += 1
        unlike += int(abs(best - best_group) > 0.5)
    assert compared > 300
    assert unlike <= compared // 100


def test_answers_that_are_clearly_behind_are_dropped() -> None:
    """By the differences world by world: a steady lead of one point counts, a lead that comes and goes does not."""
    steady, other, equal, wild = 2, 5, 7, 9
    scores = np.zeros((64, 400), np.int64)
    scores[steady] = (np.arange(400) * 3 + 1) * UNIT
    scores[other] = scores[steady] - UNIT
    scores[equal] = scores[steady]
    scores[wild] = scores[steady] + np.where(np.arange(400) % 2, 30, -31) * UNIT
    answers = sum(1 << answer for answer in (steady, other, equal, wild))
    for worlds, dropped in ((8, 0), (400, 1 << other)):
        totals = scores[:, :worlds].sum(axis=1)
        assert int(monte_carlo.in_the_running(scores, worlds, totals, U(answers))) == answers ^ dropped


@per_worlds
def test_worlds_that_explain_the_bids_weigh_more() -> None:
    """Seat 0 bid 2 of 2: a world where it holds ace and king of trumps is likelier than one where it holds twos."""
    table = Round.deal(Rules(), 3, 2, 2, 5)
    while table.view.trump != 3:
        table = Round.deal(Rules(), 3, 2, 2, random.randrange(10**6))
    table.answer(2)
    hands, bidders = np.zeros(7, np.uint64), model_view()
    lay_bidder(table.view, bidders)

    def likeness(hand: str) -> float:
        hands[0] = mask_of(parse_cards(hand))
        return float(bids_likeness(table.view, hands, bidders, WEIGHTS))

    assert 0 < likeness("2C 3D") <= likeness("KC 3D") < likeness("5S 4S") < likeness("AS KS") <= 1.01


@per_worlds
def test_a_careful_start_plays_as_count_winners_would() -> None:
    """The rest of a round is card for card what three of them play, where no stock is hidden and spades are trumps."""
    winners = Asked("count-winners")
    weights = winners.params
    rng = random.Random(4)
    deals = (Round.deal(Rules(pack="4x4"), 3, 5, seed % 3, seed) for seed in range(200))
    for table in (deal for deal in deals if deal.view.trump == 3):
        while table.kind == BID:
            table.answer(winners(table.view))
        for _ in range(rng.randrange(10)):
            table.answer(winners(table.view))
        models, tables, bids = model_view(), playout_table(), np.array([*table.bids, 0, 0, 0, 0])
        hands = np.array([*table.hands, 0, 0, 0, 0], np.uint64)
        lay_model(table.view, models)
        lay_position(table.view, tables)
        lay_hands(table.view, tables, hands, bids)
        careful_start(table.view, tables, models, bids, U(0), 60, weights)
        while not table.done:
            table.answer(winners(table.view))
        left = [bid - tricks for bid, tricks in zip(table.bids, table.tricks, strict=True)]
        assert list(tables["needs"][0][:3]) == left


@per_worlds
def test_it_beats_greedy_play_and_that_beats_random_play() -> None:
    specs = ("monte-carlo-1:worlds=40", "greedy", "greedy", "random")
    game = Game(Rules(), 4, (3, 6, 9), tuple(resolve(spec) for spec in specs), (0, 1, 1, 2))
    totals = play_sets(game, 1, 0, 80).totals
    searching, greedy, at_random = totals[:, 1] / totals[:, 0]
    assert searching > greedy + 0.2
    assert greedy > at_random + 2.0


def test_odd_parameters_are_told() -> None:
    for spec, complaint in [
        ("rollout=wild", "no rollout 'wild'"),
        ("worlds=0", "at least 1"),
        ("heed=0", "at least 1"),
        ("careful=-1", "at least 0"),
        ("spite=-1", "out of range"),
    ]:
        with pytest.raises(AgentError, match=complaint):
            resolve(f"monte-carlo-1:{spec}")
