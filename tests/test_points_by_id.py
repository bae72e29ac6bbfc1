"""Points of a round, totals, ties and winners, in small numbers that can be checked by eye, on the engine itself.

Rules B12 to B16, as far as they are about points, and V11 to V16.
"""

from typing import Any

import pytest

from engine_table import DictatedMatch, bid, play, sheet_of, table
from ohpshaw_sim.engine.round_scores import round_scores
from ohpshaw_sim.kernels.scoring import EXACT, round_score
from ohpshaw_sim.rules import Rules

# A round


@pytest.mark.rule("B13")
def test_b13_ten_plus_the_bid_for_an_exact_hit_and_nothing_for_a_miss_either_way() -> None:
    game = bid(table("2C 3H", "4C 5H", "6C 7H", turn_up="8S"), 1, 2, 0)
    assert play(game, "4C 6C 2C 7H 3H 5H").scores == [10, 0, 12]
    assert [round_score(EXACT, 0, 5, 3, tricks) for tricks in (2, 3, 4)] == [0, 13, 0]


ROUND = (1, 0, 3, 0), (2, 0, 3, 1)
"""Bids and tricks of a round of six: one too many, a zero made, three made, a zero missed."""


@pytest.mark.rule("V11")
def test_v11_a_miss_pays_one_for_each_trick_taken() -> None:
    assert round_scores(Rules(scoring="soft"), 6, *ROUND) == [2, 10, 13, 1]


@pytest.mark.rule("V15")
def test_v15_ten_a_trick_and_twenty_for_the_hit_else_ten_less_a_trick_missed_by() -> None:
    assert round_scores(Rules(scoring="wizard"), 6, *ROUND) == [-10, 20, 50, -10]


@pytest.mark.rule("V16")
def test_v16_a_miss_costs_the_difference() -> None:
    assert round_scores(Rules(scoring="penalty"), 6, *ROUND) == [-1, 10, 13, -1]


@pytest.mark.rule("V12")
@pytest.mark.parametrize(
    ("scoring", "points"),
    [
        ("exact", [0, 11, 13, 0]),
        ("soft", [2, 11, 13, 1]),
        ("wizard", [-10, 11, 50, -10]),
        ("penalty", [-1, 11, 13, -1]),
    ],
)
def test_v12_a_zero_made_is_five_and_the_hand_size_whatever_the_scoring(
    scoring: str, points: list[int]
) -> None:
    rules = Rules.model_validate({"scoring": scoring, "zero_bid": "hand-size"})
    assert round_scores(rules, 6, *ROUND) == points


@pytest.mark.rule("V11", "V12", "V15", "V16")
@pytest.mark.parametrize(
    ("rules", "scores"),
    [
        (Rules(scoring="soft"), [10, 0, 2]),
        (Rules(scoring="wizard"), [20, -10, -10]),
        (Rules(scoring="penalty"), [10, -1, -1]),
        (Rules(scoring="wizard", zero_bid="hand-size"), [7, -10, -10]),
    ],
)
def test_a_round_that_is_played_scores_by_the_rules_in_force(rules: Rules, scores: list[int]) -> None:
    game = bid(table("2C 3H", "4C 5H", "6C AS", turn_up="8S", rules=rules), 1, 1, 0)
    assert play(game, "4C 6C 2C AS 3H 5H").tricks == [0, 0, 2]
    assert game.scores == scores


@pytest.mark.rule("V13")
@pytest.mark.parametrize(
    ("bids", "tricks", "scoring", "scores"),
    [
        ([1, 0, 0], [1, 0, 1], "exact", [21, 10, 0]),
        ([0, 0, 0], [0, 0, 2], "exact", [20, 20, 0]),  # both who tie for it
        ([0, 0, 1], [1, 1, 0], "exact", [0, 0, 0]),  # none at 0
        ([0, 0, 1], [1, 1, 0], "penalty", [-1, -1, -1]),  # nor below
    ],
)
def test_v13_ten_more_for_the_best_score_of_the_round(
    bids: list[int], tricks: list[int], scoring: str, scores: list[int]
) -> None:
    rules = {"scoring": scoring, "round_winner_bonus": True, "hand_sizes": (2, 1)}
    assert DictatedMatch(Rules.model_validate(rules)).score(bids, tricks) == scores


@pytest.mark.rule("V13", "V12")
def test_v13_goes_by_the_points_that_a_zero_is_worth() -> None:
    rules = Rules(round_winner_bonus=True, zero_bid="hand-size", hand_sizes=(2, 1))
    assert DictatedMatch(rules).score([0, 1, 0], [0, 2, 0]) == [17, 0, 17]
    assert DictatedMatch(rules).score([0, 1, 0], [0, 1, 1]) == [7, 21, 0]


@pytest.mark.rule("V13", "B15")
def test_v13_extra_rounds_have_the_bonus_too() -> None:
    match = DictatedMatch(Rules(round_winner_bonus=True, hand_sizes=(1,)))
    assert match.score([0, 0, 0], [0, 0, 1]) == [20, 20, 0]
    assert match.score([1, 0, 0], [0, 1, 0]) == [0, 0, 20]
    assert match.goes_on  # the best score was of a seat that is not tied
    assert match.score([1, 0, 0], [1, 0, 0]) == [21, 10, 10]
    assert match.match.winners == [0]


