"""Odd rounds, found and made small by hypothesis: the engine against the referee under any rules."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import reference as ref
from expected_view import answer, assert_same_decision, assert_same_end, legal_answers
from odd_rounds import OddRound, dealt, odd_rounds
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.errors import IllegalError
from ohpshaw_sim.interface.view import BID, FIELDS
from ohpshaw_sim.kernels._jit import JIT_DISABLED
from ohpshaw_sim.rules import Rules
from reference_table import card

NO_PLACES = (
    -1,
    -2,
    -64,
    64,
    65,
    128,
    255,
    2**31,
    2**32,
    2**40,
    2**63 - 1,
    -(2**31),
    -(2**40),
    -(2**63),
    2**64,
    -(2**70),
)
"""Whole numbers that are no answer to anything; the last is what a cast makes of a float that is no number."""


def odd(examples: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As many examples, the same each time; interpreted, every decision takes longer."""
    few = max(10, examples // 8) if JIT_DISABLED else examples
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
    return settings(max_examples=few, deadline=None, derandomize=True, suppress_health_check=slow)


def nasty(players: int, size: int, turn_up: str, order: str, number: int = 0, **changed: object) -> OddRound:
    """A round of hands dealt in blocks, seat 0's first; every answer is the lowest, or as chosen."""
    options = ref.Options(**{"hand_sizes": (size, size), **changed})  # type: ignore[arg-type]  # any option
    deal = dealt(options, players, number, card(turn_up), order)
    return OddRound(options, deal, players - 1, number)


TRUMPS_IN_ONE_HAND = nasty(4, 12, "2S", "trumps first", must_trump=True, hook=True)
THE_WHOLE_WIZARD_PACK = nasty(3, 20, "2C", "Wizards and Jesters first", wizard=True, must_trump=True)
NOTHING_BUT_WIZARDS_AND_JESTERS = nasty(7, 1, "WS", "Wizards and Jesters first", wizard=True)
A_JESTER_TURNED = nasty(4, 2, "FC", "Wizards and Jesters first", wizard=True, must_trump=True)
WIZARDS_BEFORE_HIGH_CARDS = nasty(5, 12, "AH", "high cards together", wizard=True, scoring="wizard")
ONE_SUIT = nasty(3, 4, "AC", "suits together", suits=1, must_trump=True, trump="rotate")
EVERY_CARD = nasty(4, 13, "2C", "suits together", zero_bid="hand-size", round_winner_bonus=True)
NO_TRUMP_AT_LAST = nasty(3, 6, "2C", "high cards together", number=1, no_trump_final=True, trump="rotate")
SMALL_AND_FULL = nasty(4, 2, "AC", "high cards together", suits=2, ranks=4, scoring="penalty")


def decisions(case: OddRound) -> Iterator[tuple[int, Round, ref.Round]]:
    """Play the round in the engine and in the referee, stopping at each decision; the first is number 0."""
    engine, game, number = case.engine(), case.game(), 0
    while not game.done:
        yield number, engine, game
        value = case.choose(number, legal_answers(game))
        engine.answer(value)
        answer(game, value)
        number += 1
    assert_same_end(engine, game)


@pytest.mark.rule("B5", "B6", "B8", "B9", "B10", "B11", "B13")
@pytest.mark.rule("V1", "V6", "V7", "V8", "V9", "V10", "V11", "V12", "V13", "V15", "V16", "V17")
@odd(300)
@given(odd_rounds())
@example(TRUMPS_IN_ONE_HAND)
@example(THE_WHOLE_WIZARD_PACK)
@example(NOTHING_BUT_WIZARDS_AND_JESTERS)
@example(A_JESTER_TURNED)
@example(WIZARDS_BEFORE_HIGH_CARDS)
@example(ONE_SUIT)
@example(EVERY_CARD)
@example(NO_TRUMP_AT_LAST)
@example(SMALL_AND_FULL)
def test_every_view_and_the_end_are_those_of_the_referee(case: OddRound) -> None:
    for _, engine, game in decisions(case):
        assert_same_decision(engine, game)


def state(engine: Round) -> tuple[object, ...]:
    """All that can be seen of a round from outside, bytes of the view included."""
    seen = (engine.kind, engine.seat, engine.legal, engine.bids, engine.tricks, engine.hands)
    return *seen, engine.plays, engine.leaders, engine.view.tobytes()


@pytest.mark.rule("B8", "B10", "B12", "V1", "V8", "V10")
@odd(60)
@given(odd_rounds(cards=12))
@example(NOTHING_BUT_WIZARDS_AND_JESTERS)
@example(A_JESTER_TURNED)
@example(ONE_SUIT)
@example(SMALL_AND_FULL)
def test_what_is_not_legal_is_refused_at_every_decision_and_changes_nothing(case: OddRound) -> None:
    for _, engine, game in decisions(case):
        before = state(engine)
        for value in sorted({*range(64), *NO_PLACES}.difference(legal_answers(game))):
            with pytest.raises(IllegalError):
                engine.answer(value)
        assert state(engine) == before
        assert_same_decision(engine, game)


@odd(10)
@given(odd_rounds(cards=12), st.sampled_from([*range(64), *NO_PLACES]))
def test_nothing_is_answered_after_the_last_card(case: OddRound, value: int) -> None:
    *_, (_, engine, _) = decisions(case)
    before = state(engine)
    with pytest.raises(IllegalError):
        engine.answer(value)
    assert state(engine) == before


# Hidden bids


def bidding(case: OddRound) -> tuple[Round, int]:
    """The engine's round as it waits for the first bid, and the number of that decision."""
    for number, engine, _ in decisions(case):
        if engine.kind == BID:
            return engine, number
    raise AssertionError


@pytest.mark.rule("V9")
@odd(120)
@given(odd_rounds(bidding="simultaneous", cards=20), st.lists(st.integers(0, 20), min_size=7, max_size=7))
@example(nasty(4, 3, "WC", "suits together", wizard=True, bidding="simultaneous"), [1, 2, 3, 0, 1, 2, 3])
def test_a_hidden_bid_leaves_every_later_bidders_view_as_it_is(case: OddRound, bids: list[int]) -> None:
    (engine, first), (other, _) = bidding(case), bidding(case)
    size = int(engine.view.hand_size)
    players = int(engine.view.players)
    for number, bid in zip(range(players), bids, strict=False):
        assert set(engine.view.bids.tolist()) == {-1}
        assert engine.view.announcement == -2
        assert engine.view.tobytes() == other.view.tobytes()
        engine.answer(case.choose(first + number, list(range(size + 1))))
        other.answer(bid % (size + 1))
    for table in (engine, other):  # all are in
        assert table.view.bids[:players].tolist() == table.bids
        assert table.view.announcement == (sum(table.bids) > size) - (sum(table.bids) < size)


@pytest.mark.rule("B8")
@odd(80)
@given(odd_rounds(bidding="in-turn", cards=20), st.integers(1, 20))
def test_a_bid_in_turn_is_shown_to_the_next_and_changes_nothing_else(case: OddRound, step: int) -> None:
    (engine, first), (other, _) = bidding(case), bidding(case)
    bids = list(range(int(engine.view.hand_size) + 1))
    bid = case.choose(first, bids)
    engine.answer(bid)
    other.answer((bid + step) % len(bids))
    changed = [
        field.name
        for field in FIELDS
        if engine.view[field.name].tobytes() != other.view[field.name].tobytes()
    ]
    assert changed == (["bids"] if step % len(bids) else [])


@pytest.mark.parametrize("value", ["1", 1.0, None, [1]])
def test_an_answer_that_is_no_whole_number_is_refused(value: object) -> None:
    table = Round.deal(Rules(), 3, 2, 0, seed=1)
    with pytest.raises(IllegalError, match="an answer is an int"):
        table.answer(value)  # type: ignore[arg-type]  # that is the point
    table.answer(np.uint64(1))
    assert table.bids == [-1, 1, -1]
