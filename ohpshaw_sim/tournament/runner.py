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
from ohpshaw_sim.tournament.deciding import Decider, Fold
from ohpshaw_sim.tournament.fault_files import leave_out, read_quarantine, release, standing_faults
from ohpshaw_sim.tournament.losses import AgentLostError
from ohpshaw_sim.tournament.options import Options
from ohpshaw_sim.tournament.pace import AHEAD, Pace, most_blocks
from ohpshaw_sim.tournament.progress import Listener, Progress
from ohpshaw_sim.tournament.schedule import Plan, cut
from ohpshaw_sim.tournament.shards import sets_planned
from ohpshaw_sim.tournament.spec import Spec
from ohpshaw_sim.tournament.stopping import interruptible
from ohpshaw_sim.tournament.store import RunFolder

_TICK: Final = 0.2


class End(Enum):
    """How a run ended."""

    FINISHED = "finished"
    OUT_OF_TIME = "out of time"
    INTERRUPTED = "interrupted"
    DECIDED = "decided"


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
        self._casualties = Casualties(
            self.plan, standing_faults(self.folder.faults, self.spec.block_sets, self._missing)
        )
        self._reached = max((part.end for part in self.folder.found()), default=0)
        self._before = self._done = self.folder.sets_played()
        self._sets = sets_planned(self.plan.sets, self.plan.block_sets, self.folder.shard)
        self._pending: dict[Future[Chunk], Task] = {}
        self._schedules = {players: self.spec.schedule(players) for players in self.spec.players}
        self._one_in = one_in(self.options.records)
        self._pace = Pace(most_blocks(self.spec, self._one_in, save_rounds=self.options.save_rounds))
        self._fold = None if self.decider is None else Fold(self.decider)
        if self._fold is not None:
            for part in self.folder.whole_parts(self.plan):
                self._fold.add_part(part)
            for one in read_quarantine(self.folder.path):
                self._fold.pass_over(one.block)
        self._cut = False
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
            if self._decided is not None and not self.stop.is_set():
                self._cut_back(self._decided)
        self.seconds = time.monotonic() - self._begun
        self.listener(self.progress())
        return self._end()

    def _hand_out(self) -> bool:
        """Keep the crew busy, each job with a chunk to go on with; return whether anything was handed out."""
        if self.stop.is_set() or self._decided is not None or (self._over_time() and not self._winding_up):
            self._hold()
        if self.stop.is_set() or self._decided is not None:
            return False
        before = len(self._pending)
        while len(self._pending) < AHEAD * self.crew.jobs:
            task = self._next_task()
            if task is None:
                break
            self._pending[self.crew.submit(task)] = task
        return len(self._pending) > before

    def _next_task(self) -> Task | None:
        """Return what is to be played next: a block that has killed a worker by itself, else a chunk."""
        suspect = self._casualties.next_suspect()
        if suspect is not None:
            return self._task(suspect, suspect + 1, one_by_one=True)
        span = self._next_span()
        return None if span is None else self._task(*span)

    def _task(self, first: int, end: int, *, one_by_one: bool = False) -> Task:
        return Task(
            self.spec,
            first,
            end,
            self.options.driver,
            self.options.save_rounds,
            self._one_in,
            self._casualties.known(first, end),
            self._casualties.killers,
            one_by_one,
        )

    def _next_span(self) -> tuple[int, int] | None:
        """Take the next chunk off what is missing; once time is up, only what lies before blocks that were played."""
        self._missing.sort()
        left = sum(end - first for first, end in self._missing)
        size = self._pace.next_size(left, self.crew.jobs, self._time_left())
        if self._winding_up and self._missing:
            size = min(size, self._reached - self._missing[0][0])
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
            if chunk.end > chunk.first and self._decided is None:
                self._write(chunk)
                self._count(chunk)
                if self._fold is not None:
                    self._fold.add_chunk(chunk.first, chunk.end, chunk.rows)

    def _bear(self, task: Task, error: AgentLostError) -> None:
        """Go on without a worker that was lost, where agents may forfeit; else raise what has become of it."""
        if error.loss is None or self.spec.on_fault != "forfeit":
            raise error
        spans, dead = self._casualties.bear(task, error.loss)
        self._missing += spans
        if dead is not None:
            leave_out(self.folder.path, dead)
            self._done += dead.sets
            if self._fold is not None:
                self._fold.pass_over(dead.block)

    @property
    def _decided(self) -> int | None:
        """The number of blocks after which all was decided; None where nothing decides, or not yet."""
        return None if self._fold is None else self._fold.end

    @property
    def sets_reached(self) -> int:
        """The sets up to which all is played or in quarantine, once a run has ended."""
        blocks = self._reached if self._decided is None else self._decided
        sets = blocks * self.spec.block_sets
        return sets if self.plan.sets is None else min(sets, self.plan.sets)

    def _cut_back(self, end: int) -> None:
        """Leave the blocks up to the deciding one, as if no more had been played; a part that goes beyond it is played
        again up to there."""
        for part in self.folder.beyond(end):
            again = self.crew.submit(self._task(part.first, end)).result() if part.first < end else None
            self.folder.drop(part)
            self.changed = True
            if again is not None:
                self._write(again)
        release(self.folder.path, since=end)
        self._done = self.folder.sets_played()
        self._cut = True

    def _write(self, chunk: Chunk) -> None:
        self.changed = True
        self._reached = max(self._reached, chunk.end)
        logs = (chunk.rounds, chunk.records, chunk.faults)
        self.folder.write(chunk.first, chunk.end, chunk.sets, chunk.rows, *logs)

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
