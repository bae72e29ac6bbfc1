"""Chart: what zero gains over the best other bid, as a heat map over trumps held and side aces and kings."""

from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.ticker import MaxNLocator

from ohpshaw_sim.charts.style import INK, ON_HEAT

_SHADES: Final = LinearSegmentedColormap.from_list("other, none, zero", ["#B34A00", "#F7F7F7", "#005A91"])
"""Blue where zero gains, orange where another bid does: told apart by colour-blind eyes."""
_DEEP: Final = 0.62
"""Share of the reach from which on text is light."""


def draw(frame: pd.DataFrame, ax: Axes, reach: float, shape: tuple[int, int]) -> QuadMesh:
    """Draw rows of the table `heat_map` (one agent, number of players and group of hand sizes).

    Colours run from -reach to reach points; a cell shows the gain and its half interval. `shape` is the largest number
    of trumps and of high cards shown. Returns the map, for a colour bar.
    """
    most_trumps, most_high = shape
    gains = np.full((most_high + 1, most_trumps + 1), np.nan)
    cells: list[dict[Any, Any]] = frame.to_dict("records")
    for cell in cells:
        place, gain = (cell["trumps"], cell["high_cards"]), float(cell["gain"])
        gains[place[::-1]] = gain
        half = (cell["gain_high"] - cell["gain_low"]) / 2
        colour = ON_HEAT if abs(gain) > _DEEP * reach else INK
        text = f"{gain:+.1f}\n".replace("-", "\N{MINUS SIGN}") + f"±{half:.1f}"
        ax.text(*place, text, ha="center", va="center", size=6, color=colour)
    heat = ax.pcolormesh(
        np.arange(most_trumps + 2) - 0.5,
        np.arange(most_high + 2) - 0.5,
        np.ma.masked_invalid(gains),
        cmap=_SHADES,
        norm=Normalize(-reach, reach),
    )
    ax.grid(visible=False)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    return heat
