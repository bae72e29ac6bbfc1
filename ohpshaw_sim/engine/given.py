"""Deals that are given: what a match lays on the table where it would else deal from the seed.

Compiled code reads them at an address in a GAME record, 0 = there are none, so that deals of a seed pay one branch a
round for this. What stands there is a row of eight words (uint64) for each round, set after set:

    word 0        dealer | turn-up + 1 << 8 | trump + 3 << 16      trump as in `kernels.dealing`: TURNED, -1 or a suit
    words 1 to 7  hands by seat
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ohpshaw_sim.engine.address import word_at
from ohpshaw_sim.engine.round_deal import RoundDeal
from ohpshaw_sim.interface.view import MAX_PLAYERS
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import U
from ohpshaw_sim.kernels.dealing import TURNED

_WORDS: Final = 1 + MAX_PLAYERS
_BYTE: Final = U(0xFF)


class GivenDeals:
    """The deals of some sets, each of as many rounds as the schedule has; compared as an object.

    `sets` has a tuple of rounds for each set. Raises ValueError unless all have the same number of rounds, 1 or more.
    """

    def __init__(self, sets: Sequence[Sequence[RoundDeal]]) -> None:
        rows = [_words_of(one) for match in sets for one in match]
        if not rows or {len(match) for match in sets} != {len(sets[0])}:
            raise ValueError("given deals need sets, all of the same number of rounds")
        self.sets = len(sets)
        self.rounds = len(sets[0])
        self.players = len(sets[0][0].hands)
        self._words = np.array(rows, np.uint64)

    @property
    def address(self) -> int:
        """Where they lie in this process; valid while this object is there."""
        return int(self._words.ctypes.data)


def _words_of(one: RoundDeal) -> list[int]:
    trump = TURNED if one.trump is None else one.trump
    head = one.dealer | one.turn_up + 1 << 8 | trump + 3 << 16
    return [head, *map(int, one.hands), *[0] * (MAX_PLAYERS - len(one.hands))]


@jit
def lay_given(game: Any, table: Any) -> tuple[int, int, int]:
    """Lay the given hands of the round that begins on the table; return its dealer, turn-up and trump.

    A set beyond the last one begins again with the first; a plan has no such sets, and memory no such words.
    """
    row = (table.set_number % game.given_sets) * game.schedule_length + table.round_number
    head = word_at(game.given, row * _WORDS)
    for seat in range(game.players):
        table.hands[seat] = word_at(game.given, row * _WORDS + 1 + seat)
    dealer, turn_up = np.int64(head & _BYTE), np.int64(head >> U(8) & _BYTE) - 1
    return dealer, turn_up, np.int64(head >> U(16) & _BYTE) - 3
