"""Chart: points per round of each entrant after ever more sets, with 95 % intervals."""

import pandas as pd
from matplotlib.axes import Axes

from ohpshaw_sim.charts.marks import sets_axis
from ohpshaw_sim.charts.style import Look, Looks, looks_for

CAPTION = (
    "Each interval holds for one look at a number of sets chosen beforehand. Looked at again and again, some "
    "plain interval will miss the truth far more often than in 5 of 100 runs."
)


def draw(frame: pd.DataFrame, ax: Axes, looks: Looks | None = None) -> None:
    """Draw the `convergence` table (one number of players), sets on a logarithmic axis."""
    looks = looks_for(frame, looks)
    for agent, rows in frame.groupby("agent", sort=False):
        _draw_agent(rows.sort_values("sets"), ax, looks[str(agent)])
    sets_axis(ax, frame["sets"].to_numpy(float))
    known = frame[frame["low"].notna()]
    if len(known):  # the first intervals may be as wide as the scoring: the axis is for the later ones
        later = known[known["sets"] >= known["sets"].max() / 20]
        ax.set_ylim(later["low"].min() - 0.3, later["high"].max() + 0.3)
    ax.set_title("Points per round as sets are added")
    ax.set_xlabel("sets in which it sat")
    ax.set_ylabel("points per round")


def _draw_agent(rows: pd.DataFrame, ax: Axes, look: Look) -> None:
    x, y = rows["sets"].to_numpy(float), rows["points_per_round"].to_numpy(float)
    low, high = rows["low"].to_numpy(float), rows["high"].to_numpy(float)
    if len(x) == 1:
        ax.vlines(x, low, high, color=look.colour, linewidth=2.2, alpha=0.55)
    else:
        ax.fill_between(x, low, high, color=look.colour, alpha=0.14, linewidth=0)
    ax.plot(x, y, linestyle=look.dash, color=look.colour, linewidth=1.4)
    ax.plot(x[-1:], y[-1:], linestyle="", marker=look.marker, color=look.colour, markersize=4.5)
