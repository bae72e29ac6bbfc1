"""The trick under way: the chance that a card played now wins it."""

from typing import Any

import numpy as np

from ohpshaw_agents._winner_chances import power_of
from ohpshaw_agents._winner_weights import SHEDDER, SPOILER, TAKER, TELL
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import U, lane, popcount
from ohpshaw_sim.kernels.tricks import beats


@jit
def chance_to_win(view: Any, card: int, unseen: Any, cards: int, params: Any) -> float:
    """Return the chance that `card` wins the trick under way: 0 or 1 for the last to play.

    Each seat still to play beats it when it can (from the unseen cards, each with the same chance in its hand) and
    will: seats short of their bid gladly, seats at their bid only when forced, seats that missed it as it happens.
    `cards` is the number of cards in each of these hands.
    """
    trump = np.int64(view.trump)
    led = np.int64(view.led) if view.led >= 0 else card >> 4
    if view.on_table > 0 and not beats(card, np.int64(view.winning_card), led, trump):
        return 0.0
    players = np.int64(view.players)
    share = cards / max(popcount(unseen), cards)
    chance = 1.0
    for step in range(1, players - view.on_table):
        seat = (view.seat + step) % players
        need = np.int64(view.bids[seat]) - np.int64(view.tricks[seat])
        will = params[TAKER] if need > 0 else params[SHEDDER]
        if need < 0 or need > cards:
            will = params[SPOILER]
        more = 1.0 + params[TELL] * (need / cards - 1.0 / players)
        high_share = min(max(share * more, 0.0), 0.95)
        chance *= 1.0 - will * _chance_to_beat(card, led, trump, unseen, view.voids[seat], share, high_share)
    return chance


@jit
def _chance_to_beat(
    card: int, led: int, trump: int, unseen: Any, voids: int, share: float, high_share: float
) -> float:
    """Return the chance that a seat with these known voids holds a card that beats `card` and may play it."""
    following = unseen & lane(led)
    misses = 1.0 - high_share
    void = 1.0
    chance = 0.0
    if not voids >> led & 1:
        void = power_of(1.0 - share, popcount(following))
        if card >> 4 == led:
            chance = 1.0 - power_of(misses, popcount(following >> U(card)))
    if trump >= 0 and trump != led and not voids >> trump & 1:
        trumps = unseen & lane(trump)
        over = popcount(trumps >> U(card)) if card >> 4 == trump else popcount(trumps)
        chance += void * (1.0 - power_of(misses, over))
    return chance
