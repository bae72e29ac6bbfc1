"""A comparison told to people, in 80 columns, and to programs."""

# commands import late, so that help and mistakes are answered at once

import json
import sys
from math import isnan
from typing import TYPE_CHECKING, Any

from rich import box
from rich.table import Table

from ohpshaw_sim.analysis.comparison import POWER, Comparison, comparison
from ohpshaw_sim.analysis.decisions import Decision
from ohpshaw_sim.analysis.statistics import CONFIDENCE
from ohpshaw_sim.analysis.writing import table_text
from ohpshaw_sim.cli.choices import FormatChoice
from ohpshaw_sim.cli.entries import entry
from ohpshaw_sim.cli.results import write_table

if TYPE_CHECKING:
    from ohpshaw_sim.analysis.run import Run


def write_comparison(run: "Run", found: Comparison, output: FormatChoice, facts: dict[str, Any]) -> None:
    """Write what a comparison has come to on stdout, in the form asked for; `facts` go along in JSON."""
    if output is FormatChoice.csv:
        sys.stdout.write(table_text(comparison(run)))
    elif output is FormatChoice.json:
        row = json.loads(comparison(run).to_json(orient="records", double_precision=10))[0]
        sys.stdout.write(json.dumps({**facts, "comparison": row}, indent=2) + "\n")
    else:
        sys.stdout.write(entry("", 0, sentence(found)) + "\n")
        write_table(_intervals(found))
        sys.stdout.write(entry("", 0, effort(found)))


def sentence(found: Comparison) -> str:
    """Say in a sentence or two what is decided."""
    one, other = found.agent, found.other
    if found.decision is Decision.UNDECIDED:
        told = f"Undecided: {one} may be better than {other}, worse, or equal"
        return told + ("." if found.margin is None else f" within {found.margin:g} points per round.")
    if found.decision is Decision.EQUIVALENT:
        told = f"Equivalent: {one} and {other} differ by less than {found.margin:g} points per round"
    else:
        word = "more" if found.decision is Decision.SUPERIOR else "fewer"
        told = f"{found.decision.capitalize()}: {one} scores {word} points than {other}"
        if found.within_margin:
            told += f", though by less than {found.margin:g} per round"
    return f"{told}. Decisions are false in at most {percent(found.alpha)} of such runs."


def effort(found: Comparison) -> str:
    """Say how many sets were played, and how many a test of a fixed size would have needed."""
    told = f"{found.sets} sets"
    if found.fixed_sets is None:
        return f"{told}."
    share = f"{POWER * 10:.0f} of 10 runs"
    if found.decision is Decision.EQUIVALENT:
        goal = f"puts agents that do not differ within {found.margin:g} in {share}"
    else:
        goal = f"finds a difference of {abs(found.difference):.3f} in {share}"
    return f"{told}; a test of {found.fixed_sets} sets, a number fixed beforehand, {goal}."


def percent(share: float) -> str:
    """Return a share as people write it: 5 %."""
    return f"{100 * share:.3g} %"


def _intervals(found: Comparison) -> Table:
    table = Table(box=box.HORIZONTALS, pad_edge=False)
    head = "points per round"
    for name in (head, "difference", "from", "to"):
        table.add_column(name, justify="left" if name == head else "right")
    shown = f"{found.difference:+.3f}"
    sure, plain = percent(1 - found.alpha), percent(CONFIDENCE)
    table.add_row(f"{sure} interval that holds at every look", shown, *_ends(found.low, found.high))
    table.add_row(f"plain {plain}, had the sets been fixed", shown, *_ends(found.plain_low, found.plain_high))
    return table


def _ends(low: float, high: float) -> tuple[str, str]:
    return ("", "") if isnan(low) else (f"{low:+.3f}", f"{high:+.3f}")
