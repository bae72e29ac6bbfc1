"""Whole matches of the engine, every decision answered at random and written down as plain numbers.

One compiled call plays many matches, so that a referee in plain Python can judge them by the hundred thousand. A round
is `ROUND`, a decision in it `DECISION`; voids, bids and tricks of all seats are packed into one number each.
"""

from typing import Any, NamedTuple

import numpy as np

from ohpshaw_sim.engine.advance import advance
from ohpshaw_sim.engine.asking import FINISHED, NO_ANSWER
from ohpshaw_sim.engine.match import begin_match, begin_round, end_round
from ohpshaw_sim.engine.options import lay_rules
from ohpshaw_sim.engine.state import GAME, MATCH, TABLE, records
from ohpshaw_sim.interface.view import MAX_PLAYERS, blank_views
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import nth_bit, popcount
from ohpshaw_sim.kernels.rng import below, fold, root
from ohpshaw_sim.rules import EXTRA_ROUNDS, Rules

BITS = 5
"""Of each seat's bid + 1, or tricks, in a packed number."""
ROUND = np.dtype(
    [
        ("decisions", np.int64),
        ("hand_size", np.int64),
        ("dealer", np.int64),
        ("turn_up", np.int64),
        ("going", np.int64),
        ("hands", (np.uint64, MAX_PLAYERS)),
        ("points", (np.int64, MAX_PLAYERS)),
    ]
)
DECISION = np.dtype(
    [
        (name, np.int64)
        for name in ("kind", "seat", "answer", "trump", "announcement", "led", "leader", "winning_seat")
    ]
    + [("winning_card", np.int64), ("voids", np.int64), ("bids", np.int64), ("tricks", np.int64)]
    + [("legal", np.uint64)]
)


class Trace(NamedTuple):
    """What some matches of one set of rules came to; rounds and decisions of all of them in a row."""

    players: int
    rounds: list[Any]
    decisions: list[Any]
    matches: Any


def game_record(rules: Rules, players: int, seed: int) -> Any:
    """The engine's record of a game in which every seat is asked from outside."""
    games = records(GAME, 1)
    game, schedule = games[0], rules.schedule_for(players)
    lay_rules(game, rules, len(schedule))
    game.root_cards, game.root_agents = root(seed, "cards"), root(seed, "agents")
    game.players, game.rounds, game.schedule_length = players, len(schedule), len(schedule)
    game.schedule[: len(schedule)] = schedule
    game.tie_break_hand = rules.tie_break_size(players)
    game.extra_rounds = EXTRA_ROUNDS
    game.first_dealer = -1 if rules.first_dealer is None else rules.first_dealer
    return games


def trace_matches(rules: Rules, players: int, seed: int, count: int) -> Trace:
    """Play so many matches under these rules."""
    games, sizes = game_record(rules, players, seed), rules.schedule_for(players)
    most = count * (len(sizes) + EXTRA_ROUNDS)
    per_round = 1 + players * (1 + max(*sizes, rules.tie_break_size(players)))
    rounds, decisions = records(ROUND, most), records(DECISION, most * per_round)
    matches, memory = records(MATCH, count), (blank_views(2), records(TABLE, 1), games)
    used = _play(memory, matches, rounds, decisions, count)
    return Trace(players, rounds[: used[0]].tolist(), decisions[: used[1]].tolist(), matches)


@jit
def _play(memory: Any, matches: Any, rounds: Any, decisions: Any, count: int) -> tuple[int, int]:
    views, tables, games = memory
    view, shown, table, game = views[0], views[1], tables[0], games[0]
    made, asked = 0, 0
    for number in range(count):
        begin_match(view, table, matches[number], game, number, 0)
        going = True
        while going:
            begin_round(view, table, game)
            played = rounds[made]
            played.hand_size, played.dealer, played.turn_up = table.hand_size, table.dealer, view.turn_up
            for seat in range(game.players):
                played.hands[seat] = table.hands[seat]
            first = asked
            waiting = advance(view, table, game, shown, NO_ANSWER)
            while waiting != FINISHED:
                word = fold(game.root_agents, asked)
                answer = nth_bit(table.legal, below(word, popcount(table.legal)))
                _note(decisions[asked], view, table, answer)
                asked += 1
                waiting = advance(view, table, game, shown, answer)
            going = end_round(view, table, matches[number], game)
            played.decisions, played.going = asked - first, going
            for seat in range(game.players):
                played.points[seat] = matches[number].points[table.round_number - 1, seat]
            made += 1
    return made, asked


@jit
def _note(decision: Any, view: Any, table: Any, answer: int) -> None:
    decision.kind, decision.seat, decision.answer = view.kind, view.seat, answer
    decision.trump, decision.announcement = view.trump, view.announcement
    decision.led, decision.leader = view.led, view.leader
    decision.winning_seat, decision.winning_card = view.winning_seat, view.winning_card
    decision.legal = view.legal
    voids, bids, tricks = 0, 0, 0
    for seat in range(table.players):
        voids |= np.int64(view.voids[seat]) << (4 * seat)
        bids |= np.int64(view.bids[seat] + 1) << (BITS * seat)
        tricks |= np.int64(view.tricks[seat]) << (BITS * seat)
    decision.voids, decision.bids, decision.tricks = voids, bids, tricks
