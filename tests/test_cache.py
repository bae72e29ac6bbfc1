"""The disk cache never serves stale code, and a second process compiles nothing."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ohpshaw_agents
import ohpshaw_sim
from ohpshaw_sim.kernels._jit import JIT_DISABLED

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")

PACKAGES = [Path(module.__file__ or "").parent for module in (ohpshaw_sim, ohpshaw_agents)]

COUNT_COMPILATIONS = """
import gc
from numba.core.registry import CPUDispatcher

def compilations():
    '''Versions compiled and versions read from the cache, over all functions of this process.'''
    stats = [one.stats for one in gc.get_objects() if type(one) is CPUDispatcher and "ohpshaw" in one.__module__]
    return [sum(sum(getattr(each, kind).values()) for each in stats) for kind in ("cache_misses", "cache_hits")]
"""


class Copy:
    """A copy of the packages that may be edited, with the cache beside its sources."""

    def __init__(self, folder: Path, *, with_cache: bool = False) -> None:
        self.folder = folder
        ignore = None if with_cache else shutil.ignore_patterns("__pycache__")
        for package in PACKAGES:
            shutil.copytree(package, folder / package.name, ignore=ignore)

    def run(self, code: str) -> Any:
        """Run code in a process of its own, and return what it calls `answer`, with what it compiled and read."""
        code = f"{COUNT_COMPILATIONS}\n{code}\nimport json\nprint(json.dumps([answer, *compilations()]))\n"
        environment = {**os.environ, "PYTHONPATH": str(self.folder)}
        environment.pop("NUMBA_CACHE_DIR", None)
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def edit(self, file: str, old: str, new: str) -> Callable[[], object]:
        """Replace some text of a file; return what puts it back."""
        path = self.folder / file
        text = path.read_text()
        assert text.count(old) == 1, f"{file} has changed: mend this test"
        path.write_text(text.replace(old, new))
        return lambda: path.write_text(text)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    return Copy(tmp_path_factory.mktemp("copy"))


def assert_noticed(copy: Copy, code: str, edits: list[tuple[str, str, str]], before: Any, after: Any) -> None:
    """Each edit in another file is noticed at once, and so is its being taken back."""
    assert copy.run(code)[0] == before
    for edit in edits:
        put_back = copy.edit(*edit)
        answer, compiled, _ = copy.run(code)
        assert answer == after
        assert compiled > 0
        put_back()
        assert copy.run(code)[0] == before


ROUND_SCORE = """
from ohpshaw_sim.kernels.scoring import round_score
answer = int(round_score(0, 0, 5, 2, 2))
"""


def test_an_edit_of_a_constant_in_another_file_is_noticed(copy: Copy) -> None:
    """`round_score` stands in kernels/scoring.py and freezes a number of rules.py."""
    edits = [("ohpshaw_sim/rules.py", "HIT_BONUS: Final = 10", "HIT_BONUS: Final = 20")]
    assert_noticed(copy, ROUND_SCORE, edits, 12, 22)


BEATS = """
import numpy as np
from ohpshaw_sim.kernels.tricks import legal_cards
answer = int(legal_cards(np.uint64(0b1100 << 16 | 0b100), 0, -1, False))
"""


def test_an_edit_of_a_kernel_that_is_inlined_is_noticed(copy: Copy) -> None:
    """`legal_cards` stands in kernels/tricks.py, calls `lane` of kernels/bits.py."""
    edits = [
        (
            "ohpshaw_sim/kernels/bits.py",
            "return (LANE << (SIXTEEN * U(suit & 3)))",
            "return (LANE << (SIXTEEN * U(1)))",
        )
    ]
    assert_noticed(copy, BEATS, edits, 0b100, 0b1100 << 16)


AGENT = """
import numpy as np
from ohpshaw_sim.interface.agent import compile_decision
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.interface.view import blank_views

view = blank_views(1)[0]
view.legal, view.rnd = 0b1011, 2**63
agent = resolve(SPEC).bidder
decide = compile_decision(agent.bid, "it")
answer = int(decide(view, agent.params_array))
"""


def test_an_edit_of_a_kernel_is_noticed_by_a_built_in_agent(copy: Copy) -> None:
    """`random` stands in another package and inlines kernels/bits.py and kernels/rng.py."""
    edits = [("ohpshaw_sim/kernels/rng.py", "return times(word, n)[0]", "return times(word, n)[0] + 1")]
    assert_noticed(copy, AGENT.replace("SPEC", "'random'"), edits, 1, 3)


USER_AGENT = """
from ohpshaw_sim.interface.agent import CompiledAgent
from helper_of_a_bot import wish
from ohpshaw_sim.kernels.scoring import round_score


def bid(view, params):
    return wish(view) + round_score(0, 0, 5, 0, 0)


def make_agent():
    return CompiledAgent(bid, bid)
"""
HELPER = """
from ohpshaw_sim.kernels._jit import jit


@jit
def wish(view):
    return 1
"""


def test_an_edit_of_a_helper_or_a_kernel_is_noticed_by_a_users_agent(copy: Copy) -> None:
    folder = copy.folder / "mine"
    folder.mkdir()
    (folder / "bot.py").write_text(USER_AGENT)
    (folder / "helper_of_a_bot.py").write_text(HELPER)
    code = f"import sys; sys.path.append('mine')\n{AGENT.replace('SPEC', repr('mine/bot.py'))}"
    edits = [
        ("mine/helper_of_a_bot.py", "return 1", "return 11"),
        ("ohpshaw_sim/rules.py", "HIT_BONUS: Final = 10", "HIT_BONUS: Final = 20"),
    ]
    assert_noticed(copy, code, edits, 11, 21)
    assert list((folder / "__pycache__").glob("bot.bid-*.nbc"))


PLAY = """
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.rules import Rules

game = Game(Rules(), 3, (1, 2), (resolve("random"), resolve("mine/bot.py"), resolve("random")), (0, 1, 2))
answer = play_sets(game, 1, 0, 3).totals[:, 1].tolist()
"""
PLAIN_AGENT = """
from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.kernels.bits import lowest_bit


def decide(view, params):
    return lowest_bit(view.legal)


def make_agent():
    return CompiledAgent(decide, decide)
"""


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    """The whole engine, a built-in agent and one in a file: the second run reads everything from the cache."""
    copy = Copy(tmp_path, with_cache=True)  # most of it is compiled already
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "bot.py").write_text(PLAIN_AGENT)
    first, compiled, _ = copy.run(PLAY)
    assert compiled > 0
    second, compiled, read = copy.run(PLAY)
    assert second == first
    assert compiled == 0
    assert read > 2
