"""Chart: one entrant's points in rounds where it bid zero beside its other rounds, by hand size."""

from typing import Final

import pandas as pd
from matplotlib.axes import Axes

from ohpshaw_sim.analysis.names import break_name
from ohpshaw_sim.charts.marks import draw_line, hand_size_axis, points_axis
from ohpshaw_sim.charts.style import Look

ZERO: Final = Look("#0072B2", "o", "-")
OTHER: Final = Look("#D55E00", "s", "--")
CAPTION: Final = (
    "Zero bids and other bids are made on different hands: an entrant bids zero on those that suit it. "
    "The gap between the two is not what bidding zero would gain."
)


def draw(frame: pd.DataFrame, ax: Axes) -> None:
    """Draw one entrant's rows of the `zero_bids` table (one number of players); the y axis shows 0 points."""
    sizes = sorted(frame["hand_size"].unique())
    shift = 0.1 if len(sizes) == 1 else 0.0
    draw_line(frame, ax, "points_per_zero_bid", ZERO, shift=-shift)
    draw_line(frame, ax, "points_per_other_bid", OTHER, filled=False, shift=shift)
    hand_size_axis(ax, sizes)
    points_axis(ax)
    ax.set_title(break_name(frame["agent"].iloc[0], 22), size=9)
