"""One world under way: a table that is laid from a view and played on card by card.

    tables = playout_table()           an array of one PLAYOUT record
    lay_position(view, tables)
    lay_hands(view, tables, hands, bids)
    play_card(tables, card)            needs[s] falls by one for every trick that seat s wins

Who makes the array hands on the array, not its record: in compiled code a record keeps nothing alive, and numba frees
an array after the last line that names it.

`kernels.together` plays many such worlds to the end at once. All cards are turned, so that trump is suit 3.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.kernels._jit import JIT_DISABLED, jit
from ohpshaw_sim.kernels.bits import FREE, ZERO, U, bit, highest_bit, nth_bit, popcount
from ohpshaw_sim.kernels.policy import turn_of, turned, turned_suit
from ohpshaw_sim.kernels.rng import below, stream_word
from ohpshaw_sim.kernels.tricks import contest, legal_cards, next_seat, own_suit, strength

SEATS: Final = 8
"""Room for seats; a power of two."""
PLAYOUT: Final = np.dtype(
    [
        ("players", np.int64),
        ("trump", np.int64),  # 3, or -1 without trump
        ("must_trump", np.int64),  # 1 = who cannot follow must play a trump
        ("odd", np.int64),  # 1 = so, or there are Wizards and Jesters
        ("left", np.int64),  # tricks still to be won, the one under way included
        ("turn", np.int64),  # the seat to play
        ("led", np.int64),  # suit led; -1 = none
        ("waiting", np.int64),  # seats still to play to the trick, the one to play included
        ("best", np.uint64),  # strength of the strongest card on the table; 0 = none, or only Jesters
        ("best_seat", np.int64),
        ("key", np.uint64),  # randomness of `random_playout`
        ("live", np.uint64),  # all cards in hands
        ("hands", (np.uint64, SEATS)),
        ("needs", (np.int64, SEATS)),  # bid less tricks won
    ],
    align=True,
)

if JIT_DISABLED:

    def playout_table() -> Any:
        """Return an unfilled table, an array of one PLAYOUT record."""
        return np.zeros(1, PLAYOUT).view(np.recarray)

else:

    @jit
    def playout_table() -> Any:
        """Return an unfilled table, an array of one PLAYOUT record."""
        return np.zeros(1, PLAYOUT)


@jit
def random_playout(tables: Any) -> None:
    """Play a table's position to the end of the round by random legal cards; `needs` are counted down."""
    table = tables[0]
    plays = 0
    while table.left > 0:
        legal = legal_cards(table.hands[table.turn], table.led, table.trump, table.must_trump != 0)
        play_card(tables, bit(nth_bit(legal, below(stream_word(table.key, plays), popcount(legal)))))
        plays += 1


@jit
def play_card(tables: Any, card: Any) -> None:
    """Play one card (a mask) of the seat to play and move the table's position on.

    After a trick all are waiting again, `led` is -1 and `best` 0.
    """
    table = tables[0]
    seat, players = table.turn, table.players
    table.hands[seat] ^= card
    table.live ^= card
    if table.best == ZERO:  # the first card that is no Jester sets the suit led
        table.led = own_suit(highest_bit(card))
        table.best_seat = seat if table.waiting == players else table.best_seat
    power = strength(card, contest(table.led, table.trump), ZERO)
    if power > table.best:
        table.best = power
        table.best_seat = seat
    table.waiting -= 1
    if table.waiting > 0:
        table.turn = np.int64(next_seat(U(seat), U(players)))
        return
    table.needs[table.best_seat] -= 1
    table.left -= 1
    table.turn = table.best_seat
    table.led = -1
    table.best = ZERO
    table.waiting = players


@jit
def lay_position(view: Any, tables: Any) -> None:
    """Fill in a table's position from what a view shows; not the hands and needs.

    To a bid it is the first lead, as it will be once all have bid.
    """
    table, turn = tables[0], turn_of(view.trump)
    table.players = view.players
    table.trump = turned_suit(view.trump, view.trump)
    table.must_trump = view.must_trump
    table.odd = view.must_trump != 0 or view.pack & FREE != ZERO
    table.left = view.hand_size - view.trick_number
    table.turn = (view.leader + view.on_table) % view.players
    table.led = turned_suit(view.led, view.trump)
    table.waiting = view.players - view.on_table
    table.best = ZERO
    if view.on_table:
        table.best = strength(turned(bit(view.winning_card), turn), contest(table.led, table.trump), ZERO)
    table.best_seat = max(view.winning_seat, 0)


@jit
def lay_hands(view: Any, tables: Any, hands: Any, bids: Any) -> None:
    """Give a table the hands (uint64 by seat, not turned) of a world, and the needs that go with `bids`."""
    table, turn = tables[0], turn_of(view.trump)
    live = ZERO
    for seat in range(view.players):
        hand = turned(hands[seat], turn)
        table.hands[seat] = hand
        table.needs[seat] = bids[seat] - view.tricks[seat]
        live |= hand
    table.live = live
