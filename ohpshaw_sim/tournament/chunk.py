"""Playing one chunk of whole blocks: a pure function of its task, wherever and whenever it is played."""

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ohpshaw_sim.engine.calls import calls_of
from ohpshaw_sim.engine.fault import Fault
from ohpshaw_sim.engine.forfeits import Forfeits
from ohpshaw_sim.engine.given import GivenDeals
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.engine.tally import Tally
from ohpshaw_sim.engine.tally_schema import ROW_COLUMNS
from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.interface.discovery import Entrant, resolve
from ohpshaw_sim.records.deal_files import deals_of
from ohpshaw_sim.tournament.options import Driver
from ohpshaw_sim.tournament.records import record_lines
from ohpshaw_sim.tournament.schedule import Block, LineUp, Plan, entrant_names, make_plan
from ohpshaw_sim.tournament.spec import Spec
from ohpshaw_sim.tournament.station import IDLE, PLAYING, PREPARING, Station, station_here
from ohpshaw_sim.tournament.sums import Sums
from ohpshaw_sim.tournament.warm_up import warm_up


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
    known: tuple[tuple[int, Fault], ...] = ()
    """Faults that stand: the line-up's number, and what its agent is not to be asked again."""
    killers: tuple[str, ...] = ()
    """Entrants that have ended their workers."""
    one_by_one: bool = False
    """Whether agents are asked one decision at a time, so that it can be told which one a worker dies of."""


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
    faults: bytes = b""
    """Round records of the rounds in which an agent failed, one a line."""


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
    faults: list[str] = []
    sets, end, begun = 0, task.first, time.perf_counter()
    for block in plan.span(task.first, task.end):
        if station.stopped:
            break
        for lineup in block.arms:
            at_table = [names[entrant] for entrant in lineup.entrants]
            station.note(PLAYING, at_table, block.number, lineup.arm)
            tally = _play_block(task, block, lineup, at_table, station)
            sums.add(block, lineup, tally)
            if task.save_rounds:
                rounds.append(_round_rows(lineup, tally.rows))
            if tally.kept is not None:
                records += record_lines(task.spec, lineup, names, tally.kept, tally.faults)
            if tally.faulty is not None:
                faults += record_lines(task.spec, lineup, names, tally.faulty, tally.faults)
        sets, end = sets + block.sets, block.number + 1
    station.note(IDLE)
    logged = np.concatenate(rounds) if rounds else None
    seconds = time.perf_counter() - begun
    return Chunk(task.first, end, sets, seconds, sums.rows(), logged, _lines(records), _lines(faults))


def _lines(texts: list[str]) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()


def prepare(agents: tuple[str, ...], station: Station | None = None) -> tuple[Entrant, ...]:
    """Return the entrants of these names, made once per process. Raises AgentError.

    A shared station notes meanwhile whose module is at work; the engine is compiled first, and what the agents have to
    compile after that, so that no decision is waited for meanwhile.
    """
    station = station or station_here()
    if station.shared:
        station.note(PREPARING)
        warm_up()
    made: dict[str, Entrant] = {}
    for index, agent in enumerate(agents):
        station.note(PREPARING, agents, index)
        if agent not in made:
            made[agent] = _made_once(agent)
            if station.shared:
                _compile(made[agent])
    station.note(IDLE)
    return tuple(made[agent] for agent in agents)


def _compile(entrant: Entrant) -> None:
    """Compile an agent's functions, if it has any; one that does not compile is refused where it is to play."""
    for half in (entrant.bidder, entrant.player):
        if isinstance(half, CompiledAgent):
            with contextlib.suppress(AgentError):
                calls_of(half)


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


def _play_block(task: Task, block: Block, lineup: LineUp, names: Sequence[str], station: Station) -> Tally:
    return play_sets(
        _game(task.spec, lineup),
        task.spec.seed,
        block.first_set,
        block.sets,
        driver=task.driver,
        log=task.save_rounds,
        keep=task.keep,
        workspace=station.workspace,
        forfeits=_forfeits(task, block, lineup, names),
    )


def _forfeits(task: Task, block: Block, lineup: LineUp, names: Sequence[str]) -> Forfeits | None:
    """Return how faults are dealt with in a block, `names` by place; None = the first one ends it."""
    if task.spec.on_fault != "forfeit":
        return None
    sets = range(block.first_set, block.first_set + block.sets)
    known = [fault for number, fault in task.known if number == lineup.number and fault.set_number in sets]
    killers = [place for place, name in enumerate(names) if name in task.killers]
    return Forfeits(tuple(known), task.one_by_one, frozenset(killers))


def _round_rows(lineup: LineUp, log: Any) -> Any:
    """Put the line-up and the entrant of each seat-round before the engine's log."""
    place = log[:, ROW_COLUMNS.index("place")]
    owner = np.array(lineup.entrants, np.int32)[place]
    head = np.empty((len(log), 3), np.int32)
    head[:, 0], head[:, 1], head[:, 2] = lineup.players, lineup.number, owner
    return np.concatenate([head, log.astype(np.int32, copy=False)], axis=1)
