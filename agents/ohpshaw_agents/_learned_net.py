"""The small networks of `learned`: two hidden layers of rectified sums, in plain loops of float32.

Each sum is added up in the same order on every machine, four terms at a time; the loops run along the outputs, which
compilers put side by side without changing a bit. What all answers of a decision have in common is added up once.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_agents._learned_answers import ANSWER
from ohpshaw_agents._learned_sight import STATE
from ohpshaw_sim.kernels._jit import jit

FIRST: Final = 256
SECOND: Final = 64
OUT: Final = 2
"""Outputs: the chance to hit the bid, and the mean points of another seat, in tens."""
_BIAS1: Final = STATE * FIRST
_ANSWERS: Final = _BIAS1 + FIRST
_SECOND: Final = _ANSWERS + ANSWER * FIRST
_BIAS2: Final = _SECOND + FIRST * SECOND
_OUT: Final = _BIAS2 + SECOND
_BIAS3: Final = _OUT + SECOND * OUT
SIZE: Final = _BIAS3 + OUT
"""Weights of one network; those of the inputs first, each input's in a row."""
ACTIVE: Final = max(STATE, ANSWER, FIRST) + 1
"""Room for the places of the inputs of a layer that are not 0, and one more."""


@jit
def _add_rows(sums: Any, inputs: Any, rows: Any, active: Any) -> None:
    """Add to the sums each input above or below 0 times its row of weights; `active` (int64[ACTIVE]) is scratch."""
    width, count = len(sums), 0
    for place in range(len(inputs)):
        active[count] = place
        count += inputs[place] != np.float32(0.0)
    for number in range(0, count - 3, 4):
        a, b, c, d = active[number], active[number + 1], active[number + 2], active[number + 3]
        at, bt, ct, dt = inputs[a], inputs[b], inputs[c], inputs[d]
        ar, br = rows[a * width : (a + 1) * width], rows[b * width : (b + 1) * width]
        cr, dr = rows[c * width : (c + 1) * width], rows[d * width : (d + 1) * width]
        for unit in range(width):
            sums[unit] += (at * ar[unit] + bt * br[unit]) + (ct * cr[unit] + dt * dr[unit])
    for number in range(count - count % 4, count):
        a = active[number]
        at, ar = inputs[a], rows[a * width : (a + 1) * width]
        for unit in range(width):
            sums[unit] += at * ar[unit]


@jit
def weigh_state(weights: Any, base: int, state: Any, common: Any, active: Any) -> None:
    """Write to `common` (float32[FIRST]) what the state adds to each unit of the first layer."""
    common[:] = weights[base + _BIAS1 : base + _ANSWERS]
    _add_rows(common, state, weights[base : base + _BIAS1], active)


@jit
def weigh_answer(
    weights: Any, base: int, common: Any, answer: Any, first: Any, second: Any, out: Any, active: Any
) -> None:
    """Write to `out` (float32[OUT]) what an answer is worth; `first` and `second` are scratch for the layers."""
    first[:] = common
    _add_rows(first, answer, weights[base + _ANSWERS : base + _SECOND], active)
    for unit in range(FIRST):
        first[unit] = max(first[unit], np.float32(0.0))
    second[:] = weights[base + _BIAS2 : base + _OUT]
    _add_rows(second, first, weights[base + _SECOND : base + _BIAS2], active)
    for unit in range(OUT):
        total = weights[base + _BIAS3 + unit]
        for place in range(SECOND):
            total += max(second[place], np.float32(0.0)) * weights[base + _OUT + place * OUT + unit]
        out[unit] = total
