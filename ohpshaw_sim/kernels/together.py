"""Playing many worlds to the end of the round at once, card by card: the inner loop of every agent that searches.

    worlds = world_rows()                        a uint64 array of WIDE columns, one for each world
    lay_world(worlds, column, tables)             from a `playout` table; any number of columns up to WIDE
    play_together(worlds, filled, tables)         to the end, by the policy of `kernels.policy` in all seats
    need_left(worlds, column, seat)              that seat's bid less its tricks

The worlds of one call have the same number of tricks left and of seats to play to the trick under way; who plays, what
was led and who is ahead may differ. So every step is the same for all of them, and is done by `kernels.words`.

A row holds the hand of one *place*: 0 is the seat to play, 1 the next to its left, and after every trick the rows are
turned so that the winner is at place 0 again. Needs of all places share one word, a byte for each, biased so that bit
6 says "needs tricks".
"""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ALL_BITS, LANE, ONE, ZERO, U
from ohpshaw_sim.kernels.playout import SEATS
from ohpshaw_sim.kernels.policy import follow_any, follow_card, lead_card, own_lane, power_of
from ohpshaw_sim.kernels.tricks import suit_lane
from ohpshaw_sim.kernels.words import (
    WIDE,
    empty,
    exceeds,
    flag,
    highest,
    keep_words,
    pick,
    same_words,
    words_at,
)

_SPARE: Final = U(SEATS)
"""Rows from here on are scratch; those before hold the hands."""
_NEEDS, _TURN, _LED, _BEST, _AHEAD, _LIVE = (U(2 * SEATS + row) for row in range(6))
"""Rows: needs; the seat at place 0; the lane led; the best strength on the table; its place; all cards in hands."""
_ROWS: Final = 2 * SEATS + 6
_EIGHT: Final = U(8)
_BYTE: Final = U(0xFF)
_BIAS: Final = 63
_NEEDY: Final = 6
"""The bit of a biased need that is set for 1 and more."""


@jit
def world_rows() -> Any:
    """Return an array (uint64, one column for each world) to lay worlds in."""
    return np.zeros((_ROWS, WIDE), np.uint64)


@jit
def lay_world(worlds: Any, column: int, tables: Any) -> None:
    """Lay the position of a `playout` table in one column (0..WIDE-1)."""
    table, column = tables[0], U(column)
    players, seat = U(table.players), U(table.turn)
    needs = ZERO
    for place in range(players):
        worlds[place, column] = table.hands[seat]
        needs |= U(table.needs[seat] + _BIAS) << _EIGHT * place
        seat = seat + ONE if seat + ONE < players else ZERO
    worlds[_NEEDS, column] = needs
    worlds[_TURN, column] = U(table.turn)
    worlds[_LED, column] = suit_lane(table.led)
    worlds[_BEST, column] = table.best
    ahead = table.best_seat - table.turn
    worlds[_AHEAD, column] = U(ahead if ahead >= 0 else ahead + table.players)
    worlds[_LIVE, column] = table.live


@jit
def need_left(worlds: Any, column: int, seat: int) -> int:
    """Return a seat's need at the end of the round; negative if it won more tricks than it bid."""
    return np.int64(worlds[_NEEDS, U(column)] >> _EIGHT * U(seat) & _BYTE) - _BIAS


@jit
def play_together(worlds: Any, filled: int, tables: Any) -> None:
    """Play the worlds of the first `filled` columns to the end; of the table, as last laid, what all share is read.

    Only needs are left, for `need_left`: the next worlds are laid anew.
    """
    table = tables[0]
    for column in range(U(filled), U(WIDE)):
        for row in range(_ROWS):
            worlds[U(row), column] = worlds[U(row), ZERO]
    players, top = U(table.players), suit_lane(table.trump)
    must = ALL_BITS if table.must_trump else ZERO
    waiting, leading = U(table.waiting), table.waiting == table.players
    for left in range(table.left, 0, -1):
        if table.odd:
            _play_odd_trick(worlds, waiting, top, must, leading)
        else:
            _play_trick(worlds, waiting, top, leading, left == 1)
        _turn_rows(worlds, players)
        waiting, leading = players, True
    # Needs by place become needs by seat.
    keep_words(
        worlds, _NEEDS, _turn_bytes(words_at(worlds, _NEEDS), players - words_at(worlds, _TURN), players)
    )


