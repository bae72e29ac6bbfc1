"""CFR+ on a small game: self-play that takes back what it regrets, down to where nobody can gain much.

Counterfactual regret minimisation (Zinkevich et al., "Regret minimization in games with incomplete information", 2007)
in the form of Tammelin ("Solving large imperfect information games using CFR+", 2014): regrets below 0 are forgotten,
and the average counts iteration t with weight t. All seats are brought forward at once. For three and more players no
theory promises that it converges; so what every seat could still gain is computed by exact best answers.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ohpshaw_sim.errors import ConflictError
from ohpshaw_sim.exact.exploited import Exploited, exactly
from ohpshaw_sim.exact.lines import Lines, lines_of
from ohpshaw_sim.exact.sequences import add_lines, best_answers, even_chances, points_of, weigh
from ohpshaw_sim.exact.small_game import SmallGame
from ohpshaw_sim.exact.walk import Found
from ohpshaw_sim.kernels._jit import jit

LOOK_EVERY: Final = 20
"""Iterations between looks at what can be gained."""
MOST_ITERATIONS: Final = 5000


@jit
def match_regrets(found: Found, regrets: Any, chances: Any) -> None:
    """Write chances in proportion to the regrets (float64 by sequence), even ones where there are none."""
    for infoset in range(len(found.owner)):
        first = found.first[infoset]
        after = first + found.options[infoset]
        total = 0.0
        for sequence in range(first, after):
            total += regrets[sequence]
        for sequence in range(first, after):
            chances[sequence] = regrets[sequence] / total if total > 0.0 else 1.0 / (after - first)


@jit
def add_regrets(found: Found, chances: Any, worth: Any, regrets: Any) -> None:
    """Add what each answer would have gained over `chances`, from the last decisions back to the first."""
    for infoset in range(len(found.owner) - 1, -1, -1):
        first = found.first[infoset]
        after = first + found.options[infoset]
        value = 0.0
        for sequence in range(first, after):
            value += chances[sequence] * worth[sequence]
        for sequence in range(first, after):
            regrets[sequence] = max(regrets[sequence] + worth[sequence] - value, 0.0)
        worth[found.parent[infoset]] += value


def average_of(lines: Lines, summed: Any) -> Any:
    """Return the chances by sequence of the average play, from weights added up; even where nothing was added."""
    chances = np.ones(lines.sequences)
    match_regrets(lines.found, summed, chances)
    return chances


def minimise(lines: Lines, target: float, most: int) -> tuple[Any, int]:
    """Return chances by sequence that leave no more than `target` points a round to be gained, and the iterations.

    `target` is for all seats together. Ends after `most` iterations at the latest.
    """
    regrets, summed = np.zeros(lines.sequences), np.zeros(lines.sequences)
    chances, weights, worth = even_chances(lines), np.ones(lines.sequences), np.zeros(lines.sequences)
    for iteration in range(1, most + 1):
        weigh(lines.found, lines.game.players, chances, weights)
        summed += iteration * weights
        add_lines(lines.found, weights, worth)
        add_regrets(lines.found, chances, worth, regrets)
        match_regrets(lines.found, regrets, chances)
        if iteration % LOOK_EVERY == 0 and gains(lines, average_of(lines, summed)).sum() <= target:
            return average_of(lines, summed), iteration
    return average_of(lines, summed), most


def gains(lines: Lines, chances: Any) -> Any:
    """Return what each seat gains by a best answer to `chances`, in points a round."""
    return (best_answers(lines, chances)[0] - points_of(lines, chances)) / len(lines.deals)


def solve_by_regrets(
    game: SmallGame,
    target: float,
    most: int = MOST_ITERATIONS,
    tell: Callable[[int], None] = lambda _: None,
) -> Exploited:
    """Return what is left to be gained from CFR+ once that is `target` or less, the turn-up's suit being clubs.

    Suits are alike, so those of one suit stand for all. Raises ConflictError for a game that is too large, or one in
    which `most` iterations are not enough.
    """
    turn_ups = [card for card in game.turn_ups if card < 16]
    values, best, iterations, deals, decisions = [], [], 0, 0, 0
    for number, turn_up in enumerate(turn_ups):
        tell(number)
        lines = lines_of(game, turn_up)
        chances, needed = minimise(lines, target, most)
        left = gains(lines, chances)
        if left.sum() > target:
            raise ConflictError(
                f"{most} iterations leave {left.sum():.4g} points to be gained, more than {target:g}; allow more"
            )
        values.append(points_of(lines, chances) / len(lines.deals))
        best.append(values[-1] + left)
        iterations = max(iterations, needed)
        deals, decisions = deals + len(lines.deals), decisions + lines.infosets
    facts = {"deals": deals, "decisions": decisions, "iterations": iterations}
    return exactly(np.mean(values, axis=0), np.mean(best, axis=0), facts)


def solve_evenly(game: SmallGame, tell: Callable[[int], None] = lambda _: None) -> Exploited:
    """Return what is left to be gained from play that takes every legal answer as often, one suit standing for all."""
    turn_ups = [card for card in game.turn_ups if card < 16]
    values, best, deals, decisions = [], [], 0, 0
    for number, turn_up in enumerate(turn_ups):
        tell(number)
        lines = lines_of(game, turn_up)
        values.append(points_of(lines, even_chances(lines)) / len(lines.deals))
        best.append(best_answers(lines, even_chances(lines))[0] / len(lines.deals))
        deals, decisions = deals + len(lines.deals), decisions + lines.infosets
    return exactly(np.mean(values, axis=0), np.mean(best, axis=0), {"deals": deals, "decisions": decisions})
