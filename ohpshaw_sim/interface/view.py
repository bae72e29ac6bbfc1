"""What one seat may know at one decision: the structured dtype `VIEW`, each field declared and documented once.

A compiled agent gets one such record, a vectorised agent arrays of the same fields. Cards, suits and masks are those
of `ohpshaw_sim.cards`. Seats count clockwise from 0. What does not exist (a bid not made yet, no trump) is -1.
Other seats' cards are not here, nor is anything they could be worked out from beyond what a player at the table sees.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import DTypeLike

MAX_PLAYERS: Final = 7
MAX_HAND: Final = 20
"""Three players share the 60 cards of a Wizard deck."""
MAX_PLAYS: Final = 60
MAX_ROUNDS: Final = 64
"""Rounds of a schedule (at most 54) and tie-break rounds (at most 10)."""

BID, PLAY, NAME_TRUMP = range(3)
"""Kinds of decision, the values of `view.kind`."""

NOT_ANNOUNCED: Final = -2
UNDER, EVEN, OVER = -1, 0, 1
"""Values of `view.announcement`, made after the last bid (rule B9)."""


class Field(NamedTuple):
    """One field of the view: its name, its numpy type (with shape, if it is an array) and its meaning."""

    name: str
    dtype: DTypeLike
    meaning: str


FIELDS: Final = (
    # The decision.
    Field("hand", np.uint64, "the cards this seat holds, as a mask"),
    Field("legal", np.uint64, "legal answers: bit b for bid b, bit c for card c, bit s for suit s"),
    Field("rnd", np.uint64, "this decision's own uniform random word; seed more from it with kernels.rng"),
    Field("kind", np.int8, "0 = bid, 1 = play, 2 = name trump: the dealer, when a Wizard was turned"),
    Field("seat", np.int8, "the seat that is asked"),
    # The round.
    Field("players", np.int8, "number of players, 3..7"),
    Field("hand_size", np.int8, "cards dealt to each seat this round; the number of tricks"),
    Field("dealer", np.int8, "the dealer's seat; eldest hand is the next one"),
    Field("trump", np.int8, "trump suit 0..3; -1 = no trump, or none named yet"),
    Field("turn_up", np.int8, "the turned card; -1 = none was turned"),
    Field(
        "announcement", np.int8, "-2 before the last bid, then the bids' total is under -1, even 0, over 1"
    ),
    Field("pack", np.uint64, "all cards of the pack, as a mask"),
    Field(
        "gone", np.uint64, "cards seen by all: the turn-up and every card played, those on the table included"
    ),
    Field("bids", (np.int8, MAX_PLAYERS), "bid by seat; -1 = not made yet, or not revealed yet"),
    Field("tricks", (np.int8, MAX_PLAYERS), "tricks won so far, by seat"),
    # The trick under way.
    Field("leader", np.int8, "the seat that led, or leads, the trick under way"),
    Field("led", np.int8, "suit led 0..3; -1 = none: nothing, only Jesters, or a Wizard before any suit"),
    Field("on_table", np.int8, "number of cards on the table"),
    Field("winning_card", np.int8, "the card that wins the trick so far; -1 = none played"),
    Field("winning_seat", np.int8, "the seat that played it; -1 = none"),
    # What the play has shown.
    Field("trick_number", np.int8, "tricks finished so far"),
    Field("plays_made", np.int8, "cards played so far this round"),
    Field(
        "voids", (np.uint8, MAX_PLAYERS), "by seat, bit s is set when that seat has shown a void in suit s"
    ),
    Field("played", (np.uint64, MAX_PLAYERS), "cards played this round, by seat, as masks"),
    Field("plays", (np.int8, MAX_PLAYS), "cards in playing order; -1 beyond `plays_made`"),
    Field("leaders", (np.int8, MAX_HAND), "the seat that led each trick; -1 beyond the trick under way"),
    # The match.
    Field("round_number", np.int16, "rounds finished before this one"),
    Field("rounds_to_go", np.int16, "rounds of the schedule after this one"),
    Field("extra_round", np.int8, "0 in the schedule, k in the k-th tie-break round"),
    Field("contenders", np.uint8, "in a tie-break round, bit s is set for each tied seat"),
    Field("scores", (np.int32, MAX_PLAYERS), "running totals by seat, tie-break rounds left out"),
    Field(
        "schedule",
        (np.int8, MAX_ROUNDS),
        "hand sizes by round, tie-break rounds included once played; else 0",
    ),
    Field(
        "past_bids",
        (np.int8, (MAX_ROUNDS, MAX_PLAYERS)),
        "bids of earlier rounds, by round and seat; else -1",
    ),
    Field("past_tricks", (np.int8, (MAX_ROUNDS, MAX_PLAYERS)), "tricks of earlier rounds, likewise"),
    # The rules in force; `pack` says which cards there are.
    Field("hook_from", np.int8, "hand size from which on the dealer is hooked; 0 = never"),
    Field("simultaneous", np.int8, "1 = bids are revealed together"),
    Field("must_trump", np.int8, "1 = who cannot follow must play a trump"),
    Field("scoring", np.int8, "0 = exact, 1 = soft, 2 = wizard, 3 = penalty: see kernels.scoring"),
    Field("zero_bid", np.int8, "1 = a zero bid made scores 5 + hand size"),
    Field("round_winner_bonus", np.int8, "1 = 10 more points for the highest score of the round"),
    Field("rotating_trump", np.int8, "1 = suits take turns as trump, nothing is turned"),
    Field("no_trump_final", np.int8, "1 = the schedule's last round has no trump"),
)

VIEW: Final[np.dtype[np.void]] = np.dtype([(field.name, field.dtype) for field in FIELDS], align=True)


def blank_views(count: int) -> Any:
    """Return `count` zeroed views as a record array: its items answer `view.field` compiled and interpreted."""
    return np.zeros(count, VIEW).view(np.recarray)
