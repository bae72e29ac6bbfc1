"""Agents as users write them, good and bad, for tests to put into files."""

from pathlib import Path
from typing import Final

_HEAD: Final = '''"""An agent of the tests."""
import os
import signal
import sys
import time


class Agent:
    asked = 0

    def bid(self, view):
        return self.answer(view)

    def play(self, view):
        return self.answer(view)

    def answer(self, view):
        self.asked += 1
        if self.asked > 100:
            {deed}
        return (view.legal & -view.legal).bit_length() - 1


def make_agent():
    return Agent()
'''

DEEDS: Final = {
    "lowest": "pass",
    "raises": "raise ValueError('no idea')",
    "illegal": "return 77",
    "floats": "return 1.0",
    "hangs": "time.sleep(1000)",
    "aborts": "os.abort()",
    "leaves": "os._exit(4)",
    "quits": "sys.exit(4)",
}
"""What an agent does at its hundredth decision or so, by the name of the agent."""

COMPILED: Final = '''"""It bids 0 and plays its lowest card, or loops for ever."""
from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.kernels.bits import lowest_bit


def bid(view, params):
    return 0


def play(view, params):
    if params[0] > 0 and view.hand_size > 2:
        while view.legal != 0:
            pass
    return lowest_bit(view.legal)


def make_agent(loops: float = 0):
    return CompiledAgent(bid, play, (loops,))
'''


def write_agent(folder: Path, name: str) -> Path:
    """Write the agent of a deed (or `compiled`) as `NAME.py` into a folder and return its path."""
    path = folder / f"{name}.py"
    path.write_text(COMPILED if name == "compiled" else _HEAD.replace("{deed}", DEEDS[name]))
    return path
