"""Rows of words against Python's integers, word by word; conditions for rows and for single masks."""

import operator
import random
from typing import Any

import numpy as np
import pytest

from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ALL_BITS, U
from ohpshaw_sim.kernels.words import (
    WIDE,
    empty,
    exceeds,
    flag,
    highest,
    keep_words,
    lowest,
    pick,
    same_words,
    words_at,
)

FULL = (1 << 64) - 1


@jit
def binaries(rows: Any, single: Any, out: Any) -> None:
    """Write every operator of two rows, of a row and a word, and of a word and a row; shifts stay below 64."""
    one, two, few = words_at(rows, U(0)), words_at(rows, U(1)), words_at(rows, U(2))
    keep_words(out, U(0), one & two)
    keep_words(out, U(1), one | single)
    keep_words(out, U(2), single ^ two)
    keep_words(out, U(3), one + two)
    keep_words(out, U(4), one - single)
    keep_words(out, U(5), one << few)
    keep_words(out, U(6), single >> few)
    keep_words(out, U(7), ~one)
    keep_words(out, U(8), same_words(single))


@jit
def conditions(rows: Any, single: Any, out: Any) -> None:
    """Write every function of rows."""
    one, two = words_at(rows, U(0)), words_at(rows, U(1))
    keep_words(out, U(0), highest(one))
    keep_words(out, U(1), lowest(one))
    keep_words(out, U(2), flag(one))
    keep_words(out, U(3), empty(one & two))
    keep_words(out, U(4), exceeds(one, two))
    keep_words(out, U(5), exceeds(single, two))
    keep_words(out, U(6), pick(flag(two), one, single))


@jit
def singles(one: Any, two: Any) -> tuple[Any, ...]:
    """Return every function of single masks."""
    found = (highest(one), lowest(one), flag(one), empty(one & two), exceeds(one, two))
    return (*found, pick(flag(two), one, two))


def sparse(rng: random.Random) -> int:
    """A word with any number of bits, at least one."""
    return rng.getrandbits(64) & rng.choice(
        [FULL, 1 << 63, 1, 0xFFFF, rng.getrandbits(64)]
    ) or 1 << rng.randrange(64)


def drawn(rng: random.Random) -> tuple[list[list[int]], Any, int]:
    """Three rows of words, the third below 64, as lists and as the array; and a single word."""
    lists = [[sparse(rng) for _ in range(WIDE)] for _ in range(2)]
    lists.append([rng.randrange(64) for _ in range(WIDE)])
    return lists, np.array(lists, np.uint64), sparse(rng)


def yes(condition: bool) -> int:
    return FULL if condition else 0


@pytest.mark.parametrize("seed", range(50))
def test_operators_work_word_by_word(seed: int) -> None:
    (one, two, few), rows, single = drawn(random.Random(seed))
    out = np.zeros((9, WIDE), np.uint64)
    binaries(rows, U(single), out)
    wanted = [
        [operator.and_(a, b) for a, b in zip(one, two, strict=True)],
        [a | single for a in one],
        [single ^ b for b in two],
        [(a + b) & FULL for a, b in zip(one, two, strict=True)],
        [(a - single) & FULL for a in one],
        [(a << n) & FULL for a, n in zip(one, few, strict=True)],
        [single >> n for n in few],
        [a ^ FULL for a in one],
        [single] * WIDE,
    ]
    assert out.tolist() == wanted


@pytest.mark.parametrize("seed", range(50))
def test_conditions_hold_word_by_word(seed: int) -> None:
    (one, two, _), rows, single = drawn(random.Random(seed))
    two[3] = one[3]
    rows[1, 3] = one[3]
    out = np.zeros((7, WIDE), np.uint64)
    conditions(rows, U(single), out)
    pairs = list(zip(one, two, strict=True))
    wanted = [
        [a.bit_length() - 1 for a in one],
        [(a & -a).bit_length() - 1 for a in one],
        [yes(bool(a & 1)) for a in one],
        [yes(not a & b) for a, b in pairs],
        [yes(a > b) for a, b in pairs],
        [yes(single > b) for b in two],
        [a if b & 1 else single for a, b in pairs],
    ]
    assert out.tolist() == wanted
    for column, (a, b) in enumerate(pairs):
        found = [int(word) for word in singles(U(a), U(b))]
        assert found == [*(row[column] for row in wanted[:5]), a if b & 1 else b]


def test_a_yes_has_all_bits() -> None:
    _, _, flagged, nothing, larger, _ = singles(U(1), U(0))
    assert int(flagged) == int(nothing) == int(larger) == int(ALL_BITS) == FULL
