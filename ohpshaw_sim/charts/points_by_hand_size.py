"""Chart: points per round by hand size, with 95 % intervals."""

import pandas as pd
from matplotlib.axes import Axes

from ohpshaw_sim.charts.marks import draw_by_hand_size, points_axis
from ohpshaw_sim.charts.style import Looks, looks_for


def draw(frame: pd.DataFrame, ax: Axes, looks: Looks | None = None) -> None:
    """Draw the `by_hand_size` table (one number of players)."""
    draw_by_hand_size(frame, ax, "points_per_round", looks_for(frame, looks))
    points_axis(ax)
    ax.set_title("Points")
    ax.set_ylabel("points per round")
