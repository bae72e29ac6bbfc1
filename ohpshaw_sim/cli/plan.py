"""`ohpshaw tournament --dry-run`: what would be played, and how long that would take here."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

import json
import sys
from typing import Any

from ohpshaw_sim.cli.choices import FormatChoice
from ohpshaw_sim.cli.progress import clock
from ohpshaw_sim.cli.results import say, write_table
from ohpshaw_sim.reading import write_numbers
from ohpshaw_sim.tournament.choice import one_in
from ohpshaw_sim.tournament.command import repeat_command
from ohpshaw_sim.tournament.hiring import make_crew, names_of, seconds_per_set
from ohpshaw_sim.tournament.options import Options
from ohpshaw_sim.tournament.run import folder_of
from ohpshaw_sim.tournament.schedule import Plan, make_plan, uneven_note
from ohpshaw_sim.tournament.shards import Shard, sets_planned
from ohpshaw_sim.tournament.spec import Spec

_MOST_SHOWN = 24


def show_plan(spec: Spec, options: Options, output: FormatChoice) -> None:
    """Write the plan to stdout, with an estimate from a few seconds of play; nothing is written to disk."""
    plan = make_plan(spec)
    with make_crew(spec, options) as crew:
        names = names_of(spec, crew)
        per_set = seconds_per_set(spec, crew, one_in(options.records)) / crew.jobs
        options = options.model_copy(update={"jobs": crew.jobs})
    if options.shard is not None:
        share = sets_planned(plan.sets, plan.block_sets, Shard.read(options.shard))
        say(f"note: shard {options.shard} plays {share} of these sets")
    note = uneven_note(spec)
    if note:
        say(note)
    rows = _rows(spec, plan, names)
    if output is FormatChoice.json:
        facts: dict[str, Any] = {"folder": str(folder_of(spec, options)), "plan_hash": spec.plan_hash()}
        facts["rules"] = spec.rules_in_force().model_dump(mode="json")
        shown = {**facts, **_totals(spec, plan, options, per_set), "lineups": rows}
        sys.stdout.write(json.dumps(shown, indent=2) + "\n")
    elif output is FormatChoice.csv:
        _write_csv(rows)
    else:
        _write_tables(spec, plan, options, rows, per_set)
    say(f"to play it: {repeat_command(spec, options)}")


def _rows(spec: Spec, plan: Plan, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return one row per line-up; sets and rounds are None when the run has no set end."""
    sets = _sets_by_lineup(plan)
    return [
        {
            "players": lineup.players,
            "lineup": lineup.number,
            "agents": ", ".join(names[entrant] for entrant in lineup.entrants),
            "sets": sets.get((lineup.players, lineup.number)),
            "rounds": _rounds(spec, lineup.players, sets.get((lineup.players, lineup.number))),
        }
        for lineup in plan.lineups
    ]


def _sets_by_lineup(plan: Plan) -> dict[tuple[int, int], int]:
    if plan.blocks is None:
        return {}
    turns, rest = divmod(plan.blocks, plan.turn)
    sets: dict[tuple[int, int], int] = {}
    for number, block in enumerate(plan.span(0, min(plan.turn, plan.blocks))):
        for lineup in block.arms:
            key = (lineup.players, lineup.number)
            sets[key] = sets.get(key, 0) + plan.block_sets * (turns + (number < rest))
    if plan.short_block is not None:
        last = plan.block(plan.short_block)
        for lineup in last.arms:
            sets[lineup.players, lineup.number] -= plan.block_sets - last.sets
    return sets


def _rounds(spec: Spec, players: int, sets: int | None) -> int | None:
    return None if sets is None else sets * players * len(spec.schedule(players))


def _totals(spec: Spec, plan: Plan, options: Options, per_set: float) -> dict[str, Any]:
    sets = spec.sets
    if sets is None and options.seconds is not None:
        sets = max(1, int(options.seconds / per_set))
    return {
        "seed": spec.seed,
        "sets": sets,
        "blocks": None if sets is None else -(-sets // plan.block_sets),
        "jobs": options.jobs,
        "seconds": None if sets is None else round(sets * per_set, 1),
    }


def _write_csv(rows: list[dict[str, Any]]) -> None:
    import csv

    writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def _write_tables(
    spec: Spec, plan: Plan, options: Options, rows: list[dict[str, Any]], per_set: float
) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.HORIZONTALS, pad_edge=False)
    for name, side in (("players", "right"), ("line-up", "left"), ("sets", "right"), ("rounds", "right")):
        table.add_column(name, justify=side)  # type: ignore[arg-type]  # rich wants literals
    for row in rows[:_MOST_SHOWN]:
        table.add_row(
            *("" if row[name] is None else str(row[name]) for name in ("players", "agents", "sets", "rounds"))
        )
    write_table(table)
    if len(rows) > _MOST_SHOWN:
        sys.stdout.write(f"... and {len(rows) - _MOST_SHOWN} more line-ups\n")
    sys.stdout.write(f"rules: {spec.rules}\n")
    for players in spec.players:
        sys.stdout.write(f"hand sizes at {players} players: {write_numbers(spec.schedule(players))}\n")
    totals = _totals(spec, plan, options, per_set)
    about = "" if spec.sets is not None else "about "
    sys.stdout.write(
        f"{about}{totals['sets']} sets in {totals['blocks']} blocks, seed {spec.seed}; "
        f"about {clock(totals['seconds'])} with --jobs {options.jobs}\n"
    )
