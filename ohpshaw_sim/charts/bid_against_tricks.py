"""Chart: what one entrant bid against what it took, as a heat map with the frequency of each bid above it."""

from typing import Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import LinearSegmentedColormap, PowerNorm, to_rgba
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator, PercentFormatter

from ohpshaw_sim.analysis.names import break_name
from ohpshaw_sim.charts.style import GREY, HEAT, INK, ON_HEAT

FEWEST: Final = 20
"""Bids made in fewer rounds than this have no column: a share of so few says little."""
_SHADES: Final = LinearSegmentedColormap.from_list("shades", [to_rgba(HEAT, 0), to_rgba(HEAT, 1)], N=64)
_MOST_WRITTEN: Final = 7
"""Largest hand whose shares are written into the map."""


def draw(frame: pd.DataFrame, ax: Axes, largest: int | None = None) -> QuadMesh:
    """Draw one entrant's rows of the `bids` table (one number of players).

    Each column is a bid; its shades tell how often each number of tricks followed, so a column adds up to
    100 %. The framed diagonal is bids hit. Bars on top: how often the bid was made. `largest` is the last
    bid and number of tricks shown (default: the largest hand). Returns the map, for a colour bar.
    """
    largest = int(frame["hand_size"].max()) if largest is None else largest
    counts = np.zeros((largest + 1, largest + 1))
    np.add.at(counts, (frame["tricks"].to_numpy(), frame["bid"].to_numpy()), frame["count"].to_numpy())
    of_bid = counts.sum(axis=0)
    shares = np.divide(counts, of_bid, out=np.zeros_like(counts), where=of_bid >= FEWEST)
    edges = np.arange(largest + 2) - 0.5
    heat = ax.pcolormesh(edges, edges, shares, cmap=_SHADES, norm=PowerNorm(0.6, 0, 1))
    ax.set_aspect("equal")
    for value in range(largest + 1):
        ax.add_patch(
            Rectangle((value - 0.5, value - 0.5), 1, 1, fill=False, edgecolor="#D55E00", linewidth=0.9)
        )
    if largest <= _MOST_WRITTEN:
        _write_shares(shares, ax)
    ax.grid(visible=False)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    ax.set_xlabel("bid")
    ax.set_ylabel("tricks taken")
    bars = _draw_frequencies(of_bid / max(of_bid.sum(), 1), ax)
    bars.set_title(break_name(frame["agent"].iloc[0], 26), size=9)
    return heat


def _write_shares(shares: "np.ndarray[tuple[int, int], np.dtype[np.float64]]", ax: Axes) -> None:
    for tricks, bid in zip(*np.nonzero(shares >= 0.005), strict=True):
        share = shares[tricks, bid]
        colour = ON_HEAT if share > 0.75 else INK
        ax.text(bid, tricks, f"{share:.0%}", ha="center", va="center", size=6.5, color=colour)


def _draw_frequencies(frequencies: "np.ndarray[tuple[int], np.dtype[np.float64]]", ax: Axes) -> Axes:
    """Put bars above the map that share its x axis."""
    bars = ax.inset_axes((0, 1.03, 1, 0.2), sharex=ax)
    bars.bar(range(len(frequencies)), frequencies, width=0.8, color=GREY)
    bars.yaxis.set_major_locator(MaxNLocator(2, min_n_ticks=1))
    bars.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    bars.tick_params(axis="x", labelbottom=False, length=0)
    bars.tick_params(axis="y", labelsize=7)
    bars.grid(visible=False)
    return bars
