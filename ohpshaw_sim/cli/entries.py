"""Text for people in 80 columns: a head and what is said of it, wrapped beside it."""

import textwrap
from typing import Final

WIDTH: Final = 80


def entry(head: str, margin: int, text: str) -> str:
    """Return a head and a text beside it, wrapped to 80 columns; the text begins `margin` columns in."""
    lines = textwrap.wrap(text, WIDTH - margin, break_long_words=False, break_on_hyphens=False) or [""]
    first, *rest = lines
    return "".join(
        f"{line}\n" for line in (f"{head:<{margin}}{first}".rstrip(), *(" " * margin + one for one in rest))
    )
