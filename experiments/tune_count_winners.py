"""Tune the weights of `count-winners` head-to-head, and check what was won on deals that tuning never saw.

    python experiments/tune_count_winners.py --help
    python experiments/tune_count_winners.py --quick    a few seconds, to see that it runs
    python experiments/tune_count_winners.py --check    only compares the defaults with the first guesses

Search: the cross-entropy method with independent normal weights. Each generation draws candidates around the mean,
plays them all on the same deals against tables of the incumbent (the defaults), and moves the mean and the spreads to
the best of them. The objective is a candidate's points per seat-round minus the incumbent's at the same table, averaged
over the CASES. After each stage the mean becomes the incumbent if it beats it on fresh deals. At the end it is compared
with the defaults on the held-out seed, with an interval, and printed.
"""

import argparse
import math
import time
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from ohpshaw_agents.count_winners import make_agent
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.interface.discovery import Entrant, parameters_of
from ohpshaw_sim.rules import Rules

Weights: TypeAlias = Sequence[float] | np.ndarray[Any, np.dtype[np.float64]]

NAMES: Final = tuple(parameters_of(make_agent))
DEFAULTS: Final = np.array(list(parameters_of(make_agent).values()), np.float64)

FIRST_GUESSES: Final = {
    **{"trump": 0.5, "trump_higher": -0.35, "trump_length": 0.1, "trump_short_suit": 0.2},
    **{"trump_small_hand": 0.0, "trump_players": -0.2, "side_ace": 1.5, "side_other": -0.3},
    **{"side_higher": -0.6, "side_guard": 0.3, "side_ruff": -0.8, "side_trumps": 0.0},
    **{"side_small_hand": -1.0, "lead": 0.1, "lead_late": 0.5, "bids_before": -1.0, "demand": -0.5},
    **{"aim_bid": 2.0, "aim_play": 2.0, "zero_bid": 1.0, "taker": 0.9, "shedder": 0.2, "spoiler": 0.5},
    **{"tell": 0.3, "spoil": 1.0, "spite": 0.2, "last_higher": 0.75, "one_bid": 1.1, "one_pass": 0.3},
}
"""The weights that the search once started from, set by hand."""

SPREADS: Final = {
    "aim_bid": 0.4,
    "aim_play": 0.4,
    "zero_bid": 0.05,
    "taker": 0.1,
    "shedder": 0.08,
    "spoiler": 0.15,
    "spoil": 0.2,
    "spite": 0.06,
    "last_higher": 0.15,
    "one_bid": 0.2,
    "one_pass": 0.15,
}
"""First spreads of the search; 0.25 for weights not named."""
LIMITS: Final = {
    "aim_bid": (1.0, 20.0),
    "aim_play": (1.0, 20.0),
    "zero_bid": (0.1, 5.0),
    "spite": (0.0, 1.0),
    "taker": (0.0, 1.0),
    "shedder": (0.0, 1.0),
    "spoiler": (0.0, 1.0),
}
ELITE: Final = 0.25
"""Share of the candidates that the next mean is made of."""
INERTIA: Final = 0.5
"""Share of the old mean and spreads that stays."""


class Case(NamedTuple):
    """A table: its schedule, who sits where (0 = candidate, 1 = incumbent) and its share of the sets."""

    schedule: tuple[int, ...]
    seats: tuple[int, ...]
    share: float


CASES: Final = (
    Case(tuple(range(1, 11)), (0, 1, 0, 1), 1.0),
    Case(tuple(range(1, 11)), (0, 1, 1, 1), 1.5),
    Case(tuple(range(1, 13)), (0, 1, 1), 1.2),
    Case(tuple(range(1, 10)), (0, 1, 0, 1, 1), 0.5),
    Case(tuple(range(1, 9)), (0, 1, 0, 1, 0, 1), 0.4),
)


class Difference(NamedTuple):
    """A difference in points per seat-round, and its standard error."""

    mean: float
    error: float


def entrant(name: str, weights: Weights) -> Entrant:
    """Return count-winners with these weights; other weights compile nothing anew."""
    agent = make_agent(*map(float, weights))
    return Entrant(name, agent, agent, trusted=True)


def case_difference(case: Case, candidate: Entrant, incumbent: Entrant, seed: int, sets: int) -> Difference:
    """Return the candidate's points per seat-round minus the incumbent's at one table, over `sets` sets."""
    players = len(case.seats)
    lineup = tuple((candidate, incumbent)[owner] for owner in case.seats)
    tally = play_sets(Game(Rules(), players, case.schedule, lineup, case.seats), seed, 0, sets)
    mine = case.seats.count(0)
    scale = mine * (players - mine) * players * len(case.schedule)
    total, squares = (float(number) for number in tally.pairs[0, 1])
    mean = total / sets
    variance = (squares / sets - mean * mean) / max(sets - 1, 1)
    return Difference(mean / scale, math.sqrt(max(variance, 0.0)) / scale)


def difference(candidate: Weights, incumbent: Weights, seed: int, sets: int) -> Difference:
    """Return the mean of the differences over the CASES, each with its share of `sets`."""
    mine, theirs = entrant("candidate", candidate), entrant("incumbent", incumbent)
    parts = [case_difference(case, mine, theirs, seed, max(2, round(sets * case.share))) for case in CASES]
    mean = sum(part.mean for part in parts) / len(parts)
    return Difference(mean, math.sqrt(sum(part.error**2 for part in parts)) / len(parts))


