"""Playing one world on to the end of the round: the inner loop of every agent that searches.

    table = playout_table()            an array of one PLAYOUT record; hold on to the array
    ... fill in the position, hands and needs ...
    playout(table[0], card)            plays; needs[s] falls by one for every trick that seat s wins

Every seat plays the policy of `kernels.policy`. All cards are turned, so that trump is suit 3.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.kernels._jit import JIT_DISABLED, jit
from ohpshaw_sim.kernels.bits import ONE, ZERO, U, bit, highest_bit, lane, nth_bit, popcount
from ohpshaw_sim.kernels.policy import aim_card, turn_of, turned, turned_suit
from ohpshaw_sim.kernels.rng import below, stream_word
from ohpshaw_sim.kernels.tricks import contest, legal_cards, next_seat, strength

SEATS: Final = 8
"""Room for seats; a power of two."""
AIM, RANDOM = 0, 1
"""Values of `rollout`."""

PLAYOUT: Final = np.dtype(
    [
        # The position; left as it is by `playout`, moved on by `play_card`.
        ("players", np.int64),
        ("trump", np.int64),  # 3, or -1 without trump
        ("left", np.int64),  # tricks still to be won, the one under way included
        ("turn", np.int64),  # the seat to play
        ("led", np.int64),  # suit led; -1 = the seat is to lead
        ("waiting", np.int64),  # seats still to play to the trick, the one to play included
        ("best", np.uint64),  # the strongest card on the table, as a mask; 0 = none
        ("best_seat", np.int64),
        ("rollout", np.int64),  # AIM or RANDOM
        ("key", np.uint64),  # randomness of RANDOM
        ("live", np.uint64),  # all cards in hands
        # What a playout uses up.
        ("hands", (np.uint64, SEATS)),
        ("needs", (np.int64, SEATS)),  # bid less tricks won
    ],
    align=True,
)

if JIT_DISABLED:

    def playout_table() -> Any:
        """Return an unfilled table, an array of one record; hold on to the array, not to its record."""
        return np.zeros(1, PLAYOUT).view(np.recarray)

else:

    @jit
    def playout_table() -> Any:
        """Return an unfilled table, an array of one record; hold on to the array, not to its record."""
        return np.zeros(1, PLAYOUT)


@jit
def playout(table: Any, first: Any) -> None:
    """Play a table's position to the end of the round; hands are used up, needs are counted down.

    `first` is the card that the seat to play plays, as a mask; 0 = what the policy says.
    """
    players, trump, left = U(table.players), table.trump, table.left
    seat, best_seat, waiting = U(table.turn), U(table.best_seat), U(table.waiting)
    led, best, live = table.led, table.best, table.live
    top, able = lane(trump), contest(led, trump)
    card = U(first)
    plays, random = 0, table.rollout == RANDOM
    while left > 0:
        hand = table.hands[seat]
        if left == 1:
            card = hand  # the last trick plays itself
        elif card == ZERO:
            if random:
                legal = legal_cards(hand, led)
                card = bit(nth_bit(legal, below(stream_word(table.key, plays), popcount(legal))))
            else:
                card = aim_card(hand, live, led, able, top, best, table.needs[seat], waiting == ONE)
        table.hands[seat] = hand ^ card
        live ^= card
        plays += 1
        if waiting == players:
            led, best = highest_bit(card) >> 4, ZERO
            able = contest(led, trump)
        power = strength(card, able, ZERO)
        wins = power > best
        best = power if wins else best
        best_seat = seat if wins else best_seat
        card = ZERO
        waiting -= ONE
        if waiting != ZERO:
            seat = next_seat(seat, players)
            continue
        table.needs[best_seat] -= 1
        left -= 1
        seat, led, waiting = best_seat, -1, players


@jit
def play_card(table: Any, card: Any) -> None:
    """Play one card (a mask) of the seat to play and move the table's position on; `led` is -1 after a trick."""
    seat, players = table.turn, table.players
    table.hands[seat] ^= card
    table.live ^= card
    if table.waiting == players:
        table.led = highest_bit(card) >> 4
        table.best = ZERO
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
    table.waiting = players


@jit
def lay_position(view: Any, table: Any) -> None:
    """Fill in a table's position from what a view shows; not the hands and needs.

    To a bid it is the first lead, as it will be once all have bid.
    """
    turn = turn_of(view.trump)
    table.players = view.players
    table.trump = turned_suit(view.trump, view.trump)
    table.left = view.hand_size - view.trick_number
    table.turn = (view.leader + view.on_table) % view.players
    table.led = turned_suit(view.led, view.trump)
    table.waiting = view.players - view.on_table
    table.best = turned(bit(view.winning_card), turn) if view.on_table else ZERO
    table.best_seat = max(view.winning_seat, 0)


@jit
def lay_hands(view: Any, table: Any, hands: Any, bids: Any) -> None:
    """Give a table the hands (uint64 by seat, not turned) of a world, and the needs that go with `bids`."""
    turn = turn_of(view.trump)
    live = ZERO
    for seat in range(view.players):
        hand = turned(hands[seat], turn)
        table.hands[seat] = hand
        table.needs[seat] = bids[seat] - view.tricks[seat]
        live |= hand
    table.live = live
