"""Progress on stderr: a live bar on a terminal, else a line now and then."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

import contextlib
import sys
import time
from collections.abc import Iterator
from typing import Final

from ohpshaw_sim.tournament.progress import Listener, Progress
from ohpshaw_sim.tournament.spec import Spec

FIRST_LINE: Final = 2.0
"""Seconds until the first plain line."""
LINES_EVERY: Final = 10.0


@contextlib.contextmanager
def reporting(spec: Spec, *, enabled: bool) -> Iterator[Listener]:
    """Give a listener that reports progress on stderr meanwhile: the seed first, then how far play is."""
    sys.stderr.write(f"seed {spec.seed}\n")
    sys.stderr.flush()
    if not enabled:
        yield lambda _: None
    elif sys.stderr.isatty():
        with _live_bar(spec) as listener:
            yield listener
    else:
        yield Lines()


class Lines:
    """A listener that writes a plain line after two seconds and every ten from then on."""

    def __init__(self) -> None:
        self._due = time.monotonic() + FIRST_LINE
        self._asked = False

    def __call__(self, progress: Progress) -> None:
        """Write a line if one is due, or if the run was just asked to stop."""
        asked = progress.interrupted and not self._asked
        if time.monotonic() >= self._due or asked:
            self._due = time.monotonic() + LINES_EVERY
            self._asked = progress.interrupted
            sys.stderr.write(describe(progress) + "\n")
            sys.stderr.flush()


def describe(progress: Progress) -> str:
    """Say in a line how far a run has come."""
    of_all = f"/{progress.sets}" if progress.sets is not None else ""
    speed = (
        f"{rate(progress)} rounds/s" if progress.rounds else "loading or compiling, first blocks under way"
    )
    pieces = [f"{progress.sets_done}{of_all} sets", speed, clock(progress.seconds)]
    if progress.seconds_left is not None:
        at_most = " at most" if progress.standing else ""
        pieces.append(f"{clock(max(progress.seconds_left, 0))} left{at_most}")
    if progress.standing:
        pieces.append(progress.standing)
    if progress.interrupted:
        pieces.append("finishing the blocks under way (Ctrl-C again: stop at once)")
    return ", ".join(pieces)


def rate(progress: Progress) -> str:
    """Return rounds per second in a few characters."""
    return in_short(progress.rounds / max(progress.seconds, 1e-9))


def in_short(value: float) -> str:
    """Return a number in a few characters: 950, 12k, 1.40M."""
    for limit, divisor, unit in ((1e4, 1, ""), (1e6, 1e3, "k")):
        if value < limit:
            return f"{value / divisor:.0f}{unit}"
    return f"{value / 1e6:.2f}M"


def clock(seconds: float) -> str:
    """Return a time as 12s, 3m05s or 2h07m."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{whole // 60}m{whole % 60:02d}s"
    return f"{whole // 3600}h{whole % 3600 // 60:02d}m"


@contextlib.contextmanager
def _live_bar(spec: Spec) -> Iterator[Listener]:
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (SpinnerColumn(), BarColumn(bar_width=24), TextColumn("{task.description}"))
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("getting ready", total=spec.sets)

        def show(progress: Progress) -> None:
            total = progress.sets
            done = float(progress.sets_done)
            if total is None and progress.seconds_left is not None:
                total, done = 100, 100 * progress.seconds / (progress.seconds + max(progress.seconds_left, 0))
            bar.update(task, completed=done, total=total, description=describe(progress))

        yield show
