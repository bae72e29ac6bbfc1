"""`learned`: its arithmetic against numpy's, suits that differ by name alone, and that it beats `count-winners`."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ohpshaw_agents import learned
from ohpshaw_agents._learned_answers import ANSWER, see_bid, see_card
from ohpshaw_agents._learned_net import FIRST, OUT, SECOND, SIZE
from ohpshaw_agents._learned_sight import SCRATCH, STATE, see
from ohpshaw_sim.cards import cards_in
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.interface.view import BID, blank_views
from ohpshaw_sim.kernels._jit import JIT_DISABLED
from ohpshaw_sim.kernels.bits import U
from ohpshaw_sim.rules import Rules

SCRIPT = Path(__file__).parents[1] / "experiments" / "train_learned.py"
compiled = pytest.mark.skipif(JIT_DISABLED, reason="too slow for an interpreter")


class Noting:
    """Plays as `learned` and keeps the views that it was shown."""

    def __init__(self) -> None:
        self.agent: Any = resolve("learned").bidder
        self.views: list[Any] = []

    def answer(self, batch: Any) -> Any:
        records = batch.records().view(np.recarray)
        self.views.extend(record for record in records)
        decide = learned.bid if records[0].kind == BID else learned.play
        return np.array([decide(record, self.agent.params_array) for record in records])

    bids = plays = answer


@pytest.fixture(scope="module")
def views() -> list[Any]:
    """Views of a few matches between copies of the agent, at three, four and seven players."""
    from ohpshaw_sim.interface.discovery import Entrant  # noqa: PLC0415

    noting = Noting()
    entrant = Entrant("noting", noting, noting)
    for players, sizes in ((3, (1, 6, 15)), (4, (2, 9, 13)), (7, (3, 7))):
        game = Game(Rules(), players, sizes, (entrant,) * players, (0,) * players, stop_after=len(sizes))
        play_sets(game, 20_270_501, 0, 1)
    return noting.views


def by_numpy(view: Any, answers: list[int], spite: float, weights: Any) -> dict[int, float]:
    """What answers are worth, by matrices."""
    kind = 0 if view.kind == BID else 1
    at = (2 * (int(view.players) - 3) + kind) * SIZE
    shapes = ((STATE, FIRST), (FIRST,), (ANSWER, FIRST), (FIRST, SECOND), (SECOND,), (SECOND, OUT), (OUT,))
    pieces = []
    for shape in shapes:
        pieces.append(weights[at : at + int(np.prod(shape))].reshape(shape))
        at += int(np.prod(shape))
    of_state, bias1, of_answer, second, bias2, last, bias3 = pieces
    state, scratch, answer = np.zeros(STATE), np.zeros(SCRATCH), np.zeros(ANSWER)
    see(view, state, scratch)
    worth = {}
    for each in answers:
        (see_bid if kind == 0 else see_card)(view, each, answer, scratch)
        hidden = np.maximum(state @ of_state + answer @ of_answer + bias1, 0.0)
        out = np.maximum(hidden @ second + bias2, 0.0) @ last + bias3
        points = 10 + (each if kind == 0 else int(view.bids[view.seat]))
        worth[each] = points * out[0] - spite * 10.0 * out[1]
    return worth


def test_answers_are_worth_what_matrices_say(views: list[Any]) -> None:
    params = resolve("learned").bidder.params_array  # type: ignore[union-attr]
    weights = np.load(learned.WEIGHTS_FILE).astype(np.float64)
    assert weights.shape == (10 * SIZE,)
    checked = 0
    for view in views[:: 40 if JIT_DISABLED else 3]:
        answers = [*cards_in(view.legal)]
        worth = np.zeros(64)
        best = learned.best_answer(view, params, U(view.legal), worth, np.empty(learned.ROOM, np.float32))
        expected = by_numpy(view, answers, 0.6, weights)
        assert worth[answers] == pytest.approx(
            [expected[answer] for answer in answers], abs=1e-4
        )  # sums of float32
        assert best == max(answers, key=lambda answer: worth[answer])
        checked += len(answers) > 1
    assert checked > 10


def swapped(mask: int, one: int, other: int) -> int:
    """A mask with two suits changed for each other."""
    lanes = [mask >> 16 * suit & 0xFFFF for suit in range(4)]
    lanes[one], lanes[other] = lanes[other], lanes[one]
    return sum(lane << 16 * suit for suit, lane in enumerate(lanes))


def renamed(view: Any, one: int, other: int) -> Any:
    """The same situation with two suits changed for each other."""
    names = {one: other, other: one}
    twin = blank_views(1)
    twin[0] = view
    new = twin[0]
    for field in ("hand", "gone", "pack"):
        new[field] = swapped(int(view[field]), one, other)
    if view.kind != BID:
        new.legal = swapped(int(view.legal), one, other)
    new.trump = names.get(int(view.trump), int(view.trump))
    new.led = names.get(int(view.led), int(view.led))
    if view.winning_card >= 0:
        suit = int(view.winning_card) >> 4
        new.winning_card = 16 * names.get(suit, suit) + (int(view.winning_card) & 15)
    for seat in range(int(view.players)):
        voids = int(view.voids[seat])
        new.voids[seat] = sum(1 << names.get(suit, suit) for suit in range(4) if voids >> suit & 1)
    return new


def test_suits_that_differ_by_their_names_are_seen_alike(views: list[Any]) -> None:
    states, scratch = np.zeros((2, STATE)), np.zeros(SCRATCH)
    alike = 0
    for number, view in enumerate(views[:: 20 if JIT_DISABLED else 2]):
        one, other = number % 4, (number + 1 + number // 4 % 3) % 4
        hands = [int(view.hand) >> 16 * suit & 0xFFFF for suit in range(4)]
        ties = len({(hand.bit_count(), hand.bit_length()) for hand in hands}) < 4
        if one == other or ties:
            continue
        see(view, states[0], scratch)
        see(renamed(view, one, other), states[1], scratch)
        assert states[1] == pytest.approx(states[0], abs=1e-12)  # sums in another order
        alike += 1
    assert alike > 5


def test_numbers_stay_in_a_range_that_networks_like(views: list[Any]) -> None:
    state, answer, scratch = np.zeros(STATE), np.zeros(ANSWER), np.zeros(SCRATCH)
    for view in views[:: 20 if JIT_DISABLED else 1]:
        see(view, state, scratch)
        assert np.abs(state).max() < 6.0
        for each in cards_in(view.legal):
            (see_bid if view.kind == BID else see_card)(view, each, answer, scratch)
            assert np.abs(answer).max() < 6.0


@compiled
def test_it_scores_more_than_count_winners_at_a_table_of_them() -> None:
    lineup = (resolve("learned"), *(resolve("count-winners"),) * 3)
    game = Game(Rules(), 4, tuple(range(1, 11)), lineup, (0, 1, 1, 1))
    rows = play_sets(game, 20_270_502, 0, 160, log=True).rows
    mine, points = rows[:, 6] == 0, rows[:, 9].astype(float)
    sets = rows[:, 0]
    per_set = np.array(
        [points[mine & (sets == k)].mean() - points[~mine & (sets == k)].mean() for k in range(160)]
    )
    assert per_set.mean() - 2.5 * per_set.std(ddof=1) / np.sqrt(160) > 0.0


def test_a_spite_out_of_range_is_told_in_a_sentence() -> None:
    with pytest.raises(AgentError, match=r"spite -1\.0 is out of range; use 0 to 10"):
        resolve("learned:spite=-1.0")


@compiled
def test_training_writes_networks_that_can_be_joined(tmp_path: Path) -> None:
    """Two short chunks from nothing, one more from what they gave; all five numbers of players joined."""
    env = {**os.environ, "OMP_NUM_THREADS": "1"}

    def run(*words: str) -> str:
        line = [sys.executable, str(SCRIPT), *words]
        return subprocess.run(line, check=True, capture_output=True, text=True, env=env, cwd=tmp_path).stdout

    small = ("--rounds", "2", "--matches", "64")
    said = run("train", "--players", "3", "--chunks", "2", *small, "--out", "first.npy")
    assert said.count("of the bids hit") == 2
    run("train", "--players", "3", "--chunks", "1", *small, "--from", "first.npy", "--out", "second.npy")
    first, second = np.load(tmp_path / "first.npy"), np.load(tmp_path / "second.npy")
    assert first.shape == second.shape == (2 * SIZE,)
    assert np.isfinite(second).all()
    assert not np.array_equal(first, second)
    run("join", "first.npy", "second.npy", "first.npy", "first.npy", "first.npy", "--out", "all.npy")
    joined = np.load(tmp_path / "all.npy")
    assert joined.dtype == np.float32
    assert np.array_equal(joined[2 * SIZE : 4 * SIZE], second)
