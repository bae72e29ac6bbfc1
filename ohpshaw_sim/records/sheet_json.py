"""Score sheets as JSON.

    {"rules": "river:max_hand=7", "players": ["Ann", "Bob", "Cem"],
     "rounds": [{"hand_size": 1, "dealer": "Ann", "bids": {"Ann": 0, "Bob": 1, "Cem": 0},
                 "tricks": {"Ann": 0, "Bob": 1, "Cem": 0}}]}

Bids and tricks by name, or as a list in seating order.
"""

import json
from collections.abc import Sequence
from typing import Any, Final

from ohpshaw_sim.errors import ConflictError, MalformedError
from ohpshaw_sim.reading import did_you_mean
from ohpshaw_sim.records.score_sheet import ALIASES, FIGURES, MARKS, ScoreSheet, WrittenRound, seat_players
from ohpshaw_sim.records.sheet_cells import Cell, clipped, find_player, heading, tidy

_KEYS: Final = ("rules", "players", "rounds")
_MANY: Final = {"bid": "bids", "tricks": "tricks", "revoke": "revokes", "points": "points", "total": "totals"}
"""The key under which each of the figures stands for all players."""
_ONE: Final = {many: one for one, many in _MANY.items()}


def read_json(text: str, source: str, seats: Sequence[str] | None = None) -> ScoreSheet:
    """Read a score sheet from JSON; `seats` are the players in another seating order.

    Raises MalformedError, ConflictError and IllegalError, which say where but do not name the source.
    """
    sheet = _object(_parse(text), "the sheet")
    for key in sheet:
        if key not in _KEYS:
            raise MalformedError(f'the sheet has a key "{clipped(tidy(key))}"{did_you_mean(key, _KEYS)}')
    for key in ("players", "rounds"):
        if not isinstance(sheet.get(key), list):
            raise MalformedError(f'the sheet needs "{key}", a list')
    for name in sheet["players"]:
        if not isinstance(name, str):
            raise MalformedError(f'"players" has {Cell(name, "").shown}, which is no name')
    players = seat_players(sheet["players"], None)
    seated = seat_players(players, seats)
    rounds = [_round(number, given, players, seated) for number, given in enumerate(sheet["rounds"], 1)]
    return ScoreSheet(source, seated, tuple(rounds), _rules(sheet.get("rules")))


def _parse(text: str) -> Any:
    try:
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise MalformedError(
            f"row {error.lineno}, column {error.colno}: it is no JSON ({error.msg})"
        ) from None
    except (ValueError, RecursionError):
        raise MalformedError("it is no JSON that can be read (a number or nesting without end)") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a table of pairs; raise ConflictError for a key that stands twice."""
    table = dict(pairs)
    if len(table) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for at, key in enumerate(keys) if key in keys[:at])
        raise ConflictError(f"{Cell(twice, '').shown} stands twice in one place")
    return table


def _object(given: Any, what: str) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise MalformedError(f"{what} is {Cell(given, '').shown}; it should be a table {{...}}")
    return given


def _rules(given: Any) -> str | dict[str, Any] | None:
    """Return what the sheet says of its rules, if it is of a kind that rules are read from."""
    if given is None or isinstance(given, str):
        return given
    table = _object(given, '"rules"')
    if not isinstance(table.get("preset", ""), str):
        raise MalformedError(
            f'the preset of "rules" is {Cell(table["preset"], "").shown}; it should be a name'
        )
    return table


def _round(number: int, given: Any, players: tuple[str, ...], seated: tuple[str, ...]) -> WrittenRound:
    """Return a round; lists go by `players`, the order of the sheet, cells by `seated`."""
    where = f'item {number} of "rounds"'
    marks = {name: Cell(None, f'{where}, "{name}"') for name in MARKS}
    figures = {name: _figures(None, f'{where}, "{_MANY[name]}"', players, seated) for name in FIGURES}
    written: set[str] = set()
    for key, value in _object(given, where).items():
        name = _ONE.get(key) or ALIASES.get(heading(key), heading(key))
        if name not in (*MARKS, *FIGURES):
            raise MalformedError(
                f'{where} has a key "{clipped(tidy(key))}"{did_you_mean(key, [*MARKS, *_ONE])}'
            )
        if name in written:
            raise ConflictError(f'{where}: "{key}" stands twice, under another name')
        written.add(name)
        if name in MARKS:
            marks[name] = _mark(value, f'{where}, "{key}"')
        else:
            figures[name] = _figures(value, f'{where}, "{key}"', players, seated)
    return WrittenRound(where, marks, figures)


def _mark(value: Any, where: str) -> Cell:
    if isinstance(value, dict | list):
        raise MalformedError(f"{where} is {Cell(value, '').shown}; it should be one word or number")
    return Cell(value, where)


def _figures(given: Any, where: str, players: tuple[str, ...], seated: tuple[str, ...]) -> tuple[Cell, ...]:
    """Return the cells of a figure by seat from a table by name, a list in the order of `players`, or nothing."""
    cells = [Cell(None, f'{where} of "{name}"') for name in seated]
    if isinstance(given, list):
        if len(given) > len(players):
            raise MalformedError(f"{where} has {len(given)} values for {len(players)} players")
        given = dict(zip(players, given, strict=False))
    written: set[int] = set()
    for name, value in _object({} if given is None else given, where).items():
        seat = find_player(name, seated, lambda: f"{where}: ")
        if seat in written:
            raise ConflictError(f"{where}: {seated[seat]} stands twice")
        written.add(seat)
        cells[seat] = _mark(value, cells[seat].where)
    return tuple(cells)
