"""Files of round records: one object, a JSON array of them, or one to a line (JSONL); `-` is standard input.

Blank lines and a byte order mark are passed over. Lines are read as they are needed:
a file may be of any length.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, NoReturn

from ohpshaw_sim.errors import FileError, MalformedError, OhPshawError
from ohpshaw_sim.records.record import RoundRecord, read_record

STDIN: Final = "-"
_BOM: Final = b"\xef\xbb\xbf"
_SPACE: Final = " \t\r\n"
_LONGEST: Final = 300
"""Characters of an error at most: it may quote what is written in a record."""


class Located(NamedTuple):
    """A record and the line on which it begins, 1 for the first."""

    line: int
    record: RoundRecord


def record_files(given: Iterable[str]) -> list[str]:
    """Return the files that names stand for: a folder for the `.jsonl` files in it, by name, a run's for its records.

    Raises FileError for a folder without any.
    """
    found = []
    for name in given:
        folder = Path(name)
        if name == STDIN or not folder.is_dir():
            found.append(name)
            continue
        inside = sorted(folder.glob("*.jsonl")) or sorted((folder / "records").glob("*.jsonl"))
        if not inside:
            raise FileError(f"{name} has no round records in it; files of records end in .jsonl")
        found += map(str, inside)
    return found


def read_records(path: Path | str) -> Iterator[Located]:
    """Yield the records of a file, or of standard input for `-`.

    Raises FileError when the file cannot be read; MalformedError, IllegalError or ConflictError, each
    beginning with `file:line:`, for what is no record.
    """
    name = "<stdin>" if str(path) == STDIN else str(path)
    try:
        if str(path) == STDIN:
            yield from read_lines(sys.stdin.buffer, name)
        else:
            with _open(path) as lines:
                yield from read_lines(lines, name)
    except OSError as error:
        raise FileError(f"{name} cannot be read: {error.strerror or error}") from None


def _open(path: Path | str) -> IO[bytes]:
    try:
        return Path(path).open("rb")
    except ValueError:  # a zero byte in it
        raise FileError(f"{str(path)!r} is no name of a file") from None


def read_lines(lines: Iterable[bytes], name: str) -> Iterator[Located]:
    """Yield the records of a file's lines; `name` is what its errors call it. Raises as `read_records` does."""
    rest = enumerate(lines, start=1)
    number, first = next(
        ((number, line) for number, line in rest if line.removeprefix(_BOM).strip()), (1, b"")
    )
    text = _decode(first.removeprefix(_BOM), name, number)
    if not text.strip():
        raise MalformedError(
            f'{name}:1: there is no record; a record is an object such as {{"players": 4, ...}}'
        )
    if not _stands_alone(text):
        pieces = [text, *(_decode(line, name, at) for at, line in rest)]
        yield from _read_document("".join(pieces), name, number)
        return
    yield _located(_parse(text, name, number), name, number)
    for at, line in rest:
        text = _decode(line, name, at)
        if text.strip(_SPACE):
            yield _located(_parse(text, name, at), name, at)


def _stands_alone(text: str) -> bool:
    """Tell whether a line is a value by itself, and no list: then every line is."""
    if text.lstrip(_SPACE).startswith("["):
        return False
    try:
        _DECODER.decode(text)
    except (ValueError, RecursionError, MalformedError):
        return False
    return True


def _read_document(text: str, name: str, first: int) -> Iterator[Located]:
    """Yield the records of a text that is an object or a list of objects over several lines."""
    at = _skip(text, 0)
    if text[at] == "[":
        at = _skip(text, at + 1)
        another, counted, line = text[at : at + 1] != "]", 0, first
        while another:
            line, counted = line + text.count("\n", counted, at), at
            value, at = _parse_at(text, at, name, first)
            yield _located(value, name, line)
            at = _skip(text, at)
            another = text[at : at + 1] == ","
            if another:
                at = _skip(text, at + 1)
            elif text[at : at + 1] != "]":
                _refuse(text, at, name, first, "a comma or ] should come after a record")
        at += 1
    else:
        line = first + text.count("\n", 0, at)
        value, at = _parse_at(text, at, name, first)
        yield _located(value, name, line)
    at = _skip(text, at)
    if at < len(text):
        _refuse(text, at, name, first, "nothing more should come here; several records go one to a line")


def _skip(text: str, at: int) -> int:
    """Return where the next thing begins."""
    while text[at : at + 1] and text[at] in _SPACE:
        at += 1
    return at


def _refuse(text: str, at: int, name: str, first: int, why: str) -> NoReturn:
    raise MalformedError(f"{name}:{first + text.count(chr(10), 0, at)}: {why}")


def _located(value: Any, name: str, line: int) -> Located:
    try:
        return Located(line, read_record(value))
    except RecursionError as error:
        raise MalformedError(f"{name}:{line}: {_no_json(error)}") from None
    except OhPshawError as error:
        raise type(error)(f"{name}:{line}: {_shortened(error)}") from None


def _shortened(error: OhPshawError) -> str:
    text = str(error)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _parse(text: str, name: str, line: int) -> Any:
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError, MalformedError) as error:
        raise MalformedError(f"{name}:{line}: {_no_json(error)}") from None


def _parse_at(text: str, at: int, name: str, first: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError, MalformedError) as error:
        where = error.pos if isinstance(error, json.JSONDecodeError) else at
        _refuse(text, where, name, first, _no_json(error))


def _no_json(error: Exception) -> str:
    """Return what is said of text that is no JSON."""
    if isinstance(error, json.JSONDecodeError):
        return f"this is no JSON: {error.msg} (column {error.colno})"
    if isinstance(error, RecursionError):
        return "this is no record: its lists are too deep"
    return str(error) if isinstance(error, MalformedError) else "this is no JSON: a number is too long"


def _decode(line: bytes, name: str, number: int) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise MalformedError(f"{name}:{number}: byte {error.start + 1} of this line is no UTF-8") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; refuse one that has a key twice, for one of them would be lost."""
    table = dict(pairs)
    if len(table) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise MalformedError(f"{twice!r} stands there twice; leave one out")
    return table


def _constant(word: str) -> NoReturn:
    raise MalformedError(f"this is no JSON: {word} is no number")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
