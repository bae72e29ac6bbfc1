"""A lower bound where a round is too large for best answers: what other bids would have brought, on deals held out.

The agent sits at all seats. In each deal each seat in turn makes every bid it may, the others and the play being the
agent's. By the first half of the deals the best bid is chosen for each summary of a situation: what the agent itself
bids there, what was bid before, and the trumps held. On the second half these choices are valued, so that hindsight is
not counted. Somebody who also plays otherwise, or who sees more than the summary, gains more: it is a lower bound.
"""

from collections.abc import Callable
from typing import Any, Final, cast

import numpy as np

from ohpshaw_sim.engine.advance import advance
from ohpshaw_sim.engine.asking import FINISHED, NO_ANSWER, is_legal
from ohpshaw_sim.engine.calls import call_agent, calls_of, copy_view
from ohpshaw_sim.engine.laying import lay_round
from ohpshaw_sim.engine.lineup import Game, lay_game
from ohpshaw_sim.engine.options import show_rules
from ohpshaw_sim.engine.play import AgentFaultError
from ohpshaw_sim.engine.state import TABLE, records
from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.exact.exploited import Exploited, held_out
from ohpshaw_sim.exact.small_game import SmallGame
from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.interface.discovery import Entrant
from ohpshaw_sim.interface.view import blank_views
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import ONE, U, popcount
from ohpshaw_sim.kernels.dealing import TURNED, deal
from ohpshaw_sim.kernels.rng import fold
from ohpshaw_sim.kernels.scoring import add_bonus, round_score
from ohpshaw_sim.kernels.tricks import suit_lane
from ohpshaw_sim.rule_text import make_rules

DEALS: Final = 4000
AT_ONCE: Final = 100
FEWEST: Final = 25
"""Deals of the first half from which on a summary's best bid is trusted; where there are fewer the agent's is kept."""
NO_BID: Final = -(2**30)
"""In place of the points of a bid that is not legal."""
OWN, HEARD, TRUMPS = range(3)
"""Columns of a summary."""


@jit
def try_bids(
    games: Any,
    focal: int,
    first: int,
    views: Any,
    tables: Any,
    address: Any,
    params: Any,
    summaries: Any,
    points: Any,
) -> int:
    """Play some deals with every bid of one seat; return the number of deals played before an agent failed, else all.

    `games` leave that seat's bid to be asked outside; `views` and `tables` are two records each. Writes
    `summaries[deal, column]` and `points[deal, bid]` (int64).
    """
    game, view, spare, table = games[0], views[0], views[1], tables[0]
    show_rules(view, game)
    view.schedule[0] = game.schedule[0]
    for number in range(len(points)):
        key = fold(game.root_cards, first + number)
        for bid in range(game.schedule[0] + 1):
            table.players = game.players
            turn_up = deal(key, game.pack, game.players, game.schedule[0], game.players - 1, table)
            for seat in range(game.players):
                table.places[seat] = seat
                table.round_keys[seat] = fold(fold(game.root_agents, first + number), seat)
            lay_round(view, table, game.players - 1, game.schedule[0], turn_up, TURNED)
            if advance(view, table, game, spare, NO_ANSWER) != focal:
                return number
            if bid == 0:
                copy_view(spare, view)
                own = call_agent(address, spare, params[0], params[1])
                if not is_legal(own, table.legal):
                    return number
                summaries[number, OWN] = own
                summaries[number, HEARD] = 0
                for seat in range(focal):
                    summaries[number, HEARD] += view.bids[seat]
                summaries[number, TRUMPS] = popcount(view.hand & suit_lane(view.trump))
            if table.legal >> U(bid) & ONE == 0:
                points[number, bid] = NO_BID
                continue
            if advance(view, table, game, spare, bid) != FINISHED:
                return number
            points[number, bid] = points_of_seat(game, table, focal)
    return len(points)


