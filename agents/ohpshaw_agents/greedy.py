"""`greedy`: bids its likely winners at a glance and plays each trick for that bid; monte-carlo's rollout policy."""

from typing import Any

from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ZERO, bit, lowest_bit
from ohpshaw_sim.kernels.policy import aim_card, quick_bid, turn_of, turned, turned_back, turned_suit
from ohpshaw_sim.kernels.tricks import contest


@jit
def bid(view: Any, params: Any) -> int:  # noqa: ARG001  # the signature every agent function has
    """Bid the number of likely winners."""
    unseen = view.pack & ~(view.hand | view.gone)
    return quick_bid(view.hand, unseen, view.trump, (view.players - 1) * view.hand_size)


@jit
def play(view: Any, params: Any) -> int:  # noqa: ARG001  # the signature every agent function has
    """Play what the bid-seeking policy says."""
    turn, trump = turn_of(view.trump), turned_suit(view.trump, view.trump)
    led = turned_suit(view.led, view.trump)
    best = turned(bit(view.winning_card), turn) if view.on_table else ZERO
    left = view.hand_size - view.trick_number
    need = view.bids[view.seat] - view.tricks[view.seat]
    last = view.on_table == view.players - 1
    card = aim_card(turned(view.hand, turn), led, contest(led, trump), best, need, left, last)
    return turned_back(lowest_bit(card), turn)


def make_agent() -> CompiledAgent:
    """Make the agent; it has no parameters."""
    return CompiledAgent(bid=bid, play=play)