class Search:
    """The state of the search: mean, spreads, and the random numbers that candidates are drawn with."""

    def __init__(self, mean: Weights, seed: int, tuned: Sequence[str], scale: float) -> None:
        self.mean = np.array(mean)
        spreads = scale * np.array([SPREADS.get(name, 0.25) for name in NAMES])
        self.spreads = np.where([name in tuned for name in NAMES], spreads, 0.0)
        self.floor = self.spreads * 0.2
        self.low = np.array([LIMITS.get(name, (-9.0, 9.0))[0] for name in NAMES])
        self.high = np.array([LIMITS.get(name, (-9.0, 9.0))[1] for name in NAMES])
        self.random = np.random.default_rng(seed)

    def generation(self, incumbent: Weights, size: int, seed: int, sets: int) -> float:
        """Draw, play and rank one generation; move to its best; return the best candidates' mean difference."""
        steps = self.random.standard_normal((size // 2, len(NAMES)))
        drawn = np.clip(self.mean + np.concatenate([steps, -steps]) * self.spreads, self.low, self.high)
        scores = np.array([difference(candidate, incumbent, seed, sets).mean for candidate in drawn])
        best = np.argsort(-scores, kind="stable")[: max(2, round(size * ELITE))]
        self.mean = INERTIA * self.mean + (1 - INERTIA) * drawn[best].mean(axis=0)
        spread = INERTIA * self.spreads + (1 - INERTIA) * drawn[best].std(axis=0)
        self.spreads = np.maximum(np.minimum(spread, self.spreads), self.floor)
        return float(scores[best].mean())


def written(weights: Weights) -> str:
    """Return weights as the defaults of `make_agent` are written."""
    return "\n".join(
        f"    {name}: float = {weight:.3g}," for name, weight in zip(NAMES, weights, strict=True)
    )


def tune(options: argparse.Namespace) -> Weights:
    """Run the stages and return the last incumbent."""
    incumbent = DEFAULTS.copy()
    search = Search(
        incumbent, options.seed, options.only.split(",") if options.only else NAMES, options.spread
    )
    seed = options.seed
    for stage in range(options.stages):
        for step in range(options.generations):
            started = time.monotonic()
            seed += 1
            best = search.generation(incumbent, options.candidates, seed, options.sets)
            took = time.monotonic() - started
            print(f"stage {stage + 1} generation {step + 1}: best {best:+.4f} ({took:.0f} s)", flush=True)
        seed += 1
        rounded = np.array([float(f"{weight:.3g}") for weight in search.mean])
        gain = difference(rounded, incumbent, seed, 10 * options.sets)
        accepted = gain.mean > gain.error
        print(
            f"stage {stage + 1}: {gain.mean:+.4f} +- {gain.error:.4f}, {'accepted' if accepted else 'refused'}"
        )
        if accepted:
            incumbent = rounded
            print(written(incumbent), flush=True)
    return incumbent


def validate(name: str, weights: Weights, against: Weights, options: argparse.Namespace) -> None:
    """Print the difference in points on the held-out seed, with a 95 % interval."""
    gain = difference(weights, against, options.held_out, options.held_out_sets)
    low, high = gain.mean - 1.96 * gain.error, gain.mean + 1.96 * gain.error
    print(
        f"{name}, seed {options.held_out}, {options.held_out_sets} sets: "
        f"{gain.mean:+.4f} points per seat-round ({low:+.4f} to {high:+.4f})",
        flush=True,
    )


def read_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="first training seed; each generation takes the next"
    )
    parser.add_argument("--stages", type=int, default=3, help="times that the incumbent may be replaced")
    parser.add_argument("--generations", type=int, default=8, help="generations a stage")
    parser.add_argument("--candidates", type=int, default=32, help="candidates a generation")
    parser.add_argument("--sets", type=int, default=200, help="sets that a candidate plays at a table")
    parser.add_argument("--held-out", type=int, default=1_000_000, help="seed of the check at the end")
    parser.add_argument("--held-out-sets", type=int, default=2_000, help="sets at a table of that check")
    parser.add_argument("--spread", type=float, default=1.0, help="factor on the first spreads of the search")
    parser.add_argument("--only", default="", help="tune only these weights, separated by commas")
    parser.add_argument(
        "--check", action="store_true", help="no search: the defaults against the first guesses"
    )
    parser.add_argument("--quick", action="store_true", help="a few seconds, to see that it runs")
    options = parser.parse_args()
    if options.quick:
        options.stages, options.generations, options.candidates = 1, 1, 4
        options.sets, options.held_out_sets = 5, 20
    return options


def main() -> None:
    """Tune, then validate."""
    options = read_options()
    if not options.check:
        weights = tune(options)
        print(written(weights))
        validate("tuned weights against the defaults", weights, DEFAULTS, options)
    guesses = [FIRST_GUESSES[name] for name in NAMES]
    validate("defaults against the first guesses", DEFAULTS, guesses, options)


if __name__ == "__main__":
    main()
