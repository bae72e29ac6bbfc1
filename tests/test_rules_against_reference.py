"""The engine against the referee, decision by decision: seeded volume, then hypothesis after odd cases."""

import itertools
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference as ref
import translate
from expected_view import ANNOUNCED, assert_same_decision, assert_same_end
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.errors import IllegalError
from ohpshaw_sim.kernels import bidding, scoring, tricks
from ohpshaw_sim.kernels.bits import U
from ohpshaw_sim.rules import Rules

PACKS = [(4, 13), (4, 13), (4, 12), (4, 7), (3, 9), (2, 13), (2, 4), (1, 13), (4, 2)]


def shuffled_deal(
    draw: random.Random, players: int, pack: tuple[int, int], hand_size: int, dealer: int
) -> ref.Deal:
    cards = ref.new_pack(*pack)
    draw.shuffle(cards)
    return ref.deal_out(cards, players, hand_size, dealer)


def engine_round(deal: ref.Deal, dealer: int, pack: tuple[int, int] = (4, 13)) -> Round:
    return Round.start(
        Rules(pack=f"{pack[0]}x{pack[1]}"),
        len(deal.hands),
        len(deal.hands[0]),
        dealer,
        [translate.mask(hand) for hand in deal.hands],
        translate.number(deal.turn_up),
    )


def play_both(engine: Round, game: ref.Round, draw: random.Random) -> None:
    """Answer at random, comparing before every decision and at the end."""
    while not game.done:
        assert_same_decision(engine, game)
        if game.bidding:
            bid = draw.choice(game.legal_bids())
            game.bid(bid)
            engine.answer(bid)
        else:
            card = draw.choice(game.legal_cards())
            game.play(card)
            engine.answer(translate.number(card))
    assert_same_end(engine, game)


# Volume


