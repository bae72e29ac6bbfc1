"""What the manifest says of a run: what was asked, how far it is, and how to play it again."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from markupsafe import Markup

from ohpshaw_sim.analysis.run import Run
from ohpshaw_sim.reading import write_numbers
from ohpshaw_sim.report.words import listed, named, word
from ohpshaw_sim.rule_text import rules_text

MOST_ASKED = 6
"""More entrants are counted in the question instead of named."""


def question(run: Run) -> Markup:
    """Return the question that the run puts."""
    names = [named(agent) for agent in run.entrants]
    if run.manifest.get("comparison"):
        field = [named(agent) for agent in dict.fromkeys(run.manifest["spec"]["agents"][2:])]
        return Markup("Is {} better than {}, among {}?").format(names[0], names[1], listed(field))
    if len(names) == 1:
        return Markup("How does {} score at a table of its own?").format(names[0])
    if len(names) > MOST_ASKED:
        return Markup("Which of {} agents scores most?").format(word(len(names)))
    return Markup("Who scores most: {}?").format(listed(names, "or"))


def setting(run: Run, sets: int) -> list[str]:
    """Return in a few words what was played: players, hand sizes, rules, how much."""
    counts = sorted({lineup.players for lineup in run.lineups})
    sizes = {write_numbers(run.schedule(players)) for players in counts}
    shown = f"hand sizes {sizes.pop()}" if len(sizes) == 1 else "hand sizes by number of players"
    players = f"{listed([word(count) for count in counts])} players"
    return [players, shown, f"{rules_line(run)} rules", f"{sets:,} set{'s' if sets > 1 else ''}"]


def rules_line(run: Run) -> str:
    """Return the rules as one line, which `--rules` takes."""
    return str(run.manifest.get("spec", {}).get("rules") or rules_text(run.rules))


def sets_played(run: Run) -> int:
    """Return how many sets the run has played; both arms of a comparison play the same ones."""
    by_lineup = run.totals.groupby(["players", "lineup"])["n"].max()
    first = {(row["players"], row["lineup"]) for row in run.manifest["lineups"] if row.get("arm", 0) == 0}
    return sum(int(n) for lineup, n in by_lineup.items() if lineup in first)


def progress(run: Run, sets: int) -> str:
    """Say how far a run is that has not been played to its end; nothing of one that has."""
    planned, shard = run.manifest.get("sets"), run.manifest.get("shard")
    if shard:
        return f"This is shard {shard} of a run, {sets:,} sets of it; `ohpshaw merge` puts shards together."
    if planned is None:
        return f"This run had not ended when the page was made: {sets:,} sets were played so far."
    if sets < planned:
        share = min(sets * 100 // planned, 99)
        return f"This run is not finished: {sets:,} of {planned:,} sets ({share} %) are played, and are told here."
    return ""


def about_intervals(run: Run, sets: int) -> str:
    """Say what the intervals of the page are worth; nothing where there are none."""
    if sets < 2:
        return ""
    what = (
        "In brackets and beside figures: 95 % intervals over sets. A set is one match's deals, played in every "
        "rotation of the seats. "
    )
    if run.manifest.get("comparison"):
        return (
            what
            + "That of the answer allows for a run that stops by what it shows. All others are plain, for a number "
            "of sets chosen beforehand, and here worth less."
        )
    return (
        what + "Each by itself covers the truth in 95 of 100 runs whose number of sets was chosen beforehand."
    )


def faults(tables: Mapping[str, pd.DataFrame]) -> Markup:
    """Say how often which agents failed, most often first, and what was left out; nothing where all went well."""
    frame = tables.get("faults")
    if frame is None or frame.empty:
        return Markup("")
    out = frame["kind"] == "quarantine"
    counts = frame[~out].groupby("agent")["count"].sum().sort_values(ascending=False, kind="stable")
    told = [Markup("{} {:,} times").format(named(str(agent)), count) for agent, count in counts.items()]
    said = [Markup("Agents failed in this run: {}.").format(listed(told))] if told else []
    if out.any():
        blocks = int(frame.loc[out, "count"].sum())
        said.append(
            Markup("Left out: {} that ended the process they were played in.").format(_blocks(blocks))
        )
    return Markup(" ").join([*said, "What that did to the scores is told under Faults."])


def _blocks(count: int) -> str:
    return f"{word(count)} block{'s' if count > 1 else ''} of sets"


def reproduction(run: Run) -> list[tuple[str, str]]:
    """Return what it takes to play the run again, and what it was played with: labels and values."""
    manifest = run.manifest
    rows = [
        ("Seed", manifest.get("seed")),
        ("Plan hash", manifest.get("plan_hash")),
        ("Rules", rules_line(run)),
        *((f"Hand sizes, {word(n)} players", write_numbers(run.schedule(n))) for n in _players(run)),
        ("Sets", manifest.get("sets")),
        ("Sets in a block", manifest.get("block_sets")),
        ("Line-ups", len(run.lineups)),
        ("Deals", manifest.get("deals")),
        ("Versions", _pairs(manifest.get("versions"))),
        ("Commit", manifest.get("git_commit")),
        ("Agent files", _pairs(manifest.get("sources"))),
        ("Machine", _pairs(manifest.get("machine"))),
    ]
    return [(label, str(value)) for label, value in rows if value not in (None, "")]


def _players(run: Run) -> list[int]:
    return sorted({lineup.players for lineup in run.lineups})


def _pairs(values: Any) -> str:
    return ", ".join(f"{key} {value}" for key, value in (values or {}).items())
