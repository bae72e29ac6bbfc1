"""The bid-seeking policy: what it plays from telling hands, what a hand is worth, and which bid is nearest."""

from ohpshaw_sim.cards import cards_in, mask_of, pack_mask, parse_card, parse_cards, suit_of
from ohpshaw_sim.kernels.bits import U
from ohpshaw_sim.kernels.policy import (
    aim_card,
    likely_tricks,
    nearest_bid,
    turn_of,
    turned,
    turned_back,
    turned_suit,
)

TRUMP = 3


def test_turning_puts_trump_on_top_and_back() -> None:
    for trump in range(-1, 4):
        turn = turn_of(trump)
        for card in cards_in(pack_mask()):
            mask = int(turned(U(1 << card), turn))
            assert mask.bit_count() == 1
            moved = mask.bit_length() - 1
            assert turned_back(moved, turn) == card
            assert suit_of(moved) == turned_suit(suit_of(card), trump)
            assert (suit_of(moved) == TRUMP) == (suit_of(card) == (trump if trump >= 0 else TRUMP))


def chosen(hand: str, need: int, table: str = "", *, last: bool = False, others: str = "KS") -> str:
    """What a seat plays, spades being trumps; `table` is the card that was led and wins so far."""
    led, best = -1, 0
    if table:
        led, best = suit_of(parse_card(table)), 1 << parse_card(table)
    mask, live = U(mask_of(parse_cards(hand))), U(mask_of(parse_cards(f"{hand} {others}")))
    waiting = 4 if led < 0 else 1 if last else 2
    card = aim_card(mask, live, TRUMP, led, U(best), need, waiting, 4, False)
    return next(word for word in hand.split() if 1 << parse_card(word) == int(card))


def test_who_needs_a_trick_wins_it() -> None:
    assert chosen("AC 9C 4C", 1, "8C") == "AC"
    assert chosen("AC 9C 4C", 1, "8C", last=True) == "9C"
    assert chosen("9C 4C 2C", 1, "TC") == "2C"
    assert chosen("9D 4S 2S", 1, "TC", last=True) == "2S"
    assert chosen("9D AH 2S", 1) == "AH"


def test_who_needs_none_throws_the_highest_that_loses() -> None:
    assert chosen("AC 9C 4C", 0, "TC") == "9C"
    assert chosen("AC KC", 0, "TC", last=True) == "AC"
    assert chosen("AC KC", 0, "TC") == "KC"
    assert chosen("9D KH 2S", 0, "TC") == "KH"
    assert chosen("9D KH 2H", 0) == "2H"
    assert chosen("9D KH QS", 0, others="KS") == "QS"
    assert chosen("9D KH QS", 0, others="TS") == "9D"


def test_a_hand_is_worth_what_it_holds() -> None:
    def worth(hand: str, players: int = 4) -> float:
        mask = mask_of(parse_cards(hand))
        return float(likely_tricks(U(mask), U(pack_mask() & ~mask), TRUMP, players, len(hand.split())))

    assert (
        worth("AS KS QS JS TS") > worth("AS KS QS JC TC") > worth("AC KS QD JC TC") > worth("5C 4S 3D 2C 7H")
    )
    assert worth("AC 2D 3H") > worth("KC 2D 3H") > worth("TC 2D 3H")
    assert worth("AS", 3) > 0.9
    assert worth("2C", 3) < 0.3


def test_a_bid_is_the_nearest_legal_one() -> None:
    assert [int(nearest_bid(aim, U(0b1111))) for aim in (-2.0, 0.4, 0.5, 1.4, 2.6, 9.0)] == [0, 0, 1, 1, 3, 3]
    assert [int(nearest_bid(aim, U(0b1101))) for aim in (0.2, 1.0, 1.6)] == [0, 2, 2]
