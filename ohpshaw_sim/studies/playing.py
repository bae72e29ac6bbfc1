"""Playing the sets of a line-up for a study: in chunks on threads, every chunk a pure function of its sets.

A study asks about one competitor of the line-up, the first one: what comes back are its sums over sets, its points set
by set and, if wanted, its seat-rounds.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from ohpshaw_sim import __version__
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.engine.tally_schema import ROW_COLUMNS
from ohpshaw_sim.interface.discovery import BUILTIN_PACKAGE, Entrant, resolve
from ohpshaw_sim.rule_text import rules_text
from ohpshaw_sim.rules import Rules
from ohpshaw_sim.studies.promises import promises_of, promising
from ohpshaw_sim.tournament.manifest import source_hashes

_CHUNKS: Final = 64
_MOST_SETS: Final = 256
"""Sets of a chunk, which bound the memory that its seat-rounds take."""
COLUMNS: Final = ("set", "hand_size", "position", "bid", "tricks", "points", "promise")
"""Of seat-rounds; `promise` is the chance that the bidder gave its bid, in millionths, -1 = it gave none."""
_SAME: Final = ("set", "hand_size", "bid", "tricks", "points")
_PLAYING: Final = (
    "*.py",
    "kernels/*.py",
    "interface/*.py",
    "engine/*.py",
    "studies/playing.py",
    "studies/promises.py",
)
"""Sources, below the package, that play; those of the agents come to them, and their weights."""
_FORM: Final = 2
"""Of what is kept on disk."""


@dataclass(frozen=True)
class LineUp:
    """An agent in the first `seats` places of a table, those of its field in the others."""

    agent: str
    field: tuple[str, ...]
    players: int
    rules: Rules
    seed: int
    sets: int
    seats: int = 1
    rounds: bool = False
    """Whether the seat-rounds are wanted."""
    promises: bool = False
    """Whether their promises are, too, which takes longer."""

    @property
    def schedule(self) -> tuple[int, ...]:
        """Hand size of each round of a match."""
        return self.rules.schedule_for(self.players)

    @property
    def names(self) -> tuple[str, ...]:
        """The agents by place; a field of few is repeated."""
        others = self.players - self.seats
        return (self.agent,) * self.seats + tuple(self.field[i % len(self.field)] for i in range(others))

    def digest(self) -> str:
        """Return 16 hex digits that name what is played and by which code."""
        facts = {
            "form": _FORM,
            "names": self.names,
            "rules": rules_text(self.rules),
            "plan": [self.players, self.schedule, self.seed, self.sets, self.seats],
            "rounds": [self.rounds, self.promises],
            "sources": source_hashes(self.names),
            "version": [__version__, _sources()],
        }
        return hashlib.blake2b(json.dumps(facts, sort_keys=True).encode(), digest_size=8).hexdigest()


class Played(NamedTuple):
    """What the agent of a line-up came to; all arrays are of integers."""

    totals: Any
    """int64 [MOMENTS]: sums over sets."""
    by_set: Any
    """int64 [sets]: points, all of its seats added up."""
    wins_by_set: Any
    """int64 [sets]: matches won, in 420ths (`WIN_UNIT`)."""
    rows: Any
    """int32 [seat-rounds, COLUMNS], by set; empty where they were not wanted."""


def play(
    lineup: LineUp, jobs: int, kept: Path | None = None, heard: Callable[[int], None] | None = None
) -> Played:
    """Play a line-up, or read what a folder of earlier ones holds of it. Raises AgentError, AgentFaultError.

    Interrupted, it waits for the chunks under way; those that were played are kept, too, and are not played again.

    heard    is told how many sets are played, again and again
    """
    heard = heard or (lambda _: None)
    heard(0)
    path = None if kept is None else kept / f"{lineup.digest()}.npz"
    if path is not None and path.exists():
        heard(lineup.sets)
        return _read(path)
    size = min(max(lineup.sets // _CHUNKS, 1), _MOST_SETS)
    spans = [(first, min(size, lineup.sets - first)) for first in range(0, lineup.sets, size)]
    pieces = None if path is None else path.with_suffix("")
    with ThreadPoolExecutor(jobs) as crew:
        found = _in_order(crew, [crew.submit(_piece, lineup, *span, pieces) for span in spans], heard)
    totals, *by_set_and_rows = zip(*found, strict=True)
    played = Played(np.sum(totals, axis=0), *map(np.concatenate, by_set_and_rows))
    if path is not None and pieces is not None:
        _keep(path, played)
        shutil.rmtree(pieces, ignore_errors=True)
    return played


def _in_order(crew: Executor, futures: list[Future[Played]], heard: Callable[[int], None]) -> list[Played]:
    """Return what futures come to, in their order; `heard` is told how many sets are done whenever one is."""
    done, waiting = 0, set(futures)
    try:
        while waiting:
            finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            if any(future.exception() for future in finished):
                break
            done += sum(len(future.result().by_set) for future in finished)
            heard(done)
        return [future.result() for future in futures]
    except BaseException:
        crew.shutdown(wait=False, cancel_futures=True)
        raise


def _piece(lineup: LineUp, first: int, sets: int, pieces: Path | None) -> Played:
    """Play a chunk, or read it, if the folder of a line-up's pieces holds it."""
    path = None if pieces is None else pieces / f"{first}.npz"
    if path is not None and path.exists():
        return _read(path)
    played = _chunk(lineup, first, sets)
    if path is not None:
        _keep(path, played)
    return played


