"""The pictures of a study of zero bids, made from its tables: one per question and agent."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ohpshaw_sim.analysis.names import break_name
from ohpshaw_sim.analysis.writing import DECIMALS
from ohpshaw_sim.charts import zero_bid_calibration, zero_bid_heat_map, zero_bid_losses, zero_bid_worth
from ohpshaw_sim.charts.marks import draw_line, hand_size_axis, percent_axis
from ohpshaw_sim.charts.paper import blank_figure, footnote
from ohpshaw_sim.charts.style import Look, looks_of
from ohpshaw_sim.charts.zero_bid_points import OTHER, ZERO

Tables = Mapping[str, pd.DataFrame]
_COLUMNS: Final = 3
_NAME: Final = 40
_MOST_HELD: Final = 3
"""Trumps, or high cards, up to which a heat map goes."""
_INTERVALS: Final = "With 95% intervals over situations, which are of independent deals."


def figures_of(tables: Tables) -> dict[str, Figure]:
    """Return the pictures of a study by name.

    `tables` are those of the study or their CSV files read back. Of several agents each has its own pictures,
    `worth-2` for the second one. A picture whose table is empty is left out.
    """
    figures = {}
    for number, agent in enumerate(dict.fromkeys(tables["zero_bids"]["agent"]), 1):
        for name, (needed, make) in FIGURES.items():
            table = tables[needed]
            own = table[table["agent"] == agent].round(DECIMALS) if len(table) else table
            if len(own):
                figures[f"{name}-{number}" if number > 1 else name] = make(own, agent)
    return figures


def worth_figure(frame: pd.DataFrame, agent: str) -> Figure:
    """Points of zero and of the best other bid by hand size, one panel per number of players."""
    rows = frame[frame["by"] == "hand_size"]
    figure, panels = _panels(rows, f"What a bid of zero is worth: {break_name(agent, _NAME)}", 2.6)
    for ax, own in panels:
        zero_bid_worth.draw(own, ax)
    _left_label(figure, "points per round")
    handles = [
        _handle("zero", ZERO),
        _handle("the best other bid in the same situations", OTHER, filled=False),
    ]
    _legend(figure, handles)
    footnote(
        figure,
        "All situations, whatever was bid in them, on redealt hands that explain the bids heard; the other bid "
        f"is chosen on one half of the redeals, both are valued on the other. {_INTERVALS}",
    )
    return figure


def heat_map_figure(frame: pd.DataFrame, agent: str) -> Figure:
    """Gain of zero over the best other bid by trumps and high cards: players down, groups of hand sizes across."""
    few = frame[(frame["trumps"] <= _MOST_HELD) & (frame["high_cards"] <= _MOST_HELD)]
    frame = few if len(few) else frame
    counts = sorted(frame["players"].unique())
    hands = list(dict.fromkeys(frame.sort_values("hands", key=_order)["hands"]))
    shape = int(frame["trumps"].max()), int(frame["high_cards"].max())
    size = (
        1.6 + (0.7 + 0.33 * (shape[0] + 1)) * len(hands),
        1.5 + (0.55 + 0.34 * (shape[1] + 1)) * len(counts),
    )
    figure = blank_figure(*size, f"What zero gains over the best other bid: {break_name(agent, _NAME)}")
    axes = figure.subplots(len(counts), len(hands), squeeze=False, sharex=True, sharey=True)
    reach = float(max(1.0, frame["gain"].abs().max()))
    for row, players in enumerate(counts):
        for column, group in enumerate(hands):
            ax = axes[row, column]
            own = frame[(frame["players"] == players) & (frame["hands"] == group)]
            image = zero_bid_heat_map.draw(own, ax, reach, shape)
            ax.set_title(f"{players} players, {group} card{'s' * (group != '1')}", size=8)
    bar = figure.colorbar(image, ax=axes, fraction=0.03, shrink=0.6)
    bar.set_label("points: above 0 bid zero, below not")
    bar.outline.set_visible(False)
    for ax in axes[-1]:
        ax.set_xlabel("trumps held")
    for ax in axes[:, 0]:
        ax.set_ylabel("side aces and kings")
    footnote(
        figure,
        "In points per round, \N{PLUS-MINUS SIGN} half of the 95% interval over situations. "
        f"Cells of fewer than 20 situations are left out, and hands with more than {_MOST_HELD} of either.",
    )
    return figure


def losses_figure(frame: pd.DataFrame, agent: str) -> Figure:
    """What the rule of thumb and other ways lose beside the best bid."""
    figure, panels = _panels(frame, f"Bidding zero by rule: {break_name(agent, _NAME)}", 2.6)
    for ax, own in panels:
        zero_bid_losses.draw(own, ax)
    _left_label(figure, "points lost per round")
    handles = [_handle(text, look, line=False) for text, look in zero_bid_losses.CHOICES.values()]
    _legend(figure, handles)
    footnote(
        figure,
        "Beside the best bid that the redeals find; where zero is not bid, the best other bid is. Rules are found on "
        f"half of the situations and valued on the others. {_INTERVALS}",
    )
    return figure


def calibration_figure(frame: pd.DataFrame, agent: str) -> Figure:
    """Promised and realised chances of making zero, one panel per number of players."""
    figure, panels = _panels(frame, f"Promised chance of making zero: {break_name(agent, _NAME)}", 2.9)
    for ax, own in panels:
        zero_bid_calibration.draw(own, ax)
    _left_label(figure, "made on the deal as it was")
    footnote(
        figure,
        f"Promised by the redeals of a situation, and what came of zero on its own deal. Dots grow with the "
        f"number of situations. {_INTERVALS}",
    )
    return figure


def habits_figure(frame: pd.DataFrame, agent: str) -> Figure:
    """How often zero is bid and how often it is made, by hand size, one line per number of players."""
    rows = frame[frame["by"] == "hand_size"].assign(hand_size=lambda table: table["value"].astype(int))
    figure = blank_figure(8.6, 4.0, f"Bids of zero: {break_name(agent, _NAME)}")
    titles = {"zero_bid_share": "Share of bids that are zero", "zero_bid_hit_rate": "Zero bids that are made"}
    looks = looks_of([str(players) for players in rows["players"].unique()])
    for ax, (column, title) in zip(figure.subplots(1, 2), titles.items(), strict=True):
        for players, own in rows.groupby("players"):
            draw_line(own.dropna(subset=[column]).sort_values("hand_size"), ax, column, looks[str(players)])
        hand_size_axis(ax, sorted(rows["hand_size"].unique()))
        percent_axis(ax)
        ax.set_title(title, size=9)
    handles = [_handle(f"{players} players", look) for players, look in looks.items()]
    _legend(figure, handles)
    footnote(figure, "On the deals as they were. With 95% intervals over deals.")
    return figure


FIGURES: Final[Mapping[str, tuple[str, Callable[[pd.DataFrame, str], Figure]]]] = {
    "worth": ("worth", worth_figure),
    "heat_map": ("heat_map", heat_map_figure),
    "rule_of_thumb": ("rule_of_thumb", losses_figure),
    "calibration": ("calibration", calibration_figure),
    "zero_bids": ("zero_bids", habits_figure),
}
"""Pictures by name: the table that each needs, and what draws it."""


def _order(values: pd.Series) -> pd.Series:
    """Return what sorts names of groups of hand sizes."""
    return values.astype(str).str.extract(r"^(\d+)")[0].astype(int)


def _panels(
    frame: pd.DataFrame, title: str, height: float
) -> tuple[Figure, Iterator[tuple[Axes, pd.DataFrame]]]:
    """Return a figure with a panel for each number of players, and these with their rows."""
    groups = [own for _, own in frame.groupby("players", sort=False)]
    columns = min(len(groups), _COLUMNS)
    rows = -(-len(groups) // columns)
    figure = blank_figure(max(2.9 * columns, 6.4), 1.6 + height * rows, title)
    axes = figure.subplots(rows, columns, squeeze=False, sharey=True)
    for ax in axes.flat[len(groups) :]:
        ax.set_visible(False)
    return figure, zip(axes.flat, groups, strict=False)


def _legend(figure: Figure, handles: list[Line2D]) -> None:
    """Put a legend of one line below the title, which makes room for it."""
    figure.suptitle(f"{figure.get_suptitle()}\n", x=0.01, ha="left", weight="bold", size=12, linespacing=1.5)
    below = 1 - 0.27 / figure.get_figheight()
    figure.legend(
        handles=handles, loc="upper left", bbox_to_anchor=(0, below), ncols=len(handles), columnspacing=1.2
    )


def _left_label(figure: Figure, text: str) -> None:
    figure.supylabel(text, size=9)


def _handle(label: str, look: Look, *, filled: bool = True, line: bool = True) -> Line2D:
    face = look.colour if filled else "white"
    style = look.dash if line else ""
    return Line2D(
        [], [], color=look.colour, marker=look.marker, linestyle=style, markerfacecolor=face, label=label
    )
