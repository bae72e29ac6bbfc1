"""The marks that most charts are made of: rows of dots, lines over hand sizes, both with intervals."""

from typing import Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, PercentFormatter, StrMethodFormatter
from numpy.typing import NDArray

from ohpshaw_sim.analysis.names import break_name
from ohpshaw_sim.charts.style import Look, Looks

NAME_WIDTH = 26


def draw_rows(frame: pd.DataFrame, ax: Axes, value: str, looks: Looks, label: str) -> None:
    """Draw one row per entrant, the first on top: a dot at `value`, its interval, the figure above it.

    `label` formats the figure, as in "{:.2f}". A value without an interval is an open dot.
    """
    for row, record in enumerate(frame.to_dict("records")):
        look, x = looks[record["agent"]], record[value]
        low, high = record[f"{value}_low"], record[f"{value}_high"]
        ax.plot([low, high], [row, row], "|-", color=look.colour, linewidth=1.6, markersize=9)
        face = "white" if np.isnan(low) else look.colour
        ax.plot([x], [row], look.marker, color=look.colour, markerfacecolor=face, markersize=5.5)
        figure = label.format(x).replace("-", "\N{MINUS SIGN}")
        text = ax.annotate(figure, (x, row), (0, 6), textcoords="offset points", ha="center", size=8)
        text.set_path_effects([withStroke(linewidth=2.5, foreground="white")])
    ax.set_yticks(range(len(frame)), [break_name(agent, NAME_WIDTH) for agent in frame["agent"]])
    ax.set_ylim(len(frame) - 0.5, -0.7)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    ax.margins(x=0.08)


def draw_by_hand_size(frame: pd.DataFrame, ax: Axes, value: str, looks: Looks) -> None:
    """Draw one line per entrant over hand sizes, its interval as a band; a single hand size gives bars."""
    sizes = sorted(frame["hand_size"].unique())
    agents = list(dict.fromkeys(frame["agent"]))
    for index, agent in enumerate(agents):
        rows = frame[frame["agent"] == agent].sort_values("hand_size")
        shift = (index - (len(agents) - 1) / 2) * 0.6 / len(agents) if len(sizes) == 1 else 0.0
        draw_line(rows, ax, value, looks[agent], shift=shift)
    hand_size_axis(ax, sizes)


def draw_line(
    rows: pd.DataFrame, ax: Axes, value: str, look: Look, *, filled: bool = True, shift: float = 0.0
) -> None:
    """Draw one entrant's `value` by hand size: markers, a line, the interval as a band (bar for one size)."""
    x, y = rows["hand_size"].to_numpy(float) + shift, rows[value].to_numpy(float)
    low, high = rows[f"{value}_low"].to_numpy(float), rows[f"{value}_high"].to_numpy(float)
    face = look.colour if filled else "white"
    if len(x) == 1:
        ax.vlines(x, low, high, color=look.colour, linewidth=2.2, alpha=0.55)
    else:
        ax.fill_between(x, low, high, color=look.colour, alpha=0.14, linewidth=0)
    ax.plot(
        x,
        y,
        linestyle=look.dash,
        marker=look.marker,
        color=look.colour,
        markerfacecolor=face,
        linewidth=1.4,
        markersize=4.5,
    )


_WIDE_ENOUGH: Final = 2
"""Panels side by side that have room for a number at every hand size."""


def hand_size_axis(ax: Axes, sizes: list[int]) -> None:
    """Label the x axis with whole hand sizes."""
    ax.set_xlabel("hand size (cards per player)")
    spec = ax.get_subplotspec()
    narrow = spec is not None and spec.get_gridspec().ncols > _WIDE_ENOUGH
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1, nbins=7 if narrow else 15))
    ax.set_xlim(min(sizes) - 0.5, max(sizes) + 0.5)
    if len(sizes) == 1:
        ax.set_xticks(sizes)


def points_axis(ax: Axes) -> None:
    """Show 0 points too. Limits stay automatic: panels that share this axis may hold more points."""
    ax.update_datalim([(ax.dataLim.x0, 0)])
    ax.autoscale_view(scalex=False)
    ax.yaxis.set_major_locator(MaxNLocator(7, steps=[1, 2, 5, 10]))


def percent_axis(ax: Axes, axis: str = "y") -> None:
    """Show shares as whole per cents, from 0 to 100 on a y axis."""
    formatter = PercentFormatter(1.0, decimals=0)
    if axis == "y":
        ax.yaxis.set_major_formatter(formatter)
        ax.set_ylim(-0.03, 1.03)
    else:
        ax.xaxis.set_major_formatter(formatter)


def sets_axis(ax: Axes, sets: NDArray[np.float64]) -> None:
    """Make the x axis logarithmic over these numbers of sets, labelled with plain whole numbers, also where it spans
    less than a power of ten."""
    fewest, most = sets.min(), sets.max()
    ax.set_xscale("log")
    ax.set_xlim(fewest / 1.1, most * 1.1)
    if most >= 50 * fewest:
        ax.xaxis.set_major_locator(LogLocator(10, numticks=9))
    else:
        ax.xaxis.set_major_locator(MaxNLocator(5, integer=True, steps=[1, 2, 4, 5, 10], min_n_ticks=2))
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    ax.xaxis.set_minor_formatter(NullFormatter())
