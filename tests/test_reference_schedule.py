"""The referee's plan of a match: hand sizes, where trump comes from, and the options that are refused."""

import pytest

import reference as ref
from reference import BASE, CLUBS, DIAMONDS, HEARTS, SPADES, Options
from reference_table import cards, table

# Hand sizes


@pytest.mark.rule("B4")
@pytest.mark.parametrize(("players", "last"), [(3, 15), (4, 13), (5, 10), (6, 8), (7, 7)])
def test_b4_hand_sizes_ascend_from_one_to_the_last(players: int, last: int) -> None:
    assert ref.ascending_schedule(players) == list(range(1, last + 1))


@pytest.mark.rule("B4")
def test_b4_the_last_hand_size_may_be_set_as_far_as_the_cards_go() -> None:
    assert ref.ascending_schedule(3, max_hand=17)[-1] == 17
    with pytest.raises(AssertionError):
        ref.ascending_schedule(3, max_hand=18)


@pytest.mark.rule("V17")
def test_v17_hand_sizes_follow_from_the_pack() -> None:
    assert ref.ascending_schedule(3, cards=8) == [1, 2]


@pytest.mark.rule("B4")
@pytest.mark.parametrize(("players", "last"), [(3, 15), (4, 13), (5, 10), (6, 8), (7, 7)])
def test_b4_without_options_the_schedule_ascends(players: int, last: int) -> None:
    assert ref.schedule(BASE, players) == list(range(1, last + 1))


@pytest.mark.rule("B4")
def test_b4_a_last_hand_or_a_list_may_be_given() -> None:
    assert ref.schedule(Options(max_hand=3), 4) == [1, 2, 3]
    assert ref.schedule(Options(hand_sizes=(5, 1, 5)), 4) == [5, 1, 5]


@pytest.mark.rule("V2")
@pytest.mark.rule("V3")
@pytest.mark.rule("V4")
@pytest.mark.parametrize(
    ("way", "sizes"),
    [
        ("up-down", [1, 2, 3, 2, 1]),  # V2: the peak once
        ("down", [3, 2, 1]),  # V3
        ("down-up", [3, 2, 1, 2, 3]),  # V4: the one-card round once
    ],
)
def test_v2_v3_v4_schedules(way: str, sizes: list[int]) -> None:
    assert ref.schedule(Options(schedule=way, max_hand=3), 4) == sizes


@pytest.mark.rule("V2")
@pytest.mark.rule("V4")
def test_v2_v4_of_one_card_are_one_round() -> None:
    assert ref.schedule(Options(schedule="up-down", max_hand=1), 4) == [1]
    assert ref.schedule(Options(schedule="down-up", max_hand=1), 4) == [1]


@pytest.mark.rule("V2")
def test_v2_the_peak_is_the_base_games_last_hand() -> None:
    assert ref.schedule(Options(schedule="up-down"), 6) == [1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1]


@pytest.mark.rule("V5")
@pytest.mark.parametrize("players", [3, 7])
def test_v5_contract_whist_goes_from_seven_to_one_and_back(players: int) -> None:
    sizes = ref.schedule(Options(schedule="contract-whist"), players)
    assert sizes == [7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7]


@pytest.mark.rule("V8")
@pytest.mark.parametrize(("players", "last"), [(3, 20), (4, 15), (5, 12), (6, 10), (7, 8)])
def test_v8_hand_sizes_go_as_far_as_the_60_cards(players: int, last: int) -> None:
    assert ref.schedule(Options(wizard=True), players) == list(range(1, last + 1))


@pytest.mark.rule("V17")
def test_v17_other_schedules_follow_from_the_pack_too() -> None:
    assert ref.schedule(Options(suits=2, ranks=4, schedule="down-up"), 3) == [2, 1, 2]  # 8 cards
    assert ref.schedule(Options(ranks=12), 4) == list(range(1, 13))  # 48 cards
    assert ref.schedule(Options(ranks=12), 5) == list(range(1, 10))


# Where trump comes from


@pytest.mark.rule("V6")
def test_v6_trump_rotates_hearts_clubs_diamonds_spades() -> None:
    options = Options(trump="rotate")
    trumps = [table("2C", "3C", "4C", turn_up=None, options=options, number=k).trump for k in range(5)]
    assert trumps == [HEARTS, CLUBS, DIAMONDS, SPADES, HEARTS]


@pytest.mark.rule("V6")
@pytest.mark.rule("B5")
def test_v6_nothing_is_turned_and_the_next_card_stays_in_the_stock() -> None:
    assert not ref.turns_up(Options(trump="rotate"), 3, 0)
    deal = ref.deal_out(cards("2C 3C 4C 8D 9S"), players=3, hand_size=1, dealer=0, turn=False)
    assert deal.turn_up is None
    assert deal.stock == cards("8D 9S")
    pack = ref.new_pack()
    assert ref.misdeal(deal, pack, 1, turn=False) is None
    assert ref.misdeal(deal, pack, 1) == "wrong turn-up"
    deal.turn_up = deal.stock[0]
    assert ref.misdeal(deal, pack, 1, turn=False) == "wrong turn-up"


@pytest.mark.rule("V6")
@pytest.mark.rule("V17")
def test_v6_a_smaller_pack_rotates_the_suits_it_has() -> None:
    three, two, one = (Options(trump="rotate", suits=suits) for suits in (3, 2, 1))
    assert [ref.trump_of_round(three, 3, k, None) for k in range(4)] == [HEARTS, CLUBS, DIAMONDS, HEARTS]
    assert [ref.trump_of_round(two, 3, k, None) for k in range(3)] == [CLUBS, DIAMONDS, CLUBS]
    assert [ref.trump_of_round(one, 3, k, None) for k in range(2)] == [CLUBS, CLUBS]


