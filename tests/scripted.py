"""Scripted opponents: agents whose every answer the tests can foresee, compiled, vectorised and scalar.

`Reader` agents come in all three kinds and answer alike: their choice among the legal answers hangs on every field of
the view. Where one bit of one view is wrong, late or left over from before, the game goes on differently.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.interface.discovery import Entrant
from ohpshaw_sim.interface.view import VIEW
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import U, lowest_bit, nth_bit, popcount
from ohpshaw_sim.kernels.rng import below, mix

WORD: Final = (1 << 64) - 1
OFFSET: Final = 3
"""Added to small fields, so that -2 and -1 are no negative numbers."""


def entrant(agent: Any, name: str = "scripted", *, trusted: bool = False) -> Entrant:
    """The same agent in both halves."""
    return Entrant(name, agent, agent, trusted)


# Reads all it is shown: compiled


@jit
def stir(word: Any, value: int) -> Any:
    """Stir one small number into a word."""
    return mix(word ^ U(np.int64(value) + OFFSET))


@jit
def stir_masks(word: Any, values: Any) -> Any:
    """Stir an array of masks into a word."""
    for index in range(len(values)):
        word = mix(word ^ values[index])
    return word


@jit
def stir_numbers(word: Any, values: Any) -> Any:
    """Stir an array of small numbers into a word, each weighed by its place."""
    total = 0
    for index in range(len(values)):
        total += (index + 1) * (np.int64(values[index]) + OFFSET)
    return stir(word, total)


@jit
def stir_table(word: Any, values: Any) -> Any:
    """Stir a table of small numbers into a word, each weighed by its place."""
    total, place = 0, 0
    for row in range(values.shape[0]):
        for column in range(values.shape[1]):
            place += 1
            total += place * (np.int64(values[row, column]) + OFFSET)
    return stir(word, total)


@jit
def digest(view: Any) -> Any:
    """Stir the fields of a view together, in the order of `VIEW.names`."""
    word = mix(mix(mix(U(0) ^ view.hand) ^ view.legal) ^ view.rnd)
    word = stir(stir(stir(stir(word, view.kind), view.seat), view.players), view.hand_size)
    word = stir(stir(stir(stir(word, view.dealer), view.trump), view.turn_up), view.announcement)
    word = mix(mix(word ^ view.pack) ^ view.gone)
    word = stir_numbers(stir_numbers(word, view.bids), view.tricks)
    word = stir(stir(stir(word, view.leader), view.led), view.on_table)
    word = stir(stir(word, view.winning_card), view.winning_seat)
    word = stir(stir(word, view.trick_number), view.plays_made)
    word = stir_masks(stir_numbers(word, view.voids), view.played)
    word = stir_numbers(stir_numbers(word, view.plays), view.leaders)
    word = stir(stir(word, view.round_number), view.rounds_to_go)
    word = stir(stir(word, view.extra_round), view.contenders)
    word = stir_numbers(stir_numbers(word, view.scores), view.schedule)
    word = stir_table(stir_table(word, view.past_bids), view.past_tricks)
    word = stir(stir(stir(stir(word, view.hook_from), view.simultaneous), view.must_trump), view.scoring)
    word = stir(stir(word, view.zero_bid), view.round_winner_bonus)
    return stir(stir(word, view.rotating_trump), view.no_trump_final)


@jit
def read_all(view: Any, params: Any) -> int:  # noqa: ARG001  # the signature every agent function has
    """Answer by everything that is shown."""
    return nth_bit(view.legal, below(digest(view), popcount(view.legal)))


@jit
def read_all_and_scribble(view: Any, params: Any) -> int:
    """Answer by everything that is shown, then spoil it."""
    answer = read_all(view, params)
    spoil(view)
    return answer


@jit
def spoil(view: Any) -> None:
    """Write nonsense over every field of a view."""
    view.hand = view.legal = view.rnd = view.pack = view.gone = U(0xFFF0_FFF0_FFF0_FFF0)
    view.kind = view.seat = view.players = view.hand_size = view.dealer = view.trump = 1
    view.turn_up = view.announcement = view.leader = view.led = view.on_table = 2
    view.winning_card = view.winning_seat = view.trick_number = view.plays_made = 3
    view.round_number = view.rounds_to_go = view.extra_round = view.contenders = 4
    view.hook_from = view.simultaneous = view.must_trump = view.scoring = 1
    view.zero_bid = view.round_winner_bonus = view.rotating_trump = view.no_trump_final = 1
    for seat in range(len(view.bids)):
        view.bids[seat] = view.tricks[seat] = view.voids[seat] = 5
        view.scores[seat] = 1000
        view.played[seat] = U(0xFFFF)
    for index in range(len(view.plays)):
        view.plays[index] = 17
    for index in range(len(view.leaders)):
        view.leaders[index] = 0
    for index in range(len(view.schedule)):
        view.schedule[index] = 1
        for seat in range(len(view.bids)):
            view.past_bids[index, seat] = view.past_tricks[index, seat] = 6


COMPILED_READER: Final = CompiledAgent(read_all, read_all, name_trump=read_all)
SCRIBBLER: Final = CompiledAgent(
    read_all_and_scribble, read_all_and_scribble, name_trump=read_all_and_scribble
)


# The same in numpy


def mix_all(words: Any) -> Any:
    """SplitMix64's finaliser over an array."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58_476D_1CE4_E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D0_49BB_1331_11EB)
    return words ^ (words >> np.uint64(31))


def below_all(words: Any, limits: Any) -> Any:
    """The high half of each word * limit, for limits below 2**32."""
    low = (words & np.uint64(0xFFFF_FFFF)) * limits >> np.uint64(32)
    return ((words >> np.uint64(32)) * limits + low) >> np.uint64(32)


