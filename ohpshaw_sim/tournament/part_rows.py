"""Rows of a part: their kinds, and integer arrays whose columns are PART_COLUMNS."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ohpshaw_sim.engine.tally_schema import PART_COLUMNS, PART_KEYS
from ohpshaw_sim.tournament.schedule import LineUp

SUMS: Final = ("total", "hand_size", "position", "pair", "count", "match", "choice")
"""Kinds of rows that hold the sums of a part."""
SERIES: Final = ("block", "block_pair")
"""Kinds of rows of which each block has its own."""
KINDS: Final = SUMS + SERIES
"""All kinds; a part's rows stand in this order."""

COLUMN: Final = {name: index for index, name in enumerate(PART_COLUMNS)}
"""Where a column stands."""


def blank(count: int, kind: str, lineup: LineUp | None) -> Any:
    """Return rows of one kind, int64 [count, PART_COLUMNS]: keys -1 (does not apply) but for the line-up's, sums 0."""
    rows = np.zeros((count, len(PART_COLUMNS)), np.int64)
    rows[:, : len(PART_KEYS)] = -1
    put(rows, kind=KINDS.index(kind))
    if lineup is not None:
        put(rows, players=lineup.players, lineup=lineup.number)
    return rows


def put(rows: Any, **columns: int | Sequence[int] | Any) -> None:
    """Fill columns of rows by name."""
    for name, values in columns.items():
        rows[:, COLUMN[name]] = values
