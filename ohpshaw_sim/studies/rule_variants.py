"""The study `rules`: equal agents at one table, under one set of rules or several, and what that changes.

Every agent plays with others of its own kind, so that nothing but the rules and the seat makes a difference. Under
each set of rules the same cards are dealt, as long as the hand sizes are the same, and differences are taken set by
set. With one set of rules the seat is what is asked about.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import pandas as pd
from pydantic import Field, model_validator

from ohpshaw_sim.analysis.estimates import Range, point_range
from ohpshaw_sim.charts.study_rules import positions_figure, variants_figure
from ohpshaw_sim.charts.style import plain_style
from ohpshaw_sim.errors import ConflictError
from ohpshaw_sim.rule_text import read_rules
from ohpshaw_sim.rules import Rules
from ohpshaw_sim.studies.estimates import mean_cells, paired_cells, share_cells
from ohpshaw_sim.studies.output import CELLS, begin, write_results
from ohpshaw_sim.studies.playing import COLUMNS, LineUp, Played, play
from ohpshaw_sim.studies.request import AgentName, StudyRequest
from ohpshaw_sim.studies.seats import by_position
from ohpshaw_sim.studies.telling import Step, Told, nobody, sets_told
from ohpshaw_sim.studies.words import listed, percent_with_ends, plain_table, with_ends, with_margin

BASE: Final = "as asked"
"""Name of the only variant where none is listed."""


class Request(StudyRequest):
    """What the study `rules` is asked."""

    agents: tuple[AgentName, ...] = Field(default=("count-winners",), min_length=1)
    """Each of them plays with others of its own kind."""
    variants: dict[str, Rules] = Field(default_factory=dict)
    """Rules by a name of their own: whatever `read_rules` takes. `hand_sizes` of the study hold for all of them."""

    @model_validator(mode="before")
    @classmethod
    def _variants_are_read(cls, given: dict[str, Any]) -> dict[str, Any]:
        listed_ = given.get("variants") or {}
        if not isinstance(listed_, Mapping):
            return given
        sizes = {} if given.get("hand_sizes") is None else {"hand_sizes": given["hand_sizes"]}
        if listed_ and given.get("rules") is not None:
            raise ConflictError(
                "rules and variants exclude each other; the first variant is the one compared with"
            )
        return {**given, "variants": {name: read_rules(rules, **sizes) for name, rules in listed_.items()}}

    @model_validator(mode="after")
    def _all_make_a_game(self) -> Self:
        for rules in self.by_name().values():
            for players in self.players:
                rules.schedule_for(players)
        return self

    def by_name(self) -> dict[str, Rules]:
        """Return the rules by their names."""
        return dict(self.variants) or {BASE: self.rules}


Key = tuple[str, str, int]
"""Name of the rules, agent, number of players."""


class Table:
    """A table of equal agents that was played: everything by seat-round."""

    def __init__(self, key: Key, rules: Rules, played: Played) -> None:
        self.key, self.rules, self.played = key, rules, played
        self.rows = dict(zip(COLUMNS, played.rows.T, strict=True))
        self.sizes = rules.schedule_for(key[2])

    @property
    def names(self) -> dict[str, Any]:
        """The first cells of a row about this table."""
        rules, agent, players = self.key
        return {"rules": rules, "agent": agent, "players": players}

    @property
    def ends(self) -> Range:
        """The least and the most points of a round."""
        return point_range(self.rules, self.sizes)


def carry_out(request: Request, out: Path, told: Told = nobody) -> None:
    """Play what is asked for, and fill the folder `out`. Raises ConflictError, AgentError, OSError."""
    begin(out, "rules", request)
    tables = _play(request, out / CELLS, told)
    frames = {
        "variants": pd.DataFrame([_performance(table) for table in tables]),
        "positions": pd.DataFrame([row for table in tables for row in _positions(table)]),
        "dealer_less_eldest": pd.DataFrame([_last_less_first(table) for table in tables]),
    }
    first = next(iter(request.by_name()))
    pairs = [(table, _partner(table, tables, first)) for table in tables if table.key[0] != first]
    same = [(one, other) for one, other in pairs if one.sizes == other.sizes]
    if same:
        frames["differences"] = pd.DataFrame([_difference(one, other) for one, other in same])
    note = f"{request.sets} sets, seed {request.seed}; intervals of 95 % over sets."
    with plain_style():
        pictures = {"positions": positions_figure(frames["positions"], note)}
        if len(request.by_name()) > 1:
            pictures["variants"] = variants_figure(frames["variants"], note)
    write_results(out, frames, pictures, _answer(frames), [_shown(frames), _shown_seats(frames)])


def _play(request: Request, kept: Path, told: Told) -> list[Table]:
    keys = [
        (name, agent, players)
        for players in request.players
        for agent in request.agents
        for name in request.by_name()
    ]
    tables = []
    everything = len(keys) * request.sets
    for done, (name, agent, players) in enumerate(keys):
        heard = sets_told(told, f"{agent}, {name}, {players} players", done * request.sets, everything)
        rules = request.by_name()[name]
        lineup = LineUp(agent, (), players, rules, request.seed, request.sets, seats=players, rounds=True)
        tables.append(Table((name, agent, players), rules, play(lineup, request.jobs, kept, heard)))
    told(Step("tables", everything, everything))
    return tables


def _partner(table: Table, tables: list[Table], first: str) -> Table:
    return next(other for other in tables if other.key == (first, *table.key[1:]))


def _performance(table: Table) -> dict[str, Any]:
    """Return the row of a table in `variants`."""
    rows, ends = table.rows, table.ends
    of_set, one = rows["set"], np.ones(len(rows["set"]), np.int64)
    hits, zero = rows["bid"] == rows["tricks"], rows["bid"] == 0
    size = max(table.sizes)
    return (
        {**table.names, "sets": len(table.played.by_set), "rounds": len(of_set)}
        | mean_cells("points_per_round", of_set, rows["points"], one, ends)
        | share_cells("hit_rate", of_set, hits, one)
        | mean_cells("mean_bid", of_set, rows["bid"], one, (0, size))
        | mean_cells("bid_less_tricks", of_set, rows["bid"] - rows["tricks"], one, (-size, size))
        | share_cells("zero_bid_share", of_set, zero, one)
        | share_cells("zero_bid_hit_rate", of_set, zero & hits, zero)
    )


def _positions(table: Table) -> list[dict[str, Any]]:
    """Return the rows of a table in `positions`."""
    return [table.names | row for row in by_position(table.rows, table.key[2], table.ends)]


def _last_less_first(table: Table) -> dict[str, Any]:
    """Return what the dealer, who bids last, makes beyond eldest hand, who bids and leads first."""
    rows, last = table.rows, table.key[2] - 1
    low, high = table.ends
    sign = (rows["position"] == last).astype(np.int64) - (rows["position"] == 0)
    ends = (low - high, high - low)
    eldest = (rows["position"] == 0).astype(np.int64)
    return table.names | mean_cells("difference", rows["set"], rows["points"] * sign, eldest, ends)


def _difference(table: Table, other: Table) -> dict[str, Any]:
    """Return the row of a table in `differences`: less the first variant, on the same cards."""
    sets, per_set = len(table.played.by_set), len(table.rows["set"]) // len(table.played.by_set)
    hits = [
        np.bincount(one.rows["set"], one.rows["bid"] == one.rows["tricks"], sets) for one in (table, other)
    ]
    ours, theirs = (values.astype(np.int64) for values in hits)
    widest = max(table.ends[1], other.ends[1]) - min(table.ends[0], other.ends[0])
    points = table.played.by_set, other.played.by_set
    return (
        {**table.names, "less": other.key[0], "sets": sets}
        | paired_cells("hit_rate", ours, theirs, unit=1 / per_set, widest=1)
        | paired_cells("points_per_round", *points, unit=1 / per_set, widest=widest)
    )


def _answer(frames: dict[str, pd.DataFrame]) -> str:
    """Answer for the first agent: by rules where there are several, else by seat."""
    rows = _records(frames.get("differences", frames["dealer_less_eldest"]))
    agent = rows[0]["agent"]
    rows = [row for row in rows if row["agent"] == agent]
    at = [f" with {row['players']} players" for row in rows]
    if "differences" not in frames:
        told = [
            with_ends(row, "difference", signed=True) + where for row, where in zip(rows, at, strict=True)
        ]
        return f"What the dealer, who bids last, makes beyond eldest hand, in points a round: {listed(told)} ({agent})."
    told = [
        f"{row['rules']} {percent_with_ends(row, 'hit_rate', signed=True)}{where}"
        for row, where in zip(rows, at, strict=True)
    ]
    against = f"beside {rows[0]['less']}, on the same cards, in points of per cent"
    return f"How much more often {agent} among its like hits its bids {against}: {listed(told)}."


def _shown(frames: dict[str, pd.DataFrame]) -> Any:
    rows = _records(frames["variants"])
    return plain_table(
        "Equal agents under the rules (95 % intervals over sets)",
        {
            **_who(rows),
            "players": [str(row["players"]) for row in rows],
            "points/round": [with_margin(row, "points_per_round") for row in rows],
            "hit %": [with_margin(row, "hit_rate", times=100) for row in rows],
            "zero bids %": [with_margin(row, "zero_bid_share", times=100) for row in rows],
        },
        left=len(_who(rows)),
    )


def _shown_seats(frames: dict[str, pd.DataFrame]) -> Any:
    rows = _records(frames["positions"])
    return plain_table(
        "By bidding position, points per round beyond the mean of all positions",
        {
            **_who(rows),
            "position": [f"{row['position'] + 1} of {row['players']}" for row in rows],
            "points": [with_margin(row, "effect", signed=True) for row in rows],
            "hit %": [with_margin(row, "hit_rate", times=100) for row in rows],
        },
        left=len(_who(rows)),
    )


def _who(rows: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Return the columns that name a row: its rules and its agent, unless there is only one of them."""
    found = {name: [row[name] for row in rows] for name in ("rules", "agent")}
    return {name: names for name, names in found.items() if len(set(names)) > 1} or {"agent": found["agent"]}


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return frame.to_dict("records")  # type: ignore[return-value]  # keys are columns' names
