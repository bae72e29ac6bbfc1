"""Both drivers, any mixture of agents, any cut and any number of threads: the same game."""

import itertools
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import pytest

from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.engine.tally import Tally
from ohpshaw_sim.engine.workspace import Workspace
from ohpshaw_sim.errors import ConflictError
from ohpshaw_sim.interface.discovery import Entrant, resolve
from ohpshaw_sim.interface.view import VIEW, blank_views
from ohpshaw_sim.rule_text import read_rules
from ohpshaw_sim.rules import Rules
from readers import PLAYERS, READERS, SEED, assert_same, game_of, play
from scripted import (
    Watcher,
    digest,
    entrant,
)


class Expected(NamedTuple):
    """What tables of readers play, through the compiled driver."""

    players: int
    rules: Rules
    tally: Tally


VARIATIONS = [
    (3, "wizard:bidding=simultaneous,round_winner_bonus=true,trump=turn-up"),
    (4, "wizard:must_trump=true,hook=true,no_trump_final=true"),
    (5, "podrida:scoring=soft,trump=rotate,zero_bid=hand-size"),
]


@pytest.fixture(
    scope="module", params=[*((players, "oh-pshaw") for players in PLAYERS), *VARIATIONS], ids=str
)
def expected(request: pytest.FixtureRequest) -> Expected:
    players, rules = request.param[0], read_rules(request.param[1])
    tally = play([READERS["trusted"]] * players, driver="compiled", rules=rules)
    return Expected(players, rules, tally)


@pytest.mark.parametrize("kind", READERS)
def test_every_kind_of_agent_plays_the_same_game(expected: Expected, kind: str) -> None:
    assert_same(play([READERS[kind]] * expected.players, rules=expected.rules), expected.tally)


def test_any_mixture_of_kinds_plays_the_same_game(expected: Expected) -> None:
    draw = random.Random(expected.players)
    for _ in range(3):
        assert_same(
            play(draw.choices([*READERS.values()], k=expected.players), rules=expected.rules), expected.tally
        )


def test_the_batched_driver_plays_compiled_agents_the_same(expected: Expected) -> None:
    for kind in ("compiled", "trusted", "scribbler"):
        assert_same(
            play([READERS[kind]] * expected.players, driver="batched", rules=expected.rules), expected.tally
        )


@pytest.mark.parametrize("kind", ["trusted", "vectorised"])
def test_sets_may_be_cut_in_any_way(expected: Expected, kind: str) -> None:
    lineup = [READERS[kind]] * expected.players
    for cut in ([1, 1, 1, 1], [3, 1], [2, 2]) if kind == "trusted" else ([3, 1],):
        starts = [3 + sum(cut[:index]) for index in range(len(cut))]
        parts = [
            play(lineup, start, sets, rules=expected.rules) for start, sets in zip(starts, cut, strict=True)
        ]
        assert_same(sum(parts[1:], start=parts[0]), expected.tally)


def test_a_batch_may_be_cut_in_any_way(expected: Expected, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ohpshaw_sim.engine.play.BATCH_ROWS", expected.players + 1)  # one set at a time
    assert_same(play([READERS["vectorised"]] * expected.players, rules=expected.rules), expected.tally)


def test_threads_change_nothing() -> None:
    """Eight threads at once, each with a game of its own or of all, in both drivers."""
    lineups = [[READERS["trusted"]] * 4, [READERS["compiled"]] * 4, [READERS["vectorised"]] * 4]
    tasks = [(lineup, start) for start in range(0, 24, 4) for lineup in lineups]
    with ThreadPoolExecutor(8) as threads:
        found = [*threads.map(lambda task: play(task[0], task[1]), tasks)]
    for start, group in itertools.groupby(zip(tasks, found, strict=True), key=lambda pair: pair[0][1]):
        alone = play(lineups[0], start)
        for _, tally in group:
            assert_same(tally, alone)


def test_built_in_agents_play_the_same_through_both_drivers() -> None:
    names = ["random", "greedy", "count-winners", "random+greedy", "count-winners+random"]
    lineup = [resolve(name) for name in names]
    watched = [entrant(Watcher(READERS["vectorised"].bidder, lambda *_: None)), *lineup[1:]]
    assert_same(play(lineup, driver="compiled"), play(lineup, driver="batched"))
    assert (play(watched).rows != play(lineup).rows).any()


def test_untrusted_agents_are_shown_the_same() -> None:
    lineup = [resolve(name) for name in ("random", "greedy", "count-winners")]
    guarded = [Entrant(each.name, each.bidder, each.player, trusted=False) for each in lineup]
    assert_same(play(guarded), play(lineup))


def test_the_compiled_driver_refuses_what_it_cannot_play() -> None:
    with pytest.raises(ConflictError, match="the compiled driver needs compiled agents in every seat"):
        play([READERS["trusted"], READERS["trusted"], READERS["vectorised"]], driver="compiled")


def test_the_workspace_tells_that_play_goes_on_and_who_was_asked() -> None:
    workspace = Workspace.allocate()
    lineup = [READERS["trusted"], READERS["compiled"], READERS["trusted"]]
    play_sets(game_of(lineup), SEED, 0, 1, workspace=workspace)
    asked, place = workspace.progress()
    rounds, decisions = 3 * 3, 3 * (3 + 6)
    assert asked >= rounds + decisions
    assert place == 1
    play_sets(game_of([READERS["vectorised"]] * 3), SEED, 0, 1, workspace=workspace)
    assert workspace.progress()[0] > asked


# The scripted opponents themselves


def test_readers_read_every_field() -> None:
    """One change anywhere in a view changes the digest: else the tests above could miss what they look for."""
    view = blank_views(1)[0]
    before = digest(view)
    for name, offset in every_cell():
        changed = blank_views(1)
        flat = changed.view(np.uint8).reshape(-1)
        flat[offset] ^= 1
        assert digest(changed[0]) != before, name


def every_cell() -> Iterator[tuple[str, int]]:
    """The first byte of every number in a view."""
    fields: Any = VIEW.fields
    for name, (dtype, offset, *_) in fields.items():
        size = dtype.base.itemsize
        for cell in range(dtype.itemsize // size):
            yield f"{name}, cell {cell}", offset + cell * size