@pytest.mark.rule("V14")
def test_v14_ten_points_less_for_a_revoke_caught_later() -> None:
    row = "2,Ann,1,1,0,0,1,1,Cem caught-later,"
    assert sheet_of(row).totals == (11, 10, 0)
    assert sheet_of(row, rules=Rules(revoke_penalty=10)).totals == (11, 10, -10)
    assert sheet_of(row.replace("later", "before"), rules=Rules(revoke_penalty=10)).totals == (11, 10, 11)


@pytest.mark.rule("V13", "V14", "B12")
def test_v14_the_bonus_goes_by_what_a_revoke_leaves() -> None:
    rules = Rules(revoke_penalty=10, round_winner_bonus=True)
    assert round_scores(rules, 2, [2, 0, 0], [2, 0, 0], revoked=[0]) == [-10, 20, 20]


# A revoke, in records


@pytest.mark.rule("B12")
def test_b12_in_records_a_revoke_caught_later_scores_nothing_and_one_taken_back_all() -> None:
    assert sheet_of("2,Ann,1,1,0,0,1,1,,").totals == (11, 10, 11)
    assert sheet_of("2,Ann,1,1,0,0,1,1,Cem caught-before,").totals == (11, 10, 11)
    assert sheet_of("2,Ann,1,1,0,0,1,1,Cem caught-later,").totals == (11, 10, 0)


@pytest.mark.rule("B12", "V15")
def test_b12_nothing_is_zero_where_a_miss_would_cost_more() -> None:
    assert round_scores(Rules(scoring="wizard"), 3, [3, 3, 0], [0, 3, 0]) == [-30, 50, 20]
    assert round_scores(Rules(scoring="wizard"), 3, [3, 3, 0], [0, 3, 0], revoked=[0]) == [0, 50, 20]


# A match


@pytest.mark.rule("B14")
def test_b14_the_table_has_bid_tricks_and_score_and_totals_run() -> None:
    match = DictatedMatch(Rules(hand_sizes=(1, 2), first_dealer=0))
    assert match.score([1, 0, 1], [1, 0, 0]) == [11, 10, 0]
    assert match.view.scores[:3].tolist() == [11, 10, 0]
    assert match.score([1, 1, 0], [1, 1, 0]) == [11, 11, 10]
    assert match.match.totals == [22, 21, 10]
    shown: Any = match.match.score_table()
    assert shown.loc[(1, 1), "2 nobody"].tolist() == [1, 0, 0]
    assert shown.loc[(2, 2), "1 nobody"].tolist() == [1, 1, 11]


def tied() -> DictatedMatch:
    """After rounds of one and two cards seats 0 and 1 have 21 points, seat 2 has 10."""
    match = DictatedMatch(Rules(hand_sizes=(1, 2), first_dealer=0))
    match.score([1, 0, 0], [1, 0, 0])
    match.score([0, 1, 0], [0, 1, 1])
    assert match.view.scores[:3].tolist() == [21, 21, 10]
    return match


@pytest.mark.rule("B15")
def test_b15_a_tie_on_top_is_played_off_with_the_largest_hand_by_the_next_dealer() -> None:
    match = tied()
    assert match.goes_on
    assert (match.hand_size, match.dealer, match.view.contenders) == (2, 2, 0b011)
    assert match.score([0, 1, 2], [0, 0, 2]) == [10, 0, 12]
    assert not match.goes_on
    assert match.match.ranks == [1, 2, 3]  # seat 2 was not tied: its 12 count for nothing
    assert match.match.totals == [21, 21, 10]  # and what was scored here is kept apart


@pytest.mark.rule("B15")
def test_b15_after_ten_extra_rounds_the_rank_is_shared() -> None:
    match = tied()
    for _ in range(10):
        assert match.goes_on
        match.score([0, 0, 2], [0, 0, 2])
        assert match.view.scores[:3].tolist() == [21, 21, 10]
    assert not match.goes_on
    assert match.match.winners == [0, 1]
    assert match.match.ranks == [1, 1, 3]


@pytest.mark.rule("B15")
def test_b15_the_highest_total_wins_and_places_are_shared_1_2_2_4() -> None:
    match = DictatedMatch(Rules(hand_sizes=(1,)), players=4)
    assert match.score([1, 0, 0, 1], [1, 0, 0, 0]) == [11, 10, 10, 0]
    assert not match.goes_on
    assert match.match.ranks == [1, 2, 2, 4]


@pytest.mark.rule("B15")
def test_b15_another_size_may_be_agreed_for_extra_rounds() -> None:
    match = DictatedMatch(Rules(hand_sizes=(1,), tie_break_hand=7))
    match.score([0, 0, 0], [1, 0, 0])
    assert (match.goes_on, match.hand_size) == (True, 7)


@pytest.mark.rule("B16")
def test_b16_stopped_early_the_leader_wins_and_tied_leaders_share() -> None:
    match = DictatedMatch(Rules(hand_sizes=(1, 2, 3)), stop_after=1)
    match.score([1, 0, 1], [1, 0, 0])
    assert not match.goes_on
    assert match.match.winners == [0]
    match = DictatedMatch(Rules(hand_sizes=(1, 2, 3)), stop_after=1)
    match.score([0, 0, 0], [1, 0, 0])
    assert not match.goes_on  # no tie is played off
    assert match.match.winners == [1, 2]


@pytest.mark.rule("B16")
def test_b16_a_half_played_round_counts_for_nothing() -> None:
    sheet = sheet_of("1,Ann,0,0,1,1,1,0,,", "2,Bob,1,,0,,1,,,")
    assert sheet.totals == (10, 11, 0)
    assert sheet.leaders == (1,)
