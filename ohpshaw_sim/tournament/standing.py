"""How a run stands, seen from outside while it is being played or after it was stopped."""

from pathlib import Path
from typing import Any, NamedTuple

from ohpshaw_sim.tournament.journal import read_news
from ohpshaw_sim.tournament.locking import is_locked
from ohpshaw_sim.tournament.parts import Part, find_sound_parts
from ohpshaw_sim.tournament.schedule import gaps
from ohpshaw_sim.tournament.shards import Shard, common, sets_planned
from ohpshaw_sim.tournament.store import read_manifest


class Standing(NamedTuple):
    """Where a run stands."""

    folder: Path
    state: str
    """`playing`, `finished`, or `stopped`: interrupted, killed, or ended by an error."""
    sets_done: int
    sets: int | None
    """Sets to be played here in all; None while it plays for a time."""
    rate: float | None
    """Rounds a second in the last session; None when it is not known."""
    seconds: float
    """Seconds played, in all sessions."""
    seconds_left: float | None
    written: str | None
    """When the run was last heard of, in UTC."""
    notices: tuple[str, ...]
    """What is wrong with it, a sentence each."""


def standing_of(folder: Path) -> Standing:
    """Return how the run in a folder stands; reads little, whatever its length. Raises MalformedError."""
    manifest = read_manifest(folder)
    parts, torn = find_sound_parts(folder / "parts")
    sets, shard = sum(part.sets for part in parts), Shard.of_run(manifest)
    planned = sets_planned(manifest.get("sets"), manifest["block_sets"], shard)
    news = read_news(folder)
    complete = planned is not None and sets >= planned and _is_whole(parts, manifest, shard)
    state = "playing" if is_locked(folder) else "finished" if complete else "stopped"
    rate = None if news is None or not news.seconds else news.rounds / news.seconds
    return Standing(
        folder,
        state,
        sets,
        planned,
        rate,
        0.0 if news is None else news.seconds_in_all,
        None if news is None or state != "playing" else news.seconds_left,
        None if news is None else news.written,
        tuple(f"{path.name} is torn; `ohpshaw resume {folder}` plays its blocks again" for path in torn),
    )


def _is_whole(parts: list[Part], manifest: dict[str, Any], shard: Shard | None) -> bool:
    """Tell whether parts hold all blocks that were to be played."""
    blocks = -(-manifest["sets"] // manifest["block_sets"])
    missing = gaps([(part.first, part.end) for part in parts], blocks)
    return not (missing if shard is None else common(missing, shard.spans(blocks)))
