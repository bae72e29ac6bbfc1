"""The table that is played on, in memory that another process may watch."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from ohpshaw_sim.engine.state import TABLE


@dataclass(frozen=True)
class Workspace:
    """One TABLE record: the compiled driver plays in it, the batched one notes in it whom it asks.

    Laid over a buffer that is shared with a parent process (an mmap of SIZE bytes), it shows the parent whether play
    goes on and whose answer is awaited, even while the child hangs or after it has died.
    """

    table: Any
    SIZE: ClassVar[int] = TABLE.itemsize

    @classmethod
    def allocate(cls, buffer: Any = None) -> Self:
        """Lay a cleared table over a writable buffer of at least SIZE bytes, or over memory of its own."""
        workspace = cls.attach(bytearray(cls.SIZE) if buffer is None else buffer)
        workspace.table[0] = np.zeros(1, TABLE)[0]
        return workspace

    @classmethod
    def attach(cls, buffer: Any) -> Self:
        """Read a table that was allocated over the same buffer elsewhere."""
        return cls(np.frombuffer(buffer, TABLE, 1).view(np.recarray))

    def progress(self) -> tuple[int, int]:
        """Return a count that grows while play goes on, and the place in the line-up that was asked last.

        The count is of rounds begun and of decisions asked of agents that are not trusted.
        """
        record = self.table[0]
        return int(record.asked), int(record.asked_place)
