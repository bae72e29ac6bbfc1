"""Counting the deals that agree with what one seat knows: parties of seats take their cards in turn.

Seats that may not hold the same cards of the pool form a party; seats without a restriction form one too, and
the stock is whatever nobody takes. The parties take their cards one after the other, the one with the fewest
cards to choose from first. To the parties from stage s on, two cards are alike when the same ones of them may
not hold them: such cards form a class. So the number of ways to go on from stage s depends only on how many
cards of each class are left, and with r[c] left of class c

    ways[s](r) = sum over t  of  prod over c C(r[c], t[c])  *  ways[s + 1](r - t)

where t runs over the splits of the party's need over the classes it may hold. After the last party there is
one way. A party that may hold a single class has no choice of t; parties whose cards are nested or disjoint
never have one. How a party's cards are shared among its seats multiplies every count by the same number, so a
uniform draw of the parties' cards and then uniform shares is uniform over all deals.

Counts are float64: exact up to 2**53, beyond that off by a few units in the last place. They are summed in
one fixed order, without fused or reordered arithmetic, so every machine gets the same bytes.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ZERO, popcount
from ohpshaw_sim.kernels.world_plan import BINOMIALS, HELD, MOST_CARDS, SEATS, SLOTS, TABLE_SIZE

_NOT_SUITS: Final = "the cards that seats cannot hold must be whole suits"


@jit
def prepare_worlds(plans: Any, pool: Any, players: int, needs: Any, cannot: Any) -> float:
    """Fill a plan for `sample_world`; return how many deals there are (rounded beyond 2**53), 0.0 if none.

    plans    what `world_plan` returned; one plan may be filled again and again
    pool     uint64, the cards whose holder is not known, the stock among them
    needs    int[players], cards each seat holds; 0 for the asking seat
    cannot   uint64[players], cards each seat cannot hold, in the pool or not: whole suits of ranks 2..14

    A deal gives each seat its number of cards and leaves the rest as the stock. Raises ValueError when
    `cannot` cuts the pool into more kinds of cards than whole suits do.
    """
    plan = plans[0]
    plan.pool = pool
    plan.worlds = 0.0
    _find_parties(plan, players, needs, cannot)
    if plan.dealt[plan.parties] > popcount(pool):
        return 0.0
    for party in range(plan.parties):
        if plan.need[party] > popcount(pool & ~plan.banned[party]):
            return 0.0
    _find_classes(plan)
    _number_states(plan)
    plan.table[plan.start[plan.parties]] = 1.0
    for stage in range(plan.parties - 1, -1, -1):
        _count_stage(plan, stage)
    plan.worlds = plan.table[0] * _ways_to_share(plan)
    return plan.worlds  # type: ignore[no-any-return]  # a field of a record


@jit
def _find_parties(plan: Any, players: int, needs: Any, cannot: Any) -> None:
    """Gather the seats that hold cards into parties, those that may hold the fewest cards first."""
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
    """Split the pool into each stage's classes, from behind: after the last party all cards are alike."""
    last = plan.parties
    for stage in range(last + 1):
        for slot in range(SLOTS):
            plan.mask[stage, slot] = ZERO
    plan.mask[last, 0] = plan.pool
    for stage in range(last - 1, -1, -1):
        held, other = HELD, HELD
        for slot in range(SLOTS):
            may = plan.mask[stage + 1, slot] & ~plan.banned[stage]
            may_not = plan.mask[stage + 1, slot] & plan.banned[stage]
            if (may and held == 0) or (may_not and other == SLOTS):
                raise ValueError(_NOT_SUITS)
            if may:
                held -= 1
                plan.mask[stage, held] = may
                plan.parent[stage, held] = slot
            if may_not:
                plan.mask[stage, other] = may_not
                plan.parent[stage, other] = slot
                other += 1
        plan.choices[stage] = HELD - held


