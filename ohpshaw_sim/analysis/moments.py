"""From moments over sets to the sums of a ratio of whole combinations of quantities."""

from collections.abc import Mapping
from itertools import product

from ohpshaw_sim.analysis.statistics import RatioSums
from ohpshaw_sim.engine.tally_schema import QUANTITIES


def product_name(first: str, second: str) -> str:
    """Name the moment that sums the product of two quantities, in whichever order they are given.

    >>> product_name("points", "rounds")
    'rounds_x_points'
    """
    a, b = sorted((first, second), key=QUANTITIES.index)
    return f"{a}_x_{b}"


def ratio_sums(
    moments: Mapping[str, int], numerator: Mapping[str, int], denominator: Mapping[str, int]
) -> RatioSums:
    """Return the sums that `statistics.ratio` needs.

    `moments` maps the names of `tally_schema.MOMENTS` to sums over sets. Numerator and denominator map
    quantities to whole weights: points of rounds without a zero bid are {"points": 1, "zero_points": -1}.
    """

    def first(weights: Mapping[str, int]) -> int:
        return sum(weight * int(moments[name]) for name, weight in weights.items())

    def second(left: Mapping[str, int], right: Mapping[str, int]) -> int:
        return sum(left[a] * right[b] * int(moments[product_name(a, b)]) for a, b in product(left, right))

    return RatioSums(
        y=first(numerator),
        x=first(denominator),
        yy=second(numerator, numerator),
        xy=second(numerator, denominator),
        xx=second(denominator, denominator),
    )
