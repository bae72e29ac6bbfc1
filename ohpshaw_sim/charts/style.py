"""How charts look: one colour and marker per entrant, the same in every chart of a run, and plain axes.

Colours are those of Okabe and Ito (Color Universal Design, 2008), told apart by colour-blind eyes; markers
differ too. Nothing of the user's own matplotlib settings shows, so that pictures come out the same
everywhere.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, Literal, NamedTuple

import matplotlib as mpl
import pandas as pd

COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS: Final = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p")
Dash = Literal["-", "--", ":", "-."]
DASHES: Final[tuple[Dash, ...]] = ("-", "--", ":", "-.")
INK: Final = "#333333"
GREY: Final = "#666666"
LIGHT: Final = "#E4E4E4"
HEAT: Final = "#1F6FA8"
"""Full shade of a heat map; less is more transparent, so that it reads on light and dark paper."""
ON_HEAT: Final = "#FDFDFD"
"""Text on a deep shade."""

_SETTINGS: Final[dict[Any, Any]] = {
    "axes.axisbelow": True,
    "axes.edgecolor": GREY,
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.labelsize": 9,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "figure.facecolor": "white",
    "font.size": 9,
    "grid.color": LIGHT,
    "grid.linewidth": 0.7,
    "legend.fontsize": 8.5,
    "legend.handlelength": 2.8,
    "legend.frameon": False,
    "savefig.dpi": 150,
    "text.parse_math": False,  # a name may hold dollar signs
    "xtick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.color": GREY,
    "ytick.labelcolor": INK,
}


class Look(NamedTuple):
    """How an entrant is drawn."""

    colour: str
    marker: str
    dash: Dash


Looks = Mapping[str, Look]
"""Looks by entrant."""


def looks_of(agents: Sequence[str]) -> dict[str, Look]:
    """Give each entrant its look, by its place in the list; all differ up to 70 entrants."""
    return {
        agent: Look(
            COLOURS[i % len(COLOURS)], MARKERS[i % len(MARKERS)], DASHES[i // len(COLOURS) % len(DASHES)]
        )
        for i, agent in enumerate(dict.fromkeys(agents))
    }


def looks_for(frame: pd.DataFrame, looks: Looks | None) -> Looks:
    """Return the looks given, or make some for the entrants of a frame."""
    return looks_of(frame["agent"].tolist()) if looks is None else looks


@contextmanager
def plain_style() -> Iterator[None]:
    """Draw with the package's settings and nobody else's."""
    defaults = {name: value for name, value in mpl.rcParamsDefault.items() if name != "backend"}
    settings: Any = {**defaults, **_SETTINGS}
    with mpl.rc_context(settings):
        yield
