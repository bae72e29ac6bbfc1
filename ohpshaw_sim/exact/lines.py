"""All lines of a small game after one turn-up, in sequence form."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ohpshaw_sim.cards import Card
from ohpshaw_sim.errors import ConflictError
from ohpshaw_sim.exact.small_game import SmallGame
from ohpshaw_sim.exact.walk import DEPTH, INFOSETS, LINES, SEQUENCES, Found, new_book, new_desk, walk

MOST_LINES: Final = 20_000_000
"""Lines after one turn-up that are still kept in memory, 20 bytes each."""
_ROWS: Final = 1 << 12
"""Rows to begin with; a full array is made twice as long."""


@dataclass(frozen=True)
class Lines:
    """Every information set and every line of a small game after one turn-up; see `walk`."""

    game: SmallGame
    turn_up: Card
    deals: Any
    """uint64[deal, seat]."""
    found: Found
    """Its arrays cut to what was found."""

    @property
    def sequences(self) -> int:
        """Number of sequences; the first ones, one a seat, are the empty ones."""
        return int(self.found.counts[SEQUENCES])

    @property
    def infosets(self) -> int:
        """Number of information sets."""
        return int(self.found.counts[INFOSETS])


def is_enumerable(game: SmallGame) -> bool:
    """Tell whether all lines of a game can be walked through."""
    radix = len(game.cards) + 1
    digits = game.players * game.hand_size  # the bids, and all cards before the last trick
    few = game.deals_per_turn_up * game.lines_per_deal <= MOST_LINES
    return few and digits <= DEPTH and (radix + 1) ** digits < 2**62


def lines_of(game: SmallGame, turn_up: Card) -> Lines:
    """Walk through all lines of a game after a turn-up. Raises ConflictError when they are too many."""
    if not is_enumerable(game):
        raise ConflictError(
            f"{game.players} players with {game.hand_size} cards of a {game.rules.pack} pack can bid and play in too "
            "many ways to go through; take a smaller pack or hand size"
        )
    deals, games, room = game.deals(turn_up), game.record(), game.lines_per_deal
    found, desk, book = _new_found(game.players, max(_ROWS, 4 * room)), new_desk(), new_book()
    found.counts[SEQUENCES] = game.players
    done = 0
    while done < len(deals):
        done = int(walk(games, deals, turn_up, done, room, found, desk, book))
        if done < len(deals):
            found = _longer(found, 2 * room)
    return Lines(game, turn_up, deals, _cut(found))


def _new_found(players: int, rows: int) -> Found:
    """Return empty arrays of so many rows each."""
    return Found(
        np.zeros(3, np.int64),
        np.zeros(rows, np.int8),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.int8),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.int8),
        np.zeros((rows, DEPTH), np.int8),
        np.zeros(rows, np.int8),
        np.zeros((rows, players), np.int32),
        np.zeros((rows, players), np.int16),
    )


_KIND: Final = {"answer_of": SEQUENCES, "last": LINES, "points": LINES}
"""What the rows of an array are, where they are not information sets."""


def _longer(found: Found, spare: int) -> Found:
    """Return arrays of twice the rows, where fewer than `spare` are left."""
    made: dict[str, Any] = {"counts": found.counts}
    for name, array in found._asdict().items():
        if name != "counts":
            full = found.counts[_KIND.get(name, INFOSETS)] + spare > len(array)
            made[name] = np.concatenate([array, np.zeros_like(array)]) if full else array
    return Found(**made)


def _cut(found: Found) -> Found:
    """Return the arrays without their empty rows."""
    counts = found.counts
    rest = {
        name: array[: counts[_KIND.get(name, INFOSETS)]]
        for name, array in found._asdict().items()
        if name != "counts"
    }
    return Found(counts, **rest)
