"""A ladder from request to folder: every line-up played, tables, a picture, the answer."""

from pathlib import Path
from typing import Any, Final

import pandas as pd

from ohpshaw_sim.analysis.run import load_run
from ohpshaw_sim.analysis.tables import make_tables
from ohpshaw_sim.charts.study_ladder import ladder_figure
from ohpshaw_sim.charts.style import plain_style
from ohpshaw_sim.studies.ladder.request import Request
from ohpshaw_sim.studies.ladder.rungs import strength, time_per_decision
from ohpshaw_sim.studies.ladder.telling import answer, points_table, standings_tables, wins_table
from ohpshaw_sim.studies.output import CELLS, begin, write_results
from ohpshaw_sim.studies.playing import LineUp, play
from ohpshaw_sim.studies.telling import Step, Told, nobody, sets_told
from ohpshaw_sim.tournament.options import make_options
from ohpshaw_sim.tournament.progress import Listener
from ohpshaw_sim.tournament.run import play_tournament
from ohpshaw_sim.tournament.spec import make_spec

ALL_PLAY: Final = "all-play"
"""Run folder of the tournament of all agents."""
TIMES: Final = "times"
"""The table that comes out otherwise each time."""


def carry_out(request: Request, out: Path, told: Told = nobody) -> None:
    """Play what is asked for, and fill the folder `out`. Raises ConflictError, AgentError, OSError."""
    begin(out, "ladder", request)
    frames = _against_fields(request, out, told)
    if request.standings_sets:
        frames |= _all_play(request, out, told)
    frames[TIMES] = pd.DataFrame(_times(request, told))
    with plain_style():
        pictures = {
            _picture(request, field): ladder_figure(frames["ladder"], frames[TIMES], field)
            for field in request.field
        }
    shown = [*wins_table(frames), *points_table(frames), *standings_tables(frames)]
    write_results(out, frames, pictures, answer(frames), shown)


def _times(request: Request, told: Told) -> list[dict[str, Any]]:
    agents = dict.fromkeys((*request.agents, *request.field))
    pairs = [(agent, players) for players in request.players for agent in agents]
    rows = []
    for done, (agent, players) in enumerate(pairs):
        told(Step(f"time per decision of {agent} at a table of {players}", done, len(pairs), "timings"))
        rows.append(time_per_decision(agent, players, request.rules_at(players), request.seconds))
    return rows


def _picture(request: Request, field: str) -> str:
    return "ladder" if len(request.field) == 1 else f"ladder_{request.field.index(field) + 1}"


def _against_fields(request: Request, out: Path, told: Told) -> dict[str, pd.DataFrame]:
    """Play every agent against every field, and with its like if so asked; return the tables."""
    work: list[tuple[str, dict[str, Any], LineUp]] = []
    for players in request.players:
        for field in request.field:
            work += [
                (
                    "ladder",
                    {"agent": agent, "field": field, "players": players},
                    _seat(request, agent, field, players),
                )
                for agent in request.agents
            ]
        if request.self_play_sets:
            work += [
                ("self_play", {"agent": agent, "players": players}, _alike(request, agent, players))
                for agent in request.agents
            ]
    rows: dict[str, list[dict[str, Any]]] = {}
    done, everything = 0, sum(lineup.sets for _, _, lineup in work)
    for table, names, lineup in work:
        heard = sets_told(told, f"{names['agent']} at a table of {names['players']}", done, everything)
        found = strength(lineup, play(lineup, request.jobs, out / CELLS, heard))
        done += lineup.sets
        rows.setdefault(table, []).append(names | found)
    return {name: pd.DataFrame(found) for name, found in rows.items()}


def _seat(request: Request, agent: str, field: str, players: int) -> LineUp:
    return LineUp(agent, (field,), players, request.rules_at(players), request.seed, request.sets)


def _alike(request: Request, agent: str, players: int) -> LineUp:
    return LineUp(
        agent, (), players, request.rules_at(players), request.seed, request.self_play_sets, seats=players
    )


def _all_play(request: Request, out: Path, told: Told) -> dict[str, pd.DataFrame]:
    """Play, or go on with, a tournament of all agents in a run folder of its own; return its standings and pairs."""
    found: dict[str, list[pd.DataFrame]] = {"standings": [], "pairwise": []}
    for turn, players in enumerate(request.players):
        folder = out / ALL_PLAY / f"{players}-players"
        spec = make_spec(
            agents=request.agents,
            players=(players,),
            rules=request.rules_at(players),
            sets=request.standings_sets,
            seed=request.seed,
            block_sets=request.block_sets,
        )
        listener = _tell_sets(told, f"tables of {players}", turn, request)
        there = (folder / "manifest.json").exists()
        play_tournament(
            spec, make_options({"jobs": request.jobs, "out": folder}), resume=there, listener=listener
        )
        tables = make_tables(load_run(folder))
        for name, frames in found.items():
            frames.append(tables[name])
    return {name: pd.concat(frames, ignore_index=True) for name, frames in found.items()}


def _tell_sets(told: Told, what: str, turn: int, request: Request) -> Listener:
    """Return a listener to one of the tournaments that tells how many sets of all of them are played."""
    before, everything = turn * request.standings_sets, len(request.players) * request.standings_sets
    return lambda progress: told(
        Step(f"tournament of all agents, {what}", before + progress.sets_done, everything, "sets of it")
    )
