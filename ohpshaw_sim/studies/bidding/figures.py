"""The figures of one bidder with one player: points and hits, promises kept, what misses cost.

All are over sets. `Hand` is what a bidder and a player came to in one seat at one number of players.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.analysis.estimates import Range, point_range
from ohpshaw_sim.kernels.scoring import round_score
from ohpshaw_sim.rules import SCORINGS, Rules
from ohpshaw_sim.studies.estimates import mean_cells, paired_cells, share_cells
from ohpshaw_sim.studies.playing import COLUMNS, Played
from ohpshaw_sim.studies.promises import MILLION
from ohpshaw_sim.studies.seats import by_position

BINS: Final = 10
"""Of promised chances: 0 to 10 per cent, and so on."""
FURTHEST: Final = 3
"""Misses by so many tricks or more are one row."""


class Hand:
    """A bidder with a player at a table; `names` are the first cells of its rows."""

    def __init__(self, names: dict[str, Any], rules: Rules, played: Played) -> None:
        self.names, self.rules = names, rules
        self.by_set = played.by_set
        self.rows = dict(zip(COLUMNS, played.rows.T.astype(np.int64), strict=True))
        self.sizes = rules.schedule_for(names["players"])
        self.hits = self.rows["bid"] == self.rows["tricks"]

    @property
    def ends(self) -> Range:
        """The least and the most points of a round."""
        return point_range(self.rules, self.sizes)

    @property
    def promising(self) -> bool:
        """Whether the bidder tells what chance it gives its bids."""
        return bool((self.rows["promise"] >= 0).all())


def grid_row(hand: Hand, first: Hand) -> dict[str, Any]:
    """Return points, hits and bids; `difference` is in points, less the first bidder with the same player."""
    of_set, one, size = hand.rows["set"], np.ones(len(hand.hits), np.int64), max(hand.sizes)
    error = hand.rows["tricks"] - hand.rows["bid"]
    low, high = hand.ends
    per_set = len(of_set) // len(hand.by_set)
    beside = paired_cells("difference", hand.by_set, first.by_set, unit=1 / per_set, widest=high - low)
    return (
        {**hand.names, "sets": len(hand.by_set), "rounds": len(of_set)}
        | mean_cells("points_per_round", of_set, hand.rows["points"], one, hand.ends)
        | (dict.fromkeys(beside, np.nan) if hand is first else beside)
        | share_cells("hit_rate", of_set, hand.hits, one)
        | mean_cells("mean_bid", of_set, hand.rows["bid"], one, (0, size))
        | mean_cells("tricks_less_bid", of_set, error, one, (-size, size))
        | _promised(hand)
    )


def _promised(hand: Hand) -> dict[str, Any]:
    """Return the mean promise, and by how much more often bids were hit; NaN where nothing was promised."""
    of_set, one, promise = hand.rows["set"], np.ones(len(hand.hits), np.int64), hand.rows["promise"]
    kept = mean_cells("hit_less_promised", of_set, hand.hits * MILLION - promise, one, (-1, 1), unit=MILLION)
    found = mean_cells("promised", of_set, promise, one, (0, 1), unit=MILLION) | kept
    return found if hand.promising else dict.fromkeys(found, np.nan)


def calibration_rows(hand: Hand) -> list[dict[str, Any]]:
    """Return a row per tenth of promised chances: what was promised on the average, and how often it came so."""
    if not hand.promising:
        return []
    of_bin = np.minimum(hand.rows["promise"] * BINS // MILLION, BINS - 1)
    found = []
    for one in np.unique(of_bin):
        here = of_bin == one
        of_set, count = hand.rows["set"][here], np.ones(int(here.sum()), np.int64)
        promised = int(hand.rows["promise"][here].sum()) / len(count) / MILLION
        found.append(
            {**hand.names, "promised_from": one / BINS, "promised_to": (one + 1) / BINS, "rounds": len(count)}
            | {"promised": promised}
            | share_cells("hit_rate", of_set, hand.hits[here], count)
        )
    return found


def error_rows(hand: Hand) -> list[dict[str, Any]]:
    """Return a row per number of tricks beside the bid: how often, and what it costs beside a bid that is hit.

    `loss_per_round` is that loss spread over all rounds, so that it adds up over the rows.
    """
    of_set, one = hand.rows["set"], np.ones(len(hand.hits), np.int64)
    error = np.clip(hand.rows["tricks"] - hand.rows["bid"], -FURTHEST, FURTHEST)
    loss = np.maximum(_points_if_hit(hand) - hand.rows["points"], 0)
    widest = (0.0, 2 * max(abs(end) for end in hand.ends))
    found = []
    for by in range(-FURTHEST, FURTHEST + 1):
        here = (error == by).astype(np.int64)
        found.append(
            {**hand.names, "tricks_less_bid": by, "rounds": int(here.sum())}
            | share_cells("share", of_set, here, one)
            | mean_cells("loss_per_round", of_set, loss * here, one, widest)
            | mean_cells("loss_per_miss", of_set, loss * here, here, widest)
        )
    return found


def _points_if_hit(hand: Hand) -> Any:
    """Return what each round's bid scores when it is hit, int64 [rounds]."""
    scoring, zero_bid = SCORINGS.index(hand.rules.scoring), int(hand.rules.zero_bid == "hand-size")
    numbers = range(max(hand.sizes) + 1)
    table = np.array(
        [[round_score(scoring, zero_bid, size, bid, bid) for bid in numbers] for size in numbers]
    )
    return table[hand.rows["hand_size"], hand.rows["bid"]]


def position_rows(hand: Hand) -> list[dict[str, Any]]:
    """Return a row per bidding position."""
    return [hand.names | row for row in by_position(hand.rows, hand.names["players"], hand.ends)]
