"""The engine's own memory: plain structured records, so that compiled code passes them as one pointer.

    GAME      what stays the same over a run of sets: rules, schedule, pack, who sits at which place
    TABLE     one match in progress: hands, bids, the trick under way, whose turn it is. Never shown to an agent
    MATCH     the finished rounds of one match: what tallies are added up from

The engine never reads back what it has shown: every fact it decides by stands here, not in a view.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.interface.view import MAX_PLAYERS, MAX_ROUNDS

RULE_FIELDS: Final = (
    "hook_from",
    "simultaneous",
    "must_trump",
    "scoring",
    "zero_bid",
    "round_winner_bonus",
    "rotating_trump",
    "no_trump_final",
)
"""Options of the rules that both a GAME and a view hold."""

GAME: Final[np.dtype[np.void]] = np.dtype(
    [
        ("root_cards", np.uint64),
        ("root_agents", np.uint64),
        ("pack", np.uint64),
        ("players", np.int64),
        ("rounds", np.int64),  # rounds to play: the schedule's, or fewer when the match stops early (B16)
        ("schedule_length", np.int64),
        ("schedule", (np.int8, MAX_ROUNDS)),
        ("tie_break_hand", np.int64),
        ("extra_rounds", np.int64),  # tie-break rounds at most; 0 when the match stops early
        ("first_dealer", np.int64),  # -1 = drawn for each set
        ("given", np.uint64),  # address of deals that are given (see `given`); 0 = deals come from the seed
        ("given_sets", np.int64),
        ("deal_values", np.uint64),  # address of what deals are worth (see `luck`); 0 = luck is not counted
        ("arm", np.int64),  # arm of a comparison: part of every agent's randomness, not of the cards
        # The rules: what a view shows of them is under the same names there.
        ("trumps", (np.int8, MAX_ROUNDS)),  # by round: the trump, -1 = none, -2 = the turned card's suit
        *((name, np.int8) for name in RULE_FIELDS),
        # By place in the line-up: addresses of compiled functions (0 = asked outside) and their parameters.
        ("bid_call", (np.uint64, MAX_PLAYERS)),
        ("name_call", (np.uint64, MAX_PLAYERS)),  # with the parameters of the bid
        ("play_call", (np.uint64, MAX_PLAYERS)),
        ("bid_params", (np.uint64, MAX_PLAYERS)),
        ("play_params", (np.uint64, MAX_PLAYERS)),
        ("bid_params_count", (np.int64, MAX_PLAYERS)),
        ("play_params_count", (np.int64, MAX_PLAYERS)),
        ("guarded", (np.int8, MAX_PLAYERS)),  # 1 = shown a copy of the view, since it may write to it
    ],
    align=True,
)

TABLE: Final[np.dtype[np.void]] = np.dtype(
    [
        # The turn and the trick under way, up to date while an agent outside is asked.
        ("kind", np.int64),  # BID, PLAY, NAME_TRUMP or ROUND_OVER
        ("turn", np.uint8),
        ("legal", np.uint64),  # legal answers of the seat that is asked
        ("refused", np.int64),  # the last illegal answer
        ("led", np.int64),
        ("best_seat", np.uint8),  # who wins the trick so far, and with what
        ("best_card", np.int64),
        # The round.
        ("hands", (np.uint64, MAX_PLAYERS)),
        ("bids", (np.int64, MAX_PLAYERS)),
        ("tricks", (np.int64, MAX_PLAYERS)),
        ("trump", np.int64),
        ("hand_size", np.int64),
        ("dealer", np.uint8),
        ("players", np.int64),
        ("plays_made", np.uint8),
        ("gone", np.uint64),  # the turn-up and every card played
        ("forfeits", np.int64),  # seats that have forfeited the round, as bits (see `forfeits`)
        ("round_keys", (np.uint64, MAX_PLAYERS)),  # roots of the agents' words, by seat
        # The match.
        ("set_number", np.int64),
        ("rotation", np.int64),
        ("set_key", np.uint64),
        ("seat_keys", (np.uint64, MAX_PLAYERS)),
        ("places", (np.uint8, MAX_PLAYERS)),  # place in the line-up, by seat
        ("round_number", np.int64),  # rounds finished, tie-break rounds included
        ("first_dealer", np.int64),
        ("luck", np.int64),  # of the deals so far, counted in the first rotation of a set
        ("contenders", np.int64),  # seats tied on top once the schedule is played, as bits
        ("scores", (np.int64, MAX_PLAYERS)),
        # Progress, read from outside while play goes on.
        ("asked", np.int64),  # rounds begun, and decisions asked of agents that are not trusted
        ("asked_place", np.int64),  # place in the line-up of the last one of these
        (
            "asked_exactly",
            np.int64,
        ),  # 1 = turn, set, rotation, round and plays made are those of one decision asked
    ],
    align=True,
)

MATCH: Final[np.dtype[np.void]] = np.dtype(
    [
        ("set_number", np.int32),
        ("rotation", np.int8),
        ("luck", np.int32),  # of the match's deals in the first rotation of a set, else 0
        ("winners", np.uint8),  # seats that won or share the win, as bits
        ("places", (np.int8, MAX_PLAYERS)),  # place in the line-up, by seat
        ("rounds", np.int16),  # rounds of the schedule that were played
        ("extra_rounds", np.int16),  # tie-break rounds that were played
        ("dealers", (np.int8, MAX_ROUNDS)),
        (
            "bids",
            (np.int8, (MAX_ROUNDS, MAX_PLAYERS)),
        ),  # by round and seat; tie-break rounds follow the schedule's
        ("tricks", (np.int8, (MAX_ROUNDS, MAX_PLAYERS))),
        ("points", (np.int16, (MAX_ROUNDS, MAX_PLAYERS))),
        ("forfeits", (np.uint8, MAX_ROUNDS)),  # by round: seats that forfeited it, as bits
    ],
    align=True,
)

ROUND_OVER: Final = 3
"""`table.kind` when all cards are played."""


def records(dtype: np.dtype[np.void], count: int) -> Any:
    """Return `count` zeroed records whose items answer `record.field`, compiled and interpreted."""
    return np.zeros(count, dtype).view(np.recarray)
