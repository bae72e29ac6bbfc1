"""Fit what a deal is worth beforehand, by how its trumps fell: the values behind the luck correction.

    python experiments/fit_deal_values.py --help
    python experiments/fit_deal_values.py --rounds 2000 --out /tmp/values.csv    a few seconds, to see that it runs
    python experiments/fit_deal_values.py                                        the shipped values, about five minutes

`count-winners` plays against itself, every number of players and hand size with the full pack and a card turned for
trump. A deal's outcome is the points of a round averaged over the seats. Deals are grouped by how many trumps were
dealt out and how many pairs of them lie in one hand (see `ohpshaw_sim.engine.luck`); a group's value is its mean, drawn
towards a quadratic surface over both numbers as if `PRIOR` more deals had followed it, so that rare and missing groups
take their values from the surface. Values are told less their expectation, in hundredths of a point.

At the end, on another seed: how much narrower the values make the interval of an agent's mean over a set of deals.
"""

import argparse
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from ohpshaw_sim.cards import NO_SUIT, SUITS
from ohpshaw_sim.engine import luck
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.rules import PLAYERS, Rules

AGENT: Final = "count-winners"
PRIOR: Final = 200
"""Deals that the surface counts as."""
SETS_AT_ONCE: Final = 2000
_LANE: Final = np.array([0xFFFF << 16 * suit for suit in range(len(SUITS))], np.uint64)


class Deals(NamedTuple):
    """Deals played by every rotation: trumps dealt, pairs of them in one hand, mean points of a seat."""

    trumps: Any
    pairs: Any
    points: Any


def played(players: int, size: int, seed: int, rounds: int) -> Deals:
    """Play deals with a trump, each once in every rotation, and return what they came to."""
    agent = resolve(AGENT)
    game = Game(Rules(), players, (size,), (agent,) * players, (0,) * players, stop_after=1)
    pieces = [
        _of_sets(play_sets(game, seed, first, SETS_AT_ONCE, keep=1).kept, players)
        for first in range(0, max(rounds // players, SETS_AT_ONCE), SETS_AT_ONCE)
    ]
    return Deals(*(np.concatenate(column) for column in zip(*pieces, strict=True)))


def _of_sets(kept: Any, players: int) -> Deals:
    """Bring the rounds that were kept together by deal."""
    first = kept[::players]
    held = np.bitwise_count(first["hands"][:, :players] & _LANE[first["trump"]][:, None]).astype(np.int64)
    points = kept["points"][:, :players].astype(np.float64).mean(axis=1).reshape(-1, players).mean(axis=1)
    has_trump = first["trump"] != NO_SUIT
    trumps, pairs = held.sum(axis=1), (held * (held - 1) // 2).sum(axis=1)
    return Deals(trumps[has_trump], pairs[has_trump], points[has_trump])


def surface(trumps: Any, pairs: Any) -> Any:
    """Return the terms of the quadratic surface, one row a deal."""
    t, p = np.asarray(trumps, np.float64), np.asarray(pairs, np.float64)
    return np.stack([np.ones_like(t), t, p, t * t, t * p, p * p], axis=-1)


def values_of(deals: Deals, players: int, size: int) -> dict[tuple[int, int], int]:
    """Return the value of every split that can be dealt, in units of 1 / luck.UNIT points."""
    ways = luck.split_ways(players, size, 51, 12)
    splits = sorted(split for split, many in ways.items() if many)
    fitted = np.linalg.lstsq(surface(deals.trumps, deals.pairs), deals.points, rcond=None)[0]
    drawn = surface(*np.array(splits).T) @ fitted
    drawn = np.clip(drawn, deals.points.min(), deals.points.max())
    found = {}
    for split, guess in zip(splits, drawn, strict=True):
        same = deals.points[(deals.trumps == split[0]) & (deals.pairs == split[1])]
        found[split] = (same.sum() + PRIOR * guess) / (len(same) + PRIOR)
    mean = sum(found[split] * ways[split] for split in splits) / sum(ways.values())
    return {split: round((value - mean) * luck.UNIT) for split, value in found.items()}


def gain(deals: Deals, values: dict[tuple[int, int], int]) -> float:
    """Return by how much values divide the variance of the deals' mean points."""
    pairs = zip(deals.trumps.tolist(), deals.pairs.tolist(), strict=True)
    worth = np.array([values[split] for split in pairs])
    return 1.0 if worth.std() == 0 else float(1 / (1 - np.corrcoef(worth, deals.points)[0, 1] ** 2))


def main() -> None:
    """Fit, write the values, and say what they are good for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--seed", type=int, default=7_000_000, help="seed that is fitted on; the next one judges"
    )
    parser.add_argument(
        "--rounds", type=int, default=300_000, help="rounds a hand size and number of players"
    )
    parser.add_argument("--out", type=Path, default=Path(luck.__file__).with_name("deal_values.csv"))
    options = parser.parse_args()
    lines = ["players,hand_size,trumps,pairs,value"]
    for players in PLAYERS:
        for size in range(1, 51 // players + 1):
            values = values_of(played(players, size, options.seed, options.rounds), players, size)
            narrower = gain(played(players, size, options.seed + 1, options.rounds // 4), values)
            print(f"{players} players, hand size {size}: {len(values)} values, variance / {narrower:.3f}")
            lines += [f"{players},{size},{t},{p},{value}" for (t, p), value in values.items()]
    options.out.write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{len(lines) - 1} values written to {options.out}", file=sys.stderr)


if __name__ == "__main__":
    main()
