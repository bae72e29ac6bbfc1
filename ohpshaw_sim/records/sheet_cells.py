"""Cells of a score sheet as people write them, read as numbers, marks and names.

Every cell knows where it stands, so that a refusal can say it: `row 5, column "Bob bid"`.
"""

import difflib
import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from ohpshaw_sim.errors import MalformedError
from ohpshaw_sim.reading import did_you_mean

CAUGHT_BEFORE: Final = "caught-before"
"""A revoke found before the next lead and taken back: no effect (B12)."""
CAUGHT_LATER: Final = "caught-later"
"""A revoke found too late: nothing for the round, less the penalty (B12, V14)."""
_REVOKE: Final = re.compile(r"(?:caught[\s_-]*)?(before|later)", re.IGNORECASE)
_NUMBER: Final = re.compile(r"([+-]?[0-9]{1,6})(?:\.0*)?", re.ASCII)
_EXTRA: Final = re.compile(r"(?:tie[\s_-]*break|extra)(?:[\s_-]*round)?[\s_#-]*([0-9]{1,3})?", re.IGNORECASE)
_YES: Final = ("yes", "y", "x", "true", "1", "✓")
_NO: Final = ("no", "n", "false", "0")
_SHOWN: Final = 40


class Cell(NamedTuple):
    """What is written in a place: text or a value of JSON, None or blank where nothing is."""

    value: object
    where: str

    @property
    def empty(self) -> bool:
        """Whether nothing is written here."""
        return self.value is None or (isinstance(self.value, str) and not self.value.strip())

    @property
    def text(self) -> str:
        """What is written, as text in one form of Unicode."""
        return "" if self.value is None else tidy(str(self.value))

    @property
    def shown(self) -> str:
        """What is written, quoted for a sentence, at most about 40 characters of it."""
        text = self.text if isinstance(self.value, str) else repr(self.value)
        return repr(clipped(text)) if isinstance(self.value, str) else clipped(text)


class Label(NamedTuple):
    """What numbers a round: `extra` for a tie-break round (B15); `number` is None where none is written."""

    number: int | None
    extra: bool


def tidy(text: str) -> str:
    """Return text with single spaces between its words, in one form of Unicode, without invisible characters."""
    words = unicodedata.normalize("NFC", text).split()
    return " ".join(filter(None, ("".join(filter(str.isprintable, word)) for word in words)))


def clipped(text: str) -> str:
    """Return as much of a text as a sentence has room for."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def same_name(text: str) -> str:
    """Return the form in which two spellings of one name or heading agree: without case, in one form of Unicode."""
    return unicodedata.normalize("NFC", tidy(text).casefold())


def heading(text: str) -> str:
    """Return a heading in the form in which those of a sheet are known: `Hand size` as `hand_size`."""
    return re.sub(r"[\s_-]+", "_", same_name(text))


def meant(word: str, known: Sequence[str]) -> str:
    """Return ` (did you mean ...?)` with the known heading that a mistyped one is closest to, or all of them.

    Case, spaces and hyphens are no difference.
    """
    by_form = {heading(name): name for name in known}
    close = difflib.get_close_matches(heading(word), list(by_form), n=1, cutoff=0.6)
    return f' (did you mean "{by_form[close[0]]}"?)' if close else f" (there are: {', '.join(known)})"


def read_number(cell: Cell, what: str) -> int:
    """Return the whole number in a cell; `what` names it in the MalformedError raised when there is none."""
    if cell.empty:
        raise MalformedError(f"{cell.where}: {what} is missing")
    number = _NUMBER.fullmatch(cell.text.replace("−", "-"))
    if number is None:
        raise MalformedError(f"{cell.where}: {what} is {cell.shown}; it should be a whole number")
    return int(number[1])


def read_mark(cell: Cell) -> bool:
    """Return whether a cell says yes; an empty one says no. Raises MalformedError for anything else."""
    if cell.empty or same_name(cell.text) in _NO:
        return False
    if same_name(cell.text) in _YES:
        return True
    raise MalformedError(f"{cell.where}: {cell.shown} is neither yes nor no; write yes, or leave it empty")


def read_label(cell: Cell) -> Label:
    """Return what a cell says of its round: a number, or `tie-break` with or without one. Raises MalformedError."""
    extra = _EXTRA.fullmatch(cell.text) if isinstance(cell.value, str) else None
    if extra:
        return Label(int(extra[1]) if extra[1] else None, extra=True)
    if cell.empty:
        return Label(None, extra=False)
    try:
        return Label(read_number(cell, "the round"), extra=False)
    except MalformedError:
        raise MalformedError(
            f'{cell.where}: the round is {cell.shown}; it should be a number, or "tie-break"'
        ) from None


def read_revoke(cell: Cell) -> str | None:
    """Return `caught-before` or `caught-later`, None for an empty cell (B12). Raises MalformedError."""
    if cell.empty:
        return None
    found = _REVOKE.fullmatch(cell.text)
    if found is None:
        raise MalformedError(
            f"{cell.where}: the revoke is {cell.shown}; write {CAUGHT_BEFORE} or {CAUGHT_LATER} (B12)"
        )
    return CAUGHT_BEFORE if found[1].lower() == "before" else CAUGHT_LATER


def read_player(cell: Cell, players: Sequence[str]) -> int:
    """Return the seat of the player whom a cell names. Raises MalformedError, with a did-you-mean."""
    return find_player(cell.text, players, lambda: f"{cell.where}: ")


def find_player(name: str, players: Sequence[str], where: Callable[[], str] = str) -> int:
    """Return the seat of a player. Raises MalformedError, which begins with what `where` returns."""
    seats = {same_name(player): seat for seat, player in enumerate(players)}
    if same_name(name) not in seats:
        shown = Cell(name, "").shown
        raise MalformedError(f"{where()}there is no player {shown}{did_you_mean(tidy(name), players)}")
    return seats[same_name(name)]
