"""The loop of a run: hand out missing chunks and keep what was played, until done or told to stop."""

import threading
import time
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from ohpshaw_sim.tournament.casualties import Casualties
from ohpshaw_sim.tournament.choice import one_in
from ohpshaw_sim.tournament.chunk import Chunk, Task
from ohpshaw_sim.tournament.crew import Crew
from ohpshaw_sim.tournament.fault_files import leave_out, standing_faults
from ohpshaw_sim.tournament.losses import AgentLostError
from ohpshaw_sim.tournament.options import Options
from ohpshaw_sim.tournament.progress import Listener, Progress
from ohpshaw_sim.tournament.schedule import Plan, cut
from ohpshaw_sim.tournament.spec import Spec
from ohpshaw_sim.tournament.stopping import interruptible
from ohpshaw_sim.tournament.store import RunFolder

CHUNK_SECONDS: Final = 1.0
"""How long a chunk should take at first; a long run takes longer ones, so that its parts do not grow many."""
LONGEST_CHUNK_SECONDS: Final = 30.0
_CHUNKS_PER_RUN: Final = 60
_MOST_BLOCKS: Final = 256
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


@dataclass
class Pace:
    """How many blocks make a chunk of the wanted length: a matter of comfort, no result depends on it."""

    most_blocks: int = _MOST_BLOCKS
    blocks: int = 1
    seconds_per_block: float | None = None

    def learn(self, blocks: int, seconds: float, elapsed: float) -> None:
        """Take in how long a chunk took, `elapsed` seconds into the run."""
        self.seconds_per_block = seconds / blocks
        wanted = min(max(CHUNK_SECONDS, elapsed / _CHUNKS_PER_RUN), LONGEST_CHUNK_SECONDS)
        fitting = int(wanted / max(self.seconds_per_block, 1e-9))
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
    stop: threading.Event = field(default_factory=threading.Event)
    rounds: int = 0
    cards: int = 0
    seconds: float = 0.0
    reached: int = 0
    """The block after the last one that was played."""

    def __post_init__(self) -> None:
        self._missing = self.folder.missing(self.plan)
        self._casualties = Casualties(self.plan, standing_faults(self.folder.faults, self.spec.block_sets))
        self.reached = max((part.end for part in self.folder.found()), default=0)
        self._before = self._done = self.folder.sets_played()
        self._pending: dict[Future[Chunk], Task] = {}
        self._schedules = {players: self.spec.schedule(players) for players in self.spec.players}
        self._one_in = one_in(self.options.records)
        self._pace = Pace(self._most_blocks())
        self._begun = 0.0
        self._winding_up = False

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
        self.seconds = time.monotonic() - self._begun
        self.listener(self.progress())
        return self._end()

    def _hand_out(self) -> bool:
        """Keep the crew busy, each job with a chunk to go on with; return whether anything was handed out."""
        if self.stop.is_set() or (self._over_time() and not self._winding_up):
            self._hold()
        if self.stop.is_set():
            return False
        before = len(self._pending)
        while len(self._pending) < _AHEAD * self.crew.jobs:
            task = self._next_task()
            if task is None:
                break
            self._pending[self.crew.submit(task)] = task
        return len(self._pending) > before

    def _next_task(self) -> Task | None:
        """Return what is to be played next: a block that has killed a worker by itself, else a chunk."""
        suspect = self._casualties.next_suspect()
        span = self._next_span() if suspect is None else (suspect, suspect + 1)
        if span is None:
            return None
        return Task(
            self.spec,
            *span,
            self.options.driver,
            self.options.save_rounds,
            self._one_in,
            self._casualties.known(*span),
            self._casualties.killers,
            one_by_one=suspect is not None,
        )

    def _next_span(self) -> tuple[int, int] | None:
        """Take the next chunk off what is missing; once time is up, only what lies before blocks that were played."""
        self._missing.sort()
        left = sum(end - first for first, end in self._missing)
        size = self._pace.next_size(left, self.crew.jobs, self._time_left())
        if self._winding_up and self._missing:
            size = min(size, self.reached - self._missing[0][0])
            if size < 1:
                return None
        return cut(self._missing, size, self.plan.short_block)

    def _hold(self) -> None:
        """Take back what has not begun; when asked to stop, let what has begun end after its block.

        When time is up, only blocks before others that were played are left to play: those that killed workers.
        """
        self._winding_up = True
        for future in self._pending:
            future.cancel()
        if self.stop.is_set():
            self.crew.stop()

    def _take_in(self) -> None:
        """Wait a moment for chunks and write the parts of those that are done."""
        done, _ = wait(self._pending, timeout=_TICK, return_when=FIRST_COMPLETED)
        for future in done:
            task = self._pending.pop(future)
            if future.cancelled():
                self._missing.append((task.first, task.end))
                continue
            try:
                chunk = future.result()
            except AgentLostError as error:
                self._bear(task, error)
                continue
            if chunk.end > chunk.first:
                logs = (chunk.rounds, chunk.records, chunk.faults)
                self.folder.write(chunk.first, chunk.end, chunk.sets, chunk.rows, *logs)
                self._count(chunk)
                self.reached = max(self.reached, chunk.end)

    def _bear(self, task: Task, error: AgentLostError) -> None:
        """Go on without a worker that was lost, where agents may forfeit; else raise what has become of it."""
        if error.loss is None or self.spec.on_fault != "forfeit":
            raise error
        spans, dead = self._casualties.bear(task, error.loss)
        self._missing += spans
        if dead is not None:
            leave_out(self.folder.path, dead)
            self._done += dead.sets

    def _count(self, chunk: Chunk) -> None:
        for block in self.plan.span(chunk.first, chunk.end):
            schedule = self._schedules[block.players]
            matches = block.sets * block.players * len(block.arms)
            self.rounds += matches * len(schedule)
            self.cards += matches * sum(schedule) * block.players
        self._done += chunk.sets
        self._pace.learn(chunk.end - chunk.first, chunk.seconds, time.monotonic() - self._begun)

    def _end(self) -> End:
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
        if left is None and played and self.spec.sets is not None:
            left = (self.spec.sets - self._done) * seconds / played
        done = min(self._done, self.spec.sets or self._done)
        return Progress(done, self.spec.sets, self.rounds, self.cards, seconds, left, self.stop.is_set())

    def _most_blocks(self) -> int:
        """Return how many blocks a chunk may have, so that its rows and records keep to a modest memory."""
        rounds = max(len(self.spec.schedule(players)) * players for players in self.spec.players)
        rounds, most = rounds * self.spec.block_sets * (2 if self.spec.versus else 1), _MOST_BLOCKS
        if self.options.save_rounds:
            most = min(most, _MOST_ROWS // (rounds * max(self.spec.players)))
        if self._one_in:
            most = min(most, _MOST_RECORDS * self._one_in // rounds)
        return max(1, most)
