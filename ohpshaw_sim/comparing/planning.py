"""How many sets, and how long, a comparison is going to take: worked out from a pilot, a short run of its own."""

import hashlib
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from ohpshaw_sim.analysis.decisions import Rule
from ohpshaw_sim.analysis.power import (
    Pilot,
    Waiting,
    fixed_sets,
    fixed_sets_within,
    pilot_of,
    sequential_sets,
)
from ohpshaw_sim.analysis.sequences import Track
from ohpshaw_sim.comparing.request import FIELD, read_comparison
from ohpshaw_sim.comparing.watching import Watch
from ohpshaw_sim.errors import MalformedError
from ohpshaw_sim.tournament.chunk import Task
from ohpshaw_sim.tournament.deciding import Differences, Fold
from ohpshaw_sim.tournament.hiring import make_crew
from ohpshaw_sim.tournament.options import Options
from ohpshaw_sim.tournament.spec import LARGEST_SEED, Spec

PILOT_SETS: Final = 320
_LEAST_PILOT: Final = 40
_PILOT_BLOCKS: Final = 20
"""Enough blocks to tell how sure the pilot's deviation is."""


class Need(NamedTuple):
    """Sets that a comparison needs if the sets' differences deviate by so much."""

    sd: float
    fixed: int | None
    """Of a test of a size fixed beforehand; None where no number helps, likewise below."""
    waiting: Waiting | None
    """Of `ohpshaw compare`, which looks after each block."""


class Planned(NamedTuple):
    """What a pilot has come to, and what follows."""

    pilot: Pilot
    pilot_seed: int
    """The pilot has deals of its own: the comparison itself has never seen them."""
    as_seen: Need
    at_most: Need
    """With the upper 95 % bound of the deviation instead of its estimate."""
    seconds_per_set: float
    """With all jobs at work."""
    difference: float
    """The difference to be found, in points per round; 0 = the margin is to be reached by agents that do not differ."""
    power: float
    rule: Rule
    spec: Spec
    options: Options


def plan_comparison(
    agent: str,
    other: str,
    *,
    field: Sequence[str] = FIELD,
    difference: float | None = None,
    power: float = 0.8,
    seed: int | None = None,
    pilot_sets: int = PILOT_SETS,
    **options: Any,
) -> Planned:
    """Play a pilot, and return how many sets it takes to find a difference (points per round) with a power.

    Without a difference: how many until agents that do not differ are found equivalent within the `margin`. The other
    arguments are those of `compare`; nothing is written to disk. Raises what `compare` does, and MalformedError for a
    pilot in which the agents never differed.
    """
    if not 0 < power < 1:
        raise MalformedError(f"power is {power}; it should lie between 0 and 1")
    if difference is not None and not difference > 0:
        raise MalformedError(f"difference is {difference}; it should be greater than 0")
    if pilot_sets < _LEAST_PILOT:
        raise MalformedError(f"a pilot of {pilot_sets} sets tells too little; play {_LEAST_PILOT} or more")
    spec, how, rule = read_comparison((agent, other), field, {**options, "seed": seed})
    if difference is None and rule.margin is None:
        raise MalformedError("say what is to be found: a difference, or a margin to be within")
    pilot_spec = _pilot_of(spec, pilot_sets)
    track, seconds = _play(pilot_spec, how, rule)
    found = pilot_of(track)
    if not found.sd:
        raise MalformedError(
            f"in {found.sets} sets of the pilot {agent} and {other} never differed; nothing follows for more"
        )
    goal = difference or 0.0
    as_seen, at_most = (
        _need(goal, sd, track, rule, power, spec.block_sets) for sd in (found.sd, found.sd_high)
    )
    return Planned(found, pilot_spec.seed, as_seen, at_most, seconds, goal, power, rule, spec, how)


def _pilot_of(spec: Spec, sets: int) -> Spec:
    """Return what the pilot plays: the same on deals of its own, in blocks enough to tell how sure it is."""
    digest = hashlib.blake2b(f"pilot/{spec.seed}".encode(), digest_size=8).digest()
    seed, block_sets = int.from_bytes(digest, "little") % LARGEST_SEED, sets // _PILOT_BLOCKS
    return spec.model_copy(update={"seed": seed, "sets": sets, "block_sets": block_sets})


class _Patient(Watch):
    """Looks on without deciding."""

    def take(self, blocks: Differences) -> None:
        super().take(blocks)


def _play(spec: Spec, options: Options, rule: Rule) -> tuple[Track, float]:
    """Play a pilot; return its differences and the seconds per set with all jobs at work."""
    watch = _Patient(spec, rule)
    fold = Fold(watch)
    blocks = -(-(spec.sets or 0) // spec.block_sets)
    with make_crew(spec, options) as crew:
        crew.submit(Task(spec, 0, 1, options.driver)).result()  # not timed: it compiles
        tasks = [Task(spec, number, number + 1, options.driver) for number in range(blocks)]
        chunks = [future.result() for future in [crew.submit(task) for task in tasks]]
    for chunk in chunks:
        fold.add_chunk(chunk.first, chunk.end, chunk.rows)
    seconds = sum(chunk.seconds for chunk in chunks) / sum(chunk.sets for chunk in chunks)
    return watch.track, seconds / options.jobs


def _need(difference: float, sd: float, track: Track, rule: Rule, power: float, block_sets: int) -> Need:
    if difference:
        fixed = fixed_sets(difference, sd, rule.alpha, power)
    else:
        fixed = fixed_sets_within(rule.margin or 0.0, sd, rule.alpha, power)
    return Need(sd, fixed, sequential_sets(difference, sd, track.measure, rule, power, block_sets))