def _read(path: Path) -> Played:
    with np.load(path) as found:
        return Played(*(found[name] for name in Played._fields))


@cache
def _sources() -> str:
    """Return a digest of the sources that what is played depends on."""
    package = Path(__file__).resolve().parents[1]
    agents = Path(import_module(BUILTIN_PACKAGE).__path__[0])
    paths = [path for pattern in _PLAYING for path in package.glob(pattern)] + [
        *agents.glob("*.py"),
        *agents.glob("*.npy"),
    ]
    return hashlib.blake2b(b"".join(path.read_bytes() for path in sorted(paths)), digest_size=8).hexdigest()


@lru_cache(maxsize=256)
def _made_once(agent: str) -> Entrant:
    return resolve(agent)


def _chunk(lineup: LineUp, first: int, sets: int) -> Played:
    entrants = [_made_once(name) for name in lineup.names]
    recorder = promising(entrants[0]) if lineup.rounds and lineup.promises else None
    if recorder is not None:
        entrants[: lineup.seats] = [recorder.entrant] * lineup.seats
    owners = (0,) * lineup.seats + (1,) * (lineup.players - lineup.seats)
    game = Game(lineup.rules, lineup.players, lineup.schedule, tuple(entrants), owners)
    tally = play_sets(game, lineup.seed, first, sets, log=lineup.rounds)
    rows = np.empty((0, len(COLUMNS)), np.int32)
    if lineup.rounds:
        mine = tally.rows[tally.rows[:, ROW_COLUMNS.index("place")] < lineup.seats]
        rows = _seat_rounds(mine, lineup.players)
        if recorder is not None:
            rows[:, COLUMNS.index("promise")] = promises_of(recorder, mine, first, lineup.players)
    points, wins = tally.by_set[:, 0].T
    return Played(tally.totals[0], points, wins, rows)


def _seat_rounds(log: Any, players: int) -> Any:
    """Return the rows of an engine's log as int32 [seat-rounds, COLUMNS], without promises."""
    at = {name: log[:, ROW_COLUMNS.index(name)] for name in (*_SAME, "seat", "dealer")}
    position = (at["seat"] - at["dealer"] - 1) % players
    columns = {**at, "position": position, "promise": np.full(len(log), -1)}
    return np.stack([columns[name] for name in COLUMNS], axis=1).astype(np.int32)


def _keep(path: Path, played: Played) -> None:
    """Write what was played, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{os.getpid()}-{path.name}")
    np.savez_compressed(temporary.open("wb"), **played._asdict())
    temporary.replace(path)
