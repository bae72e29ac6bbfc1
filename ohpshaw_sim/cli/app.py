"""The commands put together, and what becomes of errors."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

import sys
from typing import Annotated, Final

import typer

from ohpshaw_sim.cli import (
    agents,
    bench,
    bidding,
    compare,
    deal,
    diff,
    exploit,
    ladder,
    merge,
    planning,
    replay,
    report,
    resume,
    rules,
    running,
    score,
    solve,
    status,
    tournament,
    watch,
    zero_bids,
)
from ohpshaw_sim.errors import AgentError, ClusterError, FileError, OhPshawError

EXIT_CODES: Final = (
    "Exit codes: 0 done; 1 failed (files, system, cluster); 2 wrong request (options, names, rules, folder); "
    "3 an agent answered illegally, raised, crashed or hung; 4 a record breaks a rule; "
    "5 a comparison with --require-decision decided nothing; 130 interrupted (what was played is kept)."
)

app = typer.Typer(
    name="ohpshaw",
    help="Simulate the card game Oh Pshaw: tournaments between agents, with tables and plots.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(epilog=EXIT_CODES)(tournament.tournament)
app.command(epilog=EXIT_CODES)(compare.compare)
app.command(epilog=EXIT_CODES)(planning.plan)
app.command(epilog=EXIT_CODES)(resume.resume)
app.command(epilog=EXIT_CODES)(running.run)
app.command(epilog=EXIT_CODES)(ladder.ladder)
app.command(epilog=EXIT_CODES)(bidding.bidding)
app.command(epilog=EXIT_CODES)(zero_bids.zero_bids)
app.command()(status.status)
app.command(epilog=EXIT_CODES)(merge.merge)
app.command()(report.report)
app.command()(diff.diff)
app.command()(watch.watch)
app.command()(deal.deal)
app.add_typer(agents.app, name="agents")
app.add_typer(rules.app, name="rules")
app.command(epilog=EXIT_CODES)(score.score)
app.command()(bench.bench)
app.command(epilog=EXIT_CODES)(exploit.exploit)
app.command(epilog=EXIT_CODES)(replay.replay)
app.command(epilog=EXIT_CODES)(solve.solve)


def _show_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"ohpshaw {version('ohpshaw-sim')}")
        raise typer.Exit


@app.callback()
def _common(
    _: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


def run() -> int:
    """Run the command line; return its exit code. Errors raised on purpose become one line on stderr."""
    try:
        app()
    except OhPshawError as error:
        sys.stderr.write(f"ohpshaw: {error}\n")
        return _exit_code(error)
    except (
        OSError
    ) as error:  # a disk that is full, a folder that is gone: whatever no command has said better
        where = f"{error.filename}: " if error.filename else ""
        sys.stderr.write(f"ohpshaw: {where}{error.strerror or error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("ohpshaw: interrupted\n")
        return 130
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    return 0


def _exit_code(error: OhPshawError) -> int:
    from ohpshaw_sim.tournament.parts import FolderError

    if isinstance(error, ClusterError | FileError | FolderError):
        return 1
    if isinstance(error, AgentError):
        from ohpshaw_sim.engine.play import AgentFaultError
        from ohpshaw_sim.tournament.losses import AgentLostError

        return 3 if isinstance(error, AgentFaultError | AgentLostError) else 2
    return 2