def nth_bits(masks: Any, ns: Any) -> Any:
    """The position of set bit number n of each mask."""
    rest = masks.copy()
    for n in range(int(ns.max())):
        rest = np.where(ns > n, rest & (rest - np.uint64(1)), rest)
    return np.bitwise_count((rest & (~rest + np.uint64(1))) - np.uint64(1)).astype(np.int64)


class VectorReader:
    """`read_all` over arrays."""

    def bids(self, batch: Any) -> Any:
        return self.answer(batch)

    def plays(self, batch: Any) -> Any:
        return self.answer(batch)

    def name_trumps(self, batch: Any) -> Any:
        return self.answer(batch)

    def answer(self, batch: Any) -> Any:
        words = np.zeros(len(batch), np.uint64)
        for name in VIEW.names or ():
            values = getattr(batch, name)
            if values.dtype == np.uint64:
                for column in values.reshape(len(batch), -1).T:
                    words = mix_all(words ^ column)
                continue
            flat = values.reshape(len(batch), -1).astype(np.int64) + OFFSET
            total = flat[:, 0] if values.ndim == 1 else flat @ np.arange(1, flat.shape[1] + 1) + OFFSET
            words = mix_all(words ^ total.astype(np.uint64))
        legal = batch.legal
        return nth_bits(legal, below_all(words, np.bitwise_count(legal).astype(np.uint64)))


class ScribblingVectorReader(VectorReader):
    """Answers, then spoils every array it was handed."""

    def answer(self, batch: Any) -> Any:
        answers = super().answer(batch)
        for name in VIEW.names or ():
            getattr(batch, name)[:] = 1
        batch.records()[:] = np.zeros(1, VIEW)
        batch.match[:] = 0
        return answers


# The same in plain Python


def mix_int(word: int) -> int:
    """SplitMix64's finaliser of one int."""
    word = (word ^ word >> 30) * 0xBF58_476D_1CE4_E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D0_49BB_1331_11EB & WORD
    return word ^ word >> 31


def flatten(values: Any) -> Iterator[int]:
    """The numbers of a nested list, in order."""
    for value in values:
        if isinstance(value, list):
            yield from flatten(value)
        else:
            yield value


class ScalarReader:
    """`read_all` one view at a time, plain ints only."""

    def bid(self, view: Any) -> int:
        return self.answer(view)

    def play(self, view: Any) -> int:
        return self.answer(view)

    def name_trump(self, view: Any) -> int:
        return self.answer(view)

    def answer(self, view: Any) -> int:
        word = 0
        for name in VIEW.names or ():
            base, value = VIEW[name].base, getattr(view, name)
            if base == np.uint64:
                for mask in value if isinstance(value, list) else [value]:
                    word = mix_int(word ^ mask)
            elif isinstance(value, list):
                places = enumerate(flatten(value), start=1)
                total = sum(place * (each + OFFSET) for place, each in places)
                word = mix_int(word ^ total + OFFSET & WORD)
            else:
                word = mix_int(word ^ value + OFFSET & WORD)
        legal = [place for place in range(64) if view.legal >> place & 1]
        return legal[word * len(legal) >> 64]


# Simple players


@jit
def lowest(view: Any, params: Any) -> int:  # noqa: ARG001  # the signature every agent function has
    """Bid 0 and play the lowest legal card."""
    return lowest_bit(view.legal)


LOWEST: Final = CompiledAgent(lowest, lowest)


@jit
def wrong_at(view: Any, params: Any) -> int:
    """Answer `params[3]`, or the lowest legal answer but at one decision: the word's halves and the kind are given."""
    high, low = np.int64(view.rnd >> U(32)), np.int64(view.rnd & U(0xFFFF_FFFF))
    if high == params[0] and low == params[1] and view.kind == params[2]:
        return np.int64(params[3])
    return lowest_bit(view.legal)


@jit
def fails_at(view: Any, params: Any) -> int:
    """Raise at one decision, as `wrong_at` answers wrongly."""
    if wrong_at(view, params) < 0:
        raise ValueError("no idea")
    return lowest_bit(view.legal)


class Watcher:
    """A vectorised agent that asks another one and hands every view (VIEW records), match number and answer on."""

    def __init__(self, agent: Any, see: Callable[[Any, Any, Any], None]) -> None:
        self.agent = agent
        self.see = see

    def bids(self, batch: Any) -> Any:
        return self.watched(batch, self.agent.bids(batch))

    def plays(self, batch: Any) -> Any:
        return self.watched(batch, self.agent.plays(batch))

    def watched(self, batch: Any, answers: Any) -> Any:
        self.see(batch.records(), batch.match.copy(), answers)
        return answers


class LowScalar:
    """Bids 0 and plays its lowest legal card; at one decision it does something else."""

    def __init__(self, word: int = -1, deed: Callable[[], Any] = lambda: 0) -> None:
        self.word = word
        self.deed = deed

    def bid(self, view: Any) -> Any:
        return self.deed() if view.rnd == self.word else (view.legal & -view.legal).bit_length() - 1

    play = bid


class LowVector:
    """The same over arrays: `deed(answers, row)` spoils the answers."""

    def __init__(self, word: int, deed: Callable[[Any, int], Any]) -> None:
        self.word = word
        self.deed = deed

    def bids(self, batch: Any) -> Any:
        legal = batch.legal
        answers = np.bitwise_count((legal & (~legal + np.uint64(1))) - np.uint64(1)).astype(np.int64)
        rows = np.flatnonzero(batch.rnd == np.uint64(self.word))
        return self.deed(answers, int(rows[0])) if len(rows) else answers

    plays = bids
