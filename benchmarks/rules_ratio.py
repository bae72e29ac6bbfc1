"""What does a rule cost? Random rounds under each preset against the base game, and against another source tree.

    python benchmarks/rules_ratio.py                      about two minutes
    python benchmarks/rules_ratio.py --against OTHER      the base game of this tree against that of OTHER, too
    python benchmarks/rules_ratio.py --quick              a few seconds, to see that it works

Rounds per second of process CPU time, uniform random agents at all seats, whole sets with everything added up; all
measurements interleaved, medians of the ratios of neighbours. Each tree plays in a process of its own.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

CASES = ((4, 10), (4, 5), (7, 7), (4, 12))
"""Players and hand size."""
PRESETS = ("oh-hell", "river", "contract-whist", "wizard", "podrida", "blackout")
BASE = "oh-pshaw"
ROUNDS = 10
"""Rounds of a match."""
WANTED = {"wizard": 0.6}
HERE = Path(__file__).resolve().parents[1]


def serve() -> None:
    """Answer each line `players hand_size sets rules` on stdin with a rate on stdout."""
    from ohpshaw_sim.engine.lineup import Game  # noqa: PLC0415  # of the tree that is measured
    from ohpshaw_sim.engine.play import play_sets  # noqa: PLC0415
    from ohpshaw_sim.engine.workspace import Workspace  # noqa: PLC0415
    from ohpshaw_sim.interface.discovery import resolve  # noqa: PLC0415
    from ohpshaw_sim.rules import Rules  # noqa: PLC0415

    random, workspace, games = resolve("random"), Workspace.allocate(), {}
    for line in sys.stdin:
        players, hand_size, sets, name = line.split()
        key = int(players), int(hand_size), name
        if key not in games:
            rules = Rules()
            if name != BASE:
                from ohpshaw_sim.rule_text import read_rules  # noqa: PLC0415  # older trees have none

                rules = read_rules(name)
            games[key] = Game(rules, key[0], (key[1],) * ROUNDS, (random,) * key[0], tuple(range(key[0])))
            play_sets(games[key], 1, 0, 1, workspace=workspace)
        began = time.process_time()
        play_sets(games[key], 1, 0, int(sets), workspace=workspace)
        rate = int(sets) * key[0] * ROUNDS / (time.process_time() - began)
        print(rate, flush=True)


class Tree:
    """A source tree that plays in a process of its own."""

    def __init__(self, folder: Path) -> None:
        path = os.pathsep.join([str(folder), str(folder / "agents")])
        self._process = subprocess.Popen(
            [sys.executable, __file__, "--serve"],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def rate(self, players: int, hand_size: int, sets: int, rules: str) -> float:
        """Return rounds per second."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{players} {hand_size} {sets} {rules}\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())


def main() -> None:
    """Measure and print everything."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--against", type=Path, help="another source tree, for instance of the last release")
    parser.add_argument("--quick", action="store_true", help="a few seconds, to see that it works")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve()
        return
    mine = Tree(HERE)
    other = Tree(arguments.against.resolve()) if arguments.against else None
    repeats, plays = (2, 4_000) if arguments.quick else (21, 30_000)
    for players, hand_size in CASES:
        sets = max(1, plays // (players * hand_size * ROUNDS))
        measured: dict[str, list[float]] = {name: [] for name in ("rate", "against", *PRESETS)}
        for _ in range(repeats):
            base = mine.rate(players, hand_size, sets, BASE)
            measured["rate"].append(base)
            if other:
                measured["against"].append(base / other.rate(players, hand_size, sets, BASE))
            for name in PRESETS:
                measured[name].append(mine.rate(players, hand_size, sets, name) / base)
        print(
            f"{players} x {hand_size}: base game {statistics.median(measured.pop('rate')) / 1e6:.2f} M rounds/s"
        )
        for name, ratios in measured.items():
            if ratios:
                what = f"base game against {arguments.against}" if name == "against" else f"{name} against it"
                wanted = 0.95 if name == "against" else WANTED.get(name)
                said = f"   wanted {wanted}" if wanted else ""
                print(f"  {what:<40}{statistics.median(ratios):.3f}{said}", flush=True)


if __name__ == "__main__":
    main()
