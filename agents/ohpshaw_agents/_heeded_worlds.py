"""Worlds that heed the bids: of several uniform ones, one is kept in proportion to how well it explains the bids."""

from typing import Any, Final

import numpy as np

from ohpshaw_agents import count_winners
from ohpshaw_agents._playout_desk import bids_of_seat
from ohpshaw_sim.interface.view import BID
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ZERO, U, bit
from ohpshaw_sim.kernels.rng import fold, stream_word
from ohpshaw_sim.kernels.worlds import sample_world

_FRACTION: Final = 2.0**-53
_ANY: Final = 0.01
"""What the worst bid weighs: people bid it, too."""
_quality: Final = count_winners.bid_quality


@jit
def lay_bidder(view: Any, bidders: Any) -> None:
    """Fill in what a view (an array of one record) shows all seats at their bid, in the round of `view`."""
    bidder = bidders[0]
    bidder.kind = BID
    bidder.players = view.players
    bidder.hand_size = view.hand_size
    bidder.dealer = view.dealer
    bidder.trump = view.trump
    bidder.pack = view.pack
    bidder.gone = bit(view.turn_up) if view.turn_up >= 0 else ZERO
    bidder.hook_from = view.hook_from
    bidder.scoring = view.scoring
    bidder.zero_bid = view.zero_bid


@jit
def heeded_world(
    plan: Any, view: Any, key: Any, tries: int, hands: Any, kept: Any, bidders: Any, weights: Any
) -> None:
    """Draw one world into `hands` (uint64 by seat): the one kept of `tries` uniform ones; `kept` is scratch.

    With one try, or before another seat has bid, it is a uniform world (`worlds.sample_world`).

    bidders   a view filled by `lay_bidder`
    weights   the parameters of `count-winners`
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
        weight = bids_likeness(view, hands, bidders, weights)
        total += weight
        # Keeping each newcomer with this chance keeps every world of the row with a chance of weight / total.
        if (stream_word(luck, attempt) >> U(11)) * _FRACTION * total < weight:
            for seat in range(view.players):
                kept[seat] = hands[seat]
    for seat in range(view.players):
        hands[seat] = kept[seat]


@jit
def bids_likeness(view: Any, hands: Any, bidders: Any, weights: Any) -> float:
    """Return how well the hands of a world explain the others' bids, as a weight above 0.

    A bid weighs the eighth power of its quality, and a little more: the better it is among its neighbours by what
    `count-winners` expects to score, the likelier. The power was chosen, not tuned.
    """
    bidder = bidders[0]
    for seat in range(view.players):
        bidder.bids[seat] = -1
    likeness, total = 1.0, 0
    seat = view.dealer
    for _ in range(view.players):
        seat = (seat + 1) % view.players
        bid = np.int64(view.bids[seat])  # its points may be more than a field of the view holds
        if bid < 0:
            break
        if seat != view.seat:
            bidder.seat = seat
            bidder.legal = bids_of_seat(view, seat, total)
            bidder.hand = hands[seat] | view.played[seat]
            quality = _quality(bidder, bid, weights)
            quality *= quality
            quality *= quality
            likeness *= quality * quality + _ANY
        total += bid
        if view.simultaneous == 0:
            bidder.bids[seat] = bid
    return likeness