@jit
def points_of_seat(game: Any, table: Any, focal: int) -> int:
    """Return what a finished round scored for a seat."""
    points = np.zeros(game.players, np.int64)
    for seat in range(game.players):
        points[seat] = round_score(
            game.scoring, game.zero_bid, table.hand_size, table.bids[seat], table.tricks[seat]
        )
    if game.round_winner_bonus:
        add_bonus(points, game.players)
    return np.int64(points[focal])


def bound_by_bids(
    entrant: Entrant,
    game: SmallGame,
    *,
    seed: int = 0,
    deals: int = DEALS,
    tell: Callable[[int], None] = lambda _: None,
) -> Exploited:
    """Return a lower bound of what an agent leaves to be taken, from so many deals.

    `tell` is told how many deals are done, one seat's after another's. Raises AgentError for an agent that is not
    compiled, AgentFaultError for one that fails.
    """
    if not entrant.compiled:
        raise AgentError(
            f"agent {entrant.name} is not compiled, and this round is too large to go through; "
            "take a smaller pack or hand size"
        )
    half = deals // 2
    played = [_play(entrant, game, seat, seed, 2 * half, tell) for seat in range(game.players)]
    values, others, flattered = [], [], []
    for summaries, points in played:
        chosen = choose_bids(summaries[:half], points[:half], summaries)
        rows = np.arange(2 * half)
        own, other = points[rows, summaries[:, OWN]], points[rows, chosen]
        values.append(own[half:])
        others.append(other[half:])
        flattered.append((other - own)[:half].mean())
    facts = {"deals": 2 * half, "held_out": half}
    return held_out(np.array(values).T, np.array(others).T, np.array(flattered), facts)


def choose_bids(known: Any, points: Any, asked: Any) -> Any:
    """Return the bid (int[deal]) chosen for each summary of `asked`, from summaries `known` and their points by bid."""
    own = asked[:, OWN].copy()
    cells, cell_of = np.unique(np.concatenate([known, asked]), axis=0, return_inverse=True)
    cell_of = cell_of.reshape(-1)
    of_known, of_asked = cell_of[: len(known)], cell_of[len(known) :]
    counts = np.bincount(of_known, minlength=len(cells))
    sums = np.stack([np.bincount(of_known, column, len(cells)) for column in points.T], axis=1)
    legal = (
        np.stack([np.bincount(of_known, column == NO_BID, len(cells)) for column in points.T], axis=1) == 0
    )
    best = np.where(legal, sums, -np.inf).argmax(axis=1)
    trusted = (counts >= FEWEST)[of_asked]
    return np.where(trusted, best[of_asked], own)


def _play(
    entrant: Entrant, game: SmallGame, seat: int, seed: int, deals: int, tell: Callable[[int], None]
) -> tuple[Any, Any]:
    """Return summaries and points by bid of all deals, for one seat."""
    rules = make_rules(game.rules, schedule="up", max_hand=None, hand_sizes=(game.hand_size,))
    lineup = Game(rules, game.players, (game.hand_size,), (entrant,) * game.players, (0,) * game.players)
    games = lay_game(lineup, seed).copy()
    games["bid_call"][0, seat] = 0
    calls = calls_of(cast(CompiledAgent, entrant.bidder))
    views, tables = blank_views(2), records(TABLE, 1)
    views["past_bids"], views["past_tricks"] = -1, -1
    summaries = np.zeros((deals, 3), np.int64)
    points = np.zeros((deals, game.hand_size + 1), np.int64)
    for start in range(0, deals, AT_ONCE):
        tell(seat * deals + start)
        rows = slice(start, start + AT_ONCE)
        params = (U(calls.params), calls.params_count)
        done = try_bids(
            games, seat, start, views, tables, U(calls.bid), params, summaries[rows], points[rows]
        )
        if done < len(points[rows]):
            raise AgentFaultError(
                f"agent {entrant.name} answered what is not legal in deal {start + done}", 0, -1, -1, -1
            )
    return summaries, points
