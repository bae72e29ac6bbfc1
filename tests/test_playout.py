"""Playouts against a plain player of whole rounds, against single steps, and against the engine."""

import random
from typing import Any, NamedTuple

import numpy as np
import pytest

from ohpshaw_sim.cards import cards_in, mask_of, pack_mask, rank_of, suit_of
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.interface.agent import compile_decision
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.kernels._jit import JIT_DISABLED
from ohpshaw_sim.kernels.bits import U
from ohpshaw_sim.kernels.playout import play_card, playout_table, random_playout
from ohpshaw_sim.kernels.policy import (
    turn_of,
    turned,
    turned_suit,
)
from ohpshaw_sim.kernels.rng import below, stream_word
from ohpshaw_sim.kernels.together import lay_world, need_left, play_together, world_rows
from ohpshaw_sim.kernels.words import WIDE
from ohpshaw_sim.rule_text import read_rules

POSITIONS = 60 if JIT_DISABLED else 5_000
TRUMP = 3


class Kind(NamedTuple):
    """What positions have in common that are played together."""

    players: int
    trump: int
    size: int
    on_table: int  # cards played so far

    @classmethod
    def drawn(cls, rng: random.Random) -> "Kind":
        players = rng.randint(3, 7)
        size = rng.randint(1, 52 // players)
        return cls(
            players, rng.choice([TRUMP, TRUMP, TRUMP, -1]), size, rng.randrange(players * min(size, 3))
        )


class Position:
    """A round under way, in plain Python: hands as lists of cards, trump is spades or there is none."""

    def __init__(self, rng: random.Random, kind: Kind | None = None) -> None:
        self.players, self.trump, size, on_table = kind or Kind.drawn(rng)
        deck = list(cards_in(pack_mask()))
        rng.shuffle(deck)
        self.hands = [deck[seat * size : (seat + 1) * size] for seat in range(self.players)]
        self.needs = [rng.randint(-1, size) for _ in range(self.players)]
        self.turn = rng.randrange(self.players)
        self.left = size
        self.table: list[tuple[int, int]] = []
        for _ in range(on_table):
            self.play(rng.choice(self.legal()))

    def legal(self) -> list[int]:
        hand = self.hands[self.turn]
        led = suit_of(self.table[0][1]) if self.table else -1
        return [card for card in hand if suit_of(card) == led] or hand

    def strongest(self) -> tuple[int, int]:
        trumps = [(seat, card) for seat, card in self.table if suit_of(card) == self.trump]
        of_led = [(seat, card) for seat, card in self.table if suit_of(card) == suit_of(self.table[0][1])]
        return max(trumps or of_led, key=lambda play: rank_of(play[1]))

    def play(self, card: int) -> None:
        assert card in self.legal()
        self.hands[self.turn] = [other for other in self.hands[self.turn] if other != card]
        self.table.append((self.turn, card))
        self.turn = (self.turn + 1) % self.players
        if len(self.table) == self.players:
            self.turn, _ = self.strongest()
            self.needs[self.turn] -= 1
            self.left -= 1
            self.table = []

    def policy(self) -> int:
        """The bid-seeking policy, written out."""
        hand, need = self.hands[self.turn], self.needs[self.turn]
        side = [card for card in hand if suit_of(card) != self.trump]
        if not self.table:
            if need > 0:
                return highest(side or hand)
            rivals = [c for seat, cards in enumerate(self.hands) if seat != self.turn for c in cards]
            cover = max((c for c in rivals if suit_of(c) == self.trump), default=-1)
            beaten = [card for card in hand if suit_of(card) == self.trump and card < cover]
            return highest(beaten) if beaten else lowest(side or hand)
        _, best = self.strongest()
        winners = [card for card in self.legal() if self.beats(card, best)]
        losers = [card for card in self.legal() if card not in winners]
        last = len(self.table) == self.players - 1
        if need > 0:
            if winners:
                return lowest(winners) if last else highest(winners)
            return lowest(losers)
        if losers:
            return highest(losers)
        return highest(winners) if last else lowest(winners)

    def beats(self, card: int, best: int) -> bool:
        if suit_of(card) == suit_of(best):
            return card > best
        return suit_of(card) == self.trump

    def laid(self) -> Any:
        """The same position as an array of one playout table."""
        tables = playout_table()
        table = shown(tables)
        table.players, table.trump, table.left, table.turn = self.players, self.trump, self.left, self.turn
        table.waiting = self.players - len(self.table)
        table.led, table.best, table.best_seat = -1, 0, 0
        if self.table:
            seat, card = self.strongest()
            table.led, table.best, table.best_seat = suit_of(self.table[0][1]), np.uint64(1 << card), seat
        for seat in range(self.players):
            table.hands[seat] = np.uint64(mask_of(self.hands[seat]))
            table.needs[seat] = self.needs[seat]
        table.live = np.uint64(mask_of(card for hand in self.hands for card in hand))
        return tables


def shown(tables: Any) -> Any:
    """The record of an array of one."""
    return tables[0] if JIT_DISABLED else tables.view(np.recarray)[0]


def highest(cards: list[int]) -> int:
    """The highest rank; of several the first suit's."""
    return max(cards, key=lambda card: (rank_of(card), -suit_of(card)))


def lowest(cards: list[int]) -> int:
    return min(cards, key=lambda card: (rank_of(card), suit_of(card)))


def nearest(bid: int, legal: int) -> int:
    """The next lower legal bid, or the lowest."""
    return next((lower for lower in range(bid, -1, -1) if legal >> lower & 1), 1)


def play_out(laid: list[Any]) -> list[list[int]]:
    """Play worlds to the end, up to WIDE at once; return what each seat of each is short of."""
    worlds = world_rows()
    for column, tables in enumerate(laid):
        lay_world(worlds, column, tables)
    play_together(worlds, len(laid), laid[-1])
    return [
        [int(need_left(worlds, column, seat)) for seat in range(int(shown(tables).players))]
        for column, tables in enumerate(laid)
    ]


@pytest.mark.rule("B10", "B11")
def test_a_playout_is_the_policy_played_by_hand() -> None:
    """Any number of worlds side by side: as many as there is room for, one less, one."""
    rng = random.Random(1)
    for _ in range(POSITIONS // 10):
        kind, count = Kind.drawn(rng), rng.choice([WIDE, WIDE, WIDE - 1, 9, 1])
        positions = [Position(rng, kind) for _ in range(count)]
        ends = play_out([position.laid() for position in positions])
        for position, end in zip(positions, ends, strict=True):
            before, left = sum(position.needs), position.left
            while position.left:
                position.play(position.policy())
            assert end == position.needs
            assert before - sum(position.needs) == left


def test_a_finished_round_keeps_its_needs() -> None:
    tables = Position(random.Random(4)).laid()
    table = shown(tables)
    table.left, table.turn, table.led = 0, 2, -1
    table.needs[:3] = -15, 15, 0
    assert play_out([tables])[0][:3] == [-15, 15, 0]


@pytest.mark.rule("B11")
def test_cards_played_one_by_one_reach_the_same_end() -> None:
    rng = random.Random(2)
    for _ in range(POSITIONS // 5):
        position = Position(rng)
        tables = position.laid()
        table = shown(tables)
        while position.left:
            card = rng.choice(position.legal())
            position.play(card)
            play_card(tables, U(1 << card))
            again = shown(position.laid())
            for field in ("turn", "left", "led", "waiting", "live"):
                assert table[field] == again[field], field
            if position.table:
                assert (table.best, table.best_seat) == (again.best, again.best_seat)
            assert list(table.needs) == list(again.needs)
            assert list(table.hands) == list(again.hands)


@pytest.mark.rule("B10")
def test_random_playouts_are_legal_and_hang_on_the_key() -> None:
    """Card for card the same draws, played by hand, which asserts that each is legal."""
    rng = random.Random(3)
    differ = 0
    for _ in range(POSITIONS // 50):
        position = Position(rng)
        ends = []
        for key in (1, 1, 2):
            tables = position.laid()
            table = shown(tables)
            table.key = np.uint64(key)
            random_playout(tables)
            assert not any(table.hands)
            ends.append(list(table.needs[: position.players]))
        plays = 0
        while position.left:
            legal = sorted(position.legal())
            position.play(legal[int(below(U(stream_word(U(2), plays)), len(legal)))])
            plays += 1
        assert ends[2] == position.needs
        assert ends[0] == ends[1]
        differ += ends[1] != ends[2]
    assert differ


@pytest.mark.rule("V8", "V10")
@pytest.mark.parametrize(
    ("players", "rules", "hand_size"),
    [
        (3, "oh-pshaw:pack=4x4", 5),
        (4, "oh-pshaw", 13),
        (5, "oh-pshaw:pack=4x4", 3),
        (7, "oh-pshaw:pack=4x2", 1),
        (4, "podrida:trump=rotate", 13),
        (3, "podrida:trump=rotate,pack=3x7", 7),
        (4, "wizard", 15),
        (5, "wizard:trump=rotate", 12),
        (6, "wizard:trump=rotate,must_trump=true", 10),
    ],
)
def test_a_playout_is_a_round_of_greedy_agents(players: int, rules: str, hand_size: int) -> None:
    """Where no card stays hidden in the stock a seat of the engine knows as much as one of a playout."""
    agent: Any = resolve("greedy").player
    play = compile_decision(agent.play, "greedy")
    for seed in range(3 if JIT_DISABLED else 100):
        played = read_rules(rules)
        trump = 3 - seed % (3 if "3x7" in rules else 4) if played.trump == "rotate" else None
        trump = trump if "3x7" not in rules or trump is None else trump - 1
        table = Round.deal(played, players, hand_size, seed % players, seed, trump=trump)
        for bid in range(players):
            table.answer(nearest((bid + seed) % (hand_size + 1), table.legal))
        view, turn = table.view, turn_of(int(table.view.trump))
        tables = playout_table()
        laid = shown(tables)
        laid.players, laid.left, laid.turn, laid.waiting = players, hand_size, table.seat, players
        laid.trump, laid.led = turned_suit(int(view.trump), int(view.trump)), -1
        laid.must_trump, laid.odd = played.must_trump, played.must_trump or played.wizard
        for seat in range(players):
            laid.hands[seat] = turned(U(table.hands[seat]), turn)
            laid.needs[seat] = table.bids[seat]
            laid.live |= laid.hands[seat]
        ends = play_out([tables])
        while not table.done:
            table.answer(int(play(view, agent.params_array)))
        left_over = [bid - tricks for bid, tricks in zip(table.bids, table.tricks, strict=True)]
        assert ends == [left_over]
