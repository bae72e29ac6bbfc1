"""The engine against the referee on 200,000 rounds under random rules: every decision, score, dealer and rank."""

import random
from collections import Counter
from typing import Any

import pytest

import reference as ref
import translate
from engine_trace import BITS, Trace, trace_matches
from ohpshaw_sim.errors import OhPshawError
from ohpshaw_sim.interface.view import BID, EVEN, NAME_TRUMP, NOT_ANNOUNCED, OVER, PLAY, UNDER
from ohpshaw_sim.rules import Rules

ROUNDS = 50_000
PARTS = 4
IN_A_ROW = 48
"""Rounds of the schedule, about, under one set of rules."""
ANNOUNCED = {None: NOT_ANNOUNCED, "under": UNDER, "even": EVEN, "over": OVER}
SIZES = (1, 1, 1, 1, 2, 2, 2, 3, 3, 4)


def any_options(draw: random.Random, players: int) -> ref.Options:
    """Every option drawn, more often than not away from the base game, with hands that are mostly small."""
    suits, ranks = draw.choice([(4, 13), (4, 13), (4, 13), (4, 8), (3, 9), (2, 13), (2, 4)])
    wizard = draw.random() < 0.4
    if wizard:
        suits, ranks = 4, 13
    largest = (60 if wizard else suits * ranks) // players
    listed = tuple(min(draw.choice(SIZES), largest) for _ in range(draw.randint(1, 5)))
    if draw.random() < 0.03:
        listed = (*listed, largest)
    hook = draw.random() < 0.4
    return ref.Options(
        suits,
        ranks,
        wizard=wizard,
        schedule=draw.choice(ref.WORDS["schedule"]),
        hand_sizes=listed if draw.random() < 0.85 else None,
        max_hand=None if draw.random() < 0.3 else draw.randint(1, 4),
        tie_break_hand=draw.choice([None, 1, 2]),
        trump=draw.choice(ref.WORDS["trump"] + ("turn-up",)),
        no_trump_final=draw.random() < 0.3,
        hook=hook,
        hook_from=draw.choice([1, 2, 3]) if hook else 1,
        bidding=draw.choice(ref.WORDS["bidding"] + ("in-turn",)),
        must_trump=draw.random() < 0.4,
        scoring=draw.choice(ref.WORDS["scoring"]),
        zero_bid=draw.choice(ref.WORDS["zero_bid"]),
        round_winner_bonus=draw.random() < 0.3,
        revoke_penalty=draw.choice([0, 10]),
    )


def rules_of(options: ref.Options) -> Rules:
    names = [name for name in Rules.model_fields if name not in ("pack", "first_dealer")]
    same = {name: getattr(options, name) for name in names}
    return Rules(pack=f"{options.suits}x{options.ranks}", **same)


def packed(values: list[int], bits: int = BITS) -> int:
    number = 0
    for value in reversed(values):
        number = (number << bits) + value
    return number


def answer(game: ref.Round, decision: Any, seen: Counter[str]) -> None:
    """Compare one decision with the referee's and carry it out there."""
    kind, seat, value, trump, announcement, led, leader, best_seat, best_card, voids, bids, tricks, legal = (
        decision
    )
    if game.naming:
        expected = (NAME_TRUMP, sum(1 << suit for suit in game.legal_suits()))
    elif game.bidding:
        expected = (BID, sum(1 << bid for bid in game.legal_bids()))
    else:
        expected = (PLAY, translate.mask(game.legal_cards()))
    best = ref.best_play(game.trick, game.trump) if game.trick else (-1, None)
    visible, suit_led = game.visible_bids, game.led
    assert (kind, legal) == expected
    assert (seat, leader) == (game.seat, game.leader)
    assert (trump, led) == (translate.suit(game.trump), translate.suit(suit_led))
    assert (best_seat, best_card) == (best[0], translate.number(best[1]))
    assert announcement == ANNOUNCED[game.announcement]
    assert voids == packed([translate.suits(suits) for suits in game.voids], 4)
    assert bids == packed([visible.get(seat, -1) + 1 for seat in range(game.players)])
    assert tricks == packed(game.tricks)
    if kind == NAME_TRUMP:
        game.name(value)
        seen["trump is named"] += 1
    elif kind == BID:
        seen["the hook takes a bid"] += legal != (1 << game.hand_size + 1) - 1
        game.bid(value)
    else:
        seen["must trump"] += game.rules.must_trump and suit_led not in (None, game.trump)
        seen["no suit is led"] += bool(game.trick and suit_led is None)
        game.play(translate.card(value))


