"""How often does a comparison that is looked at after every block decide falsely, and what does that take?

Plays pairs of agents on the same deals in the same seat, a long series each, cuts it into runs, and looks at every run
after each block of 16 sets from the 64th set on, by three rules: the confidence sequence that `ohpshaw compare` stops
by, a plain 95 % interval, and an asymptotic confidence sequence (Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas, Annals
of Statistics 52, 2024) tuned for 500 sets. A decision is false if equal agents are found different, or unequal ones in
the wrong order. Beside that: how often the sequence found the right order, after how many sets on the average, how
many a test of a size fixed beforehand takes for that difference with a power of 80 %. Longer runs are drawn from the
same differences, as they are and moved to a mean of 0, and from mistakes that are rare and costly.

    python experiments/peeking.py --runs 1000 --sets 1024 --drawn 16000
    python experiments/peeking.py --golden tests/golden/paired_differences.csv

The second line writes how often each difference came in a short series; tests draw from that.
"""

import argparse
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from math import log
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from scipy import stats

from ohpshaw_sim.analysis.decisions import Rule, measure_of
from ohpshaw_sim.analysis.power import fixed_sets
from ohpshaw_sim.analysis.sequences import Measure, Track
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.engine.workspace import Workspace
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.rules import Rules

SEED: Final = 20
BLOCK: Final = 16
GOLDEN_SETS: Final = 8000
FINE: Final = 64
RULE: Final = Rule()
_AT_ONCE: Final = 2048
_HEAD: Final = (
    f"{'':28} {'mean':>8} {'sd':>6} {'sets':>6} | false: sequence  plain  asymptotic | right  sets  fixed"
)


class Pair(NamedTuple):
    """Two agents, the agent in the three other seats, and the hand sizes of a match."""

    name: str
    a: str
    b: str
    field: str
    hand_sizes: tuple[int, ...]

    @property
    def measure(self) -> Measure:
        """The measure of the pair's differences."""
        return measure_of(Rules(hand_sizes=self.hand_sizes), 4, self.hand_sizes)


PAIRS: Final = (
    Pair("equal by luck", "random", "random", "count-winners", (1, 2, 3)),
    Pair("equal by others' luck", "count-winners", "count-winners", "random", (5,)),
    Pair("near", "count-winners", "count-winners:zero_bid=0.9", "count-winners", tuple(range(1, 8))),
    Pair("near one deal", "count-winners", "count-winners:zero_bid=0.9", "count-winners", (5,)),
    Pair("apart one card", "count-winners", "greedy", "count-winners", (1,)),
    Pair("apart", "count-winners", "greedy", "count-winners", (1, 2, 3)),
)
MISTAKES: Final = ((1, 0.01), (1, 0.001), (13, 0.002), (13, 0.0005))
"""Deals of a set, and how often one of them costs all there is to lose."""


def play(pair: Pair, sets: int, jobs: int) -> Any:
    """Return the difference of points in each set, int64 [sets]."""
    rules = Rules(hand_sizes=pair.hand_sizes)
    games = [
        Game(rules, 4, pair.hand_sizes, (resolve(agent), *[resolve(pair.field)] * 3), (0, 1, 1, 1), arm=arm)
        for arm, agent in enumerate((pair.a, pair.b))
    ]

    def chunk(first: int) -> Any:
        count, room = min(_AT_ONCE, sets - first), Workspace.allocate()
        points = [play_sets(game, SEED, first, count, workspace=room).by_set[:, 0, 0] for game in games]
        return points[0] - points[1]

    with ThreadPoolExecutor(jobs) as crew:
        return np.concatenate(list(crew.map(chunk, range(0, sets, _AT_ONCE))))


class Ends(NamedTuple):
    """By rule, what a run's first decision was: +1, -1, or 0 for none; and at how many sets the sequence ended."""

    sequence: int
    plain: int
    asymptotic: int
    sets: int


