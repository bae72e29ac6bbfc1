"""Pictures of the study `bidding`: points and hits by bidder, promises against what came, what misses cost."""

from typing import Final

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ohpshaw_sim.analysis.names import break_name
from ohpshaw_sim.charts.marks import draw_rows, percent_axis
from ohpshaw_sim.charts.paper import blank_figure, footnote
from ohpshaw_sim.charts.style import GREY, Looks

_NAME: Final = 26
_SIGNED: Final = {-3: "3 or more\nshort", 0: "hit", 3: "3 or more\ntoo many"}


def grid_figure(frame: pd.DataFrame, note: str, looks: Looks) -> Figure:
    """Draw the `grid` table of one number of players: points and hits by bidder, one row of panels per player."""
    playing = list(dict.fromkeys(frame["playing"]))
    bidders = frame["bidder"].nunique()
    figure = blank_figure(8.6, 1.0 + (0.7 + 0.42 * bidders) * len(playing), "Bidders in one seat")
    axes = figure.subplots(len(playing), 2, squeeze=False, sharex="col")
    for (left, right), player in zip(axes, playing, strict=True):
        rows = frame[frame["playing"] == player].rename(columns={"bidder": "agent"})
        draw_rows(rows, left, "points_per_round", looks, "{:.2f}")
        draw_rows(rows, right, "hit_rate", looks, "{:.1%}")
        left.set_title(f"Points per round, played by {player}")
        right.set_title(f"Bids hit, played by {player}")
        right.tick_params(axis="y", labelleft=False)
        percent_axis(right, "x")
    axes[-1][0].set_xlabel("points per round")
    axes[-1][1].set_xlabel("share of bids")
    footnote(figure, note)
    return figure


def calibration_figure(frame: pd.DataFrame, note: str, looks: Looks) -> Figure:
    """Draw the `calibration` table of one number of players: what came against what was promised."""
    figure, axes = _panels(frame, "Promised chances and what came of them", height=4.3)
    for ax, (player, rows) in zip(axes, frame.groupby("playing", sort=False), strict=True):
        ax.plot([0, 1], [0, 1], color=GREY, linestyle=(0, (4, 3)), linewidth=1)
        for bidder, mine in rows.groupby("bidder", sort=False):
            look = looks[str(bidder)]
            ax.vlines(
                mine["promised"], mine["hit_rate_low"], mine["hit_rate_high"], color=look.colour, alpha=0.4
            )
            ax.plot(
                mine["promised"], mine["hit_rate"], look.marker, linestyle=look.dash, color=look.colour,
                markersize=4.5, linewidth=1.2,
            )  # fmt: skip
        percent_axis(ax)
        percent_axis(ax, "x")
        ax.set_xlim(-0.03, 1.03)
        ax.set_title(f"played by {player}")
        ax.set_xlabel("chance that the bidder gave its bid")
    axes[0].set_ylabel("bids hit")
    _legend(figure, {name: looks[name] for name in dict.fromkeys(frame["bidder"])})
    footnote(figure, f"{note} Dashed: promises kept exactly. Tenths with few rounds are left out.")
    return figure


def errors_figure(frame: pd.DataFrame, note: str, looks: Looks) -> Figure:
    """Draw the `errors` table of one number of players: points lost a round by how far bids are missed."""
    figure, axes = _panels(frame, "What misses cost", height=4.0)
    for ax, (player, rows) in zip(axes, frame.groupby("playing", sort=False), strict=True):
        _draw_errors(rows, ax, looks)
        ax.set_title(f"played by {player}")
    axes[0].set_ylabel("points lost per round")
    _legend(figure, {name: looks[name] for name in dict.fromkeys(frame["bidder"])})
    footnote(
        figure,
        f"{note} Points that the bid would have scored if hit, less those scored, spread over all rounds.",
    )
    return figure


def _draw_errors(frame: pd.DataFrame, ax: Axes, looks: Looks) -> None:
    bidders = list(dict.fromkeys(frame["bidder"]))
    for index, bidder in enumerate(bidders):
        rows, look = frame[frame["bidder"] == bidder], looks[bidder]
        rows = rows[rows["tricks_less_bid"] != 0]
        x = rows["tricks_less_bid"].to_numpy(float) + (index - (len(bidders) - 1) / 2) * 0.7 / len(bidders)
        ax.vlines(
            x,
            rows["loss_per_round_low"],
            rows["loss_per_round_high"],
            color=look.colour,
            alpha=0.55,
            linewidth=1.8,
        )
        ax.plot(x, rows["loss_per_round"], look.marker, color=look.colour, markersize=4)
    ticks = sorted(frame["tricks_less_bid"].unique())
    ax.set_xticks(ticks, [_SIGNED.get(tick, f"{tick:+d}") for tick in ticks])
    ax.set_ylim(bottom=0)
    ax.grid(axis="x", visible=False)
    ax.set_xlabel("tricks less bid")


def _panels(frame: pd.DataFrame, title: str, height: float) -> tuple[Figure, list[Axes]]:
    """Return a figure with one panel per player."""
    count = frame["playing"].nunique()
    figure = blank_figure(3.2 + 3.4 * count, height, title)
    return figure, list(figure.subplots(1, count, squeeze=False, sharey=True)[0])


def _legend(figure: Figure, looks: Looks) -> None:
    handles = [
        Line2D(
            [], [], color=look.colour, marker=look.marker, linestyle=look.dash, label=break_name(name, _NAME)
        )
        for name, look in looks.items()
    ]
    figure.legend(handles=handles, loc="outside right upper")
