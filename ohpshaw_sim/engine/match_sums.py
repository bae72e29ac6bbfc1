"""What whole matches add up to, beside their rounds: places, how they came about, and the luck of the deals.

    matches[slot, entrant, MATCH_SUMS]    sums over sets
    choices[slot, mask, place]            the choices behind the place orders (`kernels.places`)

Slots keep groups of sets apart, of which analysis makes its bootstraps: that of a set is its number modulo SLICES.
"""

from typing import Any

import numpy as np

from ohpshaw_sim.engine.tally_schema import MATCH_SUMS, SLICES
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.places import add_choices, rank_tied


def match_arrays(entrants: int, players: int) -> tuple[Any, Any]:
    """Return the arrays on top of this module (int64), zeroed."""
    return (
        np.zeros((SLICES, entrants, len(MATCH_SUMS)), np.int64),
        np.zeros((SLICES, 1 << players, players), np.int64),
    )


@jit
def add_matches(matches: Any, start: int, players: int, owners: Any, sums: Any, choices: Any) -> None:
    """Add the matches of one set, which begin at `start`; `owners` holds the entrant of each place."""
    slot = matches[start].set_number % SLICES
    totals = np.empty(players, np.int64)
    ranks = np.empty(players, np.int64)
    points = np.zeros(sums.shape[1], np.int64)
    places = np.zeros(sums.shape[1], np.int64)
    held = np.zeros(sums.shape[1], np.int64)
    for place in range(players):
        held[owners[place]] += 1
    for rotation in range(players):
        match = matches[start + rotation]
        rank_seats(match, players, totals, ranks)
        add_choices(ranks, match.places, players, choices[slot])
        for seat in range(players):
            owner = owners[match.places[seat]]
            points[owner] += totals[seat]
            for other in range(players):  # twice the mean place of those that tie: 2 rank + tied - 1
                places[owner] += int(ranks[other] <= ranks[seat]) + int(ranks[other] < ranks[seat])
            places[owner] += 1
    luck = np.int64(matches[start].luck)
    for owner in range(len(points)):
        _add_set(points[owner], places[owner], luck * held[owner], sums[slot, owner])


@jit
def rank_seats(match: Any, players: int, totals: Any, ranks: Any) -> None:
    """Write a MATCH record's totals and ranks by seat: a tie on top is ranked by the tie-break rounds (B14, B15).

    Of each tie-break round count the points of the seats that were still tied on top.
    """
    for seat in range(players):
        totals[seat] = 0
        ranks[seat] = 1
        for number in range(match.rounds):
            totals[seat] += match.points[number, seat]
    tied = rank_tied(totals, (1 << players) - 1, ranks, players)
    for number in range(match.rounds, match.rounds + match.extra_rounds):
        tied = rank_tied(match.points[number], tied, ranks, players)


@jit
def _add_set(points: int, places: int, luck: int, sums: Any) -> None:
    """Add one set's figures of an entrant, in the order of MATCH_SUMS."""
    sums[0] += points
    sums[1] += points * points
    sums[2] += places
    sums[3] += places * places
    sums[4] += luck
    sums[5] += luck * luck
    sums[6] += points * luck
