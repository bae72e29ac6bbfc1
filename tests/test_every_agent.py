"""Every agent that discovery finds keeps the contract: a new file in the agents' folder is tested without a list."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path

import pytest

import ohpshaw_agents
from ohpshaw_sim.engine import conformance
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.interface.discovery import builtin_agents, parameters_of, resolve
from ohpshaw_sim.kernels._jit import JIT_DISABLED
from ohpshaw_sim.rule_text import PRESETS, read_rules
from ohpshaw_sim.rules import Rules

AGENTS = [*builtin_agents()]
AGENTS_FOLDER = Path(ohpshaw_agents.__file__).parent
INSIDE_MONTE_CARLO = {"monte-carlo-1", "learned", "count-winners"}
"""Agents whose code `monte-carlo` runs, too."""

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="tests/test_interpreted.py plays them interpreted")


def with_worlds(name: str, worlds: int) -> str:
    """The name of an agent, if it searches with so many worlds instead of the hundreds that it plays well with."""
    return f"{name}:worlds={worlds}" if "worlds" in parameters_of(builtin_agents()[name].make_agent) else name


@pytest.mark.parametrize("name", AGENTS)
def test_it_conforms(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All checks but the one that compiles anew, which is `test_it_reads_within_bounds`."""
    monkeypatch.setattr(conformance, "SECONDS_TO_PLAY", 0.5)
    monkeypatch.setattr(conformance, "SECONDS_TO_TIME", 0.05)
    quick = [each for each in conformance._CHECKS if each[0] != "reads within bounds"]
    assert len(quick) == len(conformance._CHECKS) - 1
    monkeypatch.setattr(conformance, "_CHECKS", quick)
    found = conformance.check(with_worlds(name, 40))
    assert len(found) == len(quick) + 1
    assert [finding for finding in found if not finding.passed] == []
    assert not any("only the base game" in finding.seen for finding in found)


@pytest.fixture(scope="module")
def bounds_cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A cache of code with bounds checking, so that what agents have in common is compiled once for all of them."""
    return str(tmp_path_factory.mktemp("bounds"))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*AGENTS} - INSIDE_MONTE_CARLO))
def test_it_reads_within_bounds(name: str, bounds_cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "TemporaryDirectory", lambda: nullcontext(bounds_cache))
    few = with_worlds(name, 2) + (",check=1" if name == "monte-carlo" else "")  # answers are dropped, too
    assert "views with bounds checking on" in conformance._reads_within_bounds(resolve(few))


@pytest.mark.parametrize("name", AGENTS)
def test_it_says_what_it_is_and_every_parameter_has_a_default_that_can_be_written(name: str) -> None:
    module = builtin_agents()[name]
    assert (module.__doc__ or "").startswith(f"`{name}`: ")
    assert module.make_agent.__doc__
    for parameter, default in parameters_of(module.make_agent).items():
        assert isinstance(default, int | float | str), f"{parameter} needs a default"
        assert resolve(f"{name}:{parameter}={default}").name == f"{name}:{parameter}={default}"
        with pytest.raises(AgentError, match="has no parameter"):
            resolve(f"{name}:{parameter}s_s={default}")


@pytest.mark.parametrize("name", AGENTS)
def test_it_plays_any_pack_and_every_hand_size(name: str) -> None:
    """Small packs, where every card is dealt or hardly any is left, and the largest hands."""
    small = with_worlds(name, 40)
    for players, pack, sizes in ((3, "4x13", (17,)), (7, "4x7", (1, 4)), (4, "2x4", (2,)), (3, "1x3", (1,))):
        game = Game(Rules(pack=pack), players, sizes, (resolve(small),) * players, tuple(range(players)))
        assert play_sets(game, 3, 0, 1).sets == 1


@pytest.mark.parametrize("name", AGENTS)
def test_it_plays_every_variation(name: str) -> None:
    """All presets, and options mixed; hands up to a whole Wizard pack."""
    mixed = "wizard:must_trump=true,bidding=simultaneous,no_trump_final=true,zero_bid=hand-size"
    small = with_worlds(name, 8)
    for players, rules in (
        (3, mixed),
        (4, "podrida:pack=4x10,scoring=penalty"),
        *enumerate(PRESETS, start=1),
    ):
        seats = 3 + players % 5
        played = read_rules(rules)
        sizes = (1, 4, played.largest_hand(seats) if "wizard" in rules else 5)
        game = Game(played, seats, sizes, (resolve(small),) * seats, tuple(range(seats)))
        assert play_sets(game, 3, 0, 1).sets == 1


NEW_AGENT = '''"""`{name}`: bids 0 and plays its lowest card."""

from typing import Any

from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import lowest_bit


@jit
def choose(view: Any, params: Any) -> int:  # noqa: ARG001  # the signature every agent function has
    """Return the lowest legal answer."""
    return lowest_bit(view.legal)


def make_agent() -> CompiledAgent:
    """Make the agent; it has no parameters."""
    return CompiledAgent(bid=choose, play=choose)
'''


def run(folder: Path, *words: str, **environment: str) -> str:
    """Run Python with the agents of a folder before all others."""
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, *words],
        env={**os.environ, "PYTHONPATH": path, **environment},
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the agents' folder with one file more."""
    folder = tmp_path_factory.mktemp("agents")
    shutil.copytree(AGENTS_FOLDER, folder / AGENTS_FOLDER.name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / AGENTS_FOLDER.name / "new_comer.py").write_text(NEW_AGENT.format(name="new-comer"))
    return folder


def test_one_new_file_is_found_listed_and_tested(extended: Path) -> None:
    """Show 7: nothing but the file itself is needed, and this very module tests it."""
    code = "from ohpshaw_sim.interface.discovery import builtin_agents as b, resolve; print(*b(), resolve('new-comer'))"
    assert "new-comer" in run(extended, "-c", code)
    this = str(Path(__file__).relative_to(Path(__file__).parents[1]))
    done = run(
        extended, "-m", "pytest", "-p", "no:cacheprovider", this, "-k", "new-comer and not bounds", "-rA"
    )
    for test in ("it_conforms", "it_says_what_it_is", "it_plays_any_pack"):
        assert f"::test_{test}" in done
    assert len(re.findall(r"^PASSED .*\[new-comer\]$", done, re.MULTILINE)) == 4


def test_a_file_without_a_factory_or_with_an_underscore_is_no_agent(extended: Path) -> None:
    (extended / AGENTS_FOLDER.name / "_parts.py").write_text(NEW_AGENT.format(name="parts"))
    (extended / AGENTS_FOLDER.name / "idle.py").write_text('"""No agent."""\n')
    found = run(
        extended, "-c", "from ohpshaw_sim.interface.discovery import builtin_agents; print(*builtin_agents())"
    )
    assert set(found.split()) == {*AGENTS, "new-comer"}


def test_joined_halves_are_those_of_both_agents() -> None:
    """In each seat the bidder's bids and the player's play: a table of joined agents differs from both."""
    names = ["random", "greedy", "random+greedy", "greedy+random"]
    games = [Game(Rules(), 3, (3, 5), (resolve(name),) * 3, (0, 1, 2)) for name in names]
    rows = [play_sets(game, 1, 0, 3, log=True).rows for game in games]
    assert all((one != other).any() for index, one in enumerate(rows) for other in rows[:index])
    first = [
        table[table[:, 2] == 0][:, 7].tolist() for table in rows
    ]  # bids of first rounds hang on the cards alone
    assert first[0] == first[2]
    assert first[1] == first[3]
