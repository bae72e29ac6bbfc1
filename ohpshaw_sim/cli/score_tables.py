"""A scored sheet as people read it: tables of rounds and of standings, at most 80 columns wide."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from rich import box
from rich.cells import cell_len, set_cell_size
from rich.table import Table
from rich.text import Text

from ohpshaw_sim.cli.entries import WIDTH
from ohpshaw_sim.records.sheet_cells import CAUGHT_LATER
from ohpshaw_sim.records.sheet_rounds import MISDEAL, SheetRound
from ohpshaw_sim.records.sheet_standings import ScoredSheet

REVOKED: Final = "r"
"""Stands behind the tricks of a seat whose revoke was caught later."""
_EDGES: Final = 2
_LONGEST: Final = 30
_DEALER: Final = 6


class _Figures(NamedTuple):
    """What a player has in a round: bid/tricks, points, running total."""

    tricks: str = ""
    points: str = ""
    total: str = ""


class _Grid(NamedTuple):
    """Headings and rows of cells, a cell being one line or two; columns that stand left, the others right."""

    heads: list[str]
    rows: list[list[str]]
    left: tuple[str, ...]

    def width(self, gap: int) -> int:
        """Return how wide it is with so much between its columns."""
        columns = zip(self.heads, *self.rows, strict=True)
        widths = [max(cell_len(line) for cell in column for line in cell.split("\n")) for column in columns]
        return sum(widths) + gap * (len(widths) - 1) + _EDGES

    def table(self) -> Table:
        """Return it as a table, two spaces between its columns or one where that is too wide."""
        pad = 1 if self.width(2) <= WIDTH else 0
        table = Table(box=box.HORIZONTALS, padding=(0, pad), pad_edge=False, collapse_padding=True)
        for name in self.heads:
            table.add_column(Text(name), justify="left" if name in self.left else "right", no_wrap=True)
        for row in self.rows:
            # rich takes away what is blank at the end before it moves a cell to the right
            table.add_row(*(Text(cell, justify="left" if cell.endswith(" ") else None) for cell in row))
        return table


def rounds_table(sheet: ScoredSheet) -> Table:
    """Return the running table: for each player bid/tricks, points and the running total (B14).

    Where that is too wide for 80 columns, totals and what is announced stand in a second line, and long names are cut.
    """
    flat = _flat(sheet)
    return flat.table() if flat.width(2) <= WIDTH else _stacked(sheet).table()


def _flat(sheet: ScoredSheet) -> _Grid:
    """Return a line for each round."""
    columns = [[_figures(one, seat) for one in sheet.rounds] for seat in range(len(sheet.players))]
    cells = [_aligned(column, cell_len(name)) for column, name in zip(columns, sheet.players, strict=True)]
    dealers = short_names(sheet.players, _LONGEST)
    rows = [
        [*_when(one), _dealt(one, dealers), _told(one), *(column[at] for column in cells)]
        for at, one in enumerate(sheet.rounds)
    ]
    return _Grid(["round", "cards", "dealer", "bids", *sheet.players], rows, ("dealer", "bids"))


def _aligned(column: Sequence[_Figures], width: int) -> list[str]:
    """Return the figures of a player in one line each, points under points and totals under totals."""
    marked = any(one.tricks.endswith(REVOKED) for one in column)
    parts = [
        one._replace(tricks=f"{one.tricks} ") if marked and not one.tricks.endswith(REVOKED) else one
        for one in column
    ]
    widths = [max(map(len, part)) for part in zip(*parts, strict=True)]
    lines = [" ".join(f"{word:>{room}}" for word, room in zip(one, widths, strict=True)) for one in parts]
    return [line.rjust(width) for line in lines]


def _stacked(sheet: ScoredSheet) -> _Grid:
    """Return two lines for each round."""
    cells = [[_two_lines(_figures(one, seat)) for seat in range(len(sheet.players))] for one in sheet.rounds]
    dealers = short_names(sheet.players, _DEALER)
    rows = [
        [*_when(one), f"{_dealt(one, dealers)}\n{_told(one)}", *cells[at]]
        for at, one in enumerate(sheet.rounds)
    ]
    room = _Grid(["round", "cards", "dealer", *[""] * len(sheet.players)], rows, ())
    names = _names_that_fit(
        sheet.players, lambda names: room._replace(heads=[*room.heads[:3], *names]).width(1)
    )
    return _Grid(["round", "cards", "dealer", *names], rows, ("dealer",))


def _two_lines(figures: _Figures) -> str:
    return f"{figures.tricks} {figures.points}".rstrip() + f"\n{figures.total}"


def _names_that_fit(players: Sequence[str], width_with: Callable[[list[str]], int]) -> list[str]:
    """Return the names, cut to the longest at which the table is not too wide."""
    for length in range(_LONGEST, 3, -1):
        names = short_names(players, length)
        if width_with(names) <= WIDTH:
            return names
    return short_names(players, 3)


def _figures(one: SheetRound, seat: int) -> _Figures:
    """Return what a player has in a round: nothing in a misdealt one, a bid in one under way."""
    bid = one.bids[seat]
    if one.tricks is None or one.points is None:
        return _Figures("" if bid is None else f"{bid}/")
    mark = REVOKED if one.revokes[seat] == CAUGHT_LATER else ""
    total = "" if one.extra else str(one.totals[seat])
    return _Figures(f"{bid}/{one.tricks[seat]}{mark}", str(one.points[seat]), total)


def _when(one: SheetRound) -> list[str]:
    return ["extra" if one.extra else str(one.number), "" if one.hand_size is None else str(one.hand_size)]


def _dealt(one: SheetRound, names: Sequence[str]) -> str:
    return "" if one.dealer is None else names[one.dealer]


def _told(one: SheetRound) -> str:
    """Return what is announced; of a round without it, why."""
    return MISDEAL if one.state == MISDEAL else one.announcement or ""


def short_names(names: Sequence[str], width: int) -> list[str]:
    """Return names of at most so many columns that still differ: whole, the first word alone, or cut.

    >>> short_names(["Ann", "Maximilian", "Anna Lena", "Christopher", "Christoph"], 7)
    ['Ann', 'Maximi…', 'Anna', 'Chris…1', 'Chris…2']
    """
    firsts = [name.split()[0] for name in names]
    short = []
    for name, first in zip(names, firsts, strict=True):
        alone = cell_len(first) <= width and firsts.count(first) == 1
        short.append(name if cell_len(name) <= width else first if alone else _cut(name, width))
    for twice in {name for name in short if short.count(name) > 1}:
        for number, seat in enumerate([seat for seat, name in enumerate(short) if name == twice], 1):
            short[seat] = f"{_cut(names[seat], width - 1)}{number}"
    return short


def _cut(name: str, width: int) -> str:
    return set_cell_size(name, width - 1).rstrip() + "…"


def standings_table(sheet: ScoredSheet) -> Table:
    """Return ranks, totals and hits, best first; with the points of tie-break rounds if there were any (B15)."""
    heads = ["rank", "player", "total", "hits", "hit %"]
    tied = bool(sheet.extra)
    rows = []
    for one in sheet.standings:
        rate = f"{100 * one.hits / one.rounds:.0f}" if one.rounds else ""
        rows.append([str(one.rank), *short_names([one.player], _LONGEST), str(one.total)])
        rows[-1] += [f"{one.hits}/{one.rounds}", rate]
        rows[-1] += [" ".join("-" if points is None else str(points) for points in one.extra)] if tied else []
    return _Grid([*heads, *(["tie-break"] if tied else [])], rows, ("player",)).table()