@jit
def _play_trick(worlds: Any, waiting: Any, top: Any, leading: bool, final: bool) -> None:
    """Play the trick under way to its end; the winner's place is left in row _AHEAD."""
    needs, live = words_at(worlds, _NEEDS), words_at(worlds, _LIVE)
    led, best, ahead = words_at(worlds, _LED), words_at(worlds, _BEST), words_at(worlds, _AHEAD)
    first = ZERO
    if leading:
        hand = words_at(worlds, ZERO)
        card = hand if final else lead_card(hand, live, top, flag(needs >> U(_NEEDY)))
        keep_words(worlds, ZERO, hand ^ card)
        live = live ^ card
        led = same_words(LANE) << (highest(card) & U(48))
        best, ahead = card, same_words(ZERO)
        first = ONE
    able = led | top
    for place in range(first, waiting):
        hand = words_at(worlds, place)
        card = hand
        if not final:
            last = same_words(ALL_BITS if place + ONE == waiting else ZERO)
            card = follow_card(hand, led, able, best, flag(needs >> (_EIGHT * place + U(_NEEDY))), last)
        keep_words(worlds, place, hand ^ card)
        live = live ^ card
        wins = exceeds(card & able, best)
        best = pick(wins, card, best)
        ahead = pick(wins, place, ahead)
    keep_words(worlds, _LIVE, live)
    keep_words(worlds, _AHEAD, ahead)


@jit
def _play_odd_trick(worlds: Any, waiting: Any, top: Any, must: Any, leading: bool) -> None:
    """Play the trick under way to its end where there are Wizards and Jesters, or a duty to trump (V8, V10)."""
    needs, live = words_at(worlds, _NEEDS), words_at(worlds, _LIVE)
    led, best, ahead = words_at(worlds, _LED), words_at(worlds, _BEST), words_at(worlds, _AHEAD)
    if leading:
        led, best, ahead = same_words(ZERO), same_words(ZERO), same_words(ZERO)
    for place in range(waiting):
        hand, short = words_at(worlds, place), flag(needs >> (_EIGHT * place + U(_NEEDY)))
        if leading and place == ZERO:
            card = lead_card(hand, live, top, short)
        else:
            last = same_words(ALL_BITS if place + ONE == waiting else ZERO)
            card = follow_any(hand, led, top, best, short, last, must)
        keep_words(worlds, place, hand ^ card)
        live = live ^ card
        led = pick(empty(best), own_lane(card), led)  # the first card that is no Jester sets the suit led
        power = power_of(card, led, top)
        wins = exceeds(power, best)
        best = pick(wins, power, best)
        ahead = pick(wins, place, ahead)
    keep_words(worlds, _LIVE, live)
    keep_words(worlds, _AHEAD, ahead)


@jit
def _turn_rows(worlds: Any, players: Any) -> None:
    """Count the trick of the place ahead and turn all rows so that it becomes place 0, to lead."""
    ahead = words_at(worlds, _AHEAD)
    needs = words_at(worlds, _NEEDS) - (same_words(ONE) << (ahead << U(3)))
    keep_words(worlds, _NEEDS, _turn_bytes(needs, ahead, players))
    seat = words_at(worlds, _TURN) + ahead
    keep_words(worlds, _TURN, pick(exceeds(players, seat), seat, seat - players))
    # By 1, 2 and 4 places, each where that bit of `ahead` is set.
    _turn_hands(worlds, players, ZERO, _SPARE, ONE, flag(ahead))
    _turn_hands(worlds, players, _SPARE, ZERO, U(2), flag(ahead >> ONE))
    if players > U(4):
        _turn_hands(worlds, players, ZERO, _SPARE, U(4), flag(ahead >> U(2)))
        for place in range(players):
            keep_words(worlds, place, words_at(worlds, _SPARE + place))


@jit
def _turn_hands(worlds: Any, players: Any, source: Any, target: Any, by: Any, where: Any) -> None:
    """Copy the hands from rows `source` to rows `target`, turned by some places where a condition holds."""
    for place in range(players):
        beyond = place + by if place + by < players else place + by - players
        moved = pick(where, words_at(worlds, source + beyond), words_at(worlds, source + place))
        keep_words(worlds, target + place, moved)


@jit
def _turn_bytes(needs: Any, places: Any, players: Any) -> Any:
    """Turn packed needs so that the byte of place `places` (1 row of words, 0..players) comes first."""
    bits, moved = _EIGHT * players, places << U(3)
    kept = (needs >> moved) | (needs << (bits - moved))
    return kept & ((ONE << bits) - ONE)
