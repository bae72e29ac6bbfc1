"""One decision: the view turned to a seat, a compiled agent asked, one outside waited for, a wrong answer refused."""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.engine.calls import call_agent, copy_view
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ONE, U
from ohpshaw_sim.kernels.rng import stream_word

NO_ANSWER: Final = -1
"""Given to `advance` at the start of a round."""
FINISHED: Final = -1
"""Returned by `advance` at the end of a round; 0 and above is the seat to ask."""
ILLEGAL: Final = -2
"""Returned by `advance` when the seat `table.turn` answered what is not legal; the table is as it was before."""


@jit
def is_legal(answer: int, legal: Any) -> bool:
    """Tell whether an answer is one of the set bits of `legal`; the range is checked before anything is shifted."""
    return 0 <= answer < 64 and (legal >> U(answer & 63)) & ONE == ONE


@jit
def show_decision(view: Any, table: Any, seat: Any, legal: Any, decision: int) -> None:
    """Turn the view to a seat: its hand, its legal answers, its random word."""
    view.hand = table.hands[seat]
    view.legal = legal
    view.rnd = stream_word(table.round_keys[seat], decision)
    view.seat = seat


@jit
def ask_compiled(
    view: Any, shown: Any, table: Any, game: Any, place: int, address: Any, params: Any, count: int
) -> int:
    """Ask a compiled agent; one that is not trusted is shown a copy of the view, and who is asked is noted."""
    handed = view
    if game.guarded[place]:
        _note(table, place)
        copy_view(shown, view)
        handed = shown
    return call_agent(address, handed, params, count)


@jit
def _note(table: Any, place: int) -> None:
    """Note whose answer is awaited, for whoever watches."""
    table.asked += 1
    table.asked_place = place


@jit
def wait(table: Any, seat: Any, place: int, legal: Any) -> int:
    """Stop at a decision of an agent outside and return its seat."""
    _note(table, place)
    table.legal = legal
    return np.int64(seat)


@jit
def refuse(table: Any, place: int, legal: Any, answer: int) -> int:
    """Stop at a wrong answer of a compiled agent."""
    _note(table, place)
    table.legal = legal
    table.refused = answer
    return ILLEGAL