@jit
def _number_states(plan: Any) -> None:
    """Give each stage a block of the table: mixed-radix numbers, a digit for the cards gone of each class.

    All classes' cards gone add up to `dealt`: the class with the most values needs no digit, it is implied.
    """
    reach = ZERO  # cards that the parties before the stage may hold
    plan.start[0] = 0
    for stage in range(plan.parties + 1):
        implied = 0
        for slot in range(SLOTS):
            plan.cards[stage, slot] = popcount(plan.mask[stage, slot])
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
        if plan.start[stage] + states > TABLE_SIZE:
            raise ValueError(_NOT_SUITS)
        if stage < plan.parties:
            plan.start[stage + 1] = plan.start[stage] + states
            reach |= plan.pool & ~plan.banned[stage]
    for stage in range(plan.parties):
        for slot in range(SLOTS):
            used = plan.cards[stage, slot] > 0
            plan.onward[stage, slot] = plan.stride[stage + 1, plan.parent[stage, slot]] if used else 0


@jit
def _count_stage(plan: Any, stage: int) -> None:
    """Count the ways to go on from every state of a stage, from the counts of the next stage."""
    implied = plan.implied[stage]
    for slot in range(SLOTS):
        plan.gone[slot] = 0
        plan.left[slot] = plan.cards[stage, slot]
    spare = plan.dealt[stage]  # cards gone of the implied class
    onward = plan.start[stage + 1]
    for place in range(plan.start[stage], plan.start[stage + 1]):
        if 0 <= spare <= plan.spare[stage]:
            plan.left[implied] = plan.cards[stage, implied] - spare
            here = onward + spare * plan.onward[stage, implied]
            plan.table[place] = walk_splits(plan, stage, here, np.inf)[0]
        slot = 0
        while slot < SLOTS and plan.gone[slot] == plan.most[stage, slot]:  # carry
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
def walk_splits(plan: Any, stage: int, here: int, goal: float) -> tuple[float, int, int, int]:
    """Add up the ways over the splits of a party's need, given `plan.left`; stop where the sum passes `goal`.

    `here` is the place in the table of the next stage's state if nothing were taken. Return the sum, and the
    cards to take of the classes in slots 0, 1 and 2 at the split reached; slot 3 gives what is still needed.
    """
    need = plan.need[stage]
    left0, left1, left2, left3 = plan.left[0], plan.left[1], plan.left[2], plan.left[3]
    step0, step1 = plan.onward[stage, 0], plan.onward[stage, 1]
    step2, step3 = plan.onward[stage, 2], plan.onward[stage, 3]
    total = 0.0
    take0, take1, take2 = 0, 0, 0
    for take0 in range(max(0, need - left1 - left2 - left3), min(left0, need) + 1):
        need1 = need - take0
        ways0 = BINOMIALS[MOST_CARDS * left0 + take0]
        for take1 in range(max(0, need1 - left2 - left3), min(left1, need1) + 1):
            need2 = need1 - take1
            ways1 = ways0 * BINOMIALS[MOST_CARDS * left1 + take1]
            for take2 in range(max(0, need2 - left3), min(left2, need2) + 1):
                need3 = need2 - take2
                ways2 = BINOMIALS[MOST_CARDS * left2 + take2] * BINOMIALS[MOST_CARDS * left3 + need3]
                place = here + take0 * step0 + take1 * step1 + take2 * step2 + need3 * step3
                total += ways1 * ways2 * plan.table[place]
                if total > goal:
                    return total, take0, take1, take2
    return total, take0, take1, take2


@jit
def _ways_to_share(plan: Any) -> float:
    """Return the number of ways to share the parties' cards among their seats."""
    ways = 1.0
    for party in range(plan.parties):
        rest = plan.need[party]
        for seat in range(SEATS):
            if plan.members[party] >> seat & 1:
                ways *= BINOMIALS[MOST_CARDS * rest + plan.needs[seat]]
                rest -= plan.needs[seat]
    return ways
