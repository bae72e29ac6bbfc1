"""A run that is killed again and again, and resumed: played in forked children of this script.

    python mortal_run.py FOLDER KILLS SEED PLAIN|KEPT

Children are killed with SIGKILL: half of them at a random moment, the others at a chosen point of writing a file
(before it, between temporary file and rename, after the rename), as the N-th file is written. The last child is left
alone. Prints one line per child: what killed it, and the sets that were there afterwards.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.rules import Rules
from ohpshaw_sim.tournament import parts, store
from ohpshaw_sim.tournament.options import Options
from ohpshaw_sim.tournament.pace import Pace
from ohpshaw_sim.tournament.parts import find_sound_parts
from ohpshaw_sim.tournament.run import play_tournament
from ohpshaw_sim.tournament.spec import Spec, make_spec

POINTS = ("before", "between", "after")
SPEC = {
    "agents": ("random", "greedy", "random"),
    "hand_sizes": "1-3",
    "players": "3,4",
    "block_sets": 2,
    "seed": 9,
}
SETS = 900
LONGEST_LIFE = 0.15
"""Seconds a child that is killed at a random moment lives at most."""


def spec_of(sets: int = SETS) -> Spec:
    return make_spec(**SPEC, sets=sets)


def play(folder: Path, kept: bool) -> None:
    """Play on, in many small parts that are merged often."""
    more: dict[str, Any] = {"save_rounds": True, "records": "every:40"} if kept else {}
    Pace.next_size = lambda *_: 5  # type: ignore[method-assign]
    store.MANY = 24  # type: ignore[attr-defined]  # as the store imported it
    play_tournament(spec_of(), Options(out=folder, jobs=2, **more), resume=True)


def die_at(point: str, file: int) -> None:
    """Kill this process at a point of writing the given file, counted from 0."""
    seen = iter(range(10**9))

    def mortal(path: Path, write: Any, whole: Any = parts.write_atomically) -> None:
        if next(seen) != file:
            whole(path, write)
        elif point == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        elif point == "between":
            Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[method-assign,assignment]
            whole(path, write)
        else:
            whole(path, write)
            os.kill(os.getpid(), signal.SIGKILL)

    for module in list(sys.modules.values()):
        if getattr(module, "write_atomically", None) is parts.write_atomically and module is not parts:
            module.write_atomically = mortal  # type: ignore[attr-defined]
    parts.write_atomically = mortal


def warm_up() -> None:
    """Load the engine, so that children begin to play at once; no thread may run before they are forked."""
    agents = tuple(resolve(name) for name in ("random", "greedy", "random"))
    game = Game(Rules(hand_sizes=(1,)), 3, (1,), agents, (0, 1, 2))
    play_sets(game, 0, 0, 1, keep=1, log=True)


def main() -> None:
    folder, kills, seed, kept = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "KEPT"
    chance = random.Random(seed)
    warm_up()
    for number in range(kills + 1):
        point = "" if number == kills else chance.choice(POINTS) if number % 2 else "moment"
        file = chance.randrange(12)
        child = os.fork()
        if child == 0:
            if point in POINTS:
                die_at(point, file)
            play(folder, kept)
            os._exit(0)
        if point == "moment":
            time.sleep(chance.uniform(0, LONGEST_LIFE))
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        found, torn = find_sound_parts(folder / "parts") if folder.exists() else ([], [])
        ended = "killed" if os.WIFSIGNALED(status) else f"ended {os.WEXITSTATUS(status)}"
        print(point or "alone", file, ended, sum(part.sets for part in found), len(torn), flush=True)


if __name__ == "__main__":
    main()
