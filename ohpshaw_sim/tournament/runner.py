"""The loop of a run: hand out missing chunks and keep what was played, until done or told to stop."""

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from enum import Enum
from types import FrameType
from typing import Any, Final

from ohpshaw_sim.tournament.choice import one_in
from ohpshaw_sim.tournament.chunk import Chunk, Task
from ohpshaw_sim.tournament.crew import Crew
from ohpshaw_sim.tournament.deciding import Decider, Fold
from ohpshaw_sim.tournament.options import Options
from ohpshaw_sim.tournament.progress import Listener, Progress
from ohpshaw_sim.tournament.schedule import Plan, cut
from ohpshaw_sim.tournament.shards import sets_planned
from ohpshaw_sim.tournament.spec import Spec
from ohpshaw_sim.tournament.store import RunFolder

CHUNK_SECONDS: Final = 1.0
"""How long a chunk should take at first; a long run takes longer ones, so that its parts do not grow many."""
LONGEST_CHUNK_SECONDS: Final = 30.0
_CHUNKS_PER_RUN: Final = 60
_CHUNKS_PER_SECOND: Final = 30
"""How many chunks one process can take in and write, with room to spare; a thousand jobs would hand in more."""
_MOST_BLOCKS: Final = 1024
_MOST_ROWS: Final = 500_000
_MOST_RECORDS: Final = 20_000
_GROWTH: Final = 4
_TICK: Final = 0.2
_AHEAD: Final = 2
"""Chunks handed out per job: one under way, one waiting."""


class End(Enum):
    """How a run ended."""

    FINISHED = "finished"
    OUT_OF_TIME = "out of time"
    INTERRUPTED = "interrupted"
    DECIDED = "decided"


