"""`ohpshaw solve`: what each card is worth when all cards are open."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

from typing import Annotated, Final

import typer

from ohpshaw_sim.cli.choices import FormatChoice, TiesChoice

MOST: Final = 200
"""Million positions."""
_MILLION: Final = 1_000_000


def solve(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="Round records, as for `ohpshaw replay`; - = stdin.", show_default=False
        ),
    ],
    line: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Only the record that begins on this line (default: all)."),
    ] = None,
    trick: Annotated[
        int | None,
        typer.Option(
            metavar="K", min=1, help="Begin where trick K was led (default: where the record ends)."
        ),
    ] = None,
    bids: Annotated[
        str | None, typer.Option(metavar="LIST", help="Bids by seat, as in 1,0,2, instead of the record's.")
    ] = None,
    ties: Annotated[
        TiesChoice, typer.Option(help="Which of its equally good cards a seat plays, see above.")
    ] = TiesChoice.average,
    most: Annotated[
        int, typer.Option(metavar="N", min=1, help="Give up after so many million positions.")
    ] = MOST,
    output: Annotated[
        FormatChoice, typer.Option("--format", help="A table, or JSON or CSV lines.")
    ] = FormatChoice.table,
) -> None:
    """Solve the ending of a round with open cards: what each card is worth to each seat.

    Every seat plays for the largest expected score of its own. Between cards that
    are worth the same to it, --ties decides: `average` plays each with the same
    chance, `spite` those that leave the others the least, `first` the lowest.
    Beside each card stands whether its seat then hits its bid against all the
    others together (sure), with their help (open) or not at all (lost).

    Up to 24 cards in all hands take a moment, 36 may take minutes;
    docs/endings.md tells more.

    Examples:

      ohpshaw solve round.jsonl --trick 2

      ohpshaw deal --hand-size 4 --seed 1 --format json |
        ohpshaw solve - --bids 1,0,2,1
    """
    from ohpshaw_sim.cli.ending_tables import Printer, Progress
    from ohpshaw_sim.engine.endings import solve as solve_position
    from ohpshaw_sim.errors import MalformedError, OhPshawError
    from ohpshaw_sim.reading import read_numbers
    from ohpshaw_sim.records.ending_at import position_of
    from ohpshaw_sim.records.files import read_records

    printer, found = Printer(output), False
    name = "<stdin>" if file == "-" else file
    said = None if bids is None else read_numbers(bids, "bids")
    for located in read_records(file):
        if line not in (None, located.line):
            continue
        found = True
        try:
            position = position_of(located.record, trick, said)
            solution = solve_position(position, ties.value, most=most * _MILLION, progress=Progress())
        except OhPshawError as error:
            raise type(error)(f"{name}:{located.line}: {error}") from None
        printer.show(located, position, solution)
    if not found:
        raise MalformedError(f"{name} has no record that begins on line {line}")