def ends_of(run: Any, measure: Measure) -> Ends:
    """Look at a run, int64 [sets], after each block."""
    blocks = run[: len(run) // BLOCK * BLOCK].reshape(-1, BLOCK)
    sums = np.full(len(blocks), BLOCK), blocks.sum(axis=1), (blocks**2).sum(axis=1)
    track = Track.empty(measure).after(*sums)
    n, total = track.sets, track.totals
    deviation = np.sqrt(np.maximum(track.squares - total**2 / n, 0) / (n - 1))
    sides = (
        track.above(0, RULE.alpha).astype(int) - track.below(0, RULE.alpha),
        np.sign(total) * (np.abs(total) > deviation * np.sqrt(n) * stats.t.ppf(1 - RULE.alpha / 2, n - 1)),
        np.sign(total) * (np.abs(total) > deviation * asymptotic_bound(n)),
    )
    firsts = [np.flatnonzero(side * (n >= RULE.min_sets)) for side in sides]
    decided = [int(side[first[0]]) if len(first) else 0 for side, first in zip(sides, firsts, strict=True)]
    sequence, plain, asymptotic = decided
    return Ends(sequence, plain, asymptotic, int(n[firsts[0][0]] if len(firsts[0]) else n[-1]))


def asymptotic_bound(n: Any, tuned_for: int = 500) -> Any:
    """Return by how many deviations the sum may stray: sqrt((n r + 1) / r log((n r + 1) / alpha^2))."""
    r = (-2 * log(RULE.alpha) + log(-2 * log(RULE.alpha) + 1)) / tuned_for
    return np.sqrt((n * r + 1) / r * np.log((n * r + 1) / RULE.alpha**2))


def line(name: str, runs: Iterable[Any], measure: Measure, truth: float, sd: float) -> str:
    """Return the row of the runs of one pair; `truth` is the mean difference, 0 for equal agents."""
    ends = [ends_of(run, measure) for run in runs]
    sides, side = np.array([end[:3] for end in ends]), np.sign(truth)
    wrong = ((sides != 0) & (sides != side)).mean(axis=0)
    right = (sides[:, 0] == side).mean()
    text = f"{wrong[0]:>23.3f} {wrong[1]:>6.3f} {wrong[2]:>11.3f} |"
    if truth:
        needed = np.mean([end.sets for end in ends])
        text += f" {right:.3f} {needed:>5.0f} {fixed_sets(truth, sd, RULE.alpha, 0.8):>6}"
    return f"{name:28} {truth:>+8.4f} {sd:>6.3f} {max(end.sets for end in ends):>6} |{text}"


def moved(differences: Any, measure: Measure) -> tuple[Any, Measure]:
    """Return differences moved to a mean of 0, in finer units."""
    fine = np.round((differences - differences.mean()) * FINE).astype(np.int64)
    return fine, Measure(measure.unit / FINE, measure.widest, measure.scale)


def mistakes(deals: int, chance: float, rng: np.random.Generator, shape: int) -> Any:
    """Draw sets of some deals that now and then lose 100, and else gain what makes up for it on the average."""
    gain, lost = round(100 * chance / (1 - chance) * FINE), rng.binomial(deals, chance, shape)
    return (deals - lost) * gain - lost * 100 * FINE


def study(runs: int, sets: int, drawn: int, jobs: int) -> None:
    """Print all rows: pairs as played, drawn from that, drawn and moved to 0; mistakes."""
    rng = np.random.default_rng(SEED)
    played = {pair: play(pair, runs * sets, jobs) for pair in PAIRS}
    print(_HEAD)
    for pair, found in played.items():
        measure, sd = pair.measure, float(found.std()) * pair.measure.unit
        truth = 0.0 if pair.name.startswith("equal") else float(found.mean()) * measure.unit
        print(line(pair.name, found.reshape(runs, -1), measure, truth, sd), flush=True)
        if truth:
            many = (rng.choice(found, drawn) for _ in range(runs))
            print(line(f"{pair.name}, drawn", many, measure, truth, sd), flush=True)
        fine, finer = moved(found, measure)
        many = (rng.choice(fine, drawn) for _ in range(runs))
        print(line(f"{pair.name}, at 0", many, finer, 0.0, sd), flush=True)
    for deals, chance in MISTAKES:
        many = (mistakes(deals, chance, rng, drawn) for _ in range(runs))
        measure = Measure(1 / 100 / FINE / deals, 1.0, 17 / 16 / deals)
        sd = (deals * chance * (1 - chance)) ** 0.5 / deals / (1 - chance)
        print(line(f"{deals} deals, 1 in {1 / chance:.0f}", many, measure, 0.0, sd), flush=True)


def write_golden(path: Path, jobs: int) -> None:
    """Write how often each difference came in a short series of each pair."""
    rows = ["pair,difference,count"]
    for pair in PAIRS:
        values, counts = np.unique(play(pair, GOLDEN_SETS, jobs), return_counts=True)
        rows += [f"{pair.name},{value},{count}" for value, count in zip(values, counts, strict=True)]
    path.write_text("\n".join(rows) + "\n", "utf-8")


def main() -> None:
    """Read the command line."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--runs", type=int, default=1000)
    asked.add_argument("--sets", type=int, default=1024, help="sets of a run that is played")
    asked.add_argument("--drawn", type=int, default=16_000, help="sets of a run that is drawn")
    asked.add_argument("--jobs", type=int, default=2)
    asked.add_argument("--golden", type=Path)
    given = asked.parse_args()
    if given.golden:
        write_golden(given.golden, given.jobs)
    else:
        study(given.runs, given.sets, given.drawn, given.jobs)


if __name__ == "__main__":
    main()
