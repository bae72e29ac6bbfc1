"""The judge of round records, case by case: what each rule says, by hand."""

from typing import Any

import pytest

from ohpshaw_sim.cards import HEARTS, NO_SUIT, SPADES, mask_of, parse_card, parse_cards
from ohpshaw_sim.engine.checks import check_deal
from ohpshaw_sim.errors import IllegalError, MalformedError
from ohpshaw_sim.records.judge import judge
from ohpshaw_sim.records.reasons import why_won
from ohpshaw_sim.records.verdict import Decision, Status, Turn, Verdict
from ohpshaw_sim.rules import Rules

ROUND: dict[str, Any] = {
    "players": 3,
    "dealer": 2,
    "hand_size": 2,
    "turn_up": "7H",
    "hands": ["AS 3H", "KS 4D", "2S 5C"],
    "bids": [1, 0, 0],
    "plays": "AS KS 2S, 3H 4D 5C",
}
"""Seat 0 leads, and wins both tricks: spades, then trump."""
BLIND: dict[str, Any] = {key: value for key, value in ROUND.items() if key != "hands"}


def breach(**changes: Any) -> tuple[str, int | None, str | None, int | None]:
    """Rule, seat, card and trick of the first breach of ROUND with these changes; None leaves a key out."""
    verdict = verdict_of(**changes)
    assert verdict.status is Status.broken
    assert verdict.turn is None
    found = verdict.breach
    assert found is not None
    assert "\n" not in found.sentence
    card = None if found.card is None else next(word for word in WORDS if parse_card(word) == found.card)
    return found.rule, found.seat, card, found.trick


WORDS = [rank + suit for rank in "23456789TJQKAWF" for suit in "CDHS"]


def verdict_of(**changes: Any) -> Verdict:
    changed = {**ROUND, **changes}
    return judge({key: value for key, value in changed.items() if value is not None})


def turn_of(**changes: Any) -> Turn:
    verdict = verdict_of(**changes)
    assert verdict.status is Status.unfinished, verdict.breach
    assert verdict.turn is not None
    return verdict.turn


# A round in order


@pytest.mark.rule("B9", "B10", "B11", "B13")
def test_a_finished_round_has_everything() -> None:
    verdict = judge(ROUND)
    assert verdict.status is Status.finished
    assert (verdict.trump, verdict.announcement, verdict.bids) == (HEARTS, "under", (1, 0, 0))
    assert (verdict.leaders, verdict.winners, verdict.tricks) == ((0, 0), (0, 0), (2, 0, 0))
    assert verdict.voids == (0, 1 << HEARTS, 1 << HEARTS)
    assert verdict.scores == (0, 10, 10)
    assert (verdict.turn, verdict.breach) == (None, None)


def test_claims_that_are_right_change_nothing() -> None:
    assert judge({**ROUND, "winners": [0, 0], "tricks": [2, 0, 0], "scores": [0, 10, 10]}) == judge(ROUND)


def test_what_a_trick_is_won_by() -> None:
    wizard: dict[str, Any] = {**BLIND, "rules": "wizard", "hand_size": 1, "bids": [0, 0, 0]}
    cases = {
        "AS KS 2S": "highest spade led",
        "AS 2H 3S": "the only trump",
        "3H 2H AS": "highest trump",
        "AS WC WS": "the first Wizard",
        "FC FD FS": "all Jesters: the first",
        "FC 3D AS": "highest diamond led",
    }
    for plays, why in cases.items():
        verdict = judge({**wizard, "plays": plays})
        (trick,) = verdict.played
        assert why_won(trick.cards, trick.winning_card, verdict.trump or 0) == why
    no_trump = judge({**wizard, "turn_up": "FH", "plays": "AS KS 2S"})
    assert no_trump.trump == NO_SUIT
    (trick,) = no_trump.played
    assert why_won(trick.cards, trick.winning_card, NO_SUIT) == "highest spade led"


# The deal


