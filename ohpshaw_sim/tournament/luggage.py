"""What a run takes along to workers that share no disk with it: the files it names, and how its agents are to run.

Packed once and sent with each call, so that a worker that joins late, or is begun again, needs nothing else. An
agent's file takes along the modules beside it that it imports; what else it reads must be there already.
"""

import ast
import hashlib
import pickle
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from ohpshaw_sim.brought import Brought
from ohpshaw_sim.errors import ClusterError
from ohpshaw_sim.tournament.limits import Limits
from ohpshaw_sim.tournament.manifest import source_files
from ohpshaw_sim.tournament.spec import Spec

MOST_BYTES: Final = 4 * 2**20
"""Packed bytes that a call may carry; a scheduler keeps them for each chunk that waits."""


class Packed(NamedTuple):
    """A file: the name a request gives it (None = a module that another one imports), its whole path, its bytes."""

    name: str | None
    origin: str
    data: bytes


@dataclass(frozen=True)
class Luggage:
    """What a call needs of the run it belongs to."""

    files: tuple[Packed, ...]
    trusted: bool
    """Whether all agents are built in and compiled: they play in the worker's own threads, others in processes."""
    limits: Limits
    """What an agent that is not trusted may do."""

    def unpack(self, folder: Path) -> dict[str, Brought]:
        """Write the files below a folder, those of one folder side by side; return them by the names they were
        given."""
        homes = sorted({Path(file.origin).parent for file in self.files})
        brought = {}
        for file in self.files:
            home = folder / str(homes.index(Path(file.origin).parent))
            home.mkdir(parents=True, exist_ok=True)
            copy = home / Path(file.origin).name
            copy.write_bytes(file.data)
            if file.name is not None:
                brought[file.name] = Brought(copy, file.origin)
        return brought


def pack(luggage: Luggage) -> tuple[str, bytes]:
    """Return luggage as bytes, and 16 hex digits that name them. Raises ClusterError when it is too large."""
    data = press(luggage)
    if len(data) > MOST_BYTES:
        largest = max(luggage.files, key=lambda file: len(file.data)).origin
        raise ClusterError(
            f"{largest} is too large to be sent along with each chunk; play it without --dask, in shards if need be"
        )
    return hashlib.blake2b(data, digest_size=8).hexdigest(), data


def press(value: Any) -> bytes:
    """Return a value as few bytes: the rows of a chunk are mostly zeros."""
    return zlib.compress(pickle.dumps(value), 1)


def unpress(data: bytes) -> Any:
    """Return the value that `press` pressed."""
    return pickle.loads(zlib.decompress(data))


def files_of(spec: Spec) -> tuple[Packed, ...]:
    """Return the files that a spec names, and the modules that its agents import from beside them."""
    named = {name: Path(name).resolve() for name in source_files(spec.agents)}
    files = [Packed(name, str(path), path.read_bytes()) for name, path in named.items()]
    beside = {helper for path in named.values() for helper in _helpers(path, set())} - set(named.values())
    files += [Packed(None, str(path), path.read_bytes()) for path in sorted(beside)]
    if spec.deals is not None:
        deals = Path(spec.deals).resolve()
        files.append(Packed(spec.deals, str(deals), deals.read_bytes()))
    return tuple(files)


def _helpers(path: Path, seen: set[Path]) -> set[Path]:
    """Return the modules beside a file that it imports, and those that they import."""
    for name in _imported(path):
        helper = path.parent / f"{name.partition('.')[0]}.py"
        if helper not in seen and helper != path and helper.is_file():
            seen.add(helper)
            _helpers(helper, seen)
    return seen


def _imported(path: Path) -> Iterator[str]:
    """Yield the names of modules that a file imports; none if it is no Python, which its import will say."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
