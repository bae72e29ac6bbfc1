"""Places of a finished match, and the choices that a place order is made of.

    ranks      int64 [seats]: 1-2-2-4, seats that tie share a rank (B15)
    choices    int64 [2 ** places, places]: of the places of the line-up that were left, a mask, which came next; in
               420ths of a match

A place order is a chain of choices, from which strengths are fitted (Plackett-Luce) and mean places follow. Tied
places come in every order, all equally often: of t that tie, k being left, each of the C(t, k) masks is met in as many
orders as any other, and each of its k places comes next in as many. 420 / (C(t, k) k) is whole up to t = 7. A mask
with a single place tells nothing and stays 0.
"""

from typing import Any, Final

from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import popcount

CHOICE_UNIT: Final = 420
"""What a match counts: a number that tied places can share in every order."""


@jit
def rank_tied(values: Any, tied: int, ranks: Any, seats: int) -> int:
    """Rank the seats of a mask, who share a rank, by their values (an array by seat), highest first.

    Returns the mask of those that stay where they all were.
    """
    best = 0
    for seat in range(seats):
        if tied >> seat & 1:
            above = 0
            for other in range(seats):
                above += tied >> other & 1 and values[other] > values[seat]
            ranks[seat] += above
            if not above:
                best |= 1 << seat
    return best


@jit
def add_choices(ranks: Any, places: Any, seats: int, choices: Any) -> None:
    """Add a match's chain of choices; `ranks` and `places` (in the line-up) are by seat."""
    left = (1 << seats) - 1
    rank = 1
    while rank < seats:
        tied, last = 0, 0
        for seat in range(seats):
            if ranks[seat] == rank:
                last = places[seat]
                tied |= 1 << last
        left ^= tied
        count = popcount(tied)
        if count == 1:
            choices[left | tied, last] += CHOICE_UNIT
        else:
            _add_tied(tied, count, left, choices)
        rank += count


@jit
def _add_tied(tied: int, count: int, others: int, choices: Any) -> None:
    """Add the choices among places that tie, `others` being the mask of those behind them."""
    masks = 1  # C(count, taken), taken by taken
    share = 0
    for taken in range(count):
        kept = count - taken
        share = CHOICE_UNIT // (masks * kept)
        _add_share(tied, kept, others, share, choices)
        masks = masks * kept // (taken + 1)


@jit
def _add_share(tied: int, kept: int, others: int, share: int, choices: Any) -> None:
    """Add a share for each place of each mask of `kept` places out of those that tie."""
    mask = tied
    while mask:
        if popcount(mask) == kept and popcount(mask | others) > 1:
            for place in range(choices.shape[1]):
                if mask >> place & 1:
                    choices[mask | others, place] += share
        mask = (mask - 1) & tied
