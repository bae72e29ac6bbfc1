"""Ratings over many agents from the places of their matches, per number of players (`plackett_luce`).

A rating is the logarithm of an agent's strength less the mean of all agents that were rated: 0 is average, and of two
agents the better-rated comes before the other with chance 1 / (1 + exp(-difference)). Ratings say how often an agent
comes before others and not by how much, and hold for the field and the rules that were played.

Intervals come from a bootstrap over slices, groups of independent sets that each hold all line-ups alike. With s slices
drawn anew s at a time the spread comes out too small by (s - 1) / s, and its quantiles are those of many: so distances
from the estimate are stretched by t / z * sqrt(s / (s - 1)), t being Student's quantile with s - 1 degrees of freedom
(Hesterberg, The American Statistician 69, 2015). The draws follow from the plan alone.
"""

import random
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import ndtri

from ohpshaw_sim.analysis.plackett_luce import PSEUDO, groups, log_strengths
from ohpshaw_sim.analysis.run import Run
from ohpshaw_sim.analysis.statistics import CONFIDENCE, t_quantile
from ohpshaw_sim.engine.tally_schema import NEXT
from ohpshaw_sim.kernels.places import CHOICE_UNIT

LEAST_RATED: Final = 3
"""Entrants at a table size that are rated; two are told apart by their difference."""
FEWEST_SLICES: Final = 4
"""Slices from which on there is an interval."""
DRAWS: Final = 400
COLUMNS: Final = (
    *("agent", "players", "sets", "rating", "low", "high"),
    *("beats_average", "rank", "rank_low", "rank_high"),
)


class Field(NamedTuple):
    """The choices behind the place orders at one number of players.

    entrants   their numbers; items below are their indices
    seats      int64 [choices, items], see `plackett_luce`
    times      float64 [choices, slices], in matches
    wins       float64 [items, slices]
    won        bool [choices, items]: who ever came next
    """

    entrants: list[int]
    seats: Any
    times: Any
    wins: Any
    won: Any


def ratings(run: Run) -> pd.DataFrame:
    """Rate the entrants where there are three or more: one row per number of players and entrant, best first.

    Columns: `agent`, `players`, `sets`, `rating` with `low` and `high`, `beats_average` (the chance to come before an
    agent of rating 0), `rank` with `rank_low` (best) and `rank_high`. No interval where there are fewer than
    `FEWEST_SLICES` slices, or where somebody never came behind: then nothing but the ghost of `plackett_luce` keeps
    its rating finite. No rating where some never met. `rating_notes` says so in words.
    """
    frames = [_rated(run, field_of(run, players), players) for players in _rated_tables(run)]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=list(COLUMNS))


def rating_notes(run: Run) -> list[str]:
    """Return a sentence for each number of players whose ratings, or their intervals, cannot be had."""
    notes = []
    for players in _rated_tables(run):
        field = field_of(run, players)
        never_met, one_sided = groups(field.seats, field.won)
        if never_met > 1:
            notes.append(
                f"{players} players: no ratings, since the agents fall into {never_met} groups that never met"
            )
        elif one_sided > 1:
            notes.append(
                f"{players} players: ratings without intervals, since some agents never came behind some others; "
                f"their distance is only what {PSEUDO:g} matches won and lost against an average agent leave of it"
            )
        elif field.times.shape[1] < FEWEST_SLICES:
            notes.append(f"{players} players: too few sets for intervals of ratings")
    return notes


def _rated_tables(run: Run) -> list[int]:
    there = sorted(run.choices["players"].unique().tolist())
    sitting = run.totals.groupby("players")["entrant"].nunique()
    return [players for players in there if sitting[players] >= LEAST_RATED]


