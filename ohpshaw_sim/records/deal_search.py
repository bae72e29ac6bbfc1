"""Searching a seed's deals for those that satisfy conditions, and how rare these are."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ohpshaw_sim.records.conditions import Condition, check_conditions, satisfying
from ohpshaw_sim.records.deals import Deal, Setting, deal_many

AT_ONCE: Final = 1 << 13
"""Deals that are dealt and looked at side by side: they stay in the cache."""
SAMPLE: Final = 1 << 17
"""Deals that are looked at in any case, so that a share does not hang on how soon enough were found."""


@dataclass
class Search:
    """A search for `wanted` deals among `tries` deals from number `first` on.

    Deals are found in the order of their numbers. The first `SAMPLE` are all looked at, even if enough is found among
    them; after that the search ends at the last deal wanted. Raises IllegalError when a condition makes no sense in the
    setting.
    """

    setting: Setting
    conditions: Sequence[Condition]
    wanted: int
    tries: int
    first: int = 0
    tried: int = 0
    """Deals looked at so far."""
    hits: int = 0
    """Those among them that satisfy all conditions; not all of them need to be wanted."""

    def __post_init__(self) -> None:
        check_conditions(self.conditions, self.setting)

    @property
    def found(self) -> int:
        """Wanted deals found so far."""
        return min(self.hits, self.wanted)

    @property
    def sampled(self) -> tuple[int, int]:
        """Hits and deals that a share may be estimated from.

        Where the last deal wanted ended the search, it is left out with its own try: a search that always ends with a
        hit would make hits look too frequent.
        """
        ended_by_hit = self.tried > SAMPLE and self.hits >= self.wanted
        return self.hits - ended_by_hit, self.tried - ended_by_hit

    def run(self, listener: Callable[["Search"], None] = lambda _: None) -> Iterator[Deal]:
        """Yield the wanted deals as they are found; `listener` is called now and then."""
        while self.tried < self.tries and (self.hits < self.wanted or self.tried < SAMPLE):
            count = min(AT_ONCE, self.tries - self.tried)
            hits = satisfying(self.conditions, deal_many(self.setting, self.first + self.tried, count))
            missing = self.wanted - self.found
            if 0 < missing <= len(hits) and self.tried >= SAMPLE:
                hits = hits.rows(slice(missing))
                count = int(hits.numbers[-1]) + 1 - self.first - self.tried
            self.tried += count
            self.hits += len(hits)
            yield from hits.rows(slice(missing))
            listener(self)
