"""Playing sets: the door to both drivers."""

from collections.abc import Callable
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from ohpshaw_sim.engine.adding import add_sets
from ohpshaw_sim.engine.asking import ILLEGAL
from ohpshaw_sim.engine.attempts import stray
from ohpshaw_sim.engine.batched import Asker, Memory, PlainAsker, play_batch
from ohpshaw_sim.engine.compiled import play_compiled_sets
from ohpshaw_sim.engine.fault import RowFaultError, UnreadyError, raised
from ohpshaw_sim.engine.forfeits import CarefulAsker, Forfeits, without_guarded
from ohpshaw_sim.engine.interrupts import HOLD
from ohpshaw_sim.engine.keeping import chosen_of, room_to_keep, rounds_of_faults, take_kept
from ohpshaw_sim.engine.lineup import Game, lay_game
from ohpshaw_sim.engine.state import MATCH, TABLE, records
from ohpshaw_sim.engine.tally import Tally, joined, round_rows, set_sums
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
    forfeits: Forfeits | None = None,
) -> Tally:
    """Play `sets` sets from `first_set` on and return what they add up to.

    Each set is `game.players` matches: the same deals under every cyclic rotation of a seeded seating. The result
    depends on nothing but the arguments `game`, `seed`, `first_set` and `sets`. With `log`, the tally's
    `rows` hold every seat-round; `keep` = n has its `kept` hold one round in n (1 = all, see `keeping`), cards and all.
    `workspace` is the memory to play in. With `forfeits`, an agent that misbehaves forfeits the round, and the tally's
    `faults` and `faulty` tell of it; a trusted one raises as ever.
    Compiled code runs without the GIL. Raises AgentFaultError for an agent that misbehaves, ConflictError when the
    compiled driver is asked for and an agent is not compiled.
    """
    if driver == "compiled" and not game.compiled:
        raise ConflictError(
            "the compiled driver needs compiled agents in every seat; use the batched one, or auto"
        )
    workspace = workspace or Workspace.allocate()
    workspace.table[0].asked_place = -1  # nobody yet
    games = lay_game(game, seed)
    fast = _play_compiled if driver != "batched" and game.compiled else _play_batched
    if forfeits is None or not games[0].guarded.any():
        return fast(game, games, first_set, sets, log, keep, workspace)
    if not forfeits.careful:
        HOLD.tighten()
        try:
            return fast(game, games, first_set, sets, log, keep, workspace)
        except BaseException as error:  # whatever it was, playing with care will tell
            if stray(error):
                raise
        finally:
            HOLD.loosen()
    return _play_carefully(game, games, first_set, sets, log, keep, workspace, forfeits)


def play_record(game: Game, seed: int, set_number: int) -> Any:
    """Play the first rotation of one set and return its MATCH record. Raises AgentFaultError."""
    memory, noted = _side_by_side(game, lay_game(game, seed), 1), Workspace.allocate().table
    _play_side_by_side(game, memory, set_number, 1, PlainAsker(game, memory, noted), noted)
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
    game: Game,
    games: Any,
    first_set: int,
    sets: int,
    log: bool,
    keep: int,
    workspace: Workspace,
    asker_of: Callable[[Memory], Asker] | None = None,
) -> Tally:
    tally = Tally.empty(game.entrants, game.players, game.largest_hand, sets)
    owners = np.array(game.owners, np.uint8)
    sums = set_sums(game.entrants, game.players, game.largest_hand)
    sets_at_once = max(1, min(sets, BATCH_ROWS // game.players))
    memory = _side_by_side(game, games, sets_at_once * game.players, keep)
    asker = PlainAsker(game, memory, workspace.table) if asker_of is None else asker_of(memory)
    rows: list[Any] = []
    kept: list[Any] = []
    for start in range(0, sets, sets_at_once):
        count = min(sets_at_once, sets - start)
        _play_side_by_side(game, memory, first_set + start, count * game.players, asker, workspace.table)
        schedule = games[0].schedule
        add_sets(memory.matches, 0, count, game.players, schedule, owners, sums, start, tally.arrays())
        if log:
            rows.append(round_rows(memory.matches[: count * game.players], game.schedule))
        kept.append(take_kept(memory.kept))
    tally.sets, tally.rows, tally.kept = sets, joined(rows), joined(kept)
    return tally


def _play_carefully(
    game: Game,
    games: Any,
    first_set: int,
    sets: int,
    log: bool,
    keep: int,
    workspace: Workspace,
    forfeits: Forfeits,
) -> Tally:
    """Play with forfeits; all rounds are kept at first, so that those with faults are at hand."""
    made: list[CarefulAsker] = []

    def asker_of(memory: Memory) -> Asker:
        made.append(CarefulAsker(game, games[0], memory, workspace.table, forfeits))
        return made[0]

    try:
        tally = _play_batched(game, without_guarded(games), first_set, sets, log, 1, workspace, asker_of)
    finally:
        for asker in made:
            asker.close()
    tally.faults = tuple(sorted(made[0].faults))
    tally.faulty = rounds_of_faults(tally.kept, {fault.round_spot for fault in tally.faults})
    tally.kept = chosen_of(tally.kept, keep, game)
    return tally


def _side_by_side(game: Game, games: Any, rows: int, keep: int = 0) -> Memory:
    """Return the records that so many matches are played in side by side."""
    kept = room_to_keep(game, -(-rows // game.players), keep) if keep else None
    at = np.zeros(1, np.int64)
    return Memory(
        blank_views(rows), records(TABLE, rows), records(MATCH, rows), games, blank_views(1), at, kept
    )


def _play_side_by_side(
    game: Game, memory: Memory, first_set: int, rows: int, asker: Asker, noted: Any
) -> None:
    """Play some rows' matches as one batch, turning whatever goes wrong into an AgentFaultError."""
    try:
        play_batch(memory, rows, first_set, asker, noted)
    except RowFaultError as error:
        raise fault_of(game, memory.tables[error.row], error.what) from error
    except UnreadyError as error:
        agent = game.lineup[error.place].name
        sentence = f"agent {agent} {error.what} from set {first_set} on"
        raise AgentFaultError(sentence, error.place, first_set, -1, -1) from error


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