def judge_matches(options: ref.Options, trace: Trace, seen: Counter[str]) -> int:
    """Have the referee judge every round of a trace; return how many there were."""
    players, pack = trace.players, frozenset(ref.pack_of(options))
    decisions, match, number = iter(trace.decisions), None, 0
    for count, hand_size, dealer, turn_up, going, hands, points in trace.rounds:
        match = match or ref.Match.start(options, players, dealer)
        assert (match.next_hand_size, match.dealer) == (hand_size, dealer)
        turned = None if turn_up < 0 else translate.card(turn_up)
        deal = ref.Deal([translate.cards(int(hand)) for hand in hands[:players]], turned)
        assert ref.misdeal(deal, pack, hand_size, ref.turns_up(options, players, match.number)) is None
        game = ref.Round(deal, dealer, options, match.number)
        for _ in range(count):
            answer(game, next(decisions), seen)
        assert game.done
        scores = game.scores()
        assert points[:players].tolist() == scores
        match.record(scores)
        assert match.over == (not going)
        if match.over:
            winners = int(trace.matches[number].winners)
            assert winners == sum(1 << seat for seat, rank in enumerate(match.ranks()) if rank == 1)
            seen["extra round"] += len(match.extra)
            match, number = None, number + 1
    assert number == len(trace.matches)
    return len(trace.rounds)


@pytest.mark.slow
@pytest.mark.rule("B3", "B4", "B5", "B6", "B8", "B9", "B10", "B11", "B13", "B14", "B15")
@pytest.mark.rule(
    "V1", "V2", "V3", "V4", "V5", "V6", "V7", "V8", "V9", "V10", "V11", "V12", "V13", "V15", "V16", "V17"
)
@pytest.mark.parametrize("part", range(PARTS))
def test_rounds_under_random_rules_agree(part: int) -> None:
    """In parts, which may be played side by side."""
    draw, rounds, seed = random.Random(2027 + part), 0, 10**6 * part
    seen: Counter[str] = Counter()
    while rounds < ROUNDS:
        players = 3 + seed % 5
        seed += 1
        options = any_options(draw, players)
        if ref.refused(options, players) is not None:
            seen["refused"] += 1
            continue
        rules = rules_of(options)
        matches = max(1, IN_A_ROW // len(rules.schedule_for(players)))
        rounds += judge_matches(options, trace_matches(rules, players, seed, matches), seen)
        for name, value in vars(options).items():
            seen[f"{name} {value if name != 'hand_sizes' else value is not None}"] += 1
    print(f"{rounds} rounds", dict(sorted(seen.items())))
    rare = [name for name, count in seen.items() if count < 5]
    assert not rare, rare  # each value and each event was there often enough to mean something


@pytest.mark.rule("V1", "V5", "V8", "V17", "B1", "B4")
def test_the_same_rules_are_refused_and_schedules_are_the_same() -> None:
    draw, seen = random.Random(5), Counter[bool]()
    for number in range(3000):
        players = 2 + number % 7
        options = any_options(draw, max(players, 3))
        changed = {
            "max_hand": draw.choice([None, 1, 21, 9]),
            "hand_sizes": draw.choice([None, (3,), (1, 15)]),
        }
        options = ref.Options(**{**vars(options), **changed})
        reason = ref.refused(options, players)
        if reason is None:
            assert list(rules_of(options).schedule_for(players)) == ref.schedule(options, players)
        else:
            with pytest.raises(OhPshawError):
                rules_of(options).schedule_for(players)
        seen[reason is None] += 1
    assert min(seen.values()) > 300, seen
