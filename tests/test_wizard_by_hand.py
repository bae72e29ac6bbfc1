"""Wizards and Jesters on the engine itself, in small hands that can be checked by eye (V8).

`WH` is a Wizard, `FH` a Jester (a fool); the suit letter only tells the four of each apart.
"""

import pytest

from engine_table import DictatedMatch, bid, legal_cards, play, sizes_dealt, table, voids
from ohpshaw_sim.cards import CLUBS, DIAMONDS, HEARTS, NO_CARD, NO_SUIT, SPADES, mask_of, parse_cards
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.errors import ConflictError, IllegalError
from ohpshaw_sim.interface.view import BID, NAME_TRUMP, PLAY
from ohpshaw_sim.kernels.bidding import longest_suit
from ohpshaw_sim.kernels.bits import U
from ohpshaw_sim.kernels.tricks import beats, suit_led
from ohpshaw_sim.rules import Rules

WIZARD = Rules(wizard=True)
MUST_TRUMP = Rules(wizard=True, must_trump=True)


def game(*hands: str, turn_up: str = "9H", rules: Rules = WIZARD) -> Round:
    """A round that seat 0 leads, all bids being 0."""
    return bid(
        table(*hands, turn_up=turn_up, dealer=len(hands) - 1, rules=rules),
        *[0] * len(hands),
    )


# The pack


@pytest.mark.rule("V8")
def test_v8_the_pack_has_60_cards_four_wizards_and_four_jesters() -> None:
    whole = Round.deal(WIZARD, 3, 20, 0, seed=1)
    cards = sum(whole.hands)
    assert cards.bit_count() == 60
    assert cards & mask_of(parse_cards("WC WD WH WS FC FD FH FS")) == cards & ~Rules().pack_mask
    with pytest.raises(IllegalError, match="the 4x13 pack does not hold"):
        table("WC", "2C", "3C", turn_up="4C")


@pytest.mark.rule("V8")
@pytest.mark.parametrize(("players", "last"), [(3, 20), (4, 15), (5, 12), (6, 10), (7, 8)])
def test_v8_hands_go_as_far_as_the_60_cards(players: int, last: int) -> None:
    assert sizes_dealt(WIZARD, players) == list(range(1, last + 1))


@pytest.mark.rule("V8", "V17")
def test_v8_wizards_do_not_join_a_smaller_pack() -> None:
    with pytest.raises(ConflictError, match="wizard adds to the full pack"):
        Rules(wizard=True, pack="4x12")


# Following


@pytest.mark.rule("V8")
def test_v8_wizards_and_jesters_may_be_played_holding_the_suit_led_or_not() -> None:
    assert legal_cards(play(game("5C 6C 7C 8C", "2C 3D WC FS", "2D 4D 5D 6D"), "5C")) == "WC 2C FS"
    assert legal_cards(play(game("5H 6C 7C 8C", "2C 3D WC FS", "2D 4D 5D 6D"), "5H")) == "WC 2C 3D FS"


@pytest.mark.rule("V8")
def test_v8_a_wizard_of_clubs_is_no_club() -> None:
    assert legal_cards(play(game("5C 6C 7C", "3D WC FC", "2D 4D 5D"), "5C")) == "WC 3D FC"


@pytest.mark.rule("V8")
def test_v8_a_jester_led_the_next_other_card_sets_the_suit() -> None:
    table_of_four = game("FC 2C", "FD 2D", "9D 3C", "4D 5S")
    play(table_of_four, "FC FD")
    assert table_of_four.view.led == NO_SUIT
    assert legal_cards(table_of_four) == "3C 9D"
    play(table_of_four, "9D")
    assert table_of_four.view.led == DIAMONDS
    assert legal_cards(table_of_four) == "4D"


@pytest.mark.rule("V8")
def test_v8_a_jester_led_and_a_wizard_second_nothing_need_be_followed() -> None:
    led = play(game("FC 2C", "WD 2D", "5C 6H", "7C 8S"), "FC WD")
    assert legal_cards(led) == "5C 6H"
    assert legal_cards(play(led, "5C")) == "7C 8S"  # the five sets no suit any more
    assert play(led, "8S").tricks == [0, 1, 0, 0]
    assert voids(led) == ["", "", "", ""]


@pytest.mark.rule("V8")
def test_v8_a_wizard_led_nothing_need_be_followed() -> None:
    led = play(game("WC 2C", "5C 6H", "7C 8S"), "WC")
    assert legal_cards(led) == "5C 6H"
    assert legal_cards(play(led, "5C")) == "7C 8S"


@pytest.mark.rule("V8")
def test_v8_a_wizard_after_the_suit_is_set_changes_nothing() -> None:
    led = play(game("5C 2D", "WH 3D", "7C 8S"), "5C WH")
    assert (led.view.led, legal_cards(led)) == (CLUBS, "7C")


@pytest.mark.rule("V8")
@pytest.mark.parametrize(
    ("cards", "suit"),
    [
        ("5C WH", CLUBS),
        ("5C FH 9D", CLUBS),
        ("FH FC", NO_SUIT),
        ("FH FC 9D 5C", DIAMONDS),
        ("FH WD 5C", NO_SUIT),
        ("WD 5C 9D", NO_SUIT),
    ],
)
def test_v8_the_suit_to_be_followed_card_by_card(cards: str, suit: int) -> None:
    led, best = NO_SUIT, NO_CARD
    for card in parse_cards(cards):
        led = suit_led(led, best, card)
        best = card if best == NO_CARD or beats(card, best, led, HEARTS) else best
    assert led == suit


@pytest.mark.rule("V8")
def test_v8_a_wizard_or_jester_shows_no_void() -> None:
    led = play(game("5C 2D", "WH 3C", "FS 4C", "8S 9D"), "5C WH FS 8S")
    assert voids(led) == ["", "", "", "C"]


