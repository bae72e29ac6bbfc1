"""The base game, rule by rule in small hands that can be checked by eye, on the engine itself (B1 to B12).

The referee has its own (`test_reference.py`). Points and winners follow in `test_points_by_id.py`, the variations in
`test_variations_by_id.py` and `test_wizard_by_hand.py`.
"""

import pytest

from engine_table import (
    DictatedMatch,
    bid,
    legal_bids,
    legal_cards,
    play,
    sheet_of,
    sizes_dealt,
    table,
    voids,
)
from ohpshaw_sim.cards import DIAMONDS, NO_CARD, NO_SUIT, format_cards, pack_mask
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.engine.single import play_match
from ohpshaw_sim.errors import IllegalError
from ohpshaw_sim.interface.view import EVEN, NOT_ANNOUNCED, OVER, UNDER
from ohpshaw_sim.rules import Rules

# Players, cards and deal


@pytest.mark.rule("B1")
@pytest.mark.parametrize("players", [2, 8])
def test_b1_two_are_too_few_and_eight_too_many(players: int) -> None:
    with pytest.raises(IllegalError, match=r"Oh Pshaw is for 3 to 7 \(B1\)"):
        play_match(["random"] * players, Rules(hand_sizes=(1,)))
    with pytest.raises(IllegalError, match=r"\(B1\)"):
        Round.deal(Rules(), players, 1, 0, seed=1)


@pytest.mark.rule("B1")
@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_b1_three_to_seven_play_each_alone(players: int) -> None:
    match = play_match(["random"] * players, Rules(hand_sizes=(1,)))
    assert len(match.totals) == players


@pytest.mark.rule("B2")
def test_b2_the_pack_has_52_cards() -> None:
    game = Round.deal(Rules(), 3, 17, 0, seed=1)  # three times 17 cards and the one turned are all there are
    every = sum(game.hands) + (1 << int(game.view.turn_up))
    assert every == Rules().pack_mask == pack_mask()
    assert every.bit_count() == 52
    assert format_cards(every & 0xFFFF) == "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C"


@pytest.mark.rule("B2", "B11")
def test_b2_the_ace_is_high_and_the_two_low() -> None:
    game = bid(table("AC 2D", "2C 3D", "KC 4D", turn_up="9H", dealer=2), 0, 0, 0)
    assert play(game, "AC 2C KC").tricks == [1, 0, 0]
    assert play(game, "2D 3D 4D").tricks == [1, 0, 1]


@pytest.mark.rule("B3")
def test_b3_the_deal_moves_one_seat_clockwise_each_round() -> None:
    match = DictatedMatch(Rules(hand_sizes=(1, 2, 3), first_dealer=2), players=4)
    assert [match.dealer for _ in match.rounds()] == [2, 3, 0]


@pytest.mark.rule("B4")
def test_b4_hands_ascend_from_one_card_to_the_last() -> None:
    assert sizes_dealt(Rules(), 7) == [1, 2, 3, 4, 5, 6, 7]
    assert sizes_dealt(Rules(), 6)[-1] == 8
    assert sizes_dealt(Rules(max_hand=17), 3)[-1] == 17  # 3 x 17 = 51 cards, and one to turn
    assert sizes_dealt(Rules(hand_sizes=(5, 1, 5)), 4) == [5, 1, 5]
    with pytest.raises(IllegalError, match="hand size 18 needs 54 cards"):
        sizes_dealt(Rules(max_hand=18), 3)


@pytest.mark.rule("B5")
def test_b5_cards_go_one_at_a_time_from_eldest_hand() -> None:
    one, two, moved = (
        Round.deal(Rules(), 4, size, dealer, seed=5) for size, dealer in ((1, 0), (2, 0), (2, 1))
    )
    for first, both in zip(one.hands, two.hands, strict=True):
        assert both & first == first  # the first time round everyone gets what a one-card deal gives
    assert moved.hands == [two.hands[3], *two.hands[:3]]  # another eldest hand, the same cards one seat on


@pytest.mark.rule("B5")
def test_b5_the_suit_of_the_card_turned_is_trump_and_the_card_out_of_play() -> None:
    game = table("2C 3C", "4C 5C", "6C 7C", turn_up="8D")
    assert game.view.trump == DIAMONDS
    assert format_cards(int(game.view.gone)) == "8D"
    with pytest.raises(IllegalError, match="8D is dealt twice"):
        table("2C 8D", "4C 5C", "6C 7C", turn_up="8D")


@pytest.mark.rule("B6", "B11")
def test_b6_where_every_card_is_dealt_there_is_no_trump() -> None:
    game = table("AC QC", "KC AD", "KD QD", dealer=2, rules=Rules(pack="2x3"))
    assert (game.view.trump, game.view.turn_up) == (NO_SUIT, NO_CARD)
    bid(game, 0, 0, 0)
    assert play(game, "AC KC KD").tricks == [1, 0, 0]
    assert play(game, "QC AD QD").tricks == [2, 0, 0]  # a club was led: the ace of diamonds is a discard
    thirteen = Round.deal(Rules(), 4, 13, 0, seed=1)
    assert (thirteen.view.trump, thirteen.view.turn_up) == (NO_SUIT, NO_CARD)


