"""Worlds that heed the bids: of several uniform ones, one is kept in proportion to how well it explains the bids."""

from typing import Any, Final

from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ZERO, U, bit
from ohpshaw_sim.kernels.policy import bid_aim, likely_tricks, share_held
from ohpshaw_sim.kernels.rng import fold, stream_word
from ohpshaw_sim.kernels.worlds import sample_world

_SPREAD: Final = 0.7
"""Tricks by which players' bids stray from what the hand seems worth."""
_FRACTION: Final = 2.0**-53


@jit
def heeded_world(plan: Any, view: Any, key: Any, tries: int, hands: Any, kept: Any) -> None:
    """Draw one world into `hands` (uint64 by seat): the one kept of `tries` uniform ones; `kept` is scratch.

    With one try, or before another seat has bid, it is a uniform world (`worlds.sample_world`).
    """
    heard = 0
    for seat in range(view.players):
        heard += view.bids[seat] >= 0 and seat != view.seat
    if tries <= 1 or heard == 0:
        sample_world(plan, key, hands)
        return
    total = 0.0
    luck = fold(key, tries)
    for attempt in range(tries):
        sample_world(plan, fold(key, attempt), hands)
        weight = bids_likeness(view, hands)
        total += weight
        # Keeping each newcomer with this chance keeps every world of the row with a chance of weight / total.
        if (stream_word(luck, attempt) >> U(11)) * _FRACTION * total < weight:
            for seat in range(view.players):
                kept[seat] = hands[seat]
    for seat in range(view.players):
        hands[seat] = kept[seat]


@jit
def bids_likeness(view: Any, hands: Any) -> float:
    """Return how well the hands of a world explain the others' bids, above 0 and at most 1."""
    turn_up = bit(view.turn_up) if view.turn_up >= 0 else ZERO
    likeness = 1.0
    announced = 0
    seat = view.dealer
    for place in range(view.players):
        seat = (seat + 1) % view.players
        bid = view.bids[seat]
        if bid < 0:
            break
        if seat != view.seat:
            dealt = hands[seat] | view.played[seat]
            unseen = view.pack & ~(dealt | turn_up)
            tricks = likely_tricks(dealt, unseen, view.trump, view.players, view.hand_size)
            share = share_held(unseen, view.players, view.hand_size)
            stray = bid_aim(tricks, share, place, announced, view.players, view.hand_size) - bid
            if bid == 0:
                stray = max(stray, 0.0)  # no weak hand can bid less
            bell = 1.0 / (1.0 + stray * stray / (_SPREAD * _SPREAD))
            likeness *= bell * bell
        announced += bid
    return likeness
