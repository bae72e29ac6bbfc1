"""How much is played at a time."""

from dataclasses import dataclass
from typing import Final

from ohpshaw_sim.tournament.spec import Spec

CHUNK_SECONDS: Final = 1.0
"""How long a chunk should take at first; a long run takes longer ones, so that its parts do not grow many."""
LONGEST_CHUNK_SECONDS: Final = 30.0
_CHUNKS_PER_RUN: Final = 60
_CHUNKS_PER_SECOND: Final = 30
"""How many chunks one process can take in and write, with room to spare; a thousand jobs would hand in more."""
MOST_BLOCKS: Final = 1024
_MOST_ROWS: Final = 500_000
_MOST_RECORDS: Final = 20_000
_GROWTH: Final = 4
AHEAD: Final = 2
"""Chunks handed out per job: one under way, one waiting."""


@dataclass
class Pace:
    """How many blocks make a chunk of the wanted length: a matter of comfort, no result depends on it."""

    most_blocks: int = MOST_BLOCKS
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
        size = min(self.blocks, max(1, blocks_left // (AHEAD * jobs)))
        if seconds_left is not None and self.seconds_per_block is not None:
            size = min(size, max(1, int(seconds_left / self.seconds_per_block / AHEAD)))
        return size


def most_blocks(spec: Spec, one_in: int, *, save_rounds: bool) -> int:
    """Return how many blocks a chunk may have, so that its rows and records keep to a modest memory."""
    rounds = max(len(spec.schedule(players)) * players for players in spec.players)
    rounds, most = rounds * spec.block_sets * (2 if spec.versus else 1), MOST_BLOCKS
    if save_rounds:
        most = min(most, _MOST_ROWS // (rounds * max(spec.players)))
    if one_in:
        most = min(most, _MOST_RECORDS * one_in // rounds)
    return max(1, most)
