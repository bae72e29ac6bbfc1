"""The figures of a ladder: strength against a field, self-play, time per decision."""

from typing import Any

from ohpshaw_sim.analysis.estimates import point_range, points, share
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.speed import pace_of
from ohpshaw_sim.engine.tally_schema import MOMENTS, WIN_UNIT
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.rules import Rules
from ohpshaw_sim.studies.playing import LineUp, Played


def strength(lineup: LineUp, played: Played) -> dict[str, Any]:
    """Return the figures of an agent, per seat, with intervals over sets: points, matches won, bids hit."""
    row = {name: int(value) for name, value in zip(MOMENTS, played.totals, strict=True)}
    schedule = lineup.schedule
    return (
        {"sets": lineup.sets, "rounds": row["rounds"]}
        | share(row, "win_share", of={"wins": len(schedule)}, per={"rounds": WIN_UNIT})
        | points(row, "points_per_round", point_range(lineup.rules, schedule), of={"points": 1})
        | share(row, "hit_rate", of={"hits": 1})
    )


def time_per_decision(agent: str, players: int, rules: Rules, seconds: float) -> dict[str, Any]:
    """Return how many microseconds of processor time a decision takes at a table of an agent's like.

    Decisions with a single legal answer count, too.
    """
    schedule = rules.schedule_for(players)
    game = Game(rules, players, schedule, (resolve(agent),) * players, (0,) * players)
    pace = pace_of(game, seconds)
    decisions = round(pace.rounds * players * (1 + sum(schedule) / len(schedule)))
    return {
        "agent": agent,
        "players": players,
        "us_per_decision": 1e6 * pace.seconds / decisions,
        "decisions": decisions,
    }
