"""Endings that were solved, on stdout: for people in 80 columns, as JSON lines or as CSV."""

import csv
import json
import sys
import time
from typing import Any, Final

from ohpshaw_sim.cards import format_card, format_cards
from ohpshaw_sim.cli.choices import FormatChoice
from ohpshaw_sim.cli.entries import WIDTH, entry
from ohpshaw_sim.cli.hands import SUIT_WORDS, Paper, card_text, hand_rows
from ohpshaw_sim.cli.progress import FIRST_LINE, LINES_EVERY
from ohpshaw_sim.engine.endings import PlayWorth, Solution
from ohpshaw_sim.engine.positions import Position
from ohpshaw_sim.records.files import Located
from ohpshaw_sim.rule_text import rules_text

COLUMNS: Final = ("line", "trick", "seat", "card", "best", "bid", "of_seat", "points")
_LONGEST_NAME: Final = 14
_POINTS: Final = 9
"""Columns of a seat's points."""


class Printer:
    """Writes endings to stdout in the form asked for."""

    def __init__(self, output: FormatChoice) -> None:
        self._output, self._first, self._paper = output, True, Paper()

    def show(self, located: Located, position: Position, solution: Solution) -> None:
        """Write one ending."""
        if self._output is FormatChoice.json:
            self._paper.write(json.dumps(ending_table(located.line, position, solution)))
        elif self._output is FormatChoice.csv:
            writer = csv.writer(sys.stdout, lineterminator="\n")
            if self._first:
                writer.writerow(COLUMNS)
            writer.writerows(_rows(located.line, position, solution))
        else:
            self._paper.write(*([] if self._first else [""]))
            self._tell(located, position, solution)
        self._first = False

    def _tell(self, located: Located, position: Position, solution: Solution) -> None:
        """Write the position, and a table of cards and seats."""
        names = _names(located, position.players)
        title = f"line {located.line}, trick {_trick(position)}"
        trump = "no trump" if position.trump < 0 else f"{SUIT_WORDS[position.trump]} are trump"
        self._paper.write(f"{title}: {trump}; {rules_text(position.rules)}"[:WIDTH], bold=True)
        heads = [
            f"{name}, {position.tricks[seat]} of {position.bids[seat]}" for seat, name in enumerate(names)
        ]
        hands = list(zip(heads, position.hands, strict=True))
        self._paper.write(*hand_rows(hands, position.rules.pack_mask, position.trump))
        self._paper.write(*_table_words(position, names).splitlines(), "")
        self._paper.write(*_worth(solution, names))


def _names(located: Located, players: int) -> list[str]:
    """Return what seats are called."""
    given = located.record.names or ("seat",) * players
    plain = ["".join(sign if sign.isprintable() else " " for sign in name).strip() for name in given]
    if located.record.names is None:
        return [f"seat {seat}" for seat in range(players)]
    return [f"{seat} {name}"[:_LONGEST_NAME] for seat, name in enumerate(plain)]


def _trick(position: Position) -> int:
    """Return the number of the trick under way."""
    return sum(position.tricks) + 1


def _table_words(position: Position, names: list[str]) -> str:
    """Say who is to play, and to what."""
    seat = names[position.seat]
    if not position.table:
        return f"{seat} is to lead."
    _, best, winner = position.led_by()
    table = " ".join(card_text(card) for card in position.table)
    text = f"{seat} is to play to {table}; {card_text(best)} of {names[winner]} is winning."
    return entry("", 0, text)


def _worth(solution: Solution, names: list[str]) -> list[str]:
    """Return the table: points by card and seat, and what becomes of the bid."""
    short = [name[: _POINTS - 1] for name in names]
    rows = [f"{'':9}" + "".join(f"{name:>{_POINTS}}" for name in short) + "  its bid"]
    for play in solution.plays:
        mark = "*" if play.best else " "
        points = "".join(f"{value:>{_POINTS}.2f}" for value in play.points)
        rows.append(f"  {card_text(play.card):<4}{mark}  {points}  {_prospect(play.sure, play.possible)}")
    points = "".join(f"{value:>{_POINTS}.2f}" for value in solution.points)
    prospects = [_prospect(*pair) for pair in zip(solution.sure, solution.possible, strict=True)]
    rows += [
        f"  {'in all':<7}{points}",
        f"  {'bids':<7}" + "".join(f"{word:>{_POINTS}}" for word in prospects),
    ]
    return rows


def _prospect(sure: bool, possible: bool) -> str:
    """Return in a word whether a bid will be hit."""
    return "sure" if sure else "open" if possible else "lost"


def ending_table(line: int, position: Position, solution: Solution) -> dict[str, Any]:
    """Return an ending as a JSON object; `line` is where its record begins."""
    return {
        "line": line,
        "trick": _trick(position),
        "rules": rules_text(position.rules),
        "seat": solution.seat,
        "hands": [format_cards(hand) for hand in position.hands],
        "bids": list(position.bids),
        "tricks": list(position.tricks),
        "table": [format_card(card) for card in position.table],
        "plays": [_play(play) for play in solution.plays],
        "points": list(solution.points),
        "bid": [_prospect(*pair) for pair in zip(solution.sure, solution.possible, strict=True)],
        "positions": solution.positions,
    }


def _play(play: PlayWorth) -> dict[str, Any]:
    return {
        "card": format_card(play.card),
        "best": play.best,
        "bid": _prospect(play.sure, play.possible),
        "points": list(play.points),
    }


def _rows(line: int, position: Position, solution: Solution) -> list[tuple[Any, ...]]:
    """Return a row for each card and seat, under COLUMNS."""
    trick = _trick(position)
    return [
        (
            line,
            trick,
            solution.seat,
            format_card(play.card),
            int(play.best),
            _prospect(play.sure, play.possible),
            seat,
            points,
        )
        for play in solution.plays
        for seat, points in enumerate(play.points)
    ]


class Progress:
    """Says on stderr how many positions were looked at, after two seconds and every ten from then on.

    How many there are to be is not known before the end.
    """

    def __init__(self) -> None:
        self._begun = self._due = 0.0
        self._before = 0

    def __call__(self, positions: int) -> None:
        """Take note of how far the search is."""
        now = time.monotonic()
        if not self._begun:  # what came before it may have waited for the compiler
            self._begun, self._due, self._before = now, now + FIRST_LINE, positions
        elif now >= self._due:
            self._due = now + LINES_EVERY
            rate = (positions - self._before) / (now - self._begun)
            sys.stderr.write(f"{positions:,} positions, {rate:,.0f}/s; how many there are shows at the end\n")
            sys.stderr.flush()
