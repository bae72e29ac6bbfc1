"""Numbers and names as the page writes them."""

import re
from collections.abc import Sequence
from math import isnan
from typing import Final

from markupsafe import Markup, escape

_JOINT: Final = re.compile(r"(?<=[:,+/])")
_WORDS: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_WHOLE: Final = 20
"""Characters of a piece of a name that is kept whole."""
MINUS: Final = "−"


def number(value: float, decimals: int = 2) -> str:
    """Write a number with thousands separated and a proper minus, no sign before a rounded zero.

    >>> number(-1234.567), number(-0.001), number(float("nan"))
    ('−1,234.57', '0.00', '')
    """
    if isnan(value):
        return ""
    text = f"{value:,.{decimals}f}"
    if float(text.replace(",", "")) == 0:
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def p_value(p: float) -> str:
    """Write a p-value with two digits that mean something.

    >>> p_value(0.0312), p_value(0.4), p_value(1e-9)
    ('0.031', '0.40', '< 0.001')
    """
    if isnan(p):
        return ""
    return "< 0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def word(count: int) -> str:
    """Write a small number as a word, a large one in digits.

    >>> word(4), word(1200)
    ('four', '1,200')
    """
    return _WORDS[count] if count < len(_WORDS) else f"{count:,}"


def listed(items: Sequence[str], last: str = "and") -> Markup:
    """Join items as in a sentence; text is escaped, markup is not.

    >>> listed(["a", "b", "c"])
    Markup('a, b and c')
    """
    if len(items) < 2:
        return Markup("").join(items)
    return Markup("{} {} {}").format(Markup(", ").join(items[:-1]), last, items[-1])


def breakable(name: str) -> Markup:
    """Return a name, escaped, that may be broken after its joints, and elsewhere only where it is long."""
    pieces = filter(None, _JOINT.split(name))
    whole = Markup('<span class="piece">{}</span>')
    return Markup("<wbr>").join(
        whole.format(piece) if "-" in piece and len(piece) <= _WHOLE else escape(piece) for piece in pieces
    )


def named(name: str) -> Markup:
    """Return an entrant's name as it stands in a sentence."""
    return Markup('<b class="agent">{}</b>').format(breakable(name))


def decimals_for(margin: float) -> int:
    """Return how many decimals show two digits of a margin that is not tiny; two where there is none."""
    return 3 if margin < 0.0995 else 2
