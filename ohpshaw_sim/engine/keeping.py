"""Keeping rounds as they were played, cards and all: what round records are written from.

A round is kept when it has been scored, from what the engine itself has written down. So it is the round that was
played, whatever the agents are: nothing is played again, and agents that remember or roll dice of their own do no harm.
"""

from collections.abc import Collection
from typing import Any, Final, NamedTuple

import numpy as np

from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.state import records
from ohpshaw_sim.interface.view import MAX_PLAYERS, MAX_PLAYS
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import U
from ohpshaw_sim.kernels.rng import below, root, stream_word

KEPT: Final[np.dtype[np.void]] = np.dtype(
    [
        ("set_number", np.int32),
        ("rotation", np.int8),
        ("round_number", np.int16),  # 0, 1, ...; tie-break rounds follow the schedule's
        ("hand_size", np.int8),
        ("dealer", np.int8),
        ("turn_up", np.int8),  # -1 = none
        ("trump", np.int8),  # -1 = none
        ("places", (np.int8, MAX_PLAYERS)),  # place in the line-up, by seat
        ("bids", (np.int8, MAX_PLAYERS)),
        ("tricks", (np.int8, MAX_PLAYERS)),
        ("points", (np.int16, MAX_PLAYERS)),
        ("hands", (np.uint64, MAX_PLAYERS)),  # as they were dealt
        ("plays", (np.int8, MAX_PLAYS)),  # in playing order; -1 beyond the last
    ],
    align=True,
)
"""One finished round."""

_CHOICE: Final = root(0, "rounds that are kept")
_EVERY, _USED = 0, 1


class Kept(NamedTuple):
    """Room for rounds: KEPT records (none = nothing is kept), and marks, int64 [2]: one in how many, kept so far."""

    rounds: Any
    marks: Any


def room_to_keep(game: Game, sets: int, one_in: int) -> Kept:
    """Return room for the rounds of so many sets in a row; `one_in` = 1 keeps all of them, 0 none, n one in n."""
    rounds = len(game.schedule) * sets * game.players
    wanted = 0 if one_in == 0 else rounds // one_in + 2
    if one_in == 1:
        wanted = rounds + game.extra_rounds * sets * game.players
    return Kept(records(KEPT, wanted), np.array([one_in, 0], np.int64))


def take_kept(kept: Kept | None) -> Any:
    """Return the rounds that were kept, by set, rotation and round, and clear the room; None where none is kept."""
    if kept is None or not len(kept.rounds):
        return None
    found = np.asarray(kept.rounds)[: kept.marks[_USED]]
    kept.marks[_USED] = 0
    return found[np.lexsort((found["round_number"], found["rotation"], found["set_number"]))]


def chosen_of(rounds: Any, one_in: int, game: Game) -> Any:
    """Return, of all the rounds of some sets, those that are kept; None where none is."""
    if one_in == 0 or rounds is None:
        return None
    length = len(game.schedule)
    marks = [
        is_chosen(one_in, game.players, length, (int(one["set_number"]), int(one["rotation"])), int(number))
        for one, number in zip(rounds, rounds["round_number"], strict=True)
    ]
    return rounds[np.array(marks, bool)]


def rounds_of_faults(rounds: Any, spots: Collection[tuple[int, int, int]]) -> Any:
    """Return, of all the rounds of some sets, those at these sets, rotations and numbers; None where there is none."""
    if not spots or rounds is None:
        return None
    where = zip(
        rounds["set_number"].tolist(),
        rounds["rotation"].tolist(),
        rounds["round_number"].tolist(),
        strict=True,
    )
    return rounds[np.array([spot in spots for spot in where], bool)]


@jit
def is_chosen(one_in: int, players: int, schedule_length: int, match: tuple[int, int], number: int) -> bool:
    """Tell whether a round is kept; `match` is its set and rotation, `number` its own, 0 for the first.

    The rounds of the schedule are counted through, match after match, and of each `one_in` in a row one is kept. Which
    one is drawn from its place in the count alone: taking always the first would favour some hand sizes wherever the
    schedule's length and `one_in` have a factor in common. Tie-break rounds are kept only where all rounds are.
    """
    if one_in == 1:
        return True
    if number >= schedule_length:
        return False
    set_number, rotation = match
    count = (np.int64(set_number) * players + rotation) * schedule_length + number
    return bool(count % one_in == below(stream_word(_CHOICE, count // one_in), one_in))


@jit
def keep_round(view: Any, table: Any, match: Any, game: Any, kept: Any) -> None:
    """Keep the round that `end_round` has just scored, if it is one of those that are wanted.

    All cards are played: what each seat has played is what it was dealt.
    """
    number = table.round_number - 1
    where = (np.int64(table.set_number), np.int64(table.rotation))
    if not is_chosen(kept.marks[_EVERY], game.players, game.schedule_length, where, number):
        return
    row = kept.rounds[kept.marks[_USED]]
    kept.marks[_USED] += 1
    row.set_number = table.set_number
    row.rotation = table.rotation
    row.round_number = number
    row.hand_size = table.hand_size
    row.dealer = table.dealer
    row.turn_up = view.turn_up
    row.trump = table.trump
    for seat in range(len(row.places)):
        row.places[seat] = match.places[seat]
        row.bids[seat] = match.bids[number, seat]
        row.tricks[seat] = match.tricks[number, seat]
        row.points[seat] = match.points[number, seat]
        row.hands[seat] = view.played[seat] if seat < game.players else U(0)
    for index in range(len(row.plays)):
        row.plays[index] = view.plays[index]
