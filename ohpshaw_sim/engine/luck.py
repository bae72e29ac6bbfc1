"""Luck of the deal: what a deal is worth beforehand to whoever plays it, by how the trumps fell, less its expectation.

In a set every agent holds every hand from every seat, so good hands even out by design, and what luck is left is that
of the deal as a whole: in some deals everybody hits more easily than in others. It is told by two numbers, how many
trumps were dealt out and how many *pairs* of them lie in one hand (a hand with t trumps holds t (t - 1) / 2). What such
a deal is worth, in hundredths of a point a seat above the average of the full pack, was fitted beforehand on other
seeds (`experiments/fit_deal_values.py`) and lies in `deal_values.csv`.

The sum over a set's rounds is stored. Its expectation follows exactly from the rules: the trumps among the cards that
hands are dealt from are a simple random sample of places, so with n cards, N of them trumps, and hands of h cards,

    P(t_1 ... t_P) = C(h, t_1) ... C(h, t_P) C(n - P h, N - t_1 - ... - t_P) / C(n, N)

(multivariate hypergeometric). A card turned for trump is known and leaves n - 1 and N - 1. So sum less expectation has
mean zero whatever the values are, and an estimate corrected by it is unbiased: good values only narrow it.

Where a turned Wizard lets the dealer name trump, or deals are given, trump or deals are no matter of chance alone, and
no luck is counted; nor is it in rounds without trump.
"""

from collections import defaultdict
from fractions import Fraction
from functools import cache
from importlib.resources import files
from math import comb
from threading import Lock
from typing import Any, Final

import numpy as np

from ohpshaw_sim.cards import NO_SUIT
from ohpshaw_sim.rules import PLAYERS, Rules

UNIT: Final = 100
"""Luck is counted in hundredths of a point."""
MOST_TRUMPS: Final = 13
MOST_PAIRS: Final = MOST_TRUMPS * (MOST_TRUMPS - 1) // 2
_LARGEST_HAND: Final = 17
_SHAPE: Final = (PLAYERS.stop, _LARGEST_HAND + 1, MOST_TRUMPS + 1, MOST_PAIRS + 1)
LIFT: Final = 1 << 20
"""Added to each value, so that compiled code finds words without a sign."""
_FILE: Final = "deal_values.csv"
_ONCE: Final = Lock()


@cache
def deal_values() -> Any:
    """Return the values, int64 [players, hand size, trumps dealt, pairs of trumps]; 0 where there is no such deal."""
    table = np.zeros(_SHAPE, np.int64)
    text = files("ohpshaw_sim.engine").joinpath(_FILE).read_text("utf-8")
    *cells, values = np.loadtxt(text.splitlines(), np.int64, delimiter=",", skiprows=1, unpack=True)
    table[tuple(cells)] = values
    return table


@cache
def _words() -> Any:
    return (deal_values() + LIFT).astype(np.uint64)


def address_of_values(players: int) -> int:
    """Return where the values for so many players lie in this process, as words (uint64), each with LIFT added.

    They are made once and stay: two threads that come first together would else each make them, and one's would go.
    """
    with _ONCE:
        return int(_words()[players].ctypes.data)


def counts_luck(rules: Rules, *, given: bool) -> bool:
    """Tell whether a game's luck is counted; `given` = its deals are."""
    return not rules.wizard and not given


def expected_luck(rules: Rules, schedule: tuple[int, ...], players: int) -> Fraction:
    """Return the expectation of a set's luck under rules that count it, in units of 1 / UNIT points."""
    return sum((_of_round(rules, schedule, players, number) for number in range(len(schedule))), Fraction(0))


def _of_round(rules: Rules, schedule: tuple[int, ...], players: int, number: int) -> Fraction:
    """Return the expectation of one round's luck."""
    size, cards = schedule[number], rules.pack_mask.bit_count()
    trumps = (rules.pack_mask & 0xFFFF).bit_count()  # every pack has as many cards of each of its suits
    trump = rules.fixed_trump(number, len(schedule))
    if trump is None:
        cards, trumps = cards - 1, trumps - 1  # the card turned
    if trump == NO_SUIT or cards < players * size:
        return Fraction(0)
    return expected_value(deal_values()[players, size], players, size, cards, trumps)


def expected_value(values: Any, players: int, size: int, cards: int, trumps: int) -> Fraction:
    """Return the expectation of `values[trumps dealt, pairs]` over all deals of so many hands from so many cards."""
    ways = split_ways(players, size, cards, trumps)
    return Fraction(sum(int(values[split]) * many for split, many in ways.items()), comb(cards, trumps))


@cache
def split_ways(players: int, size: int, cards: int, trumps: int) -> dict[tuple[int, int], int]:
    """Return in how many of the C(cards, trumps) ways each (trumps dealt, pairs of trumps) comes about."""
    found = {(0, 0): 1}
    for _ in range(players):
        more: dict[tuple[int, int], int] = defaultdict(int)
        for (dealt, pairs), ways in found.items():
            for held in range(min(size, trumps - dealt) + 1):
                more[dealt + held, pairs + held * (held - 1) // 2] += ways * comb(size, held)
        found = more
    left = cards - players * size
    return {split: ways * comb(left, trumps - split[0]) for split, ways in found.items()}
