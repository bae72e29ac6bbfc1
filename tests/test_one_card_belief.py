"""Uniform worlds, weighed by the bids of `exact-one-card`: what a bidder of one card believes is the golden belief.

The files in `golden/` were counted by others over every deal.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ohpshaw_agents._careful_start import model_view
from ohpshaw_agents._heeded_worlds import lay_bidder
from ohpshaw_agents._one_card import one_card_bid
from ohpshaw_sim.cards import CLUBS, DIAMONDS, card_of, cards_in, mask_of, pack_mask
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.kernels._jit import JIT_DISABLED, jit
from ohpshaw_sim.kernels.bits import U, lowest_bit
from ohpshaw_sim.kernels.rng import fold
from ohpshaw_sim.kernels.tricks import beats
from ohpshaw_sim.kernels.worlds import SEATS, prepare_worlds, sample_world, unseen_problem, world_plan
from ohpshaw_sim.rules import Rules

GOLDEN = Path(__file__).parent / "golden"
WORLDS = 20_000
EVERY = 13
"""Of the golden rows that follow a bid, every thirteenth is checked."""
FEWEST = 100
"""Worlds that must agree with the bids for a row to be checked."""


@jit
def believed(plan: Any, view: Any, bidders: Any, key: Any) -> tuple[int, int]:
    """Count the uniform worlds in which the earlier bids are those of the equilibrium, and those the asker wins."""
    agree, wins = 0, 0
    hands, bidder = np.zeros(SEATS, np.uint64), bidders[0]
    for number in range(WORLDS):
        sample_world(plan, fold(key, number), hands)
        hands[view.seat] = view.hand
        explained = True
        for seat in range(view.seat):
            bidder.seat = seat
            bidder.hand = hands[seat]
            explained = explained and one_card_bid(bidder) == view.bids[seat]
        if explained:
            agree += 1
            best, winner = lowest_bit(hands[0]), 0
            led = best >> 4
            for seat in range(1, view.players):
                card = lowest_bit(hands[seat])
                if beats(card, best, led, int(view.trump)):
                    best, winner = card, seat
            wins += winner == view.seat
    return agree, wins


def table_at(players: int, seat: int, card: int, turn_up: int, bids: str) -> Round:
    """A round of one card at this seat's bid; what the others hold is of no account."""
    rest = cards_in(pack_mask() & ~mask_of([card, turn_up]))
    hands = [mask_of([card if each == seat else next(rest)]) for each in range(players)]
    table = Round.start(Rules(), players, 1, players - 1, hands, turn_up)
    for bid in bids:
        table.answer(int(bid))
    return table


@pytest.mark.skipif(JIT_DISABLED, reason="too many worlds for an interpreter")
@pytest.mark.parametrize("players", [3, 4])
def test_worlds_weighed_by_equilibrium_bids_give_the_golden_belief(players: int) -> None:
    frame = pd.read_csv(GOLDEN / f"one_card_posterior_N{players}.csv", dtype={"earlier_bids": str})
    frame = frame[frame.earlier_bids.notna()]
    rows: Any = frame.iloc[::EVERY].itertuples()
    checked, strays = 0, []
    for row in rows:
        card = card_of(CLUBS if row.card_is_trump else DIAMONDS, row.rank)
        view = table_at(players, row.seat, card, card_of(CLUBS, row.turnup_rank), row.earlier_bids).view
        bidders, plan = model_view(), world_plan()
        lay_bidder(view, bidders)
        bidders[0]["turn_up"] = view.turn_up  # `count-winners`, for whom views are laid, does not read it
        for seat in range(row.seat):
            bidders[0]["bids"][seat] = view.bids[seat]
        needs, cannot = np.zeros(SEATS, np.int8), np.zeros(SEATS, np.uint64)
        prepare_worlds(plan, U(unseen_problem(view, needs, cannot)), players, needs, cannot)
        agree, wins = believed(plan, view, bidders, U(row.Index))
        if agree >= FEWEST:
            checked += 1
            if 0 < row.wins < row.assignments:
                strays.append((wins / agree - row.p) / (row.p * (1 - row.p) / agree) ** 0.5)
            else:
                assert wins / agree == row.p
    assert checked > len(strays) > 60
    assert np.abs(strays).max() < 4.5, "further than chance goes"
    assert 0.8 < np.std(strays) < 1.2, "the counts spread as draws of the golden belief do"
