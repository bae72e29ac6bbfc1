"""Score sheets: an evening worked by hand, evenings of chance against the referee, layouts, refusals, mutations."""

import json
import random
import re

import pytest

import reference as ref
from ohpshaw_sim.engine.round_scores import round_scores
from ohpshaw_sim.errors import OhPshawError
from ohpshaw_sim.records.sheet_export import sheet_facts, sheet_frame
from ohpshaw_sim.records.sheet_reading import read_sheet, rules_of
from ohpshaw_sim.records.sheet_scores import score_sheet
from ohpshaw_sim.records.sheet_standings import ScoredSheet, TieBreak
from ohpshaw_sim.rules import Rules
from sheets import Evening, as_json, as_long, as_wide, random_evening
from sheets import rules_of as rules_for

HEAD = "round,cards,dealer,Ann bid,Ann tricks,Bob bid,Bob tricks,Cem bid,Cem tricks,Dan bid,Dan tricks,revoke,misdeal\n"
EVENING = (
    HEAD
    + """\
1,1,Bob,0,0,1,1,0,0,0,0,,
2,2,Cem,1,1,0,0,1,0,1,1,Dan caught-before,
3,3,Dan,,,,,,,,,,yes
3,3,Dan,2,2,0,0,0,0,1,1,Ann caught-later,
4,4,Ann,0,0,1,2,2,1,1,1,,
"""
)
"""Totals, worked by hand, with a penalty of 10:

    Ann 10 + 11 - 10 + 10 = 21; Bob 11 + 10 + 10 + 0 = 31; Cem 10 + 0 + 10 + 0 = 20; Dan 10 + 11 + 11 + 11 = 43
"""
FOUR = Rules(hand_sizes=(1, 2, 3, 4), revoke_penalty=10)


def scored(text: str, rules: Rules | None = None, source: str = "evening.csv", **how: bool) -> ScoredSheet:
    return score_sheet(read_sheet(text, source), rules, **how)


def refusal(text: str, rules: Rules | None = None, source: str = "evening.csv", **how: bool) -> str:
    with pytest.raises(OhPshawError) as caught:
        scored(text, rules, source, **how)
    return str(caught.value)


def rows(*lines: str) -> str:
    return "".join([HEAD, *(f"{line}\n" for line in lines)])


# The evening worked by hand


@pytest.mark.rule("B7", "B9", "B12", "B13", "B14", "V14")
def test_an_evening_is_scored_as_by_hand() -> None:
    sheet = scored(EVENING, FOUR, check_schedule=True)
    assert sheet.players == ("Ann", "Bob", "Cem", "Dan")
    assert [one.state for one in sheet.rounds] == ["scored", "scored", "misdeal", "scored", "scored"]
    assert [one.number for one in sheet.rounds] == [1, 2, 3, 3, 4]
    assert [sheet.players[one.dealer or 0] for one in sheet.rounds] == ["Bob", "Cem", "Dan", "Dan", "Ann"]
    assert [one.announcement for one in sheet.rounds] == ["even", "over", None, "even", "even"]
    assert [one.points for one in sheet.scored] == [
        (10, 11, 10, 10),
        (11, 10, 0, 11),
        (-10, 10, 10, 11),
        (10, 0, 0, 11),
    ]
    assert [one.totals for one in sheet.scored] == [
        (10, 11, 10, 10),
        (21, 21, 10, 21),
        (11, 31, 20, 32),
        (21, 31, 20, 43),
    ]
    assert sheet.ranks == (3, 2, 4, 1)
    assert sheet.leaders == (3,)
    assert sheet.complete
    assert sheet.tie_break is None


def test_hits_count_bids_hit_even_where_a_revoke_cost_the_points() -> None:
    sheet = scored(EVENING, FOUR)
    assert [(one.player, one.hits, one.rounds) for one in sheet.standings] == [
        ("Dan", 4, 4),
        ("Bob", 3, 4),
        ("Ann", 4, 4),
        ("Cem", 2, 4),
    ]


