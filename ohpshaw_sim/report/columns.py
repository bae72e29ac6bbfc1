"""A frame as a table for people: headings, an interval in the cell of its value, and what cells sort by.

Columns are read by their names alone, so that a table nobody here has heard of comes out well: `x`, `x_low` and
`x_high` (or `low` and `high` after their value) make one column, shares and rates are per cents, `p_...` are
p-values, names of entrants are set as names.
"""

from math import isnan
from typing import Any, Final, NamedTuple

import pandas as pd

from ohpshaw_sim.report.words import decimals_for, number, p_value

MOST_ROWS: Final = 400
"""Longer tables are cut: a page is for reading, and the whole stands in `tables/`."""

HEADINGS: Final = {
    "points_per_round": "points / round",
    "win_share": "won %",
    "hit_rate": "hit %",
    "mean_bid": "mean bid",
    "mean_tricks": "mean tricks",
    "zero_bid_share": "zero bids %",
    "zero_bid_hit_rate": "zeros hit %",
    "points_per_zero_bid": "points / zero bid",
    "points_per_other_bid": "points / other bid",
    "points_per_match": "points / match",
    "p_holm": "p (Holm)",
    "points_per_round_corrected": "corrected for luck",
    "beats_average": "before an average one %",
    "plain_low": "plain interval from",
    "plain_high": "to",
}
"""Headings that are not just the column's name."""
_NAMES: Final = ("agent", "other")
_PER_CENT: Final = ("_share", "_rate", "beats_average")


class Cell(NamedTuple):
    """What a cell shows, its interval, and what it sorts by: a number, a text, or None where nothing is known."""

    text: str
    ends: str
    sort: float | str | None


class Column(NamedTuple):
    """A heading, and whether cells below it are names, numbers or other text."""

    heading: str
    kind: str
    cells: list[Cell]

    @property
    def room(self) -> int:
        """Characters of the longest interval, so that values stand below each other; 0 where there is none."""
        return max((len(cell.ends) for cell in self.cells), default=0)


class Table(NamedTuple):
    """A table as the page shows it. `left_out` rows did not fit."""

    name: str
    caption: str
    columns: list[Column]
    left_out: int

    @property
    def rows(self) -> list[tuple[Cell, ...]]:
        """Its cells by row."""
        return list(zip(*(column.cells for column in self.columns), strict=True))


def make_table(frame: pd.DataFrame, name: str, caption: str, leave_out: tuple[str, ...] = ()) -> Table:
    """Make a table of a frame, its columns in their order; those of `leave_out` and empty ones are not shown."""
    shown = (
        frame.drop(columns=list(leave_out), errors="ignore").dropna(axis="columns", how="all").head(MOST_ROWS)
    )
    columns, taken = [], set[str]()
    names = [str(column) for column in shown.columns]
    for index, column in enumerate(names):
        if column not in taken:
            ends = _ends(names, index)
            taken.update(ends)
            columns.append(_column(shown, column, ends))
    return Table(name, caption, columns, len(frame) - len(shown))


def _ends(names: list[str], index: int) -> tuple[str, ...]:
    """Return the two columns that hold the interval of a column, if there are any."""
    name = names[index]
    if f"{name}_low" in names and f"{name}_high" in names:
        return f"{name}_low", f"{name}_high"
    return ("low", "high") if names[index + 1 : index + 3] == ["low", "high"] else ()


def _column(frame: pd.DataFrame, name: str, ends: tuple[str, ...]) -> Column:
    values = frame[name]
    share = name.endswith(_PER_CENT)
    heading = HEADINGS.get(name, name.replace("_", " ") + (" %" if share else ""))
    if not pd.api.types.is_numeric_dtype(values) or pd.api.types.is_bool_dtype(values):
        return Column(heading, "name" if name in _NAMES else "text", [_text(value) for value in values])
    lows, highs = (_floats(frame[end]) for end in ends) if ends else ([float("nan")] * len(frame),) * 2
    form = _form(lows, highs, share=share, whole=pd.api.types.is_integer_dtype(values))
    write = p_value if name.startswith("p_") else form.value
    cells = [
        Cell(write(value), form.interval(low, high), None if isnan(value) else value)
        for value, low, high in zip(_floats(values), lows, highs, strict=True)
    ]
    return Column(heading, "number", cells)


class _Form(NamedTuple):
    """How the figures of a column are written: what they are multiplied by, and their decimals."""

    scale: int
    decimals: int
    decimals_of_ends: int

    def value(self, value: float) -> str:
        """Write a figure."""
        return number(self.scale * value, self.decimals)

    def interval(self, low: float, high: float) -> str:
        """Write both ends of an interval, nothing where there is none."""
        if isnan(low):
            return ""
        return " to ".join(number(self.scale * end, self.decimals_of_ends) for end in (low, high))


def _form(lows: list[float], highs: list[float], *, share: bool, whole: bool) -> _Form:
    """Choose a form for a column, as many decimals as its widest interval is worth."""
    margin = (
        max((high - low for low, high in zip(lows, highs, strict=True) if not isnan(low)), default=1.0) / 2
    )
    if share:
        return _Form(100, 1, 0 if margin >= 0.02 else 1)
    decimals = 0 if whole else decimals_for(margin)
    return _Form(1, decimals, decimals)


def _floats(values: "pd.Series[Any]") -> list[float]:
    return [float(value) for value in values.astype("Float64").to_numpy(float, na_value=float("nan"))]


def _text(value: Any) -> Cell:
    if pd.api.types.is_bool(value):
        return Cell("yes" if value else "no", "", "yes" if value else "no")
    text = "" if pd.isna(value) else str(value)
    return Cell(text, "", text or None)
