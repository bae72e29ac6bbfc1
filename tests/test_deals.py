"""Deals from a seed are the engine's, the same whatever is asked beside them; conditions count what they say."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from scipy import stats

from command_here import Command, command_here
from ohpshaw_sim.cards import (
    HEARTS,
    NO_CARD,
    NO_SUIT,
    SPADES,
    SUIT_LETTERS,
    cards_in,
    lane_of,
    mask_of,
    parse_card,
    parse_cards,
    rank_of,
    suit_of,
)
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.engine.stepping import RoundBegun, step_match
from ohpshaw_sim.errors import IllegalError, MalformedError
from ohpshaw_sim.kernels._jit import JIT_DISABLED
from ohpshaw_sim.records import deal_search
from ohpshaw_sim.records.conditions import SUBJECTS, check_conditions, read_conditions, satisfying
from ohpshaw_sim.records.deal_search import Search
from ohpshaw_sim.records.deals import Deal, Setting, deal_many, deal_record, setting_of
from ohpshaw_sim.records.measures import MEASURES
from ohpshaw_sim.rule_text import PRESETS, read_rules
from ohpshaw_sim.rules import Rules
from scripted import LOWEST, entrant

ROOT = Path(__file__).resolve().parents[1]
MANY: Final = 300 if JIT_DISABLED else 200_000
UNLIKELY: Final = 1e-4
"""A test this far out or further fails; the seed is fixed, so it does always or never."""


@pytest.fixture
def ohpshaw(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return command_here(monkeypatch, capsys)


# The deals themselves


@pytest.mark.parametrize("line", [*PRESETS, "oh-pshaw:no_trump_final=true,first_dealer=1", "river:pack=3x8"])
def test_deal_n_is_what_match_n_of_the_seed_plays_in_that_round(line: str) -> None:
    rules, players, seed = read_rules(line, **({} if "contract" in line else {"max_hand": 4})), 4, 11
    schedule = rules.schedule_for(players)
    for number in (0, 5):
        game = Game(rules, players, schedule, (entrant(LOWEST),) * players, (0,) * players)
        begun = [step for step in step_match(game, seed, number) if isinstance(step, RoundBegun)]
        for step in begun:
            setting = setting_of(rules, players, seed=seed, round_number=step.number)
            (deal,) = deal_many(setting, number, 1)
            assert (deal.dealer, deal.hands, deal.turn_up) == (step.dealer, step.hands, step.turn_up)
            assert max(deal.trump, NO_SUIT) == step.trump
            assert (deal.trump < NO_SUIT) == step.naming
            assert setting.hand_size == step.hand_size


def test_deals_are_the_same_whatever_is_dealt_beside_them() -> None:
    setting = setting_of(Rules(), 5, seed=3, hand_size=7)
    alone = [next(iter(deal_many(setting, number, 1))) for number in range(40, 50)]
    assert alone == list(deal_many(setting, 0, 60))[40:50]
    assert len({deal.hands for deal in deal_many(setting, 0, 60)}) == 60


@pytest.mark.rule("B5")
def test_another_dealer_moves_the_same_cards_to_other_seats() -> None:
    first, second = (
        next(iter(deal_many(setting_of(Rules(), 3, seed=3, hand_size=5, dealer=dealer), 7, 1)))
        for dealer in (0, 1)
    )
    assert second.hands == (first.hands[2], *first.hands[:2])
    assert (second.turn_up, second.dealer) == (first.turn_up, 1)


@pytest.mark.rule("V8")
def test_every_card_of_the_pack_is_dealt_turned_or_in_the_stock() -> None:
    rules = PRESETS["wizard"]
    for deal in deal_many(setting_of(rules, 6, seed=1, hand_size=6), 0, 20):
        cards = [*deal.hands, 1 << deal.turn_up, deal.stock(rules)]
        assert sum(cards) == rules.pack_mask
        assert sum(mask.bit_count() for mask in cards) == 60


@pytest.mark.rule("V2", "B15")
def test_a_round_is_found_by_its_number_or_its_hand_size() -> None:
    river = PRESETS["river"]
    assert setting_of(river, 4, seed=0, hand_size=12).round_number == 12  # the first of two
    assert setting_of(river, 4, seed=0, round_number=14).hand_size == 12
    assert setting_of(river, 4, seed=0).hand_size == 12  # 13 cards would leave no trump
    assert setting_of(Rules(hand_sizes=(3, 2)), 4, seed=0, hand_size=9).round_number == 1
    assert setting_of(Rules(max_hand=4, tie_break_hand=2), 4, seed=0, round_number=5).hand_size == 2


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"round_number": 24}, "there is no round 24"),
        ({"round_number": 0}, "there is no round 0"),
        ({"hand_size": 14}, "hand size 14 cannot be dealt"),
        ({"dealer": 4}, "dealer 4 is no seat"),
    ],
)
def test_rounds_that_cannot_be_are_refused(asked: dict[str, int], reason: str) -> None:
    with pytest.raises(IllegalError, match=reason):
        setting_of(Rules(), 4, seed=0, **asked)


# Conditions


def plainly(measure: str, cards: list[int], deal: Deal, rules: Rules) -> int:
    """What a measure means, card by card."""
    suited = [card for card in cards if 2 <= rank_of(card) <= 14]
    trumps = sorted((rank_of(card) for card in suited if suit_of(card) == deal.trump), reverse=True)
    lengths = [
        sum(suit_of(card) == suit for card in suited) for suit in range(4) if rules.pack_mask & lane_of(suit)
    ]
    if measure in ("clubs", "diamonds", "hearts", "spades"):
        return sum(SUIT_LETTERS[suit_of(card)] == measure[0].upper() for card in suited)
    if measure == "sure-trumps":
        above = [rank for rank in range(14, 1, -1) if suit_of(deal.turn_up) * 16 + rank != deal.turn_up]
        return next((place for place, rank in enumerate(above) if rank not in trumps), len(above))
    ranks = {"aces": 14, "kings": 13, "queens": 12, "jacks": 11, "wizards": 15, "jesters": 1}
    if measure in ranks:
        return sum(rank_of(card) == ranks[measure] for card in cards)
    return {
        "trumps": len(trumps),
        "highest-trump": max(trumps, default=0),
        "voids": lengths.count(0),
        "singletons": lengths.count(1),
        "longest": max(lengths),
        "points": sum(max(rank_of(card) - 10, 0) for card in suited),
    }[measure]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("line", ["oh-pshaw", "wizard", "contract-whist", "oh-pshaw:pack=3x8"])
def test_measures_count_what_they_say(measure: str, line: str) -> None:
    rules = read_rules(line)
    deals = deal_many(setting_of(rules, 4, seed=2, hand_size=5), 0, 300)
    counted = MEASURES[measure].of(deals.hands, deals)
    for row, deal in enumerate(deals):
        assert [plainly(measure, list(cards_in(hand)), deal, rules) for hand in deal.hands] == list(
            counted[row]
        )


@pytest.mark.parametrize(
    ("subject", "hands"),
    [
        ("eldest", lambda deal: [deal.hands[(deal.dealer + 1) % 4]]),
        ("dealer", lambda deal: [deal.hands[deal.dealer]]),
        ("seat 2", lambda deal: [deal.hands[2]]),
        ("seat0", lambda deal: [deal.hands[0]]),
        ("3", lambda deal: [deal.hands[3]]),
        ("any", lambda deal: deal.hands),
        ("turn-up", lambda deal: [1 << deal.turn_up]),
        ("stock", lambda deal: [deal.stock(Rules())]),
    ],
)
def test_subjects_are_who_they_say(subject: str, hands: Callable[[Deal], list[int]]) -> None:
    deals = deal_many(setting_of(Rules(), 4, seed=2, hand_size=5), 0, 400)
    found = [deal.number for deal in satisfying(read_conditions(f"{subject} hearts>=1"), deals)]
    assert found == [deal.number for deal in deals if any(hand & lane_of(HEARTS) for hand in hands(deal))]
    assert len(found) > 0


@pytest.mark.parametrize(
    ("sign", "holds"),
    [
        ("=", lambda n: n == 2),
        ("==", lambda n: n == 2),
        ("!=", lambda n: n != 2),
        ("<", lambda n: n < 2),
        ("<=", lambda n: n <= 2),
        (">", lambda n: n > 2),
        (">=", lambda n: n >= 2),
        ("≥", lambda n: n >= 2),
    ],
)
def test_signs_compare_as_they_look(sign: str, holds: Callable[[int], bool]) -> None:
    deals = deal_many(setting_of(Rules(), 4, seed=2, hand_size=5), 0, 300)
    found = [deal.number for deal in satisfying(read_conditions(f"1 spades {sign} 2"), deals)]
    assert found == [deal.number for deal in deals if holds((deal.hands[1] & lane_of(SPADES)).bit_count())]


def test_all_conditions_must_hold_and_all_is_every_seat() -> None:
    deals = deal_many(setting_of(Rules(), 4, seed=2, hand_size=5), 0, 2000)
    found = [
        deal.number
        for deal in satisfying(read_conditions("all trumps>=1, Dealer Aces=0 and any void>=2"), deals)
    ]
    expected = [
        deal.number
        for deal in deals
        if all(hand & lane_of(deal.trump) for hand in deal.hands)
        and not deal.hands[deal.dealer] & mask_of(parse_cards("AC AD AH AS"))
        and any(sum(not hand & lane_of(suit) for suit in range(4)) >= 2 for hand in deal.hands)
    ]
    assert found == expected
    assert 0 < len(found) < len(deals)


def test_a_card_may_be_asked_for_and_a_rank_compared_with() -> None:
    deals = deal_many(setting_of(Rules(), 4, seed=2, hand_size=5), 0, 500)
    held = satisfying(read_conditions("0 AS=1"), deals)
    assert len(held)
    assert all(deal.hands[0] >> parse_card("AS") & 1 for deal in held)
    queens = satisfying(read_conditions("0 highest trump=Q"), deals)
    assert len(queens)
    assert all(deal.hands[0] >> (16 * deal.trump + 12) & 1 for deal in queens)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("eldst trumps>=3", "'eldst' in 'eldst trumps>=3' is nobody at the table (did you mean 'eldest'?)"),
        ("eldest trmps>=3", "'trmps' in 'eldest trmps>=3' is nothing to count (did you mean 'trumps'?)"),
        ("eldest trumps", "'eldest trumps' is no condition; write WHOSE WHAT OP NUMBER"),
        ("trumps>=3", "'trumps>=3' must say whose cards"),
        ("eldest trumps>=three", "'three' in 'eldest trumps>=three' is no number"),
        ("eldest trumps>=3,", "'' is no condition"),
    ],
)
def test_what_is_no_condition_is_told_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(MalformedError) as raised:
        read_conditions(text)
    assert str(raised.value).startswith(sentence)


@pytest.mark.parametrize(
    ("rules", "asked", "text", "reason"),
    [
        (Rules(), {}, "4 aces=1", "there is no seat 4"),
        (Rules(), {"hand_size": 13}, "any trumps>=1", "round 13 with 13 cards each has no trump"),
        (Rules(no_trump_final=True), {"round_number": 13, "hand_size": 5}, "any trumps>=1", "has no trump"),
        (PRESETS["contract-whist"], {}, "turn-up aces=1", "no card is turned"),
        (Rules(), {}, "any wizards>=1", "no Wizards"),
        (Rules(pack="2x6"), {"hand_size": 2}, "any spades>=1", "has no spades"),
    ],
)
def test_conditions_without_sense_are_refused(
    rules: Rules, asked: dict[str, int], text: str, reason: str
) -> None:
    setting = setting_of(rules, 4, seed=0, **asked)
    with pytest.raises(IllegalError, match=reason):
        check_conditions(read_conditions(text), setting)


# How rare


@pytest.mark.parametrize(("players", "hand_size"), [(4, 5), (3, 15), (7, 7)])
@pytest.mark.parametrize("subject", ["eldest", "dealer", "seat 1"])
def test_trumps_in_a_hand_are_hypergeometric(players: int, hand_size: int, subject: str) -> None:
    """Of the 51 cards that are not turned 12 are trumps, and a hand is `hand_size` of these 51."""
    deals = deal_many(setting_of(Rules(), players, seed=4, hand_size=hand_size), 0, MANY)
    for trumps in (0, 1, 3):
        found = len(satisfying(read_conditions(f"{subject} trumps={trumps}"), deals))
        chance = float(stats.hypergeom(51, 12, hand_size).pmf(trumps))
        assert stats.binomtest(found, MANY, chance).pvalue > UNLIKELY


def test_one_card_leaves_three_voids_and_four_aces_are_as_rare_as_they_must_be() -> None:
    setting = setting_of(Rules(), 4, seed=4, hand_size=13)
    deals = deal_many(setting, 0, MANY)
    chance = 4 * float(stats.hypergeom(52, 4, 13).pmf(4))  # no two seats can have them
    found = len(satisfying(read_conditions("any aces=4"), deals))
    assert stats.binomtest(found, MANY, chance).pvalue > UNLIKELY
    ones = deal_many(setting_of(Rules(), 4, seed=4, hand_size=1), 0, 100)
    assert len(satisfying(read_conditions("all voids=3"), ones)) == 100


def searched(text: str, wanted: int, tries: int, **asked: int) -> tuple[Search, list[Deal]]:
    search = Search(
        setting_of(Rules(), 4, seed=5, **asked),
        read_conditions(text),
        wanted,
        tries,
    )
    return search, list(search.run())


def test_a_search_finds_the_first_deals_and_counts_a_whole_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deal_search, "AT_ONCE", 100)
    monkeypatch.setattr(deal_search, "SAMPLE", 1000)
    search, found = searched("eldest trumps>=3", 5, 10_000, hand_size=5)
    all_hits = list(satisfying(read_conditions("eldest trumps>=3"), deal_many(search.setting, 0, 1000)))
    assert found == all_hits[:5]
    assert (search.tried, search.hits) == (1000, len(all_hits)) == search.sampled[::-1]


def test_beyond_the_sample_a_search_ends_at_its_last_find_which_is_not_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(deal_search, "AT_ONCE", 100)
    monkeypatch.setattr(deal_search, "SAMPLE", 50)
    search, found = searched("eldest trumps>=4", 3, 10_000, hand_size=5)
    hits = list(satisfying(read_conditions("eldest trumps>=4"), deal_many(search.setting, 0, search.tried)))
    assert found == hits
    assert found[-1].number == search.tried - 1 > 50
    assert search.sampled == (2, search.tried - 1)


def test_a_search_without_enough_ends_at_its_tries() -> None:
    search, found = searched("eldest trumps>=6", 1, 777, hand_size=5)
    assert (found, search.tried, search.sampled) == ([], 777, (0, 777))


# Records


@pytest.mark.parametrize("line", [*PRESETS, "blackout:hand_sizes=3/4"])
@pytest.mark.parametrize("round_number", [2, None])
def test_records_hold_rounds_that_the_engine_plays(line: str, round_number: int | None) -> None:
    setting = setting_of(read_rules(line), 4, seed=8, round_number=round_number)
    for deal in deal_many(setting, 0, 10):
        record: dict[str, Any] = json.loads(json.dumps(deal_record(setting, deal)))
        rules = read_rules(record["rules"])
        assert rules == setting.rules
        trump = record.get("trump")
        table = Round.start(
            rules,
            record["players"],
            record["hand_size"],
            record["dealer"],
            [mask_of(parse_cards(hand)) for hand in record["hands"]],
            parse_card(record["turn_up"]) if "turn_up" in record else NO_CARD,
            trump=None if trump is None else NO_SUIT if trump == "none" else SUIT_LETTERS.index(trump),
        )
        assert tuple(table.hands) == deal.hands
        assert (record["seed"], record["round"]) == (8, setting.round_number)
        assert record["comment"] == f"deal {deal.number} of seed 8"


def test_rounds_start_from_the_arrays_of_deals() -> None:
    deals = deal_many(setting_of(Rules(), 4, seed=8, round_number=3), 0, 5)
    for row, deal in enumerate(deals):
        table = Round.start(Rules(), 4, 3, deals.dealers[row], deals.hands[row], deals.turn_ups[row])
        assert (tuple(table.hands), table.view.turn_up) == (deal.hands, deal.turn_up)


# The command


def test_the_command_shows_hands_with_trump_first(ohpshaw: Command) -> None:
    said = ohpshaw(
        "deal", "--seed", "1", "--players", "5", "--hand-size", "5", "--from", "3", "--count", "2", "--stock"
    )
    assert said.lines[:8] == [
        "Deal 3: 5 cards each, K♠ turned up, trump spades",
        "  seat 0 dealer  ♠ 5   ♥ J4  ♦ 7  ♣ 9",
        "  seat 1 eldest  ♠ Q3  ♥ 5   ♦ –  ♣ QJ",
        "  seat 2         ♠ 9   ♥ K6  ♦ –  ♣ 84",
        "  seat 3         ♠ 7   ♥ 3   ♦ 3  ♣ T3",
        "  seat 4         ♠ 2   ♥ 72  ♦ 8  ♣ 7",
        "  stock          ♠ AJT864  ♥ AQT98  ♦ AKQJT96542  ♣ AK652",
        "",
    ]
    assert said.lines[8].startswith("Deal 4: ")
    assert said.err == "seed 1, round 5\n"


@pytest.mark.parametrize("players", range(3, 8))
@pytest.mark.parametrize("line", ["oh-pshaw", "wizard", "blackout"])
def test_hands_fit_into_eighty_columns(players: int, line: str, ohpshaw: Command) -> None:
    largest = max(read_rules(line).schedule_for(players))
    words = (
        "--rules",
        line,
        "--players",
        str(players),
        "--hand-size",
        str(largest),
        "--stock",
        "--count",
        "40",
    )
    assert max(map(len, ohpshaw("deal", "--seed", "1", *words).lines)) <= 80


@pytest.mark.rule("V6")
def test_the_same_seed_gives_the_same_deals_whatever_the_count(ohpshaw: Command) -> None:
    words = ("deal", "--seed", "6", "--format", "json", "--rules", "contract-whist", "--round", "3")
    many = ohpshaw(*words, "--count", "20").lines
    assert ohpshaw(*words, "--count", "4").lines == many[:4]
    assert ohpshaw(*words, "--count", "4", "--from", "9").lines == many[9:13]
    assert {json.loads(line)["trump"] for line in many} == {"D"}  # hearts, clubs, diamonds, ...


def test_a_seed_that_was_drawn_is_shown(ohpshaw: Command) -> None:
    said = ohpshaw("deal", "--format", "json")
    assert said.err == f"seed {json.loads(said.out)['seed']}, round 12\n"


def test_a_search_tells_how_rare_its_finds_are(ohpshaw: Command) -> None:
    words = (
        "deal",
        "--seed",
        "5",
        "--hand-size",
        "5",
        "--where",
        "eldest trumps=2",
        "--count",
        "3",
        "--tries",
        "1000",
    )
    said = ohpshaw(*words, "--format", "json")
    assert len(said.lines) == 3
    setting = Setting(Rules(), 4, 5, 5, None, 5)
    hits = len(satisfying(read_conditions("eldest trumps=2"), deal_many(setting, 0, 1000)))
    low, high = stats.binomtest(hits, 1000).proportion_ci(method="wilson")
    assert f"{hits} of 1,000 deals tried satisfy this: {hits / 10:g} % (95 % interval" in said.err
    told = said.err.partition("interval ")[2].replace("%", "").partition(")")[0].split(" to ")
    assert np.allclose([float(part) / 100 for part in told], [low, high], atol=1e-4)
    assert "shown: the first 3 of these" in said.err


def test_a_search_in_vain_shows_what_it_found_and_fails(ohpshaw: Command) -> None:
    setting = setting_of(Rules(), 4, seed=5, hand_size=5)
    hits = list(satisfying(read_conditions("eldest trumps=4"), deal_many(setting, 0, 5000)))
    assert hits
    words = (
        "--seed",
        "5",
        "--hand-size",
        "5",
        "--where",
        "eldest trumps=4",
        "--tries",
        "5000",
        "--format",
        "json",
    )
    said = ohpshaw("deal", *words, "--count", "4000", code=1)
    assert [json.loads(line) for line in said.lines] == [deal_record(setting, deal) for deal in hits]
    assert f"the search ended after 5,000 tries with {len(hits)} of 4000 deals found" in said.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--where", "eldest trmps=1"], "did you mean 'trumps'?"),
        (["--players", "8"], "8 players make no game"),
        (["--rules", "rivr"], "did you mean 'river'?"),
        (["--round", "99"], "there is no round 99"),
        (["--hand-size", "5", "--dealer", "5"], "dealer 5 is no seat"),
    ],
)
def test_wrong_requests_are_answered_with_a_sentence(
    words: list[str], sentence: str, ohpshaw: Command
) -> None:
    said = ohpshaw("deal", *words, code=2)
    assert said.out == ""
    assert sentence in said.err
    assert said.err.count("\n") == 1


def test_help_and_the_document_name_every_word_of_a_condition(ohpshaw: Command) -> None:
    page = (ROOT / "docs" / "deals.md").read_text("utf-8")
    shown = ohpshaw("deal", "--help").out
    for word in (*SUBJECTS, *MEASURES):
        assert f"`{word}`" in page
        assert word in shown
