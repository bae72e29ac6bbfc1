"""Loading or compiling the engine before anybody's time is taken: a tiny game by each way that it can play."""

from functools import cache
from itertools import product

from ohpshaw_sim.engine.forfeits import Forfeits
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import Driver, play_sets
from ohpshaw_sim.interface.discovery import Entrant, resolve
from ohpshaw_sim.rules import Rules

_WAYS: tuple[Driver, ...] = ("compiled", "batched")


@cache
def warm_up() -> None:
    """Play a round of one card between agents that can be trusted, once in a process."""
    agent = resolve("random")
    trusted = _game((agent,) * 3)
    for driver, keep in product(_WAYS, (0, 1)):
        play_sets(trusted, 0, 0, 1, driver=driver, keep=keep)
    doubted = Entrant("random", agent.bidder, agent.player)
    play_sets(_game((doubted,) * 3), 0, 0, 1, forfeits=Forfeits(one_by_one=True))


def _game(lineup: tuple[Entrant, ...]) -> Game:
    rules = Rules(hand_sizes=(1,))
    return Game(rules, len(lineup), rules.schedule_for(len(lineup)), lineup, (0, 0, 0))
