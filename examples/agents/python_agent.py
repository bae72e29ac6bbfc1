"""A plain Python agent in one file: it bids its aces and high trumps, then plays what just wins or just loses.

In a tournament:  ohpshaw tournament examples/agents/python_agent.py count-winners random --sets 96
To check it:      ohpshaw agents check examples/agents/python_agent.py

Any Python may stand here, a neural network included. Each decision comes as a view whose fields are ints and
lists of ints, named and explained in `ohpshaw_sim.interface.view`. An agent is a pure function of that view:
if it wants luck, it takes it from `view.rnd`, so that every run can be repeated. To answer many decisions at
once, define `bids(batch)` and `plays(batch)` instead of `bid` and `play`: the same fields come as arrays.
"""

from typing import Any, Final

from ohpshaw_sim.cards import ACE, JACK, cards_in, rank_of, suit_of


class PythonAgent:
    """Counts high cards; then aims at its bid trick by trick."""

    def __init__(self, lowest_trump: int) -> None:
        self.lowest_trump: Final = lowest_trump

    def bid(self, view: Any) -> int:
        """Bid one for each ace and for each trump from `lowest_trump` up."""
        tricks = sum(
            rank_of(card) == ACE or (suit_of(card) == view.trump and rank_of(card) >= self.lowest_trump)
            for card in cards_in(view.hand)
        )
        legal = list(cards_in(view.legal))  # bit b of the mask = bid b
        return min(legal, key=lambda bid: abs(bid - tricks))  # some rules forbid the dealer one bid

    def play(self, view: Any) -> int:
        """While tricks are missing, win as cheaply as it can; else shed the highest card that loses."""
        cards = sorted(cards_in(view.legal), key=rank_of)
        winners = [card for card in cards if beats(card, view.winning_card, view.trump)]
        if view.bids[view.seat] > view.tricks[view.seat]:
            best = winners[-1:] if view.on_table == 0 else winners[:1]
            return (best or cards)[0]
        losers = [card for card in cards if card not in winners]
        return losers[-1] if losers else cards[0]


def beats(card: int, best: int, trump: int) -> bool:
    """Tell whether a card would win the trick in which `best` is ahead (-1 = the card is led)."""
    if best < 0 or suit_of(card) == suit_of(best):
        return card > best
    return suit_of(card) == trump


def make_agent(lowest_trump: int = JACK) -> PythonAgent:
    """Make the agent; `lowest_trump` is the lowest rank of a trump that counts as a trick (11 = jack)."""
    return PythonAgent(lowest_trump)
