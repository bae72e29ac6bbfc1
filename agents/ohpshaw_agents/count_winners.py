"""`count-winners`: counts likely winners, bids what they are worth, plays for exactly that many.

Every card gets odds to win a trick: trumps by how many higher ones may be out against them, side cards by the higher
ones out and the danger of a ruff; a card with nothing higher unseen is boss, whatever has gone to make it so. The odds
give a distribution of tricks (Poisson binomial), shifted by what aimed play can do. The bid maximises the expected
score. Each card played maximises the chance to hit the bid with what is left, plus a little for what other seats
lose by the trick (`spite`). A seat that has missed its bid only spoils. The last card is counted, not weighed.

The weights were tuned head-to-head by `experiments/tune_count_winners.py`, three searches on training seeds 1 to 2024
(3 to 6 players), the code growing between them. Against the weights first guessed, on held-out deals (`--check
--held-out 2000000 --held-out-sets 1500`): +0.62 points per seat-round, 95 % interval 0.60 to 0.64. Self-play at 4
players, hands 1 to 10, hits 0.63 of the bids (mean over hand sizes).
"""

from typing import Any, Final

import numpy as np

from ohpshaw_agents._winner_bid import bid_excess, expected_score, hit_chance, weigh_hand
from ohpshaw_agents._winner_chances import fill_odds
from ohpshaw_agents._winner_last_card import last_card_chance
from ohpshaw_agents._winner_sums import (
    COLUMNS,
    HARMS,
    LEADING,
    ROWS,
    aimed_chance,
    aimed_points,
    hit_points,
    mean_tricks,
    odds_of,
    one_trick_points,
)
from ohpshaw_agents._winner_trick import fill_harms, need_of, outcome
from ohpshaw_agents._winner_weights import (
    AIM_PLAY,
    BIDS_BEFORE,
    DEMAND,
    SPITE,
    SPOIL,
)
from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.kernels._jit import jit, jit_inline
from ohpshaw_sim.kernels.bits import FREE, ONE, U, bit, highest_bit, lowest_bit, popcount
from ohpshaw_sim.kernels.scoring import EXACT

_DRIFT: Final = 0.03
"""Worth of a trick, won or shed, to a seat that has missed its bid; small beside the harms of a single trick."""
_TIE: Final = 1e-7
"""Worth of a rank: between equal cards the higher goes, or stays when tricks are wanted."""


@jit
def bid(view: Any, params: Any) -> int:
    """Return the legal bid of the highest expected score."""
    room = np.empty((ROWS, COLUMNS))
    count = weigh_hand(view, params, room)
    factor = odds_of(params[BIDS_BEFORE] * bid_excess(view))
    best, best_score = 0, -1e9
    for wanted in range(np.int64(view.hand_size) + 1):
        if view.legal >> U(wanted) & ONE:
            score = expected_score(view, params, room, count, factor, wanted)
            if score > best_score:
                best, best_score = wanted, score
    return best


@jit
def bid_quality(view: Any, made: int, params: Any) -> float:
    """Return how good a bid is (0..1) beside the best of itself and its two neighbours, by the score to expect.

    That is their ratio; where a miss scores, too, what is lost counts against the points of a bid hit.
    """
    room = np.empty((ROWS, COLUMNS))
    count = weigh_hand(view, params, room)
    factor = odds_of(params[BIDS_BEFORE] * bid_excess(view))
    hand_size = np.int64(view.hand_size)
    score = expected_score(view, params, room, count, factor, made)
    best = score
    if made > 0 and view.legal >> U(made - 1) & ONE:
        best = max(best, expected_score(view, params, room, count, factor, made - 1))
    if made < hand_size and view.legal >> U(made + 1) & ONE:
        best = max(best, expected_score(view, params, room, count, factor, made + 1))
    if view.scoring != EXACT:
        return max(1.0 - (best - score) / hit_points(view, made), 0.0)
    return score / best if best > 0.0 else 0.0


@jit
def promise(view: Any, made: int, params: Any) -> float:
    """Return the chance to hit a bid, as the bidder sees it."""
    room = np.empty((ROWS, COLUMNS))
    count = weigh_hand(view, params, room)
    return hit_chance(view, params, room, count, odds_of(params[BIDS_BEFORE] * bid_excess(view)), made)


@jit
def play(view: Any, params: Any) -> int:
    """Return the legal card that leaves the best chance to hit the bid; once it is missed, the best spoiler."""
    legal = view.legal
    if popcount(legal) == 1:
        return lowest_bit(legal)
    room = np.empty((ROWS, COLUMNS))
    unseen = view.pack & ~(view.gone | view.hand)
    cards, need = popcount(view.hand), need_of(view, np.int64(view.seat))
    demand = _demand_of_others(view, cards)
    factor = odds_of(params[DEMAND] * ((demand + max(need, 0)) / cards - 1.0))
    missed = view.scoring == EXACT and not 0 <= need <= cards
    drift = _DRIFT if demand >= cards * params[SPOIL] else -_DRIFT
    trump, others = np.int64(view.trump), np.int64(view.players) - 1
    share = min((cards - 1) / max(popcount(unseen) - others + view.on_table, 1), 1.0)  # after this trick
    fill_harms(view, cards, params, room)
    apart = unseen | FREE if view.winning_card < 0 else unseen | FREE | bit(np.int64(view.winning_card))
    best, best_value, previous = -1, -1e9, 64
    while legal:
        card = highest_bit(legal)
        legal ^= bit(card)
        alike = previous >> 4 == card >> 4 and not apart & (bit(previous) | (bit(previous) - bit(card)))
        if not alike:
            chance, harm = outcome(view, card, unseen, cards, params, room[HARMS])
            value = params[SPITE] * harm + _TIE * (card & 15) * (-1.0 if need > 0 else 1.0)
            count = fill_odds(room, view.hand ^ bit(card), unseen, trump, share, others, params)
            for row in range(2):  # LEADING: this card wins the trick; FOLLOWING: it does not
                weight = chance if row == LEADING else 1.0 - chance
                if missed:
                    value += weight * drift * (mean_tricks(room, row, count, factor) + 1 - row)
                elif weight > 0.0:
                    value += weight * _chance_to_hit(
                        view, card, row, count, need - 1 + row, unseen, factor, params, room
                    )
            if value > best_value:
                best, best_value = card, value
        previous = card
    return best


