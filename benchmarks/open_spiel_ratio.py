"""How many times as fast as OpenSpiel's `oh_hell`? Everything is measured in one run, interleaved, as ratios.

    python benchmarks/open_spiel_ratio.py            about two minutes
    python benchmarks/open_spiel_ratio.py --quick    a few seconds, to see that it works

Ours: uniform random agents called through the agent interface, whole sets with everything added up, on one core, by
process CPU time. Theirs: `pyspiel.evaluate_bots` with uniform random bots, their own C++ loop. Rollouts: a world
sampled for the unseen cards and played out from the first lead. Threads are compared by wall time.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pyspiel

from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import Workspace, play_sets
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.rules import Rules

CASES = ((4, 12, 30, 45), (7, 7, 30, 45), (4, 5, 30, 45), (4, 10, 30, 45))
"""Players, hand size, the ratio that is required and the one aimed at."""


def ours(players: int, hand_size: int, sets: int) -> Callable[[], int]:
    """Return what plays some sets of ten-round matches and returns the number of rounds."""
    random = resolve("random")
    schedule = (hand_size,) * 10
    game = Game(Rules(), players, schedule, (random,) * players, tuple(range(players)))
    workspace = Workspace.allocate()

    def play() -> int:
        play_sets(game, 1, 0, sets, workspace=workspace)
        return sets * players * len(schedule)

    return play


def theirs(players: int, hand_size: int, rounds: int) -> Callable[[], int]:
    """Return what plays some rounds in OpenSpiel and returns their number."""
    options = {"players": players, "num_tricks_fixed": hand_size, "off_bid_penalty": True, "points_per_trick": 1}
    game = pyspiel.load_game("oh_hell", options)
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(players)]

    def play() -> int:
        for number in range(rounds):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, number)
        return rounds

    return play


def cpu_rate(play: Callable[[], int]) -> float:
    """Return rounds per second of process CPU time."""
    began = time.process_time()
    rounds = play()
    return rounds / (time.process_time() - began)


def compare(fast: Callable[[], int], slow: Callable[[], int], repeats: int) -> tuple[float, float, float]:
    """Return the median rates of both and the median of the ratios of neighbouring measurements."""
    fast()
    slow()
    pairs = [(cpu_rate(fast), cpu_rate(slow)) for _ in range(repeats)]
    rates = zip(*pairs, strict=True)
    return *(statistics.median(rate) for rate in rates), statistics.median(a / b for a, b in pairs)


def threads_ratio(repeats: int, sets: int) -> float:
    """Return how much faster two threads play than one, by wall time: the median of interleaved runs."""
    halves = [ours(4, 10, sets) for _ in range(2)]
    ratios = []
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda play: play(), halves))
        for _ in range(repeats):
            began = time.perf_counter()
            for play in halves:
                play()
            one = time.perf_counter() - began
            began = time.perf_counter()
            list(pool.map(lambda play: play(), halves))
            ratios.append(one / (time.perf_counter() - began))
    return statistics.median(ratios)


def main() -> None:
    """Measure and print everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a few seconds, to see that it works")
    arguments = parser.parse_args()
    repeats, scale = (2, 1) if arguments.quick else (15, 8)
    print(f"{'random rounds':<16}{'ours, M/s':>12}{'theirs, M/s':>13}{'ratio':>8}   required (aim)")
    for players, hand_size, required, aim in CASES:
        fast, slow, ratio = compare(
            ours(players, hand_size, 100 * scale), theirs(players, hand_size, 500 * scale), repeats
        )
        name = f"{players} x {hand_size}"
        print(f"{name:<16}{fast / 1e6:>12.3f}{slow / 1e6:>13.4f}{ratio:>8.1f}   {required} ({aim})")
    print(f"two threads against one, by wall time: {threads_ratio(repeats, 500 * scale):.2f}   1.7")


if __name__ == "__main__":
    main()
