"""The luck of the deal: what the engine counts, and its expectation against every deal there is."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest

from ohpshaw_sim.cards import NO_SUIT
from ohpshaw_sim.engine import luck
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.engine.tally_schema import MATCH_SUMS
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.rules import Rules
from readers import READERS, SEED, game_of

RANDOM = [resolve("random")] * 7


def split(hands: list[Any], lane: int) -> tuple[int, int]:
    """Trumps dealt, and pairs of them in one hand."""
    held = [(int(hand) & lane).bit_count() for hand in hands]
    return sum(held), sum(comb(one, 2) for one in held)


def ways_to_deal(cards: list[int], players: int, size: int) -> Iterator[list[int]]:
    """Every deal of so many hands, as masks."""
    if players == 0:
        yield []
        return
    for hand in combinations(cards, size):
        left = [card for card in cards if card not in hand]
        for others in ways_to_deal(left, players - 1, size):
            yield [sum(1 << card for card in hand), *others]


@pytest.mark.parametrize(
    ("players", "size", "cards", "trumps"), [(3, 1, 7, 3), (3, 2, 7, 2), (4, 1, 6, 4), (3, 2, 6, 3)]
)
def test_ways_to_split_the_trumps_are_those_of_every_deal(
    players: int, size: int, cards: int, trumps: int
) -> None:
    lane = (1 << trumps) - 1
    deals = [split(hands, lane) for hands in ways_to_deal([*range(cards)], players, size)]
    ways = luck.split_ways(players, size, cards, trumps)
    for one, count in Counter(deals).items():
        assert Fraction(count, len(deals)) == Fraction(ways[one], comb(cards, trumps))
    assert sum(ways.values()) == comb(cards, trumps)


def test_ways_to_split_add_up_for_every_game_there_is() -> None:
    for players in range(3, 8):
        for size in range(1, 51 // players + 1):
            assert sum(luck.split_ways(players, size, 51, 12).values()) == comb(51, 12)


SMALL: list[tuple[dict[str, Any], int]] = [
    ({"pack": "2x3", "hand_sizes": (1,)}, 3),
    ({"pack": "2x4", "hand_sizes": (2,)}, 3),
    ({"pack": "3x2", "hand_sizes": (2,)}, 3),  # all cards are dealt: no trump
    ({"pack": "2x3", "hand_sizes": (1, 1, 1), "trump": "rotate"}, 4),
    ({"pack": "3x3", "hand_sizes": (1, 1), "no_trump_final": True}, 4),
]


@pytest.mark.parametrize(("options", "players"), SMALL, ids=str)
def test_expected_luck_is_the_mean_over_every_deal(
    options: dict[str, Any], players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a pack small enough to deal it in every way, with values drawn at random."""
    values = np.random.default_rng(players).integers(-99, 99, luck.deal_values().shape)
    monkeypatch.setattr(luck, "deal_values", lambda: values)
    rules = Rules(**options)
    schedule = rules.schedule_for(players)
    pack = [card for card in range(64) if rules.pack_mask >> card & 1]
    expected = Fraction(0)
    for number, size in enumerate(schedule):
        deals = list(ways_to_deal(pack, players, size))
        worth = []
        for hands in deals:
            left = [card for card in pack if not sum(hands) >> card & 1]
            fixed = rules.fixed_trump(number, len(schedule))
            trumps = [fixed] if fixed is not None else [card >> 4 for card in left] or [NO_SUIT]
            found = [
                0 if trump == NO_SUIT else values[(players, size, *split(hands, 0xFFFF << 16 * trump))]
                for trump in trumps
            ]
            worth.append(Fraction(int(sum(found)), len(found)))
        expected += sum(worth, Fraction(0)) / len(deals)
    assert luck.expected_luck(rules, schedule, players) == expected


def test_shipped_values_have_the_full_packs_mean_near_zero() -> None:
    for players in range(3, 8):
        for size in range(1, 51 // players + 1):
            mean = luck.expected_value(luck.deal_values()[players, size], players, size, 51, 12)
            assert abs(mean) < 1
            assert luck.deal_values()[players, size].any()


@pytest.mark.parametrize(
    "options", [{}, {"trump": "rotate"}, {"no_trump_final": True}, {"pack": "4x8"}, {"wizard": True}], ids=str
)
def test_the_engine_counts_the_luck_of_the_hands_it_dealt(options: dict[str, Any]) -> None:
    players, schedule, sets = 4, (1, 5, 3), 20
    game = game_of([READERS["trusted"]] * players, schedule, rules=Rules(**options), owners=(0, 1, 1, 2))
    tally = play_sets(game, SEED, 0, sets, keep=1)
    total = [0, 0, 0]
    for row in tally.kept[(tally.kept["rotation"] == 0) & (tally.kept["round_number"] < len(schedule))]:
        if row["trump"] != NO_SUIT and not options.get("wizard"):
            one = split(list(row["hands"][:players]), 0xFFFF << 16 * int(row["trump"]))
            value = int(luck.deal_values()[(players, int(row["hand_size"]), *one)])
            total = [sum_ + value * held for sum_, held in zip(total, (1, 2, 1), strict=True)]
    assert tally.matches[:, :, MATCH_SUMS.index("luck")].sum(axis=0).tolist() == total
    assert any(total) != bool(options.get("wizard"))


@pytest.mark.parametrize(
    ("options", "players"), [({}, 3), ({"trump": "rotate"}, 4), ({"pack": "2x9"}, 5)], ids=str
)
def test_luck_has_the_expectation_that_is_taken_off(options: dict[str, Any], players: int) -> None:
    schedule = (1, 2, 3)
    game = game_of(RANDOM[:players], schedule, rules=Rules(**options), owners=(0,) * players)
    sums = play_sets(game, 11, 0, 4000).matches[:, 0].sum(axis=0)
    total, squares = (int(sums[MATCH_SUMS.index(name)]) for name in ("luck", "luck_sq"))
    mean, variance = total / 4000, (squares / 4000 - (total / 4000) ** 2) / 4000
    expected = float(luck.expected_luck(Rules(**options), schedule, players)) * players
    assert abs(mean - expected) < 4 * variance**0.5
    assert variance > 0


def test_luck_depends_on_the_cards_and_not_on_who_plays() -> None:
    at = MATCH_SUMS.index("luck")
    found = [
        play_sets(game_of([READERS[kind]] * 3, (2, 4)), SEED, 3, 6).matches[:, :, at].tolist()
        for kind in ("trusted", "vectorised")
    ]
    assert (
        found[0] == found[1] == play_sets(game_of(RANDOM[:3], (2, 4)), SEED, 3, 6).matches[:, :, at].tolist()
    )


def test_threads_that_come_first_together_read_the_same_values() -> None:
    for _ in range(20):
        luck._words.cache_clear()
        with ThreadPoolExecutor(8) as threads:
            found = {*threads.map(luck.address_of_values, [4] * 8)}
        assert found == {int(luck._words()[4].ctypes.data)}
