"""Worlds: hands for the other seats, drawn uniformly from all deals that agree with what one seat knows.

    needs, cannot = np.zeros(SEATS, np.int8), np.zeros(SEATS, np.uint64)
    plan = world_plan()
    pool = unseen_problem(view, needs, cannot)
    prepare_worlds(plan, pool, view.players, needs, cannot)     # counts, once per decision
    sample_world(plan, fold(view.rnd, 0), hands)                # draws, as often as wanted

Every assignment of the pool's cards to the seats and the stock that gives each seat its number of cards, and
none that it has shown not to hold, is equally likely. Nothing is tried and rejected: how each party of
`world_counts` splits its need is drawn in proportion to the counts, then the cards by `random_subset`.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import SUITED, ZERO, U, bit, lane, lowest_bit, nth_bit, popcount
from ohpshaw_sim.kernels.rng import below, stream_word
from ohpshaw_sim.kernels.world_counts import prepare_worlds, walk_splits
from ohpshaw_sim.kernels.world_plan import HELD, SEATS, SLOTS, world_plan

__all__ = ["SEATS", "prepare_worlds", "random_subset", "sample_world", "unseen_problem", "world_plan"]

EIGHTH_BITS: Final = 3
PICK_AT_MOST: Final = 3
"""Subsets of up to this many cards are picked card by card."""


@jit
def unseen_problem(view: Any, needs: Any, cannot: Any) -> Any:
    """Fill in what a view's seat knows of the other hands; return the pool (uint64): cards it cannot place.

    needs    int[SEATS], becomes the cards each seat holds; 0 for the view's own seat and for no seat
    cannot   uint64[SEATS], becomes the cards each seat has shown not to hold
    """
    for seat in range(SEATS):
        needs[seat] = 0
        cannot[seat] = ZERO
        if seat != view.seat and seat < view.players:
            needs[seat] = view.hand_size - popcount(view.played[seat])
            for suit in range(4):
                if view.voids[seat] >> suit & 1:
                    cannot[seat] |= lane(suit) & SUITED
    return view.pack & ~(view.hand | view.gone)


@jit
def sample_world(plans: Any, key: Any, hands: Any) -> None:
    """Draw one world from a prepared plan: fill `hands` (uint64[SEATS]) of the seats that hold cards.

    Hands of the other seats (the asking seat, empty hands) stay as they are, and so do all of them when the
    plan has no world. The world is a pure function of the plan and of `key` (uint64), the same on every
    machine; different keys give independent worlds.
    """
    plan = plans[0]
    if plan.worlds == 0.0:
        return
    key = U(key)
    left = plan.pool
    counter = np.int64(0)  # a plain 0 would have what it is passed to compiled once more, for that constant
    for stage in range(plan.parties):
        if plan.choices[stage] == 1:
            allowed = left & ~plan.banned[stage]
            taken, counter = random_subset(allowed, popcount(allowed), plan.need[stage], key, counter)
        else:
            taken, counter = _take_by_class(plan, stage, left, key, counter)
        left ^= taken
        counter = _share_out(plan, stage, taken, key, counter, hands)


@jit
def _take_by_class(plan: Any, stage: int, left: Any, key: Any, counter: int) -> tuple[Any, int]:
    """Draw the cards of a party that may hold several classes; return them and the next counter."""
    state, here = plan.start[stage], plan.start[stage + 1]
    for slot in range(SLOTS):
        plan.left[slot] = popcount(left & plan.mask[stage, slot])
        gone = plan.cards[stage, slot] - plan.left[slot]
        state += gone * plan.stride[stage, slot]
        here += gone * plan.onward[stage, slot]
    # The fraction has 53 bits, so that goal < table[state]. The walk adds up the same terms in the same order
    # as the count did, so it passes the goal, and does so at a split with a way to go on.
    goal = np.float64(stream_word(key, counter) >> U(11)) * 2.0**-53 * plan.table[state]
    counter += 1
    _passed, plan.gone[0], plan.gone[1], plan.gone[2] = walk_splits(plan, stage, here, goal)
    plan.gone[3] = plan.need[stage] - plan.gone[0] - plan.gone[1] - plan.gone[2]
    taken = ZERO
    for slot in range(HELD):
        cards = left & plan.mask[stage, slot]
        some, counter = random_subset(cards, plan.left[slot], plan.gone[slot], key, counter)
        taken |= some
    return taken, counter


@jit
def _share_out(plan: Any, stage: int, cards: Any, key: Any, counter: int, hands: Any) -> int:
    """Deal a party's cards to its seats; return the next counter."""
    members = U(plan.members[stage])
    size = plan.need[stage]
    while members:
        seat = lowest_bit(members)
        members ^= bit(seat)
        hand, counter = random_subset(cards, size, plan.needs[seat], key, counter)
        hands[seat] = hand
        cards ^= hand
        size -= plan.needs[seat]
    return counter


@jit
def random_subset(cards: Any, size: int, count: int, key: Any, counter: int) -> tuple[Any, int]:
    """Draw `count` of a mask's `size` cards, all subsets equally likely; return it and the next counter.

    Randomness is words `counter`, `counter + 1`, ... of the stream of `key` (uint64). First each card
    enters by itself, with the chance in eighths nearest to count / size (the complement is drawn if it is
    smaller). Then random cards are added or removed until the number is right. Both steps leave all subsets
    of one number equally likely, and there are far fewer picks than in drawing card by card.
    """
    few = min(count, size - count)
    chosen = ZERO
    if few > PICK_AT_MOST:
        eighths = (16 * few + size) // (2 * size)
        for place in range(EIGHTH_BITS):
            word = stream_word(key, counter + place)
            chosen = (chosen | word) if eighths >> place & 1 else (chosen & word)
        counter += EIGHTH_BITS
        chosen &= cards
    excess = popcount(chosen) - few
    source, choices = (chosen, few + excess) if excess > 0 else (cards ^ chosen, size - few - excess)
    for _ in range(abs(excess)):
        picked = bit(nth_bit(source, below(stream_word(key, counter), choices)))
        counter += 1
        choices -= 1
        source ^= picked
        chosen ^= picked
    return (chosen if few == count else cards ^ chosen), counter
