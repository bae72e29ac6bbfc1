"""Of which rounds of a run records are kept: the value of `--records`."""

import re
from typing import Final

from ohpshaw_sim.errors import MalformedError

ALL: Final = "all"
_EVERY: Final = re.compile(r"every:0*([1-9]\d{0,8})")


def read_choice(given: object) -> str:
    """Return `all` or `every:N`, which say of which rounds records are kept. Raises MalformedError.

    >>> read_choice("every:010"), read_choice("every:1")
    ('every:10', 'all')
    """
    if given == ALL:
        return ALL
    found = _EVERY.fullmatch(given) if isinstance(given, str) else None
    if found is None:
        raise MalformedError(
            f"records is {given!r}; it should be all, or every:N for one round in N, as in every:100"
        )
    return ALL if found[1] == "1" else f"every:{found[1]}"


def one_in(choice: str | None) -> int:
    """Return n where one round in n is kept: 1 for all of them, 0 for none (None)."""
    if choice is None:
        return 0
    return 1 if choice == ALL else int(choice.partition(":")[2])
