"""Redeals and forced bids of the zero-bid study, against exact chances and against every world there is."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ohpshaw_sim.cards import cards_in, mask_of
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.interface.agent import CompiledAgent, compile_decision
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.interface.view import BID
from ohpshaw_sim.kernels._jit import JIT_DISABLED
from ohpshaw_sim.rules import Rules
from ohpshaw_sim.studies.request import make_request
from ohpshaw_sim.studies.zero_bids.request import Request
from ohpshaw_sim.studies.zero_bids.sampling import Piece, cells_of, play_piece

GOLDEN = Path(__file__).parent / "golden"
FEW = JIT_DISABLED


def situations_of(**options: Any) -> Any:
    """The situations of a study of one cell, all of them valued."""
    asked = {"deals": options["situations"], "seed": 3, **options}
    request = make_request(Request, asked, "a study")
    (cell,) = cells_of(request)
    return play_piece(request.seed, Piece(cell, 0, request.situations, request.redeals))


def exact_scores(players: int) -> pd.DataFrame:
    """What bidding 0 and 1 scores in a one-card round, by seat, card and turn-up."""
    frame = pd.read_csv(GOLDEN / "one_card_bid_ev.csv")
    frame = frame[frame.players == players].rename(columns={"turnup_rank(0=averaged)": "turnup_rank"})
    for column in ("ev_bid0", "ev_bid1"):
        frame[column] = [float(Fraction(text)) for text in frame[column]]
    return frame.set_index(["seat", "card_is_trump", "rank", "turnup_rank"])


@pytest.mark.parametrize("players", [3, 4, 7])
def test_one_card_rounds_are_worth_what_they_are_exactly(players: int) -> None:
    # Random bids tell nothing, and bids do not change a one-card round.
    found = situations_of(
        agents=("random",), players=players, hand_sizes=1, situations=40 if FEW else 1500, redeals=64
    )
    exact = exact_scores(players)
    card = np.array([int(mask).bit_length() - 1 for mask in found["hand"]])
    trump = (card >> 4 == found["trump"]).astype(int)
    turned = np.where(trump, found["turn_up"] & 15, 0)  # a side card's chance does not depend on its rank
    keys = zip(found["position"], trump, card & 15, turned, strict=True)
    cells = exact.loc[list(keys)]
    share = found["squares"] / found["weight"] ** 2  # of a redeal, effectively
    chance = 1 - cells["ev_bid0"].to_numpy() / 10
    for half in (0, 1):
        for bid in (0, 1):
            score = cells[f"ev_bid{bid}"].to_numpy()
            off = found["worth"][:, half, bid] / found["weight"][:, half] - score
            variance = (10 + bid) ** 2 * chance * (1 - chance) * share[:, half]
            sure = variance == 0
            assert np.allclose(off[sure], 0)
            z = off[~sure] / variance[~sure] ** 0.5
            assert abs(z.sum()) < 4 * len(z) ** 0.5
            assert (off**2).sum() == pytest.approx(variance.sum(), rel=0.5 if FEW else 0.1)
            for seat in range(players):
                ours = z[found["position"][~sure] == seat]
                assert abs(ours.sum()) < 4.5 * len(ours) ** 0.5
    assert np.array_equal(found["other"], np.ones(len(found)))


class Asked:
    """A compiled agent, asked from Python."""

    def __init__(self, name: str) -> None:
        agent = resolve(name).bidder
        assert isinstance(agent, CompiledAgent)
        self.params = agent.params_array
        self.bid, self.play = (compile_decision(decide, name) for decide in (agent.bid, agent.play))

    def answer(self, table: Round) -> int:
        return int((self.bid if table.kind == BID else self.play)(table.view, self.params))


def worlds(situation: Any, rules: Rules, players: int) -> Iterator[list[int]]:
    """All hands by seat, eldest hand's first, that the bidder cannot tell apart before it has heard a bid."""
    unseen = rules.pack_mask & ~(int(situation["hand"]) | 1 << int(situation["turn_up"]))
    others = [seat for seat in range(players) if seat != situation["position"]]

    def deal(left: int, seats: list[int], hands: dict[int, int]) -> Iterator[list[int]]:
        if not seats:
            yield [hands[seat] for seat in range(players)]
            return
        for some in combinations(cards_in(left), int(situation["hand_size"])):
            hand = mask_of(some)
            yield from deal(left ^ hand, seats[1:], {**hands, seats[0]: hand})

    yield from deal(unseen, others, {int(situation["position"]): int(situation["hand"])})


def exact_worths(situation: Any, rules: Rules, players: int, agent: Asked) -> dict[int, float]:
    """Mean points of each bid over the worlds in which the earlier seats bid what they did."""
    seat, size = int(situation["position"]), int(situation["hand_size"])
    heard = [int(bid) for bid in situation["bids"][: situation["heard"]]]
    points: dict[int, list[int]] = {bid: [] for bid in cards_in(int(situation["legal"]))}
    for hands in worlds(situation, rules, players):
        for bid, scores in points.items():
            table = Round.start(rules, players, size, players - 1, hands, int(situation["turn_up"]))
            while table.seat != seat or table.kind != BID:
                table.answer(agent.answer(table))
            if rules.bidding == "in-turn" and table.bids[:seat] != heard:
                break
            table.answer(bid)
            while not table.done:
                table.answer(agent.answer(table))
            scores.append(table.scores[seat])
    assert any(points.values())
    return {bid: sum(scores) / len(scores) for bid, scores in points.items()}


@pytest.mark.parametrize(
    "options",
    [{}, {"scoring": "penalty", "zero_bid": "hand-size", "hook": True}, {"bidding": "simultaneous"}],
    ids=["base", "hook and penalty", "simultaneous"],
)
def test_bids_are_worth_their_mean_over_all_worlds_that_explain_the_bids_heard(
    options: dict[str, Any],
) -> None:
    rules = Rules(pack="2x4", hand_sizes=(2,), **options)
    count, redeals = (3, 128) if FEW else (32, 2048)
    found = situations_of(agents=("greedy",), players=3, rules=rules, situations=count, redeals=redeals)
    assert set(found["position"]) == {0, 1, 2}
    assert found["heard"].tolist() == ([0] * count if options.get("bidding") else found["position"].tolist())
    agent = Asked("greedy")
    for situation in found:
        exact = exact_worths(situation, rules, 3, agent)
        zero_is_legal = int(situation["legal"]) & 1
        for bid in {0, int(situation["other"]), int(situation["bid"])} if zero_is_legal else ():
            for half in (0, 1):
                near = situation["worth"][half, bid] / situation["weight"][half]
                spread = 12 * (situation["squares"][half] ** 0.5 / situation["weight"][half]) / 2
                assert near == pytest.approx(exact[bid], abs=4.5 * spread + 1e-9)
