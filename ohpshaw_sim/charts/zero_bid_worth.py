"""Chart: points of a zero bid beside those of the best other bid in the same situations, by hand size."""

import pandas as pd
from matplotlib.axes import Axes

from ohpshaw_sim.charts.marks import draw_line, hand_size_axis, points_axis
from ohpshaw_sim.charts.zero_bid_points import OTHER, ZERO


def draw(frame: pd.DataFrame, ax: Axes) -> None:
    """Draw rows of the table `worth` by hand size (one agent and number of players); the y axis shows 0 points."""
    rows = frame.assign(hand_size=frame["value"].astype(int)).sort_values("hand_size")
    sizes = rows["hand_size"].tolist()
    shift = 0.1 if len(sizes) == 1 else 0.0
    draw_line(rows, ax, "zero_points", ZERO, shift=-shift)
    draw_line(rows, ax, "other_points", OTHER, filled=False, shift=shift)
    hand_size_axis(ax, sizes)
    points_axis(ax)
    ax.set_title(f"{int(rows['players'].iloc[0])} players", size=9)
