"""Reading what people write: lists and ranges of numbers, durations, TOML files; and what they may have meant."""

import difflib
import re
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

from pydantic import BeforeValidator, ValidationError
from pydantic_core import PydanticCustomError

from ohpshaw_sim.errors import MalformedError, OhPshawError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_SECONDS: Final = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
_LONGEST_LIST: Final = 1_000
_CLOSE: Final = 0.5
"""How alike a word must be to one that it may have been meant for; 1 = the same."""


def _no_bool(given: object) -> object:
    if isinstance(given, bool):
        raise PydanticCustomError("int_type", "true and false are no numbers")
    return given


Whole: TypeAlias = Annotated[int, BeforeValidator(_no_bool)]
"""A whole number in a pydantic model, written as a number or as text; `true` is none."""


def read_numbers(given: object, what: str) -> tuple[int, ...]:
    """Return the whole numbers of a list such as `4`, `3-7`, `7,6,5` or `1-5,4-1`; `what` names it in the
    error.

    A number or a list of numbers, as a TOML file may hold, is taken as it is. Raises MalformedError.

    >>> read_numbers("1-3,2-1", "hand sizes")
    (1, 2, 3, 2, 1)
    """
    if isinstance(given, int) and not isinstance(given, bool):
        return (given,)
    if isinstance(given, Iterable) and not isinstance(given, str):
        return tuple(number for item in given for number in read_numbers(item, what))
    numbers: list[int] = []
    for piece in str(given).replace(" ", "").split(","):
        match = re.fullmatch(r"(\d{1,4})(?:-(\d{1,4}))?", piece)
        if match is None:
            raise MalformedError(f"{given!r} is no list of {what}; write 4, a range 3-7 or a list 7,6,5")
        first, last = int(match[1]), int(match[2] or match[1])
        step = 1 if last >= first else -1
        numbers.extend(range(first, last + step, step))
        if len(numbers) > _LONGEST_LIST:
            raise MalformedError(f"{given!r} lists more than {_LONGEST_LIST} {what}")
    return tuple(numbers)


def write_numbers(numbers: Sequence[int]) -> str:
    """Return numbers as `read_numbers` reads them, runs of three or more, up or down, as ranges.

    >>> write_numbers([1, 2, 3, 4, 3, 2, 7])
    '1-4,3,2,7'
    >>> write_numbers([3, 2, 1, 2, 3])
    '3-1,2,3'
    """
    pieces: list[str] = []
    at = 0
    while at < len(numbers):
        end = max(_end_of_run(numbers, at, 1), _end_of_run(numbers, at, -1))
        if end - at > 2:
            pieces.append(f"{numbers[at]}-{numbers[end - 1]}")
            at = end
        else:
            pieces.append(str(numbers[at]))
            at += 1
    return ",".join(pieces)


def _end_of_run(numbers: Sequence[int], at: int, step: int) -> int:
    """Return where the numbers that go on from one of them by a step end."""
    end = at + 1
    while end < len(numbers) and numbers[end] == numbers[end - 1] + step:
        end += 1
    return end


def read_duration(text: str) -> float:
    """Return the seconds of a duration such as `8h`, `1h30m` or `45s`. Raises MalformedError.

    >>> read_duration("1h30m")
    5400.0
    """
    pieces = re.findall(r"(\d+(?:\.\d+)?)([dhms])", text)
    if not pieces or "".join(number + unit for number, unit in pieces) != text:
        raise MalformedError(f"{text!r} is no duration; write 8h, 1h30m, 10m or 45s")
    seconds = sum(float(number) * _SECONDS[unit] for number, unit in pieces)
    if seconds <= 0:
        raise MalformedError(f"{text!r} leaves no time to play; write 8h, 1h30m, 10m or 45s")
    return seconds


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a TOML file holds, in UTF-8 with or without a byte order mark. Raises MalformedError."""
    try:
        return tomllib.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise MalformedError(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MalformedError(f"{path} is no TOML: {error}") from None
    except (ValueError, RecursionError):
        raise MalformedError(f"{path} cannot be read: a number or nesting without end") from None


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """Return ` (did you mean ...?)` with the known word closest to a mistyped one, or else all of them."""
    close = _close_to(word, known)
    return f" (did you mean {close[0]!r}?)" if close else f" (there are: {', '.join(known)})"


def _close_to(word: str, known: Sequence[str]) -> list[str]:
    """Return the known word closest to a word, as typed or in small letters; nothing when none is close."""
    tries = (difflib.get_close_matches(typed, known, n=1, cutoff=_CLOSE) for typed in (word, word.lower()))
    return next(filter(None, tries), [])


def sentence_of(error: ValidationError, what: str, known: Sequence[str]) -> OhPshawError:
    """Return the first thing a pydantic model found wrong as one of this package's errors.

    `what` names the model, `known` are its fields.
    """
    found = error.errors()
    first = next(
        (one for one in found if one["type"] == "extra_forbidden"), found[0]
    )  # a slip makes two errors
    inner = first.get("ctx", {}).get("error")
    if isinstance(inner, OhPshawError):
        return inner
    where = str(first["loc"][0]) if first["loc"] else what
    if first["type"] == "extra_forbidden":
        return MalformedError(f"{what} has no {where!r}{did_you_mean(where, known)}")
    if first["type"] == "missing":
        return MalformedError(f"{what} needs {where!r}")
    return MalformedError(f"{where} is {first['input']!r}; it should be {_reason(first)}")


def _reason(first: "ErrorDetails") -> str:
    """Return what a value should have been, and the word it was probably meant for."""
    kind = first["type"]
    if kind.startswith("int_"):
        return "a whole number"
    if kind.startswith("bool_"):
        return "true or false"
    if kind == "tuple_type":
        return "a list"
    reason = first["msg"].removeprefix("Input should be ").removeprefix("Value error, ")
    if kind == "literal_error":
        words = re.findall(r"'([^']*)'", first["ctx"]["expected"])
        if _close_to(str(first["input"]), words):
            reason += did_you_mean(str(first["input"]), words)
    return reason
