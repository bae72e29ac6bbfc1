"""Rounds of the referee laid out by hand: cards as text, hands, bids and plays in one line each."""

import reference as ref


def card(text: str) -> ref.Card:
    """`TH` is the ten of hearts, `WH` one of the Wizards and `FH` one of the Jesters (fools)."""
    return "CDHS".index(text[1]), ".F23456789TJQKAW".index(text[0])


def cards(text: str) -> list[ref.Card]:
    return [card(word) for word in text.split()]


def trick(text: str) -> list[ref.Play]:
    """These cards from seat 0 on."""
    return list(enumerate(cards(text)))


def table(
    *hands: str, turn_up: str | None, dealer: int = 0, options: ref.Options = ref.BASE, number: int = 0
) -> ref.Round:
    """A round with these hands, seat 0 first."""
    deal = ref.Deal([cards(hand) for hand in hands], card(turn_up) if turn_up else None)
    return ref.Round(deal, dealer, options, number)


def bid(game: ref.Round, *bids: int) -> ref.Round:
    for each in bids:
        game.bid(each)
    return game


def play(game: ref.Round, plays: str) -> ref.Round:
    for each in cards(plays):
        game.play(each)
    return game
