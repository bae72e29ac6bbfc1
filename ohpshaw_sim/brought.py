"""Files that were brought to a machine that lacks them, found under the names they have where they come from.

A run on several machines names files, of agents and of deals, that lie on the one where it was begun. Where a chunk
is played their copies stand in for them.
"""

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple


class Brought(NamedTuple):
    """A copy of a file that was named elsewhere; `origin` is the whole path of the original there."""

    copy: Path
    origin: str


_mine = threading.local()


def stand_in(files: Mapping[str, Brought]) -> None:
    """Have copies stand in for the files of these names, for this thread alone: others may play another run."""
    _mine.files = dict(files)


def at_hand(name: str) -> Brought:
    """Return where the file of a name is to be read, and its whole path where it comes from."""
    files: dict[str, Brought] = getattr(_mine, "files", {})
    return files[name] if name in files else Brought(Path(name), str(Path(name).resolve()))


def is_at_hand(name: str) -> bool:
    """Tell whether there is a file of this name, or a copy of it."""
    return at_hand(name).copy.is_file()