@jit_inline
def _chance_to_hit(
    view: Any,
    card: int,
    row: int,
    count: int,
    wanted: int,
    unseen: Any,
    factor: float,
    params: Any,
    room: Any,
) -> float:
    """Return the chance of exactly `wanted` tricks from the `count` cards left after `card` is played.

    Where a miss scores, too, it is the points to expect instead, in points of a bid hit.
    """
    bid = np.int64(view.bids[view.seat])
    if count == 1:
        chance = last_card_chance(view, lowest_bit(view.hand ^ bit(card)), row == LEADING, unseen, params)
        if view.scoring != EXACT:
            return one_trick_points(view, bid, bid - wanted, chance) / float(hit_points(view, bid))
        return chance if wanted == 1 else 1.0 - chance if wanted == 0 else 0.0
    if view.scoring != EXACT:
        points = aimed_points(view, room, row, count, bid - wanted, bid, factor, params[AIM_PLAY])
        return points / float(hit_points(view, bid))
    return aimed_chance(room, row, count, wanted, factor, params[AIM_PLAY])


@jit_inline
def _demand_of_others(view: Any, cards: int) -> int:
    """Return the number of tricks that the other seats, those that can still hit their bid, are short of."""
    demand = 0
    for seat in range(np.int64(view.players)):
        need = need_of(view, seat)
        if seat != view.seat and 0 < need <= cards:
            demand += need
    return demand


def make_agent(
    trump: float = 0.46,  # a trump with a higher one out
    trump_higher: float = -0.538,  # per higher trump expected in other hands
    trump_length: float = 0.342,  # per further trump in hand
    trump_short_suit: float = 0.0441,  # per void side suit in which trumps can ruff; a single card counts half
    trump_small_hand: float = -0.204,  # times 1 / hand size
    trump_players: float = 0.00771,  # per player beyond four
    side_ace: float = 0.781,  # a side card with nothing higher unseen: an ace, or boss by what has gone
    side_other: float = -0.0696,  # any other side card
    side_higher: float = -0.627,  # per higher card of its suit expected in other hands
    side_guard: float = -0.125,  # per lower own card of the suit, up to the number of higher ones
    side_ruff: float = -1.29,  # per seat expected void, with a trump, by the time the card is played
    side_trumps: float = 0.305,  # per own trump, to draw others' trumps
    side_small_hand: float = -1.14,  # times 1 / hand size
    lead: float = -0.0545,  # to lead the next trick, for side cards (eldest hand at the bid)
    lead_late: float = 0.268,  # the same, times 1 / hand size
    bids_before: float = -1.19,  # times the excess of earlier bids over an equal share, per trick
    demand: float = -1.02,  # times the excess of tricks still wanted over tricks left, per trick
    aim_bid: float = 1.19,  # factor by which play can raise or lower all odds, as the bid sees it
    aim_play: float = 2.01,  # the same, as the play sees it
    zero_bid: float = 1.04,  # factor on the score expected of a zero bid
    taker: float = 0.937,  # chance that a seat short of its bid beats a card if it can
    shedder: float = 0.262,  # the same for a seat that has its bid
    spoiler: float = 0.427,  # the same for a seat that has missed it
    tell: float = 0.394,  # how much more likely seats that want many tricks hold high cards
    spoil: float = 1.18,  # a missed bid: grab tricks if others want this share of those left, else shed
    spite: float = 0.197,  # worth of a point that another seat loses
    last_higher: float = 0.757,  # last trick: share of the unseen cards that beat mine which are still held
    one_bid: float = 0.968,  # one card: how likely an earlier bid of 1 holds one of the cards that beat mine
    one_pass: float = 0.315,  # one card: how likely an earlier bid of 0 does
    wizard_odds: float = 150.0,  # odds of a Wizard to win a trick
    jester_odds: float = 0.002,  # odds of a Jester
    free_threat: float = -1.0,  # per Wizard expected in other hands, per own card: they beat anything
) -> CompiledAgent:
    """Make the agent. Every weight is a parameter: up to `demand` they add to the logarithm of a card's odds."""
    return CompiledAgent(
        bid=bid,
        play=play,
        promise=promise,
        params=(
            *(trump, trump_higher, trump_length, trump_short_suit, trump_small_hand, trump_players),
            *(side_ace, side_other, side_higher, side_guard, side_ruff, side_trumps, side_small_hand),
            *(lead, lead_late, bids_before, demand, aim_bid, aim_play, zero_bid),
            *(taker, shedder, spoiler, tell, spoil, spite, last_higher, one_bid, one_pass),
            *(wizard_odds, jester_odds, free_threat),
        ),
    )
