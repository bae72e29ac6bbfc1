"""Running totals over the rounds of a file (B14 to B16).

Records that follow each other with the same rules, players, names, set and rotation are one match, if their round
numbers go up one by one or none has one. A misdeal, a round that is not over and one that breaks a rule add nothing.
"""

import math
from dataclasses import dataclass, field
from functools import lru_cache

from ohpshaw_sim.errors import IllegalError
from ohpshaw_sim.records.record import RoundRecord
from ohpshaw_sim.records.verdict import Verdict
from ohpshaw_sim.rules import Rules


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a match stands after a round."""

    match: int
    """Number of the match in its file, 1 for the first."""
    round: int
    """Number of the round in it: the record's own, or counted."""
    totals: tuple[int, ...]
    """Points by seat so far; those of extra rounds are kept apart (B15)."""
    extra: bool
    """A tie-break round: its number is beyond the schedule of the rules (B15)."""


@dataclass(slots=True)
class Totals:
    """Totals as the rounds of a file come in."""

    _last: RoundRecord | None = None
    _match: int = 0
    _round: int = 0
    _totals: list[int] = field(default_factory=list)

    def end_match(self) -> None:
        """Have the next round begin another match: it stands in another file."""
        self._last = None

    def add(self, record: RoundRecord, verdict: Verdict) -> Standing:
        """Return where the match stands after this round, which begins another match if it does not follow the last."""
        if self._last is None or not follows(self._last, record):
            self._match, self._round, self._totals = self._match + 1, 0, [0] * record.players
        elif self._last.misdeal and record.round is None:
            self._round -= 1  # the same dealer deals again (B7)
        self._last = record
        self._round = self._round + 1 if record.round is None else record.round
        extra = is_extra(record)
        if verdict.scores is not None and not extra:
            self._totals = [total + score for total, score in zip(self._totals, verdict.scores, strict=True)]
        return Standing(self._match, self._round, tuple(self._totals), extra)


def follows(last: RoundRecord, record: RoundRecord) -> bool:
    """Tell whether a record goes on with the match of the last one."""
    if _table_of(last) != _table_of(record):
        return False
    if last.round is None or record.round is None:
        return last.round is record.round
    return record.round == last.round + 1 or (last.misdeal and record.round == last.round)


def _table_of(record: RoundRecord) -> tuple[object, ...]:
    """Return what all rounds of a match have in common."""
    return record.players, record.names, record.set, record.rotation, record.rules_in_force


def is_extra(record: RoundRecord) -> bool:
    """Tell whether a round comes after the schedule of its rules, by its number."""
    return record.round is not None and record.round > _rounds(record.rules_in_force, record.players)


@lru_cache(maxsize=256)
def _rounds(rules: Rules, players: int) -> float:
    """Return the length of the schedule; without end where the rules have none for so many players."""
    try:
        return len(rules.schedule_for(players))
    except IllegalError:
        return math.inf
