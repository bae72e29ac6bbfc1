"""Chart: what rules for bidding zero lose beside the best bid, by hand sizes."""

from typing import Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from ohpshaw_sim.charts.style import Look

CHOICES: Final = {
    "loss": ("the rule of thumb", Look("#009E73", "o", "-")),
    "loss_choice": ("zero where the agent bid it", Look("#0072B2", "s", "-")),
    "loss_never": ("never zero", Look("#D55E00", "^", "-")),
    "loss_always": ("always zero", Look("#000000", "D", "-")),
}
"""Columns of the table `rule_of_thumb`, what they are called and how they look."""


def draw(frame: pd.DataFrame, ax: Axes) -> None:
    """Draw rows of the table `rule_of_thumb` (one agent and number of players), each rule's loss with its interval."""
    places = np.arange(len(frame), dtype=float)  # all hand sizes together come last
    for index, (column, (_, look)) in enumerate(CHOICES.items()):
        x = places + (index - (len(CHOICES) - 1) / 2) * 0.18
        ax.vlines(
            x, frame[f"{column}_low"], frame[f"{column}_high"], color=look.colour, linewidth=1.8, alpha=0.6
        )
        ax.plot(x, frame[column], look.marker, color=look.colour, markersize=4.5)
    ax.set_xticks(places, frame["hands"].astype(str).tolist())
    ax.set_xlabel("hand sizes (cards per player)")
    ax.set_yscale("symlog", linthresh=1.0)
    ax.set_yticks([0, 0.5, 1, 2, 5, 10], ["0", "0.5", "1", "2", "5", "10"])
    ax.grid(axis="x", visible=False)
    ax.set_title(f"{frame['players'].iloc[0]} players", size=9)
