"""Score sheets from a spreadsheet: rows and columns, and the layout with a row for each round and player.

    round,hand_size,dealer,player,bid,tricks
    1,1,Ann,Ann,0,0
    1,1,Ann,Bob,1,1

Rows may come in any order.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ohpshaw_sim.errors import ConflictError, MalformedError
from ohpshaw_sim.records.score_sheet import ALIASES, FIGURES, MARKS, WrittenRound, seat_players
from ohpshaw_sim.records.sheet_cells import (
    Cell,
    Label,
    heading,
    meant,
    read_label,
    read_mark,
    read_player,
    same_name,
)


class Column(NamedTuple):
    """A column's place and its heading as it is written."""

    at: int
    name: str


class Row(NamedTuple):
    """A row's number in a spreadsheet and what is in it."""

    number: int
    cells: list[str]

    @property
    def where(self) -> str:
        """Where it is, for a sentence."""
        return f"row {self.number}"

    def cell(self, column: Column | None, name: str) -> Cell:
        """Return the cell in a column; an empty one where the row is shorter or there is no column of that name."""
        if column is None:
            return Cell(None, f'row {self.number}, column "{name}"')
        value = self.cells[column.at] if column.at < len(self.cells) else None
        return Cell(value, f'row {self.number}, column "{column.name}"')


class _Key(NamedTuple):
    """What the rows of a round share; rounds are in the order of their keys, misdeals before the round dealt again."""

    extra: bool
    number: int
    done: bool
    misdeal: int


def read_long(
    columns: Sequence[Column], rows: Sequence[Row], seats: Sequence[str] | None
) -> tuple[tuple[str, ...], list[WrittenRound]]:
    """Read the layout with a row for each round and player.

    Players are those of the first round, in the order in which the file first names them. Raises MalformedError,
    ConflictError and IllegalError.
    """
    known = _sort_columns(columns)
    groups: dict[_Key, list[Row]] = {}
    for row in rows:
        groups.setdefault(_key(row, known), []).append(row)
    ordered = [(key, groups[key]) for key in sorted(groups)]
    first = next((group for key, group in ordered if key.done), [])
    found = {same_name(cell.text): cell.text for cell in (row.cell(known["player"], "") for row in first)}
    players = seat_players([name for name in found.values() if name], seats)
    return players, [_round(group, known, players, key) for key, group in ordered]


def _sort_columns(columns: Sequence[Column]) -> dict[str, Column]:
    """Return the columns by what they hold."""
    names = (*MARKS, "player", *FIGURES)
    known: dict[str, Column] = {}
    for column in columns:
        name = ALIASES.get(heading(column.name), heading(column.name))
        if name in known:
            raise ConflictError(f'the columns "{known[name].name}" and "{column.name}" are the same')
        if column.name and name not in names:
            raise MalformedError(
                f'column "{column.name}" is none of a score sheet\'s{meant(column.name, names)}'
            )
        known[name] = column
    for name in ("round", "bid", "tricks"):
        if name not in known:
            there = ", ".join(column.name for column in columns if column.name)
            raise MalformedError(
                f'with a row for each player there must be a column "{name}" (there are: {there})'
            )
    return known


def _key(row: Row, known: dict[str, Column]) -> _Key:
    """Return what tells the round of a row."""
    label = _label(row, known)
    misdealt = read_mark(row.cell(known.get("misdeal"), "misdeal")) or says_misdeal(
        row.cell(known.get("note"), "note").text
    )
    nobody = row.cell(known["player"], "").empty
    return _Key(label.extra, label.number or 0, not misdealt, row.number if misdealt and nobody else 0)


def _label(row: Row, known: dict[str, Column]) -> Label:
    cell = row.cell(known["round"], "")
    label = read_label(cell)
    if label.number is None and not label.extra:
        raise MalformedError(f"{cell.where}: the round is missing")
    return Label(label.number, label.extra or read_mark(row.cell(known.get("extra"), "extra")))


def says_misdeal(note: str) -> bool:
    """Return whether a note is the word misdeal and nothing else."""
    return same_name(note) in ("misdeal", "misdealt")


def _round(
    group: Sequence[Row], known: dict[str, Column], players: tuple[str, ...], key: _Key
) -> WrittenRound:
    """Return the round of the rows that belong to it."""
    by_seat: dict[int, Row] = {}
    for row in group:
        cell = row.cell(known["player"], "")
        if cell.empty and not key.done:
            continue
        if cell.empty:
            raise MalformedError(f"{cell.where}: the player is missing")
        seat = read_player(cell, players)
        if seat in by_seat:
            raise ConflictError(
                f"{cell.where}: {players[seat]} stands in this round already, in row {by_seat[seat].number}"
            )
        by_seat[seat] = row
    where = _rows_named([row.number for row in group])
    figures = {
        name: tuple(
            by_seat[seat].cell(known.get(name), name) if seat in by_seat else Cell(None, where)
            for seat in range(len(players))
        )
        for name in FIGURES
    }
    return WrittenRound(where, {name: _shared(group, known.get(name), name) for name in MARKS}, figures)


def _shared(group: Sequence[Row], column: Column | None, name: str) -> Cell:
    """Return the cell that tells of the whole round: the first that is not empty, if no other differs."""
    cells = [row.cell(column, name) for row in group]
    written = [cell for cell in cells if not cell.empty]
    for cell in written if name != "note" else ():
        if same_name(cell.text) != same_name(written[0].text):
            raise ConflictError(
                f"{cell.where}: {cell.shown} contradicts {written[0].shown} of the same round in "
                f"{written[0].where.partition(',')[0]}"
            )
    return written[0] if written else cells[0]


def _rows_named(numbers: Sequence[int]) -> str:
    """Return rows as a sentence names them: `rows 2 to 4`, `rows 2, 5 and 9`."""
    if len(numbers) == 1:
        return f"row {numbers[0]}"
    if numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"rows {numbers[0]} to {numbers[-1]}"
    return f"rows {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"
