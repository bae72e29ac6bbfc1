"""The equilibrium of the one-card round with the full pack and the base scoring, by forward induction.

Eldest hand's best bid depends on its card alone; that tells the next seat what a bid of 0 or of 1 means, and so on:
each seat in turn maximises its own expected score, all of it in whole numbers. A bid of 1 made scores 11, of 0 made 10,
so 1 is bid where the chance to win is above 10/21. Trump is clubs here; the three plain suits are alike. Bids that
nobody who plays so would have made tell nothing: of the bids heard the latest ones are then passed over until the rest
is possible.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.cards import ACE, CLUBS, DIAMONDS, RANKS, SUITS, card_of, mask_of, pack_mask
from ohpshaw_sim.exact.one_card import (
    CARDS,
    MOST_SEATS,
    count_wins,
    first_node,
    lay_beliefs,
    scratch,
)
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import U, bit

NEVER: Final = ACE + 1
"""The lowest rank that bids 1, where none does."""
_PLAIN: Final = DIAMONDS


@jit
def solve_seat(ones: Any, players: int, seat: int, unseen: Any, trump: int, cards: Any, counts: Any) -> None:
    """Find the best bids of a seat with each of `cards` at each of its nodes; those of earlier seats are in `ones`.

    Writes 0 or 1 to `ones[node, card]` (int64), and to `counts[node, card]` (int64) wins and deals of `count_wins`:
    0 deals where no deal agrees with the bids. `unseen` is the pack without the turn-up.
    """
    weights = np.zeros((MOST_SEATS, CARDS), np.int64)
    sums = scratch(weights)
    for heard in range(1 << seat):
        node = first_node(seat) + heard
        for card in cards:
            lay_beliefs(ones, seat, heard, weights)
            others = unseen & ~bit(card)
            wins, deals = count_wins(weights, players, seat, card, trump, others, sums)
            counts[node, card, 0], counts[node, card, 1] = wins, deals
            passed = seat
            while deals == 0:
                passed -= 1
                weights[passed, :] = 1
                wins, deals = count_wins(weights, players, seat, card, trump, others, sums)
            ones[node, card] = 1 if 21 * wins > 10 * deals else 0


def solve(players: int, turn_up_rank: int) -> tuple[Any, Any]:
    """Return the equilibrium bids after a turn-up of clubs, and the counts behind them.

    ones      int64[node, card]: 1 where 1 is bid with a card
    counts    int64[node, card, 2]: deals in which the card wins, and deals that agree with the bids, for every club and
              diamond
    """
    nodes = first_node(players)
    ones, counts = np.zeros((nodes, CARDS), np.int64), np.zeros((nodes, CARDS, 2), np.int64)
    turn_up = card_of(CLUBS, turn_up_rank)
    unseen = U(pack_mask() & ~mask_of([turn_up]))
    cards = np.array(
        [card_of(suit, rank) for suit in (CLUBS, _PLAIN) for rank in RANKS if card_of(suit, rank) != turn_up]
    )
    for seat in range(players):
        solve_seat(ones, players, seat, unseen, CLUBS, cards, counts)
        for suit in SUITS[_PLAIN:]:
            ones[:, card_of(suit, 0) : card_of(suit, 0) + 16] = ones[
                :, card_of(_PLAIN, 0) : card_of(_PLAIN, 0) + 16
            ]
    return ones, counts


def lowest_ranks(players: int) -> Any:
    """Return the lowest rank (int64[node, turn-up rank 2..14, trump?]) that bids 1, NEVER where none does.

    Raises ArithmeticError if the bids are not of that form.
    """
    table = np.full((first_node(players), len(RANKS), 2), NEVER)
    for turn_up_rank in RANKS:
        ones, _ = solve(players, turn_up_rank)
        for node in range(len(table)):
            for trump, suit in enumerate((_PLAIN, CLUBS)):
                ranks = [rank for rank in RANKS if not (trump and rank == turn_up_rank)]
                bids = [int(ones[node, card_of(suit, rank)]) for rank in ranks]
                if bids != sorted(bids):
                    raise ArithmeticError(
                        f"no single lowest rank at node {node}, turn-up {turn_up_rank}: {bids}"
                    )
                if 1 in bids:
                    table[node, turn_up_rank - RANKS[0], trump] = ranks[bids.index(1)]
    return table
