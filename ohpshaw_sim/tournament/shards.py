"""Shards: a run dealt out to several folders, played anywhere at any time, and merged afterwards.

Which blocks a shard plays follows from their numbers and the number of shards alone, so a longer run only adds blocks
to each. Blocks are dealt out in rounds, in each of which every shard gets one slice of consecutive blocks: one block
at first, later an eighth of what it has already. So shards stay even to about an eighth, however long the run becomes,
and their parts stay few. The shards take turns at who is first, lest one always meet the same line-ups.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Self

from ohpshaw_sim.errors import ConflictError, MalformedError
from ohpshaw_sim.tournament.schedule import Plan

_FORM: Final = re.compile(r"0*([1-9]\d{0,5})/0*([1-9]\d{0,5})")
_GROWTH: Final = 8
"""A slice is one part in so many of what a shard has already."""

Span = tuple[int, int]


class Shard(NamedTuple):
    """Shard `number` (1, 2, ...) of so many.

    >>> [Shard(number, 3).spans(7) for number in (1, 2, 3)]
    [[(0, 1), (4, 5)], [(1, 2), (5, 7)], [(2, 4)]]
    """

    number: int
    of: int

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the shard that a text such as 3/8 names. Raises MalformedError."""
        found = _FORM.fullmatch(text)
        if found is None or int(found[1]) > int(found[2]):
            raise MalformedError(
                f"shard is {text!r}; it should be I/N, as in 3/8 for the third of eight shards"
            )
        return cls(int(found[1]), int(found[2]))

    @classmethod
    def of_run(cls, manifest: Mapping[str, Any]) -> Self | None:
        """Return the share of its run that a folder with this manifest is for; None = all of it."""
        text = manifest.get("shard")
        return None if text is None else cls.read(text)

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def spans(self, blocks: int) -> list[Span]:
        """Return the spans of blocks [first, end) below `blocks` that this shard plays, in ascending order."""
        spans: list[Span] = []
        for first, size in self._slices(blocks):
            begin = spans.pop()[0] if spans and spans[-1][1] == first else first
            if begin < blocks:
                spans.append((begin, min(first + size, blocks)))
        return spans

    def _slices(self, blocks: int) -> Iterator[Span]:
        """Yield the first block of each slice and its size."""
        begin = turn = 0
        while begin < blocks:
            size = max(1, begin // (_GROWTH * self.of))
            yield begin + (self.number - 1 + turn) % self.of * size, size
            begin, turn = begin + size * self.of, turn + 1


def common(spans: Sequence[Span], others: Sequence[Span]) -> list[Span]:
    """Return the spans of blocks that are in both lists, each in ascending order and without overlaps.

    >>> common([(0, 4), (6, 9)], [(2, 7)])
    [(2, 4), (6, 7)]
    """
    found, one, other = [], 0, 0
    while one < len(spans) and other < len(others):
        first = max(spans[one][0], others[other][0])
        end = min(spans[one][1], others[other][1])
        if first < end:
            found.append((first, end))
        if spans[one][1] < others[other][1]:
            one += 1
        else:
            other += 1
    return found


def check_share(plan: Plan, shard: Shard) -> None:
    """Raise ConflictError if a shard has nothing to play."""
    if plan.blocks is not None and not shard.spans(plan.blocks):
        raise ConflictError(
            f"shard {shard} has nothing to play: {plan.sets} sets make {plan.blocks} blocks; ask for fewer shards or "
            "for a smaller --block-sets"
        )


def sets_planned(sets: int | None, block_sets: int, shard: Shard | None) -> int | None:
    """Return how many of so many sets a shard plays (None = all of them are its own); None if there is no end."""
    if shard is None or sets is None:
        return sets
    spans = shard.spans(-(-sets // block_sets))
    return sum(min(end * block_sets, sets) - first * block_sets for first, end in spans)
