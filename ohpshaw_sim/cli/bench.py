"""`ohpshaw bench`: how fast this machine plays."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ohpshaw_sim.cli.choices import FormatChoice
from ohpshaw_sim.cli.rule_flags import rule_flags, rules_from

if TYPE_CHECKING:
    from ohpshaw_sim.engine.lineup import Game
    from ohpshaw_sim.rules import Rules

_ENGINE_SIZES: Final = "1,5,10,13"
_ENGINE_ROUNDS: Final = 13
"""Rounds of a match the engine is timed with."""
_AGENT_PLAYERS: Final = 4
_AGENT_LAST_HAND: Final = 10


@rule_flags(leave_out=("schedule", "max_hand", "revoke_penalty"))
def bench(
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT", help="Agents to time (default: all built-in ones).", show_default=False
        ),
    ] = None,
    players: Annotated[str, typer.Option(help="Players at a table: 4, 3,5 or 3-7.")] = "3-7",
    hand_sizes: Annotated[str, typer.Option(help="Hand sizes to time the engine at.")] = _ENGINE_SIZES,
    seconds: Annotated[float, typer.Option(help="Seconds of play per figure.", min=0.01)] = 0.5,
    output: Annotated[
        FormatChoice, typer.Option("--format", help="Form of the figures on stdout.")
    ] = FormatChoice.table,
    *,
    rule_options: dict[str, Any],
) -> None:
    """Measure rounds per second and ns per card of the engine, and decisions per second of agents, on one
    thread.

    The engine is timed in matches of 13 rounds with `random` at every seat, an agent at all seats of 4
    players with 1 to 10 cards (its decisions with one legal answer count, too). Processor time, compilation
    left out. Of --rules all but the schedule is measured.

    Examples:

      ohpshaw bench count-winners --players 4

      ohpshaw bench random --players 4 --rules podrida
    """
    from ohpshaw_sim.cli.results import say
    from ohpshaw_sim.interface.discovery import builtin_agents
    from ohpshaw_sim.reading import read_numbers
    from ohpshaw_sim.rule_text import make_rules, rules_text

    rules = make_rules(rules_from(rule_options), schedule="up", max_hand=None, hand_sizes=None)
    tables = read_numbers(players, "player numbers")
    sizes = read_numbers(hand_sizes, "hand sizes")
    asked_for = [(count, size) for count in tables for size in sizes]
    served = [(count, size) for count, size in asked_for if size <= rules.largest_hand(count)]
    if len(served) < len(asked_for):
        left_out = ", ".join(f"{count} x {size}" for count, size in asked_for if (count, size) not in served)
        say(f"left out, since the pack cannot serve them (players x cards): {left_out}")
    engine = [_engine_row(rules, count, size, seconds) for count, size in served]
    last = min(_AGENT_LAST_HAND, rules.largest_hand(_AGENT_PLAYERS))
    asked = [_agent_row(rules, agent, last, seconds) for agent in agents or sorted(builtin_agents())]
    line = rules_text(rules)
    if output is FormatChoice.json:
        sys.stdout.write(json.dumps({"rules": line, "engine": engine, "agents": asked}, indent=2) + "\n")
        return
    titles = (f"engine, random agents, {line}", f"agents, {_AGENT_PLAYERS} players, 1-{last} cards, {line}")
    for title, rows in zip(titles, (engine, asked), strict=True):
        if rows and output is FormatChoice.csv:
            _write_csv(rows)
        elif rows:
            _write_table(title, rows)


def _game(rules: "Rules", agent: str, players: int, sizes: tuple[int, ...]) -> "Game":
    from ohpshaw_sim.engine.lineup import Game
    from ohpshaw_sim.interface.discovery import resolve
    from ohpshaw_sim.rule_text import make_rules

    listed = make_rules(rules, hand_sizes=sizes)
    return Game(listed, players, listed.schedule_for(players), (resolve(agent),) * players, (0,) * players)


def _rounds_per_second(game: "Game", seconds: float) -> float:
    from ohpshaw_sim.engine.speed import pace_of

    return pace_of(game, seconds).rate


def _engine_row(rules: "Rules", players: int, size: int, seconds: float) -> dict[str, Any]:
    rate = _rounds_per_second(_game(rules, "random", players, (size,) * _ENGINE_ROUNDS), seconds)
    return {
        "players": players,
        "hand_size": size,
        "rounds_per_second": round(rate),
        "ns_per_card": round(1e9 / (rate * players * size), 1),
    }


def _agent_row(rules: "Rules", agent: str, last: int, seconds: float) -> dict[str, Any]:
    sizes = tuple(range(1, last + 1))
    rate = _rounds_per_second(_game(rules, agent, _AGENT_PLAYERS, sizes), seconds)
    decisions = _AGENT_PLAYERS * (1 + sum(sizes) / len(sizes))
    return {
        "agent": agent,
        "decisions_per_second": round(rate * decisions),
        "us_per_decision": round(1e6 / (rate * decisions), 3),
        "rounds_per_second": round(rate),
    }


def _write_csv(rows: list[dict[str, Any]]) -> None:
    import csv

    writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def _write_table(title: str, rows: list[dict[str, Any]]) -> None:
    from rich import box
    from rich.table import Table

    from ohpshaw_sim.cli.results import write_table

    table = Table(title=title, title_justify="left", box=box.HORIZONTALS, pad_edge=False)
    for name in rows[0]:
        table.add_column(name.replace("_", " "), justify="left" if name == "agent" else "right")
    for row in rows:
        table.add_row(*(f"{value:,}" if isinstance(value, int) else str(value) for value in row.values()))
    write_table(table)
