"""One match, with every round of it, for people: the score table of B14 and the ranks of B15."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import play_record
from ohpshaw_sim.interface.discovery import Entrant, resolve
from ohpshaw_sim.rules import Rules


@dataclass(frozen=True)
class Match:
    """A finished match. `names` are the agents by seat, `rounds` has one row per round and seat.

    Columns of `rounds`: round (1, 2, ...), extra (True in tie-break rounds), hand_size, dealer, seat, agent, bid,
    tricks, points, total (running; tie-break points are kept apart from it).
    """

    names: tuple[str, ...]
    rounds: pd.DataFrame

    @property
    def totals(self) -> list[int]:
        """Points by seat at the end of the schedule."""
        last = self.rounds["round"] == self.rounds["round"].max()
        return [int(total) for total in self.rounds[last].sort_values("seat")["total"]]

    @property
    def ranks(self) -> list[int]:
        """Ranks by seat, 1-2-2-4; a tie on top is ranked by the tie-break rounds, of which each counts for the tied."""
        keys = self._keys()
        return [1 + sum(other > key for other in keys) for key in keys]

    @property
    def winners(self) -> list[int]:
        """The seats of rank 1: one, unless the rank is shared."""
        return [seat for seat, rank in enumerate(self.ranks) if rank == 1]

    def _keys(self) -> list[tuple[int, ...]]:
        """Return what ranks the seats: the total, then the points of each tie-break round while still tied on top."""
        keys: list[tuple[int, ...]] = [(total,) for total in self.totals]
        for _, table in self.rounds[self.rounds["extra"]].groupby("round"):
            points = [int(value) for value in table.sort_values("seat")["points"]]
            top = max(keys)
            keys = [(*key, points[seat] if key == top else 0) for seat, key in enumerate(keys)]
        return keys

    def score_table(self) -> pd.DataFrame:
        """Return bid, tricks and score of each round by agent, one row per round (B14)."""
        table = self.rounds.assign(seat=self.rounds["seat"].map(lambda seat: f"{seat} {self.names[seat]}"))
        wide = table.pivot(index=["round", "hand_size"], columns="seat", values=["bid", "tricks", "points"])
        return wide.swaplevel(axis=1).sort_index(axis=1, level=0, sort_remaining=False)


def play_match(
    agents: Sequence[str | Entrant],
    rules: Rules | None = None,
    *,
    seed: int = 0,
    match_number: int = 0,
    stop_after: int | None = None,
) -> Match:
    """Play one match between three to seven agents, named or resolved, and return every round of it.

    The agents are seated by the seed. `match_number` picks another match of the same seed. `stop_after` ends play after
    so many rounds (B16). Raises AgentError for an unknown agent or one that misbehaves, IllegalError when the rules
    refuse the number of players.

    >>> match = play_match(["random", "random", "random"], Rules(max_hand=2), seed=1)
    >>> match.rounds[~match.rounds["extra"]].groupby("round")["tricks"].sum().tolist()
    [1, 2]
    >>> sorted(match.ranks)[0]
    1
    """
    rules = rules or Rules()
    entrants = tuple(agent if isinstance(agent, Entrant) else resolve(agent) for agent in agents)
    players = len(entrants)
    schedule = rules.schedule_for(players)
    game = Game(rules, players, schedule, entrants, tuple(range(players)), stop_after)
    record = play_record(game, seed, match_number)
    names = tuple(entrants[place].name for place in record.places[:players])
    return Match(names, rounds_of(record, game, names))


def rounds_of(record: Any, game: Game, names: tuple[str, ...]) -> pd.DataFrame:
    """Return the rows of a match from its MATCH record."""
    played = int(record.rounds + record.extra_rounds)
    shape = (played, game.players)
    numbers = np.repeat(np.arange(played), game.players)
    seats = np.tile(np.arange(game.players), played)
    points = np.asarray(record.points)[:played, : game.players].astype(np.int64)
    counted = points * (np.arange(played) < record.rounds)[:, None]
    sizes = [*game.schedule[: record.rounds], *[game.tie_break_hand] * int(record.extra_rounds)]
    frame = pd.DataFrame({"round": numbers + 1, "extra": numbers >= record.rounds})
    frame["hand_size"] = np.array(sizes, np.int64)[numbers]
    frame["dealer"] = np.asarray(record.dealers)[:played].astype(np.int64)[numbers]
    frame["seat"] = seats
    frame["agent"] = [names[seat] for seat in seats]
    for column, values in (("bid", record.bids), ("tricks", record.tricks)):
        frame[column] = np.asarray(values)[:played, : game.players].astype(np.int64).reshape(-1)
    frame["points"] = points.reshape(-1)
    frame["total"] = counted.cumsum(axis=0).reshape(shape).reshape(-1)
    return frame
