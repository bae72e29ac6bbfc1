"""Pictures of the study `rules`: what a bidding position is worth, and how sets of rules differ."""

from math import ceil

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ohpshaw_sim.analysis.names import break_name
from ohpshaw_sim.charts.marks import draw_rows, percent_axis
from ohpshaw_sim.charts.paper import blank_figure, footnote
from ohpshaw_sim.charts.style import GREY, Look, looks_of

_COLUMNS = 3
_NAME = 26


def positions_figure(frame: pd.DataFrame, note: str) -> Figure:
    """Draw the `positions` table: points beyond the mean of all positions, one panel per number of players."""
    named = _named(frame)
    counts, many = list(dict.fromkeys(named["players"])), named["name"].nunique() > 1
    columns = min(len(counts), _COLUMNS)
    rows = ceil(len(counts) / columns)
    figure = blank_figure(
        max(5.6, 1.6 + 2.6 * columns) + (1.6 if many else 0), 0.9 + 2.7 * rows, "What the seat is worth"
    )
    axes = figure.subplots(rows, columns, squeeze=False, sharey=True)
    looks = looks_of(named["name"].tolist())
    for ax, players in zip(axes.flat, counts, strict=False):
        _draw_positions(named[named["players"] == players], ax, looks)
        ax.set_title(f"{players} players")
    for ax in axes.flat[len(counts) :]:
        ax.set_visible(False)
    for ax in axes[:, 0]:
        ax.set_ylabel("points per round beyond the mean")
    if many:
        handles = [
            Line2D(
                [],
                [],
                color=look.colour,
                marker=look.marker,
                linestyle=look.dash,
                label=break_name(name, _NAME),
            )
            for name, look in looks.items()
        ]
        figure.legend(handles=handles, loc="outside right upper")
    footnote(figure, note)
    return figure


def _draw_positions(frame: pd.DataFrame, ax: Axes, looks: dict[str, Look]) -> None:
    players = int(frame["players"].iloc[0])
    names = list(dict.fromkeys(frame["name"]))
    for index, name in enumerate(names):
        rows, look = frame[frame["name"] == name], looks[name]
        x = rows["position"].to_numpy(float) + (index - (len(names) - 1) / 2) * 0.5 / len(names)
        ax.vlines(x, rows["effect_low"], rows["effect_high"], color=look.colour, linewidth=2.2, alpha=0.55)
        ax.plot(x, rows["effect"], look.marker, color=look.colour, markersize=5)
    ax.axhline(0, color=GREY, linewidth=1)
    ax.set_xticks(range(players), ["eldest", *map(str, range(2, players)), "dealer"])
    ax.set_xlabel("bidding position")
    ax.grid(axis="x", visible=False)


def variants_figure(frame: pd.DataFrame, note: str) -> Figure:
    """Draw the `variants` table: bids hit and zero bids, one row per set of rules, agent and number of players."""
    named = _named(frame)
    many = named["players"].nunique() > 1
    named["agent"] = named["name"] + (", " + named["players"].astype(str) + " players" if many else "")
    lines = sum(break_name(name, _NAME).count("\n") + 1.3 for name in named["agent"])
    figure = blank_figure(8.6, 1.5 + 0.32 * lines, "The same agents under different rules")
    axes = figure.subplots(1, 2, sharey=True)
    looks = looks_of(named["agent"].tolist())
    for ax, column, title in zip(
        axes, ("hit_rate", "zero_bid_share"), ("Bids hit exactly", "Bids of zero"), strict=True
    ):
        draw_rows(named, ax, column, looks, "{:.1%}")
        percent_axis(ax, "x")
        ax.set_title(title)
        ax.set_xlabel("share of bids")
    axes[1].tick_params(axis="y", labelleft=False)
    footnote(figure, note)
    return figure


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    """Name each row by its rules, its agent or both, whichever differ."""
    parts = [frame[column] for column in ("rules", "agent") if frame[column].nunique() > 1]
    name = parts[0] + ", " + parts[1] if len(parts) > 1 else parts[0] if parts else frame["agent"]
    return frame.assign(name=name)
