"""The trick under way: the chance that a card played now wins it, and what is won when another seat does."""

from typing import Any, Final

import numpy as np

from ohpshaw_agents._winner_sums import HARMS, aimed_even_chance, hit_points, power_of
from ohpshaw_agents._winner_weights import AIM_PLAY, SHEDDER, SPOILER, TAKER, TELL
from ohpshaw_sim.kernels._jit import jit_inline
from ohpshaw_sim.kernels.bits import FREE, WIZARDS, U, bit, popcount
from ohpshaw_sim.kernels.tricks import beats, suit_lane, suit_led

_JESTERS_ALONE: Final = 0.02
"""How likely a seat has nothing else to lay on a Jester."""


@jit_inline
def need_of(view: Any, seat: int) -> int:
    """Return the number of tricks that a seat is short of its bid; below 0 when it has too many."""
    return np.int64(view.bids[seat]) - np.int64(view.tricks[seat])


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
    own_points = hit_points(view, np.int64(view.bids[own_seat]))
    for seat in range(np.int64(view.players)):
        room[HARMS, seat] = 0.0
        need = need_of(view, seat)
        if 0 <= need <= cards and seat != own_seat:
            lost = aimed_even_chance(cards - 1, need, even, aim)
            won = aimed_even_chance(cards - 1, need - 1, even, aim)
            room[HARMS, seat] = (lost - won) * hit_points(view, np.int64(view.bids[seat])) / own_points


@jit_inline
def outcome(view: Any, card: int, unseen: Any, cards: int, params: Any, harms: Any) -> tuple[float, float]:
    """Return the chance that `card` wins the trick under way, and the mean of `harms` over who wins it (0 for me).

    Each seat still to play beats it when it can (each unseen card has the same chance to be in its hand) and will:
    seats short of their bid gladly, seats at their bid only when they have nothing lower, seats that missed it as it
    happens. `cards` is the number of cards in each of these hands. The last to play knows the outcome.
    """
    trump = np.int64(view.trump)
    led = suit_led(np.int64(view.led), np.int64(view.winning_card), card)
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
        if bit(card) & FREE:
            beaten = 0.0 if bit(card) & WIZARDS else 1.0 - _JESTERS_ALONE
        else:
            must = view.must_trump != 0
            beaten = _chance_to_beat(
                card, led, trump, unseen, view.voids[seat], share, high_share, will, must
            )
        chance *= 1.0 - beaten
        harm += beaten * (harms[seat] - harm)
    return chance, harm


@jit_inline
def _chance_to_beat(
    card: int,
    led: int,
    trump: int,
    unseen: Any,
    voids: int,
    share: float,
    high_share: float,
    will: float,
    must: bool,
) -> float:
    """Return the chance that a seat with these known voids beats `card`, which belongs to a suit.

    `share` is the chance that an unseen card is in its hand, `high_share` that of a card high enough, `will` the
    chance that it beats the card if it has the choice; who cannot follow has none when it `must` trump.
    """
    following = unseen & suit_lane(led)
    void = 1.0
    chance = 0.0
    if led >= 0 and not voids >> led & 1:
        void = power_of(1.0 - share, popcount(following))
        if card >> 4 == led:
            higher = popcount(following >> U(card))
            nothing_lower = power_of(1.0 - share, popcount(following) - higher)
            holds_higher = 1.0 - power_of(1.0 - high_share, higher)
            chance = holds_higher * (nothing_lower + (1.0 - nothing_lower) * will)
    if trump >= 0 and trump != led and not voids >> trump & 1:
        trumps = unseen & suit_lane(trump)
        over = popcount(trumps >> U(card)) if card >> 4 == trump else popcount(trumps)
        chance += (1.0 if must else will) * void * (1.0 - power_of(1.0 - high_share, over))
    wizards = popcount(unseen & WIZARDS)
    if wizards > 0:
        chance += (1.0 - chance) * will * (1.0 - power_of(1.0 - high_share, wizards))
    return chance
