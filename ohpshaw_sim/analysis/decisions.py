"""When a comparison of two agents is decided, and how: superior, inferior, equivalent, or not yet.

All is read off one confidence sequence (see `sequences`), so that all decisions together are false in at most
alpha of runs, however often one looks and whichever of them one waits for.
"""

from enum import StrEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ohpshaw_sim.analysis.estimates import point_range
from ohpshaw_sim.analysis.sequences import CENTRES_WITHIN, Measure, Track
from ohpshaw_sim.reading import Whole, sentence_of
from ohpshaw_sim.rules import Rules

MIN_SETS: Final = 64


class Decision(StrEnum):
    """What is known of a mean difference, agent A less agent B."""

    SUPERIOR = "superior"
    """It is above 0."""
    INFERIOR = "inferior"
    """It is below 0."""
    EQUIVALENT = "equivalent"
    """It is within the margin on both sides, and 0 is not ruled out."""
    UNDECIDED = "undecided"


class Rule(BaseModel):
    """How a comparison decides; kept in its manifest, so that a resumed one goes on by the same rule."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    alpha: float = Field(default=0.05, gt=0, lt=0.5)
    """How often decisions may be false."""
    margin: float | None = Field(default=None, gt=0)
    """Differences nearer to 0 than this, in points per round, count as none; None = nothing is called equivalent."""
    min_sets: Whole = Field(default=MIN_SETS, ge=1)
    """Nothing is decided on fewer sets."""
    exact: bool = False
    """Assume nothing of the agents: see `measure_of`."""


def make_rule(**values: Any) -> Rule:
    """Return a rule, checked. Raises MalformedError that says what and where."""
    try:
        return Rule(**values)
    except ValidationError as error:
        raise sentence_of(error, "a comparison", list(Rule.model_fields)) from None


def measure_of(rules: Rules, players: int, schedule: tuple[int, ...], *, exact: bool = False) -> Measure:
    """Return the measure of paired differences of two agents that hold one seat each.

    A set's difference is a mean over the deals of its match, which are independent of each other. The scale is
    what one deal can move it by at most, all its rotations lost that might have been won. For sets of one deal the
    promise of `sequences` is thereby a theorem, whatever the agents are. For sets of more deals it is not proved, but
    the expectation that it rests on was never found above 1 for sums of independent deals, worked out exactly (see the
    tests). An agent that now and then throws away a whole match is no such sum and needs `exact`: the scale is then
    the widest difference of a whole set, and many more sets are needed.
    """
    ends = [point_range(rules, [size]) for size in schedule]
    lengths = [high - low for low, high in ends]
    widest = sum(lengths) / len(schedule)
    reach = widest if exact else max(lengths) / len(schedule)
    return Measure(1 / (players * len(schedule)), widest, (1 + CENTRES_WITHIN) * reach)


def first_decided(track: Track, rule: Rule) -> int | None:
    """Return the number of the first block after which something is decided, None when there is none yet."""
    decided = track.above(0, rule.alpha) | track.below(0, rule.alpha) | _within(track, rule)
    found = np.flatnonzero(decided & (track.sets >= rule.min_sets))
    return int(found[0]) if len(found) else None


def decision_after(track: Track, rule: Rule, block: int = -1) -> Decision:
    """Return what is decided after a block; where the sign is known and the size is within the margin, the sign."""
    if track.sets[block] < rule.min_sets:
        return Decision.UNDECIDED
    if track.above(0, rule.alpha)[block]:
        return Decision.SUPERIOR
    if track.below(0, rule.alpha)[block]:
        return Decision.INFERIOR
    return Decision.EQUIVALENT if _within(track, rule)[block] else Decision.UNDECIDED


def within_margin(track: Track, rule: Rule, block: int = -1) -> bool | None:
    """Return whether the difference is known to lie within the margin after a block; None without a margin."""
    return None if rule.margin is None else bool(_within(track, rule)[block])


def _within(track: Track, rule: Rule) -> NDArray[np.bool_]:
    if rule.margin is None:
        return np.zeros(len(track), bool)
    return track.above(-rule.margin, rule.alpha) & track.below(rule.margin, rule.alpha)
