"""The referee's variations of bidding, play and scoring, in small hands that can be worked out by eye."""

import pytest

import reference as ref
from reference import BASE, CLUBS, DIAMONDS, HEARTS, SPADES, Options
from reference_table import bid, card, cards, play, table

HOOK = Options(hook=True)
PODRIDA = Options(hook=True, must_trump=True)

# Bidding


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
def test_v1_the_dealer_may_not_make_the_bids_even(
    bids: tuple[int, int], open_to_the_dealer: list[int]
) -> None:
    game = table("2C 3C", "4C 5C", "6C 7C", turn_up="8C", options=HOOK)
    for each in bids:
        assert game.legal_bids() == [0, 1, 2]
        game.bid(each)
    assert game.seat == game.dealer == 0
    assert game.legal_bids() == open_to_the_dealer


@pytest.mark.rule("V1")
def test_v1_the_barred_bid_is_the_hand_size_less_the_others() -> None:
    assert [ref.barred_bid(HOOK, 5, others) for others in (0, 3, 5, 6)] == [5, 2, 0, None]
    assert ref.barred_bid(BASE, 5, 3) is None


@pytest.mark.rule("V1")
def test_v1_one_bid_stays_legal_with_one_card() -> None:
    game = bid(table("2C", "3C", "4C", turn_up="8C", options=HOOK), 0, 1)
    assert game.legal_bids() == [1]
    with pytest.raises(AssertionError):
        game.bid(0)


@pytest.mark.rule("V1")
def test_v1_the_hook_may_start_at_a_larger_hand() -> None:
    later = Options(hook=True, hook_from=2)
    assert bid(table("2C", "3C", "4C", turn_up="8C", options=later), 0, 1).legal_bids() == [0, 1]
    two = table("2C 3C", "4C 5C", "6C 7C", turn_up="8C", options=later)
    assert bid(two, 0, 1).legal_bids() == [0, 2]


@pytest.mark.rule("V9")
@pytest.mark.rule("B9")
def test_v9_no_bid_is_seen_before_all_are_in() -> None:
    hidden = Options(bidding="simultaneous")
    game = table("2C 3C", "4C 5C", "6C 7C", turn_up="8C", options=hidden)
    for each in (2, 0, 1):
        assert game.visible_bids == {}
        assert game.announcement is None
        assert game.legal_bids() == [0, 1, 2]
        game.bid(each)
    assert game.visible_bids == {1: 2, 2: 0, 0: 1}
    assert game.announcement == "over"


@pytest.mark.rule("B8")
def test_b8_earlier_bids_are_public() -> None:
    game = bid(table("2C 3C", "4C 5C", "6C 7C", turn_up="8C"), 2, 0)
    assert game.visible_bids == {1: 2, 2: 0}


# Play


@pytest.mark.rule("V10")
def test_v10_who_cannot_follow_must_trump_but_need_not_overtrump() -> None:
    hand = cards("3H KH 5D")
    assert ref.legal_cards(hand, CLUBS, HEARTS, must_trump=True) == cards("3H KH")
    assert ref.legal_cards(hand, CLUBS, HEARTS) == hand
    assert ref.legal_cards(hand, DIAMONDS, HEARTS, must_trump=True) == cards("5D")  # it can follow
    assert ref.legal_cards(hand, None, HEARTS, must_trump=True) == hand  # it leads
    assert ref.legal_cards(hand, CLUBS, SPADES, must_trump=True) == hand  # it has no trump
    assert ref.legal_cards(hand, CLUBS, None, must_trump=True) == hand  # there is none


@pytest.mark.rule("V10")
def test_v10_a_discard_that_is_no_trump_shows_a_void_in_trump_too() -> None:
    def shown(text: str, led: int, trump: int | None) -> set[int]:
        return ref.voids_shown(card(text), led, trump, must_trump=True)

    assert shown("5D", CLUBS, HEARTS) == {CLUBS, HEARTS}
    assert shown("5H", CLUBS, HEARTS) == {CLUBS}
    assert shown("5D", HEARTS, HEARTS) == {HEARTS}
    assert shown("5D", CLUBS, None) == {CLUBS}
    assert shown("5C", CLUBS, HEARTS) == set()
    assert ref.voids_shown(card("5D"), CLUBS, HEARTS) == {CLUBS}  # without V10


@pytest.mark.rule("V1")
@pytest.mark.rule("V10")
def test_v10_a_whole_round_of_podrida() -> None:
    game = bid(table("2S 3H", "4D 9S", "5H 6C", turn_up="8H", options=PODRIDA), 1, 0)
    assert game.legal_bids() == [0, 2]
    play(bid(game, 0), "4D")
    assert game.legal_cards() == cards("5H")
    play(game, "5H")
    assert game.legal_cards() == cards("3H")  # lower than the five, and still owed
    play(game, "3H")
    assert game.voids == [{DIAMONDS}, set(), {DIAMONDS}]
    play(game, "6C 2S 9S")  # neither has a club or a heart left
    assert game.voids == [{DIAMONDS, CLUBS, HEARTS}, {CLUBS, HEARTS}, {DIAMONDS}]
    assert game.tricks == [0, 0, 2]
    assert game.scores() == [10, 0, 0]


# Scores


