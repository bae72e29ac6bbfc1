"""A match one decision at a time, for watching: the very match that the drivers play, told as it goes.

    for step in step_match(game, seed, set_number):
        ...                                             # RoundBegun, Bid, AuctionClosed, Play, TrickWon, ...

Nothing is played before the next step is asked for. The rules are those of `advance`, the deals, seats and random words
those of `begin_match` and `begin_round`; here compiled agents are taken out of the loop and asked from Python, through
the same addresses, so that play stops at each of their decisions, too.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ohpshaw_sim.cards import Card, Mask, Suit
from ohpshaw_sim.engine.advance import advance
from ohpshaw_sim.engine.asking import FINISHED, NO_ANSWER, is_legal
from ohpshaw_sim.engine.calls import OUTSIDE
from ohpshaw_sim.engine.fault import RowFaultError
from ohpshaw_sim.engine.lineup import Game, lay_game
from ohpshaw_sim.engine.match import begin_match, begin_round, end_round
from ohpshaw_sim.engine.outside import CompiledCalls, outside_answers
from ohpshaw_sim.engine.play import fault_of
from ohpshaw_sim.engine.single import Match, rounds_of
from ohpshaw_sim.engine.state import MATCH, TABLE, records
from ohpshaw_sim.errors import IllegalError
from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.interface.batch import Batch
from ohpshaw_sim.interface.view import BID, NAME_TRUMP, PLAY, blank_views


class RoundBegun(NamedTuple):
    """Cards are dealt. `number` is 1, 2, ...; `extra` is k in the k-th tie-break round, else 0.

    `trump` is -1 without one, or until the dealer names it (`naming`). `contenders` are the seats tied on top, in a
    tie-break round.
    """

    number: int
    extra: int
    hand_size: int
    dealer: int
    hands: tuple[Mask, ...]
    turn_up: Card
    trump: Suit
    naming: bool
    totals: tuple[int, ...]
    contenders: tuple[int, ...]


class TrumpNamed(NamedTuple):
    """The dealer named trump (V8)."""

    seat: int
    trump: Suit


class Bid(NamedTuple):
    """A seat chose its bid; under simultaneous bidding nobody else knows of it yet (V9)."""

    seat: int
    bid: int


class AuctionClosed(NamedTuple):
    """All bids are made and revealed; `announcement` is -1 under, 0 even, 1 over (B9)."""

    bids: tuple[int, ...]
    announcement: int


class Play(NamedTuple):
    """A seat played a card."""

    seat: int
    card: Card


class TrickWon(NamedTuple):
    """A trick is over: its cards in playing order from `leader` on, and who won it."""

    number: int
    leader: int
    cards: tuple[Card, ...]
    winner: int


class RoundOver(NamedTuple):
    """A round is scored; all by seat. `totals` leave tie-break rounds out (B15)."""

    number: int
    extra: int
    hand_size: int
    bids: tuple[int, ...]
    tricks: tuple[int, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]


class MatchOver(NamedTuple):
    """The match is over."""

    match: Match


Step: TypeAlias = RoundBegun | TrumpNamed | Bid | AuctionClosed | Play | TrickWon | RoundOver | MatchOver


def seats_of(game: Game, seed: int, set_number: int = 0, rotation: int = 0) -> tuple[int, ...]:
    """Return the place in the line-up of each seat. Raises IllegalError when the set has no such rotation."""
    return _Table(game, seed, set_number, rotation).places


def step_match(game: Game, seed: int, set_number: int = 0, rotation: int = 0) -> Iterator[Step]:
    """Play one match of a set, yielding each thing that happens.

    Rotation 0 of set k is `play_match(..., match_number=k)`. Raises AgentFaultError when an agent misbehaves,
    IllegalError when the set has no such rotation.
    """
    table = _Table(game, seed, set_number, rotation)
    for agent in {id(agent): agent for agent in (*table.bidders, *table.players)}.values():
        if hasattr(agent, "matches_begin"):
            agent.matches_begin(1)
    going = True
    while going:
        yield from table.play_round()
        over, going = table.end_round()
        yield over
    yield MatchOver(table.result())


class _Table:
    """One match in progress, in the engine's own records."""

    def __init__(self, game: Game, seed: int, set_number: int, rotation: int) -> None:
        if not 0 <= rotation < game.players:
            raise IllegalError(
                f"a set of {game.players} players has no rotation {rotation}; use 0 to {game.players - 1}"
            )
        self._lineup = game
        self._compiled = CompiledCalls(lay_game(game, seed)[0])
        self._game = lay_game(game, seed).copy()[0]
        self._game.bid_call[:] = self._game.name_call[:] = self._game.play_call[:] = OUTSIDE
        self._views, self._spare = blank_views(1), blank_views(1)[0]
        self._view, self._table = self._views[0], records(TABLE, 1)[0]
        self._match = records(MATCH, 1)[0]
        self.bidders = [entrant.bidder for entrant in game.lineup]
        self.players = [entrant.player for entrant in game.lineup]
        begin_match(self._view, self._table, self._match, self._game, set_number, rotation)
        self.places = tuple(int(place) for place in self._match.places[: game.players])

    def play_round(self) -> Iterator[Step]:
        """Deal a round and play it to its last card."""
        view, table = self._view, self._table
        begin_round(view, table, self._game)
        yield self._begun()
        seat = self._go_on(NO_ANSWER)
        while seat != FINISHED:
            kind, bidding, won = int(table.kind), view.announcement, self._by_seat(table.tricks)
            answer = self._ask(kind)
            next_one = self._go_on(answer)
            if kind == NAME_TRUMP:
                yield TrumpNamed(seat, answer)
            elif kind == BID:
                yield Bid(seat, answer)
                if view.announcement != bidding:
                    yield AuctionClosed(self._by_seat(table.bids), int(view.announcement))
            else:
                yield Play(seat, answer)
                now = self._by_seat(table.tricks)
                if now != won:
                    yield self._trick(
                        sum(now), next(seat for seat in range(len(now)) if now[seat] != won[seat])
                    )
            seat = next_one

    def end_round(self) -> tuple[RoundOver, bool]:
        """Score the round; return that, and whether the match goes on."""
        table, number = self._table, int(self._table.round_number)
        extra, size = int(self._view.extra_round), int(table.hand_size)
        goes_on = bool(end_round(self._view, table, self._match, self._game))
        columns = (self._match.bids[number], self._match.tricks[number], self._match.points[number])
        shown = (self._by_seat(values) for values in (*columns, table.scores))
        return RoundOver(number + 1, extra, size, *shown), goes_on

    def result(self) -> Match:
        """Return the finished match."""
        names = tuple(self._lineup.lineup[place].name for place in self.places)
        return Match(names, rounds_of(self._match, self._lineup, names))

    def _begun(self) -> RoundBegun:
        view, table = self._view, self._table
        tied = int(view.contenders) if view.extra_round else 0
        return RoundBegun(
            number=int(view.round_number) + 1,
            extra=int(view.extra_round),
            hand_size=int(table.hand_size),
            dealer=int(table.dealer),
            hands=self._by_seat(table.hands),
            turn_up=int(view.turn_up),
            trump=int(table.trump),
            naming=bool(table.kind == NAME_TRUMP),
            totals=self._by_seat(table.scores),
            contenders=tuple(seat for seat in range(self._lineup.players) if tied >> seat & 1),
        )

    def _trick(self, number: int, winner: int) -> TrickWon:
        players = self._lineup.players
        cards = self._view.plays[(number - 1) * players : number * players]
        return TrickWon(number, int(self._view.leaders[number - 1]), tuple(map(int, cards)), winner)

    def _by_seat(self, values: Any) -> tuple[int, ...]:
        return tuple(int(value) for value in values[: self._lineup.players])

    def _go_on(self, answer: int) -> int:
        return int(advance(self._view, self._table, self._game, self._spare, answer))

    def _ask(self, kind: int) -> int:
        """Ask the agent that is waited for; return its answer, a legal one."""
        place = int(self._table.asked_place)
        agent = (self.players if kind == PLAY else self.bidders)[place]
        try:
            if isinstance(agent, CompiledAgent):
                answer = self._compiled.answer(self._views, 0, kind, place)
            else:
                answer = int(outside_answers(agent, kind, Batch(self._views, np.zeros(1, np.int64)), 0)[0])
        except RowFaultError as error:
            raise fault_of(self._lineup, self._table, error.what) from error
        if not is_legal(answer, self._table.legal):
            raise fault_of(self._lineup, self._table, f"answered {answer}, which is illegal")
        return answer
