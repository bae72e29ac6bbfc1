"""Agents that beat each other in a ring: A beats B, B beats C, and C beats A, each clear after correction."""

from collections import deque
from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

import pandas as pd

from ohpshaw_sim.analysis.pairwise import pairwise
from ohpshaw_sim.analysis.run import Run

CLEAR: Final = 0.05
"""Corrected p-value below which one beats the other."""
COLUMNS: Final = ("players", "cycle", "agents", "least_difference", "largest_p_holm")


def cycles(run: Run) -> pd.DataFrame:
    """List the rings in which each agent beats the next, per number of players: those of three, and where there are
    none among agents that lie in a ring, a shortest one.

    Columns: `players`, `cycle` (the agents in turn, the first one again at the end), `agents` (how many), and of the
    steps of the ring the `least_difference` in points per round and the `largest_p_holm`. Differences are those of
    `pairwise`: at the tables where both sat, whoever else did. Since its p-values are corrected for all pairs, at most
    one run in twenty shows a ring with a step that is not there. Clearest rings first.
    """
    frame = pairwise(run)
    rows = [
        row
        for players in sorted(frame["players"].unique())
        for row in _of(frame[frame["players"] == players])
    ]
    found = pd.DataFrame(rows, columns=list(COLUMNS))
    return found.sort_values(
        ["players", "agents", "least_difference"],
        ascending=[True, True, False],
        kind="stable",
        ignore_index=True,
    )


def _of(frame: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield the rows of one number of players."""
    steps: dict[str, dict[str, tuple[float, float]]] = {}
    for row in frame.to_dict("records"):
        a, b, difference = row["agent"], row["other"], row["difference"]
        for one in (a, b):
            steps.setdefault(one, {})
        if row["p_holm"] < CLEAR:
            winner, loser = (a, b) if difference > 0 else (b, a)
            steps[winner][loser] = (abs(difference), row["p_holm"])
    for ring in _rings(steps):
        taken = [steps[a][b] for a, b in zip(ring, (*ring[1:], ring[0]), strict=True)]
        yield {
            "players": int(frame["players"].iloc[0]),
            "cycle": " > ".join((*ring, ring[0])),
            "agents": len(ring),
            "least_difference": min(difference for difference, _ in taken),
            "largest_p_holm": max(p for _, p in taken),
        }


def _rings(steps: dict[str, dict[str, Any]]) -> list[tuple[str, ...]]:
    """Return the rings of three, and a shortest ring through each agent that lies in none of them, each ring once."""
    found: list[tuple[str, ...]] = [
        ring
        for a, b, c in combinations(steps, 3)
        for ring in ((a, b, c), (a, c, b))
        if all(there in steps[here] for here, there in zip(ring, (*ring[1:], ring[0]), strict=True))
    ]
    inside = {agent for ring in found for agent in ring}
    for agent in steps:
        ring = () if agent in inside else _shortest(steps, agent)
        if ring:
            found.append(ring)
            inside.update(ring)
    return found


def _shortest(steps: dict[str, dict[str, Any]], start: str) -> tuple[str, ...]:
    """Return a shortest ring through an agent, beginning with it; empty where there is none."""
    came_from = {start: start}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for there in steps[here]:
            if there == start:
                ring = [here]
                while ring[-1] != start:
                    ring.append(came_from[ring[-1]])
                return tuple(reversed(ring))
            if there not in came_from:
                came_from[there] = here
                queue.append(there)
    return ()