def field_of(run: Run, players: int) -> Field:
    """Return the choices at a number of players, by who was left and not by where they sat."""
    rows = run.choices[run.choices["players"] == players]
    entrants = sorted(run.totals[run.totals["players"] == players]["entrant"].unique().tolist())
    slices = {number: at for at, number in enumerate(sorted(rows["slice"].unique()))}
    index: dict[tuple[int, ...], int] = {}
    cells = rows[["lineup", "slice", "left", *NEXT[:players]]].to_numpy()
    at = np.zeros(len(cells), np.int64)
    items = np.zeros((len(cells), players), np.int64)
    for row, (lineup, _, left, *_) in enumerate(cells.tolist()):
        places = [entrants.index(one) for one in run.lineup(players, lineup).entrants]
        left_here = tuple(sorted(item for place, item in enumerate(places) if left >> place & 1))
        at[row] = index.setdefault(left_here, len(index))
        items[row] = places
    chosen = np.zeros((len(index), len(entrants), len(slices)))
    of_slice = np.array([slices[number] for number in cells[:, 1].tolist()], np.int64)
    np.add.at(chosen, (at[:, None], items, of_slice[:, None]), cells[:, 3:] / CHOICE_UNIT)
    seats = np.zeros((len(index), len(entrants)), np.int64)
    for left_here, number in index.items():
        np.add.at(seats[number], list(left_here), 1)
    return Field(entrants, seats, chosen.sum(axis=1), chosen.sum(axis=0), chosen.any(axis=2))


def _rated(run: Run, field: Field, players: int) -> pd.DataFrame:
    """Return the rows of one number of players."""
    never_met, one_sided = groups(field.seats, field.won)
    items, slices = field.wins.shape
    nothing = np.full(items, np.nan)
    rating = low = high = rank = rank_low = rank_high = nothing
    if never_met == 1:
        whole = log_strengths(field.seats, field.times.sum(axis=1)[:, None], field.wins.sum(axis=1)[:, None])
        rating = whole[:, 0]
        rank = _ranks(whole)[:, 0]
        if one_sided == 1 and slices >= FEWEST_SLICES:
            drawn = _drawn(run, field, players, whole)
            tails = (1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2
            low, high = np.quantile(drawn, tails, axis=1)
            rank_low, rank_high = np.quantile(_ranks(drawn), tails, axis=1, method="inverted_cdf")
    sets = run.totals[run.totals["players"] == players].groupby("entrant")["n"].sum()
    columns = (
        [run.entrants[one] for one in field.entrants],
        players,
        sets.loc[field.entrants].to_numpy(),
        *(rating, low, high),
        1 / (1 + np.exp(-rating)),
        *(pd.array(np.asarray(one, np.float64), "Int64") for one in (rank, rank_low, rank_high)),
    )
    frame = pd.DataFrame(dict(zip(COLUMNS, columns, strict=True)))
    return frame.sort_values("rank", kind="stable", ignore_index=True)


def _drawn(run: Run, field: Field, players: int, whole: Any) -> Any:
    """Return strengths fitted to draws of the slices and stretched, float64 [items, DRAWS]."""
    slices = field.wins.shape[1]
    chance = random.Random(f"{run.manifest.get('plan_hash')}/ratings/{players}")
    often = np.zeros((slices, DRAWS))
    for draw in range(DRAWS):
        for _ in range(slices):
            often[int(chance.random() * slices), draw] += 1
    start = np.repeat(whole, DRAWS, axis=1)
    fitted = log_strengths(
        field.seats, _weighted(field.times, often), _weighted(field.wins, often), start=start
    )
    z = float(ndtri((1 + CONFIDENCE) / 2))
    stretch = t_quantile(slices) / z * (slices / (slices - 1)) ** 0.5
    return whole + stretch * (fitted - whole)


def _weighted(sums: Any, often: Any) -> Any:
    """Return sums [any, slices] added up as often as each slice was drawn; in an order that no library decides."""
    return sum(sums[:, at, None] * often[at] for at in range(len(often)))


def _ranks(strengths: Any) -> Any:
    """Return ranks, 1 for the strongest, of each column."""
    return 1 + (strengths[None, :, :] > strengths[:, None, :]).sum(axis=1)
