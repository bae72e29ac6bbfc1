"""Adding the tallies of a chunk's blocks to the rows of a part.

Per block stay the sums that intervals over time need (`total`, `pair`); the rest is added up over the chunk,
as dense arrays while it is played, so that memory depends on the plan and not on how long a chunk is.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ohpshaw_sim.engine.tally import Tally
from ohpshaw_sim.engine.tally_schema import MOMENTS, PART_COLUMNS, PART_KEYS
from ohpshaw_sim.tournament.schedule import Block, LineUp

KINDS: Final = ("total", "hand_size", "position", "pair", "count")
"""Kinds of rows; a part's rows stand in this order."""

_COLUMN: Final = {name: index for index, name in enumerate(PART_COLUMNS)}
_KEYS: Final = len(PART_KEYS)
_MOMENTS_FROM: Final = _COLUMN[MOMENTS[0]]


class _BlockSums(NamedTuple):
    """What is kept of each block: totals [entrants, MOMENTS] and pairs [entrants, entrants, 2]."""

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
        self._by_lineup: dict[LineUp, tuple[int, Any, Any]] = {}
        self._counts: dict[int, Any] = {}

    def add(self, block: Block, tally: Tally) -> None:
        """Add one block's tally; its entrants are those of the line-up in ascending order."""
        kept = _BlockSums(block.number, tally.sets, tally.totals, tally.pairs)
        self._blocks.setdefault(block.lineup, []).append(kept)
        self._add_by_lineup(block.lineup, tally)
        self._add_counts(block.lineup, tally.counts)

    def rows(self) -> Any:
        """Return all rows, int64 of shape [rows, PART_COLUMNS], in an order that the blocks alone decide."""
        order = sorted(self._by_lineup)
        pieces = [
            *(_total_rows(lineup, self._blocks[lineup]) for lineup in order),
            *(self._size_rows(lineup) for lineup in order),
            *(self._position_rows(lineup) for lineup in order),
            *(_pair_rows(lineup, self._blocks[lineup]) for lineup in order),
            *(self._count_rows(players) for players in sorted(self._counts)),
        ]
        return np.concatenate(pieces) if pieces else np.empty((0, len(PART_COLUMNS)), np.int64)

    def _add_by_lineup(self, lineup: LineUp, tally: Tally) -> None:
        if lineup not in self._by_lineup:
            self._by_lineup[lineup] = (tally.sets, tally.by_hand_size.copy(), tally.by_position.copy())
            return
        sets, by_size, by_position = self._by_lineup[lineup]
        by_size += tally.by_hand_size
        by_position += tally.by_position
        self._by_lineup[lineup] = (sets + tally.sets, by_size, by_position)

    def _add_counts(self, lineup: LineUp, counts: Any) -> None:
        players = lineup.players
        if players not in self._counts:
            self._counts[players] = np.zeros((self._entrants, *counts.shape[1:]), np.int64)
        for local, entrant in enumerate(lineup.sitting):
            self._counts[players][entrant] += counts[local]

    def _size_rows(self, lineup: LineUp) -> Any:
        sets, by_size, _ = self._by_lineup[lineup]
        sizes = np.unique(self._schedules[lineup.players])
        rows = _blank(len(lineup.sitting) * len(sizes), "hand_size", lineup)
        _set(rows, entrant=np.repeat(lineup.sitting, len(sizes)), n=sets)
        _set(rows, hand_size=np.tile(sizes, len(lineup.sitting)))
        rows[:, _MOMENTS_FROM:] = by_size[:, sizes].reshape(len(rows), -1)
        return rows

    def _position_rows(self, lineup: LineUp) -> Any:
        sets, _, by_position = self._by_lineup[lineup]
        positions = np.arange(lineup.players)
        rows = _blank(len(lineup.sitting) * len(positions), "position", lineup)
        _set(rows, entrant=np.repeat(lineup.sitting, len(positions)), n=sets)
        _set(rows, position=np.tile(positions, len(lineup.sitting)))
        rows[:, _MOMENTS_FROM:] = by_position.reshape(len(rows), -1)
        return rows

    def _count_rows(self, players: int) -> Any:
        counts = self._counts[players]
        found = np.nonzero(counts)
        rows = _blank(len(found[0]), "count", None)
        entrant, hand_size, position, bid, tricks = found
        _set(rows, entrant=entrant, hand_size=hand_size, position=position, bid=bid, tricks=tricks)
        _set(rows, players=players, n=counts[found])
        return rows


def _total_rows(lineup: LineUp, blocks: list[_BlockSums]) -> Any:
    sitting = lineup.sitting
    rows = _blank(len(blocks) * len(sitting), "total", lineup)
    _set(rows, entrant=np.tile(sitting, len(blocks)), **_by_block(blocks, len(sitting)))
    rows[:, _MOMENTS_FROM:] = np.concatenate([block.totals for block in blocks])
    return rows


def _pair_rows(lineup: LineUp, blocks: list[_BlockSums]) -> Any:
    sitting = np.array(lineup.sitting)
    first, second = np.triu_indices(len(sitting), 1)
    rows = _blank(len(blocks) * len(first), "pair", lineup)
    pairs = np.stack([block.pairs for block in blocks])[:, first, second].reshape(-1, 2)
    _set(rows, entrant=np.tile(sitting[first], len(blocks)), other=np.tile(sitting[second], len(blocks)))
    _set(rows, difference=pairs[:, 0], difference_sq=pairs[:, 1], **_by_block(blocks, len(first)))
    return rows


def _by_block(blocks: list[_BlockSums], times: int) -> dict[str, Any]:
    """Return the columns that are the same in all of a block's rows, so many rows for each block."""
    numbers = np.repeat([block.number for block in blocks], times)
    return {"block": numbers, "n": np.repeat([block.sets for block in blocks], times)}


def _blank(count: int, kind: str, lineup: LineUp | None) -> Any:
    """Return rows of one kind: keys -1 (does not apply) but for the line-up's, sums 0."""
    rows = np.zeros((count, len(PART_COLUMNS)), np.int64)
    rows[:, :_KEYS] = -1
    _set(rows, kind=KINDS.index(kind))
    if lineup is not None:
        _set(rows, players=lineup.players, lineup=lineup.number)
    return rows


def _set(rows: Any, **columns: int | Sequence[int] | Any) -> None:
    for name, values in columns.items():
        rows[:, _COLUMN[name]] = values
