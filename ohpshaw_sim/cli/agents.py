"""`ohpshaw agents`: list the built-in agents, or check any agent."""

import os
import subprocess
import sys
from typing import Annotated, Final

import typer

app = typer.Typer(help="List the built-in agents; `ohpshaw agents check AGENT` tests any agent.")
_CHECK: Final = "import sys; from ohpshaw_sim.engine.conformance import main; sys.exit(main(sys.argv[1:]))"


@app.callback(invoke_without_command=True)
def agents(context: typer.Context) -> None:
    """List the built-in agents with their parameters, one line each."""
    if context.invoked_subcommand is None:
        _list()


@app.command()
def check(
    agent: Annotated[
        str, typer.Argument(help="A name, package.module:attr or path/to/file.py.", show_default=False)
    ],
) -> None:
    """Test whether an agent may sit at a table, in a process of its own with bounds checking on.

    Example:

      ohpshaw agents check my_bot.py
    """
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1"}
    done = subprocess.run([sys.executable, "-c", _CHECK, agent], env=environment, check=False)
    raise typer.Exit(done.returncode)


def _list() -> None:
    pass