@pytest.mark.rule("B1", "B3", "B4", "B5", "B6", "B7", "V6", "V7", "V8", "V17")
@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"players": 2, "bids": None}, ("B1", None, None, None)),
        ({"players": 8, "bids": None}, ("B1", None, None, None)),
        ({"dealer": 3}, ("B3", 3, None, None)),
        ({"hand_size": 0}, ("B4", None, None, None)),
        ({"hand_size": 18}, ("B4", None, None, None)),
        ({"turn_up": None}, ("B5", None, None, None)),
        ({"hand_size": 2, "rules": "oh-pshaw:pack=1x6"}, ("B6", None, "7H", None)),
        ({"turn_up": None, "trump": "S"}, ("B5", None, None, None)),
        ({"trump": "S"}, ("B5", None, "7H", None)),
        ({"trump": "none"}, ("B5", None, "7H", None)),
        ({"turn_up": None, "trump": "none"}, ("V7", None, None, None)),
        ({"rules": "contract-whist"}, ("V6", None, None, None)),
        ({"rules": "contract-whist", "turn_up": None}, ("V6", None, None, None)),
        ({"hands": ["AS 3H", "KS 4D"]}, ("B7", None, None, None)),
        ({"hands": ["AS 3H", "KS 4D", "2S"]}, ("B7", 2, None, None)),
        ({"hands": ["AS 3H", "KS 4D", "AS 5C"]}, ("B7", 2, "AS", None)),
        ({"hands": ["AS AS", "KS 4D", "2S 5C"]}, ("B7", 0, "AS", None)),
        ({"hands": [None, "WS 4D", None]}, ("B7", 1, "WS", None)),
        ({"turn_up": "3H"}, ("B7", None, "3H", None)),
        ({"rules": "oh-pshaw:pack=1x2"}, ("V17", None, None, None)),
        ({"rules": "wizard", "turn_up": "FH", "trump": "H"}, ("V8", None, "FH", None)),
        ({"rules": "wizard", "turn_up": "WH"}, ("V8", 2, None, None)),
        ({"rules": "wizard", "turn_up": "WH", "trump": "none"}, ("V8", 2, None, None)),
    ],
)
def test_a_deal_that_cannot_be_is_refused(changes: dict[str, Any], found: tuple[Any, ...]) -> None:
    assert breach(**changes) == found


@pytest.mark.rule("B6")
def test_nothing_is_turned_where_every_card_is_dealt() -> None:
    four: dict[str, Any] = {"players": 4, "dealer": 0, "hand_size": 13}
    for more in ({}, {"trump": None}, {"trump": "none"}, {"turn_up": None}):
        assert judge({**four, **more}).trump == NO_SUIT
    assert judge({**four, "turn_up": "2C"}).breach is not None


@pytest.mark.rule("V6", "V7")
def test_trump_that_takes_turns_is_written_down() -> None:
    least = {"players": 3, "dealer": 0, "hand_size": 2}
    assert judge({**least, "rules": "contract-whist", "trump": "S"}).trump == SPADES
    assert judge({**least, "rules": "blackout", "trump": "none"}).trump == NO_SUIT
    assert judge({**least, "rules": "blackout"}).trump == NO_SUIT


@pytest.mark.rule("B7")
def test_deals_are_refused_where_the_engine_refuses_them() -> None:
    def engine_refuses(hands: list[str], turn_up: str) -> bool:
        try:
            masks = [mask_of(parse_cards(hand)) for hand in hands]
            check_deal(Rules(), 3, 2, masks, parse_card(turn_up))
        except IllegalError:
            return True
        return False

    words = ["AS 3H", "KS 4D", "2S 5C", "2S 3H", "AS", "AS KS 2S", "FC 2C", "2D 2D", "7H 8H"]
    for one in words:
        for other in words:
            for turned in ("7H", "4D", "WC"):
                hands = ["AS 3H", one, other]
                verdict = judge(
                    {"players": 3, "dealer": 0, "hand_size": 2, "hands": hands, "turn_up": turned}
                )
                refused = verdict.breach is not None
                assert refused == engine_refuses(hands, turned), (hands, turned)
                assert not refused or (verdict.breach and verdict.breach.rule == "B7")


# Naming trump and bidding


@pytest.mark.rule("V8")
def test_a_wizard_turned_has_the_dealer_name_trump_first() -> None:
    turn = turn_of(rules="wizard", turn_up="WH", bids=None, plays=None)
    assert (turn.seat, turn.decision, turn.legal) == (2, Decision.name_trump, 0b1111)
    named = turn_of(rules="wizard", turn_up="WH", trump="S", bids=None, plays=None)
    assert (named.seat, named.decision, named.legal) == (0, Decision.bid, 0b111)