TIED = rows("1,1,Ann,0,0,1,1,1,0,0,0,,", "2,2,Bob,1,1,0,1,1,0,1,0,,", "3,3,Cem,0,0,1,1,0,0,1,2,,")
"""Ann 10 + 11 + 10 = 31, Bob 11 + 0 + 11 = 22, Cem 0 + 0 + 10 = 10, Dan 10 + 0 + 0 = 10."""
LEVEL = rows("1,1,Ann,0,0,0,0,1,1,1,0,,", "2,2,Bob,1,1,1,1,0,0,1,0,,")
"""Ann and Bob 10 + 11 = 21, Cem 11 + 10 = 21, Dan 0."""


@pytest.mark.rule("B15")
def test_ranks_are_1_2_2_4_style() -> None:
    assert scored(TIED, Rules(hand_sizes=(1, 2, 3))).ranks == (1, 2, 3, 3)


@pytest.mark.rule("B15")
def test_a_tie_on_top_says_what_is_to_be_played_and_by_whom() -> None:
    sheet = scored(LEVEL, Rules(hand_sizes=(1, 2)))
    assert sheet.totals == (21, 21, 21, 0)
    assert sheet.ranks == (1, 1, 1, 4)
    assert sheet.tie_break == TieBreak(hand_size=2, dealer=2, players=(0, 1, 2))
    assert scored(LEVEL, Rules(hand_sizes=(1, 2), tie_break_hand=5)).tie_break == TieBreak(5, 2, (0, 1, 2))


@pytest.mark.rule("B15")
def test_tie_break_rounds_are_kept_apart_and_rank_only_the_tied() -> None:
    first = LEVEL + "tie-break,2,Cem,1,1,1,1,1,0,0,0,,\n"
    sheet = scored(first, Rules(hand_sizes=(1, 2)), check_schedule=True)
    assert sheet.totals == (21, 21, 21, 0)
    assert sheet.ranks == (1, 1, 3, 4)  # Dan's 10 in the tie-break count for nothing
    assert sheet.tie_break == TieBreak(2, 3, (0, 1))
    second = first + "tie-break 2,2,Dan,1,0,0,0,0,0,2,2,,\n"
    over = scored(second, Rules(hand_sizes=(1, 2)), check_schedule=True)
    assert over.ranks == (2, 1, 3, 4)
    assert [one.extra for one in over.standings] == [(11, 10), (11, 0), (0, None), (None, None)]
    assert over.tie_break is None
    assert [one.number for one in over.rounds] == [1, 2, 3, 4]


def test_a_tie_break_round_may_be_marked_in_a_column_of_its_own_and_go_on_counting() -> None:
    text = LEVEL.replace("misdeal", "extra") + "3,2,Cem,1,1,1,1,1,0,0,0,,x\n"
    assert scored(text, Rules(hand_sizes=(1, 2))).ranks == (1, 1, 3, 4)


@pytest.mark.rule("B9", "B16")
def test_an_unfinished_round_counts_for_nothing_and_is_announced() -> None:
    sheet = scored(LEVEL + "3,3,Cem,1,,2,,1,,0,,,\n4,4,Dan,,,,,,,,,,\n", Rules())
    assert [one.state for one in sheet.rounds] == ["scored", "scored", "under way"]
    assert (sheet.rounds[-1].announcement, sheet.rounds[-1].bids) == ("over", (1, 2, 1, 0))
    assert sheet.totals == (21, 21, 21, 0)
    assert not sheet.complete
    assert sheet.leaders == (0, 1, 2)  # B16: they share it
    assert sheet.tie_break is None


@pytest.mark.rule("B15", "B16")
def test_a_tie_break_round_under_way_breaks_no_tie_yet() -> None:
    sheet = scored(LEVEL + "tie-break,2,Cem,1,,1,,0,,1,,,\n", Rules(hand_sizes=(1, 2)))
    assert (sheet.ranks, sheet.extra, sheet.complete) == ((1, 1, 1, 4), [], True)
    assert sheet.tie_break == TieBreak(2, 2, (0, 1, 2))
    assert {one.extra for one in sheet.standings} == {()}


def test_bids_that_are_still_being_made_are_shown_without_an_announcement() -> None:
    last = scored(LEVEL + "3,3,Cem,1,,,,,,0,,,\n").rounds[-1]
    assert (last.bids, last.announcement) == ((1, None, None, 0), None)


def test_a_sheet_without_a_round_ranks_everyone_first() -> None:
    sheet = scored(HEAD)
    assert (sheet.totals, sheet.ranks, sheet.rounds) == ((0, 0, 0, 0), (1, 1, 1, 1), ())


