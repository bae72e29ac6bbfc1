"""Playing sets: the door to both drivers."""

from typing import Any, Final, Literal, TypeAlias

import numpy as np

from ohpshaw_sim.engine.asking import ILLEGAL
from ohpshaw_sim.engine.batched import Memory, RowFaultError, play_batch, raised
from ohpshaw_sim.engine.compiled import play_compiled_sets
from ohpshaw_sim.engine.keeping import room_to_keep, take_kept
from ohpshaw_sim.engine.lineup import Game, lay_game, outside_agents
from ohpshaw_sim.engine.state import MATCH, TABLE, records
from ohpshaw_sim.engine.tally import Tally, add_sets, joined, round_rows, set_sums
from ohpshaw_sim.engine.workspace import Workspace
from ohpshaw_sim.errors import AgentError, ConflictError
from ohpshaw_sim.interface.view import BID, NAME_TRUMP, blank_views

Driver: TypeAlias = Literal["auto", "compiled", "batched"]

BATCH_ROWS: Final = 1024
"""Matches that the batched driver plays side by side; more would fall out of the cache, fewer cost more Python."""


class AgentFaultError(AgentError):
    """An agent answered illegally, raised, or returned no integers; `str(error)` is one sentence.

    `place` is its place in the line-up; `set_number`, `rotation` and `round_number` say where it happened (-1 = not
    known, since a batch of decisions was asked at once).
    """

    def __init__(self, sentence: str, place: int, set_number: int, rotation: int, round_number: int) -> None:
        super().__init__(sentence)
        self.place = place
        self.set_number = set_number
        self.rotation = rotation
        self.round_number = round_number

    def __reduce__(self) -> tuple[type, tuple[str, int, int, int, int]]:
        return type(self), (str(self), self.place, self.set_number, self.rotation, self.round_number)


def play_sets(
    game: Game,
    seed: int,
    first_set: int,
    sets: int,
    *,
    driver: Driver = "auto",
    log: bool = False,
    keep: int = 0,
    workspace: Workspace | None = None,
) -> Tally:
    """Play `sets` sets from `first_set` on and return what they add up to.

    Each set is `game.players` matches: the same deals under every cyclic rotation of a seeded seating. The result
    depends on nothing but the arguments `game`, `seed`, `first_set` and `sets`. With `log`, the tally's
    `rows` hold every seat-round; `keep` = n has its `kept` hold one round in n (1 = all, see `keeping`), cards and all.
    `workspace` is the memory to play in.
    Compiled code runs without the GIL. Raises AgentFaultError for an agent that misbehaves, ConflictError when the
    compiled driver is asked for and an agent is not compiled.
    """
    if driver == "compiled" and not game.compiled:
        raise ConflictError(
            "the compiled driver needs compiled agents in every seat; use the batched one, or auto"
        )
    workspace = workspace or Workspace.allocate()
    games = lay_game(game, seed)
    play = _play_compiled if driver != "batched" and game.compiled else _play_batched
    return play(game, games, first_set, sets, log, keep, workspace)


def play_record(game: Game, seed: int, set_number: int) -> Any:
    """Play the first rotation of one set and return its MATCH record. Raises AgentFaultError."""
    memory = _side_by_side(game, lay_game(game, seed), 1)
    _play_side_by_side(game, memory, set_number, 1, Workspace.allocate())
    return memory.matches[0]


def _play_compiled(
    game: Game, games: Any, first_set: int, sets: int, log: bool, keep: int, workspace: Workspace
) -> Tally:
    tally = Tally.empty(game.entrants, game.players, game.largest_hand, sets)
    owners = np.array(game.owners, np.uint8)
    sums = set_sums(game.entrants, game.players, game.largest_hand)
    matches = records(MATCH, game.players * (sets if log else 1))
    table = workspace.table
    kept = room_to_keep(game, sets, keep)
    memory = (blank_views(2), table, matches, games, kept)
    try:
        outcome = play_compiled_sets(memory, first_set, sets, owners, sums, tally.arrays())
    except Exception as error:  # an agent's own code may raise anything
        raise fault_of(game, table[0], raised(error)) from error
    if outcome == ILLEGAL:
        raise fault_of(game, table[0], f"answered {table[0].refused}, which is illegal")
    tally.sets = sets
    if log:
        tally.rows = round_rows(matches, game.schedule)
    tally.kept = take_kept(kept)
    return tally


def _play_batched(
    game: Game, games: Any, first_set: int, sets: int, log: bool, keep: int, workspace: Workspace
) -> Tally:
    tally = Tally.empty(game.entrants, game.players, game.largest_hand, sets)
    owners = np.array(game.owners, np.uint8)
    sums = set_sums(game.entrants, game.players, game.largest_hand)
    sets_at_once = max(1, min(sets, BATCH_ROWS // game.players))
    memory = _side_by_side(game, games, sets_at_once * game.players, keep)
    rows: list[Any] = []
    kept: list[Any] = []
    for start in range(0, sets, sets_at_once):
        count = min(sets_at_once, sets - start)
        _play_side_by_side(game, memory, first_set + start, count * game.players, workspace)
        schedule = games[0].schedule
        add_sets(memory.matches, 0, count, game.players, schedule, owners, sums, start, tally.arrays())
        if log:
            rows.append(round_rows(memory.matches[: count * game.players], game.schedule))
        kept.append(take_kept(memory.kept))
    tally.sets, tally.rows, tally.kept = sets, joined(rows), joined(kept)
    return tally


def _side_by_side(game: Game, games: Any, rows: int, keep: int = 0) -> Memory:
    """Return the records that so many matches are played in side by side."""
    kept = room_to_keep(game, -(-rows // game.players), keep) if keep else None
    at = np.zeros(1, np.int64)
    return Memory(
        blank_views(rows), records(TABLE, rows), records(MATCH, rows), games, blank_views(1), at, kept
    )


def _play_side_by_side(game: Game, memory: Memory, first_set: int, rows: int, workspace: Workspace) -> None:
    """Play some rows' matches as one batch, turning whatever goes wrong into an AgentFaultError."""
    bidders, players = outside_agents(game)
    try:
        play_batch(memory, rows, first_set, bidders, players, workspace.table)
    except RowFaultError as error:
        raise fault_of(game, memory.tables[error.row], error.what) from error


def fault_of(game: Game, table: Any, what: str) -> AgentFaultError:
    """Return the fault of the agent that a table asked last."""
    place = int(table.asked_place)
    kind = {BID: "bid", NAME_TRUMP: "trump suit"}.get(int(table.kind), "card")
    where = f"in set {table.set_number}, rotation {table.rotation}, round {table.round_number + 1}"
    return AgentFaultError(
        f"agent {game.lineup[place].name} {what}, asked for a {kind} {where}",
        place,
        int(table.set_number),
        int(table.rotation),
        int(table.round_number),
    )
