"""An agent's way to play, from its answers with many random words, and what a best answer to it gains.

An agent whose answers never change with the random word is known exactly, and so is the best answer. Of one that draws
on its word only a sample is known. A best answer to the sample is too good to be true, since it fits its chance faults.
So the words are halved: by the first half answers are chosen, by each word of the second half they are valued, against
a way to play that they were not fitted to. A line's weight is a product of chances at different decisions, of which
each has words of its own; so each word of the second half gives an unbiased value, and all are independent.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from ohpshaw_sim.exact.exploited import Exploited, exactly, held_out
from ohpshaw_sim.kernels.bits import U
from ohpshaw_sim.kernels.rng import fold, root

PROBE: Final = 4
"""Words after which an agent whose answers never changed is taken to be certain."""
WORDS: Final = 16


class Part(Protocol):
    """A small game after one turn-up, in a form in which a best answer can be found."""

    turn_up: int
    deals: int
    decisions: int

    def ask(self, key: Any, words: int) -> Any:
        """Return the agent's answers, [decision, word]."""

    def play(self, answers: Any) -> Any:
        """Return the way to play that is even over the words of `answers`."""

    def best(self, play: Any) -> tuple[Any, Any, Any]:
        """Return the points by seat of a way to play, those of best answers to it, and these answers as one."""

    def value(self, play: Any, answers: Any) -> tuple[Any, Any]:
        """Return the points by seat of a way to play, and those of other answers to it."""


class _Sums(NamedTuple):
    """Points added up over all deals: by seat, and by word of the second half and seat."""

    chosen: Any  # as the agent plays, by the first half
    best: Any
    values: Any
    deviations: Any


def exploit_parts(
    parts: Sequence[Callable[[], Part]], seed: int, words: int, tell: Callable[[int], None] = lambda _: None
) -> Exploited:
    """Return what an agent leaves to be taken, over all turn-ups; `tell` is told how many are done."""
    key = root(seed, "exploit")
    added: list[_Sums] = []
    varied, deals, decisions = False, 0, 0
    for number, make in enumerate(parts):
        tell(number)
        part = make()
        sums, certain = _exploit_part(part, U(fold(key, number)), words)
        added.append(sums)
        varied |= not certain
        deals, decisions = deals + part.deals, decisions + part.decisions
    chosen, best, values, deviations = (sum(column) / deals for column in zip(*added, strict=True))
    facts = {"deals": deals, "decisions": decisions, "words": words if varied else PROBE}
    if not varied:
        return exactly(chosen, best, facts)
    return held_out(values, deviations, best - chosen, facts)


def _exploit_part(part: Part, key: Any, words: int) -> tuple[_Sums, bool]:
    """Return what one turn-up adds, and whether the agent's answers never changed."""
    answers = part.ask(key, PROBE)
    half = words // 2
    if (answers == answers[:, :1]).all():
        own, best, _ = part.best(part.play(answers[:, :1]))
        return _Sums(own, best, np.tile(own, (half, 1)), np.tile(best, (half, 1))), True
    answers = part.ask(key, 2 * half)
    own, best, chosen = part.best(part.play(answers[:, :half]))
    pairs = [part.value(part.play(answers[:, [half + word]]), chosen) for word in range(half)]
    values, deviations = (np.array(column) for column in zip(*pairs, strict=True))
    return _Sums(own, best, values, deviations), False