@pytest.mark.rule("B8", "V1")
@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"bids": [3, 0, 0]}, ("B8", 0, None, None)),
        ({"bids": [1, -1, 0]}, ("B8", 1, None, None)),
        ({"bids": [None, 1, None]}, ("B8", 1, None, None)),
        ({"bids": [1, 0, None]}, ("B8", 0, "AS", 1)),
        ({"bids": None}, ("B8", 0, "AS", 1)),
        ({"rules": "oh-hell", "bids": [1, 0, 1]}, ("V1", 2, None, None)),
        ({"rules": "oh-hell", "bids": [1, 0, 3]}, ("B8", 2, None, None)),
    ],
)
def test_a_bid_that_cannot_be_is_refused(changes: dict[str, Any], found: tuple[Any, ...]) -> None:
    assert breach(**changes) == found


@pytest.mark.rule("V1")
def test_the_hook_leaves_the_dealer_other_bids() -> None:
    turn = turn_of(rules="oh-hell", bids=[1, 0, None], plays=None)
    assert (turn.seat, turn.legal, turn.waiting) == (2, 0b101, (2,))
    assert "(V1)" in turn.sentence
    assert turn_of(rules="oh-hell:hook_from=3", bids=[1, 0, None], plays=None).legal == 0b111
    assert verdict_of(rules="oh-hell", bids=[2, 1, 0]).status is Status.finished


@pytest.mark.rule("V9")
def test_bids_at_the_same_time_come_in_any_order() -> None:
    turn = turn_of(rules="oh-pshaw:bidding=simultaneous", bids=[None, 1, None], plays=None)
    assert (turn.seat, turn.legal, turn.waiting) == (0, 0b111, (0, 2))
    assert "seats 2" in turn.sentence


# Play


@pytest.mark.rule("B2", "B5", "B10", "V8")
@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"plays": "AS 4D"}, ("B10", 1, "4D", 1)),
        ({"plays": "KS"}, ("B10", 0, "KS", 1)),
        ({"plays": "AS KS 2S AS"}, ("B2", 0, "AS", 2)),
        ({"plays": "AS KS 2S KS"}, ("B2", 0, "KS", 2)),
        ({"plays": "AS KS 7H"}, ("B5", 2, "7H", 1)),
        ({"plays": "AS WC"}, ("V8", 1, "WC", 1)),
        ({"plays": "AS KS 2S 3H 4D 5C 6C"}, ("B5", None, "6C", None)),
        ({"hands": None, "plays": "AS 4D 2S 3H KS"}, ("B10", 1, "4D", 1)),
        ({"hands": None, "plays": "AS KS KS"}, ("B2", 2, "KS", 1)),
        ({"hands": None, "plays": "AS KS 2S AS"}, ("B2", 0, "AS", 2)),
        ({"hands": None, "plays": "AS 7H"}, ("B5", 1, "7H", 1)),
        ({"hands": [None, "KS 4D", None], "plays": "KS"}, ("B10", 0, "KS", 1)),
        ({"hands": [None, "KS 4D", None], "plays": "AS KS 2S 4D"}, ("B10", 0, "4D", 2)),
    ],
)
def test_a_card_that_cannot_be_is_refused(changes: dict[str, Any], found: tuple[Any, ...]) -> None:
    assert breach(**changes) == found


@pytest.mark.rule("V17")
def test_a_small_pack_has_no_other_cards() -> None:
    small = {"rules": "oh-pshaw:pack=4x4", "turn_up": "JH", "hands": None}
    assert breach(**small, plays="AS KS 2S") == ("V17", 2, "2S", 1)


@pytest.mark.rule("V10")
def test_trumping_is_a_duty_only_under_its_rule() -> None:
    cards = {"hands": ["AS 3S", "2H 4D", "2S 5C"], "plays": "AS 4D"}
    assert turn_of(**cards).seat == 2
    assert breach(**cards, rules="podrida", bids=[1, 0, 0]) == ("V10", 1, "4D", 1)
    later = {"hands": None, "plays": "AS 4D 2S 3S 2H"}
    assert breach(**later, rules="podrida") == ("V10", 1, "4D", 1)
    assert turn_of(**later).seat == 2


