"""Cards hang on the seed, the set and the round; luck on who plays as well; both are all that chance there is."""

import itertools
from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pytest

from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.engine.tally_schema import ROW_COLUMNS
from ohpshaw_sim.interface.discovery import resolve
from readers import PLAYERS, READERS, SEED, Seen, game_of, play, watch
from scripted import (
    LowVector,
    Watcher,
    entrant,
)


def hands_of(seen: list[Seen]) -> dict[tuple[int, int, int, int], int]:
    """Hands at the bids, by set, rotation, round and seat."""
    return {each[:4]: int(each.view["hand"]) for each in seen if each.decision == 0}


@pytest.mark.parametrize("players", PLAYERS)
def test_cards_do_not_depend_on_who_plays_or_in_which_rotation(players: int) -> None:
    readers = watch([READERS["vectorised"]] * players, 2, 3, schedule=(2, 4))
    others = [READERS["vectorised"], *([resolve("greedy")] * (players - 1))]
    dealt = hands_of(readers)
    for key, hand in hands_of(watch(others, 2, 3, schedule=(2, 4))).items():
        assert dealt.get(key, hand) == hand  # tie-break rounds need not be played in both
        assert key in dealt or key[2] >= 2
    by_deal = defaultdict(set)
    for (number, _, round_number, seat), hand in dealt.items():
        by_deal[number, round_number, seat].add(hand)
    assert {len(hands) for hands in by_deal.values()} == {1}
    scheduled = [hand for (_, round_number, _), hand in by_deal.items() if round_number < 2]
    assert len({*map(frozenset, scheduled)}) == 3 * 2 * players
    assert len(by_deal) >= len(scheduled)
    turn_ups = defaultdict(set)
    for each in readers:
        turn_ups[each.set_number, each.round_number].add(int(each.view["turn_up"]))
    assert {len(cards) for cards in turn_ups.values()} == {1}


@pytest.mark.parametrize("players", PLAYERS)
def test_over_the_rotations_each_place_holds_each_hand_once(players: int) -> None:
    """By place: the hands that it holds over a set's rotations are those of all seats."""
    lineup = [READERS["vectorised"]] * players
    held = hands_of(watch(lineup, 2, 3, schedule=(3, 1)))
    rows = play(lineup, 2, 3, schedule=(3, 1)).rows
    seats = defaultdict(list)
    for row in rows:
        number, rotation, round_number, seat, place = (
            int(row[ROW_COLUMNS.index(name)]) for name in ("set", "rotation", "round", "seat", "place")
        )
        seats[number, round_number, place].append((seat, held[number, rotation, round_number, seat]))
    for cells in seats.values():
        assert sorted(seat for seat, _ in cells) == [*range(players)]
        assert len({hand for _, hand in cells}) == players
    assert len(seats) == 3 * 2 * players


def test_seatings_differ_between_sets() -> None:
    """Neighbours matter: over many sets every cyclic order of four places comes up about as often."""
    tally = play([READERS["trusted"]] * 4, 0, 1200, schedule=(1,))
    first = tally.rows[tally.rows[:, ROW_COLUMNS.index("rotation")] == 0]
    orders: Counter[tuple[int, ...]] = Counter()
    for places in first[:, ROW_COLUMNS.index("place")].reshape(-1, 4).tolist():
        start = places.index(0)
        orders[(*places[start:], *places[:start])] += 1
    assert len(orders) == 6
    assert min(orders.values()) > 140
    starts = Counter(first[:, ROW_COLUMNS.index("place")].reshape(-1, 4)[:, 0].tolist())
    assert min(starts.values()) > 240


def test_words_differ_between_sets_rotations_seats_rounds_decisions_and_arms_but_not_cards() -> None:
    lineup = [READERS["vectorised"]] * 4
    base, arm = (watch(lineup, 2, 4, schedule=(3, 2), arm=number) for number in (0, 1))
    words = [{each[:5]: int(each.view["rnd"]) for each in seen} for seen in (base, arm)]
    drawn = [*words[0].values(), *words[1].values()]
    assert len(drawn) == len(base) + len(arm)
    assert len(set(drawn)) == len(drawn)
    hands = [hands_of(seen) for seen in (base, arm)]
    shared = hands[0].keys() & hands[1].keys()
    assert len(shared) >= 4 * 4 * 2 * 4
    assert all(hands[0][key] == hands[1][key] for key in shared)
    again = {each[:5]: int(each.view["rnd"]) for each in watch(lineup, 2, 4, schedule=(3, 2))}
    assert again == words[0]


def test_views_show_the_earlier_rounds_as_they_were_scored() -> None:
    """Bids, tricks, hand sizes and totals of earlier rounds, by seat; -1 where nothing has been played yet."""
    schedule = (3, 1, 2)
    seen = watch([READERS["vectorised"]] * 4, 2, 3, schedule=schedule)
    columns = [
        ROW_COLUMNS.index(name) for name in ("set", "rotation", "round", "seat", "bid", "tricks", "points")
    ]
    rows = play([READERS["trusted"]] * 4, 2, 3, schedule=schedule).rows[:, columns].tolist()
    scored = {tuple(row[:4]): row[4:] for row in rows}
    for each in seen:
        earlier = min(each.round_number, len(schedule))
        for seat in range(4):
            past = [scored[each.set_number, each.rotation, number, seat] for number in range(earlier)]
            assert each.view["past_bids"][:earlier, seat].tolist() == [bid for bid, _, _ in past]
            assert each.view["past_tricks"][:earlier, seat].tolist() == [tricks for _, tricks, _ in past]
            assert each.view["scores"][seat] == sum(points for _, _, points in past)
        assert (each.view["past_bids"][each.round_number :] == -1).all()
        assert (each.view["past_tricks"][each.round_number :] == -1).all()
        assert (each.view["past_bids"][:, 4:] == -1).all()
    assert {each.round_number for each in seen} >= {0, 1, 2}


def test_words_are_uniform_bit_by_bit() -> None:
    drawn: list[Any] = []
    watcher = Watcher(LowVector(0, lambda answers, _: answers), lambda views, *_: drawn.append(views["rnd"]))
    play_sets(game_of([entrant(watcher)] * 7, (5, 7)), SEED, 0, 12)
    words = np.concatenate(drawn)
    ones = np.array([(words >> np.uint64(place) & np.uint64(1)).sum() for place in range(64)])
    assert len(words) > 7_000
    assert np.abs(ones / len(words) - 0.5).max() < 4.5 * 0.5 / len(words) ** 0.5


@pytest.mark.parametrize("kind", ["compiled", "vectorised"])
def test_views_of_two_seeds_differ(kind: str) -> None:
    games = [play_sets(game_of([READERS[kind]] * 3), seed, 0, 4, log=True).rows for seed in (0, 1, 2**64)]
    assert all((one != other).any() for one, other in itertools.combinations(games, 2))
