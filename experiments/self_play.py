"""Rounds that a learner plays, with every answer of its own written down beside what came of it.

Used by `train_learned.py`. At each table some seats are the learner's, some are lent to `count-winners`, drawn anew
for each seat and round, so that the learner meets others than itself. Some of its answers are drawn at random, so that
all are tried, at all seats or at few, whose others are then met as they play. What a seat did before such a card in its
round is left out, since that is not how it plays.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from ohpshaw_agents import count_winners, learned
from ohpshaw_agents._learned_answers import ANSWER, see_bid, see_card
from ohpshaw_agents._learned_sight import SCRATCH, STATE, see
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import BATCH_ROWS, play_sets
from ohpshaw_sim.interface.discovery import Entrant
from ohpshaw_sim.interface.view import BID
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ONE, ZERO, U, lowest_bit, nth_bit, popcount
from ohpshaw_sim.kernels.rng import below, fold, stream_word
from ohpshaw_sim.rules import Rules

INPUTS: Final = STATE + ANSWER
OUTCOMES: Final = 2
"""Whether the bid was hit, and the mean points of the other seats, in tens."""
COUNT_WINNERS: Final = count_winners.make_agent().params_array
ROUND, SEAT, PLACE, BIDS, TRICKS, POINTS = 2, 5, 6, 7, 8, 9
"""Columns of `engine.tally.round_rows`."""
_FRACTION: Final = 2.0**-53
_count_winners_bid: Final = count_winners.bid
_count_winners_play: Final = count_winners.play


class Manner(NamedTuple):
    """How the seats are shared out, and how often an answer is drawn at random."""

    taught: float  # share of seats played by count-winners; 1 = all, and then their answers are written down
    odd_bids: float  # share of bids that are moved by up to two
    odd_cards: float  # share of cards that are any legal card
    odd_seats: float = 1.0  # share of seats, drawn anew for each round, that answer so at all


class Examples(NamedTuple):
    """Answers of one kind and what came of them: inputs float32[n, INPUTS], outcomes float32[n, OUTCOMES]."""

    inputs: Any
    outcomes: Any


class Learner:
    """An agent of all seats that writes down what it answers, up to `room` answers."""

    def __init__(self, room: int) -> None:
        self.inputs = np.zeros((room, INPUTS), np.float32)
        self.keys = np.zeros((room, 5), np.int32)
        self.filled = 0

    def begin(self, params: Any, manner: Manner, seed: int) -> None:
        """Forget what was written down; play by these parameters of `learned` from now on."""
        self.params, self.manner, self.seed, self.filled = params, manner, seed, 0

    def bids(self, batch: Any) -> Any:
        """Return the bids of a batch."""
        return self._answer(batch)

    def plays(self, batch: Any) -> Any:
        """Return the cards of a batch."""
        return self._answer(batch)

    def _answer(self, batch: Any) -> Any:
        answers = np.zeros(len(batch), np.int64)
        views, notes = batch.records().view(np.recarray), (self.inputs, self.keys)
        luck = U(self.seed)
        self.filled = _answer_rows(
            views, batch.match, self.params, COUNT_WINNERS, self.manner, luck, notes, self.filled, answers
        )
        return answers


@jit
def _share(key: Any, number: int) -> float:
    """Return a random number in 0..1."""
    return (stream_word(key, number) >> U(11)) * _FRACTION


@jit
def _answer_rows(
    views: Any,
    matches: Any,
    params: Any,
    weights: Any,
    manner: Any,
    luck: Any,
    notes: Any,
    filled: int,
    answers: Any,
) -> int:
    """Answer some views, and write down what the learner answered and saw; return the number of answers noted."""
    room, worth = np.empty(learned.ROOM, np.float32), np.empty(64)
    state, scratch = room[:STATE], room[STATE : STATE + SCRATCH]
    for row in range(len(matches)):
        view = views[row]
        legal = view.legal
        if view.kind != BID and legal & (legal - ONE) == ZERO:
            answers[row] = lowest_bit(legal)
            continue
        lot = fold(fold(fold(luck, matches[row]), view.seat), view.round_number)
        taught = _share(lot, 0) < manner.taught
        if taught:
            bidding = view.kind == BID
            answer = _count_winners_bid(view, weights) if bidding else _count_winners_play(view, weights)
            see(view, state, scratch)
        else:
            answer = learned.best_answer(view, params, legal, worth, room)
        answers[row] = _at_times_odd(view, answer, manner) if _share(lot, 1) < manner.odd_seats else answer
        if filled < len(notes[0]) and (not taught or manner.taught == 1.0):
            _note(view, answers[row], answers[row] != answer, matches[row], state, scratch, notes, filled)
            filled += 1
    return filled


@jit
def _at_times_odd(view: Any, answer: int, manner: Any) -> int:
    """Return an answer, or at times another one."""
    key = fold(view.rnd, 1)
    if view.kind == BID:
        if _share(key, 0) < manner.odd_bids:
            moved = answer + np.int64(below(stream_word(key, 1), 5)) - 2
            if 0 <= moved <= view.hand_size and view.legal >> U(moved) & ONE:
                return int(moved)
    elif _share(key, 0) < manner.odd_cards:
        return nth_bit(view.legal, below(stream_word(key, 1), popcount(view.legal)))
    return answer


@jit
def _note(
    view: Any, answer: int, odd: bool, match: int, state: Any, scratch: Any, notes: Any, place: int
) -> None:
    """Write down what was seen and answered, and where."""
    inputs, keys = notes[0][place], notes[1][place]
    for number in range(STATE):
        inputs[number] = state[number]
    if view.kind == BID:
        see_bid(view, answer, inputs[STATE:], scratch)
    else:
        see_card(view, answer, inputs[STATE:], scratch)
    keys[0] = match
    keys[1] = view.round_number
    keys[2] = view.seat
    keys[3] = view.kind
    keys[4] = odd and view.kind != BID


def play_rounds(
    learner: Learner, players: int, schedule: tuple[int, ...], seed: int, batches: int, matches: int
) -> tuple[Examples, Examples, float]:
    """Play `batches` batches of about so many matches; return bids and cards noted, and the share of bids hit."""
    entrant = Entrant("learner", learner, learner)
    game = Game(Rules(), players, schedule, (entrant,) * players, (0,) * players, stop_after=len(schedule))
    sets = min(matches, BATCH_ROWS) // players
    outcomes, kept, hits = [], [], []
    for batch in range(batches):
        start = learner.filled
        rows = play_sets(game, seed, batch * sets, sets, log=True).rows
        table = rows.reshape(sets * players, len(schedule), players, -1)
        hit, points = table[..., BIDS] == table[..., TRICKS], table[..., POINTS]
        match, number, seat, _, odd = learner.keys[start : learner.filled].T
        others = (points.sum(axis=2)[match, number] - points[match, number, seat]) / (10.0 * (players - 1))
        outcomes.append(np.stack([hit[match, number, seat], others], axis=1).astype(np.float32))
        last = np.full(hit.shape, -1, np.int64)
        order = np.arange(len(match))
        np.maximum.at(last, (match[odd == 1], number[odd == 1], seat[odd == 1]), order[odd == 1])
        kept.append(order >= last[match, number, seat])
        hits.append(hit.mean())
    good, told = np.concatenate(kept), np.concatenate(outcomes)
    inputs, bidding = learner.inputs[: learner.filled], learner.keys[: learner.filled, 3] == BID
    bids, cards = (Examples(inputs[good & kind], told[good & kind]) for kind in (bidding, ~bidding))
    return bids, cards, float(np.mean(hits))