@pytest.mark.rule("V11")
@pytest.mark.rule("V15")
@pytest.mark.rule("V16")
@pytest.mark.parametrize(
    ("made", "tricks", "soft", "wizard", "penalty"),
    [
        (0, 0, 10, 20, 10),
        (3, 3, 13, 50, 13),
        (3, 2, 2, -10, -1),
        (3, 5, 5, -20, -2),
        (2, 0, 0, -20, -2),
        (0, 1, 1, -10, -1),
    ],
)
def test_v11_v15_v16_scorings(made: int, tricks: int, soft: int, wizard: int, penalty: int) -> None:
    assert ref.round_score(made, tricks, Options(scoring="soft")) == soft
    assert ref.round_score(made, tricks, Options(scoring="wizard")) == wizard
    assert ref.round_score(made, tricks, Options(scoring="penalty")) == penalty


@pytest.mark.rule("V12")
@pytest.mark.parametrize(
    ("scoring", "zero_missed_by_two", "three_made"),
    [("exact", 0, 13), ("soft", 2, 13), ("wizard", -20, 50), ("penalty", -2, 13)],
)
def test_v12_a_made_zero_is_five_and_the_hand_size(
    scoring: str, zero_missed_by_two: int, three_made: int
) -> None:
    options = Options(scoring=scoring, zero_bid="hand-size")
    assert ref.round_score(0, 0, options, hand_size=7) == 12
    assert ref.round_score(0, 0, options, hand_size=1) == 6
    assert ref.round_score(0, 2, options, hand_size=7) == zero_missed_by_two
    assert ref.round_score(3, 3, options, hand_size=7) == three_made


@pytest.mark.rule("V13")
@pytest.mark.parametrize(
    ("bids", "tricks", "options", "scores"),
    [
        ((1, 0, 0), (1, 0, 1), Options(), [21, 10, 0]),
        ((0, 0, 0), (0, 0, 2), Options(), [20, 20, 0]),  # both who tie for it
        ((0, 0, 1), (1, 1, 0), Options(), [0, 0, 0]),  # none at 0
        ((0, 0, 1), (1, 1, 0), Options(scoring="penalty"), [-1, -1, -1]),  # nor below
        ((0, 0, 1), (1, 1, 0), Options(scoring="soft"), [11, 11, 0]),
        ((0, 1, 0), (0, 1, 1), Options(scoring="wizard"), [20, 40, -10]),
        ((0, 1, 0), (0, 1, 1), Options(zero_bid="hand-size"), [7, 21, 0]),
        ((0, 1, 0), (0, 2, 0), Options(zero_bid="hand-size"), [17, 0, 17]),  # V12 first, then V13
    ],
)
def test_v13_ten_more_for_the_best_score_of_the_round(
    bids: tuple[int, ...], tricks: tuple[int, ...], options: Options, scores: list[int]
) -> None:
    with_bonus = Options(scoring=options.scoring, zero_bid=options.zero_bid, round_winner_bonus=True)
    assert ref.round_scores(bids, tricks, 2, with_bonus) == scores


@pytest.mark.rule("V13")
@pytest.mark.rule("B15")
def test_v13_extra_rounds_have_the_bonus_too() -> None:
    options = Options(round_winner_bonus=True, hand_sizes=(1,))
    game = bid(table("2C", "3C", "4C", turn_up="8S", options=options, number=1), 0, 1, 1)
    assert play(game, "3C 4C 2C").scores() == [0, 10, 21]


@pytest.mark.rule("B12")
@pytest.mark.rule("V14")
@pytest.mark.parametrize(("deduction", "scores"), [(0, [0, 10, 12]), (10, [-10, 10, 12])])
def test_b12_the_trick_of_a_revoke_stands_and_the_seat_scores_nothing(
    deduction: int, scores: list[int]
) -> None:
    options = Options(revoke_penalty=deduction)
    game = table("2C 3H", "4C 5H", "6C 7H", turn_up="8S", options=options)
    play(bid(game, 0, 2, 0), "4C 6C")
    assert game.legal_cards() == cards("2C")
    game.revoke(card("3H"))
    assert game.tricks == [0, 0, 1]
    play(game, "7H 2C 5H")
    assert game.voids == [{HEARTS}, set(), set()]  # no void in clubs: it held the two
    assert game.tricks == [0, 0, 2]
    assert game.scores() == scores


@pytest.mark.rule("B12")
def test_b12_only_an_illegal_card_is_a_revoke() -> None:
    game = play(bid(table("2C 3H", "4C 5H", "6C 7H", turn_up="8S"), 0, 2, 0), "4C 6C")
    with pytest.raises(AssertionError):
        game.revoke(card("2C"))


@pytest.mark.rule("B12")
@pytest.mark.rule("V13")
@pytest.mark.rule("V14")
@pytest.mark.parametrize(
    ("options", "scores"),
    [
        (BASE, [0, 10, 10]),
        (Options(revoke_penalty=10), [-10, 10, 10]),
        (Options(round_winner_bonus=True), [0, 20, 20]),  # the bonus goes by the scores after the revoke
        (Options(round_winner_bonus=True, revoke_penalty=10), [-10, 20, 20]),
        (Options(scoring="wizard", revoke_penalty=10), [-10, 20, 20]),
    ],
)
def test_b12_a_seat_named_as_caught_later_scores_nothing(options: Options, scores: list[int]) -> None:
    assert ref.round_scores((2, 0, 0), (2, 0, 0), 2, options, revoked={0}) == scores


@pytest.mark.rule("B12")
@pytest.mark.rule("V15")
def test_b12_the_score_is_zero_where_a_miss_costs_more() -> None:
    assert ref.round_scores((3, 3, 0), (0, 3, 0), 3, Options(scoring="wizard"), {0}) == [0, 50, 20]
