"""What is known of two entrants from the `pairwise` table, whichever of them it names first."""

from typing import Final, NamedTuple

import pandas as pd

LEVEL: Final = 0.05
"""Two entrants are told apart where the p-value, corrected for the number of tests, is below this."""


class Pair(NamedTuple):
    """One entrant compared with another: points per round, the first less the second, on the same cards."""

    difference: float
    low: float
    high: float
    p: float
    sets: int

    @property
    def apart(self) -> bool:
        """Whether the run tells the two apart."""
        return self.p < LEVEL

    def turned(self) -> "Pair":
        """Return the second compared with the first."""
        return Pair(-self.difference, -self.high, -self.low, self.p, self.sets)


Pairs = dict[tuple[str, str], Pair]
"""Pairs by their two names, in both orders; those that never met are missing."""


def pairs_of(frame: pd.DataFrame) -> Pairs:
    """Read the rows of the `pairwise` table for one number of players."""
    found: Pairs = {}
    for row in frame.to_dict("records"):
        pair = Pair(row["difference"], row["low"], row["high"], row["p_holm"], int(row["sets"]))
        found[row["agent"], row["other"]] = pair
        found[row["other"], row["agent"]] = pair.turned()
    return found
