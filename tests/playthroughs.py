"""Golden playthroughs: whole small matches of random answers, kept as text in `tests/playthroughs/`.

    python tests/playthroughs.py            name the first line of each file that is no longer true
    python tests/playthroughs.py --write    renew the files, after a change that is meant; then read the difference

Nothing is written that the referee does not judge to be right.
"""

import argparse
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import translate
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.stepping import Bid, MatchOver, Play, TrumpNamed, step_match
from ohpshaw_sim.interface.discovery import Entrant
from ohpshaw_sim.rule_text import read_rules
from ohpshaw_sim.rules import Rules
from playthrough_referee import RefusedError, judged, options_of
from playthrough_text import Asked, Ranked, Step, lines_of, rounds_told

FOLDER = Path(__file__).parent / "playthroughs"
HEADER = """\
# A golden playthrough, checked by tests/test_playthroughs.py: every answer is drawn from the legal ones by the random
# word of its decision. To renew the files after a change that is meant: python tests/playthroughs.py --write
# A decision is: the answer | the legal answers | the hand | what else the view shows. Values in a row are by seat,
# - is none. TH is the ten of hearts, WH a Wizard, FH a Jester; voids are those that the play has shown.
"""


class Playthrough(NamedTuple):
    """A match to be told."""

    name: str
    rules: str
    players: int
    seed: int

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.txt"

    def game(self, entrant: Entrant) -> Game:
        rules = read_rules(self.rules)
        seats = range(self.players)
        return Game(
            rules, self.players, rules.schedule_for(self.players), (entrant,) * self.players, tuple(seats)
        )


PLAYTHROUGHS = [
    Playthrough("oh-pshaw", "oh-pshaw:max_hand=4", 4, 174),
    Playthrough("oh-hell", "oh-hell:max_hand=3", 5, 23),
    Playthrough("river", "river:max_hand=3", 3, 27),
    Playthrough("contract-whist", "contract-whist", 3, 0),
    Playthrough("wizard", "wizard:max_hand=4", 4, 220),
    Playthrough("podrida", "podrida:max_hand=4", 4, 0),
    Playthrough("blackout", "blackout:max_hand=3", 4, 4),
    Playthrough(
        "many-options",
        "wizard:max_hand=3,schedule=up-down,must_trump=true,bidding=simultaneous,scoring=soft,"
        "zero_bid=hand-size,round_winner_bonus=true,no_trump_final=true,tie_break_hand=2",
        4,
        208,
    ),
    Playthrough(
        "small-pack",
        "oh-pshaw:pack=3x4,schedule=down-up,hook=true,hook_from=2,scoring=penalty,must_trump=true",
        4,
        24,
    ),
]
"""One for each preset, one that mixes what can be mixed, and one that deals a whole small pack."""


class Drawing:
    """An agent that draws its answers, and keeps the view that it was shown last."""

    def __init__(self) -> None:
        self.view: Any = None

    def bids(self, batch: Any) -> Any:
        (self.view,) = batch.records()
        legal = translate.places(self.view["legal"])
        return np.array([legal[int(self.view["rnd"]) * len(legal) >> 64]])

    plays = name_trumps = bids


def told(play: Playthrough) -> list[str]:
    """The lines of a playthrough as the engine plays it now."""
    agent = Drawing()
    game = play.game(Entrant("drawing", agent, agent))
    steps: list[Step] = []
    for step in step_match(game, play.seed):
        match step:
            case Bid(seat, answer) | Play(seat, answer) | TrumpNamed(seat, answer):
                steps.append(_asked(agent.view, seat, answer))
            case MatchOver(match):
                steps.append(Ranked(tuple(match.totals), tuple(match.ranks)))
            case _:
                steps.append(step)
    return [*_head(play), *lines_of(steps)]


def _head(play: Playthrough) -> list[str]:
    return [*HEADER.splitlines(), f"rules {play.rules}", f"players {play.players}, seed {play.seed}"]


def _asked(view: Any, seat: int, answer: int) -> Asked:
    players = int(view["players"])
    assert int(view["seat"]) == seat
    fields: dict[str, Any] = {
        name: tuple(view[name][:players].tolist()) if view[name].shape else int(view[name])
        for name in Asked._fields
        if name != "answer"
    }
    return Asked(answer=answer, **fields)


def judged_lines(play: Playthrough, lines: list[str]) -> list[str]:
    """The lines of a playthrough by the referee, from the cards and answers in them; RefusedError if it must."""
    rules: Rules = read_rules(play.rules)
    rounds = rounds_told(lines)
    dealer = first_dealer(lines)
    return [*_head(play), *lines_of(judged(options_of(rules), dealer, rounds))]


def first_dealer(lines: list[str]) -> int:
    first = next(line for line in lines if line.startswith("round 1:"))
    return int(first.partition("dealer ")[2].partition(",")[0])


def first_difference(path: Path, expected: list[str], found: list[str]) -> str | None:
    """Name the first line of a file that differs from what was found, with both; None if all are the same."""
    for number in range(max(len(expected), len(found))):
        lines = [repr(of[number]) if number < len(of) else "the end" for of in (expected, found)]
        if lines[0] != lines[1]:
            place = path.relative_to(FOLDER.parents[1])
            return f"{place}:{number + 1}\n  expected {lines[0]}\n  found    {lines[1]}"
    return None


def kept(play: Playthrough) -> list[str]:
    """The lines of a playthrough's file."""
    return play.path.read_text("utf-8").splitlines()


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Compare the golden playthroughs with the engine.")
    parser.add_argument("--write", action="store_true", help="renew the files")
    write, differences = parser.parse_args(arguments).write, []
    for play in PLAYTHROUGHS:
        lines = told(play)
        try:
            fault = first_difference(play.path, judged_lines(play, lines), lines)
        except RefusedError as error:
            fault = str(error)
        if fault:
            print(f"{play.name}: the referee does not agree: {fault}")
            return 2
        if write:
            play.path.write_text("\n".join(lines) + "\n", "utf-8", newline="\n")
        differences.append(first_difference(play.path, kept(play), lines))
    print(
        "\n".join(each for each in differences if each) or f"{len(differences)} playthroughs are up to date"
    )
    return int(any(differences))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