@dataclass
class Pace:
    """How many blocks make a chunk of the wanted length: a matter of comfort, no result depends on it."""

    most_blocks: int = _MOST_BLOCKS
    blocks: int = 1
    seconds_per_block: float | None = None

    def learn(self, blocks: int, seconds: float, elapsed: float, jobs: int = 1) -> None:
        """Take in how long a chunk took, `elapsed` seconds into the run of so many jobs."""
        self.seconds_per_block = seconds / blocks
        wanted = max(CHUNK_SECONDS, jobs / _CHUNKS_PER_SECOND, elapsed / _CHUNKS_PER_RUN)
        fitting = int(min(wanted, LONGEST_CHUNK_SECONDS) / max(self.seconds_per_block, 1e-9))
        self.blocks = max(1, min(fitting, self.blocks * _GROWTH, self.most_blocks))

    def next_size(self, blocks_left: int, jobs: int, seconds_left: float | None) -> int:
        """Return the blocks of the next chunk: fewer towards the end, so that all jobs end together."""
        size = min(self.blocks, max(1, blocks_left // (_AHEAD * jobs)))
        if seconds_left is not None and self.seconds_per_block is not None:
            size = min(size, max(1, int(seconds_left / self.seconds_per_block / _AHEAD)))
        return size


@dataclass
class Runner:
    """One session of play into a run folder; `play()` runs it.

    `stop` may be set from elsewhere, with the same effect as Ctrl-C.
    """

    spec: Spec
    plan: Plan
    folder: RunFolder
    crew: Crew
    options: Options
    listener: Listener = lambda _: None
    decider: Decider | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    rounds: int = 0
    cards: int = 0
    seconds: float = 0.0
    changed: bool = False
    """Whether parts were written or cut off."""

    def __post_init__(self) -> None:
        self._missing = self.folder.missing(self.plan)
        self._before = self._done = self.folder.sets_played()
        self._sets = sets_planned(self.plan.sets, self.plan.block_sets, self.folder.shard)
        self._pending: dict[Future[Chunk], Task] = {}
        self._schedules = {players: self.spec.schedule(players) for players in self.spec.players}
        self._one_in = one_in(self.options.records)
        self._pace = Pace(self._most_blocks())
        self._fold = None if self.decider is None else Fold(self.decider)
        if self._fold is not None:
            for part in self.folder.whole_parts(self.plan):
                self._fold.add_part(part)
        self._cut = False
        self._begun = 0.0

    def play(self, journal: Listener = lambda _: None) -> End:
        """Play what is missing; return how it ended. Parts of chunks that were played are there whatever
        happens. `journal` is told how far play has come, as the listener is.

        Raises AgentFaultError, AgentLostError or another AgentError when an agent fails, FolderError when a
        part cannot be written.
        """
        self._begun = time.monotonic()
        with interruptible(self.stop):
            while self._hand_out() or self._pending:
                self._take_in()
                journal(self.progress())
                self.listener(self.progress())
            if self._decided is not None and not self.stop.is_set():
                self._cut_back(self._decided)
        self.seconds = time.monotonic() - self._begun
        self.listener(self.progress())
        return self._end()

    def _hand_out(self) -> bool:
        """Keep the crew busy, each job with a chunk to go on with; return whether anything was handed out."""
        if self.stop.is_set() or self._over_time() or self._decided is not None:
            self._hold()
            return False
        before = len(self._pending)
        while len(self._pending) < _AHEAD * self.crew.jobs:
            left = sum(end - first for first, end in self._missing)
            size = self._pace.next_size(left, self.crew.jobs, self._time_left())
            span = cut(self._missing, size, self.plan.short_block)
            if span is None:
                break
            task = self._task(*span)
            self._pending[self.crew.submit(task)] = task
        return len(self._pending) > before

    def _task(self, first: int, end: int) -> Task:
        return Task(self.spec, first, end, self.options.driver, self.options.save_rounds, self._one_in)

    def _hold(self) -> None:
        """Take back what has not begun; when asked to stop, let what has begun end after its block."""
        for future in self._pending:
            future.cancel()
        if self.stop.is_set():
            self.crew.stop()

    def _take_in(self) -> None:
        """Wait a moment for chunks and write the parts of those that are done."""
        done, _ = wait(self._pending, timeout=_TICK, return_when=FIRST_COMPLETED)
        for future in done:
            del self._pending[future]
            if future.cancelled():
                continue
            chunk = future.result()
            if chunk.end > chunk.first and self._decided is None:
                self._write(chunk)
                self._count(chunk)
                if self._fold is not None:
                    self._fold.add_chunk(chunk.first, chunk.end, chunk.rows)

    @property
    def _decided(self) -> int | None:
        """The number of blocks after which all was decided; None where nothing decides, or not yet."""
        return None if self._fold is None else self._fold.end

    def _cut_back(self, end: int) -> None:
        """Leave the blocks up to the deciding one, as if no more had been played; a part that goes beyond it is played
        again up to there."""
        for part in self.folder.beyond(end):
            again = self.crew.submit(self._task(part.first, end)).result() if part.first < end else None
            self.folder.drop(part)
            self.changed = True
            if again is not None:
                self._write(again)
        self._done = self.folder.sets_played()
        self._cut = True

    def _write(self, chunk: Chunk) -> None:
        self.changed = True
        self.folder.write(chunk.first, chunk.end, chunk.sets, chunk.rows, chunk.rounds, chunk.records)

    def _count(self, chunk: Chunk) -> None:
        for block in self.plan.span(chunk.first, chunk.end):
            schedule = self._schedules[block.players]
            matches = block.sets * block.players * len(block.arms)
            self.rounds += matches * len(schedule)
            self.cards += matches * sum(schedule) * block.players
        self._done += chunk.sets
        elapsed = time.monotonic() - self._begun
        self._pace.learn(chunk.end - chunk.first, chunk.seconds, elapsed, self.crew.jobs)

    def _end(self) -> End:
        if self._decided is not None:
            return End.DECIDED if self._cut else End.INTERRUPTED
        if not self.folder.missing(self.plan):
            return End.FINISHED
        return End.INTERRUPTED if self.stop.is_set() else End.OUT_OF_TIME

    def _time_left(self) -> float | None:
        if self.options.seconds is None:
            return None
        return self.options.seconds - (time.monotonic() - self._begun)

    def _over_time(self) -> bool:
        left = self._time_left()
        return left is not None and left <= 0

    def progress(self) -> Progress:
        """Return how far the run has come."""
        seconds = time.monotonic() - self._begun
        left = self._time_left()
        played = self._done - self._before
        if left is None and played and self._sets is not None:
            left = (self._sets - self._done) * seconds / played
        done = min(self._done, self._sets or self._done)
        standing = "" if self.decider is None else self.decider.tell()
        return Progress(
            done, self._sets, self.rounds, self.cards, seconds, left, self.stop.is_set(), standing
        )

    def _most_blocks(self) -> int:
        """Return how many blocks a chunk may have, so that its rows and records keep to a modest memory."""
        rounds = max(len(self.spec.schedule(players)) * players for players in self.spec.players)
        rounds, most = rounds * self.spec.block_sets * (2 if self.spec.versus else 1), _MOST_BLOCKS
        if self.options.save_rounds:
            most = min(most, _MOST_ROWS // (rounds * max(self.spec.players)))
        if self._one_in:
            most = min(most, _MOST_RECORDS * self._one_in // rounds)
        return max(1, most)


@contextlib.contextmanager
def interruptible(stop: threading.Event) -> Iterator[None]:
    """Turn a first Ctrl-C, or a polite request to end (SIGTERM, as a cluster sends it), into `stop` meanwhile; a
    second Ctrl-C raises KeyboardInterrupt as usual."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ask(_signal: int, _frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    def end(_signal: int, _frame: FrameType | None) -> None:
        stop.set()

    former: Any = signal.signal(signal.SIGINT, ask)
    ended: Any = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, former)
        signal.signal(signal.SIGTERM, ended)
