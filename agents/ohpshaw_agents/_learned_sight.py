"""What `learned` sees: a decision as numbers about 0..1, the same for suits that are alike but for their names.

    state    STATE numbers: the hand suit by suit, the trick under way, the other seats, the totals

Suits stand in slots: trump first, then the others, the suit led and longer ones before. What a card is worth goes by
the cards that are still unseen, not by its rank. `q` is the chance that an unseen card is in no other hand.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.interface.view import BID
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ONE, ZERO, U, highest_bit, popcount
from ohpshaw_sim.kernels.policy import bid_aim, likely_tricks, share_held
from ohpshaw_sim.kernels.tricks import suit_lane

SLOTS: Final = 4
_SLOT: Final = 14
_SEAT: Final = 11
_SEATS: Final = SLOTS * _SLOT
"""Where the other seats begin, in order of play; `_SEAT` numbers for each of six."""
_OWN: Final = _SEATS + 6 * _SEAT
STATE: Final = _OWN + 26
SCRATCH: Final = 16
"""Numbers that `see` works with: slots' suits, the slot of each suit, and what answers need to know."""
_ORDER, PLACE, Q, AFTER, EXPECTED = 0, 4, 8, 9, 10
"""Places in the scratch: suits by slot, slots by suit, q, the chance that an unseen card is with a seat still to play,
the tricks that the hand is expected to win."""


@jit
def power(base: float, exponent: int) -> float:
    """Return base ** exponent for a whole exponent of 0 and more, by plain multiplication."""
    product = 1.0
    while exponent > 0:
        if exponent & 1:
            product *= base
        base *= base
        exponent >>= 1
    return product


@jit
def see(view: Any, state: Any, scratch: Any) -> None:
    """Fill `state` (float64[STATE]) and `scratch` (float64[SCRATCH]) with what a bidder or player sees."""
    for place in range(STATE):
        state[place] = 0.0
    hand, players = U(view.hand), np.int64(view.players)
    unseen = view.pack & ~(view.gone | hand)
    cards = popcount(hand)
    held = share_held(unseen, players, cards)
    waiting = players - 1 - np.int64(view.on_table)
    scratch[Q] = 1.0 - held
    scratch[AFTER] = min(waiting * cards / max(popcount(unseen), 1), 1.0)
    _order_suits(view, hand, scratch)
    strength = 0.0
    for slot in range(SLOTS):
        strength += _see_suit(view, hand, unseen, slot, state, scratch)
    _see_seats(view, cards, state, scratch)
    _see_totals(view, hand, unseen, cards, held, strength, state, scratch)


@jit
def _order_suits(view: Any, hand: Any, scratch: Any) -> None:
    """Write down which suit stands in which slot."""
    trump, led = np.int64(view.trump), np.int64(view.led)
    for suit in range(4):
        lane = U(suit_lane(suit))
        held = hand & lane
        key = 100.0 * popcount(held) + (highest_bit(held) & 15 if held else 0)
        key += 1e5 if suit == trump else 1e4 if suit == led else 0.0
        slot = suit
        while slot > 0 and scratch[EXPECTED + slot] < key:
            scratch[EXPECTED + slot + 1] = scratch[EXPECTED + slot]
            scratch[_ORDER + slot] = scratch[_ORDER + slot - 1]
            slot -= 1
        scratch[EXPECTED + slot + 1] = key
        scratch[_ORDER + slot] = suit
    for slot in range(SLOTS):
        scratch[PLACE + np.int64(scratch[_ORDER + slot])] = slot


@jit
def _see_suit(view: Any, hand: Any, unseen: Any, slot: int, state: Any, scratch: Any) -> float:
    """Fill in one slot; return the tricks that its cards might win by rank alone."""
    suit = np.int64(scratch[_ORDER + slot])
    lane = U(suit_lane(suit))
    mine, out = hand & lane, unseen & lane
    at = slot * _SLOT
    state[at] = popcount(mine) / 5.0
    state[at + 1] = popcount(out) / 13.0
    rest, strength = mine | out, 0.0
    q, above = scratch[Q], 0
    chance, lowest = 1.0, 0
    for place in range(16):
        if rest == ZERO:
            break
        card = ONE << U(highest_bit(rest))
        rest ^= card
        if mine & card:
            strength += chance
            lowest = above
            if place < 6:
                state[at + 2 + place] = 1.0
        else:
            above += 1
            chance *= q
    state[at + 8] = strength / 2.0
    if mine:
        below = popcount(out) - lowest
        state[at + 9] = below / 6.0
        state[at + 10] = power(q, below)
    state[at + 11] = 1.0 if suit == view.led else 0.0
    void = 0
    for seat in range(view.players):
        void += view.voids[seat] >> suit & 1
    state[at + 12] = void / (view.players - 1.0)
    if view.on_table and suit == view.winning_card >> 4:
        state[at + 13] = 0.2 + popcount(out >> U(view.winning_card)) / 8.0
    return strength


