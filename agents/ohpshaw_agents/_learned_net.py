"""The small networks of `learned`: two hidden layers of rectified sums, in plain loops of float64.

Each sum is added up in the same order on every machine; the loops run along the outputs, which compilers put side by
side without changing a bit. What all answers of a decision have in common is added up once.
"""

from typing import Any, Final

from ohpshaw_agents._learned_answers import ANSWER
from ohpshaw_agents._learned_sight import STATE
from ohpshaw_sim.kernels._jit import jit_inline

FIRST: Final = 64
SECOND: Final = 32
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


@jit_inline
def _add_row(sums: Any, count: int, weights: Any, start: int, value: float) -> None:
    """Add `value` times a row of weights to the sums."""
    for place in range(count):
        sums[place] += value * weights[start + place]


@jit_inline
def weigh_state(weights: Any, base: int, state: Any, common: Any) -> None:
    """Write to `common` (float64[FIRST]) what the state adds to each unit of the first layer."""
    for unit in range(FIRST):
        common[unit] = weights[base + _BIAS1 + unit]
    for place in range(STATE):
        if state[place] != 0.0:
            _add_row(common, FIRST, weights, base + place * FIRST, state[place])


@jit_inline
def weigh_answer(
    weights: Any, base: int, common: Any, answer: Any, first: Any, second: Any, out: Any
) -> None:
    """Write to `out` (float64[OUT]) what an answer is worth; `first` and `second` are scratch for the layers."""
    for unit in range(FIRST):
        first[unit] = common[unit]
    for place in range(ANSWER):
        if answer[place] != 0.0:
            _add_row(first, FIRST, weights, base + _ANSWERS + place * FIRST, answer[place])
    for unit in range(SECOND):
        second[unit] = weights[base + _BIAS2 + unit]
    for place in range(FIRST):
        if first[place] > 0.0:
            _add_row(second, SECOND, weights, base + _SECOND + place * SECOND, first[place])
    for unit in range(OUT):
        out[unit] = weights[base + _BIAS3 + unit]
    for place in range(SECOND):
        if second[place] > 0.0:
            _add_row(out, OUT, weights, base + _OUT + place * OUT, second[place])
