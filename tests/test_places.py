"""Places, the choices behind them, and what matches add up to, against every order and against the score sheet."""

import random
from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pytest

from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.engine.single import Match, rounds_of
from ohpshaw_sim.engine.tally_schema import MATCH_SUMS, SLICES, WIN_UNIT
from ohpshaw_sim.kernels.places import CHOICE_UNIT, add_choices, rank_tied
from place_orders import choices, ranks_of, twice_mean_places
from readers import READERS, SEED, game_of, matches_of


def chosen(ranks: list[int], places: list[int]) -> dict[tuple[int, int], int]:
    """What the kernel adds for one match; `ranks` and `places` by seat."""
    players = len(ranks)
    found = np.zeros((1 << players, players), np.int64)
    add_choices(np.array(ranks), np.array(places, np.int8), players, found)
    return {(int(mask), int(place)): int(found[mask, place]) for mask, place in np.argwhere(found)}


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_choices_are_those_of_every_order_that_ties_leave(players: int) -> None:
    draw = random.Random(players)
    kinds = {tuple(ranks_of(draw.choices(range(1, 4), k=players))) for _ in range(12)}
    for ranks in sorted({*kinds, (1,) * players, tuple(range(1, players + 1))}):
        places = draw.sample(range(players), players)
        by_place = [ranks[places.index(place)] for place in range(players)]
        assert chosen(list(ranks), places) == choices(by_place)


def test_a_tie_is_ranked_among_those_who_share_it() -> None:
    ranks = np.array([1, 1, 4, 1])
    assert rank_tied(np.array([5, 9, 99, 9]), 0b1011, ranks, 4) == 0b1010
    assert ranks.tolist() == [3, 1, 4, 1]


def test_the_unit_of_a_match_is_that_of_wins() -> None:
    assert CHOICE_UNIT == WIN_UNIT


CASES: list[dict[str, Any]] = [
    {"schedule": (1, 1), "owners": (0, 1, 0), "sets": 40},
    {"schedule": (1, 2), "owners": (0, 1, 2, 3), "sets": 40},
    {"schedule": (1,), "owners": (0, 0, 1, 1, 2), "sets": 12, "stop_after": 1},
    {"schedule": (1, 1), "owners": (0, 1, 2, 3, 4, 5, 6), "sets": 8},
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{len(case['owners'])} players")
def test_matches_add_up_to_what_their_score_sheets_say(case: dict[str, Any]) -> None:
    """Ranks are those of `Match.ranks` (B15), tie-break rounds included; sums and slots are worked out plainly."""
    owners, sets, first = case["owners"], case["sets"], 5
    players, stop = len(owners), case.get("stop_after")
    game = game_of([READERS["trusted"]] * players, case["schedule"], owners=owners, stop_after=stop)
    tally = play_sets(game, SEED, first, sets)
    sums: dict[tuple[int, int], Any] = defaultdict(lambda: np.zeros(len(MATCH_SUMS), np.int64))
    found: Counter[tuple[int, int, int]] = Counter()
    ties = 0
    for number in range(first, first + sets):
        points, places = np.zeros((2, max(owners) + 1), np.int64)
        luck = 0
        for match in matches_of(game, number, 1):
            sheet = Match(("",) * players, rounds_of(match, game, ("",) * players))
            ranks = sheet.ranks
            ties += len(set(ranks)) < players
            luck += int(match.luck)
            at = [int(place) for place in match.places[:players]]
            by_place = [ranks[at.index(place)] for place in range(players)]
            found.update({(number % SLICES, *key): value for key, value in choices(by_place).items()})
            for seat, (total, twice) in enumerate(zip(sheet.totals, twice_mean_places(ranks), strict=True)):
                points[owners[at[seat]]] += total
                places[owners[at[seat]]] += twice
        for owner in range(max(owners) + 1):
            y, place, mine = int(points[owner]), int(places[owner]), luck * owners.count(owner)
            sums[number % SLICES, owner] += [y, y * y, place, place * place, mine, mine * mine, y * mine]
    assert ties
    for (slot, owner), expected in sums.items():
        assert tally.matches[slot, owner].tolist() == expected.tolist()
    assert int(tally.matches.sum()) == sum(int(one.sum()) for one in sums.values())
    assert {
        tuple(map(int, key)): int(tally.choices[tuple(key)]) for key in np.argwhere(tally.choices)
    } == found
