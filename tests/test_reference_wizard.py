"""The referee's Wizard pack (V8): what Wizards and Jesters do to following, winning, trump and voids.

`WH` is a Wizard, `FH` a Jester (a fool); the suit letter only tells the four of each apart.
"""

import pytest

import reference as ref
from reference import CLUBS, DIAMONDS, HEARTS, SPADES, Options
from reference_table import bid, card, cards, play, table, trick

WIZARD = Options(wizard=True)
MUST_TRUMP = Options(wizard=True, must_trump=True)


@pytest.mark.rule("V8")
def test_v8_the_pack_has_60_cards() -> None:
    pack = ref.pack_of(WIZARD)
    assert len(set(pack)) == WIZARD.cards == 60
    assert sum(ref.is_wizard(each) for each in pack) == sum(ref.is_jester(each) for each in pack) == 4
    assert set(ref.new_pack()) < set(pack)


# Following


@pytest.mark.rule("V8")
@pytest.mark.parametrize(
    ("on_table", "suit"),
    [
        ("", None),
        ("5C", CLUBS),
        ("5C WH", CLUBS),  # a Wizard later changes nothing
        ("5C FH 9D", CLUBS),
        ("FH", None),  # a Jester led: the next other card sets the suit
        ("FH FC", None),
        ("FH FC 9D", DIAMONDS),
        ("FH 9D 5C", DIAMONDS),
        ("FH WD", None),  # a Jester led, a Wizard second: nothing need be followed
        ("FH WD 5C", None),
        ("WD", None),  # a Wizard led
        ("WD 5C 9D", None),
    ],
)
def test_v8_the_suit_to_follow(on_table: str, suit: int | None) -> None:
    assert ref.led_suit(trick(on_table)) == suit


@pytest.mark.rule("V8")
def test_v8_wizards_and_jesters_may_be_played_holding_the_led_suit_or_not() -> None:
    hand = cards("2C 3D WC FS")
    assert ref.legal_cards(hand, CLUBS) == cards("2C WC FS")
    assert ref.legal_cards(hand, HEARTS) == hand
    assert ref.legal_cards(hand, None) == hand


@pytest.mark.rule("V8")
def test_v8_a_wizard_of_clubs_is_no_club() -> None:
    hand = cards("WC FC 3D")
    assert ref.legal_cards(hand, CLUBS) == hand  # no club to follow with


@pytest.mark.rule("V8")
@pytest.mark.rule("V10")
def test_v8_v10_a_trump_is_owed_and_a_wizard_or_jester_may_be_played_instead() -> None:
    def legal(hand: str, led: int | None, trump: int | None) -> list[ref.Card]:
        return ref.legal_cards(cards(hand), led, trump, must_trump=True)

    assert legal("2H 3S WC FD", CLUBS, HEARTS) == cards("2H WC FD")
    assert legal("4C 2H 3S WC", CLUBS, HEARTS) == cards("4C WC")  # it can follow
    assert legal("3S WH FH", CLUBS, HEARTS) == cards("3S WH FH")  # neither is a trump
    assert legal("2H 3S WC", CLUBS, None) == cards("2H 3S WC")
    assert legal("2H 3S WC", None, HEARTS) == cards("2H 3S WC")  # nothing need be followed


@pytest.mark.rule("V8")
@pytest.mark.rule("V10")
@pytest.mark.parametrize("first", ["FC", "WC"])
def test_v8_v10_anything_goes_while_no_suit_is_led(first: str) -> None:
    game = table("5S 6S", "7S 2H", f"{first} 8S", turn_up="9H", dealer=1, options=MUST_TRUMP)
    play(bid(game, 0, 0, 0), first)
    assert game.legal_cards() == cards("5S 6S")
    play(game, "5S")  # after the Jester it sets the suit, after the Wizard it does not
    assert game.legal_cards() == (cards("7S") if first == "FC" else cards("7S 2H"))


# Winning


@pytest.mark.rule("V8")
@pytest.mark.parametrize(
    ("played", "trump", "winner"),
    [
        ("5C WH AC WD", CLUBS, 1),  # the first Wizard wins
        ("WS WH 5C", CLUBS, 0),
        ("FC 5C 9C", None, 2),  # Jesters lose
        ("FC 2D AS 3D", None, 3),  # the two set the suit
        ("FC 2D AS 3D", SPADES, 2),
        ("5C FH 2C", HEARTS, 0),  # a Jester of hearts is no trump
        ("FC FS 2D", SPADES, 2),
        ("FC FS FD", SPADES, 0),  # all Jesters: the first wins
        ("FC FS FD WD", SPADES, 3),
        ("5C AH 2S", SPADES, 2),
    ],
)
def test_v8_the_winner_of_a_trick(played: str, trump: int | None, winner: int) -> None:
    on_table = trick(played)
    assert ref.best_play(on_table, trump) == on_table[winner]


