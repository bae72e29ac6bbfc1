"""The one-card round as it is solved: a bid that no other would better, given what the bids before it tell.

Solved are rounds of 3 to 7 players with the full pack, a turned trump, bids in turn and the base scoring; what the hook
leaves open to a dealer, too, is another game. Bids heard are read as those of seats that bid the same way.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_agents._one_card_table import LOWEST_RANKS
from ohpshaw_sim.cards import pack_mask
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import U, lowest_bit
from ohpshaw_sim.kernels.scoring import EXACT

UNSOLVED: Final = -1
"""Returned where the round is not the one that is solved."""
_LOWEST: Final = np.array([int(digit, 16) for digit in LOWEST_RANKS], np.int8)
_FULL_PACK: Final = U(pack_mask())
_CASES: Final = 2 * 13
"""Digits of the table for each history of bids."""
_FEWEST: Final = 3


@jit
def one_card_bid(view: Any) -> int:
    """Return the equilibrium bid, 0 or 1, of a seat that is to bid in a one-card round; UNSOLVED in any other."""
    if not is_solved(view):
        return UNSOLVED
    players, dealer = np.int64(view.players), np.int64(view.dealer)
    before = (np.int64(view.seat) - dealer - 1) % players
    node = 0
    for step in range(before):
        node = 2 * node + 1 + view.bids[(dealer + 1 + step) % players]
    nodes = (1 << players) - (1 << _FEWEST) - (players - _FEWEST)  # of the smaller tables
    card = lowest_bit(view.hand)
    turned_rank = (np.int64(view.turn_up) & 15) - 2
    case = (nodes + node) * _CASES + 2 * turned_rank + np.int64(card >> 4 == view.trump)
    return np.int64((card & 15) >= _LOWEST[case])


@jit
def is_solved(view: Any) -> bool:
    """Tell whether a round is the one that is solved."""
    base = view.scoring == EXACT and view.zero_bid == 0 and view.round_winner_bonus == 0
    in_turn = view.simultaneous == 0 and view.hook_from == 0
    return bool(base and in_turn and view.hand_size == 1 and view.turn_up >= 0 and view.pack == _FULL_PACK)
