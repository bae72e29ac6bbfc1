"""Is what redeals promise what happens? And how well did redeals explain the bids that were heard?

The chance that a zero bid is made, as all redeals of a situation promise it, beside what came of a zero bid on the
deal as it was. If redeals are drawn as the cards may lie by all that the bidder knew, and only then, promises are kept
on average, whatever the bids heard were. A promise from few redeals is a little extreme by chance, so the realised
rate lies a little towards the middle.
"""

from typing import Final

import numpy as np
import pandas as pd

from ohpshaw_sim.studies.zero_bids.means import cells, mean_of, share_of

_BINS: Final = 10
_WEAK: Final = 16
"""Effective redeals below which a situation's values are weak."""


def calibration_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the table `calibration`: one row per agent, players and tenth of promised chances.

    Columns: agent, players, bin (0..9); situations; promised (mean), other_half (what the second half of the redeals
    gives where the first half promised such a chance), realised (on the deals as they were), each with _low and _high.
    """
    table = []
    for (agent, players), own in rows.groupby(["agent", "players"], sort=False):
        bins = _bin(own["chance"])
        first = _bin(own["chance_a"])
        for number in sorted(bins.unique()):
            group = own[bins == number]
            table.append(
                {
                    "agent": agent,
                    "players": players,
                    "bin": number,
                    "situations": len(group),
                    **cells("promised", mean_of(group["chance"], (0.0, 1.0))),
                    **cells("realised", share_of(group["zero_made"])),
                    **cells("first_half", mean_of(own["chance_a"][first == number], (0.0, 1.0))),
                    **cells("second_half", mean_of(own["chance_b"][first == number], (0.0, 1.0))),
                }
            )
    return pd.DataFrame(table)


def _bin(chances: pd.Series) -> pd.Series:
    return pd.Series(np.minimum((chances * _BINS).astype(int), _BINS - 1), chances.index)


def redeals_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table `redeals`: how well redeals explained what was heard, by players, hand size and position.

    Columns: agent, players, hand_size, position; situations; not_valued (no redeal explained what was heard, or zero
    was not legal); redeals (of each); effective (mean effective number, of those valued); weak (share of those valued
    with fewer than 16); match_share (of the hands tried for seats that had bid, those that bid so); lost_share
    (redeals that found no such hand).
    """
    asked = frame[frame["redeals"] > 0]
    keys = ["agent", "players", "hand_size", "position"]
    table = []
    for values, group in asked.groupby(keys, sort=False):
        found = group["effective"][group["effective"] > 0]
        tried = int(group["tried"].sum())
        table.append(
            {
                **dict(zip(keys, values, strict=True)),
                "situations": len(group),
                "not_valued": len(group) - len(found),
                "redeals": int(group["redeals"].iloc[0]),
                "effective": float(found.mean()),
                "weak": float((found < _WEAK).mean()),
                "match_share": float(group["matched"].sum() / tried) if tried else np.nan,
                "lost_share": float(group["lost"].sum() / group["redeals"].sum()),
            }
        )
    return pd.DataFrame(table).sort_values(keys[1:], kind="stable", ignore_index=True)
