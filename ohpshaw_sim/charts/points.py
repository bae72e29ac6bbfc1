"""Chart: points per round of each entrant, with 95 % intervals."""

import pandas as pd
from matplotlib.axes import Axes

from ohpshaw_sim.charts.marks import draw_rows
from ohpshaw_sim.charts.style import Looks, looks_for


def draw(frame: pd.DataFrame, ax: Axes, looks: Looks | None = None) -> None:
    """Draw rows of the `standings` table (one number of players), the first on top."""
    draw_rows(frame, ax, "points_per_round", looks_for(frame, looks), "{:.2f}")
    ax.set_title("Points per round")
    ax.set_xlabel("points per round and seat")
