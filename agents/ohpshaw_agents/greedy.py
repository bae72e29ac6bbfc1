"""`greedy`: bids what its hand is worth at a glance, plays each trick for that bid: monte-carlo's rollout policy."""

from typing import Any

from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ZERO, bit, lowest_bit
from ohpshaw_sim.kernels.policy import (
    aim_card,
    bid_aim,
    likely_tricks,
    nearest_bid,
    share_held,
    turn_of,
    turned,
    turned_back,
    turned_suit,
)
from ohpshaw_sim.kernels.tricks import contest, strength


@jit
def bid(view: Any, params: Any) -> int:  # noqa: ARG001  # the signature every agent function has
    """Bid what the hand is worth, less if those before claimed much."""
    unseen = view.pack & ~(view.hand | view.gone)
    place, announced = 0, 0
    for seat in range(view.players):
        if view.bids[seat] >= 0:
            place += 1
            announced += view.bids[seat]
    tricks = likely_tricks(view.hand, unseen, view.trump, view.players, view.hand_size)
    share = share_held(unseen, view.players, view.hand_size)
    return nearest_bid(bid_aim(tricks, share, place, announced, view.players, view.hand_size), view.legal)


@jit
def play(view: Any, params: Any) -> int:  # noqa: ARG001  # the signature every agent function has
    """Play what the bid-seeking policy says."""
    turn, trump = turn_of(view.trump), turned_suit(view.trump, view.trump)
    led = turned_suit(view.led, view.trump)
    best = ZERO
    if view.on_table:
        best = strength(turned(bit(view.winning_card), turn), contest(led, trump), ZERO)
    live = turned(view.pack & ~view.gone, turn)
    need = view.bids[view.seat] - view.tricks[view.seat]
    waiting, hand = view.players - view.on_table, turned(view.hand, turn)
    card = aim_card(hand, live, trump, led, best, need, waiting, view.players, view.must_trump != 0)
    return turned_back(lowest_bit(card), turn)


def make_agent() -> CompiledAgent:
    """Make the agent; it has no parameters."""
    return CompiledAgent(bid=bid, play=play)
