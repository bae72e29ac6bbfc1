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
        self._begun = time.monotonic()
        self._due = self._begun + FIRST_LINE
        self._unit = ""

    def __call__(self, step: Step) -> None:
        """Write a line if one is due."""
        now = time.monotonic()
        if step.unit != self._unit:  # another kind of work, at a pace of its own
            self._unit, self._begun = step.unit, now
        if now >= self._due:
            self._due = now + LINES_EVERY
            sys.stderr.write(describe_step(step, now - self._begun) + "\n")
            sys.stderr.flush()


def describe_step(step: Step, seconds: float) -> str:
    """Say in a line how far a study has come after so many seconds.

    >>> describe_step(Step("greedy, 4 players", 3, 12), 90)
    '3/12 sets, 2.0 a minute, 1m30s, about 4m30s left: greedy, 4 players'
    """
    pace = f", {step.done / seconds * 60:.1f} a minute" if step.done and seconds > 0 else ""
    left = f", about {clock(seconds / step.done * (step.all - step.done))} left" if step.done else ""
    return f"{step.done}/{step.all} {step.unit}{pace}, {clock(seconds)}{left}: {step.what}"


@contextlib.contextmanager
def _live_bar() -> Iterator[Told]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

    columns = (SpinnerColumn(), BarColumn(bar_width=24), TextColumn("{task.description}"))
    begun: dict[str, float] = {}
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("getting ready", total=None)

        def show(step: Step) -> None:
            now = time.monotonic()
            text = describe_step(step, now - begun.setdefault(step.unit, now))
            bar.update(task, completed=step.done, total=step.all, description=text)

        yield show
