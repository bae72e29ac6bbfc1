"""All pictures of a run, made from its tables: one file per picture and number of players."""

from collections.abc import Callable, Collection, Mapping
from math import ceil
from pathlib import Path
from typing import Final

import pandas as pd
from matplotlib.figure import Figure, FigureBase
from matplotlib.lines import Line2D
from matplotlib.ticker import PercentFormatter

from ohpshaw_sim.analysis.names import break_name
from ohpshaw_sim.analysis.writing import DECIMALS
from ohpshaw_sim.charts import (
    bid_against_tricks,
    convergence,
    hit_rate_by_hand_size,
    points,
    points_by_hand_size,
    win_share,
    zero_bid_hits,
    zero_bid_points,
    zero_bid_share,
)
from ohpshaw_sim.charts.marks import NAME_WIDTH
from ohpshaw_sim.charts.paper import blank_figure, footnote, save
from ohpshaw_sim.charts.style import Look, Looks, looks_of, plain_style

Tables = Mapping[str, pd.DataFrame]
PANELS_PER_ROW: Final = 4
LEGEND_WIDTH: Final = 26
MOST_LINES: Final = 12
"""More entrants than this make line charts unreadable: only the best so many are drawn."""


def save_plots(tables: Tables, folder: Path, only: Collection[str] | None = None) -> list[Path]:
    """Draw the pictures of a run, or `only` those named, and save them as PNG; return their paths.

    `tables` are those of `analysis.tables.make_tables` or their CSV files read back: both give the same
    bytes. Files are named for the picture, and where the run has several numbers of players for these too:
    `standings-4-players.png`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    counts = [int(count) for count in tables["standings"]["players"].unique()]
    looks = looks_of(tables["by_hand_size"]["agent"].tolist())
    paths = []
    for players in counts:
        chosen = {name: tables[name][tables[name]["players"] == players].round(DECIMALS) for name in USED}
        for name in FIGURES if only is None else only:
            path = folder / (f"{name}-{players}-players.png" if len(counts) > 1 else f"{name}.png")
            with plain_style():
                save(FIGURES[name](chosen, looks), path)
            paths.append(path)
    return paths


def standings_figure(tables: Tables, looks: Looks) -> Figure:
    """Points per round and matches won, one row per entrant, best on top."""
    frame = tables["standings"]
    lines = sum(max(1, 0.55 * (break_name(agent, NAME_WIDTH).count("\n") + 1)) for agent in frame["agent"])
    figure = blank_figure(8.6, 1.75 + 0.42 * lines, f"Standings, {_players(frame)}")
    left, right = figure.subplots(1, 2, sharey=True)
    points.draw(frame, left, looks)
    win_share.draw(frame, right, looks)
    right.tick_params(axis="y", labelleft=False)
    footnote(figure, _intervals(tables))
    return figure


def by_hand_size_figure(tables: Tables, looks: Looks) -> Figure:
    """Points per round and share of bids hit, by hand size."""
    frame = _best(tables, "by_hand_size")
    figure = blank_figure(8.6, 3.9, f"Points and bids hit by hand size, {_players(frame)}")
    left, right = figure.subplots(1, 2)
    points_by_hand_size.draw(frame, left, looks)
    hit_rate_by_hand_size.draw(frame, right, looks)
    _legend(figure, frame, looks)
    footnote(figure, f"{_intervals(tables)}{_left_out(tables)}")
    return figure


def bids_figure(tables: Tables, _looks: Looks) -> Figure:
    """Bid against tricks taken, one heat map per entrant, best first."""
    frame = tables["bids"]
    agents = list(tables["standings"]["agent"])
    columns = min(len(agents), PANELS_PER_ROW)
    rows = ceil(len(agents) / columns)
    figure = blank_figure(
        1.2 + 2.5 * columns, 0.75 + 2.85 * rows, f"Bid against tricks taken, {_players(frame)}"
    )
    axes = figure.subplots(rows, columns, squeeze=False)
    largest = int(max(frame["bid"].max(), frame["tricks"].max()))
    for ax, agent in zip(axes.flat, agents, strict=False):
        image = bid_against_tricks.draw(frame[frame["agent"] == agent], ax, largest)
    for ax in axes.flat[len(agents) :]:
        ax.set_visible(False)
    bar = figure.colorbar(image, ax=axes, fraction=0.03, shrink=0.6, format=PercentFormatter(1.0, decimals=0))
    bar.set_label("share of the rounds with this bid")
    bar.outline.set_visible(False)
    footnote(
        figure,
        f"{_hand_sizes(frame)} Each column is a bid made in at least {bid_against_tricks.FEWEST} rounds; "
        "framed: bid hit. Bars: how often it was made.",
    )
    return figure


def zero_bids_figure(tables: Tables, looks: Looks) -> Figure:
    """Zero bids: how often, how often hit, and their points beside those of the same entrant's other bids."""
    frame = _best(tables, "zero_bids")
    agents = list(dict.fromkeys(frame["agent"]))
    columns = min(len(agents), PANELS_PER_ROW)
    rows = ceil(len(agents) / columns)
    figure = blank_figure(8.6, 4.6 + 2.2 * rows, f"Zero bids, {_players(frame)}")
    grid = figure.add_gridspec(2, 1, height_ratios=(3.3, 0.7 + 2.2 * rows))
    above, below = figure.add_subfigure(grid[0]), figure.add_subfigure(grid[1])
    left, right = above.subplots(1, 2)
    zero_bid_share.draw(frame, left, looks)
    zero_bid_hits.draw(frame, right, looks)
    _legend(above, frame, looks)
    axes = below.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
    for index, (ax, agent) in enumerate(zip(axes.flat, agents, strict=False)):
        zero_bid_points.draw(frame[frame["agent"] == agent], ax)
        lowest = index + columns >= len(agents)
        ax.tick_params(axis="x", labelbottom=lowest)
        ax.xaxis.label.set_visible(lowest)
    for ax in axes.flat[len(agents) :]:
        ax.set_visible(False)
    for ax in axes[:, 0]:
        ax.set_ylabel("points per round")
    handles = [
        _handle("rounds with a bid of zero", zero_bid_points.ZERO),
        _handle("the same entrant's other rounds", zero_bid_points.OTHER, filled=False),
    ]
    below.legend(handles=handles, loc="outside upper left", ncols=2)
    footnote(figure, f"{_intervals(tables)}{_left_out(tables)} {zero_bid_points.CAPTION}")
    return figure