@pytest.mark.rule("B13", "V11", "V13", "V15", "V16")
@pytest.mark.parametrize(
    ("rules", "points"),
    [
        (Rules(), [0, 10, 13, 0]),
        (Rules(scoring="soft"), [2, 10, 13, 0]),
        (Rules(scoring="wizard"), [-10, 20, 50, -20]),
        (Rules(scoring="penalty"), [-1, 10, 13, -2]),
        (Rules(zero_bid="hand-size"), [0, 10, 13, 0]),
        (Rules(round_winner_bonus=True), [0, 10, 23, 0]),
    ],
)
def test_every_scoring_is_the_engines(rules: Rules, points: list[int]) -> None:
    assert round_scores(rules, 5, [1, 0, 3, 2], [2, 0, 3, 0]) == points


@pytest.mark.rule("B12", "V13", "V14")
def test_the_bonus_goes_by_what_a_revoke_leaves() -> None:
    rules = Rules(round_winner_bonus=True, revoke_penalty=10)
    assert round_scores(rules, 3, [3, 0, 0], [3, 0, 0], revoked=[0]) == [-10, 20, 20]


# Evenings of chance against the referee


def judged(evening: Evening, text: str, source: str) -> ScoredSheet:
    return score_sheet(read_sheet(text, source, evening.names), rules_for(evening), check_schedule=True)


@pytest.mark.rule("B3", "B7", "B9", "B12", "B13", "B14", "B15", "V11", "V12", "V13", "V14", "V15", "V16")
@pytest.mark.parametrize("seed", range(60))
def test_random_evenings_come_to_what_the_referee_says_in_every_layout(seed: int) -> None:
    evening = random_evening(seed)
    draw = random.Random(seed)
    texts = [
        (as_wide(evening, draw.choice(",;\t"), draw.choice(["", "\ufeff"])), "wide.csv"),
        (as_long(evening, draw), "long.csv"),
        (as_json(evening), "sheet.json"),
    ]
    sheets = [judged(evening, text, source) for text, source in texts]
    match, sheet = evening.match, sheets[0]
    assert sheets[1] == sheet
    assert sheets[2] == sheet
    done = [one for one in sheet.rounds if one.state == "scored"]
    played = [row for row in evening.rows if not row.misdeal]
    assert [list(one.points or ()) for one in done] == evening.scores
    assert [one.announcement for one in done] == [ref.announce(row.bids, row.hand_size) for row in played]
    assert list(sheet.totals) == match.totals()
    assert list(sheet.ranks) == match.ranks()
    assert list(sheet.leaders) == match.leaders()
    assert sheet.dealer == match.dealer
    due = not match.rounds_to_go and len(match.leaders()) > 1 and len(match.extra) < 10
    assert (sheet.tie_break is not None) == due


def test_random_evenings_have_every_feature() -> None:
    evenings = [random_evening(seed) for seed in range(60)]
    assert sum(len(one.match.extra) > 0 for one in evenings) >= 5
    assert sum(len(one.match.extra) > 1 for one in evenings) >= 1
    assert sum(any(row.misdeal for row in one.rows) for one in evenings) >= 5
    assert sum(any(row.revokes for row in one.rows) for one in evenings) >= 5
    assert {one.options.scoring for one in evenings} == set(ref.WORDS["scoring"])


# Reading


def test_players_are_seated_by_columns_unless_seats_are_given() -> None:
    text = "cards,dealer,Bob bid,Bob tricks,ann bid,Ann tricks,Cem bid,Cem tricks\n"
    text += "1,Ann,0,0,1,1,0,0\n2,Bob,0,0,1,1,1,1\n"
    assert "it is Cem's turn" in refusal(text)
    sheet = score_sheet(read_sheet(text, "evening.csv", ["Ann", "Bob", "Cem"]))
    assert sheet.players == ("Ann", "Bob", "Cem")
    assert sheet.totals == (22, 20, 21)


def test_names_agree_whatever_their_accents_are_made_of() -> None:
    text = (
        "cards,dealer,José bid,José tricks,Bob bid,Bob tricks,Cem bid,Cem tricks\n1,Jose\u0301,0,0,1,1,0,0\n"
    )
    assert scored(text).totals == (10, 11, 10)


