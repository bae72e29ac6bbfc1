"""Chart: the chance of making zero that redeals promise, beside how often it was made on the deals as they were."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from ohpshaw_sim.charts.marks import percent_axis
from ohpshaw_sim.charts.style import GREY
from ohpshaw_sim.charts.zero_bid_points import ZERO


def draw(frame: pd.DataFrame, ax: Axes) -> None:
    """Draw rows of the table `calibration` (one agent and number of players); on the diagonal promises are kept."""
    ax.plot([0, 1], [0, 1], color=GREY, linewidth=1)
    x, y = frame["promised"].to_numpy(float), frame["realised"].to_numpy(float)
    low, high = frame["realised_low"].to_numpy(float), frame["realised_high"].to_numpy(float)
    sizes = 10 + 90 * frame["situations"].to_numpy(float) / np.max(frame["situations"].to_numpy(float))
    ax.vlines(x, low, high, color=ZERO.colour, linewidth=1.6, alpha=0.55)
    ax.scatter(x, y, s=sizes, color=ZERO.colour, zorder=3)
    percent_axis(ax)
    percent_axis(ax, "x")
    ax.set_xlim(-0.03, 1.03)
    ax.set_aspect("equal")
    ax.set_xlabel("promised")
    ax.set_title(f"{int(frame['players'].iloc[0])} players", size=9)