# What a play reveals


@pytest.mark.rule("V8")
def test_v8_a_wizard_or_jester_shows_nothing() -> None:
    for special in ("WS", "FS", "WC", "FC"):
        assert ref.voids_shown(card(special), CLUBS) == set()
        assert ref.voids_shown(card(special), CLUBS, HEARTS, must_trump=True) == set()
    assert ref.voids_shown(card("5D"), CLUBS, HEARTS, must_trump=True) == {CLUBS, HEARTS}


@pytest.mark.rule("V8")
def test_v8_where_nothing_need_be_followed_no_card_shows_anything() -> None:
    game = bid(table("5C 6S", "7D 2H", "FC WS", turn_up="9H", dealer=1, options=WIZARD), 0, 0, 0)
    play(game, "WS 5C 7D")
    assert game.voids == [set(), set(), set()]
    play(game, "FC 6S 2H")  # the six sets the suit; hearts are trump
    assert game.voids == [set(), {SPADES}, set()]
    assert game.tricks == [0, 1, 1]


# Trump


@pytest.mark.rule("V8")
def test_v8_a_jester_turned_up_means_no_trump() -> None:
    game = table("2C", "3C", "4C", turn_up="FH", options=WIZARD)
    assert (game.trump, game.naming, game.bidding, game.seat) == (None, False, True, 1)


@pytest.mark.rule("V8")
def test_v8_a_wizard_turned_up_has_the_dealer_name_the_trump_before_bidding() -> None:
    game = table("2C", "3C", "4S", turn_up="WH", dealer=2, options=WIZARD)
    assert (game.trump, game.naming, game.bidding, game.seat) == (None, True, False, 2)
    assert game.legal_suits() == [CLUBS, DIAMONDS, HEARTS, SPADES]
    with pytest.raises(AssertionError):
        game.bid(0)
    game.name(SPADES)
    assert (game.trump, game.naming, game.bidding, game.seat) == (SPADES, False, True, 0)
    play(bid(game, 0, 0, 1), "2C 3C 4S")
    assert game.tricks == [0, 0, 1]
    assert game.scores() == [10, 10, 11]


@pytest.mark.rule("V8")
@pytest.mark.parametrize(
    ("hand", "suits"),
    [
        ("2C 3C AH", [CLUBS]),  # the longest
        ("2C 9C 3H TH AS", [HEARTS]),  # ties to the higher cards
        ("2C AC 3H AH", [HEARTS]),
        ("2C AC 3H KH", [CLUBS]),
        ("2C WC FC WD 3H 4H", [HEARTS]),  # Wizards and Jesters belong to no suit
        ("9C 9H 2S", [CLUBS, HEARTS]),  # the rulebook leaves it open
        ("WC FH", [CLUBS, DIAMONDS, HEARTS, SPADES]),
    ],
)
def test_v8_the_default_names_the_longest_suit(hand: str, suits: list[int]) -> None:
    assert ref.default_suits(cards(hand)) == suits


@pytest.mark.rule("V8")
@pytest.mark.rule("B6")
def test_v8_the_round_that_uses_all_60_is_no_trump() -> None:
    deal = ref.deal_out(ref.pack_of(WIZARD), players=3, hand_size=20, dealer=0)
    game = ref.Round(deal, 0, WIZARD, number=19)
    assert (game.turn_up, game.trump, game.naming) == (None, None, False)


@pytest.mark.rule("V6")
@pytest.mark.rule("V8")
def test_v6_v8_trump_rotates_and_nobody_names_it() -> None:
    options = Options(wizard=True, trump="rotate")
    game = table("2C", "3C", "4C", turn_up=None, options=options, number=2)
    assert (game.trump, game.naming, game.seat) == (DIAMONDS, False, 1)
    deal = ref.deal_out(ref.pack_of(options), players=3, hand_size=20, dealer=0, turn=False)
    assert ref.Round(deal, 0, options, number=19).trump == SPADES  # the 20th round; B6


@pytest.mark.rule("V8")
@pytest.mark.rule("V15")
def test_v8_a_whole_round_of_wizard() -> None:
    options = Options(wizard=True, scoring="wizard")
    game = bid(table("FC 5H", "WD 2S", "AH 9S", turn_up="KS", options=options), 2, 0, 0)
    assert game.announcement == "even"
    play(game, "2S")
    assert game.legal_cards() == cards("9S")
    play(game, "9S")
    assert game.legal_cards() == cards("FC 5H")  # no spade
    play(game, "5H")
    assert game.leader == 2
    play(game, "AH FC WD")
    assert game.tricks == [0, 1, 1]
    assert game.scores() == [20, -10, -10]
    assert game.voids == [{SPADES}, set(), set()]
