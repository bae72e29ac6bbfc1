"""A book of positions that were solved: the same one is met again along many orders of play.

Only positions in which a trick begins are kept. What their worth hangs on is who owns the cards in play, suit by suit
from the lowest to the highest, who leads and what each seat needs; the cards' ranks do not matter, nor which side suit
is which. That is mixed into 128 bits: two different positions of one search get the same ones with a chance of less
than 1 in 10^20, for a million positions.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import FREE, LANE, ONE, SIXTEEN, SUITED, WIZARDS, ZERO, U, lowest_bit, popcount
from ohpshaw_sim.kernels.endings_path import FIRST
from ohpshaw_sim.kernels.playout import SEATS
from ohpshaw_sim.kernels.rng import mix

_PROBES: Final = 4
"""Places that a position may stand at."""
_OTHER: Final = U(0x5851_F42D_4C95_7F2D)
"""Makes the second half of a key another one than the first."""
_BIAS: Final = 24
"""Makes needs positive."""
_NEED_BITS: Final = U(6)
_THREE: Final = U(3)
_WORDS: Final = 6


class Book(NamedTuple):
    """Arrays by place. A book of no places keeps nothing, and answers stay the same."""

    keys: Any  # uint64 [places, 2]; 0 = free
    values: Any  # float64 [places, SEATS]


@jit
def ending_book(places: int) -> Any:
    """Return an empty book; `places` is a power of two, or 0."""
    return Book(np.zeros((places, 2), np.uint64), np.zeros((places, SEATS), np.float64))


@jit
def find_position(tables: Any, paths: Any, book: Any) -> bool:
    """Work out the key of a position in which a trick begins, and read its worth if it is in the book."""
    path, places = paths[0], len(book.keys)
    path.keyed[path.depth] = places > 0
    if places == 0:
        return False
    first, second = _key(tables, paths)
    path.keys[path.depth, 0], path.keys[path.depth, 1] = first, second
    for probe in range(_PROBES):
        place = np.int64((first + U(probe)) & U(places - 1))
        if book.keys[place, 0] == first and book.keys[place, 1] == second:
            for seat in range(tables[0].players):
                path.value[seat] = book.values[place, seat]
            return True
    return False


@jit
def keep_position(paths: Any, players: int, book: Any) -> None:
    """Write down the worth of the position reached, over another one if there is no free place."""
    path, places = paths[0], len(book.keys)
    first, second = path.keys[path.depth, 0], path.keys[path.depth, 1]
    kept = np.int64(first & U(places - 1))
    for probe in range(_PROBES):
        place = np.int64((first + U(probe)) & U(places - 1))
        if book.keys[place, 0] == ZERO and book.keys[place, 1] == ZERO:
            kept = place
            break
    book.keys[kept, 0], book.keys[kept, 1] = first, second
    for seat in range(players):
        book.values[kept, seat] = path.value[seat]


@jit
def _key(tables: Any, paths: Any) -> tuple[Any, Any]:
    """Return the key of a position in which a trick begins: the same words mixed in two ways."""
    path = paths[0]
    _lay_words(tables, paths)
    first, second = path.root, path.root ^ _OTHER
    for word in range(_WORDS):
        first = mix(first ^ path.words[word])
        second = mix(second ^ path.words[_WORDS - 1 - word])
    return first, second


@jit
def _lay_words(tables: Any, paths: Any) -> None:
    """Lay in `path.words` what the worth of a position hangs on."""
    table, path = tables[0], paths[0]
    for suit in range(4):
        path.words[suit] = _owners(table.live, suit, path)
    if path.ties != FIRST:  # which of two side suits is the first matters only to that rule
        _put_in_order(path.words, 0, 1)
        _put_in_order(path.words, 1, 2)
        _put_in_order(path.words, 0, 1)
    path.words[4] = _needs(tables, paths)
    path.words[5] = _free_cards(table) if table.live & FREE else ZERO


@jit
def _put_in_order(words: Any, one: int, other: int) -> None:
    if words[one] > words[other]:
        words[one], words[other] = words[other], words[one]


@jit
def _free_cards(table: Any) -> Any:
    """Return how many Wizards and Jesters each seat has."""
    word = ZERO
    for seat in range(table.players):
        wizards = popcount(table.hands[seat] & WIZARDS)
        word = (word << _NEED_BITS) | U(8 * wizards + popcount(table.hands[seat] & FREE) - wizards)
    return word


@jit
def _owners(live: Any, suit: int, path: Any) -> Any:
    """Return who owns the cards of a suit, three bits to each card from the lowest on."""
    rest = live & SUITED & (LANE << (SIXTEEN * U(suit)))
    owners = ZERO
    while rest != ZERO:
        owners = (owners << _THREE) | path.owner[lowest_bit(rest)]
        rest &= rest - ONE
    return owners


@jit
def _needs(tables: Any, paths: Any) -> Any:
    """Return who leads and what seats need, as far as it matters: all bids that are out of reach are alike."""
    table, path = tables[0], paths[0]
    needs = U(table.turn)
    for seat in range(table.players):
        need = table.needs[seat]
        if path.seat >= 0:  # one seat's bid is asked for
            need = need if seat == path.seat else 0
        elif path.graded == 0 and not 0 <= need <= table.left:
            need = -1
        needs = (needs << _NEED_BITS) | U(need + _BIAS)
    return needs
