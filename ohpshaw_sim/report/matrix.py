"""The pairwise matrix: every entrant's row compared with every other's column."""

from typing import Final, NamedTuple

from ohpshaw_sim.report.columns import Cell
from ohpshaw_sim.report.pairs import Pairs
from ohpshaw_sim.report.words import decimals_for, number

NO_CELL: Final = Cell("", "", None)


class Matrix(NamedTuple):
    """Names by row and column, best first, and cells: the row's points per round less the column's.

    `signs` holds "more" or "less" where the run tells the two apart, else "".
    """

    name: str
    names: list[str]
    cells: list[list[Cell]]
    signs: list[list[str]]


def make_matrix(names: list[str], pairs: Pairs, name: str) -> Matrix:
    """Make the matrix of these entrants; a pair that never met has an empty cell."""
    found = [pairs.get((row, column)) for row in names for column in names]
    margin = max((pair.high - pair.low for pair in found if pair and pair.high == pair.high), default=0.0) / 2
    digits = decimals_for(margin)
    cells, signs = [], []
    for pair in found:
        if pair is None:
            cells.append(NO_CELL)
            signs.append("")
            continue
        ends = f"{number(pair.low, digits)} to {number(pair.high, digits)}" if pair.low == pair.low else ""
        text = number(pair.difference, digits)
        cells.append(
            Cell(f"+{text}" if text.strip("0.") and pair.difference > 0 else text, ends, pair.difference)
        )
        signs.append(("more" if pair.difference > 0 else "less") if pair.apart else "")
    width = len(names)
    split = range(0, width * width, width)
    return Matrix(name, names, [cells[i : i + width] for i in split], [signs[i : i + width] for i in split])
