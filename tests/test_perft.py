"""Perft: small fixed deals played in every possible way, counted by the engine, the referee and OpenSpiel.

One wrong legal card, winner or leader anywhere in a tree changes its counts. Besides the number of complete
play sequences, the tricks that each seat wins, summed over all of them, are pinned: they also see a wrong
winner whose successors happen to have as many cards to choose from.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

import reference as ref
import translate
from ohpshaw_sim.cards import parse_cards
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.rules import Rules


class Perft(NamedTuple):
    """A deal with its counts: complete sequences of plays, and tricks won over all of them by seat."""

    name: str
    pack: tuple[int, int]
    dealer: int
    turn_up: str | None
    hands: tuple[str, ...]
    plays: int
    tricks: tuple[int, ...]

    def deal(self) -> ref.Deal:
        hands = [[translate.card(card) for card in parse_cards(hand)] for hand in self.hands]
        turn_up = translate.card(parse_cards(self.turn_up)[0]) if self.turn_up else None
        return ref.Deal(hands, turn_up)

    @property
    def hand_size(self) -> int:
        return len(self.hands[0].split())

    @property
    def bid_sequences(self) -> int:
        """B8: every seat has hand size + 1 bids, whatever the others bid."""
        return int((self.hand_size + 1) ** len(self.hands))


FULL = (4, 13)
CASES = [
    Perft("3x2", FULL, 2, "9H", ("4C AH", "TC 2S", "KC 3H"), 3, (3, 0, 3)),
    Perft("3x3", FULL, 0, "QS", ("4C 9C AH", "TC 2S 5D", "KC 3H 7S"), 56, (14, 46, 108)),
    Perft("3x4", FULL, 1, "2D", ("4C 9C AH 3D", "TC 2S 5D QH", "KC 3H 7S JS"), 392, (356, 464, 748)),
    Perft(
        "3x4 no-trump", (3, 4), 2, None, ("AC QC KD JH", "KC AD JD QH", "JC QD AH KH"), 256, (328, 306, 390)
    ),
    Perft("4x2 no-trump", (2, 4), 0, None, ("AC JD", "QC KD", "KC JC", "AD QD"), 8, (6, 4, 0, 6)),
    Perft("4x3", FULL, 3, "TD", ("2C 8D AS", "3C 9D KS", "4C 5C QH", "JC QC 2H"), 136, (112, 144, 24, 128)),
    Perft("5x2", FULL, 4, "4S", ("2C 8D", "3S 9D", "4C 5C", "JS QC", "AD AH"), 12, (0, 6, 0, 16, 2)),
    Perft(
        "7x2",
        FULL,
        6,
        "KH",
        ("2C 8D", "3S 9D", "4C 5C", "JS QC", "AD AH", "2H TC", "3C 3D"),
        16,
        (0, 0, 0, 4, 20, 8, 0),
    ),
    Perft("one suit", (1, 13), 1, "8C", ("2C AC KC", "3C 7C QC", "4C 5C 6C"), 216, (432, 144, 72)),
]
SMALL = [case for case in CASES if case.bid_sequences * case.plays <= 4000]
TURNED = [case for case in CASES if case.turn_up]

each_case = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])


class Count(NamedTuple):
    """Complete sequences below a position, and the tricks won over all of them by seat."""

    sequences: int
    tricks: tuple[int, ...]


def total(counts: list[Count]) -> Count:
    return Count(
        sum(c.sequences for c in counts), tuple(map(sum, zip(*(c.tricks for c in counts), strict=True)))
    )


def finished(start: Callable[[], Any], options: Callable[[Any], list[Any]]) -> Iterator[Any]:
    """Play every way on from a position to its end; positions are not copied but played to again."""
    todo: list[tuple[Any, ...]] = [()]
    while todo:
        answers, game = todo.pop(), start()
        for answer in answers:
            game.answer(answer)
        while not game.done:
            first, *others = options(game)
            todo += [(*answers, other) for other in others]
            answers = (*answers, first)
            game.answer(first)
        yield game


def count(games: Iterator[Any]) -> Count:
    return total([Count(1, tuple(int(tricks) for tricks in game.tricks)) for game in games])


def after_bids(game: Any, bids: int) -> Any:
    for _ in range(bids):
        game.answer(1)
    return game


class Referee(ref.Round):
    """The referee's round with one verb for bids and cards, as the engine's has."""

    def options(self) -> list[Any]:
        return self.legal_bids() if self.bidding else self.legal_cards()

    def answer(self, answer: Any) -> None:
        self.bid(answer) if self.bidding else self.play(answer)


def by_referee(case: Perft, bids: int) -> Count:
    """Count the sequences after this many bids of 1."""
    return count(finished(lambda: after_bids(Referee(case.deal(), case.dealer), bids), Referee.options))


def by_engine(case: Perft, bids: int) -> Count:
    """Count the sequences after this many bids of 1."""
    return count(
        finished(lambda: after_bids(engine_round(case), bids), lambda game: translate.places(game.legal))
    )


def engine_round(case: Perft) -> Round:
    deal = case.deal()
    hands = [translate.mask(hand) for hand in deal.hands]
    rules = Rules(pack=f"{case.pack[0]}x{case.pack[1]}")
    return Round.start(rules, len(hands), case.hand_size, case.dealer, hands, translate.number(deal.turn_up))


def by_open_spiel(state: Any) -> Count:
    """Count below a position where every seat bid 0: it scores 10 for no trick, else minus its tricks."""
    if state.is_terminal():
        return Count(1, tuple(int(max(0, -points)) for points in state.returns()))
    return total([by_open_spiel(state.child(action)) for action in state.legal_actions()])


@each_case
def test_the_case_is_a_deal_of_its_pack(case: Perft) -> None:
    assert ref.misdeal(case.deal(), ref.new_pack(*case.pack), case.hand_size) is None


@each_case
def test_play_sequences_by_the_referee(case: Perft) -> None:
    assert by_referee(case, len(case.hands)) == (case.plays, case.tricks)


@pytest.mark.rule("B6", "B10", "B11")
@each_case
def test_play_sequences_by_the_engine(case: Perft) -> None:
    assert by_engine(case, len(case.hands)) == (case.plays, case.tricks)


@pytest.mark.parametrize("case", TURNED, ids=[case.name for case in TURNED])
def test_play_sequences_by_open_spiel(case: Perft) -> None:
    open_spiel_round = pytest.importorskip("open_spiel_round")
    state = open_spiel_round.start(case.deal(), case.dealer, *case.pack)
    for _ in case.hands:
        state.apply_action(case.pack[0] * case.pack[1])
    assert by_open_spiel(state) == (case.plays, case.tricks)


@pytest.mark.rule("B8", "B10", "B11")
@pytest.mark.parametrize("case", SMALL, ids=[case.name for case in SMALL])
def test_bid_and_play_sequences(case: Perft) -> None:
    every = case.bid_sequences
    expected = (every * case.plays, tuple(every * tricks for tricks in case.tricks))
    assert by_engine(case, 0) == expected
    assert by_referee(case, 0) == expected
