"""The record that the sampler of worlds works in: counted once per decision, read for every world.

`kernels.world_counts` explains parties, stages and classes and fills it; `kernels.worlds` draws from it.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.kernels._jit import JIT_DISABLED, jit

SEATS: Final = 7
STAGES: Final = SEATS + 1
"""A stage for each party, and the end."""
HELD: Final = 4
"""Slots 3, 2, 1, 0 of a stage are the classes its party may hold: suits, and ranks 1 and 15 (no suit)."""
SLOTS: Final = 8
"""Slots 4..7 of a stage are the classes its party may not hold."""
TABLE_SIZE: Final = 1 << 17
"""Room for 5 stages of 13 + 13 + 13 + 13 + 8 cards in five classes, 14 * 14 * 14 * 9 counts each."""
MOST_CARDS: Final = 64

PLAN: Final = np.dtype(
    [
        ("worlds", np.float64),  # number of deals that agree with everything; 0 = none
        ("pool", np.uint64),
        ("needs", (np.int64, SEATS)),  # by seat: cards it holds
        ("parties", np.int64),
        ("members", (np.int64, STAGES)),  # by party: bit s is set for each of its seats
        ("banned", (np.uint64, STAGES)),  # cards of the pool it may not hold
        ("need", (np.int64, STAGES)),  # cards it holds in all
        ("choices", (np.int64, STAGES)),  # by stage: number of classes its party may hold
        ("dealt", (np.int64, STAGES)),  # cards taken before it
        ("start", (np.int64, STAGES)),  # place in the table where its counts begin
        ("implied", (np.int64, STAGES)),  # the class whose cards gone follow from those of the others
        ("spare", (np.int64, STAGES)),  # the most cards of that class that can be gone
        ("mask", (np.uint64, (STAGES, SLOTS))),  # by stage and class: its cards; empty = a free slot
        ("cards", (np.int64, (STAGES, SLOTS))),  # number of them
        ("most", (np.int64, (STAGES, SLOTS))),  # the most of them that can be gone; 0 if implied
        ("stride", (np.int64, (STAGES, SLOTS))),  # places in the stage's counts per card gone; 0 if implied
        ("parent", (np.int64, (STAGES, SLOTS))),  # the class of the next stage that it is a part of
        ("onward", (np.int64, (STAGES, SLOTS))),  # that class's stride
        ("gone", (np.int64, SLOTS)),  # scratch: cards gone of each class, and then those to take
        ("left", (np.int64, SLOTS)),  # scratch: cards left of each class
        ("table", (np.float64, TABLE_SIZE)),
    ],
    align=True,
)


def _binomials() -> Any:
    """Tabulate C(n, k) at index 64 * n + k, zero for k > n; n and k below 64."""
    table = np.zeros((MOST_CARDS, MOST_CARDS))
    table[:, 0] = 1.0
    for n in range(1, MOST_CARDS):
        table[n, 1:] = table[n - 1, :-1] + table[n - 1, 1:]
    return table.ravel()


BINOMIALS: Final = _binomials()

if JIT_DISABLED:

    def world_plan() -> Any:
        """Return an unfilled plan, an array of one `PLAN` record; the array alone keeps it alive."""
        return np.empty(1, PLAN).view(np.recarray)

else:

    @jit
    def world_plan() -> Any:
        """Return an unfilled plan, an array of one `PLAN` record; the array alone keeps it alive."""
        return np.empty(1, PLAN)