def test_lines_may_end_in_any_way_and_be_blank_and_numbers_may_be_like_a_spreadsheets() -> None:
    text = TIED.replace("\n", "\r").replace("3,3,Cem", "\r \r3.0, 3 ,Cem")
    assert scored(text).totals == scored(TIED).totals
    wrong = refusal(text.replace("Cem,0,0", "Cem,4,0"))
    assert wrong.startswith('evening.csv: row 6, column "Ann bid": a bid of 4')


def test_a_revoke_may_stand_in_a_column_of_the_player() -> None:
    text = TIED.replace(",revoke,", ",Ann revoke,").replace("0,0,,\n2", "0,0,caught later,\n2")
    assert scored(text).rounds[0].points == (0, 11, 0, 10)


def test_points_that_somebody_reckoned_must_be_right() -> None:
    text = TIED.replace(",revoke,", ",Bob points,").replace("0,0,,\n2", "0,0,%s,\n2")
    assert scored(text % "11").rounds[0].points == (10, 11, 0, 10)
    assert refusal(text % "12").endswith(
        'row 2, column "Bob points": the points of Bob are 11 by the rules, not 12'
    )
    total = TIED.replace(",revoke,", ",Bob total,").replace("1,0,,\n3", "1,0,21,\n3")
    assert refusal(total).endswith('row 3, column "Bob total": the total of Bob is 11 by the rules, not 21')


def test_rules_may_stand_in_json() -> None:
    text = '{"rules": {"preset": "oh-hell", "max_hand": 5}, "players": ["A", "B", "C"], "rounds": []}'
    assert rules_of(read_sheet(text, "sheet.json")) == Rules(hook=True, max_hand=5)
    assert scored(text).rules == Rules(hook=True, max_hand=5)


def test_a_dealer_is_needed_once() -> None:
    text = re.sub(r"(Bob|Cem),(?=[01],[01],[01])", ",", TIED)
    assert text != TIED
    assert [one.dealer for one in scored(text).rounds] == [0, 1, 2]


# Refusals


@pytest.mark.rule("B3", "B7", "B8", "B15")
@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            ("1,1,Ann,0,0,1,1,0,1,0,0,,",),
            'row 2, columns "Ann tricks", "Bob tricks", "Cem tricks", "Dan tricks": the',
        ),
        (
            ("1,1,Ann,0,0,2,1,0,0,0,0,,",),
            'row 2, column "Bob bid": a bid of 2 in a round of 1 card; bid 0 to 1 (B8)',
        ),
        (("1,1,Ann,0,0,-1,1,0,0,0,0,,",), 'row 2, column "Bob bid": a bid of -1'),
        (("1,1,Ann,0,0,1,2,0,0,0,0,,",), 'row 2, column "Bob tricks": 2 tricks in a round of 1 card'),
        (
            ("1,1,Ann,0,0,one,1,0,0,0,0,,",),
            "row 2, column \"Bob bid\": the bid is 'one'; it should be a whole number",
        ),
        (("1,1,Ann,0,0,0.5,1,0,0,0,0,,",), "the bid is '0.5'"),
        (("1,1,Ann,0,0,,1,0,0,0,0,,",), 'row 2, column "Bob bid": the bid of Bob is missing'),
        (("1,1,Ann,0,0,1,,0,0,0,0,,",), 'row 2, column "Bob tricks": the tricks of Bob are missing'),
        (
            ("1,1,Ann,0,,1,,0,,0,,,", "2,2,Bob,0,1,1,1,0,0,0,0,,"),
            'row 2, column "Ann tricks": the tricks of Ann',
        ),
        (("1,,Ann,0,0,1,1,0,0,0,0,,",), 'row 2, column "cards": the hand size is missing'),
        (("1,1,,0,0,1,1,0,0,0,0,,",), 'row 2, column "dealer": the dealer of the first round is missing'),
        (("1,1,Dam,0,0,1,1,0,0,0,0,,",), "there is no player 'Dam' (did you mean 'Dan'?)"),
        (
            ("1,14,Ann,0,0,1,1,0,0,0,0,,",),
            "hand size 14 cannot be dealt; the 4x13 pack serves 1 to 13 cards to 4",
        ),
        (("1,0,Ann,0,0,0,0,0,0,0,0,,",), "hand size 0 cannot be dealt"),
        (
            ("1,1,Ann,0,0,1,1,0,0,0,0,,", "2,1,Ann,0,0,1,1,0,0,0,0,,"),
            'row 3, column "dealer": Ann deals, but it is Bob',
        ),
        (
            ("1,1,Ann,,,,,,,,,,x", "1,1,Bob,0,0,1,1,0,0,0,0,,"),
            "it is Ann who deals again after the misdeal (B3)",
        ),
        (("2,1,Ann,0,0,1,1,0,0,0,0,,",), 'row 2, column "round": the round is 2, but round 1 comes next'),
        (("one,1,Ann,0,0,1,1,0,0,0,0,,",), "the round is 'one'; it should be a number, or \"tie-break\""),
        (("1,1,Ann,0,0,1,1,0,0,0,0,,perhaps",), "row 2, column \"misdeal\": 'perhaps' is neither yes nor no"),
        (("1,1,Ann,0,0,1,1,0,0,0,0,Bob,",), "'Bob' should name a player and say when it was found"),
        (("1,1,Ann,0,0,1,1,0,0,0,0,Bpb caught-later,",), "there is no player 'Bpb' (did you mean 'Bob'?)"),
        (("1,1,Ann,0,0,1,1,0,0,0,0,,,,7",), "row 2: '7' stands in column 15, which has no heading"),
        (("tie-break,1,Ann,0,0,1,1,0,0,0,0,,",), "there is no tie to break; nothing is scored (B15)"),
        (
            ("1,1,Ann,0,0,1,1,0,0,0,0,,", "extra,1,Bob,0,0,1,1,0,0,0,0,,"),
            "no tie to break; Bob leads alone (B15)",
        ),
    ],
)
def test_a_refusal_names_file_row_and_column(lines: tuple[str, ...], said: str) -> None:
    sentence = refusal(rows(*lines))
    assert sentence.startswith("evening.csv: row ")
    assert said in sentence
    assert "\n" not in sentence


