"""The conformance test catches bad agents, each by the check that is meant for it, and lets good ones pass."""

import json
from pathlib import Path

import pytest

from ohpshaw_sim.engine import conformance
from ohpshaw_sim.engine.conformance import Finding, check
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.kernels._jit import JIT_DISABLED

COMPILED = '''"""An agent of the tests."""
import os

import numpy as np

from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.kernels.bits import U, lowest_bit, popcount


def lowest(view, params):
    return lowest_bit(view.legal)


{decide}

def make_agent():
    return CompiledAgent({halves})
'''
PYTHON = '''"""An agent of the tests."""
import random

import numpy as np


def lowest(masks):
    return np.bitwise_count((masks & (~masks + np.uint64(1))) - np.uint64(1)).astype(np.int64)


class Agent:
    def bids(self, batch):
        {deed}

    plays = bids


make_agent = Agent
'''

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="types are not inferred")

CHECKS = [
    "found and made",
    "answers with integers",
    "answers legally",
    "variations",
    "deterministic",
    "drivers agree",
    "leaves views alone",
    "reads within bounds",
    "speed",
]


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "SECONDS_TO_PLAY", 0.05)
    monkeypatch.setattr(conformance, "SECONDS_TO_TIME", 0.0)


def compiled(folder: Path, body: str, halves: str = "decide, decide") -> str:
    """Write an agent whose function `decide(view, params)` has this body."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    decide = f"def decide(view, params):\n{lines}\n"
    return written(folder, COMPILED.format(decide=decide, halves=halves))


def python(folder: Path, deed: str) -> str:
    """Write a vectorised agent that does this to each batch."""
    return written(folder, PYTHON.format(deed=deed))


def written(folder: Path, text: str) -> str:
    path = folder / "bot.py"
    path.write_text(text)
    return str(path)


def assert_caught(spec: str, by: str, said: str) -> None:
    """Every check before the right one passes; that one fails, says so, and is the last."""
    found = check(spec)
    assert [finding.check for finding in found] == CHECKS[: CHECKS.index(by) + 1]
    assert [finding.passed for finding in found] == [True] * CHECKS.index(by) + [False], found
    assert said in found[-1].seen
    assert "\n" not in found[-1].seen


# Bad agents


def test_one_that_is_not_there() -> None:
    assert_caught("no/such/bot.py", "found and made", "there is no file 'no/such/bot.py'")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return 1.0", "its bid function answers with float64, not an integer"),
        ("return popcount(view.legal) / 2", "its bid function answers with float64, not an integer"),
        ("return view.hands[0]", "its bid function does not compile"),
        ("return undefined_name", "its bid function does not compile"),
    ],
)
def test_answers_that_are_no_integers(tmp_path: Path, body: str, said: str) -> None:
    assert_caught(compiled(tmp_path, body), "answers with integers", said)


def test_a_card_function_that_answers_with_floats(tmp_path: Path) -> None:
    spec = compiled(tmp_path, "return 1.0", halves="lowest, decide")
    assert_caught(spec, "answers with integers", "its play function answers with float64")


@pytest.mark.parametrize(
    ("body", "halves", "said"),
    [
        ("return view.hand_size + 1 if view.players == 7 else 0", "decide, lowest", "is illegal, asked for a bid"),
        ("return lowest_bit(view.hand)", "lowest, decide", "which is illegal, asked for a card"),  # revokes
        ("return -1 if view.trump < 0 else lowest_bit(view.legal)", "lowest, decide", "answered -1, which is illegal"),
        ("if view.plays_made > 30:\n    raise ValueError('no idea')\nreturn lowest_bit(view.legal)", "lowest, decide",
         "raised ValueError: no idea"),
        ("return 1 // (view.trick_number - 5) * 0 + lowest_bit(view.legal)", "lowest, decide", "raised ZeroDivision"),
    ],
    ids=["at 7 players", "revokes", "no-trump", "raises", "divides"],
)  # fmt: skip
def test_illegal_answers_of_compiled_agents(tmp_path: Path, body: str, halves: str, said: str) -> None:
    assert_caught(compiled(tmp_path, body, halves), "answers legally", said)


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ("return lowest(batch.legal) * 1.0", "answered with float64 values"),
        ("return lowest(batch.hand)", "which is illegal"),
        ("return lowest(batch.legal)[:1]", "decisions with an array of shape (1,)"),
        ("return batch.hands", "a batch has no field 'hands'"),
        ("return lowest(batch.legal) + 1 // (int(batch.hand_size[0]) - 6) * 0", "raised ZeroDivisionError"),
    ],
    ids=["floats", "revokes", "too few", "peeks", "divides"],
)
def test_illegal_answers_of_python_agents(tmp_path: Path, deed: str, said: str) -> None:
    assert_caught(python(tmp_path, deed), "answers legally", said)


def test_dice_of_its_own_in_python(tmp_path: Path) -> None:
    deed = "return lowest(batch.legal) if batch.kind[0] else np.array([random.randint(0, n) for n in batch.hand_size])"
    assert_caught(python(tmp_path, deed), "deterministic", "ended differently when played again")


def test_dice_of_its_own_in_compiled_code(tmp_path: Path) -> None:
    spec = compiled(tmp_path, "return np.random.randint(0, view.hand_size + 1)", halves="decide, lowest")
    assert_caught(spec, "deterministic", "ended differently when played again")
    with pytest.raises(conformance.FailureError, match="asked twice about the same view it answered"):
        conformance._leaves_views_alone(resolve(spec))


def test_answers_that_depend_on_the_batch(tmp_path: Path) -> None:
    deed = "return lowest(batch.legal) if batch.kind[0] else np.where(np.arange(len(batch)) % 2, 0, 1)"
    assert_caught(
        python(tmp_path, deed), "drivers agree", "answers depend on which other decisions are asked"
    )


@pytest.mark.parametrize(
    "scribble",
    ["view.hand = U(0)", "view.bids[0] = 3", "view.past_tricks[1, 2] = 1", "view.rnd = view.rnd + U(1)"],
)
def test_scribbling_on_the_view(tmp_path: Path, scribble: str) -> None:
    body = f"answer = lowest_bit(view.legal)\n{scribble}\nreturn answer"
    assert_caught(compiled(tmp_path, body, "lowest, decide"), "leaves views alone", "it writes to the view")


def test_scribbling_where_trump_is_named(tmp_path: Path) -> None:
    body = "view.hand = U(0)\nreturn 2"
    spec = compiled(tmp_path, body, "lowest, lowest, name_trump=decide")
    assert_caught(spec, "leaves views alone", "it writes to the view")


@pytest.mark.parametrize("halves", ["lowest, decide", "lowest, lowest, name_trump=decide"])
def test_reading_beyond_the_end_of_an_array(tmp_path: Path, halves: str) -> None:
    body = "wanted = view.bids[view.seat + 5]\nreturn lowest_bit(view.legal) + 0 * wanted"
    spec = compiled(tmp_path, body, halves)
    assert_caught(spec, "reads within bounds", "it reads or writes beyond the end of an array")


def test_a_checking_process_that_dies(tmp_path: Path) -> None:
    spec = compiled(tmp_path, "return lowest_bit(view.legal)")
    path = Path(spec)
    path.write_text(path.read_text() + '\n\nif "NUMBA_BOUNDSCHECK" in os.environ:\n    os._exit(7)\n')
    assert_caught(spec, "reads within bounds", "the checking process died with exit code 7")


# Good ones


def assert_conforms(found: list[Finding]) -> None:
    assert [finding.check for finding in found] == CHECKS
    assert all(finding.passed for finding in found), found


def test_a_good_compiled_agent(tmp_path: Path) -> None:
    found = check(compiled(tmp_path, "return lowest_bit(view.legal)"))
    assert_conforms(found)
    assert found[0].seen == "compiled"
    assert "views with bounds checking on" in found[-2].seen


@pytest.mark.parametrize("kind", ["vectorised", "scalar"])
def test_a_good_python_agent(tmp_path: Path, kind: str) -> None:
    spec = python(tmp_path, "return lowest(batch.legal)")
    if kind == "scalar":
        path = Path(spec)
        path.write_text("class Agent:\n    def bid(self, view): return (view.legal & -view.legal).bit_length() - 1\n"
                        "    play = bid\n\n\nmake_agent = Agent\n")  # fmt: skip
    found = check(spec)
    assert_conforms(found)
    assert found[0].seen == "Python"


def test_findings_are_printed_as_they_come(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert conformance.main(python(tmp_path, "return lowest(batch.legal)")) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["check"] for line in lines] == CHECKS
    assert all(line["passed"] for line in lines)
    assert conformance.main("no/such/bot.py") == 1
    assert json.loads(capsys.readouterr().out)["passed"] is False
