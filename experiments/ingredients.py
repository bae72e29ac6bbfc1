"""What does each ingredient of `monte-carlo` buy, and what time does it take?

`monte-carlo` and the same agent without one of its ingredients take the same seat on the same cards, among three
`monte-carlo-1` of 64 worlds. Where that saves or costs time, the number of worlds goes some way towards an equal
one; the table says what a decision takes. Differences are in points per round and in the share of matches won, with
95 % intervals over duplicate sets.

    python experiments/ingredients.py --sets 120 --seed 41 --out results/reference/ingredients
"""

import argparse
from pathlib import Path
from typing import Any, Final

import pandas as pd

from ohpshaw_sim.engine.tally_schema import WIN_UNIT
from ohpshaw_sim.rules import Rules
from ohpshaw_sim.studies.estimates import paired_cells
from ohpshaw_sim.studies.ladder.rungs import strength, time_per_decision
from ohpshaw_sim.studies.playing import LineUp, Played, play

WHOLE: Final = "monte-carlo"
WITHOUT: Final = {
    "worlds that heed the bids": "monte-carlo:heed=1,worlds=140",
    "networks (playouts instead)": "monte-carlo-1",
    "what the networks say at first": "monte-carlo:first=0",
    "dropping answers behind": "monte-carlo:check=0,worlds=60",
    "match play (spite)": "monte-carlo:spite=0",
}
"""Ingredients, and the agent that lacks it. Minding the others' points is how `monte-carlo` plays for the match."""
FIELD: Final = ("monte-carlo-1:worlds=64",)
MOST_POINTS: Final = 20
"""Of a round: the mean of a difference lies between this and its negative."""


def compared(whole: Played, without: Played, lineup: LineUp) -> dict[str, Any]:
    """Return what the whole agent scores more per round, and wins more often, than the one without, paired by set."""
    points = whole.by_set, without.by_set
    wins = whole.wins_by_set, without.wins_by_set
    rounds, all_wins = lineup.players * len(lineup.schedule), lineup.players * WIN_UNIT
    return {
        **paired_cells("points_more", *points, unit=1 / rounds, widest=MOST_POINTS),
        **paired_cells("wins_more", *wins, unit=1 / all_wins, widest=1),
    }


def main() -> None:
    """Read the command line, play, write `ingredients.csv` and print it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", type=int, default=120)
    parser.add_argument("--players", type=int, default=4, choices=range(3, 8))
    parser.add_argument("--up-to", type=int, default=10, help="hands of one card to so many")
    parser.add_argument("--seed", type=int, default=41)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=4.0, help="processor time for each figure of time")
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    rules = Rules(hand_sizes=tuple(range(1, asked.up_to + 1)))

    def measured(agent: str) -> tuple[LineUp, Played, dict[str, Any]]:
        lineup = LineUp(agent, FIELD, asked.players, rules, asked.seed, asked.sets)
        played = play(lineup, asked.jobs)
        time = time_per_decision(agent, asked.players, rules, asked.seconds)["us_per_decision"]
        return lineup, played, {"agent": agent, **strength(lineup, played), "us_per_decision": round(time, 1)}

    lineup, whole, found = measured(WHOLE)
    rows = [{"without": "(nothing)", **found}]
    for ingredient, agent in WITHOUT.items():
        _, played, found = measured(agent)
        rows.append({"without": ingredient, **found, **compared(whole, played, lineup)})
        print(rows[-1], flush=True)
    table = pd.DataFrame(rows)
    table.to_csv(asked.out / "ingredients.csv", index=False, float_format="%.6g")
    print(table.to_string(index=False))


if __name__ == "__main__":
    main()
