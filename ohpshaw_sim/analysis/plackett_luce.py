"""Strengths from places (Plackett-Luce), fitted to counts of who came next.

A place order is a chain of choices: of the seats that are not placed yet one comes next, each with a chance
proportional to the strength of who sits there (Luce, Individual Choice Behavior, 1959; Plackett, Applied Statistics
24, 1975). So all that a fit needs to know of any number of matches is, for every choice of who was left, how often
each came next: `seats` and `wins` below. Seats of one entrant have one strength, and an entrant may hold several.

The likelihood is maximised by minorisation (Hunter, Annals of Statistics 32, 2004): with w_i the times that i came
next, n_g the times that choice g was made and s_gi the seats that i held in it,

    strength_i  <-  w_i / sum_g n_g s_gi / sum_j s_gj strength_j.

Where somebody never came behind, the maximum lies at infinity. So everybody also meets a ghost, of a strength of its
own, and comes before it and behind it `PSEUDO` times (Turner, van Etten, Firth & Kosmidis, Computational Statistics
35, 2020): strengths stay finite, and over hundreds of matches nothing else is seen of it.

Several weightings of the same choices, as a bootstrap makes them, are fitted side by side.
"""

from typing import Any, Final

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

PSEUDO: Final = 0.5
"""How often, in matches, everybody comes before the ghost, and behind it."""
_CLOSE: Final = 1e-9
_MOST_STEPS: Final = 20_000


def log_strengths(seats: Any, times: Any, wins: Any, *, pseudo: float = PSEUDO, start: Any = None) -> Any:
    """Return the logarithms of the strengths, float64 [items, weightings], each weighting's mean 0.

    seats   int [choices, items]: the seats that each item held among those that were left
    times   float [choices, weightings]: how often each choice was made
    wins    float [items, weightings]: how often each item came next
    start   logarithms to start from, as they are returned; None = all are equal

    `pseudo` = 0 leaves the ghost out; then everybody must have come both before and behind somebody else, by
    way of others at least (see `groups`). Raises ArithmeticError when the steps do not settle.
    """
    items, weightings = wins.shape
    choices = sparse.csr_array(seats, dtype=np.float64)
    if pseudo:
        choices, times, wins = _with_ghost(choices, times, wins, pseudo)
    strength = np.ones((len(wins), weightings))
    if start is not None:
        strength[:items] = np.exp(start)
    back = choices.T.tocsr()
    for _ in range(_MOST_STEPS):
        moved = wins / (back @ (times / (choices @ strength)))
        moved /= np.exp(np.log(moved[:items]).mean(axis=0))
        step = np.abs(moved / strength - 1).max()
        strength = moved
        if step < _CLOSE:
            return np.log(strength[:items])
    raise ArithmeticError(f"strengths still moved by {step:.1e} of themselves after {_MOST_STEPS} steps")


def _with_ghost(choices: Any, times: Any, wins: Any, pseudo: float) -> tuple[Any, Any, Any]:
    """Return choices, times and wins with one more item, whom each of the others meets twice `pseudo` times."""
    items, weightings = wins.shape
    ghost = sparse.csr_array(np.ones((items, 1)))
    alone = sparse.csr_array((choices.shape[0], 1))
    met = sparse.hstack([sparse.eye_array(items), ghost])
    return (
        sparse.csr_array(sparse.vstack([sparse.hstack([choices, alone]), met])),
        np.concatenate([times, np.full((items, weightings), 2 * pseudo)]),
        np.concatenate([wins + pseudo, np.full((1, weightings), items * pseudo)]),
    )


def groups(seats: Any, won: Any) -> tuple[int, int]:
    """Return into how many groups items fall that never met, and into how many of which each never came behind another.

    `won`, bool [choices, items], tells who ever came next. Strengths can be compared without the ghost where both
    numbers are 1: from everybody a chain of "came before" leads to everybody else (Hunter 2004, assumption 1).
    """
    before = (won.T.astype(np.int64) @ (seats > 0).astype(np.int64)) > 0
    never_met, _ = connected_components(before, connection="weak")
    one_sided, _ = connected_components(before, connection="strong")
    return int(never_met), int(one_sided)