def convergence_figure(tables: Tables, looks: Looks) -> Figure:
    """Points per round over the first sets, then over more and more of them."""
    frame = _best(tables, "convergence", "sets")
    figure = blank_figure(8.6, 4.2, f"Points per round as sets are added, {_players(frame)}")
    ax = figure.subplots()
    convergence.draw(frame, ax, looks)
    ax.set_title("")
    _legend(figure, frame, looks)
    footnote(figure, f"{_intervals(tables)}{_left_out(tables)} {convergence.CAPTION}")
    return figure


FIGURES: Final[Mapping[str, Callable[[Tables, Looks], Figure]]] = {
    "standings": standings_figure,
    "by_hand_size": by_hand_size_figure,
    "bids": bids_figure,
    "zero_bids": zero_bids_figure,
    "convergence": convergence_figure,
}
USED: Final = ("standings", "by_hand_size", "bids", "zero_bids", "convergence")
"""Tables that pictures are made from."""


def _players(frame: pd.DataFrame) -> str:
    return f"{int(frame['players'].iloc[0])} players"


def _intervals(tables: Tables) -> str:
    sets = tables["standings"]["sets"]
    fewest, most = int(sets.min()), int(sets.max())
    if most == 1:
        return "A single set: no intervals."
    return f"With 95% intervals over {most if fewest == most else f'{fewest} to {most}'} sets."


def _hand_sizes(frame: pd.DataFrame) -> str:
    smallest, largest = int(frame["hand_size"].min()), int(frame["hand_size"].max())
    return f"Hand size {largest}." if smallest == largest else f"Hand sizes {smallest} to {largest}."


def _left_out(tables: Tables) -> str:
    entrants = len(tables["standings"])
    return f" The best {MOST_LINES} of {entrants} entrants." if entrants > MOST_LINES else ""


def _best(tables: Tables, name: str, by: str = "hand_size") -> pd.DataFrame:
    """Return the rows of a table that speak of the best entrants, best first, then in the order of `by`."""
    best = list(tables["standings"]["agent"].iloc[:MOST_LINES])
    frame = tables[name][tables[name]["agent"].isin(best)]
    rank = frame["agent"].map({agent: rank for rank, agent in enumerate(best)})
    return frame.assign(rank=rank).sort_values(["rank", by], kind="stable").drop(columns="rank")


def _legend(figure: FigureBase, frame: pd.DataFrame, looks: Looks) -> None:
    agents = dict.fromkeys(frame["agent"])
    handles = [_handle(break_name(agent, LEGEND_WIDTH), looks[agent]) for agent in agents]
    figure.legend(handles=handles, loc="outside right upper")


def _handle(label: str, look: Look, *, filled: bool = True) -> Line2D:
    face = look.colour if filled else "white"
    return Line2D(
        [], [], color=look.colour, marker=look.marker, linestyle=look.dash, markerfacecolor=face, label=label
    )
