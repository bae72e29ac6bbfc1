"""How many times as fast as OpenSpiel's `oh_hell`? Everything is measured in one run, interleaved, as ratios.

    python benchmarks/open_spiel_ratio.py            about two minutes
    python benchmarks/open_spiel_ratio.py --quick    a few seconds, to see that it works

Ours: uniform random agents called through the agent interface, whole sets with everything added up, on one core, by
process CPU time. Theirs: `pyspiel.evaluate_bots` with uniform random bots, their own C++ loop. Rollouts: a world
sampled for the unseen cards and played out from the first lead, against OpenSpiel's rounds. A tournament's play: its
blocks added up to the rows of a part, against one call of the engine. Threads are compared by wall time.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pyspiel

from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.engine.workspace import Workspace
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ONE, U
from ohpshaw_sim.kernels.playout import SEATS, lay_hands, lay_position, playout_table
from ohpshaw_sim.kernels.rng import fold, mix
from ohpshaw_sim.kernels.together import lay_world, need_left, play_together, world_rows
from ohpshaw_sim.kernels.words import WIDE
from ohpshaw_sim.kernels.worlds import prepare_worlds, sample_world, unseen_problem, world_plan
from ohpshaw_sim.rules import Rules
from ohpshaw_sim.tournament.chunk import Task, play_task
from ohpshaw_sim.tournament.spec import make_spec

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
    options = {
        "players": players,
        "num_tricks_fixed": hand_size,
        "off_bid_penalty": True,
        "points_per_trick": 1,
    }
    game = pyspiel.load_game("oh_hell", options)
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(players)]

    def play() -> int:
        for number in range(rounds):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, number)
        return rounds

    return play


def rollouts(players: int, hand_size: int, worlds: int) -> Callable[[], int]:
    """Return what samples and plays out so many worlds from the first lead, by the policy of `monte-carlo`."""
    table = Round.deal(Rules(), players, hand_size, dealer=players - 1, seed=1)
    for _ in range(players):
        table.answer(hand_size // players)
    return lambda: roll_out(table.view, worlds)


@jit
def roll_out(view: Any, count: int) -> int:
    """Sample worlds for the seat that is to lead and play each out; return their number."""
    plan, tables, worlds = world_plan(), playout_table(), world_rows()
    hands, needs = np.zeros(SEATS, np.uint64), np.zeros(SEATS, np.int8)
    cannot = np.zeros(SEATS, np.uint64)
    pool = unseen_problem(view, needs, cannot)
    prepare_worlds(plan, pool, view.players, needs, cannot)
    lay_position(view, tables)
    hands[view.seat] = view.hand
    tricks = 0
    for start in range(0, count, WIDE):
        filled = min(WIDE, count - start)
        for column in range(filled):
            sample_world(plan, fold(view.rnd, start + column), hands)
            lay_hands(view, tables, hands, view.bids)
            lay_world(worlds, column, tables)
        play_together(worlds, filled, tables)
        for column in range(filled):
            for seat in range(view.players):
                tricks += view.bids[seat] - need_left(worlds, column, seat)
    return tricks // view.hand_size  # every world's tricks add up to the hand size


def tournament(blocks: int) -> Callable[[], int]:
    """Return what plays blocks of random matches as a tournament does: by block, added up to the rows of a part."""
    spec = make_spec(agents=["random"] * 4, seed=1)
    rounds = blocks * spec.block_sets * 4 * len(spec.schedule(4))

    def play() -> int:
        play_task(Task(spec, 0, blocks))
        return rounds

    return play


def bare_engine(blocks: int) -> Callable[[], int]:
    """Return what plays the same matches in one call of the engine."""
    random = resolve("random")
    spec = make_spec(agents=["random"] * 4, seed=1)
    game = Game(Rules(), 4, spec.schedule(4), (random,) * 4, (0, 1, 2, 3))
    sets = blocks * spec.block_sets

    def play() -> int:
        play_sets(game, 1, 0, sets)
        return sets * 4 * len(game.schedule)

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


@jit
def spin(steps: int) -> int:
    """Compute without touching memory: what two threads gain on this is all that the machine has to give."""
    word = ONE
    for step in range(steps):
        word = mix(word + U(step))
    return int(word & ONE)


def threads_ratio(halves: list[Callable[[], int]], repeats: int) -> float:
    """Return how much faster two threads finish both halves than one, by wall time: median of interleaved runs."""
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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
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
    fast, slow, ratio = compare(rollouts(4, 10, 4000 * scale), theirs(4, 10, 500 * scale), repeats)
    print(f"{'rollouts 4 x 10':<16}{fast / 1e6:>12.3f}{slow / 1e6:>13.4f}{ratio:>8.1f}   70 (100)")
    fast, slow, ratio = compare(tournament(32 * scale), bare_engine(32 * scale), repeats)
    print(f"a tournament's play against one call of the engine: {ratio:.2f}   0.5")
    played = threads_ratio([ours(4, 10, 500 * scale) for _ in range(2)], repeats)
    possible = threads_ratio([lambda: spin(5_000_000 * scale)] * 2, repeats)
    print(
        f"two threads against one, by wall time: {played:.2f}   1.7   (a loop without memory: {possible:.2f})"
    )


if __name__ == "__main__":
    main()
