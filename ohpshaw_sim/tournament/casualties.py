"""Blocks that kill their workers, where agents may forfeit: played again with care, and left out in the end.

A chunk whose worker dies is taken apart. The block that was played is played again by itself, one decision at a time:
if the worker dies once more, the decision is known, and from then on its agent is asked in a process of its own where
it has killed a worker before. A block goes into quarantine when three of its workers have died and that has taught
nothing new: it is left out, and charged to the agent that was at work, if one was.
"""

from collections import Counter, deque
from typing import Final

from ohpshaw_sim.engine.fault import Fault
from ohpshaw_sim.tournament.chunk import Task
from ohpshaw_sim.tournament.fault_files import Quarantined
from ohpshaw_sim.tournament.losses import Loss
from ohpshaw_sim.tournament.schedule import Plan

LIVES: Final = 3
"""Workers that a block may kill without its becoming known of another agent that it is the one."""


class Casualties:
    """What is known of blocks that have killed workers; `standing` are faults, by block, that stand from before."""

    def __init__(self, plan: Plan, standing: dict[int, list[tuple[int, Fault]]]) -> None:
        self._plan, self._standing = plan, standing
        self._deaths: Counter[int] = Counter()
        self._suspects: deque[int] = deque()
        self._killers: set[str] = set()

    def known(self, first: int, end: int) -> tuple[tuple[int, Fault], ...]:
        """Return the faults that stand in blocks `first` to `end - 1`."""
        blocks = [block for block in self._standing if first <= block < end]
        return tuple(fault for block in sorted(blocks) for fault in self._standing[block])

    @property
    def killers(self) -> tuple[str, ...]:
        """Agents that are known to have ended their workers."""
        return tuple(sorted(self._killers))

    def next_suspect(self) -> int | None:
        """Return a block that is to be played again with care, each once; None when there is none."""
        return self._suspects.popleft() if self._suspects else None

    def bear(self, task: Task, loss: Loss) -> tuple[list[tuple[int, int]], Quarantined | None]:
        """Take in a loss; return the spans of the task to be played as any others, and a block left out from now on."""
        number = task.first if loss.block is None else loss.block
        lineup = self._plan.block(number).arms[loss.arm]
        if loss.fault is not None and task.one_by_one:
            self._standing.setdefault(number, []).append((lineup.number, loss.fault))
        learnt = loss.fault is not None and task.one_by_one and loss.agent not in (None, *self._killers)
        if learnt and loss.agent is not None:
            self._killers.add(loss.agent)
        else:
            self._deaths[number] += 1
        others = [(task.first, number), (number + 1, task.end)]
        spans = [(first, end) for first, end in others if first < end]
        if self._deaths[number] < LIVES:
            self._suspects.append(number)
            return spans, None
        block = self._plan.block(number)
        told = (lineup.players, lineup.number, loss.agent, loss.kind, f"{loss.what}, {LIVES} times")
        return spans, Quarantined(number, block.first_set, block.sets, *told)
