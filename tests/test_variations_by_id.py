"""The variations, one by one in small hands that can be checked by eye, on the engine itself (V1 to V10, V17).

Wizards and Jesters have theirs in `test_wizard_by_hand.py`, points in `test_points_by_id.py`.
"""

import pytest

from engine_table import (
    DictatedMatch,
    bid,
    legal_bids,
    legal_cards,
    play,
    sizes_dealt,
    table,
    voids,
)
from ohpshaw_sim.cards import CLUBS, DIAMONDS, HEARTS, NO_CARD, NO_SUIT, SPADES, format_cards
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.errors import ConflictError, IllegalError
from ohpshaw_sim.interface.view import NOT_ANNOUNCED, OVER
from ohpshaw_sim.rules import Rules

PODRIDA = Rules(hook=True, must_trump=True)

# Hand sizes and trump


@pytest.mark.rule("V2")
def test_v2_up_and_down_again_with_the_peak_once() -> None:
    assert sizes_dealt(Rules(schedule="up-down", max_hand=3), 4) == [1, 2, 3, 2, 1]
    assert sizes_dealt(Rules(schedule="up-down", max_hand=1), 4) == [1]
    assert sizes_dealt(Rules(schedule="up-down"), 7) == [1, 2, 3, 4, 5, 6, 7, 6, 5, 4, 3, 2, 1]


@pytest.mark.rule("V3")
def test_v3_down_to_one_card() -> None:
    assert sizes_dealt(Rules(schedule="down", max_hand=3), 4) == [3, 2, 1]
    assert sizes_dealt(Rules(schedule="down"), 6) == [8, 7, 6, 5, 4, 3, 2, 1]


@pytest.mark.rule("V4")
def test_v4_down_and_up_again_with_one_card_once() -> None:
    assert sizes_dealt(Rules(schedule="down-up", max_hand=3), 4) == [3, 2, 1, 2, 3]
    assert sizes_dealt(Rules(schedule="down-up", max_hand=1), 4) == [1]


@pytest.mark.rule("V5")
@pytest.mark.parametrize("players", [3, 7])
def test_v5_contract_whist_goes_from_seven_to_one_and_back_however_many_play(players: int) -> None:
    rules = Rules(schedule="contract-whist")
    assert sizes_dealt(rules, players) == [7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7]


@pytest.mark.rule("V6")
def test_v6_suits_take_turns_and_nothing_is_turned() -> None:
    match = DictatedMatch(Rules(trump="rotate", hand_sizes=(2, 2, 2, 2, 2)))
    rounds = [(match.trump, match.turn_up) for _ in match.rounds()]
    assert rounds == [(suit, NO_CARD) for suit in (HEARTS, CLUBS, DIAMONDS, SPADES, HEARTS)]


@pytest.mark.rule("V6", "B15")
def test_v6_the_turns_go_on_in_extra_rounds() -> None:
    match = DictatedMatch(Rules(trump="rotate", hand_sizes=(1,)))
    assert match.trump == HEARTS
    match.score([0, 0, 0], [0, 0, 1])
    assert match.trump == CLUBS


@pytest.mark.rule("V6", "B6")
def test_v6_the_suit_whose_turn_it_is_stands_where_every_card_is_dealt() -> None:
    match = DictatedMatch(Rules(trump="rotate", pack="4x3", hand_sizes=(4,)))
    assert match.trump == HEARTS


@pytest.mark.rule("V6", "V17")
@pytest.mark.parametrize(
    ("pack", "turns"),
    [
        ("3x4", [HEARTS, CLUBS, DIAMONDS, HEARTS]),
        ("2x4", [CLUBS, DIAMONDS, CLUBS, DIAMONDS]),
        ("1x4", [CLUBS] * 4),
    ],
)
def test_v6_a_smaller_pack_takes_turns_with_the_suits_it_has(pack: str, turns: list[int]) -> None:
    match = DictatedMatch(Rules(trump="rotate", pack=pack, hand_sizes=(1, 1, 1, 1)))
    assert [match.trump for _ in match.rounds()] == turns


@pytest.mark.rule("V7")
def test_v7_the_last_round_has_no_trump_though_cards_are_left() -> None:
    match = DictatedMatch(Rules(no_trump_final=True, hand_sizes=(1, 2)))
    assert match.trump == match.turn_up // 16
    match.score([1, 0, 0], [0, 1, 0])
    assert (match.trump, match.turn_up) == (NO_SUIT, NO_CARD)