@pytest.mark.rule("V1")
def test_the_hook_binds_the_dealer_and_nobody_else() -> None:
    text = rows("1,2,Ann,1,2,1,0,0,0,0,0,,")
    scored(text)
    scored(text, Rules(hook=True, hook_from=3))
    assert 'row 2, column "Ann bid": Ann deals and may not bid 1' in refusal(text, Rules(hook=True))
    scored(text.replace("Ann,1,2", "Ann,2,2"), Rules(hook=True))
    assert "may not bid" in refusal(rows("1,2,Ann,1,,1,,0,,0,,,"), Rules(hook=True))


@pytest.mark.rule("B4", "B15")
def test_hand_sizes_are_checked_against_the_schedule_only_if_asked_for() -> None:
    scored(TIED, Rules(hand_sizes=(1, 3)))
    assert 'row 3, column "cards": hand size 2, but round 2 of the schedule has 3' in refusal(
        TIED, Rules(hand_sizes=(1, 3)), check_schedule=True
    )
    assert "the schedule ends after 2 rounds" in refusal(TIED, Rules(hand_sizes=(1, 2)), check_schedule=True)
    tie = LEVEL + "tie-break,3,Cem,1,1,1,1,1,0,0,1,,\n"
    assert "a tie-break round has 2" in refusal(tie, Rules(hand_sizes=(1, 2)), check_schedule=True)
    assert "after 2 of the 3 rounds" in refusal(tie, Rules(hand_sizes=(1, 2, 3)), check_schedule=True)


