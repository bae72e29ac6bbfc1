"""Chart: how the interval of a comparison closed in on the difference of two agents."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from ohpshaw_sim.charts.marks import sets_axis
from ohpshaw_sim.charts.style import COLOURS, GREY


def draw(frame: pd.DataFrame, ax: Axes, margin: float | None = None) -> None:
    """Draw the `comparison_looks` table, sets on a logarithmic axis; `margin` is marked on both sides of 0.

    The wide band holds at every look, the narrow one is the plain interval, which does not.
    """
    sets, colour = frame["sets"].to_numpy(float), COLOURS[0]
    for low, high, shade in (("low", "high", 0.14), ("plain_low", "plain_high", 0.3)):
        ax.fill_between(sets, frame[low], frame[high], color=colour, alpha=shade, linewidth=0)
    ax.plot(sets, frame["difference"], color=colour, linewidth=1.6)
    ax.plot(sets[-1:], frame["difference"].iloc[-1:], "o", color=colour, markersize=4.5)
    for level in (0.0,) if margin is None else (-margin, 0.0, margin):
        ax.axhline(level, color=GREY, linewidth=1, linestyle=(0, (4, 3)) if level else "-")
    last = frame.iloc[-1]
    reach = max(abs(last["low"]), abs(last["high"]), margin or 0) * 2.2
    ax.set_ylim(-reach, reach)
    sets_axis(ax, sets)
    handles = [Patch(color=colour, alpha=shade, linewidth=0, label=label)
               for shade, label in ((0.14, "holds at every look"), (0.4, "plain 95 %"))]  # fmt: skip
    ax.legend(handles=handles, loc="lower right", ncols=2)
    ax.set_title("Difference as sets were added")
    ax.set_xlabel("sets")
    ax.set_ylabel("points per round, first less second")
