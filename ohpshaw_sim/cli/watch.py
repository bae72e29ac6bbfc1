"""`ohpshaw watch`: a match or a round between agents, told in the terminal."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from ohpshaw_sim.cli.deal import LARGEST_SET
from ohpshaw_sim.cli.rule_flags import rule_flags, rules_from

if TYPE_CHECKING:
    from ohpshaw_sim.engine.lineup import Game


class Watched(NamedTuple):
    """The match to be watched: a game, the names of its places, the seed."""

    game: "Game"
    names: tuple[str, ...]
    seed: int


@rule_flags
def watch(
    agents: Annotated[
        list[str] | None,
        typer.Argument(metavar="AGENT", help="Agents, named as for a tournament.", show_default=False),
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Players at the table (default: as many as agents, or 4); agents are repeated."
        ),
    ] = None,
    round_number: Annotated[
        int | None, typer.Option("--round", metavar="K", help="Show only this round of the match, 1, 2, ...")
    ] = None,
    hand_size: Annotated[
        int | None, typer.Option(metavar="N", help="Show only the first round with this hand size.")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="Seed of cards and luck (default: drawn and shown)."),
    ] = None,
    set_number: Annotated[
        int,
        typer.Option(
            "--set",
            metavar="N",
            min=0,
            max=LARGEST_SET,
            help="Number of the match, or of the set in a run: 0, 1, ...",
        ),
    ] = 0,
    rotation: Annotated[
        int, typer.Option(metavar="R", min=0, help="Rotation of the set: seats moved on by R.")
    ] = 0,
    run: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Watch a set of this run: its agents, rules and seed."),
    ] = None,
    open_: Annotated[
        bool, typer.Option("--open/--closed", help="Show all hands, or only that of the agent named first.")
    ] = True,
    seat: Annotated[int | None, typer.Option(metavar="SEAT", help="Show only this seat's hand.")] = None,
    step: Annotated[
        bool, typer.Option("--step/--no-step", help="On a terminal, wait for a key after each step.")
    ] = True,
    *,
    rule_options: dict[str, Any],
) -> None:
    """Watch agents play: hands, bids, tricks with who wins them and why, and the scores.

    The match is number --set of the seed, as a tournament plays it. With --round or
    --hand-size only that round is shown; those before it are played, too.

    Examples:

      ohpshaw watch count-winners greedy random --hand-size 5

      ohpshaw watch monte-carlo count-winners --players 4 --seed 7 --no-step

      ohpshaw watch --run results/tour --set 3 --round 5
    """
    if run is None:
        watched = _of_agents(agents, players, seed, rule_options)
    else:
        _refuse_beside_run(agents, players, seed, rule_options)
        watched = _of_run(run, set_number)
    only = _round_asked(watched.game, round_number, hand_size)
    _show(watched, set_number, rotation, only, step=step, seat=seat, all_hands=open_)


def _of_agents(
    agents: list[str] | None, players: int | None, seed: int | None, rule_options: dict[str, Any]
) -> Watched:
    import secrets

    from ohpshaw_sim.engine.lineup import Game
    from ohpshaw_sim.errors import MalformedError
    from ohpshaw_sim.interface.discovery import resolve
    from ohpshaw_sim.rules import PLAYERS
    from ohpshaw_sim.tournament.drawing import lineups
    from ohpshaw_sim.tournament.schedule import entrant_names

    if not agents:
        raise MalformedError(
            "name the agents that are to play, as in `ohpshaw watch count-winners random`, or a run, "
            "as in `ohpshaw watch --run results/tour`"
        )
    seed = secrets.randbelow(10**9) if seed is None else seed
    players = players or (len(agents) if len(agents) >= PLAYERS[0] else 4)
    rules = rules_from(rule_options)
    schedule = rules.schedule_for(players)
    places = lineups(len(agents), players, seed)[0]
    entrants = [resolve(agent) for agent in agents]
    names = entrant_names([entrant.name for entrant in entrants])
    game = Game(rules, players, schedule, tuple(entrants[place] for place in places), tuple(range(players)))
    return Watched(game, tuple(names[place] for place in places), seed)


def _of_run(folder: Path, set_number: int) -> Watched:
    from ohpshaw_sim.analysis.run import load_run
    from ohpshaw_sim.cli.results import say
    from ohpshaw_sim.errors import IllegalError
    from ohpshaw_sim.interface.discovery import resolve
    from ohpshaw_sim.tournament.chunk import game_of
    from ohpshaw_sim.tournament.manifest import source_hashes
    from ohpshaw_sim.tournament.schedule import make_plan
    from ohpshaw_sim.tournament.spec import make_spec

    found = load_run(folder)
    spec = make_spec(**found.manifest["spec"])
    if spec.sets is not None and set_number >= spec.sets:
        raise IllegalError(f"{folder} has no set {set_number}; its sets are 0 to {spec.sets - 1}")
    if source_hashes(spec.agents) != found.manifest.get("sources", {}):
        say(f"note: an agent's file is another one now than when {folder} was played")
    lineup = make_plan(spec).block(set_number // spec.block_sets).arms[0]
    game = game_of(spec, lineup, tuple(resolve(agent) for agent in spec.agents))
    return Watched(game, tuple(found.entrants[entrant] for entrant in lineup.entrants), spec.seed)


def _refuse_beside_run(
    agents: list[str] | None, players: int | None, seed: int | None, rule_options: dict[str, Any]
) -> None:
    from ohpshaw_sim.errors import ConflictError

    if agents or players is not None or seed is not None or rule_options:
        raise ConflictError("--run brings agents, players, rules and seed of its own; leave yours out")


def _round_asked(game: "Game", number: int | None, hand_size: int | None) -> int | None:
    """Return the only round to be shown; None = the whole match."""
    from ohpshaw_sim.errors import ConflictError, IllegalError
    from ohpshaw_sim.reading import write_numbers
    from ohpshaw_sim.rules import EXTRA_ROUNDS

    if number is not None and hand_size is not None:
        raise ConflictError("--round and --hand-size both say which round to show; give one of them")
    if hand_size is not None:
        if hand_size not in game.schedule:
            raise IllegalError(
                f"no round has hands of {hand_size}; the schedule is {write_numbers(game.schedule)}, "
                f"--hand-sizes {hand_size} would make another one"
            )
        return game.schedule.index(hand_size) + 1
    rounds = len(game.schedule)
    if number is not None and not 1 <= number <= rounds + EXTRA_ROUNDS:
        raise IllegalError(
            f"there is no round {number}; this match has {rounds}, and tie-break rounds if need be"
        )
    return number


def _show(
    watched: Watched,
    set_number: int,
    rotation: int,
    only: int | None,
    *,
    step: bool,
    seat: int | None,
    all_hands: bool,
) -> None:
    """Play the match and tell it, or one round of it."""
    from ohpshaw_sim.cli.hands import Paper
    from ohpshaw_sim.cli.pace import Pace, can_step
    from ohpshaw_sim.cli.watching import Teller
    from ohpshaw_sim.engine.stepping import RoundBegun, RoundOver, seats_of, step_match
    from ohpshaw_sim.errors import IllegalError

    game = watched.game
    places = seats_of(game, watched.seed, set_number, rotation)
    if seat is not None and not 0 <= seat < game.players:
        raise IllegalError(f"there is no seat {seat}; seats are 0 to {game.players - 1}")
    if seat is None and not all_hands:
        seat = places.index(0)
    names = [watched.names[place] for place in places]
    simultaneous = game.rules.bidding == "simultaneous"
    teller = Teller(names, game.rules.pack_mask, len(game.schedule), simultaneous=simultaneous, seat=seat)
    paper, pace = Paper(), Pace(step=step and can_step())
    _introduce(paper, watched, names, set_number, rotation)
    number = 0
    for event in step_match(game, watched.seed, set_number, rotation):
        number = event.number if isinstance(event, RoundBegun) else number
        if only not in (None, number):
            continue
        first, *rest = teller.tell(event) or ("",)
        if first or rest:
            paper.write(first, bold=isinstance(event, RoundBegun))
            paper.write(*rest)
        over = isinstance(event, RoundOver)
        if over and only is not None:
            return
        if teller.is_rest(event):
            pace.rest(teller.hands_now, paper.write, round_over=over)
        if pace.quits:
            return
    if only is not None and only > number:
        raise IllegalError(f"the match was over after {number} rounds; there is no round {only}")


def _introduce(paper: Any, watched: Watched, names: list[str], set_number: int, rotation: int) -> None:
    from ohpshaw_sim.reading import write_numbers
    from ohpshaw_sim.rule_text import rules_text

    game = watched.game
    sys.stderr.write(f"seed {watched.seed}, set {set_number}, rotation {rotation}\n")
    sizes = write_numbers(game.schedule)
    paper.write(f"{game.players} players, hands of {sizes}, rules {rules_text(game.rules)}", bold=True)
    paper.write(*(f"  {seat} {name}" for seat, name in enumerate(names)))
    paper.write("In tricks > leads and [ ] wins.", "")