@jit
def _see_seats(view: Any, cards: int, state: Any, scratch: Any) -> None:
    """Fill in the other seats, the next to the left first."""
    players, hand_size = np.int64(view.players), np.int64(view.hand_size)
    leader = np.int64(view.leader)
    for step in range(1, players):
        seat = (view.seat + step) % players
        at = _SEATS + (step - 1) * _SEAT
        if view.bids[seat] >= 0:
            state[at] = 1.0
            state[at + 1] = view.bids[seat] / hand_size
        if view.kind == BID:
            continue
        need = np.int64(view.bids[seat]) - np.int64(view.tricks[seat])
        played = (seat - leader + players) % players < view.on_table
        left = cards - 1 if played else cards
        winning = view.on_table > 0 and seat == view.winning_seat
        if need < 0 or need > left + (1 if winning else 0):
            state[at + 2] = 1.0
        elif need == 0:
            state[at + 3] = 1.0
        else:
            state[at + 4] = 0.3 + 0.7 * need / cards
        state[at + 5] = 0.0 if played else 1.0
        state[at + 6] = 1.0 if winning or (view.on_table == 0 and seat == leader) else 0.0
        for slot in range(SLOTS):
            state[at + 7 + slot] = view.voids[seat] >> np.int64(scratch[_ORDER + slot]) & 1


@jit
def _see_totals(
    view: Any, hand: Any, unseen: Any, cards: int, held: float, strength: float, state: Any, scratch: Any
) -> None:
    """Fill in what concerns the whole hand and all seats."""
    players, hand_size = np.int64(view.players), np.int64(view.hand_size)
    claimed, made, demand = 0, 0, 0
    for seat in range(players):
        bid = np.int64(view.bids[seat])
        if bid >= 0:
            claimed += bid
            made += 1
            demand += max(bid - np.int64(view.tricks[seat]), 0)
    at = _OWN
    state[at] = cards / 13.0
    state[at + 1] = held
    state[at + 2] = 1.0 / cards
    state[at + 3] = 1.0 if view.trump < 0 else 0.0
    state[at + 4] = strength / 5.0
    if cards <= 3:
        state[at + 4 + cards] = 1.0
    if view.kind == BID:
        aim = bid_aim(
            likely_tricks(hand, unseen, view.trump, players, hand_size),
            held,
            made,
            claimed,
            players,
            hand_size,
        )
        scratch[EXPECTED] = aim
        state[at + 8] = aim / 4.0
        state[at + 9] = claimed / hand_size - made / players
        state[at + 10] = made / players
        state[at + 11] = 1.0 if made == 0 else 0.0
        state[at + 12] = 1.0 if made == players - 1 else 0.0
        state[at + 13] = hand_size / 13.0
        return
    need = np.int64(view.bids[view.seat]) - np.int64(view.tricks[view.seat])
    scratch[EXPECTED] = need
    if need < 0 or need > cards:
        state[at + 8] = 1.0
    else:
        state[at + 9 + min(need, 4)] = 1.0
        state[at + 14] = need / cards
        state[at + 15] = (need - strength) / 3.0
    state[at + 16] = (demand - cards) / cards
    state[at + 17] = claimed / hand_size - 1.0
    state[at + 18] = np.int64(view.on_table) / (players - 1.0)
    state[at + 19] = 1.0 if view.on_table == 0 and view.leader == view.seat else 0.0
    state[at + 20] = 1.0 if view.on_table == players - 1 else 0.0
    if view.on_table:
        winning = np.int64(view.winning_card)
        beaters = _winners(hand, view, winning)
        state[at + 21] = popcount(beaters & view.legal) / 3.0
        state[at + 22] = 1.0 if winning >> 4 == view.trump else 0.0
        state[at + 23] = 1.0 if view.legal & suit_lane(np.int64(view.led)) else 0.0
    state[at + 24] = popcount(view.legal) / 6.0
    state[at + 25] = np.int64(view.bids[view.seat]) / hand_size


@jit
def _winners(cards: Any, view: Any, winning: int) -> Any:
    """Return those of some cards (a mask) that beat the card `winning` in the trick under way."""
    suit, trump = U(suit_lane(winning >> 4)), U(suit_lane(np.int64(view.trump)))
    over = cards & suit & ~((ONE << U(winning)) - ONE)
    return over if winning >> 4 == view.trump else over | (cards & trump)
