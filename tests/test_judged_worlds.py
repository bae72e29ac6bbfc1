"""`monte-carlo-1`'s scores, world by world and answer by answer, against the same playouts made one at a time."""

import random
from typing import Any

import numpy as np
import pytest

import reference as ref
from ohpshaw_agents import count_winners
from ohpshaw_agents import monte_carlo_1 as monte_carlo
from ohpshaw_agents._careful_start import careful_start
from ohpshaw_agents._heeded_worlds import heeded_world, lay_bidder
from ohpshaw_agents._playout_desk import UNIT, lay_out
from ohpshaw_sim.cards import cards_in
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.interface.view import BID, NAME_TRUMP
from ohpshaw_sim.kernels._jit import JIT_DISABLED
from ohpshaw_sim.kernels.bits import U
from ohpshaw_sim.kernels.playout import lay_hands, lay_position, play_card
from ohpshaw_sim.kernels.policy import (
    aim_card,
    bid_aim,
    likely_tricks,
    nearest_bid,
    share_held,
    turn_of,
    turned,
)
from ohpshaw_sim.kernels.rng import fold
from ohpshaw_sim.rule_text import read_rules
from ohpshaw_sim.rules import SCORINGS

SPITE = 0.4
WEIGHTS = count_winners.make_agent().params_array
"""Read-only, as agents get their parameters: another type would be compiled for anew."""
PLAYED = (
    "oh-pshaw:pack=4x4",  # sixteen cards dealt out to four leave none to turn
    "oh-pshaw",
    "oh-hell:round_winner_bonus=true",
    "oh-pshaw:bidding=simultaneous,scoring=penalty",
    "podrida:trump=rotate,zero_bid=hand-size",
    "wizard",
    "wizard:must_trump=true,hook=true,round_winner_bonus=true",
    "wizard:scoring=soft,bidding=simultaneous",
)


def bids_after(view: Any, hands: Any, own: int) -> Any:
    """What all seats bid in a world where the asker bids `own`, or as they did if the bids are made."""
    bids, players, size = [int(bid) for bid in view.bids], int(view.players), int(view.hand_size)
    if view.kind == BID:
        bids[view.seat] = own
    total = 0
    for place in range(players):
        seat = (int(view.dealer) + 1 + place) % players
        if bids[seat] < 0:
            heard, announced = (0, 0) if view.simultaneous else (place, total)
            legal = set(range(size + 1))
            if place == players - 1 and 0 < view.hook_from <= size:
                legal -= {size - total}
            unseen = U(int(view.pack) & ~(int(hands[seat]) | int(view.gone)))
            share = float(share_held(unseen, players, size))
            tricks = float(likely_tricks(U(hands[seat]), unseen, int(view.trump), players, size))
            aim = float(bid_aim(tricks, share, heard, announced, players, size))
            bids[seat] = int(nearest_bid(aim, U(sum(1 << bid for bid in legal))))
        total += bids[seat]
    return np.array(bids, np.int64)


def played_out(view: Any, desk: Any, bids: Any, first: int, careful: int) -> list[int]:
    """What each seat is short of at the end of one world, played card by card."""
    lay_position(view, desk.tables)
    lay_hands(view, desk.tables, desk.hands, bids)
    if careful:
        careful_start(view, desk.tables, desk.models, bids, U(first), careful, WEIGHTS)
    elif first:
        play_card(desk.tables, U(first))
    table = desk.tables[0]
    while table["left"] > 0:
        led, trump, waiting = int(table["led"]), int(table["trump"]), int(table["waiting"])
        hand, need = table["hands"][table["turn"]], int(table["needs"][table["turn"]])
        must, players = bool(table["must_trump"]), int(table["players"])
        card = aim_card(hand, table["live"], trump, led, table["best"], need, waiting, players, must)
        play_card(desk.tables, U(card))
    return [int(need) for need in table["needs"]]


def score(view: Any, bids: Any, needs: list[int]) -> int:
    options = ref.Options(
        scoring=SCORINGS[int(view.scoring)],
        zero_bid="hand-size" if view.zero_bid else "as-scored",
        round_winner_bonus=bool(view.round_winner_bonus),
    )
    made = [int(bid) for bid in bids[: int(view.players)]]
    tricks = [bid - need for bid, need in zip(made, needs, strict=False)]
    points = ref.round_scores(made, tricks, int(view.hand_size), options)
    own = points[int(view.seat)]
    return own * UNIT - int(SPITE * UNIT) * (sum(points) - own)


def totals_of(view: Any, answers: list[int], worlds: int, careful: int, heed: int) -> dict[int, int]:
    desk = lay_out(view, worlds)
    lay_bidder(view, desk.bidders)
    totals = dict.fromkeys(answers, 0)
    for number in range(worlds):
        key = U(fold(view.rnd, number))
        heeded_world(desk.plan, view, key, heed, desk.hands, desk.kept, desk.bidders, WEIGHTS)
        for answer in answers:
            bids = bids_after(view, desk.hands, answer)
            turn = U(turn_of(int(view.trump)))
            first = 0 if view.kind == BID else int(turned(U(1 << answer), turn))
            totals[answer] += score(view, bids, played_out(view, desk, bids, first, careful))
    return totals


@pytest.mark.skipif(JIT_DISABLED, reason="too many worlds for an interpreter")
@pytest.mark.parametrize(("worlds", "careful", "heed"), [(17, 0, 1), (18, 0, 3), (19, 2, 1), (5, 60, 2)])
def test_scores_are_those_of_playouts_made_one_at_a_time(worlds: int, careful: int, heed: int) -> None:
    """With all trumps and none, at the bid and in the play; with care only the best answers after quick playouts."""
    rng = random.Random(worlds)
    spec = f"monte-carlo-1:worlds={worlds},careful={careful},heed={heed},spite={SPITE}"
    agent: Any = resolve(spec).bidder
    params = agent.params_array
    seen = set()
    for seed in range(120):
        players, size = (4, 4) if seed % 4 == 0 else (rng.randint(3, 7), rng.randint(2, 7))
        rules = read_rules(PLAYED[seed % 4 if seed % 3 else rng.randrange(len(PLAYED))])
        trump = rng.randrange(4) if rules.trump == "rotate" else None
        size = min(size, rules.largest_hand(players))
        table = Round.deal(rules, players, size, rng.randrange(players), seed, trump=trump)
        if table.kind == NAME_TRUMP:
            table.answer(rng.randrange(4))
        for _ in range(rng.randrange(3 * players)):
            if not table.done:
                table.answer(rng.choice([*cards_in(table.legal)]))
        if table.done:
            continue
        view, totals = table.view, np.zeros(64, np.int64)
        answers = [*cards_in(table.legal if view.kind == BID else int(monte_carlo.distinct_cards(view)))]
        if len(answers) < 2 or monte_carlo.has_missed(view):
            continue
        kept = [*cards_in(int(monte_carlo.judge(view, params, U(sum(1 << a for a in answers)), totals)))]
        if careful and len(answers) > 3:
            quick = totals_of(view, answers, worlds, 0, heed)
            answers = sorted(answers, key=lambda answer: (-quick[answer], answer))[:3]
        wanted = totals_of(view, answers, worlds, careful, heed)
        assert {*kept} <= {*answers}
        assert [int(totals[answer]) for answer in kept] == [wanted[answer] for answer in kept]
        assert max(wanted, key=lambda answer: (wanted[answer], -answer)) in kept
        seen.add((int(view.kind), int(view.trump)))
    assert len(seen) >= 8
    assert (int(BID), -1) in seen