@pytest.mark.rule("B7")
@pytest.mark.parametrize(
    ("hands", "turn_up", "reason"),
    [
        (("2C 3C", "4C", "6C 7C"), "8C", r"seat 1 has 1 cards in a round of 2 \(B7\)"),
        (("2C 3C", "4C 5C", "6C 5C"), "8C", r"5C is dealt twice, the second time to seat 2 \(B7\)"),
        (("2C 3C", "4C 5C", "6C FH"), "8C", r"seat 2 has cards that the 4x13 pack does not hold \(B7\)"),
        (("2C 3C", "4C 5C", "6C 7C"), None, "a card must be turned up"),
    ],
)
def test_b7_a_wrong_deal_is_refused_with_the_reason(
    hands: tuple[str, ...], turn_up: str | None, reason: str
) -> None:
    with pytest.raises(IllegalError, match=reason):
        table(*hands, turn_up=turn_up)


@pytest.mark.rule("B7")
def test_b7_after_a_misdeal_the_same_dealer_deals_again_and_nothing_is_scored() -> None:
    sheet = sheet_of("1,Ann,0,0,1,1,0,0,,", "2,Bob,,,,,,,,yes", "2,Bob,1,1,0,0,1,1,,")
    assert [one.dealer for one in sheet.rounds] == [0, 1, 1]
    assert [one.number for one in sheet.rounds] == [1, 2, 2]
    assert sheet.totals == (21, 21, 21)


# Bids


@pytest.mark.rule("B8")
def test_b8_eldest_hand_bids_first_the_dealer_last_and_any_number_is_legal() -> None:
    game = table("2C 3C", "4C 5C", "6C 7C", turn_up="8C", dealer=1)
    asked = []
    for each in (1, 1, 0):  # the dealer may bring the total to two, the number of tricks
        asked.append(game.seat)
        assert legal_bids(game) == [0, 1, 2]
        bid(game, each)
    assert asked == [2, 0, 1]
    assert game.bids == [1, 0, 1]


@pytest.mark.rule("B8")
def test_b8_earlier_bids_are_public() -> None:
    game = bid(table("2C 3C", "4C 5C", "6C 7C", turn_up="8C", dealer=1), 1)
    assert game.view.bids[:3].tolist() == [-1, -1, 1]
    assert bid(game, 2).view.bids[:3].tolist() == [2, -1, 1]


@pytest.mark.rule("B8")
@pytest.mark.parametrize("wrong", [-1, 3])
def test_b8_a_bid_beyond_the_hand_size_is_refused(wrong: int) -> None:
    with pytest.raises(IllegalError, match=r"it may bid 0, 1, 2 \(B8, V1\)"):
        bid(table("2C 3C", "4C 5C", "6C 7C", turn_up="8C"), wrong)


@pytest.mark.rule("B9")
@pytest.mark.parametrize(("bids", "word"), [((1, 1, 1), OVER), ((0, 1, 1), EVEN), ((0, 0, 1), UNDER)])
def test_b9_the_total_is_announced_after_the_last_bid(bids: tuple[int, int, int], word: int) -> None:
    game = bid(table("2C 3C", "4C 5C", "6C 7C", turn_up="8C"), *bids[:2])
    assert game.view.announcement == NOT_ANNOUNCED
    assert bid(game, bids[2]).view.announcement == word


# Play


@pytest.mark.rule("B10")
def test_b10_eldest_hand_leads_any_card_trump_too() -> None:
    game = bid(table("2C 3C", "4C 5H", "6C 7C", turn_up="8H"), 0, 0, 0)
    assert (game.seat, legal_cards(game)) == (1, "4C 5H")


@pytest.mark.rule("B10")
def test_b10_the_others_follow_suit_if_they_can_and_else_play_anything() -> None:
    game = bid(table("2C 3H", "4C 5H", "6D 7H", turn_up="8H"), 0, 0, 0)
    assert legal_cards(play(game, "4C")) == "6D 7H"  # no club: a trump need not be played
    assert legal_cards(play(game, "6D")) == "2C"
    assert voids(game) == ["", "", "C"]


@pytest.mark.rule("B11")
def test_b11_the_highest_trump_wins_else_the_highest_card_of_the_suit_led() -> None:
    game = bid(table("3H 5D", "AC 4D", "2H AS", turn_up="9H"), 0, 0, 0)
    assert play(game, "AC 2H 3H").tricks == [1, 0, 0]
    assert game.seat == 0  # the winner leads next
    assert play(game, "5D 4D AS").tricks == [2, 0, 0]
    assert game.leaders == [1, 0]


@pytest.mark.rule("B12")
def test_b12_a_revoke_is_refused_and_nothing_has_happened() -> None:
    game = play(bid(table("2C 3H", "4C 5H", "6C 7H", turn_up="8S"), 0, 2, 0), "4C")
    with pytest.raises(IllegalError, match=r"seat 2 may not play 7H; it may play 6C \(B10"):
        play(game, "7H")
    assert (game.seat, legal_cards(game), format_cards(game.plays)) == (2, "6C", "4C")
