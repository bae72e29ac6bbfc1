"""`ohpshaw plan`: how many sets, and how long, a comparison is going to take."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

import csv
import json
import sys
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ohpshaw_sim.cli import play_options as option
from ohpshaw_sim.cli.choices import FormatChoice
from ohpshaw_sim.cli.rule_flags import rule_flags

if TYPE_CHECKING:
    from ohpshaw_sim.comparing.planning import Planned


_WAYS: Final = (
    "fixed beforehand",
    "stopping by itself, mean",
    "stopping by itself, 9 in 10",
    "as --max-sets",
)
"""Ways to find out, as the table names them; the last is the bound at which the power is reached."""


@rule_flags
def plan(  # one parameter per option, always passed by name
    agent: option.Agent,
    other: option.Other,
    field: option.Field = None,
    difference: Annotated[
        float | None,
        typer.Option(metavar="POINTS", help="The difference to be found, in points per round."),
    ] = None,
    power: Annotated[
        float, typer.Option(metavar="SHARE", help="How often such a difference is to be found.")
    ] = 0.8,
    players: option.Players = None,
    hand_sizes: option.HandSizes = None,
    margin: option.Margin = None,
    alpha: option.Alpha = None,
    min_sets: option.MinSets = None,
    exact: option.Exact = False,
    pilot_sets: Annotated[
        int | None, typer.Option(metavar="N", help="Sets of the pilot (default: 320).")
    ] = None,
    seed: option.Seed = None,
    block_sets: option.BlockSets = None,
    jobs: option.Jobs = None,
    dask: option.Dask = None,
    driver: option.Driver = None,
    on_fault: option.OnFault = None,
    time_limit: option.TimeLimit = None,
    output: option.Output = FormatChoice.table,
    *,
    rule_options: dict[str, Any],
) -> None:
    """Tell how many sets, and how long, `ohpshaw compare` is going to take to find a difference.

    Plays a pilot, on deals that the comparison itself never sees, to learn
    how much the agents' differences deviate from set to set; writes nothing
    to disk. Without --difference it tells how long it takes until agents that
    do not differ are found to be within the --margin.

    Examples:

      ohpshaw plan count-winners greedy --difference 0.1 --power 0.8

      ohpshaw plan my_bot.py count-winners --field greedy --difference 0.05

      ohpshaw plan count-winners count-winners:zero_bid=0.9 --margin 0.1
    """
    from ohpshaw_sim.cli.results import say
    from ohpshaw_sim.comparing.planning import PILOT_SETS, plan_comparison
    from ohpshaw_sim.comparing.request import FIELD

    if not field:
        say(f"field {' '.join(FIELD)} (--field chooses others)")
    planned = plan_comparison(
        agent,
        other,
        field=field or FIELD,
        difference=difference,
        power=power,
        pilot_sets=PILOT_SETS if pilot_sets is None else pilot_sets,
        players=players,
        hand_sizes=hand_sizes,
        margin=margin,
        alpha=alpha,
        min_sets=min_sets,
        exact=exact or None,
        seed=seed,
        block_sets=block_sets,
        jobs=jobs,
        dask=dask,
        driver=driver and driver.value,
        on_fault=on_fault and on_fault.value,
        time_limit=time_limit,
        **rule_options,
    )
    _write(planned, output)


def _write(planned: "Planned", output: FormatChoice) -> None:
    rows = _rows(planned)
    if output is FormatChoice.json:
        facts: dict[str, Any] = {
            "difference": planned.difference or None,
            "power": planned.power,
            "rows": rows,
        }
        facts["rule"] = planned.rule.model_dump(mode="json")
        facts["pilot"] = {**vars(planned.pilot), "seed": planned.pilot_seed}
        facts["command"] = _command(planned)
        sys.stdout.write(json.dumps(facts, indent=2) + "\n")
    elif output is FormatChoice.csv:
        writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    else:
        _write_text(planned, rows)


def _rows(planned: "Planned") -> list[dict[str, Any]]:
    """Return one row per way to find out and deviation: sets and seconds, None where no number helps."""
    found = []
    for which, need in (("as in the pilot", planned.as_seen), ("at most, 95 %", planned.at_most)):
        waiting = need.waiting
        ends = (None, None, None) if waiting is None else (waiting.mean, waiting.most, waiting.for_power)
        for way, sets in zip(_WAYS, (need.fixed, *ends), strict=True):
            seconds = None if sets is None else round(sets * planned.seconds_per_set, 1)
            found.append({"deviation": which, "sd": need.sd, "way": way, "sets": sets, "seconds": seconds})
    return found


def _write_text(planned: "Planned", rows: list[dict[str, Any]]) -> None:
    from rich import box
    from rich.table import Table

    from ohpshaw_sim.cli.entries import entry
    from ohpshaw_sim.cli.progress import clock
    from ohpshaw_sim.cli.results import write_table

    sys.stdout.write(entry("", 0, _question(planned)))
    table = Table(box=box.HORIZONTALS, pad_edge=False)
    heads = [f"sd {need.sd:.3f}" for need in (planned.as_seen, planned.at_most)]
    for name in ("sets", heads[0], "time", f"{heads[1]} at most", "time"):
        table.add_column(name, justify="left" if name == "sets" else "right")
    half = len(rows) // 2
    for one, most in zip(rows[:half], rows[half:], strict=True):
        cells = [
            ("never", "") if row["sets"] is None else (str(row["sets"]), clock(row["seconds"]))
            for row in (one, most)
        ]
        table.add_row(one["way"], *cells[0], *cells[1])
    write_table(table)
    sys.stdout.write(f"to play it: {_command(planned)}\n")


def _question(planned: "Planned") -> str:
    from ohpshaw_sim.cli.verdict import percent

    alpha, pilot = planned.rule.alpha, planned.pilot
    if planned.difference:
        goal = f"To find a difference of {planned.difference:g} points per round"
    else:
        goal = f"To find agents that do not differ within {planned.rule.margin:g} points per round"
    return (
        f"{goal} in {percent(planned.power)} of runs, with false decisions in at most {percent(alpha)}. A pilot of "
        f"{pilot.sets} sets on other deals (seed {planned.pilot_seed}) saw differences with a standard deviation of "
        f"{pilot.sd:.3f} from set to set, {pilot.sd_high:.3f} at most (95 %)."
    )


def _command(planned: "Planned") -> str:
    from ohpshaw_sim.tournament.command import repeat_command

    waiting = planned.at_most.waiting
    spec = planned.spec.model_copy(update={"sets": waiting.for_power}) if waiting else planned.spec
    return repeat_command(spec, planned.options, planned.rule.model_dump(exclude_defaults=True))
