"""Chart: how often each entrant bids zero, by hand size, with 95 % intervals."""

import pandas as pd
from matplotlib.axes import Axes

from ohpshaw_sim.charts.marks import draw_by_hand_size, percent_axis
from ohpshaw_sim.charts.style import Looks, looks_for


def draw(frame: pd.DataFrame, ax: Axes, looks: Looks | None = None) -> None:
    """Draw the `zero_bids` table (one number of players)."""
    draw_by_hand_size(frame, ax, "zero_bid_share", looks_for(frame, looks))
    percent_axis(ax)
    ax.set_title("How often zero is bid")
    ax.set_ylabel("share of bids")
