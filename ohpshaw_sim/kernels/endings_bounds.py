"""Yes or no: can a seat hit its bid, all cards being open?

    begin_bound(tables, paths, book, seat, helped)   at the position of a `playout` table, its stakes laid
    solve_bound(tables, paths, book, most)           until it is solved, or `most` more positions were looked at
    paths[0].value[0]                                1.0 = yes

`helped` = 1: if all the others help it. 0: against all of them together. No rule for ties has a say in either, so they
bracket what `kernels.endings` finds: who hits against all does so there, and who cannot hit with help does not.
"""

from typing import Any

from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ZERO
from ohpshaw_sim.kernels.endings import last_winner
from ohpshaw_sim.kernels.endings_book import find_position, keep_position
from ohpshaw_sim.kernels.endings_path import lay_path, open_plays, step_back, step_down


@jit
def begin_bound(tables: Any, paths: Any, book: Any, seat: int, helped: int) -> None:
    """Begin to ask for one seat; the table's position is the same again when the search is over."""
    path = paths[0]
    lay_path(tables, paths, seat, helped)
    if _is_known(tables, paths, book):
        path.moves[0], path.top[0], path.keyed[0] = ZERO, path.value[0], 0
    else:
        _open(tables, paths)


@jit
def solve_bound(tables: Any, paths: Any, book: Any, most: int) -> bool:
    """Go on for at most so many positions; tell whether the search is over and `value[0]` says yes or no."""
    path = paths[0]
    end = path.positions + most
    while path.positions < end:
        if path.moves[path.depth] == ZERO:
            path.value[0] = path.top[path.depth]
            if path.keyed[path.depth]:
                keep_position(paths, tables[0].players, book)
            if path.depth == 0:
                return True
            step_back(tables, paths)
            _weigh(paths)
            continue
        step_down(tables, paths)
        if _is_known(tables, paths, book):
            step_back(tables, paths)
            _weigh(paths)
        else:
            _open(tables, paths)
    return False


@jit
def _wants(paths: Any) -> float:
    """Return what the seat to play wants the answer to be."""
    path = paths[0]
    return 1.0 if path.helped or path.turn[path.depth] == path.seat else 0.0


@jit
def _open(tables: Any, paths: Any) -> None:
    """List the plays of the position reached; until one is found the answer is what its seat does not want."""
    open_plays(tables, paths)
    paths[0].top[paths[0].depth] = 1.0 - _wants(paths)


@jit
def _weigh(paths: Any) -> None:
    """Look at the answer after a play that was taken back: the one that is wanted ends the search here."""
    path = paths[0]
    if path.value[0] == _wants(paths):
        path.top[path.depth] = path.value[0]
        path.moves[path.depth] = ZERO


@jit
def _is_known(tables: Any, paths: Any, book: Any) -> bool:
    """Set `value[0]` where the answer can be told without playing on."""
    table, path = tables[0], paths[0]
    path.keyed[path.depth] = 0
    if table.waiting < table.players:
        return False
    need = table.needs[path.seat]
    if not 0 <= need <= table.left:
        path.value[0] = 0.0
        return True
    if table.left <= 1:
        won = table.left == 1 and last_winner(tables) == path.seat
        path.value[0] = 1.0 if (need == 1) == won else 0.0
        return True
    return find_position(tables, paths, book)
