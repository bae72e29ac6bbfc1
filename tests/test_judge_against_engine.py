"""The judge of records against the engine: rounds played there are judged alike, wherever the record is cut."""

import random

import numpy as np
import pytest

from ohpshaw_sim.cards import cards_in, format_card
from ohpshaw_sim.interface.view import BID, NAME_TRUMP, PLAY
from ohpshaw_sim.kernels.dealing import NAMED
from ohpshaw_sim.records.deals import deal_many, deal_record, setting_of
from ohpshaw_sim.records.judge import judge
from ohpshaw_sim.records.record import read_record
from ohpshaw_sim.records.spelling import read_cards
from ohpshaw_sim.records.tricks import lay, make_tricks
from ohpshaw_sim.records.verdict import Decision, Status
from ohpshaw_sim.records.writing import record_line, record_of_round, record_table
from ohpshaw_sim.rule_text import PRESETS
from random_rounds import Played, cut, play_at_random

KINDS = {BID: Decision.bid, PLAY: Decision.play, NAME_TRUMP: Decision.name_trump}
ANNOUNCED = {-1: "under", 0: "even", 1: "over"}


def assert_judged_as_played(played: Played) -> None:
    """At every prefix turn, legal answers, leaders, tricks and voids are the engine's; at the end the scores too."""
    record = record_of_round(played.table, played.rules, scores=played.table.scores)
    for answers, decision in enumerate(played.decisions[:-1]):
        verdict = judge(cut(record, played, answers))
        assert verdict.status is Status.unfinished, verdict.breach
        turn = verdict.turn
        assert turn is not None
        assert (turn.decision, turn.seat) == (KINDS[decision.kind], decision.seat)
        assert (turn.legal, turn.possible) == (decision.legal, decision.legal)
        if decision.kind == PLAY:
            assert list(verdict.leaders) == decision.leaders
            assert list(verdict.tricks) == decision.tricks
            assert list(verdict.voids) == decision.voids
    end, verdict = played.decisions[-1], judge(record)
    assert verdict.status is Status.finished, verdict.breach
    assert list(verdict.leaders) == end.leaders
    assert list(verdict.winners) == [*end.leaders[1:], verdict.winners[-1]]
    assert list(verdict.tricks) == end.tricks
    assert list(verdict.voids) == end.voids
    assert list(verdict.scores or ()) == played.table.scores
    assert verdict.announcement == ANNOUNCED[int(played.table.view.announcement)]
    assert verdict.trump == int(played.table.view.trump)


@pytest.mark.parametrize("seed", range(8))
def test_a_round_is_judged_as_it_was_played_wherever_its_record_is_cut(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(20):
        assert_judged_as_played(play_at_random(draw))


def test_records_are_read_back_as_they_were_written() -> None:
    draw = random.Random(5)
    for number in range(200):
        played = play_at_random(draw, largest=6)
        table = record_of_round(played.table, played.rules, round=number + 1, seed=7, names=None)
        record = read_record(table)
        assert record_table(record) == table
        assert record.rules_in_force == played.rules
        assert "\n" not in record_line(table)


def test_without_hands_a_legal_round_is_legal_and_what_may_be_played_holds_what_was() -> None:
    draw = random.Random(11)
    for _ in range(60):
        played = play_at_random(draw, largest=8)
        record = record_of_round(played.table, played.rules)
        hidden = [hand if draw.random() < 0.3 else None for hand in record["hands"]]
        record = {**record, "hands": hidden} if draw.random() < 0.7 else {**record, "hands": None}
        whole = judge(record)
        assert (whole.status, list(whole.scores or ())) == (Status.finished, played.table.scores)
        for answers, decision in enumerate(played.decisions[:-1]):
            turn = judge(cut(record, played, answers)).turn
            assert turn is not None
            assert turn.seat == decision.seat
            assert turn.legal in (None, decision.legal)
            unknown = record["hands"] is None or record["hands"][turn.seat] is None
            assert (turn.legal is None) == (decision.kind == PLAY and unknown)
            assert decision.legal & ~turn.possible == 0


def test_an_illegal_card_is_found_where_it_is_played() -> None:
    """Each card that the engine refuses is refused by the judge, at that seat and trick, by B10 or V10."""
    draw = random.Random(3)
    refused = 0
    for _ in range(250):
        played = play_at_random(draw, largest=7)
        record = record_of_round(played.table, played.rules)
        plays = record["plays"].split()
        places = [place for place, one in enumerate(played.decisions[:-1]) if one.kind == PLAY]
        place = draw.choice(places)
        decision, index = played.decisions[place], place - places[0]
        seat = decision.seat
        held = [word for word in record["hands"][seat].split() if word not in plays[:index]]
        wrong = [
            word for word in held if word not in [format_card(card) for card in cards_in(decision.legal)]
        ]
        if not wrong:
            continue
        refused += 1
        card = draw.choice(wrong)
        verdict = judge({**record, "plays": [*plays[:index], card]})
        assert verdict.status is Status.broken
        breach = verdict.breach
        assert breach is not None
        players = record["players"]
        assert breach.rule in ("B10", "V10")
        assert (breach.seat, format_card(breach.card or 0), breach.trick) == (
            seat,
            card,
            index // players + 1,
        )
        assert list(verdict.leaders) == decision.leaders
    assert refused > 40


def test_cards_played_later_tell_as_much_as_hands_once_all_are_played() -> None:
    """Rounds in which everybody plays any card at all: the first breach is the same with and without the hands."""
    draw = random.Random(23)
    broken = 0
    for _ in range(300):
        played = play_at_random(draw, largest=5)
        record = record_of_round(played.table, played.rules)
        plays = record["plays"].split()
        if draw.random() < 0.8:
            one, other = draw.randrange(len(plays)), draw.randrange(len(plays))
            plays[one], plays[other] = plays[other], plays[one]
        else:
            draw.shuffle(plays)
        blind = judge({**record, "plays": plays, "hands": None})
        cards, players = read_cards(plays, "plays"), record["players"]
        eldest, trump = played.decisions[-1].leaders[0], int(played.table.view.trump)
        laid = lay(np.array(cards), players, eldest, trump)
        tricks = make_tricks(cards, laid, players, record["hand_size"], eldest)
        held: list[list[str]] = [[] for _ in range(players)]
        for trick in tricks:
            for play in trick.plays:
                held[play.seat].append(format_card(play.card))
        seeing = judge({**record, "plays": plays, "hands": held})
        assert (blind.status, blind.scores, blind.voids) == (seeing.status, seeing.scores, seeing.voids)
        if blind.breach and seeing.breach:
            broken += 1
            assert blind.breach.rule == seeing.breach.rule
            assert (blind.breach.seat, blind.breach.card) == (seeing.breach.seat, seeing.breach.card)
            assert blind.breach.trick == seeing.breach.trick
            assert blind.played == seeing.played
    assert 50 < broken < 290


@pytest.mark.parametrize("preset", PRESETS)
def test_deals_of_a_seed_are_records_that_wait_for_the_first_answer(preset: str) -> None:
    rules = PRESETS[preset]
    for number in range(1, len(rules.schedule_for(4)) + 1):
        setting = setting_of(rules, 4, seed=3, round_number=number)
        for one in deal_many(setting, 0, 8):
            verdict = judge(deal_record(setting, one))
            assert verdict.status is Status.unfinished, verdict.breach
            assert verdict.turn is not None
            named = one.trump == NAMED
            assert verdict.turn.decision is (Decision.name_trump if named else Decision.bid)
            assert verdict.turn.seat == (one.dealer if named else one.eldest)
            assert verdict.trump == (None if named else one.trump)
