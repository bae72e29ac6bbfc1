"""The referee's match: who deals, totals, play-offs, ranks, and stopping early."""

from fractions import Fraction

import pytest

import reference as ref
from reference_table import card, cards


@pytest.mark.rule("B3")
def test_b3_the_deal_moves_one_seat_clockwise_each_round() -> None:
    match = ref.Match(4, [1, 2, 3], dealer=2)
    dealers = []
    while match.rounds_to_go:
        dealers.append(match.dealer)
        match.record([0, 0, 0, 10])
    assert dealers == [2, 3, 0]


@pytest.mark.rule("B7")
def test_b7_a_misdealt_round_is_dealt_again_by_the_same_dealer() -> None:
    match = ref.Match(3, [1, 2, 3], dealer=1)
    match.record([10, 0, 11])
    deal = ref.Deal([cards("2C 3C"), cards("4C"), cards("6C 7C")], card("8C"))
    assert ref.misdeal(deal, ref.new_pack(), match.next_hand_size) == "wrong count"
    # The misdealt round is not recorded: no score and no dealer change.
    assert (match.number, match.next_hand_size, match.dealer) == (1, 2, 2)
    assert match.totals() == [10, 0, 11]


@pytest.mark.rule("B14")
def test_b14_totals_run_by_seat() -> None:
    match = ref.Match(3, [1, 2, 3], dealer=0)
    match.record([10, 0, 11])
    match.record([0, 12, 11])
    assert match.totals() == [10, 12, 22]


def ended(totals: list[int], *extra: list[int]) -> ref.Match:
    """A one-round match with these totals, and the extra rounds that followed."""
    match = ref.Match(len(totals), [1], dealer=0)
    match.record(totals)
    for scores in extra:
        assert not match.over
        match.record(scores)
    return match


@pytest.mark.rule("B15")
def test_b15_the_highest_total_wins_and_places_are_shared_1_2_2_4() -> None:
    match = ended([10, 22, 10, 0])
    assert match.over
    assert match.ranks() == [2, 1, 2, 4]
    assert match.win_shares() == [0, 1, 0, 0]


@pytest.mark.rule("B15")
def test_b15_a_tie_on_top_is_played_off_with_the_largest_hand_and_the_next_dealer() -> None:
    match = ref.Match(3, [3, 5, 4], dealer=2)
    for scores in ([10, 10, 0], [0, 0, 11], [11, 11, 0]):
        match.record(scores)
    assert not match.over
    assert (match.next_hand_size, match.dealer) == (5, 2)
    match.record([0, 13, 15])
    assert match.over
    assert match.ranks() == [2, 1, 3]  # seat 2 was not tied: its 15 counts for nothing
    assert match.totals() == [21, 21, 11]  # extra points are kept apart


@pytest.mark.rule("B15")
def test_b15_a_tie_break_hand_may_be_agreed() -> None:
    match = ref.Match(3, [1], dealer=0, tie_break_hand=7)
    match.record([10, 10, 0])
    assert match.next_hand_size == 7


@pytest.mark.rule("B15")
def test_b15_the_play_off_is_repeated_among_those_still_tied() -> None:
    match = ended([20, 20, 20, 20], [12, 0, 12, 12], [0, 12, 11, 11], [10, 15, 15, 0])
    assert match.over
    assert match.ranks() == [3, 4, 1, 2]


@pytest.mark.rule("B15")
def test_b15_two_that_lose_the_play_off_together_share_their_place() -> None:
    assert ended([20, 20, 20], [0, 0, 10]).ranks() == [2, 2, 1]


@pytest.mark.rule("B15")
def test_b15_after_ten_extra_rounds_the_rank_is_shared() -> None:
    match = ended([10, 10, 10, 0], [0, 11, 11, 0], *[[0, 0, 0, 0]] * 9)
    assert match.over
    assert match.ranks() == [3, 1, 1, 4]
    assert match.win_shares() == [0, Fraction(1, 2), Fraction(1, 2), 0]


@pytest.mark.rule("B16")
def test_b16_stopped_early_the_leader_wins_and_tied_leaders_share() -> None:
    match = ref.Match(3, [1, 2, 3], dealer=0)
    match.record([10, 11, 10])
    match.stop()
    assert match.ranks() == [2, 1, 2]
    match = ref.Match(3, [1, 2, 3], dealer=0)
    match.record([10, 10, 0])
    match.stop()
    assert match.over
    assert match.win_shares() == [Fraction(1, 2), Fraction(1, 2), 0]


@pytest.mark.rule("B16")
def test_b16_stopped_between_extra_rounds_those_still_tied_share() -> None:
    match = ended([20, 20, 20], [12, 12, 0])
    match.stop()
    assert match.over
    assert match.ranks() == [1, 1, 3]
    assert match.totals() == [20, 20, 20]


@pytest.mark.rule("V15")
@pytest.mark.rule("B15")
def test_b15_totals_and_extra_rounds_may_be_negative() -> None:
    match = ended([-10, -10, -20], [-30, -10, 50])
    assert match.over
    assert match.ranks() == [2, 1, 3]
