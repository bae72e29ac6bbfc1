"""The referee itself, rule by rule in small hands that can be checked by eye, and against OpenSpiel.

This file has the base game's round; the match, the variations and the Wizard pack have files of their own.
"""

from collections import Counter

import pytest

import reference as ref
from reference import DIAMONDS, HEARTS
from reference_table import bid, card, cards, play, table

# The deal


@pytest.mark.rule("B2")
def test_b2_the_pack_has_52_cards_two_low_ace_high() -> None:
    pack = ref.new_pack()
    assert len(set(pack)) == 52
    assert min(pack) == card("2C")
    assert max(pack) == card("AS")


@pytest.mark.rule("V17")
def test_v17_a_small_pack_keeps_the_highest_ranks() -> None:
    assert ref.new_pack(2, 4) == cards("JC QC KC AC JD QD KD AD")


@pytest.mark.rule("B5")
def test_b5_cards_are_dealt_one_at_a_time_from_eldest_hand_and_the_next_is_turned() -> None:
    deal = ref.deal_out(cards("2C 3C 4C 5C 6C 7C 8D 9S"), players=3, hand_size=2, dealer=1)
    assert deal.hands[2] == cards("2C 5C")
    assert deal.hands[0] == cards("3C 6C")
    assert deal.hands[1] == cards("4C 7C")
    assert deal.turn_up == card("8D")
    assert deal.stock == cards("9S")
    assert ref.Round(deal, dealer=1).trump == DIAMONDS


@pytest.mark.rule("B6")
def test_b6_where_every_card_is_dealt_the_round_is_no_trump() -> None:
    deal = ref.deal_out(ref.new_pack(), players=4, hand_size=13, dealer=0)
    assert deal.turn_up is None
    game = ref.Round(deal, dealer=0)
    assert game.trump is None
    bid(game, 0, 0, 0, 0)
    low, *rest = cards("2C 3D AS 4H")
    assert ref.best_play([(0, low), *enumerate(rest, start=1)], trump=None) == (0, low)


@pytest.mark.rule("B7")
@pytest.mark.parametrize(
    ("hands", "turn_up", "fault"),
    [
        (["2C 3C", "4C 5C", "6C 7C"], "8C", None),
        (["2C 3C", "4C", "6C 7C"], "8C", "wrong count"),
        (["2C 3C", "4C 5C", "6C 6C"], "8C", "duplicate"),
        (["2C 3C", "4C 5C", "6C 7C"], "7C", "duplicate"),
        (["2C 3C", "4C 5C", "6C 7C"], None, "wrong turn-up"),
    ],
)
def test_b7_a_wrong_deal_is_refused_with_the_reason(
    hands: list[str], turn_up: str | None, fault: str | None
) -> None:
    deal = ref.Deal([cards(hand) for hand in hands], card(turn_up) if turn_up else None)
    assert ref.misdeal(deal, ref.new_pack(), 2) == fault


@pytest.mark.rule("B7")
def test_b7_a_card_from_outside_the_pack_is_refused() -> None:
    deal = ref.Deal([cards("AC"), cards("KC"), cards("TC")], card("AD"))
    assert ref.misdeal(deal, ref.new_pack(2, 4), 1) == "unknown card"


# Bidding


@pytest.mark.rule("B8")
def test_b8_eldest_hand_bids_first_the_dealer_last_and_any_number_is_legal() -> None:
    game = table("2C 3C", "4C 5C", "6C 7C", turn_up="8C", dealer=1)
    asked = []
    while game.bidding:
        asked.append(game.seat)
        assert game.legal_bids() == [0, 1, 2]
        game.bid(2)
    assert asked == [2, 0, 1]
    assert game.seat == 2


@pytest.mark.rule("B8")
def test_b8_there_is_no_hook() -> None:
    game = bid(table("2C 3C", "4C 5C", "6C 7C", turn_up="8C", dealer=2), 1, 1)
    assert 0 in game.legal_bids()  # the dealer may bring the total to two


@pytest.mark.rule("B9")
@pytest.mark.parametrize(("bids", "word"), [((1, 1, 1), "over"), ((0, 1, 1), "even"), ((0, 0, 1), "under")])
def test_b9_the_total_is_announced_after_the_last_bid(bids: tuple[int, int, int], word: str) -> None:
    game = bid(table("2C 3C", "4C 5C", "6C 7C", turn_up="8C"), *bids[:2])
    assert game.announcement is None
    assert bid(game, bids[2]).announcement == word


