"""One round's deal, as it is given to a match to be played."""

from typing import NamedTuple

from ohpshaw_sim.cards import Card, Mask, Suit


class RoundDeal(NamedTuple):
    """One round's deal. `trump` is None where the turn-up makes it (-1 = every card is dealt), else -1 = no trump."""

    dealer: int
    hands: tuple[Mask, ...]
    turn_up: Card
    trump: Suit | None
