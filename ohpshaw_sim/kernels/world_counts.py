"""Counting the deals that agree with what one seat knows, as a chain of parties that take their cards in turn.

Seats that may not hold the same cards of the pool form a party; seats without a restriction form one too (the open
party), and the stock is whatever nobody takes. The parties take their cards one after the other, the one with the
fewest cards to choose from first. To the parties from stage s on, two cards are alike when the same ones of them may
not hold them: such cards form a class. So the deals that are still open at stage s depend only on how many cards of
each class are gone, and with r[c] left of class c

    ways[s](r) = sum over t  of  prod over c C(r[c], t[c])  *  ways[s + 1](r - t)

where t runs over the splits of the party's need over the classes it may hold. After the last party the count is 1.
A party with a single class has no choice of t: where each party's cards contain those of the party before it, or are
disjoint from them, nothing is counted at all. Splitting a party's cards among its seats multiplies every count by the
same number, so a uniform draw of the parties' cards, then uniform splits, is uniform over all deals.

Counts are float64: exact up to 2**53, beyond that a few units in the last place. They are summed in one fixed order,
without fused or reordered arithmetic, so every machine gets the same bytes.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.kernels._jit import JIT_DISABLED, jit
from ohpshaw_sim.kernels.bits import ZERO, popcount

SEATS: Final = 7
HELD: Final = 4
"""Classes a party may take from: slots 0..3 of a stage, filled from slot 3 down. Three suits and the rank-1/15 cards."""
SLOTS: Final = 8
"""Slots 4..7 of a stage are the classes its party may not hold."""
TABLE_SIZE: Final = 1 << 17
"""Room for 5 stages of 13 + 13 + 13 + 13 + 8 cards in five classes: 5 * 14 * 14 * 14 * 9 counts."""
STOP: Final = SEATS + 1
MOST_CARDS: Final = 64


PLAN: Final = np.dtype(
    [
        ("worlds", np.float64),  # number of deals that agree with everything; 0 = none
        ("pool", np.uint64),
        ("parties", np.int64),
        ("needs", (np.int64, SEATS)),  # by seat: cards it holds
        ("members", (np.int64, STOP)),  # by party: bit s is set for each of its seats
        ("banned", (np.uint64, STOP)),  # by party: cards of the pool it may not hold
        ("need", (np.int64, STOP)),  # by party: cards it holds in all
        ("choices", (np.int64, STOP)),  # by stage: classes its party may take from
        ("dealt", (np.int64, STOP)),  # by stage: cards taken before it
        ("start", (np.int64, STOP)),  # by stage: where its counts begin in the table
        ("implied", (np.int64, STOP)),  # by stage: the class whose cards gone follow from those of the others
        ("spare", (np.int64, STOP)),  # by stage: the most cards of that class that can be gone
        ("mask", (np.uint64, (STOP, SLOTS))),  # by stage and class: its cards; empty = the slot is free
        ("size", (np.int64, (STOP, SLOTS))),  # number of them
        ("most", (np.int64, (STOP, SLOTS))),  # the most of them that can be gone; 0 for the implied class
        ("stride", (np.int64, (STOP, SLOTS))),  # steps in the stage's counts per card gone; 0 for the implied class
        ("onward", (np.int64, (STOP, SLOTS))),  # steps in the next stage's counts per card gone
        ("gone", (np.int64, SLOTS)),  # scratch: the state being counted
        ("left", (np.int64, SLOTS)),  # scratch: cards left of each class there
        ("table", (np.float64, TABLE_SIZE)),
    ],
    align=True,
)


def _binomials() -> Any:
    """Tabulate C(n, k) at index 64 * n + k, zero for k > n; n and k below 64."""
    table = np.zeros((MOST_CARDS, MOST_CARDS))
    for n in range(MOST_CARDS):
        table[n, 0] = 1.0
        for k in range(1, n + 1):
            table[n, k] = table[n - 1, k - 1] + table[n - 1, k]
    return table.ravel()


BINOMIALS: Final = _binomials()

if JIT_DISABLED:

    def world_plan() -> Any:
        """Return an empty plan (an array of one `PLAN` record), to be filled by `prepare_worlds`."""
        return np.empty(1, PLAN).view(np.recarray)

else:

    @jit
    def world_plan() -> Any:
        """Return an empty plan (an array of one `PLAN` record), to be filled by `prepare_worlds`."""
        return np.empty(1, PLAN)


@jit
def prepare_worlds(plans: Any, pool: Any, players: int, needs: Any, cannot: Any) -> float:
    """Fill a plan for `sample_world`; return how many deals there are (rounded beyond 2**53), 0.0 if none.

    plans    what `world_plan` returned; a plan may be filled again and again
    pool     uint64, the cards whose holder is not known, the stock among them
    needs    int[players], cards each seat holds; 0 for the asking seat
    cannot   uint64[players], cards each seat cannot hold (more than the pool is allowed)

    Deals put each seat's number of cards into its hand and leave the rest as the stock. Raises ValueError when the
    masks of `cannot` cut the pool into more kinds of cards than whole suits do.
    """
    plan = plans[0]
    plan.pool = pool
    plan.worlds = 0.0
    _find_parties(plan, players, needs, cannot)
    if plan.dealt[plan.parties] > popcount(pool):
        return 0.0
    _find_classes(plan)
    _number_states(plan)
    plan.table[plan.start[plan.parties]] = 1.0
    for stage in range(plan.parties - 1, -1, -1):
        _count_stage(plan, stage)
    plan.worlds = plan.table[0] * _splits(plan)
    return plan.worlds  # type: ignore[no-any-return]  # a field of a record


@jit
def _find_parties(plan: Any, players: int, needs: Any, cannot: Any) -> None:
    """Gather the seats that hold cards into parties, sorted by the number of cards they may hold, fewest first."""
    parties = 0
    for seat in range(SEATS):
        plan.needs[seat] = needs[seat] if seat < players else 0
        if plan.needs[seat] <= 0:
            continue
        banned = plan.pool & cannot[seat]
        place = 0
        while place < parties and plan.banned[place] != banned:
            place += 1
        if place == parties:
            parties += 1
            while place > 0 and popcount(plan.banned[place - 1]) < popcount(banned):
                plan.banned[place] = plan.banned[place - 1]
                plan.members[place] = plan.members[place - 1]
                plan.need[place] = plan.need[place - 1]
                place -= 1
            plan.banned[place] = banned
            plan.members[place] = 0
            plan.need[place] = 0
        plan.members[place] |= 1 << seat
        plan.need[place] += plan.needs[seat]
    plan.parties = parties
    plan.dealt[0] = 0
    for party in range(parties):
        plan.dealt[party + 1] = plan.dealt[party] + plan.need[party]


@jit
def _find_classes(plan: Any) -> None:
    """Split the pool into classes, from behind: after the last party all cards are alike."""
    last = plan.parties
    for slot in range(SLOTS):
        plan.mask[last, slot] = ZERO
    plan.mask[last, HELD - 1] = plan.pool
    for stage in range(last - 1, -1, -1):
        held, other = HELD, HELD
        for slot in range(SLOTS):
            plan.mask[stage, slot] = ZERO
            plan.onward[stage, slot] = 0
        for slot in range(SLOTS):
            allowed = plan.mask[stage + 1, slot] & ~plan.banned[stage]
            banned = plan.mask[stage + 1, slot] & plan.banned[stage]
            if (allowed and held == 0) or (banned and other == SLOTS):
                raise ValueError("the cards that seats cannot hold must be whole suits")
            if allowed:
                held -= 1
                plan.mask[stage, held] = allowed
                plan.onward[stage, held] = slot
            if banned:
                plan.mask[stage, other] = banned
                plan.onward[stage, other] = slot
                other += 1
        plan.choices[stage] = HELD - held


@jit
def _number_states(plan: Any) -> None:
    """Give each stage a block of the table: mixed-radix numbers whose digits are the cards gone of each class.

    All classes' cards gone add up to `dealt`, so the class with the most values needs no digit: it is implied.
    """
    reach = ZERO
    plan.start[0] = 0
    for stage in range(plan.parties + 1):
        implied = 0
        for slot in range(SLOTS):
            plan.size[stage, slot] = popcount(plan.mask[stage, slot])
            plan.most[stage, slot] = min(popcount(plan.mask[stage, slot] & reach), plan.dealt[stage])
            if plan.most[stage, slot] > plan.most[stage, implied]:
                implied = slot
        plan.implied[stage] = implied
        plan.spare[stage] = plan.most[stage, implied]
        plan.most[stage, implied] = 0
        states = 1
        for slot in range(SLOTS):
            plan.stride[stage, slot] = 0 if slot == implied else states
            states *= plan.most[stage, slot] + 1
        if stage < plan.parties:
            reach |= plan.pool & ~plan.banned[stage]
            plan.start[stage + 1] = plan.start[stage] + states
            if plan.start[stage + 1] >= TABLE_SIZE:
                raise ValueError("the cards that seats cannot hold must be whole suits")
    for stage in range(plan.parties):
        for slot in range(SLOTS):
            if plan.mask[stage, slot]:
                plan.onward[stage, slot] = plan.stride[stage + 1, plan.onward[stage, slot]]


@jit
def _count_stage(plan: Any, stage: int) -> None:
    """Count the ways on from every state of a stage, given the counts of the next stage."""
    implied = plan.implied[stage]
    for slot in range(SLOTS):
        plan.gone[slot] = 0
        plan.left[slot] = plan.size[stage, slot]
    spare = plan.dealt[stage]
    onward = plan.start[stage + 1]
    for place in range(plan.start[stage], plan.start[stage + 1]):
        if 0 <= spare <= plan.spare[stage]:
            plan.left[implied] = plan.size[stage, implied] - spare
            here = onward + spare * plan.onward[stage, implied]
            ways, _a, _b, _c = walk_splits(
                plan, stage, here, plan.left[0], plan.left[1], plan.left[2], plan.left[3], np.inf
            )
            plan.table[place] = ways
        slot = 0  # count on: the next state
        while slot < SLOTS and plan.gone[slot] == plan.most[stage, slot]:
            spare += plan.gone[slot]
            onward -= plan.gone[slot] * plan.onward[stage, slot]
            plan.left[slot] += plan.gone[slot]
            plan.gone[slot] = 0
            slot += 1
        if slot < SLOTS:
            plan.gone[slot] += 1
            plan.left[slot] -= 1
            spare -= 1
            onward += plan.onward[stage, slot]


@jit
def walk_splits(
    plan: Any, stage: int, here: int, left0: int, left1: int, left2: int, left3: int, goal: float
) -> tuple[float, int, int, int]:
    """Add up the ways over the splits of a party's need; stop at the split where the sum passes `goal`.

    here    place in the table of the next stage's state if nothing were taken
    left    cards left of the classes in slots 0..3
    Return the sum, and the cards to take from the classes in slots 0, 1 and 2 (slot 3 gives the rest).
    """
    need = plan.need[stage]
    step0, step1 = plan.onward[stage, 0], plan.onward[stage, 1]
    step2, step3 = plan.onward[stage, 2], plan.onward[stage, 3]
    total = 0.0
    a, b, c = 0, 0, 0
    for a in range(max(0, need - left1 - left2 - left3), min(left0, need) + 1):
        rest0 = need - a
        ways0 = BINOMIALS[MOST_CARDS * left0 + a]
        for b in range(max(0, rest0 - left2 - left3), min(left1, rest0) + 1):
            rest1 = rest0 - b
            ways1 = ways0 * BINOMIALS[MOST_CARDS * left1 + b]
            for c in range(max(0, rest1 - left3), min(left2, rest1) + 1):
                rest2 = rest1 - c
                place = here + a * step0 + b * step1 + c * step2 + rest2 * step3
                ways2 = BINOMIALS[MOST_CARDS * left2 + c] * BINOMIALS[MOST_CARDS * left3 + rest2]
                total += ways1 * ways2 * plan.table[place]
                if total > goal:
                    return total, a, b, c
    return total, a, b, c


@jit
def _splits(plan: Any) -> float:
    """Return the number of ways to split the parties' cards among their seats."""
    ways = 1.0
    for party in range(plan.parties):
        rest = plan.need[party]
        for seat in range(SEATS):
            if plan.members[party] >> seat & 1:
                ways *= BINOMIALS[MOST_CARDS * rest + plan.needs[seat]]
                rest -= plan.needs[seat]
    return ways
