"""`ohpshaw agents`: list the built-in agents, or check any agent."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

import json
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import IO, Annotated, Any, Final

import typer

from ohpshaw_sim.cli.entries import entry

app = typer.Typer(help="List the built-in agents; `ohpshaw agents check AGENT` tests any agent.")

_CHECK: Final = ("-m", "ohpshaw_sim.engine.conformance")
_UNKNOWN, _FAULTY = 2, 3


@app.callback(invoke_without_command=True)
def agents(context: typer.Context) -> None:
    """List the built-in agents, what each does and its parameters with their defaults."""
    if context.invoked_subcommand is not None:
        return
    from ohpshaw_sim.interface.discovery import builtin_agents, parameters_of

    known = builtin_agents()
    margin = max(len(name) for name in known) + 2
    for name, module in known.items():
        given = ", ".join(f"{key}={value}" for key, value in parameters_of(module.make_agent).items())
        sys.stdout.write(entry(name, margin, _first_sentence(module.__doc__, name)))
        sys.stdout.write(entry("", margin, given or "no parameters"))


@app.command()
def check(
    agent: Annotated[
        str, typer.Argument(help="A name, package.module:attr or path/to/file.py.", show_default=False)
    ],
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", help="Time for one check before the agent counts as hung.")
    ] = 120.0,
) -> None:
    """Test whether an agent may sit at a table, in a process of its own, and time its decisions.

    Exit code 0 if it may, 2 if it cannot be found or made, 3 if it failed a check.

    Example:

      ohpshaw agents check my_bot.py
    """
    command = [sys.executable, *_CHECK, agent]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as process:
        last = None
        for finding in _findings(process, timeout):
            last = finding
            mark = "ok    " if finding["passed"] else "FAILED"
            sys.stdout.write(entry(f"{mark} {finding['check']}", 30, finding["seen"]))
            sys.stdout.flush()
        code = process.poll()
        process.kill()
    if last is not None and not last["passed"]:
        raise typer.Exit(_UNKNOWN if last["check"] == "found and made" else _FAULTY)
    if code != 0:
        place = f"in the check after {last['check']!r}" if last else "while it was being made"
        sys.stdout.write(entry("FAILED", 30, f"{_how_it_ended(code, timeout)} {place}"))
        raise typer.Exit(_FAULTY)


def _findings(process: "subprocess.Popen[str]", timeout: float) -> Iterator[dict[str, Any]]:
    """Yield findings as the process prints them, to its end or until none has come for the timeout."""
    lines: queue.Queue[str | None] = queue.Queue()
    assert process.stdout is not None
    threading.Thread(target=_read, args=(process.stdout, lines), daemon=True).start()
    while True:
        try:
            line = lines.get(timeout=timeout)
        except queue.Empty:
            return
        if line is None:
            process.wait()
            return
        try:
            finding = json.loads(line)
        except ValueError:  # something the agent printed
            continue
        if isinstance(finding, dict) and {"check", "passed", "seen"} <= set(finding):
            yield finding


def _read(stream: IO[str], lines: "queue.Queue[str | None]") -> None:
    for line in stream:
        lines.put(line)
    lines.put(None)


def _how_it_ended(code: int | None, timeout: float) -> str:
    if code is None:
        return f"nothing came back for {timeout:g} s"
    if code < 0:
        return f"the process crashed (signal {signal.Signals(-code).name})"
    return f"the process ended by itself (exit code {code})"


def _first_sentence(text: str | None, name: str) -> str:
    """Return what an agent's module says of it on its first line, its name left out."""
    line = (text or "").strip().partition("\n")[0]
    return line.removeprefix(f"`{name}`").removeprefix(":").strip().rstrip(".")
