"""The way down a tree of plays and back: what a search of endings keeps for each card it has played.

    paths = ending_paths()          an array of one PATH record
    lay_stakes(paths, ...)          what the bids are and what they score
    open_plays(tables, paths)       the plays of a `playout` table's position, at the depth reached
    step_down(tables, paths)        plays the next of them
    step_back(tables, paths)        takes it back

The search is a loop over this record and no recursion: so it can be interrupted, gone on with and cached.

Cards of a hand are *alike* when no other card of their suit that may still matter lies between them: none in another
hand, and not the card that wins the trick so far. One of them is played for all, and counts for so many cards.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.kernels._jit import JIT_DISABLED, jit
from ohpshaw_sim.kernels.bits import ALL_BITS, FREE, ONE, SUITED, WIZARDS, ZERO, U, bit, lowest_bit, popcount
from ohpshaw_sim.kernels.playout import SEATS, play_card
from ohpshaw_sim.kernels.rng import mix
from ohpshaw_sim.kernels.scoring import EXACT
from ohpshaw_sim.kernels.tricks import legal_cards, unlike_cards

DEPTH: Final = 64
"""Room for cards on the way down."""
AVERAGE, SPITE, FIRST = range(3)
"""Rules for ties, see `kernels.endings`."""
PATH: Final = np.dtype(
    [
        # The stakes.
        ("bids", (np.int64, SEATS)),
        ("hand_size", np.int64),
        ("scoring", np.int64),
        ("zero_bid", np.int64),
        ("bonus", np.int64),  # 1 = the best of the round gets it (V13)
        ("ties", np.int64),  # AVERAGE, SPITE or FIRST
        ("graded", np.int64),  # 1 = by how much a bid is missed matters
        ("salt", np.uint64),  # sets them apart from others
        # What is asked: -1 = points of all, or whether this seat can hit its bid, `kernels.endings_bounds`.
        ("seat", np.int64),
        ("helped", np.int64),
        ("root", np.uint64),  # sets the positions of one search apart from those of another
        ("owner", (np.uint64, DEPTH)),  # by card: the seat that holds it, plus one
        ("words", (np.uint64, 8)),  # scratch of `kernels.endings_book`
        # The way, by number of cards played.
        ("depth", np.int64),
        ("moves", (np.uint64, DEPTH)),  # plays not tried yet, one of each group that is alike
        ("legal", (np.uint64, DEPTH)),
        ("card", (np.uint64, DEPTH)),  # the play under way
        ("count", (np.float64, DEPTH)),  # the cards it stands for
        ("turn", (np.int64, DEPTH)),
        ("led", (np.int64, DEPTH)),
        ("waiting", (np.int64, DEPTH)),
        ("best", (np.uint64, DEPTH)),
        ("best_seat", (np.int64, DEPTH)),
        ("keyed", (np.int64, DEPTH)),  # 1 = a trick begins here, and the position has a key
        ("keys", (np.uint64, (DEPTH, 2))),
        ("top", (np.float64, DEPTH)),  # what the best play tried is worth to the seat that plays it
        ("side", (np.float64, DEPTH)),  # what decides between such plays
        ("total", (np.float64, DEPTH)),  # number of cards that are as good
        ("sums", (np.float64, (DEPTH, SEATS))),  # what they are worth by seat, added up
        # Results.
        ("positions", np.int64),  # looked at so far
        ("value", (np.float64, SEATS)),
        ("points", (np.int64, SEATS)),  # scratch
    ],
    align=True,
)

if JIT_DISABLED:

    def ending_paths() -> Any:
        """Return an unfilled path, an array of one PATH record."""
        return np.zeros(1, PATH).view(np.recarray)

else:

    @jit
    def ending_paths() -> Any:
        """Return an unfilled path, an array of one PATH record."""
        return np.zeros(1, PATH)


@jit
def lay_stakes(
    paths: Any, bids: Any, players: int, hand_size: int, scoring: int, zero_bid: int, bonus: int, ties: int
) -> None:
    """Fill in what a round is played for; `bonus` and `ties` as in PATH, the rest as in `round_score`."""
    path = paths[0]
    path.hand_size, path.scoring, path.zero_bid, path.bonus = hand_size, scoring, zero_bid, bonus
    path.ties = ties
    path.graded = scoring != EXACT
    salt = mix(U(((((players * 32 + hand_size) * 4 + scoring) * 2 + zero_bid) * 2 + bonus) * 4 + ties))
    for seat in range(players):
        path.bids[seat] = bids[seat]
        salt = mix(salt ^ U(bids[seat]))
    path.salt = salt


@jit
def lay_path(tables: Any, paths: Any, seat: int, helped: int) -> None:
    """Begin at a table's position to ask for one seat, or for all (-1): no card is played yet."""
    table, path = tables[0], paths[0]
    path.depth, path.positions = 0, 0
    path.seat, path.helped = seat, helped
    path.root = mix(path.salt ^ U(2 * seat + 2 + helped))
    for holder in range(table.players):
        rest = table.hands[holder]
        while rest != ZERO:
            path.owner[lowest_bit(rest)] = U(holder + 1)
            rest &= rest - ONE


@jit
def open_plays(tables: Any, paths: Any) -> None:
    """List the plays of the position reached; nothing is known of their worth."""
    table, path = tables[0], paths[0]
    depth, hand = path.depth, table.hands[table.turn]
    legal = legal_cards(hand, table.led, table.trump, table.must_trump != 0)
    path.legal[depth] = legal
    path.moves[depth] = _unlike_cards(legal, table.live & ~hand, table.best)
    path.turn[depth] = table.turn
    path.total[depth] = 0.0


@jit
def _unlike_cards(legal: Any, others: Any, best: Any) -> Any:
    """Return a mask of the lowest legal card of each group that is alike."""
    if legal & (legal - ONE) == ZERO:
        return legal
    apart = others if best == ALL_BITS else others | best
    return unlike_cards(legal, apart)


@jit
def _cards_alike(legal: Any, card: Any, rest: Any) -> int:
    """Return for how many legal cards `card` stands; `rest` are the plays after it, all masks."""
    if card & FREE:
        return popcount(legal & (WIZARDS if card & WIZARDS else FREE & ~WIZARDS))
    rest &= SUITED
    below_next = bit(lowest_bit(rest)) - ONE if rest else ALL_BITS
    return popcount(legal & SUITED & below_next & ~(card - ONE))


@jit
def step_down(tables: Any, paths: Any) -> None:
    """Play the next of the plays listed."""
    table, path = tables[0], paths[0]
    depth = path.depth
    card = bit(lowest_bit(path.moves[depth]))
    path.moves[depth] ^= card
    path.card[depth] = card
    path.count[depth] = np.float64(_cards_alike(path.legal[depth], card, path.moves[depth]))
    path.led[depth], path.waiting[depth] = table.led, table.waiting
    path.best[depth], path.best_seat[depth] = table.best, table.best_seat
    play_card(tables, card)
    path.depth = depth + 1
    path.positions += 1


@jit
def step_back(tables: Any, paths: Any) -> None:
    """Take back the card played last."""
    table, path = tables[0], paths[0]
    depth = path.depth - 1
    path.depth = depth
    if path.waiting[depth] == 1:  # it was the last of a trick
        table.needs[table.turn] += 1
        table.left += 1
    table.turn = path.turn[depth]
    table.led, table.waiting = path.led[depth], path.waiting[depth]
    table.best, table.best_seat = path.best[depth], path.best_seat[depth]
    table.hands[table.turn] ^= path.card[depth]
    table.live ^= path.card[depth]
