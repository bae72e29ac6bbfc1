"""A chapter of the page, one number of players, and the sections that it is made of."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd

from ohpshaw_sim.charts.figures import MOST_LINES
from ohpshaw_sim.charts.style import Looks
from ohpshaw_sim.report.columns import Table, make_table
from ohpshaw_sim.report.matrix import Matrix
from ohpshaw_sim.report.pictures import HEIGHT, Draw, Picture, panel, picture


@dataclass(frozen=True)
class Section:
    """A section of the page, top to bottom; what is empty is left out.

    `key` ends its address in the page. `names` are the entrants whose lines the pictures draw. `panels` are small
    pictures, one per entrant. `folded` tables are closed until asked for.
    """

    key: str
    title: str
    note: str = ""
    names: list[str] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    panels_note: str = ""
    panels: list[Picture] = field(default_factory=list)
    caution: str = ""
    matrix: Matrix | None = None
    tables: list[Table] = field(default_factory=list)
    folded: list[Table] = field(default_factory=list)


@dataclass(frozen=True)
class Chapter:
    """The tables of a run at one number of players, and how its entrants look."""

    players: int
    tables: Mapping[str, pd.DataFrame]
    looks: Looks

    def frame(self, name: str) -> pd.DataFrame | None:
        """Return a table's rows, or None where there are none."""
        frame = self.tables.get(name)
        return None if frame is None or frame.empty else frame

    def agents(self) -> list[str]:
        """Return all entrants, best first."""
        return [str(agent) for agent in self.tables["standings"]["agent"]]

    def drawn(self) -> list[str]:
        """Return the entrants that line charts show."""
        return self.agents()[:MOST_LINES]

    def best(self, name: str) -> pd.DataFrame:
        """Return the rows of a table that speak of the entrants drawn, best first."""
        ranks = {agent: rank for rank, agent in enumerate(self.drawn())}
        frame = self.tables[name]
        ranked = frame.assign(rank=frame["agent"].map(ranks)).dropna(subset="rank")
        return ranked.sort_values("rank", kind="stable").drop(columns="rank")

    def about_lines(self) -> str:
        """Say what the bands of line charts are, and that they show only some entrants, where that is so."""
        several = self.tables["standings"]["points_per_round_low"].notna().any()
        bands = "Bands are 95 % intervals over sets." if several else "A single set gives no intervals."
        entrants = len(self.agents())
        if entrants <= MOST_LINES:
            return bands
        return f"{bands} Lines are drawn for the best {MOST_LINES} of {entrants} entrants."

    def key(self, name: str) -> str:
        """Return an id that no other chapter has."""
        return f"{name}-{self.players}"

    def picture(self, draw: Draw, name: str, about: str, height: float = HEIGHT) -> Picture:
        """Draw a picture of this chapter; `about` is read out in its place."""
        return picture(draw, self.key(name), f"{about}, {self.players} players", height)

    def panel(self, draw: Draw, name: str, about: str, agent: str, height: float) -> Picture:
        """Draw a small picture of one entrant."""
        return panel(draw, self.key(name), f"{about} of {agent}, {self.players} players", height, agent)

    def table(self, frame: pd.DataFrame, name: str, caption: str) -> Table:
        """Make a table of this chapter."""
        return make_table(frame, self.key(f"table-{name}"), caption, leave_out=("players",))
