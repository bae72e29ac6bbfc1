"""Groups of situations that tables have rows for."""

from collections.abc import Iterator
from typing import Final

import pandas as pd

ALL: Final = "all"
OF_TRUMPS: Final = ("trumps", "high_cards")
"""What means nothing where a round has no trump."""
GROUPINGS: Final = ("hand_size", "position", "trumps", "high_cards", "before")
HAND_GROUPS: Final = ((1, 1), (2, 3), (4, 6), (7, 9), (10, 20))
"""Hand sizes that heat maps and rules of thumb take together."""


def groups_of(frame: pd.DataFrame) -> Iterator[tuple[dict[str, object], pd.DataFrame]]:
    """Yield each group as the first cells of its row and its situations.

    Groups are of one agent and number of players: all of its situations, then those of each hand size, position,
    number of trumps and of high cards (rounds without trump left out), and of what was bid before, each by itself
    (`by` says which).
    """
    for (agent, players), table in frame.groupby(["agent", "players"], sort=False):
        head = {"agent": agent, "players": players}
        yield {**head, "by": ALL, "value": ALL}, table
        for name in GROUPINGS:
            asked = table[table["has_trump"]] if name in OF_TRUMPS else table
            for value, rows in asked.groupby(name, observed=True):
                yield {**head, "by": name, "value": str(value)}, rows


def hand_group(frame: pd.DataFrame) -> pd.Series:
    """Return the name of the group that each row's hand size belongs to, as an ordered category."""
    names = [group_name(first, last) for first, last in HAND_GROUPS]
    edges = [0, *(last for _, last in HAND_GROUPS)]
    return pd.cut(frame["hand_size"], edges, labels=names)


def group_name(first: int, last: int) -> str:
    """Name a range of hand sizes."""
    if first == last:
        return str(first)
    return f"{first}+" if (first, last) == HAND_GROUPS[-1] else f"{first}-{last}"
