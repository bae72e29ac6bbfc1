"""What can be counted in hands, on whole arrays of deals: the words of a condition's MEASURE.

To add one: a function of masks and deals, and its place in `MEASURES`.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from ohpshaw_sim.cards import ACE, JACK, JESTER, KING, NO_CARD, QUEEN, RANKS, SUITS, Mask, lane_of, mask_of
from ohpshaw_sim.kernels.bits import SUITED, WIZARDS, U
from ohpshaw_sim.records.deals import Deals

SUIT_WORDS: Final = ("clubs", "diamonds", "hearts", "spades")
_SUIT_LANES: Final = np.array([lane_of(suit) & int(SUITED) for suit in SUITS], np.uint64)

Count: TypeAlias = Callable[[Any, Deals], Any]
"""Of masks (uint64 [deals, seats]) and the deals they are from: the numbers counted, of the same shape."""


class Measure(NamedTuple):
    """Something that can be counted in a hand; `needs` is `trump`, `wizards`, a suit's name or empty."""

    meaning: str
    of: Count
    needs: str = ""


def turned_mask(deals: Deals) -> Any:
    """Return the turned card as a mask, uint64 [deals, 1]; empty where none is turned."""
    shown = np.uint64(1) << np.maximum(deals.turn_ups, 0).astype(np.uint64)
    return np.where(deals.turn_ups == NO_CARD, U(0), shown)[:, None]


def _trump_lanes(deals: Deals) -> Any:
    """Return the mask of trump cards, uint64 [deals, 1]; empty where there is none, or it is to be named."""
    return np.where(deals.trumps >= 0, _SUIT_LANES[np.maximum(deals.trumps, 0)], U(0))[:, None]


def _of_rank(rank: int) -> int:
    return mask_of(16 * suit + rank for suit in SUITS)


def among(cards: Mask) -> Count:
    """Return the measure that counts some cards of the pack."""
    return lambda hands, _: np.bitwise_count(hands & U(cards))


def _trumps(hands: Any, deals: Deals) -> Any:
    return np.bitwise_count(hands & _trump_lanes(deals))


def _highest_trump(hands: Any, deals: Deals) -> Any:
    held, highest = hands & _trump_lanes(deals), np.zeros(hands.shape, np.int64)
    for rank in RANKS:
        highest[held & U(_of_rank(rank)) != 0] = rank
    return highest


def _sure_trumps(hands: Any, deals: Deals) -> Any:
    trumps, gone = _trump_lanes(deals), turned_mask(deals)
    held, sure = hands & trumps, np.zeros(hands.shape, np.int64)
    unbroken = np.broadcast_to(trumps != 0, hands.shape)
    for rank in reversed(RANKS):
        one = U(_of_rank(rank))
        unbroken = unbroken & ((held | gone) & one != 0)
        sure += unbroken & (held & one != 0)
    return sure


def _lengths(hands: Any, deals: Deals) -> Any:
    """Return how many cards of each suit of the pack are held, uint8 [suits, deals, seats]."""
    pack = deals.setting.rules.pack_mask
    return np.stack([np.bitwise_count(hands & lane) for lane in _SUIT_LANES if pack & int(lane)])


def _points(hands: Any, _: Deals) -> Any:
    worth = enumerate((JACK, QUEEN, KING, ACE), start=1)
    return sum(
        points * np.bitwise_count(hands & U(_of_rank(rank))).astype(np.int64) for points, rank in worth
    )


MEASURES: Final = {
    "trumps": Measure("trumps held", _trumps, "trump"),
    "highest-trump": Measure(
        "rank of the highest trump, 2 to 14 (ace); 0 without one", _highest_trump, "trump"
    ),
    "sure-trumps": Measure(
        "trumps from the top without a gap, the turn-up counted as gone", _sure_trumps, "trump"
    ),
    **{
        name: Measure(f"{name} held", among(int(_SUIT_LANES[suit])), name)
        for suit, name in enumerate(SUIT_WORDS)
    },
    "voids": Measure(
        "suits of which none is held", lambda hands, deals: (_lengths(hands, deals) == 0).sum(axis=0)
    ),
    "singletons": Measure(
        "suits of which one is held", lambda hands, deals: (_lengths(hands, deals) == 1).sum(axis=0)
    ),
    "longest": Measure("cards of the longest suit", lambda hands, deals: _lengths(hands, deals).max(axis=0)),
    "aces": Measure("aces held", among(_of_rank(ACE))),
    "kings": Measure("kings held", among(_of_rank(KING))),
    "queens": Measure("queens held", among(_of_rank(QUEEN))),
    "jacks": Measure("jacks held", among(_of_rank(JACK))),
    "points": Measure("4 an ace, 3 a king, 2 a queen, 1 a jack", _points),
    "wizards": Measure("Wizards held", among(int(WIZARDS)), "wizards"),
    "jesters": Measure("Jesters held", among(_of_rank(JESTER)), "wizards"),
}
"""What can be counted."""
