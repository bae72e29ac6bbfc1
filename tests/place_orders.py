"""Places of matches and the choices behind them, worked out the plain way: every order that ties leave, one by one."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product

CHOICE = 420
"""What a match counts."""


def orders(ranks: Sequence[int]) -> list[tuple[int, ...]]:
    """All orders of the places, the first one foremost, that agree with their ranks."""
    groups = [[place for place, rank in enumerate(ranks) if rank == one] for one in sorted(set(ranks))]
    return [sum(parts, ()) for parts in product(*(list(permutations(group)) for group in groups))]


def choices(ranks: Sequence[int]) -> dict[tuple[int, int], int]:
    """By mask of places left and the place that came next: how often, in 420ths of a match."""
    found: Counter[tuple[int, int]] = Counter()
    every = orders(ranks)
    for order in every:
        for mask, place in _steps(order):
            found[mask, place] += 1
    shares = {key: Fraction(CHOICE * count, len(every)) for key, count in found.items()}
    assert all(share.denominator == 1 for share in shares.values())
    return {key: int(share) for key, share in shares.items()}


def _steps(order: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    for at in range(len(order) - 1):
        yield sum(1 << place for place in order[at:]), order[at]


def ranks_of(values: Sequence[int]) -> list[int]:
    """Ranks 1-2-2-4, the highest value first."""
    return [1 + sum(other > value for other in values) for value in values]


def twice_mean_places(ranks: Sequence[int]) -> list[int]:
    """Twice the place of each, those that tie sharing the mean of the places they take up."""
    return [sum(2 * rank + of - 1 for of in [list(ranks).count(rank)]) for rank in ranks]
