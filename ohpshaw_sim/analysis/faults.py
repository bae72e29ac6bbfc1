"""The faults of a run's agents, from the records that were kept of them: who, of what kind, how often."""

import json
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pandas as pd

from ohpshaw_sim.analysis.parts import find_parts
from ohpshaw_sim.analysis.run import Run
from ohpshaw_sim.analysis.statistics import NAN, RatioSums, ratio, share_interval
from ohpshaw_sim.errors import MalformedError

QUARANTINE: Final = "quarantine"
"""Kind of the rows that count blocks left out, since they killed their workers."""
COLUMNS: Final = (
    *("agent", "players", "kind", "count"),
    *("forfeit_share", "forfeit_share_low", "forfeit_share_high"),
    *("first_set", "first_rotation", "first_round", "example"),
)
_FILE: Final = re.compile(r"faults-\d+-\d+\.jsonl")
Round = tuple[int, int, int]
"""A round's set, rotation and number, 1 for the first."""


@dataclass
class _Found:
    """The faults of one agent, number of players and kind."""

    count: int = 0
    first: Round | None = None
    example: str = ""
    by_set: dict[tuple[int, int], int] = field(default_factory=lambda: defaultdict(int))
    """Seat-rounds of the schedule that were forfeited, by line-up and set."""

    def add(self, where: Round, lineup: int, reason: str, *, scheduled: bool) -> None:
        self.count += 1
        self.by_set[lineup, where[0]] += scheduled
        if self.first is None or where < self.first:
            self.first, self.example = where, reason


def faults(run: Run) -> pd.DataFrame:
    """Count the faults of a run in which agents may forfeit: sorted by players, agent and kind.

    Columns: `agent`, `players`, `kind`; `count` of faults, tie-break rounds included; `forfeit_share`, of the
    agent's seat-rounds, with an interval over sets; where the first one happened, `first_set`, `first_rotation` (both
    from 0) and `first_round` (from 1), and in words, `example`. Rows of kind `quarantine` count blocks that were left
    out; `agent` is empty where nobody could be charged. Raises MalformedError for files that cannot be read.
    """
    found: dict[tuple[int, str, str], _Found] = defaultdict(_Found)
    for record in _records(run):
        where = (record["set"], record["rotation"], record["round"])
        players, lineup = record["players"], record["lineup"]
        scheduled = record["round"] <= len(run.schedule(players))
        for forfeit in record["forfeits"]:
            key = (players, record["names"][forfeit["seat"]], forfeit["kind"])
            found[key].add(where, lineup, forfeit["reason"], scheduled=scheduled)
    rows = [_row(run, *key, found[key]) for key in sorted(found)] + _left_out(run)
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _row(run: Run, players: int, agent: str, kind: str, found: _Found) -> dict[str, Any]:
    estimate = ratio(_sums(run, players, run.entrants.index(agent), found.by_set))
    low, high = share_interval(estimate)
    shown = (
        agent,
        players,
        kind,
        found.count,
        estimate.value,
        low,
        high,
        *(found.first or ()),
        found.example,
    )
    return dict(zip(COLUMNS, shown, strict=True))


def _sums(run: Run, players: int, entrant: int, by_set: Mapping[tuple[int, int], int]) -> RatioSums:
    """Return the sums over sets of seat-rounds forfeited, y, and of all seat-rounds, x; most sets have no y."""
    totals = run.totals[(run.totals["players"] == players) & (run.totals["entrant"] == entrant)]
    in_a_set = {
        lineup: rounds // n for lineup, rounds, n in totals[["lineup", "rounds", "n"]].to_numpy().tolist()
    }
    return RatioSums(
        y=sum(by_set.values()),
        x=int(totals["rounds"].sum()),
        yy=sum(count**2 for count in by_set.values()),
        xy=sum(count * in_a_set[lineup] for (lineup, _), count in by_set.items()),
        xx=int(totals["rounds_x_rounds"].sum()),
    )


def _records(run: Run) -> Iterator[dict[str, Any]]:
    """Yield the round records of all faults whose blocks count, each round once."""
    parts, block_sets = find_parts(run.folder), int(run.manifest["block_sets"])
    ends, firsts = [part.end for part in parts], [part.first for part in parts]
    seen: set[tuple[int, ...]] = set()
    for path in sorted((run.folder / "faults").glob("faults-*.jsonl")):
        for record in _lines(path) if _FILE.fullmatch(path.name) else ():
            where = tuple(record[key] for key in ("lineup", "players", "set", "rotation", "round"))
            block = record["set"] // block_sets
            at = bisect_right(firsts, block) - 1
            if at >= 0 and block < ends[at] and where not in seen:
                seen.add(where)
                yield record


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8") as file:
            yield from map(json.loads, file)
    except (OSError, ValueError) as error:
        raise MalformedError(f"{path} cannot be read: {error}") from None


def _left_out(run: Run) -> list[dict[str, Any]]:
    """Return a row for each agent (None = nobody) and number of players with blocks in quarantine."""
    path = run.folder / "quarantine.json"
    try:
        blocks = json.loads(path.read_text("utf-8")) if path.exists() else []
    except (OSError, ValueError) as error:
        raise MalformedError(f"{path} cannot be read: {error}") from None
    groups: dict[tuple[int, str], list[dict[str, Any]]] = defaultdict(list)
    for block in sorted(blocks, key=lambda one: int(one["block"])):
        groups[block["players"], block["agent"] or ""].append(block)
    rows = []
    for (players, agent), group in sorted(groups.items()):
        first = group[0]
        cells = (agent or None, players, QUARANTINE, len(group), NAN, NAN, NAN, first["first_set"], 0, 1)
        rows.append(dict(zip(COLUMNS, (*cells, first["reason"]), strict=True)))
    return rows
