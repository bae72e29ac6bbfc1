"""The conformance test: may this agent sit at a table?

Every check says in plain words what went wrong. It plays the agent with others and with itself at every number of
players through both drivers, looks at what it does to the views it is shown, and times it. Reads beyond the ends of
arrays are looked for in a second process, since compiled code must be compiled anew for that.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from ohpshaw_sim.engine.calls import ask_all, calls_of
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import AgentFaultError, Driver, play_sets
from ohpshaw_sim.engine.samples import (
    VARIATIONS,
    VIEWS_TO_ASK,
    compiled_halves,
    of_kind,
    sample_views,
    within_seconds,
)
from ohpshaw_sim.errors import OhPshawError
from ohpshaw_sim.interface.agent import Agent, CompiledAgent, compile_decision
from ohpshaw_sim.interface.batch import Batch
from ohpshaw_sim.interface.discovery import Entrant, resolve
from ohpshaw_sim.interface.view import BID, PLAY
from ohpshaw_sim.rule_text import rules_text
from ohpshaw_sim.rules import PLAYERS, Rules

SECONDS_TO_PLAY: Final = 4.0
"""Time for which whole sets are played with the agent, beyond the first one at each number of players."""
SECONDS_TO_TIME: Final = 0.5


@dataclass(frozen=True)
class Finding:
    """One check: what was tested, whether the agent passed, and what was seen."""

    check: str
    passed: bool
    seen: str = ""


class FailureError(Exception):
    """A check failed; the message says what was seen."""


def findings(spec: str) -> Iterator[Finding]:
    """Yield the findings on an agent one by one, up to the first that makes the rest pointless."""
    try:
        entrant = resolve(spec)
    except OhPshawError as error:
        yield Finding("found and made", False, str(error))
        return
    yield Finding("found and made", True, "compiled" if entrant.compiled else "Python")
    for name, check in _CHECKS:
        try:
            yield Finding(name, True, check(entrant))
        except (FailureError, OhPshawError) as failure:
            yield Finding(name, False, str(failure))
            return


def check(spec: str) -> list[Finding]:
    """Return all findings on an agent; it conforms if each one passed."""
    return list(findings(spec))


def _compiles(entrant: Entrant) -> str:
    """Compile the functions of a compiled agent, which also looks at the type they answer with."""
    began = time.perf_counter()
    for agent in (entrant.bidder, entrant.player):
        if isinstance(agent, CompiledAgent):
            compile_decision(agent.bid, "its bid function")
            compile_decision(agent.play, "its play function")
            compile_decision(agent.name_trump, "its name_trump function")
    return (
        f"{time.perf_counter() - began:.1f} s to compile or load"
        if entrant.compiled
        else "nothing to compile"
    )


def _game(players: int, lineup: tuple[Entrant, ...]) -> Game:
    largest = Rules().largest_hand(players)
    owners = tuple(
        {entrant: i for i, entrant in enumerate(dict.fromkeys(lineup))}[entrant] for entrant in lineup
    )
    return Game(Rules(), players, tuple(sorted({1, 2, 3, 6, largest})), lineup, owners)


def _tables(entrant: Entrant) -> Iterator[Game]:
    """Yield games at every number of players: the agent against random ones, then against itself."""
    other = resolve("random")
    for players in PLAYERS:
        yield _game(players, (entrant,) + (other,) * (players - 1))
    for players in PLAYERS:
        yield _game(players, (entrant,) * players)


def _answers_legally(entrant: Entrant) -> str:
    """Play sets with the agent until the time is over; whatever it does wrong ends the play with a sentence."""
    began, sets = time.perf_counter(), 0
    rounds = 0
    while sets == 0 or time.perf_counter() - began < SECONDS_TO_PLAY:
        for game in _tables(entrant):
            rounds += int(play_sets(game, 1, sets, 1).totals[0, 0])
            if sets and time.perf_counter() - began > SECONDS_TO_PLAY:
                break
        sets += 1
    return f"{rounds:,} rounds at 3 to 7 players"


def _plays_variations(entrant: Entrant) -> str:
    """Play a set under each of some variations; an agent made for the base game alone may still sit at its tables."""
    for number, rules in enumerate(VARIATIONS):
        players = PLAYERS[number]
        game = Game(rules, players, (1, 2, 5), (entrant,) * players, (0,) * players)
        try:
            play_sets(game, 4, 0, 1)
        except AgentFaultError as fault:
            return f"only the base game: under {rules_text(rules)} {fault}"
    return "Wizards, simultaneous bids, the duty to trump and other scorings"


def _is_deterministic(entrant: Entrant) -> str:
    """Play the same sets with the agent made twice: the results must be the same."""
    again = resolve(entrant.name)
    for players in (3, 4, 7):
        other = resolve("random")
        games = [_game(players, (one,) + (other,) * (players - 1)) for one in (entrant, again)]
        if _differ(play_sets(games[0], 2, 0, 2), play_sets(games[1], 2, 0, 2)):
            raise FailureError(f"the same {players}-player matches ended differently when played again")
    return "the same matches played twice"


def _drivers_agree(entrant: Entrant) -> str:
    """Play the same sets compiled and batched, together and one by one."""
    drivers: tuple[Driver, ...] = ("auto", "batched")
    for players in (3, 5):
        game = _game(players, (entrant,) + (resolve("random"),) * (players - 1))
        together = play_sets(game, 3, 0, 3, driver=drivers[0])
        if _differ(together, play_sets(game, 3, 0, 3, driver=drivers[1])):
            raise FailureError(f"the two drivers gave different results at {players} players")
        singly = [play_sets(game, 3, number, 1, driver="batched") for number in range(3)]
        if _differ(together, singly[0] + singly[1] + singly[2]):
            raise FailureError("its answers depend on which other decisions are asked in the same batch")
    return "compiled and batched, together and one by one"


def _differ(tally: Any, other: Any) -> bool:
    return any((mine != theirs).any() for mine, theirs in zip(tally.arrays(), other.arrays(), strict=True))


def _leaves_views_alone(entrant: Entrant) -> str:
    """Ask compiled functions about copies of real views and compare them byte by byte afterwards."""
    asked = 0
    for decide, params, views in compiled_halves(entrant, sample_views()):
        for view in within_seconds(views):
            before = view.tobytes()
            first = decide(view, params)
            if view.tobytes() != before:
                raise FailureError("it writes to the view it is shown, which other seats are shown as well")
            if decide(view, params) != first:
                raise FailureError(
                    f"asked twice about the same view it answered {first} and then something else"
                )
            asked += 1
    return f"{asked} views unchanged" if asked else "it is only handed copies"


def _reads_within_bounds(entrant: Entrant) -> str:
    """Compile the agent anew with bounds checking (unoptimised, to be quick), in a process and cache of its own."""
    if not any(isinstance(agent, CompiledAgent) for agent in (entrant.bidder, entrant.player)):
        return "Python checks that itself"
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "0", "NUMBA_CACHE_DIR": cache}
        views = Path(cache) / "views.npy"
        np.save(views, sample_views())
        command = [sys.executable, "-m", "ohpshaw_sim.engine.bounds", entrant.name, str(views)]
        done = subprocess.run(
            command, env=environment, cwd=Path.cwd(), capture_output=True, text=True, check=False
        )
    last = (done.stdout.strip().splitlines() or [""])[-1]
    if done.returncode:
        raise FailureError(last or f"the checking process died with exit code {done.returncode}")
    return last


def _speed(entrant: Entrant) -> str:
    """Time bids and plays: the mean over an even choice of views."""
    return f"{_mean_time(entrant.bidder, BID)} a bid, {_mean_time(entrant.player, PLAY)} a play"


def _mean_time(agent: Agent, kind: int) -> str:
    """Return the mean time of a decision, asked once to warm up and then for about a second, as text."""
    views = of_kind(sample_views(), kind)
    chosen = views[:: max(1, len(views) // VIEWS_TO_ASK)]
    ask = _asker(agent, chosen, kind)
    ask()
    began, rounds = time.perf_counter(), 0
    while rounds == 0 or time.perf_counter() - began < SECONDS_TO_TIME:
        ask()
        rounds += 1
    each = (time.perf_counter() - began) / (rounds * len(chosen))
    return (
        f"{each * 1e9:.0f} ns"
        if each < 1e-6
        else f"{each * 1e6:.1f} µs"
        if each < 1e-3
        else f"{each * 1e3:.2f} ms"
    )


def _asker(agent: Agent, views: Any, kind: int) -> Callable[[], object]:
    """Return what asks an agent about all these views: in one compiled loop, or as one batch."""
    if isinstance(agent, CompiledAgent):
        calls = calls_of(agent)
        address = np.uint64(calls.bid if kind == BID else calls.play)
        return lambda: ask_all(views, address, np.uint64(calls.params), calls.params_count)
    batch = Batch(views, np.arange(len(views)))
    return lambda: agent.bids(batch) if kind == BID else agent.plays(batch)


_CHECKS: Final[tuple[tuple[str, Callable[[Entrant], str]], ...]] = (
    ("answers with integers", _compiles),
    ("answers legally", _answers_legally),
    ("variations", _plays_variations),
    ("deterministic", _is_deterministic),
    ("drivers agree", _drivers_agree),
    ("leaves views alone", _leaves_views_alone),
    ("reads within bounds", _reads_within_bounds),
    ("speed", _speed),
)


def main(spec: str) -> int:
    """Print each finding on an agent as a JSON line as soon as it is known; return 0 if the agent conforms, else 1."""
    passed = True
    for finding in findings(spec):
        print(json.dumps(asdict(finding)), flush=True)
        passed = passed and finding.passed
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
