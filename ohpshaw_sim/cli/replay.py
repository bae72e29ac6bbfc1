"""`ohpshaw replay`: round records read out, judged by the rules."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

import csv
import io
import json
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ohpshaw_sim.cli.choices import FormatChoice
from ohpshaw_sim.errors import ConflictError

if TYPE_CHECKING:
    from ohpshaw_sim.records.match import Standing
    from ohpshaw_sim.records.record import RoundRecord
    from ohpshaw_sim.records.verdict import Verdict

BROKEN_CODE: Final = 4
_FIRST_LINE: Final = 2.0
_LINES_EVERY: Final = 10.0


def replay(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="A round record, a JSON array of them, or one a line; - = stdin. Or a folder of such files "
            "(*.jsonl), as a run that keeps its records.",
            show_default=False,
        ),
    ],
    brief: Annotated[bool, typer.Option("--brief", help="One line for each round.")] = False,
    output: Annotated[
        FormatChoice,
        typer.Option("--format", help="An account, JSON (a line for each round) or CSV (for each seat)."),
    ] = FormatChoice.table,
) -> None:
    """Replay rounds from a file: who won what and why, whose turn it is, or the first rule that is broken.

    Exit code 0: all rounds are in order, finished or not. 1: the file cannot
    be read. 2: something in it is no record, or the request is wrong.
    4: a record breaks a rule. docs/records.md tells of the form of a record.

    Examples:

      ohpshaw replay evening.jsonl --brief

      ohpshaw replay results/tour/records --format csv > seats.csv
    """
    if brief and output is not FormatChoice.table:
        raise ConflictError(f"--brief and --format {output.value} exclude each other; leave one of them out")
    from ohpshaw_sim.records.files import read_records, record_files
    from ohpshaw_sim.records.judge import judge
    from ohpshaw_sim.records.match import Totals

    named = record_files(files)
    printer = _Printer(output, brief=brief, several=len(named) > 1)
    counter, totals, progress = Counter[str](), Totals(), _Progress()
    try:
        for file in named:
            totals.end_match()
            for line, record in read_records(file):
                verdict = judge(record)
                printer.show(file, line, record, verdict, totals.add(record, verdict))
                counter[verdict.status.value] += 1
                progress.step()
    finally:
        sys.stdout.flush()
        if counter:
            sys.stderr.write(_summary(counter) + "\n")
    if counter["broken"]:
        raise typer.Exit(BROKEN_CODE)


def _summary(counter: "Counter[str]") -> str:
    records = counter.total()
    text = f"{records:,} record{'s' if records != 1 else ''}: "
    text += ", ".join(f"{counter[status]:,} {status}" for status in ("finished", "unfinished", "broken"))
    return text + (f", {counter['misdeal']:,} misdealt" if counter["misdeal"] else "")


class _Printer:
    """Writes rounds to stdout in the form asked for."""

    def __init__(self, output: FormatChoice, *, brief: bool, several: bool) -> None:
        self._output, self._brief, self._several, self._first = output, brief, several, True
        self._encoding = sys.stdout.encoding or "utf-8"
        self._symbols = _can_encode("♥", self._encoding)

    def show(
        self, file: str, line: int, record: "RoundRecord", verdict: "Verdict", standing: "Standing"
    ) -> None:
        """Write one round; where there are several files, with the name of its own."""
        from ohpshaw_sim.records.account import Account
        from ohpshaw_sim.records.tables import COLUMNS, seat_rows, verdict_table

        if self._output is FormatChoice.json:
            table = {**self._of(file), **verdict_table(line, record, verdict, standing)}
            self._write(json.dumps(table) + "\n")
        elif self._output is FormatChoice.csv:
            rows = io.StringIO()
            writer = csv.writer(rows, lineterminator="\n")
            if self._first:
                writer.writerow([*self._of(file), *COLUMNS])
            own = self._of(file).values()
            writer.writerows([(*own, *row) for row in seat_rows(line, record, verdict, standing)])
            self._write(rows.getvalue())
        else:
            account = Account(record, verdict, standing, symbols=self._symbols)
            where = f"{file}:{line}" if self._several else f"line {line}"
            lines = (
                [account.brief(where)] if self._brief else [*([] if self._first else [""]), *account.lines()]
            )
            self._write("".join(f"{one}\n" for one in lines))
        self._first = False

    def _of(self, file: str) -> dict[str, str]:
        """Return what says which file a round is from, where there are several."""
        return {"file": file} if self._several else {}

    def _write(self, text: str) -> None:
        """Write text, with an escape for what stdout cannot encode."""
        sys.stdout.write(text.encode(self._encoding, "backslashreplace").decode(self._encoding))


def _can_encode(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


class _Progress:
    """Says on stderr how far things are, after two seconds and every ten from then on."""

    def __init__(self) -> None:
        self._begun, self._done = time.monotonic(), 0
        self._due = self._begun + _FIRST_LINE

    def step(self) -> None:
        """Count a record."""
        self._done += 1
        now = time.monotonic()
        if now >= self._due:
            self._due = now + _LINES_EVERY
            sys.stderr.write(f"{self._done:,} records, {self._done / (now - self._begun):,.0f}/s\n")
            sys.stderr.flush()
