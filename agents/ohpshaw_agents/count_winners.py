"""`count-winners`: counts likely winners, bids what they are worth, plays for exactly that many.

Every card gets odds to win a trick: trumps by how many higher ones may be out against them, aces and other side cards
by length and the danger of a ruff, boss cards (nothing higher unseen) by what has gone. The odds give a distribution
of tricks (Poisson binomial), sharpened by what aimed play can do about it. The bid maximises the expected score; each
card played maximises the chance to hit the bid with what is left. A bid that can no longer be hit turns the seat into
a spoiler. One-card rounds are counted exactly, the earlier bids apart.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_agents._winner_chances import (
    FOLLOWING,
    LEADING,
    aimed_chance,
    fill_odds,
    mean_tricks,
    odds_of,
    power_of,
)
from ohpshaw_agents._winner_trick import chance_to_win
from ohpshaw_agents._winner_weights import (
    AIM_BID,
    AIM_PLAY,
    BIDS_BEFORE,
    DEMAND,
    ONE_BID,
    ONE_PASS,
    SPOIL,
    ZERO_BID,
)
from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ONE, U, bit, highest_bit, lane, lowest_bit, popcount
from ohpshaw_sim.kernels.scoring import round_score

_ROOM: Final = 21
_CHANCES: Final = 2
_TIE: Final = 1e-7


@jit
def bid(view: Any, params: Any) -> int:
    """Return the legal bid of the highest expected score."""
    hand_size = np.int64(view.hand_size)
    if hand_size == 1:
        chance = _one_card_chance(view, params)
        one = round_score(1, 1) * chance > round_score(0, 0) * (1.0 - chance)
        return _nearest_legal(view.legal, 1 if one else 0)
    room = np.empty((3, _ROOM))
    unseen = view.pack & ~(view.gone | view.hand)
    others = np.int64(view.players) - 1
    share = hand_size / max(popcount(unseen), hand_size)
    count = fill_odds(room, view.hand, unseen, np.int64(view.trump), share, others, params)
    row = LEADING if _position(view) == 0 else FOLLOWING
    factor = odds_of(params[BIDS_BEFORE] * _bid_excess(view))
    best, best_score = 0, -1.0
    for wanted in range(hand_size + 1):
        if view.legal >> U(wanted) & ONE:
            chance = aimed_chance(room, row, count, wanted, factor, params[AIM_BID], room[_CHANCES])
            score = round_score(wanted, wanted) * chance
            if wanted == 0:
                score *= params[ZERO_BID]
            if score > best_score:
                best, best_score = wanted, score
    return best


@jit
def _nearest_legal(legal: Any, wanted: int) -> int:
    """Return a bid of 0 or 1 if it is legal, else the lowest legal one."""
    return wanted if legal >> U(wanted) & ONE else lowest_bit(legal)


@jit
def _position(view: Any) -> int:
    """Return the bidding position, 0 = eldest hand."""
    return (np.int64(view.seat) - np.int64(view.dealer) - 1) % np.int64(view.players)


@jit
def _bid_excess(view: Any) -> float:
    """Return by how much the bids made so far exceed an equal share of the tricks, as a share of the tricks."""
    total, count = 0, 0
    for seat in range(view.players):
        if view.bids[seat] >= 0:
            total += np.int64(view.bids[seat])
            count += 1
    return total / view.hand_size - count / view.players


@jit
def _one_card_chance(view: Any, params: Any) -> float:
    """Return the chance to win a one-card round, from what may be out and the bids before."""
    card = lowest_bit(view.hand)
    trump = np.int64(view.trump)
    unseen = view.pack & ~(view.gone | view.hand)
    trumps = unseen & lane(trump)
    others = np.int64(view.players) - 1
    before = _position(view)
    if card >> 4 == trump:
        beating = popcount(trumps >> U(card))
    else:
        beating = popcount(trumps) + popcount((unseen & lane(card >> 4)) >> U(card))
    beaten = beating / popcount(unseen)
    chance = power_of(1.0 - beaten, others - before)
    for step in range(before):
        earlier_bid = view.bids[(view.dealer + 1 + step) % view.players]
        if earlier_bid == 0:
            chance *= 1.0 - beaten * params[ONE_PASS]
        else:
            chance *= max(0.0, 1.0 - params[ONE_BID] * beating / max(popcount(trumps), 1))
    if before > 0 and card >> 4 != trump:  # it wins only if eldest led this suit, lower
        lower = popcount(unseen & lane(card >> 4) & (bit(card) - ONE))
        chance *= lower / popcount(unseen)
    return chance


@jit
def play(view: Any, params: Any) -> int:
    """Return the legal card that leaves the best chance to hit the bid; once it is missed, the best spoiler."""
    legal = view.legal
    if popcount(legal) == 1:
        return lowest_bit(legal)
    room = np.empty((3, _ROOM))
    cards = popcount(view.hand)
    need = np.int64(view.bids[view.seat]) - np.int64(view.tricks[view.seat])
    unseen = view.pack & ~(view.gone | view.hand)
    demand = _demand_of_others(view, cards)
    factor = odds_of(params[DEMAND] * ((demand + max(need, 0)) / cards - 1.0))
    missed = need < 0 or need > cards
    wish = 1.0 if demand >= cards * params[SPOIL] else -1.0
    apart = unseen if view.winning_card < 0 else unseen | bit(np.int64(view.winning_card))
    best, best_value, previous = -1, -1e9, -1
    while legal:
        card = highest_bit(legal)
        legal ^= bit(card)
        if previous < 0 or not _alike(previous, card, apart):
            chance = chance_to_win(view, card, unseen, cards, params)
            if missed:
                value = wish * _tricks_to_come(view, card, chance, unseen, factor, params, room)
            else:
                value = _chance_to_hit(view, card, chance, unseen, need, factor, params, room)
            value += _TIE * (card & 15) * (-1.0 if need > 0 else 1.0)
            if value > best_value:
                best, best_value = card, value
        previous = card
    return best


@jit
def _alike(higher: int, lower: int, apart: Any) -> bool:
    """Tell whether no card that matters lies between two cards: one suit, and none of `apart` between them."""
    return higher >> 4 == lower >> 4 and not apart & (bit(higher) - bit(lower))


@jit
def _demand_of_others(view: Any, cards: int) -> int:
    """Return the number of tricks that the other seats, those that can still hit their bid, are short of."""
    demand = 0
    for seat in range(view.players):
        need = np.int64(view.bids[seat]) - np.int64(view.tricks[seat])
        if seat != view.seat and 0 < need <= cards:
            demand += need
    return demand


@jit
def _fill_rest(view: Any, card: int, unseen: Any, params: Any, room: Any) -> int:
    """Write the odds of the hand without `card` for the tricks after this one; return the number of cards."""
    rest = view.hand ^ bit(card)
    others = np.int64(view.players) - 1
    cards = popcount(rest)
    later = others - view.on_table
    out = max(popcount(unseen) - later, 1)
    share = min(cards / out, 1.0)
    return fill_odds(room, rest, unseen, np.int64(view.trump), share, others, params)


@jit
def _chance_to_hit(
    view: Any, card: int, chance: float, unseen: Any, need: int, factor: float, params: Any, room: Any
) -> float:
    """Return the chance to win exactly `need` tricks from this one on when `card` is played to it."""
    count = _fill_rest(view, card, unseen, params, room)
    value = 0.0
    if chance > 0.0:
        won = aimed_chance(room, LEADING, count, need - 1, factor, params[AIM_PLAY], room[_CHANCES])
        value += chance * won
    if chance < 1.0:
        lost = aimed_chance(room, FOLLOWING, count, need, factor, params[AIM_PLAY], room[_CHANCES])
        value += (1.0 - chance) * lost
    return value


@jit
def _tricks_to_come(
    view: Any, card: int, chance: float, unseen: Any, factor: float, params: Any, room: Any
) -> float:
    """Return the expected number of tricks from this one on when `card` is played to it."""
    count = _fill_rest(view, card, unseen, params, room)
    return chance + mean_tricks(room, FOLLOWING, count, factor)


def make_agent(
    trump: float = 0.5,
    trump_higher: float = -0.35,
    trump_length: float = 0.1,
    trump_short_suit: float = 0.2,
    trump_small_hand: float = 0.0,
    trump_players: float = -0.2,
    side_ace: float = 1.5,
    side_other: float = -0.3,
    side_higher: float = -0.6,
    side_guard: float = 0.3,
    side_ruff: float = -0.8,
    side_trumps: float = 0.0,
    side_small_hand: float = -1.0,
    lead: float = 0.1,
    lead_late: float = 0.5,
    bids_before: float = -1.0,
    demand: float = -0.5,
    aim_bid: float = 2.0,
    aim_play: float = 2.0,
    zero_bid: float = 1.0,
    taker: float = 0.9,
    shedder: float = 0.2,
    spoiler: float = 0.5,
    tell: float = 0.3,
    spoil: float = 1.0,
    one_bid: float = 1.1,
    one_pass: float = 0.3,
) -> CompiledAgent:
    """Make the agent; every weight is a parameter. Odds weights add to the logarithm of a card's odds to win."""
    params = (
        *(trump, trump_higher, trump_length, trump_short_suit, trump_small_hand, trump_players),
        *(side_ace, side_other, side_higher, side_guard, side_ruff, side_trumps, side_small_hand),
        *(lead, lead_late, bids_before, demand, aim_bid, aim_play, zero_bid),
        *(taker, shedder, spoiler, tell, spoil, one_bid, one_pass),
    )
    return CompiledAgent(bid=bid, play=play, params=params)
