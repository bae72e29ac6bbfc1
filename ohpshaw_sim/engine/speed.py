"""How fast a game is played on this machine: by processor time, on one thread, compilation left out."""

import time
from dataclasses import replace
from typing import NamedTuple

from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.engine.workspace import Workspace


class Pace(NamedTuple):
    """Rounds of the schedule that were timed, and the seconds of processor time that they took."""

    rounds: int
    seconds: float

    @property
    def rate(self) -> float:
        """Rounds per second."""
        return self.rounds / self.seconds


def pace_of(game: Game, seconds: float) -> Pace:
    """Play ever more sets, after a first round of each match that compiles, until that takes the time asked for."""
    workspace = Workspace.allocate()
    play_sets(replace(game, stop_after=1), 0, 0, 1, workspace=workspace)
    sets, first = 1, 1
    while True:
        begun = time.process_time()
        play_sets(game, 0, first, sets, workspace=workspace)
        taken = time.process_time() - begun
        if taken >= seconds / 2:
            return Pace(sets * game.players * len(game.schedule), taken)
        first += sets
        sets *= 2