# Play


@pytest.mark.rule("B10")
def test_b10_eldest_leads_any_card_trump_too() -> None:
    game = bid(table("2C 3C", "4C 5H", "6C 7C", turn_up="8H"), 0, 0, 0)
    assert game.seat == 1
    assert game.legal_cards() == cards("4C 5H")


@pytest.mark.rule("B10")
def test_b10_the_others_follow_suit_if_they_can() -> None:
    game = play(bid(table("2C 3H", "4C 5H", "6D 7H", turn_up="8H"), 0, 0, 0), "4C")
    assert game.legal_cards() == cards("6D 7H")  # no club: anything goes, no duty to trump
    play(game, "6D")
    assert game.legal_cards() == cards("2C")


@pytest.mark.rule("B11")
def test_b11_the_highest_trump_wins() -> None:
    assert ref.best_play([(0, card("AC")), (1, card("2H")), (2, card("3H"))], HEARTS) == (2, card("3H"))


@pytest.mark.rule("B11")
def test_b11_without_trumps_the_highest_card_of_the_led_suit_wins() -> None:
    assert ref.best_play([(0, card("4C")), (1, card("AS")), (2, card("5C"))], HEARTS) == (2, card("5C"))


@pytest.mark.rule("B11")
def test_b11_the_winner_leads_next() -> None:
    game = bid(table("2C 3H", "4C 5H", "6C 7H", turn_up="8S"), 0, 0, 0)
    play(game, "4C 6C 2C")
    assert (game.leader, game.seat, game.led) == (2, 2, None)
    play(game, "7H 3H 5H")
    assert game.tricks == [0, 0, 2]
    assert game.done


@pytest.mark.rule("B10")
def test_a_discard_shows_a_void_in_the_led_suit_only() -> None:
    game = play(bid(table("2C 3H", "4D 5H", "6C 7S", turn_up="8H"), 0, 0, 0), "4D 7S 3H")
    assert game.voids == [{DIAMONDS}, set(), {DIAMONDS}]


@pytest.mark.rule("B12")
def test_b12_an_illegal_answer_is_never_taken() -> None:
    game = table("2C 3C", "4C 5H", "6C 7D", turn_up="8H")
    with pytest.raises(AssertionError):
        game.bid(3)
    play(bid(game, 0, 0, 0), "4C")
    with pytest.raises(AssertionError):
        game.play(card("7D"))


# Scores


@pytest.mark.rule("B13")
@pytest.mark.parametrize(
    ("made", "tricks", "score"), [(0, 0, 10), (3, 3, 13), (3, 2, 0), (3, 4, 0), (0, 1, 0)]
)
def test_b13_ten_plus_the_bid_for_an_exact_hit_else_nothing(made: int, tricks: int, score: int) -> None:
    assert ref.round_score(made, tricks) == score


@pytest.mark.rule("B13")
def test_b13_a_whole_round() -> None:
    game = play(bid(table("2C 3H", "4C 5H", "6C 7H", turn_up="8S"), 1, 2, 0), "4C 6C 2C 7H 3H 5H")
    assert game.scores() == [10, 0, 12]


# OpenSpiel


@pytest.mark.rule("B10")
@pytest.mark.rule("B11")
@pytest.mark.rule("B13")
@pytest.mark.rule("V1")
@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_open_spiel_agrees_with_the_referee(players: int) -> None:
    open_spiel_round = pytest.importorskip("open_spiel_round")
    scored: Counter[bool] = Counter()
    for number in range(100):
        theirs = open_spiel_round.OpenSpielRound(players, seed=1000 * players + number)
        ours = ref.Round(theirs.deal, theirs.dealer, ref.Options(hook=True))
        while not theirs.done:
            assert ours.seat == theirs.seat
            assert ours.bidding == theirs.bidding
            if theirs.bidding:
                open_bids = sorted(action - theirs.bid_0 for action in theirs.state.legal_actions())
                assert ours.legal_bids() == open_bids
                ours.bid(theirs.bid())
            else:
                assert sorted(ours.legal_cards()) == theirs.legal_cards()
                ours.play(theirs.play())
        assert ours.done
        assert ours.scores() == theirs.scores()
        scored.update(score > 0 for score in ours.scores())
    assert min(scored[True], scored[False]) > 20
