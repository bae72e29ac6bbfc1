"""The one-card round solved: the solver against the golden files, the agents' table against the solver.

The files in `golden/` were computed by others, by full enumeration; every count, threshold and value must be the same.
"""

import importlib.util
import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ohpshaw_agents._one_card_table as table_module
from ohpshaw_agents._one_card import UNSOLVED, one_card_bid
from ohpshaw_agents.exact_one_card import make_agent
from ohpshaw_sim.cards import ACE, CLUBS, DIAMONDS, RANKS, SPADES, SUITS, card_of, mask_of, pack_mask
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.exact.one_card import (
    CARDS,
    MOST_SEATS,
    arrangements,
    count_wins,
    first_node,
    scratch,
)
from ohpshaw_sim.exact.one_card_equilibrium import lowest_ranks, solve
from ohpshaw_sim.exact.one_card_value import BEST, COLUMNS, HITS, ONES, OWN, add_turn_up
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.kernels._jit import JIT_DISABLED
from ohpshaw_sim.kernels.bits import U
from ohpshaw_sim.rule_text import make_rules
from ohpshaw_sim.rules import PLAYERS, Rules

GOLDEN = Path(__file__).parent / "golden"
SCRIPT = Path(__file__).parents[1] / "experiments" / "one_card_table.py"
PLAIN = DIAMONDS
POINTS = np.array([[10.0, 0.0], [0.0, 11.0]])

per_players = pytest.mark.parametrize("players", PLAYERS)
pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="billions of steps")

solved = cache(solve)


def node_of(bids: str) -> int:
    """The number of a history of bids, "" or "01": as `one_card` numbers them."""
    return first_node(len(bids)) + int(bids or "0", 2)


def histories(frame: pd.DataFrame, column: str) -> list[int]:
    return [node_of("" if pd.isna(bids) else bids) for bids in frame[column]]


def read(name: str, bids: str) -> pd.DataFrame:
    frame = pd.read_csv(GOLDEN / name, dtype={bids: str})
    return frame.assign(node=histories(frame, bids))


@per_players
def test_every_bid_that_can_come_up_is_the_golden_one(players: int) -> None:
    frame = read(f"one_card_eq_bids_N{players}.csv", "earlier_bids(seat0..)")
    assert frame.monotone.all()
    rows: Any = frame.rename(columns={"min_rank_bid1(15=never)": "lowest"}).itertuples()
    lowest = {(row.node, row.turnup_rank, row.card_is_trump): row.lowest for row in rows}
    cases = 0
    for turn_up in RANKS:
        ones, counts = solved(players, turn_up)
        for node, card in zip(*np.nonzero(counts[:, :, 1]), strict=True):
            rank, trump = int(card) & 15, int(card >> 4 == CLUBS)
            assert ones[node, card] == (rank >= lowest[node, turn_up, trump]), (node, turn_up, card)
            cases += 1
    assert cases >= 25 * 13 * 7


@pytest.mark.parametrize("players", [3, 4])
def test_every_belief_is_the_golden_one(players: int) -> None:
    frame = read(f"one_card_posterior_N{players}.csv", "earlier_bids")
    rows: Any = frame.itertuples()
    for row in rows:
        ones, counts = solved(players, row.turnup_rank)
        card = card_of(CLUBS if row.card_is_trump else PLAIN, row.rank)
        assert [*counts[row.node, card], ones[row.node, card]] == [row.wins, row.assignments, row.eq_bid]


@per_players
def test_the_values_of_the_equilibrium_are_the_golden_ones_and_nobody_could_do_better(players: int) -> None:
    exact = json.loads((GOLDEN / "one_card_equilibrium_values.json").read_text("utf-8"))[str(players)]
    sums = np.zeros((MOST_SEATS, COLUMNS))
    for turn_up in RANKS:
        ones = solved(players, turn_up)[0].astype(np.float64)
        unseen = U(pack_mask() & ~mask_of([card_of(CLUBS, turn_up)]))
        answers = np.zeros_like(ones)
        add_turn_up(ones, ones, players, unseen, CLUBS, POINTS, np.full(len(ones), 3), answers, sums)
    deals = arrangements(52, players + 1) // len(SUITS)
    for key, column in (("ev", OWN), ("ev", BEST), ("hit", HITS), ("p_bid1", ONES)):
        values = [Fraction(int(value), deals) for value in sums[:players, column]]
        assert values == [Fraction(text) for text in exact[key]]


