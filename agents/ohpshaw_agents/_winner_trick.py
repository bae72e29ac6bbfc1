"""The trick under way: the chance that a card played now wins it, and what is won when another seat does."""

from typing import Any

import numpy as np

from ohpshaw_agents._winner_chances import HARMS, aimed_even_chance, power_of
from ohpshaw_agents._winner_weights import AIM_PLAY, SHEDDER, SPOILER, TAKER, TELL
from ohpshaw_sim.kernels._jit import jit_inline
from ohpshaw_sim.kernels.bits import U, lane, popcount
from ohpshaw_sim.kernels.scoring import round_score
from ohpshaw_sim.kernels.tricks import beats


@jit_inline
def need_of(view: Any, seat: int) -> int:
    """Return the number of tricks that a seat is short of its bid; below 0 when it has too many."""
    return np.int64(view.bids[seat]) - np.int64(view.tricks[seat])


@jit_inline
def _points_of(view: Any, seat: int) -> int:
    """Return the points of a seat that hits its bid."""
    bid = np.int64(view.bids[seat])
    return round_score(view.scoring, view.zero_bid, view.hand_size, bid, bid)


@jit_inline
def fill_harms(view: Any, cards: int, params: Any, room: Any) -> None:
    """Write to `room[HARMS, seat]` what winning the trick under way costs each seat.

    That is its chance to hit its bid when it loses the trick minus that when it wins it, in points of its bid per
    point of this seat's. The tricks after it count as even chances for all seats, aimed at. `cards` is the number of
    cards in this seat's hand.
    """
    even = 1.0 / (view.players - 1)
    aim = params[AIM_PLAY]
    own_seat = np.int64(view.seat)
    own_points = _points_of(view, own_seat)
    for seat in range(np.int64(view.players)):
        room[HARMS, seat] = 0.0
        need = need_of(view, seat)
        if 0 <= need <= cards and seat != own_seat:
            lost = aimed_even_chance(cards - 1, need, even, aim)
            won = aimed_even_chance(cards - 1, need - 1, even, aim)
            room[HARMS, seat] = (lost - won) * _points_of(view, seat) / own_points


@jit_inline
def outcome(view: Any, card: int, unseen: Any, cards: int, params: Any, harms: Any) -> tuple[float, float]:
    """Return the chance that `card` wins the trick under way, and the mean of `harms` over who wins it (0 for me).

    Each seat still to play beats it when it can (each unseen card has the same chance to be in its hand) and will:
    seats short of their bid gladly, seats at their bid only when they have nothing lower, seats that missed it as it
    happens. `cards` is the number of cards in each of these hands. The last to play knows the outcome.
    """
    trump = np.int64(view.trump)
    led = np.int64(view.led) if view.led >= 0 else card >> 4
    players = np.int64(view.players)
    chance, harm = 1.0, 0.0
    if view.on_table > 0 and not beats(card, np.int64(view.winning_card), led, trump):
        chance, harm = 0.0, harms[view.winning_seat]
        card = np.int64(view.winning_card)
    share = cards / max(popcount(unseen), cards)
    for step in range(1, players - view.on_table):
        seat = (np.int64(view.seat) + step) % players
        need = need_of(view, seat)
        will = params[TAKER] if need > 0 else params[SHEDDER]
        if need < 0 or need > cards:
            will = params[SPOILER]
        more = 1.0 + params[TELL] * (need / cards - 1.0 / players)
        high_share = min(max(share * more, 0.0), 0.95)
        beaten = _chance_to_beat(card, led, trump, unseen, view.voids[seat], share, high_share, will)
        chance *= 1.0 - beaten
        harm += beaten * (harms[seat] - harm)
    return chance, harm


@jit_inline
def _chance_to_beat(
    card: int, led: int, trump: int, unseen: Any, voids: int, share: float, high_share: float, will: float
) -> float:
    """Return the chance that a seat with these known voids beats `card`.

    `share` is the chance that an unseen card is in its hand, `high_share` that of a card high enough, `will` the
    chance that it beats the card if it has the choice.
    """
    following = unseen & lane(led)
    void = 1.0
    chance = 0.0
    if not voids >> led & 1:
        void = power_of(1.0 - share, popcount(following))
        if card >> 4 == led:
            higher = popcount(following >> U(card))
            nothing_lower = power_of(1.0 - share, popcount(following) - higher)
            holds_higher = 1.0 - power_of(1.0 - high_share, higher)
            chance = holds_higher * (nothing_lower + (1.0 - nothing_lower) * will)
    if trump >= 0 and trump != led and not voids >> trump & 1:
        trumps = unseen & lane(trump)
        over = popcount(trumps >> U(card)) if card >> 4 == trump else popcount(trumps)
        chance += will * void * (1.0 - power_of(1.0 - high_share, over))
    return chance