@pytest.mark.rule("B6")
@pytest.mark.rule("V6")
def test_b6_a_rotating_trump_stands_where_every_card_is_dealt() -> None:
    options = Options(trump="rotate")
    assert ref.schedule(options, 4)[12] == 13  # four times thirteen is the pack
    deal = ref.deal_out(ref.new_pack(), players=4, hand_size=13, dealer=0, turn=False)
    assert ref.Round(deal, 0, options, number=12).trump == HEARTS
    assert ref.misdeal(deal, ref.new_pack(), 13, turn=False) is None


@pytest.mark.rule("V7")
@pytest.mark.rule("B15")
def test_v7_only_the_last_round_is_no_trump_and_no_extra_round_is() -> None:
    options = Options(no_trump_final=True, hand_sizes=(1, 2, 3))
    assert [ref.turns_up(options, 3, k) for k in range(5)] == [True, True, False, True, True]
    assert table("2C", "3C", "4C", turn_up=None, options=options, number=2).trump is None
    assert table("2C", "3C", "4C", turn_up="8D", options=options, number=1).trump == DIAMONDS
    assert table("2C", "3C", "4C", turn_up="8D", options=options, number=3).trump == DIAMONDS


@pytest.mark.rule("V6")
@pytest.mark.rule("V7")
@pytest.mark.rule("B15")
def test_v6_v7_the_rotation_goes_on_through_the_last_round_and_extra_rounds() -> None:
    options = Options(no_trump_final=True, trump="rotate", hand_sizes=(1, 2, 3))
    match = ref.Match.start(options, 3, dealer=0)
    trumps = []
    for scores in ([10, 10, 0], [0, 0, 0], [0, 0, 0], [10, 10, 0], [10, 0, 0]):
        assert not match.over
        trumps.append(ref.trump_of_round(options, 3, match.number, None))
        match.record(scores)
    assert match.over
    assert trumps == [HEARTS, CLUBS, None, SPADES, HEARTS]


@pytest.mark.rule("V7")
@pytest.mark.rule("V8")
def test_v7_the_last_round_of_the_wizard_pack_turns_nothing_either() -> None:
    options = Options(no_trump_final=True, wizard=True)
    assert [ref.turns_up(options, 7, k) for k in (6, 7, 8)] == [True, False, True]  # eight rounds
    assert not table("2C", "3C", "4C", "5C", "6C", "7C", "8C", turn_up=None, options=options, number=7).naming


# The options


@pytest.mark.rule("B1")
def test_b1_three_to_seven_play() -> None:
    assert [players for players in range(10) if ref.refused(BASE, players) is None] == [3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    ("options", "players", "reason"),
    [
        pytest.param(options, players, reason, marks=pytest.mark.rule(reason.split()[0].strip(":")))
        for options, players, reason in [
            (Options(hook=True, bidding="simultaneous"), 4, "V1 with V9: nobody bids last"),
            (Options(hook=True, hook_from=0), 4, "V1: the hook starts at a hand size"),
            (Options(wizard=True, ranks=12), 4, "V17 with V8"),
            (Options(suits=5), 4, "V17: 1 to 4 suits of 2 to 13 ranks"),
            (Options(suits=4, ranks=1), 4, "V17: 1 to 4 suits of 2 to 13 ranks"),
            (Options(ranks=14), 4, "V17: 1 to 4 suits of 2 to 13 ranks"),
            (Options(suits=1, ranks=6), 7, "V17: fewer cards than players"),
            (Options(hand_sizes=(1, 14)), 4, "B4: a hand size that the pack cannot serve"),
            (Options(hand_sizes=(0, 1)), 4, "B4: a hand size that the pack cannot serve"),
            (Options(hand_sizes=()), 4, "B4: no hand sizes"),
            (Options(hand_sizes=(1,), max_hand=3), 4, "B4: an explicit list of hand sizes has its largest"),
            (
                Options(hand_sizes=(1,), schedule="down"),
                4,
                "B4: an explicit list of hand sizes is the schedule",
            ),
            (Options(max_hand=18), 3, "B4: a hand size that the pack cannot serve"),
            (Options(max_hand=0), 3, "B4: a hand size that the pack cannot serve"),
            (Options(tie_break_hand=14), 4, "B4: a hand size that the pack cannot serve"),
            (
                Options(schedule="contract-whist", max_hand=7),
                4,
                "V5: contract-whist has its own hand sizes",
            ),
            (
                Options(schedule="contract-whist", ranks=12),
                7,
                "V5: the pack cannot serve seven cards to each",
            ),
            (Options(revoke_penalty=5), 4, "V14: the further deduction is 0 or 10"),
        ]
    ],
)
def test_refused(options: Options, players: int, reason: str) -> None:
    assert ref.refused(options, players) == reason


def test_unknown_words_are_refused() -> None:
    assert ref.refused(Options(scoring="hard"), 4) == "scoring is one of exact, soft, wizard, penalty"


@pytest.mark.rule("B4")
@pytest.mark.rule("V8")
@pytest.mark.rule("V17")
@pytest.mark.parametrize(
    ("options", "players"),
    [
        (Options(max_hand=17), 3),
        (Options(max_hand=20, wizard=True), 3),  # V8: 60 cards
        (Options(hook=True, must_trump=True), 7),  # podrida
        (Options(schedule="contract-whist", trump="rotate"), 7),  # 49 cards
        (Options(schedule="contract-whist", ranks=7), 4),  # all 28 cards
        (Options(suits=1, ranks=7), 7),
        (Options(wizard=True, must_trump=True, trump="rotate", bidding="simultaneous"), 5),
    ],
)
def test_not_refused(options: Options, players: int) -> None:
    assert ref.refused(options, players) is None
