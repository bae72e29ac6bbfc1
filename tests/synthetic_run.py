"""Run folders without playing: plausible rounds drawn at random, added up the plain way, written as parts.

`write_run` returns the seat-rounds behind the folder, so that tests can work everything out again, set by
set.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ohpshaw_sim.engine.tally_schema import (
    MATCH_SUMS,
    MOMENTS,
    NEXT,
    PART_COLUMNS,
    PART_KEYS,
    QUANTITIES,
    SLICES,
    WIN_UNIT,
)
from place_orders import choices, ranks_of

THREE_AGENTS = {"monte-carlo": 0.6, "count-winners": 0.5, "random": 0.0}
"""Entrants by skill: the chance to know one's tricks beforehand; 0 bids uniformly."""


def write_run(
    folder: Path,
    agents: Mapping[str, float] = THREE_AGENTS,
    *,
    players: Sequence[int] = (4,),
    hand_sizes: Sequence[int] | None = None,
    sets: int = 96,
    block_sets: int = 8,
    parts: int = 3,
    seed: int = 1,
) -> pd.DataFrame:
    """Write a run folder and return its seat-rounds.

    Columns: set, block, players, lineup, rotation, round, hand_size, position, place, entrant, bid, tricks,
    points, wins (420ths; on the last round of a match only), luck (of the set, of nothing that happens in it).
    """
    rng = np.random.default_rng(seed)
    lineups = [
        {"players": n, "lineup": i, "entrants": entrants, "schedule": _schedule(n, hand_sizes)}
        for n in players
        for i, entrants in enumerate(_lineups(len(agents), n))
    ]
    by_players = [[lineup for lineup in lineups if lineup["players"] == n] for n in players]
    blocks = -(-sets // block_sets)
    pieces = []
    for block in range(blocks):
        choices = by_players[block % len(players)]
        lineup = choices[block // len(players) % len(choices)]
        numbers = range(block * block_sets, min((block + 1) * block_sets, sets))
        pieces.append(_play(rng, lineup, list(agents.values()), numbers).assign(block=block))
    log = pd.concat(pieces, ignore_index=True)
    manifest = {
        "schema": 1,
        "spec": {},
        "seed": seed,
        "plan_hash": "0",
        "block_sets": block_sets,
        "sets": sets,
    }
    manifest |= {"entrants": list(agents), "lineups": lineups, "versions": {}, "git_commit": None}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    cuts = np.linspace(0, blocks, parts + 1).astype(int)
    for begin, end in pairwise(cuts):
        write_part(folder, log[(log.block >= begin) & (log.block < end)], int(begin), int(end))
    return log


def write_part(folder: Path, log: pd.DataFrame, begin: int, end: int) -> Path:
    """Add up the seat-rounds of some blocks and write them as one part."""
    path = folder / "parts" / f"part-{begin:08d}-{end:08d}.parquet"
    path.parent.mkdir(exist_ok=True)
    lineup = ["players", "lineup", "entrant"]
    counts = log.groupby(["players", "entrant", "hand_size", "position", "bid", "tricks"]).size()
    frames = {
        "total": moments(log, ["players", "lineup", "block", "entrant"]),
        "hand_size": moments(log.assign(wins=0), [*lineup, "hand_size"]),
        "position": moments(log.assign(wins=0), [*lineup, "position"]),
        "pair": _pairs(log),
        "count": counts.rename("n").reset_index(),
        "match": matches(log),
        "choice": _choices(log),
    }
    rows = pd.concat([frame.assign(kind=kind) for kind, frame in frames.items()])
    rows = rows.reindex(columns=PART_COLUMNS)
    rows[list(PART_KEYS[1:])] = rows[list(PART_KEYS[1:])].fillna(-1)
    columns = {"kind": pa.array(rows["kind"].to_list()).dictionary_encode()}
    columns |= {name: rows[name].fillna(0).to_numpy(np.int64) for name in PART_COLUMNS[1:]}
    pq.write_table(pa.table(columns), path)
    return path


def per_set(log: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return the seven quantities of each set, by the keys."""
    zero = log.bid == 0
    hit = log.bid == log.tricks
    quantities = log.assign(
        rounds=1, hits=hit, zero_bids=zero, zero_hits=zero & hit, zero_points=log.points.where(zero, 0)
    )
    return quantities.groupby([*keys, "set"])[list(QUANTITIES)].sum().astype(np.int64).reset_index()


def moments(log: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return the number of sets n and the sums of quantities and products over sets, by the keys."""
    sets = per_set(log, keys)
    for name in MOMENTS[len(QUANTITIES) :]:
        first, second = name.split("_x_")
        sets[name] = sets[first] * sets[second]
    return sets.assign(n=1).groupby(keys)[["n", *MOMENTS]].sum().reset_index()


def matches(log: pd.DataFrame) -> pd.DataFrame:
    """Return the sums of whole matches over sets, by line-up, entrant and slice: `MATCH_SUMS`."""
    keys = ["players", "lineup", "entrant"]
    seats = log.groupby([*keys, "set", "rotation", "place"])[["points", "luck"]].agg(
        {"points": "sum", "luck": "first"}
    )
    by_match = seats.groupby(["players", "lineup", "set", "rotation"]).points
    seats["places"] = (2 * by_match.rank(method="average", ascending=False)).round().astype(np.int64)
    seats["luck"] *= np.where(
        seats.index.get_level_values("rotation") == 0, 1, 0
    )  # a set's luck, once a seat
    sets = seats.groupby([*keys, "set"])[["points", "places", "luck"]].sum().reset_index()
    products = {f"{name}_sq": sets[name] ** 2 for name in ("places", "luck")}
    products |= {"points_x_points": sets.points**2, "points_x_luck": sets.points * sets.luck}
    sets = sets.assign(n=1, slice=sets["set"] % SLICES, **products)
    return sets.groupby([*keys, "slice"])[["n", *MATCH_SUMS]].sum().reset_index()


def _choices(log: pd.DataFrame) -> pd.DataFrame:
    """Return how often, of the places that were left, each came next, by line-up and slice."""
    found: Counter[tuple[int, ...]] = Counter()
    totals = log.groupby(["players", "lineup", "set", "rotation", "place"]).points.sum().unstack("place")
    for key, row in zip(totals.index.tolist(), totals.to_numpy(), strict=True):
        players, lineup, number, _ = key
        for (left, place), share in choices(ranks_of(row[~np.isnan(row)].astype(int).tolist())).items():
            found[players, lineup, number % SLICES, left, place] += share
    keys = ["players", "lineup", "slice", "left"]
    frame = pd.DataFrame([(*key, share) for key, share in found.items()], columns=[*keys, "place", "share"])
    wide = frame.set_index([*keys, "place"]).share.unstack("place", fill_value=0)
    return (
        wide.rename(columns=lambda place: f"next_{place}")
        .reindex(columns=list(NEXT), fill_value=0)
        .reset_index()
    )


def _pairs(log: pd.DataFrame) -> pd.DataFrame:
    keys = ["players", "lineup", "block"]
    held = log.groupby([*keys, "set", "entrant"]).agg(points=("points", "sum"), seats=("place", "nunique"))
    sets = held.reset_index()
    both = sets.merge(sets.rename(columns={"entrant": "other"}), on=[*keys, "set"])
    both = both[both.entrant < both.other]
    difference = both.points_x * both.seats_y - both.points_y * both.seats_x
    both = both.assign(n=1, difference=difference, difference_sq=difference**2)
    return both.groupby([*keys, "entrant", "other"])[["n", "difference", "difference_sq"]].sum().reset_index()


def _schedule(players: int, hand_sizes: Sequence[int] | None) -> list[int]:
    return list(hand_sizes or range(1, min(52 // players, 15) + 1))


def _lineups(agents: int, players: int) -> list[list[int]]:
    """List the entrants of each line-up: neighbours in a ring, or all balanced ways to repeat too few."""
    if agents > players:
        return [[(first + place) % agents for place in range(players)] for first in range(agents)]
    once, extra = divmod(players, agents)
    return [[*list(range(agents)) * once, *more] for more in combinations(range(agents), extra)]


def _play(
    rng: np.random.Generator, lineup: dict[str, Any], skills: Sequence[float], sets: range
) -> pd.DataFrame:
    """Draw sets of matches: hands of random strength, tricks by strength, bids that know them by skill."""
    players, schedule = lineup["players"], np.array(lineup["schedule"])
    shape = (len(sets), players, len(schedule), players)  # set, rotation, round, place
    each_set, rotation, round_number, place = np.indices(shape)
    seat = (place + rotation) % players
    dealer = rng.integers(players, size=len(sets))[each_set] + round_number
    strength = rng.gamma(1.5, size=(len(sets), len(schedule), players))[each_set, round_number, seat]
    share = strength / strength.sum(axis=-1, keepdims=True)
    tricks = rng.multinomial(np.broadcast_to(schedule[None, None, :], shape[:3]), share)
    entrant = np.array(lineup["entrants"])[place]
    skill = np.array(skills)[entrant]
    size = schedule[round_number]
    guess = np.clip(tricks + rng.choice([-2, -1, -1, 1, 1], size=shape), 0, size)
    bid = np.where(rng.random(shape) < skill, tricks, np.where(skill > 0, guess, rng.integers(0, size + 1)))
    points = np.where(bid == tricks, 10 + bid, 0)
    total = points.sum(axis=2)
    best = total == total.max(axis=-1, keepdims=True)
    wins = np.zeros(shape, dtype=np.int64)
    wins[:, :, -1, :] = best * (WIN_UNIT // best.sum(axis=-1, keepdims=True))
    luck = rng.integers(-300, 300, size=len(sets))[each_set]
    columns = {
        "set": np.array(sets)[each_set],
        "rotation": rotation,
        "round": round_number,
        "hand_size": size,
        "position": (seat - dealer - 1) % players,
        "place": place,
        "entrant": entrant,
        "bid": bid,
        "tricks": tricks,
        "points": points,
        "wins": wins,
        "luck": luck,
    }
    frame = pd.DataFrame({name: column.ravel() for name, column in columns.items()})
    return frame.assign(players=players, lineup=lineup["lineup"])
