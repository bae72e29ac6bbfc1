"""Agents that misbehave are named, whatever they answer and whoever drives."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from ohpshaw_sim.engine.play import AgentFaultError, Driver
from ohpshaw_sim.engine.tally_schema import ROW_COLUMNS
from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.interface.agent import CompiledAgent, as_agent
from ohpshaw_sim.interface.view import BID, PLAY
from readers import READERS, assert_same, play, watch
from scripted import (
    LOWEST,
    LowScalar,
    LowVector,
    VectorReader,
    entrant,
    fails_at,
    wrong_at,
)


class Spot(NamedTuple):
    """One decision of place 1 of a line-up, and the word it is told by."""

    set_number: int
    rotation: int
    round_number: int
    kind: int
    word: int
    held: int


PLACE = 1


@pytest.fixture(scope="module", params=[BID, PLAY], ids=["bid", "card"])
def spot(request: pytest.FixtureRequest) -> Spot:
    """A decision in the middle of what `assert_fault` plays, with all of place 1 bidding 0 and playing low."""
    low = as_agent(LowScalar(), "low")
    seen = [
        each
        for each in watch([entrant(LOWEST), entrant(low), entrant(LOWEST)], 5, 3, schedule=(2, 4))
        if each.view["kind"] == request.param
        and each.set_number == 6
        and each.round_number == 1
        and (request.param == BID or int(each.view["legal"]).bit_count() < int(each.view["hand"]).bit_count())
    ]
    each = seen[len(seen) // 2]
    outside = int(each.view["hand"]) & ~int(each.view["legal"])
    return Spot(
        *each[:3],
        request.param,
        int(each.view["rnd"]),
        5 if request.param == BID else outside.bit_length() - 1,
    )


def assert_fault(agent: Any, spot: Spot, said: str, *, exact: bool = True, driver: Driver = "auto") -> None:
    """Play: the agent at place 1 is blamed, in one sentence, for the decision in question."""
    lineup = [entrant(LOWEST, "one"), entrant(agent, "culprit"), entrant(LOWEST, "two")]
    with pytest.raises(AgentFaultError) as caught:
        play(lineup, 5, 3, driver, schedule=(2, 4))
    fault, sentence = caught.value, str(caught.value)
    assert isinstance(fault, AgentError)
    assert fault.place == PLACE
    assert sentence.startswith("agent culprit ")
    assert said in sentence
    assert "\n" not in sentence
    where = f"in set {fault.set_number}, rotation {fault.rotation}, round {fault.round_number + 1}"
    assert sentence.endswith(f"asked for a {'bid' if spot.kind == BID else 'card'} {where}")
    if exact:
        assert (fault.set_number, fault.rotation, fault.round_number) == spot[:3]


ILLEGAL = (-1, 64, 65, -64, 2**63 - 1, -(2**63), 127, 255)


@pytest.mark.rule("B12")
@pytest.mark.parametrize("answer", [*ILLEGAL, None, 2**64 + 1, -(2**70)])
def test_an_illegal_answer_of_a_scalar_agent(spot: Spot, answer: int | None) -> None:
    illegal = spot.held if answer is None else answer
    shown = str(min(max(illegal, -(2**63) + 1), 2**63 - 1))
    agent = as_agent(LowScalar(spot.word, lambda: illegal), "scalar")
    assert_fault(agent, spot, f"answered {shown}, which is illegal")


@pytest.mark.parametrize(
    "answer", [1.0, 0.0, float("nan"), "1", True, None, [1], np.float64(1), np.bool_(True)]
)
def test_an_answer_of_a_scalar_agent_that_is_no_int(spot: Spot, answer: Any) -> None:
    agent = as_agent(LowScalar(spot.word, lambda: answer), "scalar")
    assert_fault(
        agent, spot, f"answered {answer!r}, a {type(answer).__name__}; an answer is an int", exact=False
    )


@pytest.mark.rule("B12")
@pytest.mark.parametrize("answer", [*ILLEGAL, None, 2**63, 2**64 - 1])
def test_an_illegal_answer_of_a_vectorised_agent(spot: Spot, answer: int | None) -> None:
    def spoil(answers: Any, row: int) -> Any:
        illegal = spot.held if answer is None else answer
        spoilt = answers.astype(np.uint64) if illegal >= 2**63 else answers
        spoilt[row] = illegal
        return spoilt

    shown = str(min(spot.held if answer is None else answer, 2**63 - 1))
    assert_fault(LowVector(spot.word, spoil), spot, f"answered {shown}, which is illegal")


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, np.uint32, np.uint64])
def test_vectorised_answers_may_have_any_integer_type(dtype: Any) -> None:
    class Small(VectorReader):
        def answer(self, batch: Any) -> Any:
            return super().answer(batch).astype(dtype)

    assert_same(play([entrant(Small())] * 3), play([READERS["trusted"]] * 3))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda answers, _: answers.astype(float), "answered with float64 values"),
        (lambda answers, _: answers == 1, "answered with bool values"),
        (lambda answers, _: answers.astype(object), "answered with object values"),
        (lambda answers, _: answers.astype(str), "values; answers are integers"),
        (lambda answers, _: answers[1:], "decisions with an array of shape ("),
        (lambda answers, _: np.append(answers, 0), "decisions with an array of shape ("),
        (lambda answers, _: answers[:, None], "decisions with an array of shape ("),
        (lambda *_: 0, "decisions with an array of shape ()"),
        (lambda *_: None, "decisions with an array of shape ()"),
        (lambda *_: [[1], [1, 2]], "raised ValueError"),
        (lambda *_: dict[str, int]()["missing"], "raised KeyError: 'missing'"),
    ],
)
def test_answers_of_a_vectorised_agent_that_are_no_integer_per_row(
    spot: Spot, spoil: Callable[[Any, int], Any], said: str
) -> None:
    assert_fault(LowVector(spot.word, spoil), spot, said, exact=False)


def params_of(spot: Spot, answer: int) -> tuple[int, ...]:
    return spot.word >> 32, spot.word & 0xFFFF_FFFF, spot.kind, answer


@pytest.mark.rule("B12")
@pytest.mark.parametrize("driver", ["compiled", "batched"])
@pytest.mark.parametrize("answer", [-1, 64, 65, -64, 2**53, -(2**53), 127, None])
def test_an_illegal_answer_of_a_compiled_agent(spot: Spot, answer: int | None, driver: Driver) -> None:
    illegal = spot.held if answer is None else answer
    agent = CompiledAgent(wrong_at, wrong_at, params_of(spot, illegal))
    assert_fault(agent, spot, f"answered {illegal}, which is illegal", driver=driver)


@pytest.mark.parametrize("driver", ["compiled", "batched"])
def test_an_exception_of_a_compiled_agent(spot: Spot, driver: Driver) -> None:
    agent = CompiledAgent(fails_at, fails_at, params_of(spot, -1))
    before = play([READERS["trusted"]] * 3, 0, 1)
    assert_fault(agent, spot, "raised ValueError: no idea,", driver=driver)
    assert_same(play([READERS["trusted"]] * 3, 0, 1), before)
    assert_same(play([READERS["vectorised"]] * 3, 0, 1), before)


def test_an_exception_of_a_scalar_agent(spot: Spot) -> None:
    def fail() -> int:
        raise RuntimeError

    assert_fault(as_agent(LowScalar(spot.word, fail), "scalar"), spot, "raised RuntimeError,", exact=False)


def test_a_view_has_no_other_fields(spot: Spot) -> None:
    class Curious(LowScalar):
        def bid(self, view: Any) -> Any:
            return view.hands if view.rnd == self.word else super().bid(view)

        play = bid

    assert_fault(as_agent(Curious(spot.word), "scalar"), spot, "a view has no field 'hands'", exact=False)


@pytest.mark.parametrize(
    ("decide", "said"),
    [
        (lambda view, params: 1.0, "its bid function answers with float64, not an integer"),  # noqa: ARG005
        (lambda view, params: view.legal > 0, "its bid function answers with bool, not an integer"),  # noqa: ARG005
        (lambda view, params: view.hands, "its bid function does not compile"),  # noqa: ARG005
        (lambda view, params: None, "its bid function answers with none, not an integer"),  # noqa: ARG005
        (lambda view: 0, "its bid function does not compile"),  # noqa: ARG005
    ],
)
def test_compiled_agents_of_the_wrong_type_are_refused_before_they_play(decide: Any, said: str) -> None:
    with pytest.raises(AgentError, match=f"^agent culprit cannot play: {said}") as caught:
        play([entrant(CompiledAgent(decide, decide), "culprit"), *([READERS["trusted"]] * 2)])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("answer", [2**64 - 1, 2**63, 2**32])
def test_unsigned_answers_of_compiled_agents_do_not_wrap_round_to_legal_ones(answer: int) -> None:
    big = np.uint64(answer)
    agent = CompiledAgent(lambda view, params: big, lambda view, params: big)  # noqa: ARG005
    with pytest.raises(AgentFaultError, match="which is illegal"):
        play([entrant(agent), *([READERS["trusted"]] * 2)])


def test_small_integer_answers_of_compiled_agents_are_taken() -> None:
    bid_one = CompiledAgent(lambda view, params: view.hand_size, LOWEST.play)  # noqa: ARG005
    rows = play([entrant(bid_one)] * 3).rows
    assert (rows[:, ROW_COLUMNS.index("bid")] == rows[:, ROW_COLUMNS.index("hand_size")]).all()
