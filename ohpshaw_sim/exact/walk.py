"""Walking through every way to bid and play all deals of a small game, by the engine itself.

The engine stops at each decision; the walk takes every legal answer in turn and goes back to the next one, depth first.
So no rule stands here: what is legal, who wins and who is asked next are the engine's answers.

An *information set* is what a seat knows at a decision: its cards and all that was bid and played. A *sequence* is one
answer at an information set, and all that the seat answered before it. A *line* is a deal bid and played to its
end: of each seat the last sequence, and the points. Decisions with one legal answer are no information sets.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numba import types
from numba.typed import Dict

from ohpshaw_sim.engine.advance import advance
from ohpshaw_sim.engine.asking import FINISHED, NO_ANSWER
from ohpshaw_sim.engine.laying import lay_round
from ohpshaw_sim.engine.state import TABLE, records
from ohpshaw_sim.interface.view import BID, blank_views
from ohpshaw_sim.kernels._jit import JIT_DISABLED, jit, jit_inline
from ohpshaw_sim.kernels.bits import ONE, ZERO, bit, lowest_bit, popcount
from ohpshaw_sim.kernels.dealing import TURNED
from ohpshaw_sim.kernels.scoring import add_bonus, round_score

DEPTH: Final = 40
"""More decisions than any small game has on a line."""
_KEY: Final = None if JIT_DISABLED else types.UniTuple(types.uint64, 2)
INFOSETS, SEQUENCES, LINES = range(3)
"""Places in `Found.counts`."""


class Found(NamedTuple):
    """What a walk writes down. Rows are filled from the top, `counts` says how many."""

    counts: Any  # int64[3]: information sets, sequences, lines
    owner: Any  # by information set: the seat that decides
    parent: Any  # the sequence of that seat that leads there
    first: Any  # its first sequence, one for each legal answer, lowest first
    options: Any  # how many legal answers there are
    deal: Any  # a deal in which it comes up
    made: Any  # how many answers were given before it, one after the other
    answers: Any  # [information set, answer]: these answers
    answer_of: Any  # by sequence: the answer it ends with
    last: Any  # [line, seat]: the seat's last sequence
    points: Any  # [line, seat]: what the round scored


class Desk(NamedTuple):
    """The way from the first bid to where the walk is: by depth the engine's records, and what is left to try."""

    views: Any
    view_words: Any  # the same memory as uint64[depth, word], since numba copies no large records
    tables: Any
    table_words: Any  # likewise
    shown: Any  # a view to scribble on
    left: Any  # legal answers not tried yet, as a mask
    tried: Any  # how many were tried
    infoset: Any  # the information set
    public: Any  # the answers so far as one number
    made: Any  # how many they are
    answers: Any  # these answers, at any depth
    last: Any  # [depth, seat]: the seat's last sequence


def new_desk() -> Desk:
    """Return an empty desk."""
    views, tables = blank_views(DEPTH + 1), records(TABLE, DEPTH + 1)
    views["past_bids"], views["past_tricks"] = -1, -1
    return Desk(
        views,
        _words(views),
        tables,
        _words(tables),
        blank_views(1),
        np.zeros(DEPTH + 1, np.uint64),
        np.zeros(DEPTH + 1, np.int64),
        np.zeros(DEPTH + 1, np.int64),
        np.zeros(DEPTH + 1, np.uint64),
        np.zeros(DEPTH + 1, np.int64),
        np.zeros(DEPTH + 1, np.int8),
        np.zeros((DEPTH + 1, 7), np.int32),
    )


def _words(rows: Any) -> Any:
    """Return the memory of some records as uint64[row, word]."""
    return rows.view(np.ndarray).view(np.uint64).reshape(len(rows), -1)


def new_book() -> Any:
    """Return an empty book of information sets: their numbers by what was said and played, and by the hand dealt."""
    return {} if JIT_DISABLED else Dict.empty(_KEY, types.int64)


@jit
def walk(
    games: Any, deals: Any, turn_up: int, start: int, room: int, found: Found, desk: Desk, book: Any
) -> int:
    """Walk through deals `start`, `start` + 1, ...; return the first deal that was not walked through.

    The walk ends with the last deal, or where a further deal of up to `room` lines might not fit into `found`.
    """
    players = games[0].players
    for deal in range(start, len(deals)):
        for kind, rows in (
            (INFOSETS, len(found.owner)),
            (SEQUENCES, len(found.answer_of)),
            (LINES, len(found.last)),
        ):
            if found.counts[kind] + 2 * room > rows:
                return deal
        lay_deal(games, deals, deal, turn_up, desk)
        depth = 0
        open_decision(deals, deal, depth, found, desk, book)
        while depth >= 0:
            if desk.left[depth] == ZERO:
                depth -= 1
            elif step_down(games, depth, found, desk):
                add_line(games, depth + 1, players, found, desk)
            else:
                depth += 1
                open_decision(deals, deal, depth, found, desk, book)
    return len(deals)


