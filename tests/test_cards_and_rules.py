"""Cards as people write them, and every option of the rules that is refused."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

import reference as ref
import translate
from ohpshaw_sim import cards
from ohpshaw_sim.errors import ConflictError, IllegalError, MalformedError, OhPshawError
from ohpshaw_sim.rule_text import PRESETS
from ohpshaw_sim.rules import LONGEST_SCHEDULE, PLAYERS, Rules

PACK = [*cards.cards_in(cards.pack_mask())]
one_card = st.sampled_from(PACK)
masks = st.sets(one_card).map(cards.mask_of)


# Cards


def test_cards_are_lanes_of_sixteen() -> None:
    for suit, rank in ref.new_pack():
        card = cards.card_of(suit, rank)
        assert card == translate.number((suit, rank))
        assert (cards.suit_of(card), cards.rank_of(card)) == (suit, rank)
        assert 1 << card & cards.lane_of(suit)
    assert sum(cards.lane_of(suit) for suit in cards.SUITS) == 2**64 - 1


@pytest.mark.parametrize("symbols", [False, True])
def test_every_card_is_read_as_it_is_written(symbols: bool) -> None:
    written = [cards.format_card(card, symbols=symbols) for card in PACK]
    assert len(set(written)) == 52
    assert [cards.parse_card(text) for text in written] == PACK


@pytest.mark.parametrize("text", ["TH", "10H", "th", "10h", "T♥", "10♥", " tH "])
def test_a_ten_has_many_spellings(text: str) -> None:
    assert cards.parse_card(text) == 16 * cards.HEARTS + 10


def test_no_card_is_written_as_dashes() -> None:
    assert cards.format_card(cards.NO_CARD) == "--"
    assert cards.format_cards([14, cards.NO_CARD]) == "AC --"


@pytest.mark.parametrize("number", [-2, 0, 16, 64 + 2, 1000])
def test_a_number_that_is_no_card_is_not_written(number: int) -> None:
    with pytest.raises(MalformedError, match=f"{number} is no card"):
        cards.format_card(number)


def test_a_negative_mask_is_refused_and_not_read_for_ever() -> None:
    with pytest.raises(MalformedError, match="-5 is no mask"):
        next(cards.cards_in(-5))


@given(st.lists(one_card), st.booleans(), st.sampled_from([" ", ",", ", ", "\n"]))
def test_sequences_keep_their_order(sequence: list[int], symbols: bool, between: str) -> None:
    text = cards.format_cards(sequence, symbols=symbols)
    assert cards.parse_cards(text.replace(" ", between)) == sequence


@given(masks)
def test_masks_are_written_by_suit_with_high_cards_first(mask: int) -> None:
    text = cards.format_cards(mask)
    assert cards.mask_of(cards.parse_cards(text)) == mask
    suits = [
        [translate.card(card) for card in cards.cards_in(mask & cards.lane_of(suit))] for suit in range(4)
    ]
    best_first = [card for suit in suits for card in sorted(suit, reverse=True)]
    assert [translate.card(card) for card in cards.parse_cards(text)] == best_first


@given(st.sets(st.integers(0, 63)))
def test_masks_and_cards_go_round(chosen: set[int]) -> None:
    mask = cards.mask_of(chosen)
    assert mask == sum(1 << card for card in chosen)
    assert [*cards.cards_in(mask)] == sorted(chosen)
    assert cards.mask_of([*chosen, *chosen]) == mask


@pytest.mark.parametrize(
    "text", ["", "T", "H", "1H", "11H", "0H", "TX", "HT", "10", "TH2", "QQ", "A ♥♥", "♥A", "?C"]
)
def test_what_is_no_card_is_named(text: str) -> None:
    with pytest.raises(MalformedError, match=f"^{re.escape(repr(text))} is no card; write a rank"):
        cards.parse_card(text)


def test_the_card_at_fault_is_named_among_many() -> None:
    with pytest.raises(MalformedError, match="'1Z' is no card"):
        cards.parse_cards("AH, 10D 1Z KS")


@given(st.text(max_size=4))
def test_any_text_is_a_card_or_malformed(text: str) -> None:
    said = ""
    try:
        card = cards.parse_card(text)
    except MalformedError as error:
        said = str(error)
    else:
        assert cards.parse_card(cards.format_card(card)) == card
    assert not said or repr(text) in said


# Packs (V17)


@pytest.mark.rule("V17")
@pytest.mark.parametrize("suits", range(1, 5))
@pytest.mark.parametrize("ranks", range(2, 14))
def test_v17_packs_keep_the_first_suits_and_the_highest_ranks(suits: int, ranks: int) -> None:
    rules = Rules(pack=f"{suits}x{ranks}")
    assert translate.cards(rules.pack_mask) == sorted(ref.new_pack(suits, ranks))
    assert Rules(pack=f"{suits}X{ranks}") == rules
    for players in PLAYERS:
        if players <= suits * ranks:
            assert rules.largest_hand(players) == min(suits * ranks // players, 20)
            schedule = ref.ascending_schedule(players, suits * ranks)
            assert list(rules.schedule_for(players)) == schedule
            assert rules.tie_break_size(players) == schedule[-1]
        else:
            with pytest.raises(
                IllegalError, match=f"a pack of {suits}x{ranks} has fewer cards than {players} players"
            ):
                rules.schedule_for(players)


# Schedules (B4, B15)


@pytest.mark.rule("B4")
@pytest.mark.parametrize(("players", "last"), [(3, 15), (4, 13), (5, 10), (6, 8), (7, 7)])
def test_b4_hands_ascend_from_one_to_the_usual_last(players: int, last: int) -> None:
    assert Rules().schedule_for(players) == tuple(range(1, last + 1))
    assert PRESETS["oh-pshaw"].schedule_for(players) == Rules().schedule_for(players)


@pytest.mark.rule("B4")
@pytest.mark.parametrize("players", PLAYERS)
def test_b4_max_hand_may_be_as_large_as_the_pack_serves(players: int) -> None:
    for last in range(1, 52 // players + 1):
        assert Rules(max_hand=last).schedule_for(players) == tuple(range(1, last + 1))
    with pytest.raises(IllegalError, match=f"hand size {52 // players + 1} needs"):
        Rules(max_hand=52 // players + 1).schedule_for(players)


@pytest.mark.rule("B4", "B15")
@given(st.lists(st.integers(1, 7), min_size=1, max_size=LONGEST_SCHEDULE), st.none() | st.integers(1, 7))
def test_an_explicit_list_is_played_as_given(sizes: list[int], tie_break_hand: int | None) -> None:
    rules = Rules(hand_sizes=tuple(sizes), tie_break_hand=tie_break_hand)
    assert all(rules.schedule_for(players) == tuple(sizes) for players in PLAYERS)
    assert all(rules.tie_break_size(players) == (tie_break_hand or max(sizes)) for players in PLAYERS)


def test_rules_are_frozen_and_equal_by_value() -> None:
    rules = Rules(max_hand=3)
    with pytest.raises(ValidationError):
        rules.max_hand = 4
    assert rules == Rules(max_hand=3)
    assert len({rules, Rules(max_hand=3), Rules()}) == 2
    assert Rules.model_validate_json(rules.model_dump_json()) == rules


# What is refused, and how it is said


@pytest.mark.rule("B4", "V17")
@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"pack": "52"}, MalformedError, "'52' is no pack; write suits x ranks, as in 2x4 or 4x13 (V17)"),
        ({"pack": "4x"}, MalformedError, "'4x' is no pack; write suits x ranks, as in 2x4 or 4x13 (V17)"),
        (
            {"pack": "-4x13"},
            MalformedError,
            "'-4x13' is no pack; write suits x ranks, as in 2x4 or 4x13 (V17)",
        ),
        (
            {"pack": "4x13x2"},
            MalformedError,
            "'4x13x2' is no pack; write suits x ranks, as in 2x4 or 4x13 (V17)",
        ),
        ({"pack": ""}, MalformedError, "'' is no pack; write suits x ranks, as in 2x4 or 4x13 (V17)"),
        (
            {"pack": "5x13"},
            IllegalError,
            "there is no 5x13 pack; 1 to 4 suits of 2 to 13 ranks can be kept (V17)",
        ),
        (
            {"pack": "0x13"},
            IllegalError,
            "there is no 0x13 pack; 1 to 4 suits of 2 to 13 ranks can be kept (V17)",
        ),
        (
            {"pack": "4x14"},
            IllegalError,
            "there is no 4x14 pack; 1 to 4 suits of 2 to 13 ranks can be kept (V17)",
        ),
        (
            {"pack": "4x1"},
            IllegalError,
            "there is no 4x1 pack; 1 to 4 suits of 2 to 13 ranks can be kept (V17)",
        ),
        ({"hand_sizes": (0,)}, IllegalError, "hand size 0 is out of range; use 1 to 20"),
        ({"hand_sizes": (3, -2)}, IllegalError, "hand size -2 is out of range; use 1 to 20"),
        ({"hand_sizes": (3, 21)}, IllegalError, "hand size 21 is out of range; use 1 to 20"),
        ({"max_hand": 0}, IllegalError, "max_hand 0 is out of range; use 1 to 20"),
        ({"max_hand": 21}, IllegalError, "max_hand 21 is out of range; use 1 to 20"),
        ({"tie_break_hand": 0}, IllegalError, "tie_break_hand 0 is out of range; use 1 to 20"),
        ({"tie_break_hand": 99}, IllegalError, "tie_break_hand 99 is out of range; use 1 to 20"),
        (
            {"hand_sizes": (1, 2), "max_hand": 2},
            ConflictError,
            "max_hand has no meaning beside an explicit list of hand_sizes; give one of them",
        ),
        ({"hand_sizes": ()}, IllegalError, "a match of 0 rounds cannot be kept; give 1 to 54 hand_sizes"),
        (
            {"hand_sizes": (1,) * 55},
            IllegalError,
            "a match of 55 rounds cannot be kept; give 1 to 54 hand_sizes",
        ),
        ({"first_dealer": -1}, IllegalError, "first_dealer -1 is no seat; seats are 0 to the last player"),
        ({"first_dealer": 7}, IllegalError, "first_dealer 7 is no seat; seats are 0 to the last player"),
    ],
)
def test_options_that_make_no_game(options: dict[str, Any], error: type[OhPshawError], sentence: str) -> None:
    with pytest.raises(error) as caught:
        Rules(**options)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    "options", [{"joker": True}, {"max_hand": "many"}, {"hand_sizes": 3.5}, {"pack": 52}]
)
def test_options_that_do_not_exist_or_are_no_such_value(options: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match=next(iter(options))):
        Rules(**options)


@pytest.mark.rule("B1", "B4", "V17")
@pytest.mark.parametrize(
    ("rules", "players", "sentence"),
    [
        (Rules(), 2, "2 players make no game; Oh Pshaw is for 3 to 7 (B1)"),
        (Rules(), 8, "8 players make no game; Oh Pshaw is for 3 to 7 (B1)"),
        (Rules(), -3, "-3 players make no game; Oh Pshaw is for 3 to 7 (B1)"),
        (
            Rules(hand_sizes=(14,)),
            4,
            "hand size 14 needs 56 cards at 4 players; the 4x13 pack serves at most 13",
        ),
        (
            Rules(tie_break_hand=8),
            7,
            "tie_break_hand 8 needs 56 cards at 7 players; the 4x13 pack serves at most 7",
        ),
        (
            Rules(pack="2x4", max_hand=3),
            3,
            "hand size 3 needs 9 cards at 3 players; the 2x4 pack serves at most 2",
        ),
        (Rules(pack="1x2"), 3, "a pack of 1x2 has fewer cards than 3 players; use a larger pack"),
        (Rules(first_dealer=3), 3, "first_dealer 3 is no seat at 3 players"),
    ],
)
def test_rules_that_do_not_fit_the_players(rules: Rules, players: int, sentence: str) -> None:
    with pytest.raises(IllegalError) as caught:
        rules.schedule_for(players)
    assert str(caught.value) == sentence


@given(st.text(alphabet="0123456789xX-+. ٣", max_size=6))
def test_any_pack_is_read_or_refused_in_one_sentence(pack: str) -> None:
    said = ""
    try:
        rules = Rules(pack=pack)
    except OhPshawError as error:
        said = str(error)
    else:
        assert 2 <= rules.pack_mask.bit_count() <= 52
    assert not said or (pack in said and "\n" not in said)
