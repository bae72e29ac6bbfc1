"""Reading a score sheet, whatever its layout, and the rules it names."""

from collections.abc import Sequence
from typing import Final

from ohpshaw_sim.errors import MalformedError, OhPshawError
from ohpshaw_sim.records.score_sheet import ScoreSheet
from ohpshaw_sim.records.sheet_cells import Cell, tidy
from ohpshaw_sim.records.sheet_csv import read_csv
from ohpshaw_sim.records.sheet_json import read_json
from ohpshaw_sim.rule_text import read_rules
from ohpshaw_sim.rules import Rules

_JSON: Final = ".json"
_LONGEST: Final = 400
"""Characters of a reason; of a longer one its beginning and its end are shown."""
_HEAD: Final = 100


def read_sheet(text: str, source: str, seats: Sequence[str] | None = None) -> ScoreSheet:
    """Read a score sheet, JSON if its source ends in .json or it begins with a brace, else CSV.

    `source` names it in errors. `seats` are the players in seating order; without them that of the columns, of the
    first round's rows or of JSON's `players`. Raises MalformedError, ConflictError or IllegalError.
    """
    as_json = source.lower().endswith(_JSON) or text.lstrip("\ufeff \t\r\n").startswith("{")
    try:
        return (read_json if as_json else read_csv)(text, source, seats)
    except OhPshawError as error:
        raise type(error)(f"{source}: {error}") from None


def rules_of(sheet: ScoreSheet) -> Rules:
    """Return the rules that a sheet names, the base game if it names none.

    Raises MalformedError, ConflictError or IllegalError.
    """
    try:
        return Rules() if sheet.rules is None else read_rules(sheet.rules)
    except OhPshawError as error:
        reason = tidy(str(error))
        if len(reason) > _LONGEST:  # it quotes what is no name of anything
            reason = f"{reason[:_HEAD]}…{reason[_HEAD - _LONGEST :]}"
        raise type(error)(f'{sheet.source}: "rules": {reason}') from None
    except ValueError:  # a path that no system can have
        raise MalformedError(
            f'{sheet.source}: "rules" is {Cell(sheet.rules, "").shown}; no rules have that name'
        ) from None
