"""Playing in sequence form: what a way to play is worth to each seat, and the best answer to it.

A way to play is a chance for each sequence: that of its last answer at its information set. Multiplied along the own
answers of a seat it is the sequence's *weight*. What a seat can expect is linear in its own weights: with q(s) the
points of all lines that end with its sequence s, each times the other seats' weights, it is the sum of weight times q.
So the best answer is found from the last decisions back to the first: at each information set the answer whose points,
with all that follows, are the most (von Stengel, "Efficient computation of behavior strategies", 1996).
"""

from typing import Any

import numpy as np

from ohpshaw_sim.exact.lines import Lines
from ohpshaw_sim.exact.walk import Found
from ohpshaw_sim.kernels._jit import jit


def even_chances(lines: Lines) -> Any:
    """Return the chances (float64 by sequence) of a way to play that takes every legal answer as often."""
    chances = np.ones(lines.sequences)
    chances[lines.game.players :] = np.repeat(1.0 / lines.found.options, lines.found.options)
    return chances


@jit
def weigh(found: Found, players: int, chances: Any, weights: Any) -> None:
    """Write the weight of each sequence to `weights`, given the chance of each sequence's last answer."""
    weights[:players] = 1.0
    for infoset in range(len(found.owner)):
        before = weights[found.parent[infoset]]
        for sequence in range(found.first[infoset], found.first[infoset] + found.options[infoset]):
            weights[sequence] = before * chances[sequence]


@jit
def add_lines(found: Found, weights: Any, worth: Any) -> None:
    """Write q(s), see above, to `worth` (float64 by sequence), from the weights of all sequences."""
    worth[:] = 0.0
    players = found.last.shape[1]
    for line in range(len(found.last)):
        for seat in range(players):
            if found.points[line, seat]:
                share = np.float64(found.points[line, seat])
                for other in range(players):
                    if other != seat:
                        share *= weights[found.last[line, other]]
                worth[found.last[line, seat]] += share


@jit
def fold_back(found: Found, chances: Any, worth: Any) -> None:
    """Add to the worth of each sequence what follows it, each seat playing on by `chances`.

    The first sequences of `worth`, one a seat, are then the points of the seats, added up over all deals.
    """
    for infoset in range(len(found.owner) - 1, -1, -1):
        value = 0.0
        for sequence in range(found.first[infoset], found.first[infoset] + found.options[infoset]):
            value += chances[sequence] * worth[sequence]
        worth[found.parent[infoset]] += value


@jit
def answer_best(found: Found, worth: Any, answers: Any) -> None:
    """Do as `fold_back` does with the best answer everywhere, written to `answers` (1 = taken), the first of equals.

    Each seat's points are then those of its best answer to what the others do.
    """
    for infoset in range(len(found.owner) - 1, -1, -1):
        first = found.first[infoset]
        best = first
        for sequence in range(first, first + found.options[infoset]):
            answers[sequence] = 0.0
            if worth[sequence] > worth[best]:
                best = sequence
        answers[best] = 1.0
        worth[found.parent[infoset]] += worth[best]


def points_of(lines: Lines, chances: Any) -> Any:
    """Return the points of each seat (float64), added up over all deals, when all play by `chances`."""
    worth = worth_of(lines, chances)
    fold_back(lines.found, chances, worth)
    return worth[: lines.game.players].copy()


def worth_of(lines: Lines, chances: Any) -> Any:
    """Return q(s) by sequence, against others that play by `chances`."""
    weights, worth = np.ones(lines.sequences), np.zeros(lines.sequences)
    weigh(lines.found, lines.game.players, chances, weights)
    add_lines(lines.found, weights, worth)
    return worth


def best_answers(lines: Lines, chances: Any) -> tuple[Any, Any]:
    """Return the points of each seat's best answer to `chances`, added up over all deals, and these answers.

    The answers are chances, too: those of each seat at its own information sets.
    """
    worth, answers = worth_of(lines, chances), np.ones(lines.sequences)
    answer_best(lines.found, worth, answers)
    return worth[: lines.game.players].copy(), answers
