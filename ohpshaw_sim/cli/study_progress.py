"""Progress of a study on stderr: a live bar on a terminal, else a line now and then."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

import contextlib
import sys
import time
from collections.abc import Iterator

from ohpshaw_sim.cli.progress import FIRST_LINE, LINES_EVERY, clock
from ohpshaw_sim.studies.telling import Step, Told, nobody


@contextlib.contextmanager
def study_reporting(*, enabled: bool) -> Iterator[Told]:
    """Give a listener that reports the steps of a study on stderr meanwhile."""
    if not enabled:
        yield nobody
    elif sys.stderr.isatty():
        with _live_bar() as listener:
            yield listener
    else:
        yield StepLines()


class StepLines:
    """A listener that writes a line at the first step after two seconds, and at one in ten seconds from then on."""

    def __init__(self) -> None:
        self._due = time.monotonic() + FIRST_LINE
        self._describe = Pacer()

    def __call__(self, step: Step) -> None:
        """Write a line if one is due."""
        now = time.monotonic()
        line = self._describe(step, now)
        if now >= self._due:
            self._due = now + LINES_EVERY
            sys.stderr.write(line + "\n")
            sys.stderr.flush()


class Pacer:
    """Describes steps in a line, at the pace since the first one that told of work done.

    What came before that was compiling, or was read from disk; each unit of work has a pace of its own.

    >>> describe = Pacer()
    >>> describe(Step("greedy, 4 players", 0, 12), 10.0)
    '0/12 sets, 0s: greedy, 4 players'
    >>> describe(Step("greedy, 4 players", 2, 12), 40.0)
    '2/12 sets, 30s: greedy, 4 players'
    >>> describe(Step("greedy, 4 players", 4, 12), 100.0)
    '4/12 sets, 2.0 a minute, 1m30s, about 4m00s left: greedy, 4 players'
    """

    def __init__(self) -> None:
        self._unit, self._begun = "", 0.0
        self._first: tuple[int, float] | None = None

    def __call__(self, step: Step, now: float) -> str:
        """Describe a step that was told at a time, in seconds."""
        if step.unit != self._unit:
            self._unit, self._begun, self._first = step.unit, now, None
        if self._first is None and step.done:
            self._first = step.done, now
        pace = left = ""
        if self._first is not None and step.done > self._first[0] and now > self._first[1]:
            speed = (step.done - self._first[0]) / (now - self._first[1])
            pace = f", {speed * 60:.1f} a minute"
            left = f", about {clock((step.all - step.done) / speed)} left"
        return f"{step.done}/{step.all} {step.unit}{pace}, {clock(now - self._begun)}{left}: {step.what}"


@contextlib.contextmanager
def _live_bar() -> Iterator[Told]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

    columns = (SpinnerColumn(), BarColumn(bar_width=24), TextColumn("{task.description}"))
    describe = Pacer()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("getting ready", total=None)

        def show(step: Step) -> None:
            bar.update(
                task, completed=step.done, total=step.all, description=describe(step, time.monotonic())
            )

        yield show
