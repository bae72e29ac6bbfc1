"""From cards to odds: how likely each card of a hand is to win a trick later on. `_winner_sums` takes it from there."""

from typing import Any, Final

from ohpshaw_agents._winner_sums import FOLLOWING, LEADING, odds_of, power_of
from ohpshaw_agents._winner_weights import (
    FREE_THREAT,
    JESTER_ODDS,
    LEAD,
    LEAD_LATE,
    SIDE_ACE,
    SIDE_GUARD,
    SIDE_HIGHER,
    SIDE_OTHER,
    SIDE_RUFF,
    SIDE_SMALL_HAND,
    SIDE_TRUMPS,
    TRUMP,
    TRUMP_HIGHER,
    TRUMP_LENGTH,
    TRUMP_PLAYERS,
    TRUMP_SHORT_SUIT,
    TRUMP_SMALL_HAND,
    WIZARD_ODDS,
)
from ohpshaw_sim.kernels._jit import jit_inline
from ohpshaw_sim.kernels.bits import FREE, WIZARDS, U, bit, highest_bit, popcount
from ohpshaw_sim.kernels.tricks import suit_lane

SURE_ODDS: Final = 1e6
BOSS_SCORE: Final = 5.0
"""Of the highest trump where only a Wizard can beat it."""


@jit_inline
def fill_odds(odds: Any, hand: Any, unseen: Any, trump: int, share: float, others: int, params: Any) -> int:
    """Write the odds of each card of a hand to win a trick later on; return the number of cards.

    `unseen` is the mask of the cards that may be out against it, `share` the chance that one of them is with one
    given seat of the `others`.
    """
    cards = popcount(hand)
    if cards == 0:
        return 0
    trumps_out = unseen & suit_lane(trump)
    # Wizards in other hands may beat any card, once each.
    threat = params[FREE_THREAT] * popcount(unseen & WIZARDS) * share * others / cards
    count = _fill_trumps(odds, hand, unseen, trump, share * others, others, threat, params)
    armed = 1.0 - power_of(1.0 - share, popcount(trumps_out))
    base = params[SIDE_TRUMPS] * count + params[SIDE_SMALL_HAND] / cards + threat
    lead = odds_of(params[LEAD] + params[LEAD_LATE] / cards)
    for suit in range(4):
        own = hand & suit_lane(suit)
        if suit != trump and own:
            out = unseen & suit_lane(suit)
            count = _fill_side(odds, count, own, out, share, others, armed, base, lead, params)
    return _fill_free(odds, count, hand, params)


@jit_inline
def _fill_free(odds: Any, count: int, hand: Any, params: Any) -> int:
    """Write the odds of Wizards and Jesters; return the number of cards written so far."""
    rest = hand & FREE
    while rest:
        card = highest_bit(rest)
        rest ^= bit(card)
        chance = params[WIZARD_ODDS] if bit(card) & WIZARDS else params[JESTER_ODDS]
        odds[LEADING, count] = chance
        odds[FOLLOWING, count] = chance
        count += 1
    return count


@jit_inline
def _fill_trumps(
    odds: Any, hand: Any, unseen: Any, trump: int, share: float, others: int, threat: float, params: Any
) -> int:
    """Write the odds of the trumps, highest first; `share` is that of all other seats together."""
    rest = hand & suit_lane(trump)
    if not rest:
        return 0
    out = unseen & suit_lane(trump)
    base = params[TRUMP] + params[TRUMP_LENGTH] * (popcount(rest) - 1) + params[TRUMP_PLAYERS] * (others - 3)
    base += params[TRUMP_SMALL_HAND] / popcount(hand) + params[TRUMP_SHORT_SUIT] * _shortness(
        hand, unseen, trump
    )
    base += threat
    boss = SURE_ODDS if threat == 0.0 else odds_of(BOSS_SCORE + threat)
    count = 0
    while rest:
        card = highest_bit(rest)
        rest ^= bit(card)
        higher = popcount(out >> U(card))
        chance = boss if higher == 0 else odds_of(base + params[TRUMP_HIGHER] * higher * share)
        odds[LEADING, count] = chance
        odds[FOLLOWING, count] = chance
        count += 1
    return count


@jit_inline
def _shortness(hand: Any, unseen: Any, trump: int) -> float:
    """Count the side suits in which trumps can ruff: 1 for a void, 1/2 for a single card."""
    short = 0.0
    for suit in range(4):
        if suit != trump and unseen & suit_lane(suit):
            short += max(0.0, 1.0 - 0.5 * popcount(hand & suit_lane(suit)))
    return short


@jit_inline
def _fill_side(
    odds: Any,
    count: int,
    own: Any,
    out: Any,
    share: float,
    others: int,
    armed: float,
    base: float,
    lead: float,
    params: Any,
) -> int:
    """Write the odds of one side suit, highest first; return the number of cards written so far.

    A card with k own cards above it is taken to be played when its suit goes round for time k + 1. A seat is void by
    then with the chance that a Poisson number, with its expected length as mean, is at most k.
    """
    expected = popcount(out) * share
    term = odds_of(-expected)
    void = term
    round_of_suit = 0
    rest = own
    while rest:
        card = highest_bit(rest)
        rest ^= bit(card)
        higher = popcount(out >> U(card))
        score = base + params[SIDE_RUFF] * others * void * armed
        if higher == 0:
            score += params[SIDE_ACE]
        else:
            score += params[SIDE_OTHER] + params[SIDE_HIGHER] * higher * share * others
            score += params[SIDE_GUARD] * min(popcount(rest), higher)
        chance = odds_of(score)
        odds[LEADING, count] = chance * lead
        odds[FOLLOWING, count] = chance
        count += 1
        round_of_suit += 1
        term *= expected / round_of_suit
        void += term
    return count
