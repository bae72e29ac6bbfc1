"""From odds to numbers of tricks: the chance of an exact number, and the points to expect, when play aims at a bid.

Odds are p / (1 - p). The working memory of a decision is a float64 array `room[ROWS, COLUMNS]`: the odds of card i of
a hand are in `room[LEADING, i]` and `room[FOLLOWING, i]`, with this seat to lead the next trick or another one.
Plain arithmetic only (no library exp), so every machine gets the same bits.
"""

from typing import Any, Final

from ohpshaw_sim.interface.view import MAX_HAND
from ohpshaw_sim.kernels._jit import jit, jit_inline
from ohpshaw_sim.kernels.scoring import SOFT, round_score

LEADING, FOLLOWING, CHANCES, HARMS = range(4)
"""Rows of the working memory; the last two hold sums over the ways to win so many tricks, and harms by seat."""
ROWS: Final = 4
COLUMNS: Final = MAX_HAND + 1
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


@jit_inline
def hit_points(view: Any, bid: int) -> int:
    """Return the points of a bid that is hit."""
    return round_score(view.scoring, view.zero_bid, view.hand_size, bid, bid)


@jit
def one_trick_points(view: Any, bid: int, won: int, chance: float) -> float:
    """Return the mean points of a seat that has won `won` tricks and wins one more with this chance."""
    more = round_score(view.scoring, view.zero_bid, view.hand_size, bid, won + 1)
    return chance * more + (1.0 - chance) * round_score(view.scoring, view.zero_bid, view.hand_size, bid, won)


@jit
def aimed_points(
    view: Any, room: Any, row: int, count: int, won: int, bid: int, factor: float, aim: float
) -> float:
    """Return the mean points of a seat that bid `bid` and has won `won` tricks, by whatever scoring is in force.

    `count` cards are left, each of odds * factor, and play aims at the bid; where it is missed already, at the number
    of tricks nearest to it, or under soft scoring at all that are left.
    """
    wanted = min(max(bid - won, 0), count)
    if view.scoring == SOFT and bid < won:
        wanted = count
    mean = mean_tricks(room, row, count, factor)
    factor *= _push(mean / max(count - mean, 1e-9), count, wanted, aim)
    _wins(room, row, count, count, factor)
    ways, points = 0.0, 0.0
    for tricks in range(count + 1):
        ways += room[CHANCES, tricks]
        points += room[CHANCES, tricks] * round_score(
            view.scoring, view.zero_bid, view.hand_size, bid, won + tricks
        )
    return points / ways
