"""`report.html`: one file that needs no other, made from the tables and the manifest of a run.

Its characters depend on nothing but these: no clock, no machine, no random ids.
"""

import base64
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ohpshaw_sim.analysis.run import Run
from ohpshaw_sim.analysis.writing import DECIMALS
from ohpshaw_sim.report import facts
from ohpshaw_sim.report.answer import Answer, answer_for
from ohpshaw_sim.report.chapter import Chapter
from ohpshaw_sim.report.pictures import page_looks, swatch
from ohpshaw_sim.report.sections import sections_of
from ohpshaw_sim.report.verdict import verdict
from ohpshaw_sim.report.words import breakable, word

FILE: Final = "report.html"
Tables = Mapping[str, pd.DataFrame]


def write_report(run: Run, tables: Tables) -> Path:
    """Make the page of a run and write it into its folder; return its path. Raises OSError where it cannot write.

    `tables` are those of `make_tables`. The file is replaced as a whole, never left half-written.
    """
    path = run.folder / FILE
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_bytes(report_html(run, tables).encode())
    temporary.replace(path)
    return path


def report_html(run: Run, tables: Tables) -> str:
    """Return the page of a run as text."""
    environment = Environment(
        loader=PackageLoader("ohpshaw_sim.report"),
        autoescape=True,  # names of agents are what a user typed
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["breakable"] = breakable
    script = _source(environment, "sorting.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return environment.get_template("report.html").render(
        **_contents(run, tables),
        style=Markup(_source(environment, "page.css")),
        script=Markup(script),
        script_digest=digest,
    )


def _source(environment: Environment, name: str) -> str:
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0]


def _contents(run: Run, tables: Tables) -> dict[str, Any]:
    """Return what the templates show, all but how it looks."""
    looks = page_looks(tables["by_hand_size"]["agent"].tolist())
    numbers = {agent: index for index, agent in enumerate(looks)}
    chapters = [Chapter(players, _rows_of(tables, players), looks) for players in _players(tables)]
    sets = facts.sets_played(run)
    return {
        "question": facts.question(run),
        "setting": facts.setting(run, sets),
        "warnings": [warning for warning in (facts.progress(run, sets), facts.faults(tables)) if warning],
        "answers": [(chapter, _answer(chapter)) for chapter in chapters],
        "intervals": facts.about_intervals(run, sets),
        "chapters": [(chapter, sections_of(chapter)) for chapter in chapters],
        "swatches": [swatch(look, f"look-{numbers[agent]}") for agent, look in looks.items()],
        "look_of": numbers,
        "word": word,
        "command": run.manifest.get("command"),
        "reproduction": facts.reproduction(run),
    }


def _answer(chapter: Chapter) -> Answer:
    compared = chapter.frame("comparison")
    if compared is not None:
        return verdict(compared)
    return answer_for(chapter.tables["standings"], chapter.tables["pairwise"])


def _players(tables: Tables) -> list[int]:
    return [int(players) for players in tables["standings"]["players"].unique()]


def _rows_of(tables: Tables, players: int) -> dict[str, pd.DataFrame]:
    """Return the rows of one number of players, rounded as in files; tables without that column as they are."""
    return {
        name: (frame[frame["players"] == players] if "players" in frame else frame).round(DECIMALS)
        for name, frame in tables.items()
    }