@pytest.mark.rule("B15")
def test_the_schedule_is_over_once_a_tie_break_is_played_and_ten_are_enough() -> None:
    extra = "".join(f"tie-break,2,{'CemDanAnnBob'[3 * (n % 4) :][:3]},1,1,1,1,1,0,0,0,,\n" for n in range(11))
    lines = (LEVEL + extra).splitlines(keepends=True)
    ten = scored("".join(lines[:-1]), Rules(hand_sizes=(1, 2)))
    assert (ten.ranks, ten.tie_break) == ((1, 1, 3, 4), None)
    assert "after 10 tie-break rounds the rank is shared" in refusal("".join(lines))
    assert "cannot follow a tie-break round" in refusal("".join([*lines[:4], "4,1,Dan,0,0,0,0,0,0,1,1,,\n"]))


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (
            "cards,dealer,Ann bid,Ann trikcs,Bob bid,Bob tricks",
            'column "Ann trikcs" is none of a score sheet\'s (did you',
        ),
        (
            "hand,delaer,Ann bid,Ann tricks",
            'column "delaer" is none of a score sheet\'s (did you mean "dealer"?)',
        ),
        (
            "cards,dealer,Ann bid,Bob bid,Bob tricks,Cem bid,Cem tricks",
            'there is a column "Ann bid", but no "Ann tricks"',
        ),
        ("cards,dealer,Ann bid,Ann tricks,ann bid", 'the columns "Ann bid" and "ann bid" are the same'),
        ("cards,hand size,dealer", 'the columns "cards" and "hand size" are the same'),
        ("cards,dealer,A bid,A tricks,B bid,B tricks", "2 players make no game"),
        ("cards,dealer", "no column is a player's"),
        ("round,player,bid,trick", 'column "trick" is none of a score sheet\'s (did you mean "tricks"?)'),
        ("player,bid,tricks", 'there must be a column "round"'),
        ("", "there is nothing in it"),
        ('"cards', "it cannot be read as CSV"),
    ],
)
def test_a_wrong_heading_is_told(head: str, said: str) -> None:
    assert said in refusal(head + "\n")


LONG = "round,cards,dealer,player,bid,tricks\n1,1,Ann,Ann,0,0\n1,1,Ann,Bob,1,1\n1,1,Ann,Cem,0,0\n"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            "2,2,Bob,Ann,0,0\n2,2,Bob,Ann,1,1\n",
            'row 6, column "player": Ann stands in this round already, in row 5',
        ),
        (
            "2,2,Bob,Ann,0,0\n2,2,Bob,Bbo,1,1\n",
            "row 6, column \"player\": there is no player 'Bbo' (did you mean 'Bob'?)",
        ),
        ("2,2,Bob,Ann,0,0\n2,2,Bob,Bob,1,1\n", "rows 5 to 6: the bid of Cem is missing"),
        (
            "2,2,Bob,Ann,0,0\n2,3,Bob,Bob,1,1\n",
            "row 6, column \"cards\": '3' contradicts '2' of the same round in row 5",
        ),
        (",2,Bob,Ann,0,0\n", 'row 5, column "round": the round is missing'),
        ("2,2,Bob,,0,0\n", 'row 5, column "player": the player is missing'),
        (
            "2,2,,Ann,0,0\n2,2,,Bob,1,1\n2,,,Cem,1,0\n",
            'rows 5 to 7, column "tricks": the tricks add up to 1 in a round of',
        ),
    ],
)
def test_rows_of_players_are_refused_by_row(lines: str, said: str) -> None:
    assert said in refusal(LONG + lines)


ROUND = '{"players": ["Ann", "Bob", "Cem"], "rounds": [%s]}'
FIRST = '"cards": 1, "dealer": "Ann"'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "the sheet is []; it should be a table"),
        ('{"players": ["Ann"', "row 1, column 19: it is no JSON"),
        ('{"player": []}', "the sheet has a key \"player\" (did you mean 'players'?)"),
        ('{"players": ["Ann"]}', 'the sheet needs "rounds", a list'),
        ('{"players": ["Ann", 3, "Bob"], "rounds": []}', '"players" has 3, which is no name'),
        ('{"players": ["Ann", "Bob"], "rounds": []}', "2 players make no game"),
        ('{"players": ["Ann", "Bob", "ann"], "rounds": []}', "ann is two players"),
        (
            '{"rules": "rivr", "players": ["A", "B", "C"], "rounds": []}',
            "\"rules\": there are no rules named 'rivr'",
        ),
        (ROUND % "7", 'item 1 of "rounds" is 7; it should be a table'),
        (ROUND % '{"crads": 1}', 'item 1 of "rounds" has a key "crads"'),
        (ROUND % '{"cards": 1, "hand_size": 1}', '"hand_size" stands twice, under another name'),
        (ROUND % f'{{{FIRST}, "bids": [0, 0, 2]}}', 'item 1 of "rounds", "bids" of "Cem": a bid of 2'),
        (ROUND % f'{{{FIRST}, "bids": [0, 0, 1, 0]}}', '"bids" has 4 values for 3 players'),
        (ROUND % f'{{{FIRST}, "bids": {{"Ann": 0, "Ann": 1}}}}', "'Ann' stands twice in one place"),
        (
            ROUND % f'{{{FIRST}, "bids": {{"Ann": 0, "Cm": 1}}}}',
            "there is no player 'Cm' (did you mean 'Cem'?)",
        ),
        (ROUND % f'{{{FIRST}, "bids": [0, 0, true]}}', "the bid is True; it should be a whole number"),
        (
            ROUND % f'{{{FIRST}, "bids": [0, 0, 1], "tricks": [1, 1, 0]}}',
            '"rounds", "tricks": the tricks add up to 2',
        ),
    ],
)
def test_json_is_refused_by_item_and_key(text: str, said: str) -> None:
    sentence = refusal(text, source="sheet.json")
    assert sentence.startswith("sheet.json: ")
    assert said in sentence


