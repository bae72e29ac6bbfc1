"""From cards to tricks: the odds that each card wins one, and the chance of an exact number of them.

Odds are p / (1 - p). The working memory of a decision is a float64 array `room[ROWS, COLUMNS]`: the odds of card i of
a hand are in `room[LEADING, i]` and `room[FOLLOWING, i]`, with this seat to lead the next trick or another one.
Plain arithmetic only (no library exp), so every machine gets the same bits.
"""

from typing import Any, Final

from ohpshaw_agents._winner_weights import (
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
)
from ohpshaw_sim.interface.view import MAX_HAND
from ohpshaw_sim.kernels._jit import jit_inline
from ohpshaw_sim.kernels.bits import U, bit, highest_bit, lane, popcount

LEADING, FOLLOWING, CHANCES, HARMS = range(4)
"""Rows of the working memory; the last two hold sums over the ways to win so many tricks, and harms by seat."""
ROWS: Final = 4
COLUMNS: Final = MAX_HAND + 1
SURE_ODDS: Final = 1e6
FEW: Final = 3
"""Wins whose chance is summed up without memory."""


@jit_inline
def odds_of(score: float) -> float:
    """Return about exp(score), between scores of -8 and 8: (1 + score / 64) ** 64."""
    power = 1.0 + min(max(score, -8.0), 8.0) / 64.0
    for _ in range(6):
        power *= power
    return power


@jit_inline
def power_of(base: float, exponent: int) -> float:
    """Return base ** exponent for a whole exponent of 0..63; four squarings and no branch for those up to 15."""
    product = base if exponent & 1 else 1.0
    power = base * base
    product *= power if exponent & 2 else 1.0
    power *= power
    product *= power if exponent & 4 else 1.0
    power *= power
    product *= power if exponent & 8 else 1.0
    if exponent > 15:
        power *= power
        product *= power if exponent & 16 else 1.0
        power *= power
        product *= power if exponent & 32 else 1.0
    return product


@jit_inline
def fill_odds(odds: Any, hand: Any, unseen: Any, trump: int, share: float, others: int, params: Any) -> int:
    """Write the odds of each card of a hand to win a trick later on; return the number of cards.

    `unseen` is the mask of the cards that may be out against it, `share` the chance that one of them is with one
    given seat of the `others`.
    """
    cards = popcount(hand)
    if cards == 0:
        return 0
    trumps_out = unseen & lane(trump)
    count = _fill_trumps(odds, hand, unseen, trump, share * others, others, params)
    armed = 1.0 - power_of(1.0 - share, popcount(trumps_out))
    base = params[SIDE_TRUMPS] * count + params[SIDE_SMALL_HAND] / cards
    lead = odds_of(params[LEAD] + params[LEAD_LATE] / cards)
    for suit in range(4):
        own = hand & lane(suit)
        if suit != trump and own:
            out = unseen & lane(suit)
            count = _fill_side(odds, count, own, out, share, others, armed, base, lead, params)
    return count


@jit_inline
def _fill_trumps(
    odds: Any, hand: Any, unseen: Any, trump: int, share: float, others: int, params: Any
) -> int:
    """Write the odds of the trumps, highest first; `share` is that of all other seats together."""
    rest = hand & lane(trump)
    if not rest:
        return 0
    out = unseen & lane(trump)
    base = params[TRUMP] + params[TRUMP_LENGTH] * (popcount(rest) - 1) + params[TRUMP_PLAYERS] * (others - 3)
    base += params[TRUMP_SMALL_HAND] / popcount(hand) + params[TRUMP_SHORT_SUIT] * _shortness(
        hand, unseen, trump
    )
    count = 0
    while rest:
        card = highest_bit(rest)
        rest ^= bit(card)
        higher = popcount(out >> U(card))
        chance = SURE_ODDS if higher == 0 else odds_of(base + params[TRUMP_HIGHER] * higher * share)
        odds[LEADING, count] = chance
        odds[FOLLOWING, count] = chance
        count += 1
    return count


@jit_inline
def _shortness(hand: Any, unseen: Any, trump: int) -> float:
    """Count the side suits in which trumps can ruff: 1 for a void, 1/2 for a single card."""
    short = 0.0
    for suit in range(4):
        if suit != trump and unseen & lane(suit):
            short += max(0.0, 1.0 - 0.5 * popcount(hand & lane(suit)))
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


@jit_inline
def mean_tricks(room: Any, row: int, count: int, factor: float) -> float:
    """Return the expected number of tricks from `count` cards, each of odds * factor."""
    mean = 0.0
    for card in range(count):
        won = room[row, card] * factor
        mean += won / (1.0 + won)
    return mean


@jit_inline
def aimed_chance(room: Any, row: int, count: int, wanted: int, factor: float, aim: float) -> float:
    """Return the chance of exactly `wanted` tricks from `count` cards, each of odds * factor, when play aims at them.

    Aiming multiplies all odds by what brings the mean to `wanted` (as if all cards were alike), within 1 / aim..aim.
    Then each card wins on its own (Poisson binomial).
    """
    if wanted < 0 or wanted > count:
        return 0.0
    mean = mean_tricks(room, row, count, factor)
    factor *= _push(mean / max(count - mean, 1e-9), count, wanted, aim)
    return (
        _few_wins(room, row, count, wanted, factor)
        if wanted <= FEW
        else _wins(room, row, count, wanted, factor)
    )


@jit_inline
def _few_wins(room: Any, row: int, count: int, wanted: int, factor: float) -> float:
    """Return the chance of exactly `wanted` (0..FEW) wins: the sum over all ways of the odds' products, over them all.

    The sums over one, two and three cards are the elementary symmetric polynomials of the odds.
    """
    one, two, three, everything = 0.0, 0.0, 0.0, 1.0
    for card in range(count):
        odds = room[row, card] * factor
        three += two * odds
        two += one * odds
        one += odds
        everything *= 1.0 + odds
    ways = (one if wanted == 1 else 1.0) if wanted < 2 else (two if wanted == 2 else three)
    return ways / everything


@jit_inline
def _wins(room: Any, row: int, count: int, wanted: int, factor: float) -> float:
    """Return the chance of exactly `wanted` wins; `room[CHANCES, t]` becomes the sum over all ways to win t."""
    everything = 1.0
    room[CHANCES, 0] = 1.0
    for tricks in range(1, wanted + 1):
        room[CHANCES, tricks] = 0.0
    for card in range(count):
        odds = room[row, card] * factor
        for tricks in range(min(wanted, card + 1), 0, -1):
            room[CHANCES, tricks] += room[CHANCES, tricks - 1] * odds
        everything *= 1.0 + odds
    return room[CHANCES, wanted] / everything  # type: ignore[no-any-return]  # a float64


@jit_inline
def aimed_even_chance(count: int, wanted: int, odds: float, aim: float) -> float:
    """Return the chance of exactly `wanted` tricks from `count` cards of the same odds when the play aims at them."""
    if wanted < 0 or wanted > count:
        return 0.0
    won = odds * _push(odds, count, wanted, aim)
    lost = 1.0 / (1.0 + won)
    chance = power_of(lost, count)
    for trick in range(1, wanted + 1):
        chance *= won * (count - wanted + trick) / trick
    return chance


@jit_inline
def _push(odds: float, count: int, wanted: int, aim: float) -> float:
    """Return the factor, within 1 / aim..aim, that brings cards of these odds nearest to `wanted` of `count`."""
    if wanted == count:
        return aim
    return min(max(wanted / (count - wanted) / max(odds, 1e-9), 1.0 / aim), aim)