@pytest.mark.rule("V8", "V10")
@pytest.mark.parametrize(
    ("hand", "led", "turn_up", "legal"),
    [
        ("2H 3S WC FD", "5C", "9H", "WC 2H FD"),  # a trump is owed, or a card that belongs to no suit
        ("4C 2H 3S WC", "5C", "9H", "WC 4C"),  # it can follow
        ("3S 4S WH FH", "5C", "9H", "WH 3S 4S FH"),  # neither is a trump
        ("2H 3S 4S WC", "5C", "FH", "WC 2H 4S 3S"),  # there is no trump
        ("2H 3S 4S WC", "WD", "9H", "WC 2H 4S 3S"),  # nothing need be followed
        ("2H 3S 4S WC", "FC", "9H", "WC 2H 4S 3S"),  # a Jester led: no suit yet
    ],
)
def test_v10_the_duty_to_trump_leaves_wizards_and_jesters_free(
    hand: str, led: str, turn_up: str, legal: str
) -> None:
    held = mask_of(parse_cards(hand))
    asked = play(game(f"{led} 2D 3D 4D", hand, "6D 7D 8D 9D", turn_up=turn_up, rules=MUST_TRUMP), led)
    assert asked.legal == mask_of(parse_cards(legal))
    assert asked.legal & ~held == 0


# Winning


@pytest.mark.rule("V8", "B11")
@pytest.mark.parametrize(
    ("cards", "turn_up", "winner"),
    [
        ("5C WH AC WD", "9C", 1),  # the first Wizard wins
        ("WS WH 5C 6C", "9C", 0),
        ("FC 5C 9C FD", "FH", 2),  # Jesters lose
        ("FC 2D AS 3D", "FH", 3),  # the two sets the suit, there is no trump
        ("FC 2D AS 3D", "9S", 2),
        ("5C FH 2C FD", "9H", 0),  # a Jester of hearts is no trump
        ("FC FS FD FH", "9S", 0),  # all Jesters: the first wins
        ("FC FS FD WD", "9S", 3),
    ],
)
def test_v8_the_winner_of_a_trick(cards: str, turn_up: str, winner: int) -> None:
    tricks = play(game(*cards.split(), turn_up=turn_up), cards).tricks
    assert tricks.index(1) == winner


# Trump


@pytest.mark.rule("V8")
def test_v8_a_jester_turned_up_means_no_trump() -> None:
    begun = table("2C", "3C", "4C", turn_up="FH", rules=WIZARD)
    assert (begun.view.trump, begun.kind, begun.seat) == (NO_SUIT, BID, 1)


@pytest.mark.rule("V8")
def test_v8_a_wizard_turned_up_has_the_dealer_name_trump_before_the_first_bid() -> None:
    begun = table("2C", "3C", "4S", turn_up="WH", dealer=2, rules=WIZARD)
    assert (begun.view.trump, begun.kind, begun.seat, begun.legal) == (NO_SUIT, NAME_TRUMP, 2, 0b1111)
    assert begun.view.hand == mask_of(parse_cards("4S"))  # it has seen its hand
    begun.answer(SPADES)
    assert (begun.view.trump, begun.kind, begun.seat) == (SPADES, BID, 0)
    bid(begun, 0, 0, 1)
    assert begun.kind == PLAY
    assert play(begun, "2C 3C 4S").scores == [10, 10, 11]


@pytest.mark.rule("V8")
@pytest.mark.parametrize(
    ("hand", "suit"),
    [
        ("2C 3C AH", CLUBS),  # the longest
        ("2C 9C 3H TH AS", HEARTS),  # ties to the higher cards
        ("2C AC 3H AH", HEARTS),
        ("2C AC 3H KH", CLUBS),
        ("2C WC FC WD 3H 4H", HEARTS),  # Wizards and Jesters belong to no suit
        ("9S 9H 2C", HEARTS),  # of the very same ranks the first of clubs, diamonds, hearts, spades
        ("WS FH", CLUBS),
    ],
)
def test_v8_who_has_no_view_of_its_own_names_the_longest_suit(hand: str, suit: int) -> None:
    assert longest_suit(U(mask_of(parse_cards(hand)))) == suit


@pytest.mark.rule("V8", "B6")
def test_v8_the_round_that_uses_all_60_is_no_trump() -> None:
    whole = Round.deal(WIZARD, 3, 20, 0, seed=1)
    assert (whole.view.trump, whole.view.turn_up, whole.kind) == (NO_SUIT, NO_CARD, BID)


@pytest.mark.rule("V6", "V7", "V8")
def test_v6_v7_v8_where_nothing_is_turned_nobody_names_trump() -> None:
    rotating = Rules(wizard=True, trump="rotate", hand_sizes=(1, 20, 2), no_trump_final=True)
    match = DictatedMatch(rotating)
    rounds = [(match.trump, match.turn_up, int(match.view.kind)) for _ in match.rounds()]
    assert rounds == [(suit, NO_CARD, BID) for suit in (HEARTS, CLUBS, NO_SUIT)]


@pytest.mark.rule("V8", "V15")
def test_v8_a_whole_round_of_wizard() -> None:
    rules = Rules(wizard=True, scoring="wizard")
    whole = bid(table("FC 5H", "WD 2S", "AH 9S", turn_up="KS", rules=rules), 2, 0, 0)
    assert legal_cards(play(whole, "2S")) == "9S"
    assert legal_cards(play(whole, "9S")) == "5H FC"  # no spade
    assert play(whole, "5H AH FC WD").tricks == [0, 1, 1]
    assert whole.scores == [20, -10, -10]
