"""Chart: share of matches won per seat, with 95 % intervals, against the fair share."""

import pandas as pd
from matplotlib.axes import Axes

from ohpshaw_sim.charts.marks import draw_rows, percent_axis
from ohpshaw_sim.charts.style import GREY, Looks, looks_for


def draw(frame: pd.DataFrame, ax: Axes, looks: Looks | None = None) -> None:
    """Draw rows of the `standings` table (one number of players), the first on top."""
    fair = 1 / int(frame["players"].iloc[0])
    ax.axvline(fair, color=GREY, linestyle=(0, (4, 3)), linewidth=1)
    ax.annotate(
        f"fair share {fair:.0%}", (fair, 0), (4, 4), xycoords=("data", "axes fraction"),
        textcoords="offset points", color=GREY, size=8,
    )  # fmt: skip
    draw_rows(frame, ax, "win_share", looks_for(frame, looks), "{:.1%}")
    percent_axis(ax, "x")
    ax.set_title("Matches won")
    ax.set_xlabel("share of matches won per seat")
