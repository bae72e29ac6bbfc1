"""A frame as a table for people: headings, an interval in the cell of its value, and what cells sort by.

Columns are read by their names alone, so that a table nobody here has heard of comes out well: `x`, `x_low` and
`x_high` (or `low` and `high` after their value) make one column, shares and rates are per cents, `p_...` are
p-values, names of entrants are set as names.
"""

from typing import Any, Final, NamedTuple

import pandas as pd

from ohpshaw_sim.report.words import decimals_for, number, p_value, percent

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
    "hand_size": "hand size",
}
"""Headings that are not just the column's name."""
_NAMES: Final = ("agent", "other")
_PER_CENT: Final = ("_share", "_rate")


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
    """Make a table of a frame, its columns in their order, those of `leave_out` not shown."""
    shown = frame.drop(columns=[column for column in leave_out if column in frame]).head(MOST_ROWS)
    columns, taken = [], set[str]()
    names = [str(column) for column in shown.columns]
    for index, column in enumerate(names):
        if column in taken:
            continue
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
    share = name.endswith(_PER_CENT)
    heading = HEADINGS.get(name, name.replace("_", " ") + (" %" if share else ""))
    values = frame[name]
    if not pd.api.types.is_numeric_dtype(values) or pd.api.types.is_bool_dtype(values):
        cells = [_text(value) for value in values]
        return Column(heading, "name" if name in _NAMES else "text", cells)
    if ends:
        return Column(heading, "number", _estimates(frame, name, ends, share=share))
    if name.startswith("p_"):
        texts = [p_value(float(value)) for value in values]
    elif pd.api.types.is_integer_dtype(values):
        texts = [number(float(value), 0) for value in values]
    else:
        texts = [percent(value) if share else number(value) for value in values.astype(float)]
    return Column(
        heading, "number", [Cell(text, "", _sort(value)) for text, value in zip(texts, values, strict=True)]
    )


def _estimates(frame: pd.DataFrame, name: str, ends: tuple[str, ...], *, share: bool) -> list[Cell]:
    """Write values with their intervals, as many decimals in a column as its widest interval is worth."""
    values, lows, highs = (frame[column].astype(float) * (100 if share else 1) for column in (name, *ends))
    margin = float((highs - lows).max()) / 2
    of_value, of_ends = (1, 0 if margin >= 2 else 1) if share else (decimals_for(margin),) * 2
    return [
        Cell(
            number(value, of_value),
            "" if pd.isna(low) else f"{number(low, of_ends)} to {number(high, of_ends)}",
            _sort(value),
        )
        for value, low, high in zip(values, lows, highs, strict=True)
    ]


def _text(value: Any) -> Cell:
    text = "" if value is None or value is pd.NA or value != value else str(value)  # noqa: PLR0124  # NaN is not itself
    return Cell(text, "", text or None)


def _sort(value: Any) -> float | None:
    return None if pd.isna(value) else float(value)