@pytest.mark.rule("V7", "V6", "B15")
@pytest.mark.parametrize("trump", ["turn-up", "rotate"])
def test_v7_extra_rounds_have_trump_again(trump: str) -> None:
    match = DictatedMatch(Rules.model_validate({"no_trump_final": True, "hand_sizes": (1,), "trump": trump}))
    assert (match.trump, match.turn_up) == (NO_SUIT, NO_CARD)
    match.score([0, 0, 0], [0, 0, 1])
    assert match.trump == (match.turn_up // 16 if trump == "turn-up" else CLUBS)


@pytest.mark.rule("V17")
def test_v17_a_small_pack_keeps_the_highest_ranks_and_sets_the_hand_sizes() -> None:
    rules = Rules(pack="2x4")
    assert format_cards(rules.pack_mask) == "AC KC QC JC AD KD QD JD"
    assert sizes_dealt(rules, 3) == [1, 2]  # eight cards
    game = Round.deal(rules, 3, 2, 0, seed=1)
    assert sum(hand.bit_count() for hand in game.hands) == 6
    assert not (sum(game.hands) | 1 << int(game.view.turn_up)) & ~rules.pack_mask
    with pytest.raises(IllegalError, match="seat 0 has cards that the 2x4 pack does not hold"):
        table("TC", "AC", "KC", turn_up="AD", rules=rules)


# Bids


@pytest.mark.rule("V1")
@pytest.mark.parametrize(
    ("bids", "open_to_the_dealer"),
    [
        ((0, 0), [0, 1]),  # two tricks less none: not 2
        ((1, 0), [0, 2]),
        ((1, 1), [1, 2]),
        ((2, 1), [0, 1, 2]),  # three bid already: no restriction
    ],
)
def test_v1_the_dealer_may_not_bring_the_bids_to_the_number_of_tricks(
    bids: tuple[int, int], open_to_the_dealer: list[int]
) -> None:
    game = table("2C 3C", "4C 5C", "6C 7C", turn_up="8C", rules=Rules(hook=True))
    for each in bids:
        assert legal_bids(game) == [0, 1, 2]  # nobody else is bound
        bid(game, each)
    assert game.seat == 0
    assert legal_bids(game) == open_to_the_dealer


@pytest.mark.rule("V1")
def test_v1_the_hook_may_start_at_a_larger_hand_and_leaves_one_bid_with_one_card() -> None:
    one = bid(table("2C", "3C", "4C", turn_up="8C", rules=Rules(hook=True)), 0, 1)
    assert legal_bids(one) == [1]
    later = Rules(hook=True, hook_from=2)
    assert legal_bids(bid(table("2C", "3C", "4C", turn_up="8C", rules=later), 0, 1)) == [0, 1]
    two = table("2C 3C", "4C 5C", "6C 7C", turn_up="8C", rules=later)
    assert legal_bids(bid(two, 0, 1)) == [0, 2]


@pytest.mark.rule("V9", "B9")
def test_v9_no_bid_is_seen_before_all_are_in() -> None:
    game = table("2C 3C", "4C 5C", "6C 7C", turn_up="8C", rules=Rules(bidding="simultaneous"))
    for each in (2, 0, 1):
        assert game.view.bids[:3].tolist() == [-1, -1, -1]
        assert game.view.announcement == NOT_ANNOUNCED
        assert legal_bids(game) == [0, 1, 2]
        bid(game, each)
    assert game.view.bids[:3].tolist() == [1, 2, 0]
    assert game.view.announcement == OVER


@pytest.mark.rule("V1", "V9")
def test_v9_the_hook_is_refused_where_nobody_bids_last() -> None:
    with pytest.raises(ConflictError, match="nobody bids last"):
        Rules(hook=True, bidding="simultaneous")


# Play


@pytest.mark.rule("V10", "V1")
def test_v10_who_cannot_follow_must_trump_but_need_not_beat_a_trump() -> None:
    game = bid(table("2S 3H", "4D 9S", "5H 6C", turn_up="8H", rules=PODRIDA), 1, 0)
    assert legal_bids(game) == [0, 2]
    assert legal_cards(play(bid(game, 0), "4D")) == "5H"
    assert legal_cards(play(game, "5H")) == "3H"  # lower than the five, and still owed
    play(game, "3H")
    assert voids(game) == ["D", "", "D"]
    play(game, "6C 2S 9S")  # neither has a club, or a heart to trump with
    assert voids(game) == ["CDH", "CH", "D"]
    assert game.scores == [10, 0, 0]
