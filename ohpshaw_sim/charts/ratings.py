"""Chart: ratings of entrants by the places of their matches, with 95 % intervals."""

import pandas as pd
from matplotlib.axes import Axes

from ohpshaw_sim.charts.marks import draw_rows
from ohpshaw_sim.charts.style import GREY, Looks, looks_for


def draw(frame: pd.DataFrame, ax: Axes, looks: Looks | None = None) -> None:
    """Draw rows of the `ratings` table (one number of players), the first on top."""
    named = frame.rename(columns={"low": "rating_low", "high": "rating_high"})
    ax.axvline(0, color=GREY, linestyle=(0, (4, 3)), linewidth=1)
    draw_rows(named, ax, "rating", looks_for(frame, looks), "{:+.2f}")
    ax.set_title("Ratings by places in matches")
    ax.set_xlabel("rating, 0 is average")
