"""Many decisions at once, as a vectorised agent sees them."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ohpshaw_sim.interface.agent import ScalarView
from ohpshaw_sim.interface.view import VIEW


class Batch:
    """Decisions of one kind by one agent: each field of `VIEW` as an array with one row per decision.

    Fields are gathered when they are first read, and are copies: what an agent writes to them changes nothing.
    `match` (int64) numbers the match that each row belongs to. Iterating gives one `ScalarView` per row, and calls
    `tick` as a sign of life before each.
    """

    def __init__(self, views: Any, rows: Any, tick: Callable[[], None] = lambda: None) -> None:
        self._views = views
        self._rows = rows
        self._tick = tick
        self.match = rows.copy()

    def __len__(self) -> int:
        return len(self._rows)

    def __getattr__(self, name: str) -> Any:
        if name not in (VIEW.names or ()):
            raise AttributeError(
                f"a batch has no field {name!r}; its fields are {', '.join(VIEW.names or ())}"
            )
        values = np.asarray(self._views[name])[self._rows]
        setattr(self, name, values)
        return values

    def records(self) -> Any:
        """Return the whole views as an array of VIEW records, one per row: copies, too."""
        return np.asarray(self._views)[self._rows]

    def __iter__(self) -> Iterator[ScalarView]:
        for record, match in zip(self.records(), self._rows, strict=True):
            self._tick()
            yield ScalarView(record, int(match))
