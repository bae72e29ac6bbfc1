"""Figures of studies as people read them: a value with both ends of its interval, in a cell or in a sentence."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any, Final

from rich import box
from rich.table import Table
from rich.text import Text

_MINUS: Final = "\N{MINUS SIGN}"


def with_ends(row: Mapping[str, Any], name: str, *, signed: bool = False) -> str:
    """Write a value and its interval: 7.46 (7.31 to 7.61)."""
    value, low, high = (row[f"{name}{end}"] for end in ("", "_low", "_high"))
    if isnan(value):
        return ""
    if isnan(low):
        return _signed(value, 2, signed)
    digits = digits_for((high - low) / 2)
    return f"{_signed(value, digits, signed)} ({_signed(low, digits, signed)} to {_signed(high, digits, signed)})"


def percent_with_ends(row: Mapping[str, Any], name: str, *, signed: bool = False) -> str:
    """Write a share and its interval in per cent, without the sign: 63.2 (62.8 to 63.6)."""
    return with_ends(
        {key: row[key] * 100 for key in (name, f"{name}_low", f"{name}_high")}, name, signed=signed
    )


def with_margin(
    row: Mapping[str, Any], name: str, *, times: float = 1.0, signed: bool = False, digits: int | None = None
) -> str:
    """Write a value with the larger distance to an end of its interval: 7.46 ± 0.15; `digits` are its decimals."""
    value, low, high = (row[f"{name}{end}"] * times for end in ("", "_low", "_high"))
    if isnan(value):
        return ""
    if isnan(low):
        return _signed(value, 2, signed)
    margin = max(high - value, value - low)
    shown = digits_for(margin) if digits is None else digits
    return f"{_signed(value, shown, signed)} ± {margin:.{shown}f}"


def digits_for(margin: float) -> int:
    """Return how many decimals show two digits of a margin that is not tiny."""
    return 3 if margin < 0.0995 else 2


def listed(items: Sequence[str]) -> str:
    """Join items as in a sentence.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


def _signed(value: float, digits: int, signed: bool) -> str:
    text = f"{value:,.{digits}f}"
    if float(text.replace(",", "")) == 0:
        return text.lstrip("-")
    return text.replace("-", _MINUS) if value < 0 else f"+{text}" if signed else text


def plain_table(title: str, columns: Mapping[str, Sequence[str]], *, left: int = 1) -> Table:
    """Return a table of texts for 80 columns; the first `left` columns are names, the others figures."""
    table = Table(
        title=title, title_justify="left", box=box.HORIZONTALS, pad_edge=False, collapse_padding=True
    )
    for index, name in enumerate(columns):
        table.add_column(name, justify="left" if index < left else "right", overflow="fold")
    for cells in zip(*columns.values(), strict=True):
        table.add_row(*(Text(cell) for cell in cells))
    return table
