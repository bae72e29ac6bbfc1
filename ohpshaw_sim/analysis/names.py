"""Entrants' names in little room: broken at their joints, shortened where a piece is still too long."""

import re
from typing import Final

_PIECE: Final = re.compile(r"[^:,+/#]*[:,+/]?(?:#\d+)?")


def break_name(name: str, width: int) -> str:
    """Break a name into lines of at most `width` (>= 8) characters, after `:`, `,`, `+` and `/`.

    A piece that is longer loses its middle to an ellipsis.

    >>> print(break_name("monte-carlo:worlds=200,rollout=greedy+count-winners", 24))
    monte-carlo:worlds=200,
    rollout=greedy+
    count-winners
    """
    lines = [""]
    for piece in filter(None, _PIECE.findall(name)):
        short = _shorten(piece, width)
        if len(lines[-1]) + len(short) > width:
            lines.append(short)
        else:
            lines[-1] += short
    return "\n".join(filter(None, lines))


def _shorten(text: str, width: int) -> str:
    """Cut the middle out of a text that is too long."""
    if len(text) <= width:
        return text
    head = (width - 1) // 2
    return f"{text[:head]}…{text[len(text) - (width - 1 - head) :]}"
