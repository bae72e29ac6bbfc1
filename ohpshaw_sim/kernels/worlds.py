"""Worlds: hands for the other seats, drawn uniformly from all deals that agree with what one seat knows.

    needs, cannot = np.zeros(SEATS, np.int64), np.zeros(SEATS, np.uint64)
    pool = unseen_problem(view, needs, cannot)
    plan = world_plan()
    prepare_worlds(plan, pool, view.players, needs, cannot)       # counts once per decision
    sample_world(plan, fold(view.rnd, 7), hands)                  # draws, as often as wanted

Every assignment of the pool's cards to the seats and the stock that gives each seat its number of cards, and none
that it has shown not to hold, is equally likely. Nothing is tried and rejected: how the parties of `world_counts`
split their needs is drawn in proportion to the counts, then the cards themselves by `random_subset`.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ZERO, U, bit, lane, lowest_bit, nth_bit, popcount
from ohpshaw_sim.kernels.rng import below, stream_word
from ohpshaw_sim.kernels.world_counts import SEATS, SLOTS, prepare_worlds, walk_splits, world_plan

__all__ = ["SEATS", "prepare_worlds", "random_subset", "sample_world", "unseen_problem", "world_plan"]

RANKS_OF_A_SUIT: Final = U(0x7FFC_7FFC_7FFC_7FFC)
"""Ranks 2..14 of each lane; bits 1 and 15 belong to no suit, so a void says nothing of them."""
EIGHTH_BITS: Final = 3
PICK_AT_MOST: Final = 2
"""Subsets of up to this many cards are picked one by one."""


@jit
def unseen_problem(view: Any, needs: Any, cannot: Any) -> Any:
    """Fill in what a view's seat knows of the other hands; return the pool (uint64): the cards it cannot place.

    needs    int[SEATS], becomes the cards each seat holds; 0 for the view's own seat and for no seat
    cannot   uint64[SEATS], becomes the cards each seat has shown not to hold
    """
    for seat in range(SEATS):
        needs[seat] = 0
        cannot[seat] = ZERO
        if seat == view.seat or seat >= view.players:
            continue
        needs[seat] = view.hand_size - popcount(view.played[seat])
        for suit in range(4):
            if view.voids[seat] >> suit & 1:
                cannot[seat] |= lane(suit) & RANKS_OF_A_SUIT
    return view.pack & ~(view.hand | view.gone)


@jit
def sample_world(plans: Any, key: Any, hands: Any) -> None:
    """Draw one world from a prepared plan: fill `hands` (uint64[SEATS]) of the seats that hold cards.

    Hands of the other seats (the asking seat, empty hands) are left as they are, and all of them are when the plan
    has no world. The world is a pure function of the plan and of `key` (uint64), the same on every machine; worlds of
    different keys are independent.
    """
    plan = plans[0]
    if plan.worlds == 0.0:
        return
    left = plan.pool
    counter = 0
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
    """Draw the cards of a party that may take from several classes; return them and the next counter."""
    state, here = plan.start[stage], plan.start[stage + 1]
    for slot in range(SLOTS):
        gone = plan.size[stage, slot] - popcount(left & plan.mask[stage, slot])
        state += gone * plan.stride[stage, slot]
        here += gone * plan.onward[stage, slot]
        plan.left[slot] = plan.size[stage, slot] - gone
    # A 53-bit fraction, so that goal < table[state]: the walk sums as the count did and must pass it on the way.
    goal = np.float64(stream_word(key, counter) >> U(11)) * 2.0**-53 * plan.table[state]
    counter += 1
    _sum, take0, take1, take2 = walk_splits(
        plan, stage, here, plan.left[0], plan.left[1], plan.left[2], plan.left[3], goal
    )
    plan.gone[0], plan.gone[1], plan.gone[2] = take0, take1, take2
    plan.gone[3] = plan.need[stage] - take0 - take1 - take2
    taken = ZERO
    for slot in range(4):
        if plan.gone[slot]:
            cards = left & plan.mask[stage, slot]
            some, counter = random_subset(cards, plan.left[slot], plan.gone[slot], key, counter)
            taken |= some
    return taken, counter


@jit
def _share_out(plan: Any, stage: int, cards: Any, key: Any, counter: int, hands: Any) -> int:
    """Deal a party's cards to its seats; return the next counter."""
    members = plan.members[stage]
    size = plan.need[stage]
    while True:
        seat = lowest_bit(U(members))
        members &= members - 1
        if members == 0:
            hands[seat] = cards
            return counter
        hand, counter = random_subset(cards, size, plan.needs[seat], key, counter)
        hands[seat] = hand
        cards ^= hand
        size -= plan.needs[seat]


@jit
def random_subset(cards: Any, size: int, count: int, key: Any, counter: int) -> tuple[Any, int]:
    """Draw `count` of the `size` cards of a mask, all subsets equally likely.

    Randomness is words `counter`, `counter + 1`, ... of the stream of `key`; return the subset and the next counter.

    Each card first enters by itself with a chance of 0/8 .. 4/8 near count / size (of the complement, if that is
    smaller); then random cards are added or removed until the number is right. Given its number of cards each step
    leaves all subsets equally likely, and it takes far fewer picks than drawing card by card.
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
    missing = few - popcount(chosen)
    source, size = (cards ^ chosen, size - few + missing) if missing > 0 else (chosen, few - missing)
    for _ in range(abs(missing)):
        picked = bit(nth_bit(source, below(stream_word(key, counter), size)))
        counter += 1
        size -= 1
        source ^= picked
        chosen ^= picked
    return (chosen if few == count else cards ^ chosen), counter