@pytest.mark.rule("V8")
def test_wizards_and_jesters_may_be_played_at_any_time() -> None:
    wizard = {"rules": "wizard", "hands": ["AS 3H", "KS WD", "2S FC"], "plays": "AS WD FC"}
    assert turn_of(**wizard).seat == 1


def test_after_a_breach_the_tricks_before_it_stand() -> None:
    verdict = verdict_of(plays="AS KS 2S 3H 5C")
    assert verdict.breach is not None
    assert (verdict.winners, verdict.leaders, verdict.tricks) == ((0,), (0, 0), (1, 0, 0))
    assert [len(trick.plays) for trick in verdict.played] == [3, 1]
    assert verdict.scores is None


def test_whose_turn_it_is_and_what_is_legal() -> None:
    turn = turn_of(plays="AS KS")
    assert (turn.seat, turn.decision, turn.legal) == (2, Decision.play, mask_of(parse_cards("2S")))
    assert turn.sentence == "seat 2 is to play to trick 1, spades led: 2S"
    assert turn_of(plays="AS KS 2S").sentence == "seat 0 is to lead trick 2: 3H"


def test_of_a_hand_that_is_not_known_is_said_what_can_be() -> None:
    turn = turn_of(hands=[None, "KS 4D", None], plays="AS KS")
    assert turn.legal is None
    assert turn.possible == Rules().pack_mask & ~mask_of(parse_cards("7H AS KS 4D"))
    assert "must follow spades if it can, else any card" in turn.sentence
    void = turn_of(hands=None, hand_size=3, bids=[1, 0, 0], plays="AS 4D 2S 3S")
    assert void.possible == Rules().pack_mask & ~mask_of(parse_cards("7H 4D")) & ~(0xFFFF << 48)
    assert "void in spades and may play any card" in void.sentence
    trumps = turn_of(rules="podrida", hands=None, plays="AS")
    assert "else a trump if it has one (hearts, V10), else any card" in trumps.sentence


# Revokes and misdeals

REVOKED: dict[str, Any] = {
    "hands": ["AS 3S", "KS 4D", "2S 5C"],
    "plays": "AS 4D 2S 3S KS 5C",
    "bids": [1, 1, 0],
}
"""Seat 1 discards on the ace with the king in its hand, and wins the second trick with it."""


@pytest.mark.rule("B12", "V14")
def test_a_revoke_that_was_found_too_late_stands_and_costs_the_round() -> None:
    assert breach(**REVOKED) == ("B10", 1, "4D", 1)
    for mark in ({"seat": 1, "kind": "caught-later"}, {"seat": 1, "kind": "caught-later", "trick": 1}):
        verdict = verdict_of(**REVOKED, revokes=[mark])
        assert (verdict.tricks, verdict.scores) == ((1, 1, 0), (11, 0, 10))
        assert verdict_of(**{**REVOKED, "hands": None}, revokes=[mark]).scores == (11, 0, 10)
        assert verdict.voids[1] == 0  # it showed a void that it did not have
    charged = verdict_of(**REVOKED, rules="oh-pshaw:revoke_penalty=10", revokes=[mark])
    assert charged.scores == (11, -10, 10)


@pytest.mark.rule("B12", "V13")
def test_a_revoke_has_no_part_in_the_bonus() -> None:
    bonus = "oh-pshaw:round_winner_bonus=true"
    mark = {"seat": 1, "kind": "caught-later"}
    assert verdict_of(**{**REVOKED, "bids": [0, 1, 0]}, rules=bonus, revokes=[mark]).scores == (0, 0, 20)


@pytest.mark.rule("B12")
def test_a_mark_lets_one_card_of_one_seat_stand() -> None:
    assert breach(**REVOKED, revokes=[{"seat": 0, "kind": "caught-later"}])[:2] == ("B10", 1)
    assert breach(**REVOKED, revokes=[{"seat": 1, "kind": "caught-later", "trick": 2}])[:2] == ("B10", 1)
    assert breach(**REVOKED, revokes=[{"seat": 1, "kind": "caught-before"}])[:2] == ("B10", 1)
    twice = {"hands": ["AS 3S QS", "KS 4D 6D", "2S 5C 5D"], "hand_size": 3, "plays": "AS 4D 2S 3S 6D 5C"}
    mark = {"seat": 1, "kind": "caught-later"}
    assert breach(**twice, revokes=[mark]) == ("B10", 1, "6D", 2)
    assert turn_of(**twice, revokes=[mark, mark]).seat == 0
    first, second = ({**mark, "trick": trick} for trick in (1, 2))
    assert breach(**twice, revokes=[first, first]) == ("B10", 1, "6D", 2)
    assert turn_of(**twice, revokes=[second, first]).seat == 0
    assert turn_of(**twice, revokes=[mark, first]).seat == 0


