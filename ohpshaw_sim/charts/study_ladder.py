"""Picture of the study `ladder`: strength against time per decision."""

from collections.abc import Callable
from math import ceil, floor, log10
from textwrap import wrap

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from ohpshaw_sim.analysis.names import break_name
from ohpshaw_sim.charts.marks import percent_axis
from ohpshaw_sim.charts.paper import blank_figure, footnote
from ohpshaw_sim.charts.style import GREY, Looks, looks_of

_NAME = 26
_LEGEND, _LETTERS = 2.0, 10.2
"""Inches beside the title that names may take; letters of a title to an inch."""
_ROOM = 1.3
"""Times from the ends of the axis."""


def ladder_figure(ladder: pd.DataFrame, times: pd.DataFrame, field: str) -> Figure:
    """Draw the `ladder` table of one field against the `times` table, one panel per number of players."""
    frame = ladder[ladder["field"] == field].merge(times, on=["agent", "players"])
    counts = list(dict.fromkeys(frame["players"]))
    columns = min(len(counts), 2)
    rows = ceil(len(counts) / columns)
    width = 3.4 + 2.9 * columns
    title = wrap(
        f"Strength against time per decision, in a field of {field}", int((width - _LEGEND) * _LETTERS)
    )
    figure = blank_figure(width, 1.1 + 2.7 * rows, "\n".join(title))
    axes = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
    looks = looks_of(frame["agent"].tolist())
    for ax, players in zip(axes.flat, counts, strict=False):
        _draw(frame[frame["players"] == players], ax, looks)
    paces = frame["us_per_decision"]
    axes[0, 0].set_xlim(_decade(paces.min() / _ROOM, floor), _decade(paces.max() * _ROOM, ceil))
    axes[0, 0].set_ylim(0, min(1.0, 1.1 * float(frame["win_share_high"].max())))
    for ax in axes.flat[len(counts) :]:
        ax.set_visible(False)
    for ax in axes[:, 0]:
        ax.set_ylabel("matches won")
    for ax in axes[-1]:
        ax.set_xlabel("time per decision")
    handles = [
        Line2D([], [], color=look.colour, marker=look.marker, linestyle="", label=break_name(agent, _NAME))
        for agent, look in looks.items()
    ]
    figure.legend(handles=handles, loc="outside right upper")
    footnote(
        figure,
        f"One seat against others that are all {field}. Bars: 95% intervals over {int(frame['sets'].min())} sets or "
        "more. Dashed: fair share. Processor time on one core, decisions with a single legal answer included.",
    )
    return figure


def _draw(frame: pd.DataFrame, ax: Axes, looks: Looks) -> None:
    players = int(frame["players"].iloc[0])
    ax.axhline(1 / players, color=GREY, linestyle=(0, (4, 3)), linewidth=1)
    for row in frame.to_dict("records"):
        look, time = looks[row["agent"]], row["us_per_decision"]
        ax.vlines(
            time, row["win_share_low"], row["win_share_high"], color=look.colour, linewidth=2.2, alpha=0.55
        )
        ax.plot([time], [row["win_share"]], look.marker, color=look.colour, markersize=6)
    ax.set_xscale("log")
    ax.xaxis.set_major_locator(LogLocator(10, numticks=12))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda microseconds, _: clock(microseconds)))
    ax.xaxis.set_minor_formatter(NullFormatter())
    percent_axis(ax)
    ax.set_title(f"{players} players")


def _decade(microseconds: float, rounded: Callable[[float], int]) -> float:
    """Return the power of ten below or above a time, so that marks with labels are in sight."""
    return 10.0 ** rounded(log10(microseconds))


def clock(microseconds: float) -> str:
    """Return a time in three digits.

    >>> clock(0.0412), clock(0.52), clock(3141.59), clock(2_500_000)
    ('41.2 ns', '520 ns', '3.14 ms', '2.5 s')
    """
    for limit, unit_size, unit in ((1, 1e-3, "ns"), (1e3, 1, "µs"), (1e6, 1e3, "ms")):
        if microseconds < limit * 0.9999:
            return f"{microseconds / unit_size:.3g} {unit}"
    return f"{microseconds / 1e6:.3g} s"