@pytest.mark.rule("B8", "B9", "B10", "B11", "B13")
@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_random_rounds_of_every_hand_size(players: int) -> None:
    draw = random.Random(players)
    sizes = range(1, 52 // players + 1)  # the last of them no-trump at 4 players
    for number in range(500):
        dealer = number % players
        deal = shuffled_deal(draw, players, (4, 13), sizes[number % len(sizes)], dealer)
        play_both(engine_round(deal, dealer), ref.Round(deal, dealer), draw)


@pytest.mark.rule("B10", "B11", "V17")
def test_random_rounds_with_small_packs() -> None:
    draw = random.Random(17)
    for number in range(1000):
        pack = PACKS[number % len(PACKS)]
        players = draw.randint(3, min(7, pack[0] * pack[1]))
        hand_size, dealer = draw.randint(1, pack[0] * pack[1] // players), draw.randrange(players)
        deal = shuffled_deal(draw, players, pack, hand_size, dealer)
        play_both(engine_round(deal, dealer, pack), ref.Round(deal, dealer, ref.Options(*pack)), draw)


@pytest.mark.rule("B6", "B11")
@pytest.mark.parametrize(
    ("players", "pack", "hand_size"), [(4, (4, 13), 13), (3, (4, 12), 16), (7, (4, 7), 4)]
)
def test_rounds_in_which_every_card_is_dealt_are_no_trump(
    players: int, pack: tuple[int, int], hand_size: int
) -> None:
    draw = random.Random(hand_size)
    for dealer in [*range(players)] * 10:
        deal = shuffled_deal(draw, players, pack, hand_size, dealer)
        engine = engine_round(deal, dealer, pack)
        assert (int(engine.view.trump), int(engine.view.turn_up)) == (-1, -1)
        play_both(engine, ref.Round(deal, dealer, ref.Options(*pack)), draw)


# Odd cases, found and shrunk


@st.composite
def tables(draw: st.DrawFn) -> tuple[ref.Deal, int, tuple[int, int]]:
    """Any deal from any pack, a dealer and the pack."""
    players = draw(st.integers(3, 7))
    pack = draw(
        st.tuples(st.integers(1, 4), st.integers(2, 13)).filter(lambda pack: pack[0] * pack[1] >= players)
    )
    hand_size = draw(st.integers(1, pack[0] * pack[1] // players))
    dealer = draw(st.integers(0, players - 1))
    shuffled = draw(st.permutations(ref.new_pack(*pack)))
    return ref.deal_out(shuffled, players, hand_size, dealer), dealer, pack


@pytest.mark.rule("B8", "B9", "B10", "B11", "B13", "V17")
@settings(max_examples=200, deadline=None)
@given(tables(), st.randoms(use_true_random=False))
def test_any_round(table: tuple[ref.Deal, int, tuple[int, int]], draw: random.Random) -> None:
    deal, dealer, pack = table
    play_both(engine_round(deal, dealer, pack), ref.Round(deal, dealer, ref.Options(*pack)), draw)


@pytest.mark.rule("B8", "B10", "B12")
@settings(max_examples=100, deadline=None)
@given(tables(), st.randoms(use_true_random=False), st.integers(-3, 70))
def test_an_illegal_answer_is_refused_and_changes_nothing(
    table: tuple[ref.Deal, int, tuple[int, int]], draw: random.Random, answer: int
) -> None:
    deal, dealer, pack = table
    engine, game = engine_round(deal, dealer, pack), ref.Round(deal, dealer, ref.Options(*pack))
    for _ in range(draw.randrange(game.players * (1 + game.hand_size))):
        legal = translate.places(engine.legal)
        choice = draw.choice(legal)
        engine.answer(choice)
        if game.bidding:
            game.bid(choice)
        else:
            game.play(translate.card(choice))
    if answer not in translate.places(engine.legal):
        with pytest.raises(IllegalError):
            engine.answer(answer)
    assert_same_decision(engine, game)


# Misdeals


def corrupt(draw: random.Random, deal: ref.Deal) -> ref.Deal:
    """Spoil a deal in a random way, or leave it as it is."""
    hands = [list(hand) for hand in deal.hands]
    seat, other = draw.sample(range(len(hands)), 2)
    turn_up = deal.turn_up
    match draw.randrange(7):
        case 0:
            hands[seat].pop()
        case 1:
            hands[seat][0] = hands[other][0]
        case 2:
            hands[seat].append(deal.stock[0] if deal.stock else hands[other].pop())
        case 3:
            hands[seat][0] = (3, 15)
        case 4:
            turn_up = None if turn_up else hands[seat][0]
        case 5:
            turn_up = hands[seat][0]
    return ref.Deal(hands, turn_up)


@pytest.mark.rule("B7")
def test_b7_the_engine_refuses_the_deals_that_the_referee_refuses() -> None:
    draw = random.Random(7)
    faults: Counter[str | None] = Counter()
    for number in range(2000):
        pack = PACKS[number % len(PACKS)]
        players = draw.randint(3, min(7, pack[0] * pack[1]))
        hand_size, dealer = draw.randint(1, pack[0] * pack[1] // players), draw.randrange(players)
        deal = corrupt(draw, shuffled_deal(draw, players, pack, hand_size, dealer))
        fault = ref.misdeal(deal, ref.new_pack(*pack), hand_size)
        faults[fault] += 1
        rules = Rules(pack=f"{pack[0]}x{pack[1]}")
        hands, turn_up = [translate.mask(hand) for hand in deal.hands], translate.number(deal.turn_up)
        if fault is None:
            Round.start(rules, players, hand_size, dealer, hands, turn_up)
        else:
            with pytest.raises(IllegalError, match=r"B5|B7"):
                Round.start(rules, players, hand_size, dealer, hands, turn_up)
    assert all(
        faults[fault] > 100 for fault in (None, "wrong count", "duplicate", "unknown card", "wrong turn-up")
    )


# The verbs, exhaustively


@pytest.mark.rule("B10")
def test_legal_cards_for_every_led_suit() -> None:
    draw = random.Random(3)
    for _ in range(2000):
        hand = draw.sample(ref.new_pack(), draw.randint(1, 20))
        for led in (None, 0, 1, 2, 3):
            legal = tricks.legal_cards(U(translate.mask(hand)), translate.suit(led), -1, False)
            assert int(legal) == translate.mask(ref.legal_cards(hand, led))


@pytest.mark.rule("B11")
@pytest.mark.parametrize("trump", [None, 0, 1, 2, 3])
def test_beats_for_every_pair_of_cards(trump: int | None) -> None:
    for first, second in itertools.permutations(ref.new_pack(), 2):
        winner, _ = ref.best_play([(0, first), (1, second)], trump)
        beats = tricks.beats(
            translate.number(second), translate.number(first), first[0], translate.suit(trump)
        )
        assert beats == (winner == 1)


@pytest.mark.rule("B8", "B9", "B13")
def test_bids_and_announcement_and_score_for_every_hand_size() -> None:
    for size in range(1, 21):
        assert translate.places(bidding.legal_bids(size)) == ref.legal_bids(size)
        for total in range(7 * size + 1):
            assert bidding.announcement(total, size) == ANNOUNCED[ref.announce([total], size)]
        for bid, won in itertools.product(range(size + 1), repeat=2):
            assert scoring.round_score(scoring.EXACT, 0, size, bid, won) == ref.round_score(bid, won)


@pytest.mark.rule("B2", "B4", "V17")
@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
@pytest.mark.parametrize("pack", [(4, 13), (4, 9), (2, 4), (3, 5)])
def test_schedules(players: int, pack: tuple[int, int]) -> None:
    rules = Rules(pack=f"{pack[0]}x{pack[1]}")
    assert list(rules.schedule_for(players)) == ref.ascending_schedule(players, pack[0] * pack[1])
    assert translate.cards(rules.pack_mask) == sorted(ref.new_pack(*pack))
