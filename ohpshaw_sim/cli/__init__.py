"""The `ohpshaw` command. Its modules import late, so that help and mistakes are answered at once."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

import sys


def main() -> None:
    """Run the command line and exit with its code; `ohpshaw --help` explains the codes."""
    from ohpshaw_sim.cli.app import run

    sys.exit(run())