@pytest.mark.rule("B12")
def test_a_revoke_taken_back_changes_nothing() -> None:
    assert verdict_of(revokes=[{"seat": 1, "kind": "caught-before", "trick": 1}]) == judge(ROUND)


@pytest.mark.rule("B12")
def test_a_mark_without_a_revoke_is_wrong() -> None:
    assert breach(revokes=[{"seat": 1, "kind": "caught-later"}]) == ("B12", 1, None, None)
    assert breach(revokes=[{"seat": 1, "kind": "caught-later", "trick": 1}], plays="AS KS") == (
        "B12",
        1,
        None,
        1,
    )
    assert turn_of(revokes=[{"seat": 1, "kind": "caught-later"}], hands=None, plays="AS 4D").seat == 2


@pytest.mark.rule("B7")
def test_a_misdeal_has_no_score() -> None:
    verdict = judge({**ROUND, "hands": ["AS AS", None, "2C"], "misdeal": True})
    assert (verdict.status, verdict.scores, verdict.breach) == (Status.misdeal, None, None)
    assert breach(misdeal=True, scores=[0, 0, 0])[0] == "B7"


# What was written down


@pytest.mark.rule("B11", "B12", "B13", "B16", "V11", "V12", "V13", "V14", "V15", "V16")
@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"winners": [0, 1]}, ("B11", 1, "3H", 2)),
        ({"winners": [0]}, ("B11", None, None, None)),
        ({"tricks": [1, 1, 0]}, ("B11", 0, None, None)),
        ({"scores": [0, 10, 11]}, ("B13", 2, None, None)),
        ({"scores": [0, 10, 10], "plays": "AS KS"}, ("B16", None, None, None)),
        ({"scores": [1, 12, 12], "rules": "oh-pshaw:scoring=soft"}, ("V11", 0, None, None)),
        ({"scores": [2, 10, 10], "rules": "oh-pshaw:zero_bid=hand-size"}, ("B13", 0, None, None)),
        ({"scores": [0, 10, 10], "rules": "oh-pshaw:zero_bid=hand-size"}, ("V12", 1, None, None)),
        ({"scores": [0, 10, 10], "rules": "oh-pshaw:round_winner_bonus=true"}, ("V13", 1, None, None)),
        ({"scores": [0, 20, 20], "rules": "wizard"}, ("V15", 0, None, None)),
        ({"scores": [0, 10, 10], "rules": "oh-pshaw:scoring=penalty"}, ("V16", 0, None, None)),
        (
            {**REVOKED, "scores": [11, 11, 10], "revokes": [{"seat": 1, "kind": "caught-later"}]},
            ("B12", 1, None, None),
        ),
        (
            {
                **REVOKED,
                "rules": "oh-pshaw:revoke_penalty=10",
                "scores": [11, 0, 10],
                "revokes": [{"seat": 1, "kind": "caught-later"}],
            },
            ("V14", 1, None, None),
        ),
    ],
)
def test_what_was_written_down_wrong_is_found(changes: dict[str, Any], found: tuple[Any, ...]) -> None:
    assert breach(**changes) == found


def test_wrong_scores_come_with_the_right_ones() -> None:
    verdict = verdict_of(scores=[0, 10, 11])
    assert verdict.scores == (0, 10, 10)
    assert verdict.breach is not None
    assert verdict.breach.sentence == "seat 2 bid 0 and won 0: it scores 10, and 11 is written down"


def test_a_single_trick_is_one_trick() -> None:
    verdict = verdict_of(hand_size=1, hands=["AS", "KS", "2S"], plays="AS KS 2S", tricks=[0, 1, 0])
    assert verdict.breach is not None
    assert verdict.breach.sentence == "seat 0 won 1 trick, and 0 is written down"


def test_a_record_of_another_form_is_an_error_and_no_verdict() -> None:
    with pytest.raises(MalformedError, match="bids has 2 entries"):
        judge({**ROUND, "bids": [1, 0]})
