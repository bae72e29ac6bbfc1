"""A rule of thumb: bid zero with at most so many trumps and at most so many high cards.

Both thresholds are found on the situations of even number and valued on those of odd number, which they never saw. The
loss is beside the best that the redeals find, situation by situation: who follows the rule bids zero where it says so,
and elsewhere the best other bid. Rounds without trump are left out.
"""

from itertools import product
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from ohpshaw_sim.rules import Rules
from ohpshaw_sim.studies.zero_bids.grouping import ALL
from ohpshaw_sim.studies.zero_bids.means import cells, difference_ends, ends_of, mean_of, share_of

NEVER: Final = -1
"""Threshold of a rule that never bids zero."""
_FEWEST: Final = 2
"""Situations of either kind that a rule takes."""


class Thumb(NamedTuple):
    """Bid zero with at most so many trumps, and at most so many aces and kings of other suits."""

    trumps: int
    high_cards: int

    def says_zero(self, rows: pd.DataFrame) -> "pd.Series[bool]":
        """Tell in which situations it bids zero."""
        return (rows["trumps"] <= self.trumps) & (rows["high_cards"] <= self.high_cards)

    def words(self) -> str:
        """Say it."""
        if self.trumps == NEVER:
            return "never"
        trumps = "no trump" if self.trumps == 0 else f"at most {self.trumps} trump{'s' * (self.trumps > 1)}"
        high = "no side ace or king"
        if self.high_cards:
            high = f"at most {self.high_cards} side {'ace or king' if self.high_cards == 1 else 'aces and kings'}"
        return f"{trumps} and {high}"


def find_thumb(rows: pd.DataFrame) -> Thumb:
    """Return the rule that gains most over never bidding zero; of equal ones the one that bids it least."""
    best, most = Thumb(NEVER, NEVER), 0.0
    for trumps, high_cards in product(*(range(rows[name].max() + 1) for name in ("trumps", "high_cards"))):
        rule = Thumb(trumps, high_cards)
        gained = float(rows["gain"][rule.says_zero(rows)].sum())
        if gained > most + 1e-9:
            best, most = rule, gained
    return best


def rule_table(rows: pd.DataFrame, rules: Rules) -> pd.DataFrame:
    """Return the table `rule_of_thumb`: one row per group of hand sizes, and one of all of them, for each number of
    players and for all of these at once.

    Columns: agent, players (a number, or "all"), hands (a group, or "all": the rules of the groups together); trumps,
    high_cards (the thresholds, -1 = never), rule (in words); found_on, valued_on (situations); says_zero (share); loss
    (of the rule), loss_never and loss_always (never and always bidding zero), loss_choice (zero where the agent itself
    bid it, the best other bid elsewhere), each with _low and _high.
    """
    table = []
    for agent, own in rows[rows["has_trump"]].groupby("agent", sort=False):
        counts = [
            *own.groupby("players", sort=False),
            *([(ALL, own)] if own["players"].nunique() > 1 else []),
        ]
        for players, those in counts:
            head = {"agent": agent, "players": str(players)}
            table += [{**head, **row} for row in _rows_of(those, rules)]
    return pd.DataFrame(table)


def _rows_of(rows: pd.DataFrame, rules: Rules) -> list[dict[str, object]]:
    """Return the row of each group of hand sizes that has situations enough, and the row of all these together."""
    table: list[dict[str, object]] = []
    judged = []
    for hands, group in rows.groupby("hands", observed=True):
        seen, held_out = (group[group["deal"] % 2 == half] for half in (0, 1))
        if min(len(seen), len(held_out)) < _FEWEST:
            continue
        thumb = find_thumb(seen)
        head = {
            "hands": str(hands),
            "trumps": thumb.trumps,
            "high_cards": thumb.high_cards,
            "rule": thumb.words(),
        }
        judged.append((len(seen), held_out.assign(says=thumb.says_zero(held_out))))
        table.append({**head, **_judged(*judged[-1], rules)})
    if len(table) > 1:
        together = pd.concat([held_out for _, held_out in judged])
        head = {"hands": ALL, "trumps": np.nan, "high_cards": np.nan, "rule": "each of these"}
        table.append({**head, **_judged(sum(seen for seen, _ in judged), together, rules)})
    return table


def _judged(seen: int, held_out: pd.DataFrame, rules: Rules) -> dict[str, float]:
    """Return what a rule found on so many situations loses on others, in which it bids zero where `says` is true."""
    ends = difference_ends(ends_of(held_out, rules))
    choices = {
        "loss": held_out["says"],
        "loss_never": pd.Series(False, held_out.index),
        "loss_always": pd.Series(True, held_out.index),
        "loss_choice": held_out["bid"] == 0,
    }
    row = {"found_on": seen, "valued_on": len(held_out), **cells("says_zero", share_of(held_out["says"]))}
    for name, says_zero in choices.items():
        lost = held_out["best_b"] - np.where(says_zero, held_out["zero_b"], held_out["other_b"])
        row.update(cells(name, mean_of(lost, ends)))
    return row
