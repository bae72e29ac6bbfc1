"""A study of zero bids carried out: played, worked out, drawn, told."""

from pathlib import Path
from typing import Final

import pandas as pd

from ohpshaw_sim.charts.style import plain_style
from ohpshaw_sim.charts.zero_bid_study import figures_of
from ohpshaw_sim.rules import Rules
from ohpshaw_sim.studies.output import CELLS, begin, write_results
from ohpshaw_sim.studies.telling import Step, Told, nobody
from ohpshaw_sim.studies.zero_bids.calibration import calibration_table, redeals_table
from ohpshaw_sim.studies.zero_bids.habits import zero_bids_table
from ohpshaw_sim.studies.zero_bids.playing import play
from ohpshaw_sim.studies.zero_bids.request import Request
from ohpshaw_sim.studies.zero_bids.telling import answer, shown
from ohpshaw_sim.studies.zero_bids.thumb import rule_table
from ohpshaw_sim.studies.zero_bids.worth import heat_map_table, valued, worth_table

NAME: Final = "zero-bids"


def carry_out(request: Request, out: Path, told: Told = nobody) -> None:
    """Play what is asked for, and fill the folder `out` with tables, plots and a summary.

    Cells that an earlier, interrupted run has finished there are not played again. Raises ConflictError where
    something else lies there, AgentError for agents that misbehave, OSError where it cannot be written.
    """
    begin(out, NAME, request)
    frame = play(request, out / CELLS, told)
    told(Step("tables and plots", 1, 1))
    tables = tables_of(frame, request.rules)
    with plain_style():
        pictures = figures_of(tables)
        field = f"among {', '.join(request.field)}" if request.field else "among its like"
        write_results(out, tables, pictures, answer(tables, field), shown(tables))


def tables_of(frame: pd.DataFrame, rules: Rules) -> dict[str, pd.DataFrame]:
    """Return all tables of a study by name, from its situations (`frames.frame_of`)."""
    rows = valued(frame)
    return {
        "zero_bids": zero_bids_table(frame, rules),
        "worth": worth_table(rows, rules),
        "heat_map": heat_map_table(rows, rules),
        "rule_of_thumb": rule_table(rows, rules),
        "calibration": calibration_table(rows),
        "redeals": redeals_table(frame),
    }