def test_expected_scores_before_any_bid_are_the_golden_ones() -> None:
    frame = pd.read_csv(GOLDEN / "one_card_bid_ev.csv")
    certain = np.ones((MOST_SEATS, CARDS), np.int64)
    rows: Any = frame[frame["turnup_rank(0=averaged)"] > 0].itertuples(index=False, name=None)
    for players, seat, trump, rank, turned, _, _, ev_0, ev_1, best in rows:
        card, turn_up = card_of(CLUBS if trump else PLAIN, rank), card_of(CLUBS, turned)
        unseen = U(pack_mask() & ~mask_of([card, turn_up]))
        wins, deals = count_wins(certain, players, seat, card, CLUBS, unseen, scratch(certain))
        assert Fraction(11 * int(wins), int(deals)) == Fraction(ev_1)
        assert Fraction(10 * int(deals - wins), int(deals)) == Fraction(ev_0)
        assert best == (Fraction(ev_1) > Fraction(ev_0))


def test_the_table_is_remade_to_the_byte() -> None:
    spec = importlib.util.spec_from_file_location("one_card_table", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.table_text() == Path(table_module.__file__).read_text("utf-8")


def at_the_bid(rules: Rules, players: int, card: int, turn_up: int, bids: str, dealer: int) -> Round:
    """A one-card round at which these bids were made and the next seat holds a card; others hold any."""
    spare = [other for other in sorted(rules_cards(rules)) if other not in (card, turn_up)]
    order = [(dealer + 1 + step) % players for step in range(players)]
    hands = [0] * players
    for place, seat in enumerate(order):
        hands[seat] = 1 << (card if place == len(bids) else spare.pop())
    round_ = Round.start(rules, players, 1, dealer, hands, turn_up)
    for bid in bids:
        round_.answer(int(bid))
    return round_


def rules_cards(rules: Rules) -> list[int]:
    return [card for card in range(CARDS) if rules.pack_mask >> card & 1]


@per_players
def test_agents_bid_what_the_solver_found(players: int) -> None:
    table = lowest_ranks(players)
    agent = make_agent()
    decide: Any = agent.bid
    for node in range(len(table)):
        seat = (node + 1).bit_length() - 1
        bids = f"{node - first_node(seat):0{seat}b}" if seat else ""
        for turned in RANKS if node < 3 else (2, 9, ACE):
            suit = (node + turned) % len(SUITS)
            for trump in (0, 1):
                lowest = int(table[node, turned - 2, trump])
                for rank in {lowest, lowest - 1} & {*RANKS} - ({turned} if trump else set()):
                    card = card_of(suit if trump else (suit + 1 + rank % 3) % 4, rank)
                    round_ = at_the_bid(Rules(), players, card, card_of(suit, turned), bids, node % players)
                    assert decide(round_.view, agent.params_array) == (rank >= lowest)


@pytest.mark.parametrize(
    "options",
    [
        {"hook": True},
        {"scoring": "soft"},
        {"zero_bid": "hand-size"},
        {"bidding": "simultaneous"},
        {"round_winner_bonus": True},
        {"pack": "4x12"},
        {"wizard": True},
    ],
    ids=lambda options: next(iter(options)),
)
def test_other_rounds_are_not_solved_and_bid_as_count_winners_does(options: dict[str, Any]) -> None:
    rules = make_rules(Rules(), **options)
    other: Any = resolve("count-winners").bidder
    agent: Any = make_agent()
    answers = set()
    for card in (card_of(SPADES, ACE), card_of(CLUBS, 5), card_of(SPADES, 7)):
        view = at_the_bid(rules, 4, card, card_of(SPADES, 9), "01", 2).view
        assert one_card_bid(view) == UNSOLVED
        answers.add(agent.bid(view, agent.params_array))
        assert agent.bid(view, agent.params_array) == other.bid(view, other.params_array)
    assert answers == {0, 1}


def test_rounds_of_more_cards_and_without_trump_are_not_solved() -> None:
    hands = [mask_of([card_of(suit, ACE), card_of(suit, 2)]) for suit in range(3)]
    assert one_card_bid(Round.start(Rules(), 3, 2, 0, hands, card_of(SPADES, 3)).view) == UNSOLVED
    singles = [1 << card_of(suit, ACE) for suit in range(3)]
    final, rotated = Rules(no_trump_final=True), Rules(trump="rotate")
    assert one_card_bid(Round.start(final, 3, 1, 0, singles, trump=-1).view) == UNSOLVED
    assert one_card_bid(Round.start(rotated, 3, 1, 0, singles, trump=CLUBS).view) == UNSOLVED
    assert one_card_bid(Round.start(Rules(), 3, 1, 0, singles, card_of(SPADES, 3)).view) in (0, 1)
