"""Hostile agents as users write them, for worker processes: they fail at decisions that are known beforehand."""

from pathlib import Path
from typing import Final

PYTHON: Final = '''"""Bids and plays the lowest that is legal, but for one decision in so many."""
import os
import signal
import sys
import time
from pathlib import Path

import numpy as np


class Agent:
    def __init__(self, deed, one_in, flag):
        self.deed, self.one_in, self.flag = deed, one_in, flag
        self.hoard = []

    def matches_begin(self, count):
        if self.deed == "unready" and count < 9 and not Path(self.flag).exists():
            os._exit(5)

    def bid(self, view):
        if view.rnd % self.one_in == 7 and not (self.flag and Path(self.flag).exists()):
            return getattr(self, self.deed)(view)
        return self.lowest(view)

    play = name_trump = bid

    def lowest(self, view):
        return (view.legal & -view.legal).bit_length() - 1

    unready = lowest

    def raises(self, view):
        raise ValueError("no idea")

    def illegal(self, view):
        return 77

    def hangs(self, view):
        while True:
            pass

    def deaf(self, view):
        while True:
            try:
                time.sleep(100)
            except BaseException:
                pass

    def quits(self, view):
        sys.exit(4)

    def leaves(self, view):
        os._exit(4)

    def killed(self, view):
        os.kill(os.getpid(), signal.SIGKILL)

    def hoards(self, view):
        while True:
            self.hoard.append(np.zeros(10**8, np.uint8))


def make_agent(deed: str = "raises", one_in: int = 47, flag: str = ""):
    return Agent(deed, one_in, flag)
'''

LOOPING: Final = '''"""The same, compiled: loops for ever, or raises."""
from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.kernels.bits import U, lowest_bit


def decide(view, params):
    if view.rnd % U(params[0]) == U(7):
        if params[1] > 0:
            raise ValueError("no idea")
        while view.legal != U(0):
            pass
    return lowest_bit(view.legal)


def make_agent(one_in: int = 47, raises: bool = False):
    return CompiledAgent(decide, decide, (one_in, raises), decide)
'''


def write_hostile(folder: Path) -> tuple[str, str]:
    """Write both files into a folder; return their names, that of the compiled agent last."""
    (folder / "hostile_bot.py").write_text(PYTHON)
    (folder / "looping_bot.py").write_text(LOOPING)
    return "hostile_bot.py", "looping_bot.py"
