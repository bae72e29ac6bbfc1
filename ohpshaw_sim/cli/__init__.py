"""The `ohpshaw` command. Its modules import late, so that help and mistakes are answered at once."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

import signal
import sys
from types import FrameType


def main() -> None:
    """Run the command line and exit with its code; `ohpshaw --help` explains the codes."""
    signal.signal(signal.SIGTERM, _end)
    from ohpshaw_sim.cli.app import run

    sys.exit(run())


def _end(_signal: int, _frame: FrameType | None) -> None:
    """Take a polite request to end for a Ctrl-C, also while nothing is played yet."""
    raise KeyboardInterrupt
