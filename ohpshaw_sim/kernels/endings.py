"""Endings with open cards, solved: what each seat scores when every one plays for its own score.

    lay_stakes(paths, ...)                   `kernels.endings_path`
    begin_ending(tables, paths, book)        at the position of a `playout` table
    solve_ending(tables, paths, book, most)  until it is solved, or `most` more positions were looked at
    paths[0].value                           expected points by seat

This is max^n (Luckhardt & Irani, "An algorithmic solution of n-person games", 1986): the seat to play chooses the card
with the largest expected score of its own. Often several cards are equally good for it and not for the others, above
all when its bid is out of reach, so the answer hangs on the rule for ties:

    AVERAGE   each of the best cards is played with the same chance
    SPITE     of the best cards, those that leave the others the least in all; then as AVERAGE
    FIRST     the lowest card, in the order of suits and ranks of the table; it takes least time

Every card counts, also where several are alike. Points are float64; two are equal when they differ by less than 1e-9,
since means of the same numbers in another order do.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ZERO, U, highest_bit
from ohpshaw_sim.kernels.endings_book import find_position, keep_position
from ohpshaw_sim.kernels.endings_path import FIRST, SPITE, lay_path, open_plays, step_back, step_down
from ohpshaw_sim.kernels.scoring import add_bonus, round_score
from ohpshaw_sim.kernels.tricks import contest, next_seat, own_suit, strength

SAME: Final = 1e-9
"""Points that differ by less are equal."""


@jit
def begin_ending(tables: Any, paths: Any, book: Any) -> None:
    """Begin a search at a table's position, which is the same again when it is over."""
    table, path = tables[0], paths[0]
    lay_path(tables, paths, -1, 0)
    if not _is_known(tables, paths, book):
        open_plays(tables, paths)
        return
    path.moves[0], path.total[0], path.keyed[0] = ZERO, 1.0, 0
    for seat in range(table.players):
        path.sums[0, seat] = path.value[seat]


@jit
def solve_ending(tables: Any, paths: Any, book: Any, most: int) -> bool:
    """Go on with a search for at most so many positions; tell whether it is over and `value` says the worth."""
    path = paths[0]
    end = path.positions + most
    while path.positions < end:
        if path.moves[path.depth] == ZERO:
            _close(tables, paths, book)
            if path.depth == 0:
                return True
            step_back(tables, paths)
            _weigh(tables, paths)
            continue
        step_down(tables, paths)
        if _is_known(tables, paths, book):
            step_back(tables, paths)
            _weigh(tables, paths)
        else:
            open_plays(tables, paths)
    return False


@jit
def _close(tables: Any, paths: Any, book: Any) -> None:
    """Take the mean over the best plays as the worth of the position reached."""
    path, players = paths[0], tables[0].players
    depth = path.depth
    for seat in range(players):
        path.value[seat] = path.sums[depth, seat] / path.total[depth]
    if path.keyed[depth]:
        keep_position(paths, players, book)


@jit
def _weigh(tables: Any, paths: Any) -> None:
    """Compare the play that was just taken back, worth `value`, with those tried before it."""
    path, players = paths[0], tables[0].players
    depth = path.depth
    own, side = path.value[path.turn[depth]], _grudge(paths, players) if path.ties == SPITE else 0.0
    ahead = own - path.top[depth]
    if -SAME <= ahead <= SAME:
        ahead = side - path.side[depth]
    if path.total[depth] == 0.0 or ahead > SAME:
        path.top[depth], path.side[depth], path.total[depth] = own, side, 0.0
        for seat in range(players):
            path.sums[depth, seat] = 0.0
    elif ahead < -SAME or path.ties == FIRST:
        return
    for seat in range(players):
        path.sums[depth, seat] += path.count[depth] * path.value[seat]
    path.total[depth] += path.count[depth]
    if path.ties == FIRST and own > _most(paths, path.turn[depth]) - SAME:
        path.moves[depth] = ZERO


@jit
def _grudge(paths: Any, players: int) -> float:
    """Return the points of all seats but the one that played, below zero."""
    path, others = paths[0], 0.0
    for seat in range(players):
        others += path.value[seat] if seat != path.turn[path.depth] else 0.0
    return -others


@jit
def _most(paths: Any, seat: int) -> float:
    """Return the most that a seat can score, or more."""
    path = paths[0]
    if path.graded or path.bonus:
        return 1e9
    return float(round_score(path.scoring, path.zero_bid, path.hand_size, path.bids[seat], path.bids[seat]))


@jit
def _is_known(tables: Any, paths: Any, book: Any) -> bool:
    """Set `value` where the worth of a position can be told without playing on."""
    table, path = tables[0], paths[0]
    path.keyed[path.depth] = 0
    if table.waiting < table.players:
        return False
    if not path.graded and all_missed(tables):
        for seat in range(table.players):
            path.value[seat] = 0.0
        return True
    if table.left == 0:
        _score(tables, paths, -1)
        return True
    if table.left == 1:
        _score(tables, paths, last_winner(tables))
        return True
    return find_position(tables, paths, book)


@jit
def all_missed(tables: Any) -> bool:
    """Tell whether no seat can hit its bid any more, at the beginning of a trick."""
    table, able = tables[0], 0
    for seat in range(table.players):
        able += 0 <= table.needs[seat] <= table.left
    return able == 0


@jit
def last_winner(tables: Any) -> int:
    """Return the seat that wins the last trick, in which nobody has a choice; it is not led yet."""
    table = tables[0]
    seat, winner, best, led = U(table.turn), table.turn, ZERO, -1
    for _ in range(table.players):
        card = table.hands[seat]
        if best == ZERO:
            led = own_suit(highest_bit(card))
        power = strength(card, contest(led, table.trump), ZERO)
        if power > best:
            best, winner = power, np.int64(seat)
        seat = next_seat(seat, U(table.players))
    return winner  # type: ignore[no-any-return]  # a field of a record, int64


@jit
def _score(tables: Any, paths: Any, winner: int) -> None:
    """Set `value` to the points at the end of the round, `winner` (-1 = none) having won one trick more."""
    table, path = tables[0], paths[0]
    for seat in range(table.players):
        bid = path.bids[seat]
        tricks = bid - table.needs[seat] + (1 if seat == winner else 0)
        path.points[seat] = round_score(path.scoring, path.zero_bid, path.hand_size, bid, tricks)
    if path.bonus:
        add_bonus(path.points, table.players)
    for seat in range(table.players):
        path.value[seat] = float(path.points[seat])