# For programs


def test_json_and_rows_carry_all_of_it() -> None:
    sheet = scored(LEVEL + "3,3,Cem,1,,2,,1,,0,,,\n", Rules(hand_sizes=(1, 2)))
    facts = sheet_facts(sheet)
    assert facts["tie_break"] == {"hand_size": 2, "dealer": "Cem", "players": ["Ann", "Bob", "Cem"]}
    assert facts["rounds"][2]["announcement"] == "over"
    frame = sheet_frame(sheet)
    assert len(frame) == 3 * 4
    ann = frame[frame["player"] == "Ann"]
    assert ann["total"].tolist() == [10, 21, 21]
    assert ann["points"].dropna().tolist() == [10, 11]
    assert set(ann["tie_break_dealer"]) == {"Cem"}
    assert frame.groupby("player")["plays_tie_break"].first().to_dict() == {
        "Ann": True,
        "Bob": True,
        "Cem": True,
        "Dan": False,
    }
    assert list(sheet_frame(scored(HEAD)).columns) == list(frame.columns)


# Mutations


NOISE = [
    "",
    ",",
    ";",
    "\t",
    '"',
    "\n",
    "\r",
    "-1",
    "99999999999999999999",
    "1e400",
    "x",
    "yes",
    "tie-break",
    "\0",
    "é",
]
NOISE += [
    "\ud800",
    "[",
    "{",
    "}",
    "]",
    "null",
    "NaN",
    "true",
    "[" * 5000,
    "9" * 5000,
    "\u202e",
    "\ufeff",
    "player",
    ":",
]


def mutated(text: str, draw: random.Random) -> str:
    """A text with cells that have changed places, or with noise in it."""
    if draw.random() < 0.5:
        for _ in range(draw.randint(1, 3)):
            words = list(re.finditer(r"[\w -]+", text))
            one, other = draw.choice(words), draw.choice(words)
            text = text[: one.start()] + draw.choice([other[0], "7", ""]) + text[one.end() :]
        return text
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(text) + 1)
        cut = draw.choice([0, 1, 1, 2, 10])
        text = text[:at] + draw.choice([*NOISE, text[at : at + 40]]) + text[at + cut :]
    return text


def written(layout: str, evening: Evening, draw: random.Random) -> str:
    if layout == "long.csv":
        return as_long(evening, draw)
    rules = draw.choice(["river:max_hand=5", {"preset": "oh-hell", "hand_sizes": [1, 2, 3], "hook": False}])
    return as_wide(evening) if layout == "wide.csv" else as_json(evening, rules=rules)


@pytest.mark.parametrize("layout", ["wide.csv", "long.csv", "sheet.json"])
def test_mutated_sheets_are_scored_or_refused_in_a_sentence(layout: str) -> None:
    refused = 0
    for seed in range(400):
        draw = random.Random(seed)
        try:
            sheet = scored(mutated(written(layout, random_evening(seed % 40), draw), draw), source=layout)
            json.dumps(sheet_facts(sheet), ensure_ascii=False).encode()
            sheet_frame(sheet)
        except OhPshawError as error:
            refused += 1
            sentence = str(error)
            assert sentence.startswith(f"{layout}: "), seed
            assert sentence.isprintable(), seed
            assert 20 < len(sentence) < 500, seed
    assert 200 < refused < 400  # some mutations do no harm, most do
