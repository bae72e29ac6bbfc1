"""Playing one chunk of whole blocks: a pure function of its task, wherever and whenever it is played."""

import time
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np

from ohpshaw_sim.engine.given import GivenDeals
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.engine.tally import Tally
from ohpshaw_sim.engine.tally_schema import ROW_COLUMNS
from ohpshaw_sim.interface.discovery import Entrant, resolve
from ohpshaw_sim.records.deal_files import deals_of
from ohpshaw_sim.rules import Rules
from ohpshaw_sim.tournament.options import Driver
from ohpshaw_sim.tournament.records import record_lines
from ohpshaw_sim.tournament.schedule import Block, LineUp, Plan, entrant_names, make_plan
from ohpshaw_sim.tournament.spec import Spec
from ohpshaw_sim.tournament.station import IDLE, PLAYING, PREPARING, Station, station_here
from ohpshaw_sim.tournament.sums import Sums

_WARM_UP = ("random", "random", "random")


@dataclass(frozen=True)
class Task:
    """Blocks `first` to `end - 1` of a spec to be played; small and picklable."""

    spec: Spec
    first: int
    end: int
    driver: Driver = "auto"
    save_rounds: bool = False
    keep: int = 0
    """Of how many rounds one is kept as a record; 0 = none is."""


@dataclass(frozen=True)
class Chunk:
    """Blocks `first` to `end - 1` played: fewer than the task's if stopped, none when `first == end`."""

    first: int
    end: int
    sets: int
    seconds: float
    rows: Any
    """int64 [rows, PART_COLUMNS]."""
    rounds: Any
    """int32 [seat-rounds, ROUND_COLUMNS], or None when rounds are not saved."""
    records: bytes = b""
    """Round records of the rounds that are kept, one a line."""


def play_task(task: Task, station: Station | None = None) -> Chunk:
    """Play a task at a station (None = this process's own) until its end or until the station is stopped.

    Raises AgentFaultError when an agent fails, AgentError when one cannot be made.
    """
    station = station or station_here()
    entrants = prepare(task.spec.agents, station)
    names = entrant_names([entrant.name for entrant in entrants])
    plan = _plan(task.spec)
    _deals(task.spec)  # read before anybody's answers are waited for
    sums = Sums(len(entrants), {players: task.spec.schedule(players) for players in task.spec.players})
    rounds: list[Any] = []
    records: list[str] = []
    sets, end, begun = 0, task.first, time.perf_counter()
    for block in plan.span(task.first, task.end):
        if station.stopped:
            break
        for lineup in block.arms:
            station.note(PLAYING, [names[entrant] for entrant in lineup.entrants], block.number)
            tally = _play_block(task, block, lineup, station)
            sums.add(block, lineup, tally)
            if task.save_rounds:
                rounds.append(_round_rows(lineup, tally.rows))
            if tally.kept is not None:
                records += record_lines(task.spec, lineup, names, tally.kept)
        sets, end = sets + block.sets, block.number + 1
    station.note(IDLE)
    logged = np.concatenate(rounds) if rounds else None
    kept = "".join(f"{line}\n" for line in records).encode()
    return Chunk(task.first, end, sets, time.perf_counter() - begun, sums.rows(), logged, kept)


def prepare(agents: tuple[str, ...], station: Station | None = None) -> tuple[Entrant, ...]:
    """Return the entrants of these names, made once per process. Raises AgentError.

    A shared station notes meanwhile whose module is at work; the engine is compiled first.
    """
    station = station or station_here()
    if station.shared:
        station.note(PREPARING)
        _warm_up()
    made: dict[str, Entrant] = {}
    for index, agent in enumerate(agents):
        station.note(PREPARING, agents, index)
        if agent not in made:
            made[agent] = _made_once(agent)
    station.note(IDLE)
    return tuple(made[agent] for agent in agents)


@cache
def _warm_up() -> None:
    """Load or compile the engine by a tiny game of agents that can be trusted."""
    rules = Rules(hand_sizes=(1,))
    lineup = tuple(_made_once(agent) for agent in _WARM_UP)
    game = Game(rules, len(lineup), rules.schedule_for(len(lineup)), lineup, (0, 0, 0))
    play_sets(game, 0, 0, 1)


def game_of(spec: Spec, lineup: LineUp, entrants: tuple[Entrant, ...]) -> Game:
    """Return the game of a line-up; its owners count the entrants that sit there, in ascending order."""
    owners = tuple(lineup.sitting.index(entrant) for entrant in lineup.entrants)
    at_table = tuple(entrants[entrant] for entrant in lineup.entrants)
    schedule, deals = spec.schedule(lineup.players), _deals(spec)
    return Game(
        spec.rules_in_force(), lineup.players, schedule, at_table, owners, arm=lineup.arm, deals=deals
    )


@lru_cache(maxsize=8)
def _deals(spec: Spec) -> GivenDeals | None:
    """Return the deals of a spec's file, laid for the engine; None = deals come from the seed. Raises as `deals_of`."""
    if spec.deals is None or spec.deals_digest is None:
        return None
    return GivenDeals(deals_of(spec.deals, spec.deals_digest, spec.rules_in_force()).sets)


@lru_cache(maxsize=256)
def _made_once(agent: str) -> Entrant:
    return resolve(agent)


@lru_cache(maxsize=8)
def _plan(spec: Spec) -> Plan:
    return make_plan(spec)


@lru_cache(maxsize=1024)
def _game(spec: Spec, lineup: LineUp) -> Game:
    return game_of(spec, lineup, tuple(_made_once(agent) for agent in spec.agents))


def _play_block(task: Task, block: Block, lineup: LineUp, station: Station) -> Tally:
    return play_sets(
        _game(task.spec, lineup),
        task.spec.seed,
        block.first_set,
        block.sets,
        driver=task.driver,
        log=task.save_rounds,
        keep=task.keep,
        workspace=station.workspace,
    )


def _round_rows(lineup: LineUp, log: Any) -> Any:
    """Put the line-up and the entrant of each seat-round before the engine's log."""
    place = log[:, ROW_COLUMNS.index("place")]
    owner = np.array(lineup.entrants, np.int32)[place]
    head = np.empty((len(log), 3), np.int32)
    head[:, 0], head[:, 1], head[:, 2] = lineup.players, lineup.number, owner
    return np.concatenate([head, log.astype(np.int32, copy=False)], axis=1)
