"""`ohpshaw score`: the score sheet of a real evening, checked and added up."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ohpshaw_sim.cli.choices import FormatChoice
from ohpshaw_sim.cli.rule_flags import RULES, rule_flags, rules_from

if TYPE_CHECKING:
    from ohpshaw_sim.records.score_sheet import ScoreSheet
    from ohpshaw_sim.records.sheet_standings import ScoredSheet
    from ohpshaw_sim.rules import Rules

_STDIN: Final = "-"


@rule_flags
def score(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="The sheet, as CSV or JSON; - reads it from stdin.", show_default=False
        ),
    ],
    seats: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="The players clockwise, as in Ann,Bob,Cem (default: the order of the sheet).",
        ),
    ] = None,
    check_schedule: Annotated[
        bool, typer.Option("--check-schedule", help="Refuse hand sizes other than those of the rules.")
    ] = False,
    output: Annotated[
        FormatChoice, typer.Option("--format", help="Form of the result.")
    ] = FormatChoice.table,
    *,
    rule_options: dict[str, Any],
) -> None:
    """Check and add up the score sheet of a real evening: points, running totals, standings, tie-breaks.

    A sheet has a row for each round: hand size, dealer, and for each player a bid and the tricks won, in columns
    such as "Ann bid" and "Ann tricks". Other layouts, misdeals, revokes and tie-break rounds: docs/score-sheets.md.

    Examples:

      ohpshaw score evening.csv

      ohpshaw score evening.csv --hook --max-hand 7 --seats Ann,Bob,Cem,Dan
    """
    from ohpshaw_sim.records.sheet_reading import read_sheet
    from ohpshaw_sim.records.sheet_scores import score_sheet

    text, source = _read(file)
    sheet = read_sheet(text, source, _names(seats))
    scored = score_sheet(sheet, _rules(sheet, rule_options), check_schedule=check_schedule)
    _write(scored, source, output)


def _read(file: str) -> tuple[str, str]:
    """Return the text of a file, or of stdin, and what to call it."""
    from ohpshaw_sim.errors import FileError, MalformedError

    source = "stdin" if file == _STDIN else file.encode("utf-8", "replace").decode()
    try:
        written = sys.stdin.buffer.read() if file == _STDIN else Path(file).read_bytes()
    except (OSError, ValueError) as error:
        raise FileError(f"{source} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    try:
        return written.decode("utf-8-sig"), source
    except UnicodeDecodeError:
        raise MalformedError(f'{source} is not UTF-8; save it as "CSV UTF-8" and try again') from None


def _names(seats: str | None) -> list[str] | None:
    """Return the names of a list such as `Ann,"Bob, jr",Cem`."""
    import csv

    words = " ".join((seats or "").split())
    return None if seats is None else next(csv.reader([words], skipinitialspace=True), [])


def _rules(sheet: "ScoreSheet", given: dict[str, Any]) -> "Rules":
    """Return the rules of the command, and for what it leaves open those of the sheet."""
    from ohpshaw_sim.records.sheet_reading import rules_of
    from ohpshaw_sim.rule_text import make_rules

    return rules_from(given) if RULES in given else make_rules(rules_of(sheet), **given)


def _write(scored: "ScoredSheet", source: str, output: FormatChoice) -> None:
    """Write a scored sheet to stdout."""
    from ohpshaw_sim.cli.results import write_table
    from ohpshaw_sim.records.sheet_export import sheet_facts, sheet_frame

    if output is FormatChoice.json:
        facts = {"file": source, **sheet_facts(scored)}
        sys.stdout.write(json.dumps(facts, indent=2, ensure_ascii=False) + "\n")
    elif output is FormatChoice.csv:
        from ohpshaw_sim.analysis.writing import table_text

        sys.stdout.write(table_text(sheet_frame(scored)))
    else:
        from ohpshaw_sim.cli.score_tables import rounds_table, standings_table
        from ohpshaw_sim.cli.score_words import remarks

        if scored.rounds:
            write_table(rounds_table(scored))
        write_table(standings_table(scored))
        sys.stdout.write(remarks(scored))
