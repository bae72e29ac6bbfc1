"""One match for people: the score table and the ranks (B14, B15)."""

from collections import Counter
from typing import Any

import pytest

import reference as ref
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.engine.single import Match, play_match
from ohpshaw_sim.engine.tally_schema import ROW_COLUMNS
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.rules import Rules
from readers import SEED, game_of


def referee_of(match: Match, schedule: list[int], players: int) -> ref.Match:
    """Record the rounds of a match with the referee."""
    rounds = match.rounds
    judge = ref.Match(players, schedule, int(rounds["dealer"].iloc[0]))
    for _, table in rounds.groupby("round"):
        assert judge.next_hand_size == table["hand_size"].iloc[0]
        assert judge.dealer == table["dealer"].iloc[0]
        assert (judge.rounds_to_go == 0) == bool(table["extra"].iloc[0])
        judge.record(table["points"].tolist())
        assert table["total"].tolist() == judge.totals()
    return judge


@pytest.mark.rule("B15")
def test_b15_ranks_are_the_referees() -> None:
    extra_rounds, ties_below = Counter[int](), 0
    agent = resolve("random")
    for number in range(50):
        players = 3 + number % 5
        match = play_match([agent] * players, Rules(hand_sizes=(1, 1)), seed=SEED, match_number=number)
        judge = referee_of(match, [1, 1], players)
        assert judge.over
        assert match.ranks == judge.ranks()
        assert match.totals == judge.totals()
        assert match.winners == [seat for seat, rank in enumerate(judge.ranks()) if rank == 1]
        extra_rounds[len(judge.extra)] += 1
        ties_below += len({*match.ranks}) < players
    assert {0, 1, 2} <= extra_rounds.keys()
    assert ties_below > 10


@pytest.mark.rule("B16")
def test_b16_a_stopped_match_is_ranked_as_it_stands() -> None:
    shared = 0
    agent = resolve("greedy")
    for number in range(15):
        match = play_match(
            [agent] * 4, Rules(hand_sizes=(1, 2, 3)), seed=1, match_number=number, stop_after=2
        )
        judge = ref.Match(4, [1, 2, 3], int(match.rounds["dealer"].iloc[0]))
        for _, table in match.rounds.groupby("round"):
            judge.record(table["points"].tolist())
        judge.stop()
        assert len(judge.table) == 2
        assert match.ranks == judge.ranks()
        shared += len(match.winners) > 1
    assert shared > 2


def test_a_match_is_the_first_rotation_of_its_set() -> None:
    rules = Rules(hand_sizes=(2, 3))
    lineup = [resolve("greedy"), resolve("random"), resolve("count-winners")]
    for number in (0, 5):
        match = play_match(lineup, rules, seed=9, match_number=number)
        tally = play_sets(game_of(lineup, (2, 3), rules=rules), 9, number, 1, log=True)
        rows = tally.rows[tally.rows[:, ROW_COLUMNS.index("rotation")] == 0]
        scheduled = match.rounds[~match.rounds["extra"]]
        for column in ("seat", "bid", "tricks", "points", "dealer", "hand_size"):
            assert scheduled[column].tolist() == rows[:, ROW_COLUMNS.index(column)].tolist()
        names = [lineup[place].name for place in rows[:3, ROW_COLUMNS.index("place")]]
        assert list(match.names) == names


@pytest.mark.rule("B14")
def test_b14_the_score_table_has_bid_tricks_and_points_of_every_round_and_agent() -> None:
    match = play_match(["random", "greedy", "random"], Rules(hand_sizes=(2, 3)), seed=4)
    table: Any = match.score_table()
    assert len(table) == match.rounds["round"].nunique()
    for row in match.rounds.itertuples():
        cells = table.loc[(row.round, row.hand_size), f"{row.seat} {row.agent}"]
        assert cells.to_dict() == {"bid": row.bid, "tricks": row.tricks, "points": row.points}
