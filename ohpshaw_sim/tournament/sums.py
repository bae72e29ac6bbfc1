"""Adding the tallies of a chunk's blocks to the rows of a part.

Everything is added up over the chunk, as dense arrays while it is played, so that memory depends on the plan and not
on how long a chunk is. Beside these sums stands the series of the blocks: what stopping rules, bootstraps and pictures
of convergence need, and no more, since it alone grows with a run.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from ohpshaw_sim.engine.tally import Tally
from ohpshaw_sim.engine.tally_schema import MOMENTS, PART_COLUMNS, SERIES_SUMS
from ohpshaw_sim.tournament.lineup_sums import LineupSums, choice_rows, match_rows
from ohpshaw_sim.tournament.part_rows import COLUMN, blank, put
from ohpshaw_sim.tournament.schedule import Block, LineUp

_MOMENTS_FROM: Final = COLUMN[MOMENTS[0]]
_IN_SERIES: Final = [MOMENTS.index(name) for name in SERIES_SUMS]
_SERIES_AT: Final = [COLUMN[name] for name in SERIES_SUMS]


class _BlockSums(NamedTuple):
    """What is kept of each block: totals [entrants, SERIES_SUMS] and pairs [entrants, entrants, 2]."""

    number: int
    sets: int
    totals: Any
    pairs: Any


class Sums:
    """What the blocks of a chunk add up to; `rows()` returns it as one integer array with PART_COLUMNS as
    columns.

    `entrants` is the number of entrants in the tournament, `schedules` the hand sizes by number of players.
    """

    def __init__(self, entrants: int, schedules: dict[int, tuple[int, ...]]) -> None:
        self._entrants = entrants
        self._schedules = schedules
        self._blocks: dict[LineUp, list[_BlockSums]] = {}
        self._by_lineup: dict[LineUp, LineupSums] = {}
        self._counts: dict[int, Any] = {}
        self._arms: dict[LineUp, list[tuple[int, Any]]] = {}

    def add(self, block: Block, lineup: LineUp, tally: Tally) -> None:
        """Add the tally of one block and line-up; its entrants are those of the line-up in ascending order."""
        kept = _BlockSums(block.number, tally.sets, tally.totals[:, _IN_SERIES], tally.pairs)
        self._blocks.setdefault(lineup, []).append(kept)
        if lineup not in self._by_lineup:
            self._by_lineup[lineup] = LineupSums.empty(block, tally)
        self._by_lineup[lineup].add(block, tally)
        self._add_counts(lineup, tally.counts)
        if len(block.arms) > 1:
            first = self._arms.setdefault(block.arms[0], [])
            first.append(
                (block.number, tally.by_set[:, 0, 0])
            )  # of the two arms' agents, who has the lowest number

    def rows(self) -> Any:
        """Return all rows, int64 of shape [rows, PART_COLUMNS], in an order that the blocks alone decide."""
        order = sorted(self._by_lineup)
        arms = [(lineup, _paired(self._arms[lineup])) for lineup in sorted(self._arms)]
        pieces = [
            *(self._total_rows(lineup) for lineup in order),
            *(self._size_rows(lineup) for lineup in order),
            *(self._position_rows(lineup) for lineup in order),
            *(self._pair_rows(lineup) for lineup in order),
            *(_arm_rows("pair", lineup, [_added(differences)]) for lineup, differences in arms),
            *(self._count_rows(players) for players in sorted(self._counts)),
            *(match_rows(lineup, self._by_lineup[lineup]) for lineup in order),
            *(choice_rows(lineup, self._by_lineup[lineup]) for lineup in order),
            *(_block_rows(lineup, self._blocks[lineup]) for lineup in order),
            *(_block_pair_rows(lineup, self._blocks[lineup]) for lineup in order),
            *(_arm_rows("block_pair", lineup, differences) for lineup, differences in arms),
        ]
        return np.concatenate(pieces) if pieces else np.empty((0, len(PART_COLUMNS)), np.int64)

    def _add_counts(self, lineup: LineUp, counts: Any) -> None:
        players = lineup.players
        if players not in self._counts:
            self._counts[players] = np.zeros((self._entrants, *counts.shape[1:]), np.int64)
        for local, entrant in enumerate(lineup.sitting):
            self._counts[players][entrant] += counts[local]

    def _total_rows(self, lineup: LineUp) -> Any:
        rows = blank(len(lineup.sitting), "total", lineup)
        put(rows, entrant=lineup.sitting, n=self._by_lineup[lineup].played)
        rows[:, _MOMENTS_FROM:] = self._by_lineup[lineup].totals
        return rows

    def _pair_rows(self, lineup: LineUp) -> Any:
        sums = self._by_lineup[lineup]
        first, second = np.triu_indices(len(lineup.sitting), 1)
        rows = blank(len(first), "pair", lineup)
        sitting, pairs = np.array(lineup.sitting), sums.pairs[first, second]
        put(rows, entrant=sitting[first], other=sitting[second], n=sums.played)
        put(rows, difference=pairs[:, 0], difference_sq=pairs[:, 1])
        return rows

    def _size_rows(self, lineup: LineUp) -> Any:
        sums = self._by_lineup[lineup]
        sizes = np.unique(self._schedules[lineup.players])
        rows = blank(len(lineup.sitting) * len(sizes), "hand_size", lineup)
        put(rows, entrant=np.repeat(lineup.sitting, len(sizes)), n=sums.played)
        put(rows, hand_size=np.tile(sizes, len(lineup.sitting)))
        rows[:, _MOMENTS_FROM:] = sums.by_hand_size[:, sizes].reshape(len(rows), -1)
        return rows

    def _position_rows(self, lineup: LineUp) -> Any:
        sums = self._by_lineup[lineup]
        positions = np.arange(lineup.players)
        rows = blank(len(lineup.sitting) * len(positions), "position", lineup)
        put(rows, entrant=np.repeat(lineup.sitting, len(positions)), n=sums.played)
        put(rows, position=np.tile(positions, len(lineup.sitting)))
        rows[:, _MOMENTS_FROM:] = sums.by_position.reshape(len(rows), -1)
        return rows

    def _count_rows(self, players: int) -> Any:
        counts = self._counts[players]
        found = np.nonzero(counts)
        rows = blank(len(found[0]), "count", None)
        entrant, hand_size, position, bid, tricks = found
        put(rows, entrant=entrant, hand_size=hand_size, position=position, bid=bid, tricks=tricks)
        put(rows, players=players, n=counts[found])
        return rows


def _block_rows(lineup: LineUp, blocks: list[_BlockSums]) -> Any:
    sitting = lineup.sitting
    rows = blank(len(blocks) * len(sitting), "block", lineup)
    put(rows, entrant=np.tile(sitting, len(blocks)), **_by_block(blocks, len(sitting)))
    rows[:, _SERIES_AT] = np.concatenate([block.totals for block in blocks])
    return rows


def _block_pair_rows(lineup: LineUp, blocks: list[_BlockSums]) -> Any:
    sitting = np.array(lineup.sitting)
    first, second = np.triu_indices(len(sitting), 1)
    rows = blank(len(blocks) * len(first), "block_pair", lineup)
    pairs = np.stack([block.pairs for block in blocks])[:, first, second].reshape(-1, 2)
    put(rows, entrant=np.tile(sitting[first], len(blocks)), other=np.tile(sitting[second], len(blocks)))
    put(rows, difference=pairs[:, 0], difference_sq=pairs[:, 1], **_by_block(blocks, len(first)))
    return rows


class _Difference(NamedTuple):
    """The paired difference of the arms of a comparison over the sets of a block (-1 = over all of them)."""

    block: int
    sets: int
    total: int
    squares: int


def _paired(played: list[tuple[int, Any]]) -> list[_Difference]:
    """Return the arms' differences by block, from the points of their agents set by set, arm after arm."""
    found = []
    for (block, points), (_, rivals) in zip(played[::2], played[1::2], strict=True):
        difference = points - rivals
        found.append(_Difference(block, len(difference), int(difference.sum()), int((difference**2).sum())))
    return found


def _added(differences: list[_Difference]) -> _Difference:
    _, sets, totals, squares = zip(*differences, strict=True)
    return _Difference(-1, sum(sets), sum(totals), sum(squares))


def _arm_rows(kind: str, lineup: LineUp, differences: list[_Difference]) -> Any:
    """Return the rows of the comparison of entrants 0 and 1, under the line-up of the first arm."""
    rows = blank(len(differences), kind, lineup)
    block, sets, total, squares = np.array(differences, np.int64).T
    put(rows, entrant=0, other=1, block=block, n=sets, difference=total, difference_sq=squares)
    return rows


def _by_block(blocks: list[_BlockSums], times: int) -> dict[str, Any]:
    """Return the columns that are the same in all of a block's rows, so many rows for each block."""
    numbers = np.repeat([block.number for block in blocks], times)
    return {"block": numbers, "n": np.repeat([block.sets for block in blocks], times)}
