"""Who plays what against whom, in which order, and how the work is cut."""

from collections import Counter, defaultdict
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ohpshaw_sim.engine.tally import Tally
from ohpshaw_sim.engine.tally_schema import SLICES
from ohpshaw_sim.errors import IllegalError
from ohpshaw_sim.tournament.drawing import MOST_LINEUPS, lineups
from ohpshaw_sim.tournament.lineup_sums import LineupSums
from ohpshaw_sim.tournament.schedule import LineUp, cut, entrant_names, gaps, make_plan
from ohpshaw_sim.tournament.spec import make_spec


def test_equal_names_become_distinct_entrants() -> None:
    assert entrant_names(["a", "b", "a", "a"]) == ("a", "b", "a#2", "a#3")


def test_as_many_agents_as_seats_make_one_lineup() -> None:
    assert lineups(4, 4, seed=1) == [(0, 1, 2, 3)]


def test_fewer_agents_are_repeated_in_all_balanced_ways() -> None:
    assert lineups(3, 4, seed=1) == [(0, 1, 2, 0), (0, 1, 2, 1), (0, 1, 2, 2)]
    assert lineups(2, 4, seed=1) == [(0, 1, 0, 1)]
    assert lineups(1, 3, seed=1) == [(0, 0, 0)]


@pytest.mark.parametrize(("agents", "players"), [(5, 4), (6, 3), (10, 3), (9, 6)])
def test_more_agents_play_every_combination_in_even_order(agents: int, players: int) -> None:
    tables = lineups(agents, players, seed=1)
    assert set(tables) == set(combinations(range(agents), players))
    assert len(tables) == len(set(tables)) <= MOST_LINEUPS


@pytest.mark.parametrize(("agents", "players"), [(10, 5), (12, 4), (13, 3), (30, 3), (11, 7)])
def test_past_200_lineups_are_drawn_evenly(agents: int, players: int) -> None:
    tables = lineups(agents, players, seed=1)
    seen = Counter(agent for table in tables for agent in table)
    assert len(set(tables)) == len(tables) == MOST_LINEUPS
    assert max(seen.values()) - min(seen.values()) <= 2
    assert all(len(set(table)) == players for table in tables)
    assert tables == lineups(agents, players, seed=1) != lineups(agents, players, seed=2)


def test_blocks_take_player_numbers_and_lineups_in_turn() -> None:
    plan = make_plan(make_spec(agents=["a", "b", "c"], players="3,4", sets=100, block_sets=16, seed=1))
    assert plan.blocks == 7
    assert plan.turn == 6
    assert [block.players for block in plan.span(0, 6)] == [3, 4] * 3
    assert [block.arms[0].number for block in plan.span(0, 6)] == [0, 0, 0, 1, 0, 2]
    assert [block.first_set for block in plan.span(0, 7)] == [16 * number for number in range(7)]
    assert [block.sets for block in plan.span(0, 7)] == [16] * 6 + [4]
    assert plan.short_block == 6


def test_a_longer_run_begins_like_a_shorter_one() -> None:
    short = make_plan(make_spec(agents=["a", "b", "c"], sets=32, seed=1))
    long = make_plan(make_spec(agents=["a", "b", "c"], sets=320, seed=1))
    assert list(short.span(0, 2)) == list(long.span(0, 2))


def test_both_arms_of_a_comparison_sit_among_the_same_others() -> None:
    plan = make_plan(make_spec(agents=["a", "b", "c", "d"], versus=True, sets=96, block_sets=16, seed=1))
    assert plan.turn == 2
    for block in plan.span(0, 6):
        one, other = block.arms
        assert (one.entrants[0], other.entrants[0]) == (0, 1)
        assert one.entrants[1:] == other.entrants[1:] == ((2, 3, 2) if block.number % 2 == 0 else (2, 3, 3))
        assert (one.arm, other.arm) == (0, 1)
        assert (one.number, other.number) == (block.number % 2 * 2, block.number % 2 * 2 + 1)


def test_a_comparison_needs_a_field() -> None:
    with pytest.raises(IllegalError, match="at least one more to fill the other seats"):
        make_spec(agents=["a", "b"], versus=True, seed=1)


@given(
    end=st.integers(0, 60),
    short=st.none() | st.integers(0, 60),
    sizes=st.lists(st.integers(1, 9), min_size=1, max_size=9),
    present=st.sets(st.integers(0, 60)),
)
def test_any_cut_plays_each_missing_block_once(
    end: int, short: int | None, sizes: list[int], present: set[int]
) -> None:
    missing = gaps([(block, block + 1) for block in present], end)
    played: list[int] = []
    turn = 0
    while span := cut(missing, sizes[turn % len(sizes)], short):
        assert span[1] - span[0] <= sizes[turn % len(sizes)]
        assert short is None or not span[0] < short < span[1]
        played.extend(range(*span))
        turn += 1
    assert played == [block for block in range(end) if block not in present]


@pytest.mark.parametrize(("block_sets", "most_rows"), [(1, 2**16), (5, 2**16), (16, 300), (40, 200), (3, 1)])
def test_slices_hold_every_line_up_alike(
    block_sets: int, most_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a tally's slots come to the slices of their sets, however few slices there are."""
    monkeypatch.setattr("ohpshaw_sim.tournament.schedule.MOST_ROWS", most_rows)
    plan = make_plan(make_spec(agents=["random"] * 5, players=(3, 4), seed=1, block_sets=block_sets))
    counts: dict[LineUp, Counter[int]] = defaultdict(Counter)
    sums: dict[LineUp, LineupSums] = {}
    for block in plan.span(0, 3 * plan.turn):
        lineup = block.arms[0]
        tally = Tally.empty(1, block.players, 1, block.sets)
        tally.sets = block.sets
        for own, number in enumerate(range(block.first_set, block.first_set + block.sets), block.own_first):
            assert block.slice_of(number % SLICES) == own % block.slices
            counts[lineup][own % block.slices] += 1
            tally.matches[number % SLICES, 0, 0] += 1
            tally.choices[number % SLICES, 3, 1] += 1
        sums.setdefault(lineup, LineupSums.empty(block, tally)).add(block, tally)
        assert block.slices in (4, 8, 16)
    assert {block.slices for block in plan.span(0, plan.turn)} != {16} or most_rows == 2**16
    for lineup, by_slice in counts.items():
        assert sum(by_slice.values()) == 3 * block_sets * (2 if lineup.players == 4 else 1)
        assert max(by_slice.values()) - min(by_slice[one] for one in range(len(sums[lineup].sets))) <= 1
        expected = [by_slice[one] for one in range(len(sums[lineup].sets))]
        assert sums[lineup].sets.tolist() == expected
        assert sums[lineup].matches[:, 0, 0].tolist() == expected
        assert sums[lineup].choices[:, 3, 1].tolist() == expected
