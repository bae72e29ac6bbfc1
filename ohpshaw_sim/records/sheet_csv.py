"""Score sheets from a spreadsheet, as CSV: which layout it is, and the one with a row for each round.

    round,hand_size,dealer,Ann bid,Ann tricks,Bob bid,Bob tricks,Cem bid,Cem tricks
    1,1,Ann,0,0,1,1,0,0

Commas, semicolons or tabs between the cells. Rows are counted as spreadsheets count them, the heading being row 1.
"""

import csv
import io
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from ohpshaw_sim.errors import ConflictError, MalformedError
from ohpshaw_sim.records.score_sheet import ALIASES, FIGURES, MARKS, ScoreSheet, WrittenRound, seat_players
from ohpshaw_sim.records.sheet_cells import Cell, find_player, heading, meant, same_name, tidy
from ohpshaw_sim.records.sheet_rows import Column, Row, read_long

_OF_PLAYER: Final = re.compile(r"(.+?)[\s_:-]+([^\s_:-]+)")
_REVOKE: Final = re.compile(r"(.+?)[\s:=(_-]+(?:caught[\s_-]*)?(before|later)\)?", re.IGNORECASE)
_LONGEST: Final = 80
"""Characters of a heading."""
_DELIMITERS: Final = ",;\t"


class _Own(NamedTuple):
    """A column of the layout with a row for each round that belongs to a player."""

    player: str
    figure: str
    column: Column


def read_csv(text: str, source: str, seats: Sequence[str] | None = None) -> ScoreSheet:
    """Read a score sheet in either CSV layout; `seats` are the players in seating order.

    Raises MalformedError, ConflictError and IllegalError, which say where but do not name the source.
    """
    rows = _rows(text)
    if not rows:
        raise MalformedError("there is nothing in it")
    columns = [Column(at, tidy(name)) for at, name in enumerate(rows[0].cells)]
    _check_headings(columns)
    _check_width(rows, columns)
    names = [ALIASES.get(heading(column.name), heading(column.name)) for column in columns]
    read = read_long if "player" in names else _read_wide
    players, rounds = read(columns, rows[1:], seats)
    return ScoreSheet(source, players, tuple(rounds))


def _rows(text: str) -> list[Row]:
    """Return the rows in which something is written, with their numbers in a spreadsheet."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    first = lines.lstrip("\n").partition("\n")[0]
    delimiter = max(_DELIMITERS, key=lambda mark: len(next(csv.reader([first], delimiter=mark), [])))
    try:
        cells = list(csv.reader(io.StringIO(lines), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise MalformedError(f"it cannot be read as CSV: {error}") from None
    return [Row(number, row) for number, row in enumerate(cells, 1) if any(map(str.strip, row))]


def _check_headings(columns: Sequence[Column]) -> None:
    """Raise MalformedError for a heading that no sentence could show."""
    for column in columns:
        if len(column.name) > _LONGEST:
            raise MalformedError(f"the heading of column {column.at + 1} has more than {_LONGEST} characters")


def _check_width(rows: Sequence[Row], columns: Sequence[Column]) -> None:
    """Raise MalformedError for something written in a column without a heading."""
    for row in rows[1:]:
        for at, value in enumerate(row.cells):
            if value.strip() and (at >= len(columns) or not columns[at].name):
                raise MalformedError(
                    f"row {row.number}: {Cell(value, '').shown} stands in column {at + 1}, which has no heading"
                )


def _read_wide(
    columns: Sequence[Column], rows: Sequence[Row], seats: Sequence[str] | None
) -> tuple[tuple[str, ...], list[WrittenRound]]:
    """Read the layout with a row for each round."""
    marks, own = _sort_columns(columns)
    found = list({same_name(one.player): one.player for one in own}.values())
    if not found:
        raise MalformedError(
            'no column is a player\'s; write "Ann bid" and "Ann tricks" for each, or a row for each player '
            'with a column "player"'
        )
    _check_pairs(own, found)
    players = seat_players(found, seats)
    return players, [_wide_round(row, marks, own, players) for row in rows]


def _sort_columns(columns: Sequence[Column]) -> tuple[dict[str, Column], list[_Own]]:
    """Return the columns of the round by what they hold, and those of players."""
    marks: dict[str, Column] = {}
    own: list[_Own] = []
    strange: list[Column] = []
    for column in columns:
        name = ALIASES.get(heading(column.name), heading(column.name))
        of_player = _OF_PLAYER.fullmatch(column.name)
        figure = heading(of_player[2]) if of_player else ""
        figure = ALIASES.get(figure, figure)
        if name in (*MARKS, "revoke"):
            if name in marks:
                raise ConflictError(f'the columns "{marks[name].name}" and "{column.name}" are the same')
            marks[name] = column
        elif of_player and figure in FIGURES:
            own.append(_Own(of_player[1], figure, column))
        elif column.name:
            strange.append(column)
    if strange:
        players = dict.fromkeys(one.player for one in own)
        known = [*MARKS, "revoke", *(f"{player} {figure}" for player in players for figure in FIGURES[:2])]
        raise MalformedError(
            f'column "{strange[0].name}" is none of a score sheet\'s{meant(strange[0].name, known)}'
        )
    return marks, own


def _check_pairs(own: Sequence[_Own], found: Sequence[str]) -> None:
    """Raise an error unless each player has one column for bids and one for tricks, and none twice."""
    seen: dict[tuple[str, str], str] = {}
    for one in own:
        key = (same_name(one.player), one.figure)
        if key in seen:
            raise ConflictError(f'the columns "{seen[key]}" and "{one.column.name}" are the same')
        seen[key] = one.column.name
    for player in found:
        for figure, other in (("bid", "tricks"), ("tricks", "bid")):
            if (same_name(player), figure) not in seen:
                there = seen.get((same_name(player), other), player)
                raise MalformedError(f'there is a column "{there}", but no "{player} {figure}"')


def _wide_round(
    row: Row, marks: dict[str, Column], own: Sequence[_Own], players: tuple[str, ...]
) -> WrittenRound:
    """Return the round of a row."""
    cells = {name: row.cell(marks.get(name), name) for name in MARKS}
    figures: dict[str, tuple[Cell, ...]] = {}
    for figure in FIGURES:
        by_seat = [row.cell(None, f"{player} {figure}") for player in players]
        for one in own:
            if one.figure == figure:
                by_seat[find_player(one.player, players)] = row.cell(one.column, "")
        figures[figure] = tuple(by_seat)
    if "revoke" in marks:
        figures["revoke"] = _revokes(row.cell(marks["revoke"], ""), figures["revoke"], players)
    return WrittenRound(row.where, cells, figures)


def _revokes(cell: Cell, by_seat: Sequence[Cell], players: Sequence[str]) -> tuple[Cell, ...]:
    """Return revokes by seat with those of one cell for all, such as `Bob caught-later, Ann caught-before`."""
    cells = list(by_seat)
    for piece in re.split(r"[,;/]", cell.text) if not cell.empty else ():
        told = _REVOKE.fullmatch(piece.strip())
        if told is None:
            raise MalformedError(
                f"{cell.where}: {Cell(tidy(piece), '').shown} should name a player and say when it was found, "
                f'as in "{players[0]} caught-later" or "{players[0]} caught-before" (B12)'
            )
        seat = find_player(told[1], players, lambda: f"{cell.where}: ")
        if not cells[seat].empty:
            raise ConflictError(f"{cell.where}: the revoke of {players[seat]} stands twice")
        cells[seat] = Cell(told[2], cell.where)
    return tuple(cells)
