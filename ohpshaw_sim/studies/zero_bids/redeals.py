"""Redeals: the cards that a bidder cannot see, dealt again as they may lie by all it knows.

It knows its hand, the turn-up and, unless all bid at once, the bids before its own. Hands that would not have made
those bids are as impossible as hands that hold the turn-up. So the seats that have bid are dealt one after another,
eldest hand first: a hand is drawn at random from what is left, with a random word of the seat's own, and the agent in
that seat is asked what it bids; the first hand that bids what was heard is kept. Seats yet to bid get any of the rest.

Taken alone that would favour hands that leave the later seats little choice. The redeal therefore weighs the product,
over the seats that have bid, of the chance that a hand drawn at random there bids what was heard (sequential
importance sampling; Liu, Monte Carlo Strategies in Scientific Computing, 2001, 2.6). The chance is not known, but its
unbiased estimate serves as well, since the kept hand does not depend on it: hands are drawn until MATCHES of them bid
as heard, of n drawn, or MOST are drawn, k of them matching:

    (MATCHES - 1) / (n - 1),   or   k / MOST        (Girshick, Mosteller & Savage, Ann. Math. Statist. 17, 1946)

An agent that draws on luck is met in the same way: its word is drawn with the hand, and stays the seat's for the play.
"""

from typing import Any, Final

from ohpshaw_sim.engine.advance import advance
from ohpshaw_sim.engine.asking import FINISHED, NO_ANSWER, ask_compiled, is_legal, refuse, show_decision
from ohpshaw_sim.engine.calls import copy_view
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bidding import legal_bids
from ohpshaw_sim.kernels.bits import U, popcount
from ohpshaw_sim.kernels.rng import fold
from ohpshaw_sim.kernels.worlds import random_subset
from ohpshaw_sim.studies.zero_bids.situations import ASKED_GAME, AT_BID, FIELD_GAME, LAID, PLAYED

MATCHES: Final = 8
"""Hands that bid as heard, after which a seat's search ends."""
MOST: Final = 1024
"""Hands after which it ends in any case."""
IMPURE: Final = -3
"""Returned where an agent answered the same question differently."""
_LUCK: Final = 1_000_003
"""Counter of a hand's key that makes its seat's random words; the hand itself takes the first few."""


@jit
def redeal(desk: Any, seat: Any, situation: Any, key: Any) -> tuple[int, float]:
    """Deal the unseen cards again and play up to the bid of `seat`; return FINISHED and the redeal's weight.

    The table and view at the bid are left at AT_BID. With a weight of 0 there is no redeal. Instead of FINISHED it may
    be ILLEGAL or IMPURE. `key` (uint64) is the redeal's own; `situation` counts the hands that were tried.
    """
    view, table, game = desk.views[PLAYED], desk.tables[PLAYED], desk.games[FIELD_GAME]
    copy_view(view, desk.views[LAID])
    desk.tables[PLAYED] = desk.tables[LAID]
    left = game.pack & ~(table.gone | situation.hand)
    table.hands[seat] = situation.hand
    weight = 1.0
    turn = (U(table.dealer) + U(1)) % U(game.players)
    for place in range(game.players):
        if turn == seat:
            table.round_keys[turn] = fold(fold(key, place), _LUCK)
        elif place < situation.heard:
            outcome, chance = _hand_that_bids(desk, turn, situation, place, left, fold(key, place))
            if outcome != FINISHED or chance == 0.0:
                return outcome, 0.0
            weight *= chance
            table.bids[turn] = situation.bids[place]
            view.bids[turn] = situation.bids[place]
        else:
            _any_hand(table, turn, left, fold(key, place))
        if turn != seat:
            left ^= table.hands[turn]
        turn = (turn + U(1)) % U(game.players)
    return _up_to_bid(desk, situation), weight


@jit
def _hand_that_bids(
    desk: Any, turn: Any, situation: Any, place: int, left: Any, key: Any
) -> tuple[int, float]:
    """Deal a seat a hand that bids what was heard; return FINISHED (or ILLEGAL) and the estimate of its chance."""
    view, table, game, shown = desk.views[PLAYED], desk.tables[PLAYED], desk.games[FIELD_GAME], desk.shown[0]
    legal, bid, at = legal_bids(table.hand_size), situation.bids[place], table.places[turn]
    kept_hand, kept_key, tried, matched = U(0), U(0), 0, 0
    while tried < MOST and matched < MATCHES:
        _any_hand(table, turn, left, fold(key, tried))
        show_decision(view, table, turn, legal, 0)
        answer = ask_compiled(
            view, shown, table, game, at, game.bid_call[at], game.bid_params[at], game.bid_params_count[at]
        )
        if not is_legal(answer, legal):
            return refuse(table, at, legal, answer), 0.0
        tried += 1
        if answer == bid:
            if matched == 0:
                kept_hand, kept_key = table.hands[turn], table.round_keys[turn]
            matched += 1
    situation.tried += tried
    situation.matched += matched
    table.hands[turn] = kept_hand
    table.round_keys[turn] = kept_key
    return FINISHED, (matched - 1) / (tried - 1) if matched == MATCHES else matched / tried


@jit
def _any_hand(table: Any, turn: Any, left: Any, key: Any) -> None:
    """Deal a seat a hand of the cards left, with random words of its own."""
    hand, _ = random_subset(left, popcount(left), table.hand_size, key, 0)
    table.hands[turn] = hand
    table.round_keys[turn] = fold(key, _LUCK)


@jit
def _up_to_bid(desk: Any, situation: Any) -> int:
    """Have the round that was redealt bid up to the bidder, as any round is; return FINISHED, ILLEGAL or IMPURE."""
    view, table, laid = desk.views[PLAYED], desk.tables[PLAYED], desk.tables[LAID]
    for turn in range(table.players):
        laid.hands[turn] = table.hands[turn]
        laid.round_keys[turn] = table.round_keys[turn]
    copy_view(view, desk.views[LAID])
    desk.tables[PLAYED] = laid
    reached = advance(view, table, desk.games[ASKED_GAME], desk.shown[0], NO_ANSWER)
    if reached < 0:
        return reached
    turn = (U(table.dealer) + U(1)) % U(table.players)
    for place in range(situation.heard):
        if table.bids[turn] != situation.bids[place]:
            return IMPURE
        turn = (turn + U(1)) % U(table.players)
    copy_view(desk.views[AT_BID], view)
    desk.tables[AT_BID] = table
    return FINISHED
