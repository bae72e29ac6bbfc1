"""What a ladder has come to, for people: the answer in a sentence, tables of 80 columns."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import pandas as pd
from rich.table import Table

from ohpshaw_sim.analysis.names import break_name
from ohpshaw_sim.analysis.summary import standings_table
from ohpshaw_sim.charts.study_ladder import clock
from ohpshaw_sim.studies.words import listed, percent_with_ends, plain_table, with_margin

_NAME: Final = 16
Frames = Mapping[str, pd.DataFrame]


def answer(frames: Frames) -> str:
    """Say for each field and number of players who wins most in one seat, how often, and what a fair share is.

    If self-play was asked for, who hit most bids at tables of their like comes first.
    """
    told = [_most_hits(frames["self_play"])] if "self_play" in frames else []
    for field, rows in frames["ladder"].groupby("field", sort=False):
        best = [
            max(_records(of_count), key=lambda row: row["win_share"])
            for _, of_count in rows.groupby("players", sort=False)
        ]
        shares = [
            f"{row['agent']} {percent_with_ends(row, 'win_share')} % with {row['players']} players "
            f"(fair share {100 / row['players']:.1f} %)"
            for row in best
        ]
        told.append(
            f"In one seat against others that are all {field}, most matches were won by {listed(shares)}."
        )
    return " ".join([*told, "Agents whose intervals overlap are not told apart here."])


def _most_hits(self_play: pd.DataFrame) -> str:
    best = [
        max(_records(rows), key=lambda row: row["hit_rate"])
        for _, rows in self_play.groupby("players", sort=False)
    ]
    hits = [
        f"{row['agent']} {percent_with_ends(row, 'hit_rate')} % with {row['players']} players" for row in best
    ]
    return f"At tables of their like, most bids were hit by {listed(hits)}."


def wins_table(frames: Frames) -> list[Table]:
    """Return a table of matches won for each field: a row per agent, a column per number of players."""
    times = {(row["agent"], row["players"]): row["us_per_decision"] for row in _records(frames["times"])}
    tables = []
    for field, rows in frames["ladder"].groupby("field", sort=False):
        agents, cells = _by_players(rows, lambda row: with_margin(row, "win_share", times=100, digits=1))
        first = int(rows["players"].iloc[0])
        cells["time"] = [clock(times[agent, first]) for agent in agents]
        title = f"Matches won in one seat against {field}, per cent; time per decision, {first} players"
        tables.append(plain_table(title, {"agent": _broken(agents), **cells}))
    return tables


def points_table(frames: Frames) -> list[Table]:
    """Return the same of points per round; then, if it was played, of bids hit in self-play."""
    tables = []
    for field, rows in frames["ladder"].groupby("field", sort=False):
        agents, cells = _by_players(rows, lambda row: with_margin(row, "points_per_round"))
        tables.append(
            plain_table(f"Points per round in one seat against {field}", {"agent": _broken(agents), **cells})
        )
    if "self_play" in frames:
        for title, name, times in (
            ("Bids hit, per cent,", "hit_rate", 100),
            ("Points per round", "points_per_round", 1),
        ):
            agents, cells = _by_players(frames["self_play"], _margin_of(name, times))
            tables.append(
                plain_table(
                    f"{title} at tables of its like (a diagnostic)", {"agent": _broken(agents), **cells}
                )
            )
    return tables


def _margin_of(name: str, times: int) -> Callable[[dict[str, Any]], str]:
    return lambda row: with_margin(row, name, times=times, digits=1 if times > 1 else None)


def standings_tables(frames: Frames) -> list[Table]:
    """Return the standings of the tournament of all agents, if one was played."""
    return [standings_table(frames["standings"])] if "standings" in frames else []


def _by_players(
    rows: pd.DataFrame, cell: Callable[[dict[str, Any]], str]
) -> tuple[list[str], dict[str, list[str]]]:
    """Return the agents, and by number of players the cells of each of them."""
    agents = list(dict.fromkeys(rows["agent"]))
    found: dict[str, list[str]] = {}
    for players, of_count in rows.groupby("players", sort=False):
        by_agent = {row["agent"]: cell(row) for row in _records(of_count)}
        found[f"{players} players"] = [by_agent[agent] for agent in agents]
    return agents, found


def _broken(agents: list[str]) -> list[str]:
    return [break_name(agent, _NAME) for agent in agents]


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return frame.to_dict("records")  # type: ignore[return-value]  # keys are columns' names
