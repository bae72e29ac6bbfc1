"""The bidding study from request to folder: every pair played, tables, pictures, the answer."""

from pathlib import Path
from typing import Any, Final

import pandas as pd
from matplotlib.figure import Figure

from ohpshaw_sim.charts.study_bidding import calibration_figure, errors_figure, grid_figure
from ohpshaw_sim.charts.study_rules import positions_figure
from ohpshaw_sim.charts.style import looks_of, plain_style
from ohpshaw_sim.studies.bidding.figures import (
    Hand,
    calibration_rows,
    error_rows,
    grid_row,
    position_rows,
)
from ohpshaw_sim.studies.bidding.request import Request
from ohpshaw_sim.studies.bidding.telling import answer, shown
from ohpshaw_sim.studies.output import CELLS, begin, write_results
from ohpshaw_sim.studies.playing import LineUp, play
from ohpshaw_sim.studies.telling import Step, Told, nobody, sets_told

_FEW: Final = 20
"""A tenth of promised chances with fewer rounds than this has no mark in the picture."""


def carry_out(request: Request, out: Path, told: Told = nobody) -> None:
    """Play what is asked for, and fill the folder `out`. Raises ConflictError, AgentError, OSError."""
    begin(out, "bidding", request)
    hands = _play(request, out / CELLS, told)
    firsts = {_with(hand): hand for hand in reversed(hands)}
    frames = {
        "grid": pd.DataFrame([grid_row(hand, firsts[_with(hand)]) for hand in hands]),
        "errors": pd.DataFrame([row for hand in hands for row in error_rows(hand)]),
        "positions": pd.DataFrame([row for hand in hands for row in position_rows(hand)]),
    }
    calibration = [row for hand in hands for row in calibration_rows(hand)]
    if calibration:
        frames["calibration"] = pd.DataFrame(calibration)
    write_results(out, frames, _pictures(request, frames), answer(frames["grid"]), shown(frames))


def _with(hand: Hand) -> tuple[int, str]:
    """Return what the bidders of a comparison have in common: the number of players and who plays."""
    return hand.names["players"], hand.names["playing"]


def _play(request: Request, kept: Path, told: Told) -> list[Hand]:
    pairs = [
        (players, playing, bidder)
        for players in request.players
        for playing in request.playing
        for bidder in request.bidders
    ]
    hands = []
    everything = len(pairs) * request.sets
    for done, (players, playing, bidder) in enumerate(pairs):
        agent = f"{bidder}+{playing}"
        heard = sets_told(told, f"{agent} at a table of {players}", done * request.sets, everything)
        lineup = LineUp(
            agent,
            request.field,
            players,
            request.rules,
            request.seed,
            request.sets,
            rounds=True,
            promises=True,
        )
        names = {"bidder": bidder, "playing": playing, "players": players}
        hands.append(Hand(names, request.rules, play(lineup, request.jobs, kept, heard)))
    told(Step("tables and pictures", everything, everything))
    return hands


def _pictures(request: Request, frames: dict[str, pd.DataFrame]) -> dict[str, Figure]:
    """Draw all pictures, by number of players where there are several."""
    found: dict[str, Figure] = {}
    field, looks = ", ".join(request.field), looks_of(request.bidders)
    for players in request.players:
        note = (
            f"One seat at a table of {players}, the others {field}. {request.sets} sets, seed {request.seed}; "
            "95% intervals over sets."
        )
        here: dict[str, Any] = {name: frame[frame["players"] == players] for name, frame in frames.items()}
        of_first = here["positions"][here["positions"]["playing"] == request.playing[0]]
        seats = of_first.rename(columns={"bidder": "rules", "playing": "agent"})
        ending = f"_{players}_players" if len(request.players) > 1 else ""
        with plain_style():
            found[f"grid{ending}"] = grid_figure(here["grid"], note, looks)
            found[f"errors{ending}"] = errors_figure(here["errors"], note, looks)
            found[f"positions{ending}"] = positions_figure(seats, f"{note} Played by {request.playing[0]}.")
            if len(here.get("calibration", ())):
                drawn = here["calibration"][here["calibration"]["rounds"] >= _FEW]
                found[f"calibration{ending}"] = calibration_figure(drawn, note, looks)
    return found
