"""Who played which card, and who won the tricks: what the order of the cards alone tells (B10, B11)."""

from collections.abc import Iterator, Sequence

from ohpshaw_sim.cards import NO_CARD, NO_SUIT, Card, Suit
from ohpshaw_sim.kernels.tricks import beats, suit_led
from ohpshaw_sim.records.verdict import Play, Trick


def lay_tricks(
    cards: Sequence[Card], players: int, hand_size: int, eldest: int, trump: Suit
) -> Iterator[Trick]:
    """Yield the tricks that cards in playing order make, and the one to be led next, if there is one.

    Eldest hand leads the first, the winner the next (B10, B11). Cards beyond the last trick are left out.
    """
    leader = eldest
    for number in range(1, hand_size + 1):
        start = (number - 1) * players
        if start > len(cards):
            return
        trick = _lay_trick(cards[start : start + players], players, leader, trump, number)
        yield trick
        leader = trick.winner


def _lay_trick(cards: Sequence[Card], players: int, leader: int, trump: Suit, number: int) -> Trick:
    """Return the trick that these cards make, played clockwise from the leader."""
    plays = []
    led, best, winner = NO_SUIT, NO_CARD, -1
    for place, card in enumerate(cards):
        seat = (leader + place) % players
        plays.append(Play(seat, card, led, number))
        led = suit_led(led, best, card)
        if best == NO_CARD or beats(card, best, led, trump):
            best, winner = card, seat
    return Trick(leader, tuple(plays), led, winner, best, len(cards) == players)
