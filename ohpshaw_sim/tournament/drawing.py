"""Which agents sit at one table: all ways, in an even order, or an even draw of them."""

import hashlib
import math
from collections import Counter
from itertools import combinations
from typing import Final

MOST_LINEUPS: Final = 200
"""Line-ups per number of players; where there are more, this many are drawn evenly."""
_TRIES: Final = 10


def lineups(agents: int, players: int, seed: int) -> list[tuple[int, ...]]:
    """Return the line-ups of so many agents at one table, in the order in which they take turns.

    As many agents as seats: one. Fewer: each as often as possible, and every choice of who sits once more.
    More: every combination, in an order that keeps appearances even; past 200, 200 distinct ones drawn from
    the seed, in which the agents appear equally often but for one or two tables.
    """
    if agents <= players:
        often, extra = divmod(players, agents)
        return [tuple(range(agents)) * often + more for more in combinations(range(agents), extra)]
    if math.comb(agents, players) <= MOST_LINEUPS:
        return _in_even_order(list(combinations(range(agents), players)))
    return _drawn_evenly(agents, players, seed)


def _in_even_order(tables: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Order tables so that after each one the agents have appeared about equally often."""
    seen: Counter[int] = Counter()
    ordered = []
    while tables:
        table = min(tables, key=lambda one: (sum(seen[agent] ** 2 for agent in one), one))
        tables.remove(table)
        seen.update(table)
        ordered.append(table)
    return ordered


def _drawn_evenly(agents: int, players: int, seed: int) -> list[tuple[int, ...]]:
    """Draw 200 distinct tables, each of the agents that have appeared least, ties broken by the seed.

    Where the least seen agents only make tables drawn before, the next least are mixed in.
    """
    seen = [0] * agents
    drawn: list[tuple[int, ...]] = []
    tries = 0
    while len(drawn) < MOST_LINEUPS:
        slack = 1 + tries // _TRIES
        keys = [
            _key(f"line-ups/{seed}/{agents}/{players}/{len(drawn)}/{tries}/{one}") for one in range(agents)
        ]
        order = sorted(range(agents), key=lambda one: (seen[one] + keys[one] % slack, keys[one]))
        table = tuple(sorted(order[:players]))
        tries += 1
        if table not in drawn:
            drawn.append(table)
            tries = 0
            for one in table:
                seen[one] += 1
    return drawn


def _key(text: str) -> int:
    """Return a pseudo-random number that is a pure function of a text."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
