"""Without numba's compiler everything plays the same, only slowly: nothing may hang on how numba types a number."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import Driver, play_sets
from ohpshaw_sim.engine.single import play_match
from ohpshaw_sim.interface.discovery import builtin_agents, parameters_of, resolve
from ohpshaw_sim.kernels._jit import JIT_DISABLED
from ohpshaw_sim.rule_text import read_rules
from ohpshaw_sim.rules import WIZARD_HIT, WIZARD_STEP

ROOT = Path(__file__).parents[1]
SUBSET = [
    "tests/test_words.py",
    "tests/test_bits_and_rng.py",
    "tests/test_match_against_reference.py::test_random_matches",
    "tests/test_match_against_reference.py::test_the_schedules_of_the_rules",
    "tests/test_one_card_exact.py",
    "tests/test_endings.py::test_each_card_counts_also_where_some_are_alike",
    *(
        f"tests/test_drivers.py::test_every_kind_of_agent_plays_the_same_game[(3, 'oh-pshaw')-{kind}]"
        for kind in ("trusted", "compiled plays", "scribbler")
    ),
    "tests/test_agent_faults.py::test_an_exception_of_a_compiled_agent",
]
AGENTS = [
    *(
        f"{name}:worlds=2" if "worlds" in parameters_of(module.make_agent) else name
        for name, module in builtin_agents().items()
    ),
    "count-winners+monte-carlo-1:rollout=random,worlds=2",
]

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="this is what it runs")


def interpreted(*words: str, stdin: str | None = None) -> str:
    """Run Python without the compiler, any overflow being an error, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", *words],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_part_of_the_tests_passes_interpreted() -> None:
    done = interpreted("-m", "pytest", "-p", "no:cacheprovider", *SUBSET)
    assert " passed" in done
    assert int(done.split(" passed")[0].split()[-1]) > 50


def sums(agent: str, driver: Driver) -> list[list[int]]:
    """What tiny tournaments add up to: a set at three players with a random opponent, under several rules."""
    lineup = (resolve(agent), resolve(agent), resolve("random"))
    added: list[list[int]] = []
    for rules, sizes in (
        ("oh-pshaw:pack=2x6", (2, 3)),
        ("wizard:must_trump=true,hook=true,round_winner_bonus=true", (2, 3)),
        ("contract-whist:bidding=simultaneous,scoring=soft", (2, 2)),
    ):
        game = Game(read_rules(rules), 3, sizes, lineup, (0, 0, 1))
        tally = play_sets(game, 7, 5, 1, driver=driver, log=True)
        added += [[int(number) for number in array.ravel()] for array in (*tally.arrays(), tally.rows)]
    return added


PLAY = """
import json, sys
sys.path.insert(0, "tests")
from test_interpreted import AGENTS, JIT_DISABLED, sums
assert JIT_DISABLED
print(json.dumps({agent: [sums(agent, driver) for driver in ("auto", "batched")] for agent in AGENTS}))
"""


def test_every_agent_plays_the_same_interpreted() -> None:
    played = json.loads(interpreted("-", stdin=PLAY))
    assert played.keys() == {*AGENTS}
    for agent, (auto, batched) in played.items():
        assert auto == batched == sums(agent, "auto"), agent


def large_match() -> list[list[int]]:
    """Bids and points of a match of large Wizard hands: what these bids may score no int8 holds."""
    agents = ["monte-carlo-1:worlds=1,careful=4,heed=2", "greedy", "random+count-winners"]
    match = play_match(agents, read_rules("wizard", hand_sizes=(14, 20)), seed=3)
    return [match.rounds[column].tolist() for column in ("bid", "points")]


LARGE = """
import json, sys
sys.path.insert(0, "tests")
from test_interpreted import large_match
print(json.dumps(large_match()))
"""


def test_large_hands_play_the_same_interpreted() -> None:
    played = large_match()
    assert WIZARD_HIT + WIZARD_STEP * max(played[0]) > 127
    assert json.loads(interpreted("-", stdin=LARGE)) == played
