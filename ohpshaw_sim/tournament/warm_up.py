"""Loading or compiling the engine before anybody's time is taken: a tiny game by each way that it can play."""

from functools import cache
from itertools import product
from typing import Any, Final

import numpy as np

from ohpshaw_sim.engine.forfeits import Forfeits
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import Driver, play_sets
from ohpshaw_sim.interface.discovery import Entrant, resolve
from ohpshaw_sim.kernels.bits import lowest_bit
from ohpshaw_sim.rules import Rules

_WAYS: Final[tuple[Driver, ...]] = ("compiled", "batched")


class _Lowest:
    """An agent outside compiled code."""

    def bids(self, batch: Any) -> Any:
        """Answer with the lowest that is legal."""
        return np.array([lowest_bit(legal) for legal in batch.legal], np.int64)

    plays = bids


@cache
def warm_up() -> None:
    """Play a round of one card by each way, once in a process."""
    agent = resolve("random")
    doubted = Entrant("random", agent.bidder, agent.player)
    outside = Entrant("lowest", _Lowest(), _Lowest())
    for driver, keep in product(_WAYS, (0, 1)):
        play_sets(_game(agent, agent, agent), 0, 0, 1, driver=driver, keep=keep)
        play_sets(_game(agent, doubted, outside), 0, 0, 1, keep=keep)
    play_sets(_game(agent, doubted, outside), 0, 0, 1, keep=2, forfeits=Forfeits(one_by_one=True))


def _game(*lineup: Entrant) -> Game:
    rules = Rules(hand_sizes=(1,))
    return Game(rules, len(lineup), rules.schedule_for(len(lineup)), lineup, (0, 1, 2))
