"""How far a run has come, for whoever looks on from another terminal: `progress.json` in its folder.

It is news, not results: nothing is read back from it but the time that earlier sessions have taken.
"""

import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from ohpshaw_sim.tournament.progress import Progress

NAME: Final = "progress.json"
_EVERY: Final = 2.0


class News(NamedTuple):
    """What `progress.json` tells."""

    state: str
    """`playing`, `interrupted` or `finished`; a run that was killed still says `playing`."""
    sets_done: int
    sets: int | None
    rounds: int
    """Rounds of the session."""
    seconds: float
    """Seconds of the session."""
    seconds_in_all: float
    """Seconds of all sessions."""
    seconds_left: float | None
    written: str
    """When, in UTC."""


class Journal:
    """Writes the news of one session, every two seconds at most. A disk that is full does not end a run here."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        last = read_news(folder)
        self.before = 0.0 if last is None else last.seconds_in_all
        """Seconds that earlier sessions took."""
        self._due = 0.0

    def __call__(self, progress: Progress) -> None:
        """Note how far play has come, if it is time to."""
        now = time.monotonic()
        if now >= self._due:
            self._due = now + _EVERY
            self.write(progress, "playing")

    def write(self, progress: Progress, state: str) -> None:
        """Note how far play has come."""
        news = News(
            state,
            progress.sets_done,
            progress.sets,
            progress.rounds,
            round(progress.seconds, 3),
            round(self.before + progress.seconds, 3),
            None if progress.seconds_left is None else round(max(progress.seconds_left, 0), 1),
            datetime.now(UTC).isoformat(timespec="seconds"),
        )
        temporary = self._path.with_name(f".tmp-{NAME}")
        try:
            temporary.write_text(json.dumps(news._asdict(), indent=2) + "\n", "utf-8")
            temporary.replace(self._path)
        except OSError:
            temporary.unlink(missing_ok=True)


def read_news(folder: Path) -> News | None:
    """Return the news of a run folder; None when there are none that can be read."""
    try:
        found: Any = json.loads((folder / NAME).read_text("utf-8"))
        return News(**found)
    except (OSError, ValueError, TypeError):
        return None
