"""The driver for line-ups of compiled agents: one loop, one table that stays in cache, nothing of Python inside."""

from typing import Any

from ohpshaw_sim.engine.adding import add_sets
from ohpshaw_sim.engine.advance import advance
from ohpshaw_sim.engine.asking import FINISHED, NO_ANSWER
from ohpshaw_sim.engine.keeping import keep_round
from ohpshaw_sim.engine.match import begin_match, begin_round, end_round
from ohpshaw_sim.kernels._jit import jit


@jit
def play_compiled_sets(memory: Any, first_set: int, sets: int, owners: Any, sums: Any, tally: Any) -> int:
    """Play whole sets and add each one up; return how the last round ended: FINISHED, or ILLEGAL at once.

    `memory` holds the records to play in: views (2), tables (1), matches and games (1), and room for rounds to be kept
    (`keeping.Kept`). With room for the matches of all sets the matches stay there as a log, else one set's room is
    used again and again. `owners`, `sums` and `tally` are those of `add_sets`.
    """
    views, tables, matches, games, kept = memory
    view, shown, table, game = views[0], views[1], tables[0], games[0]
    players = game.players
    logged = matches.shape[0] >= sets * players
    for number in range(sets):
        start = number * players if logged else 0
        for rotation in range(players):
            outcome = _play_match(
                view, shown, table, matches[start + rotation], game, first_set + number, rotation, kept
            )
            if outcome != FINISHED:
                return outcome
        add_sets(matches, start, 1, players, game.schedule, owners, sums, number, tally)
    return FINISHED


@jit
def _play_match(
    view: Any, shown: Any, table: Any, match: Any, game: Any, set_number: int, rotation: int, kept: Any
) -> int:
    """Play one match to its end, or to the first illegal answer."""
    begin_match(view, table, match, game, set_number, rotation)
    going = True
    while going:
        begin_round(view, table, game)
        outcome = advance(view, table, game, shown, NO_ANSWER)
        if outcome != FINISHED:
            return outcome
        going = end_round(view, table, match, game)
        if len(kept.rounds):
            keep_round(view, table, match, game, kept)
    return FINISHED