@jit_inline
def lay_deal(games: Any, deals: Any, deal: int, turn_up: int, desk: Desk) -> None:
    """Lay a deal on the table at depth 0, where eldest hand is to bid."""
    table, view, players = desk.tables[0], desk.views[0], games[0].players
    table.players = players
    for seat in range(players):
        table.hands[seat] = deals[deal, seat]
        desk.last[0, seat] = seat
    lay_round(view, table, players - 1, games[0].schedule[0], turn_up, TURNED)
    advance(view, table, games[0], desk.shown[0], NO_ANSWER)
    desk.public[0] = 1
    desk.made[0] = 0


@jit_inline
def open_decision(deals: Any, deal: int, depth: int, found: Found, desk: Desk, book: Any) -> None:
    """Look up the information set of the decision at a depth, or write down a new one."""
    table = desk.tables[depth]
    seat, legal = np.int64(table.turn), table.legal
    key = (desk.public[depth], deals[deal, seat])
    if key in book:
        infoset = book[key]
    else:
        infoset, sequence = found.counts[INFOSETS], found.counts[SEQUENCES]
        book[key] = infoset
        found.owner[infoset], found.parent[infoset] = seat, desk.last[depth, seat]
        found.first[infoset], found.options[infoset] = sequence, popcount(legal)
        found.deal[infoset], found.made[infoset] = deal, desk.made[depth]
        for number in range(desk.made[depth]):
            found.answers[infoset, number] = desk.answers[number]
        left = legal
        while left != ZERO:
            found.answer_of[sequence] = lowest_bit(left)
            left &= left - ONE
            sequence += 1
        found.counts[INFOSETS], found.counts[SEQUENCES] = infoset + 1, sequence
    desk.infoset[depth], desk.left[depth], desk.tried[depth] = infoset, legal, 0


@jit_inline
def step_down(games: Any, depth: int, found: Found, desk: Desk) -> bool:
    """Give the next untried answer at a depth, and all answers without a choice after it; tell if the round is over."""
    answer = lowest_bit(desk.left[depth])
    desk.left[depth] &= desk.left[depth] - ONE
    seat = np.int64(desk.tables[depth].turn)
    desk.view_words[depth + 1] = desk.view_words[depth]
    desk.table_words[depth + 1] = desk.table_words[depth]
    desk.last[depth + 1] = desk.last[depth]
    desk.last[depth + 1, seat] = found.first[desk.infoset[depth]] + desk.tried[depth]
    desk.tried[depth] += 1
    view, table, made = desk.views[depth + 1], desk.tables[depth + 1], desk.made[depth]
    public = desk.public[depth]
    while True:
        desk.answers[made] = answer
        made += 1
        public = extended(public, answer, table.kind == BID, games[0].pack)
        if advance(view, table, games[0], desk.shown[0], answer) == FINISHED:
            return True
        if table.legal & (table.legal - ONE) != ZERO:
            break
        answer = lowest_bit(table.legal)
    desk.public[depth + 1] = public
    desk.made[depth + 1] = made
    return False


@jit
def extended(public: Any, answer: int, bids: bool, pack: Any) -> Any:
    """Return the number of a history with one more answer; different histories have different numbers."""
    digit = answer if bids else popcount(pack & (bit(answer) - ONE))
    radix = popcount(pack) + 1  # more than any bid: hands are smaller than the pack
    return public * np.uint64(radix) + np.uint64(digit + 1)


@jit_inline
def add_line(games: Any, depth: int, players: int, found: Found, desk: Desk) -> None:
    """Write down a line that is over, unless nobody scored."""
    table, game, line = desk.tables[depth], games[0], found.counts[LINES]
    points, scored = found.points[line], False
    for seat in range(players):
        points[seat] = round_score(
            game.scoring, game.zero_bid, table.hand_size, table.bids[seat], table.tricks[seat]
        )
        scored |= points[seat] != 0
        found.last[line, seat] = desk.last[depth, seat]
    if game.round_winner_bonus:
        add_bonus(points, players)
    found.counts[LINES] += scored
