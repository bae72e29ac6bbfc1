"""Endings with open cards, from Python: what every card that may be played is worth to every seat."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from ohpshaw_sim.cards import NO_CARD, Card, cards_in
from ohpshaw_sim.engine.positions import Position
from ohpshaw_sim.engine.state import records
from ohpshaw_sim.errors import IllegalError
from ohpshaw_sim.kernels.bits import U
from ohpshaw_sim.kernels.endings import SAME, begin_ending, solve_ending
from ohpshaw_sim.kernels.endings_book import ending_book
from ohpshaw_sim.kernels.endings_bounds import begin_bound, solve_bound
from ohpshaw_sim.kernels.endings_path import PATH, lay_stakes
from ohpshaw_sim.kernels.policy import turn_of, turned
from ohpshaw_sim.rules import SCORINGS

TIES: Final = ("average", "spite", "first")
"""Rules for cards that are worth the same to the seat that plays; `kernels.endings` tells of them."""
MOST: Final = 200_000_000
"""Positions looked at before a search is given up."""
_AT_ONCE: Final = 1 << 20
"""Positions looked at between two calls of whoever watches."""
_PLACES: Final = 20
"""Of the book of positions, at most, as a power of two: 80 MB."""
Progress: TypeAlias = Callable[[int], None]
"""Called now and then with the number of positions looked at."""


@dataclass(frozen=True)
class PlayWorth:
    """One card that may be played."""

    card: Card
    points: tuple[float, ...]
    """Expected points of the round by seat."""
    best: bool
    """Whether the seat to play may choose it."""
    sure: bool
    """Whether that seat then hits its bid against all the others together."""
    possible: bool
    """Whether it then hits its bid if all the others help."""


@dataclass(frozen=True)
class Solution:
    """A position that was solved; lists are by seat."""

    seat: int
    """The seat to play."""
    plays: tuple[PlayWorth, ...]
    """The cards that it may play, lowest first, the trumps last."""
    points: tuple[float, ...]
    """Expected points of the round."""
    sure: tuple[bool, ...]
    """Whether it hits its bid against all the others together."""
    possible: tuple[bool, ...]
    """Whether it hits its bid if all the others help."""
    positions: int
    """How many were looked at."""


def solve(
    position: Position,
    ties: str = "average",
    *,
    most: int = MOST,
    progress: Progress | None = None,
    transpositions: bool = True,
) -> Solution:
    """Return what each card is worth when all cards are open and each seat plays for its own score (max^n).

    ties             which of its best cards a seat plays: each with the same chance ("average"), those that leave the
                     others the least, then each with the same chance ("spite"), or the lowest ("first")
    most             positions to look at before giving up
    transpositions   whether positions that were met before are looked up; only the time differs

    Raises IllegalError for a position that no round comes to, an unknown rule for ties, or when `most` do not do.

    >>> from ohpshaw_sim.cards import format_card, mask_of, parse_cards
    >>> from ohpshaw_sim.rules import Rules
    >>> hands = tuple(mask_of(parse_cards(text)) for text in ("AS 2H", "KS QS", "3S 4S"))
    >>> solution = solve(Position(Rules(), 2, hands, bids=(1, 1, 0), tricks=(0, 0, 0), leader=0))
    >>> [(format_card(play.card), play.points, play.best) for play in solution.plays]
    [('AS', (0.0, 0.0, 10.0), True), ('2H', (0.0, 0.0, 10.0), True)]
    """
    if ties not in TIES:
        raise IllegalError(f"there is no rule {ties!r} for ties; use {', '.join(TIES)}")
    position.check()
    search = _Search(position, TIES.index(ties), most, progress, transpositions)
    seats, turn = range(position.players), U(turn_of(position.trump))
    points = search.points(NO_CARD)
    cards = sorted(cards_in(position.legal), key=lambda card: int(turned(U(1 << card), turn)))
    worth = [(card, search.points(card)) for card in cards]
    chosen = _chosen(worth, position.seat, ties)
    return Solution(
        position.seat,
        tuple(
            PlayWorth(
                card,
                values,
                card in chosen,
                search.bound(card, position.seat, helped=False),
                search.bound(card, position.seat, helped=True),
            )
            for card, values in worth
        ),
        points,
        tuple(search.bound(NO_CARD, seat, helped=False) for seat in seats),
        tuple(search.bound(NO_CARD, seat, helped=True) for seat in seats),
        search.positions,
    )


def _chosen(worth: list[tuple[Card, tuple[float, ...]]], seat: int, ties: str) -> set[Card]:
    """Return the cards that a seat may choose, of cards and their points in the table's order."""
    best = max(points[seat] for _, points in worth)
    left = [(card, points) for card, points in worth if points[seat] > best - SAME]
    if ties == "spite":
        least = min(sum(points) - points[seat] for _, points in left)
        left = [(card, points) for card, points in left if sum(points) - points[seat] < least + SAME]
    return {card for card, _ in (left[:1] if ties == "first" else left)}


class _Search:
    """One position under search, with one book for all that is asked of it."""

    def __init__(
        self, position: Position, ties: int, most: int, progress: Progress | None, transpositions: bool
    ) -> None:
        self.positions = 0
        self._position, self._most, self._progress = position, most, progress
        self._book: Any = ending_book(self._places() if transpositions else 0)
        self._paths: Any = records(PATH, 1)
        rules = position.rules
        lay_stakes(
            self._paths,
            np.array(position.bids, np.int64),
            position.players,
            position.hand_size,
            SCORINGS.index(rules.scoring),
            int(rules.zero_bid == "hand-size"),
            int(rules.round_winner_bonus),
            ties,
        )

    def _places(self) -> int:
        """Return the size of a book that most searches of this size do with."""
        return 1 << min(self._position.players * self._position.left, _PLACES)

    def points(self, first: Card) -> tuple[float, ...]:
        """Return the expected points by seat, once a card is played; NO_CARD = none."""
        tables = self._position.lay(first)
        begin_ending(tables, self._paths, self._book)
        self._run(solve_ending, tables)
        return tuple(float(value) for value in self._paths[0].value[: self._position.players])

    def bound(self, first: Card, seat: int, *, helped: bool) -> bool:
        """Tell whether a seat can hit its bid, once a card is played; NO_CARD = none."""
        tables = self._position.lay(first)
        begin_bound(tables, self._paths, self._book, seat, int(helped))
        self._run(solve_bound, tables)
        return bool(self._paths[0].value[0] > 0)

    def _run(self, go_on: Callable[..., bool], tables: Any) -> None:
        """Search in pieces, so that progress is told and an interrupt is heard."""
        before = self.positions
        over = False
        while not over:
            over = go_on(tables, self._paths, self._book, _AT_ONCE)
            self.positions = before + int(self._paths[0].positions)
            if self._progress is not None:
                self._progress(self.positions)
            if self.positions > self._most:
                raise IllegalError(
                    f"{self._most:,} positions were looked at and the ending is not solved; begin at a later trick, "
                    "or allow more"
                )
