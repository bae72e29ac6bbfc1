"""A match told step by step as lines of text, 80 columns wide: what `ohpshaw watch` shows."""

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from ohpshaw_sim.cards import SUIT_SYMBOLS, Mask, Suit
from ohpshaw_sim.cli.hands import WIDTH, card_text, hand_rows, trump_words
from ohpshaw_sim.engine.single import Match
from ohpshaw_sim.engine.stepping import (
    AuctionClosed,
    Bid,
    MatchOver,
    Play,
    RoundBegun,
    RoundOver,
    Step,
    TrickWon,
    TrumpNamed,
)
from ohpshaw_sim.kernels.dealing import NAMED
from ohpshaw_sim.records.reasons import why_won
from ohpshaw_sim.records.spelling import SUIT_NAMES

_LONGEST_NAME: Final = 14
_HEAD: Final = 6
"""Columns before the cards of a trick."""
_REASON: Final = 31
"""Columns after them: who won, with how many tricks of how many bid, and why."""
_NAMED_FROM: Final = 9
"""Columns of a seat from which on its name is worth showing."""
_ANNOUNCED: Final = {-1: "under", 0: "even", 1: "over"}


def cut(text: str, width: int) -> str:
    """Return a text no longer than `width`, with … for what is cut."""
    return text if len(text) <= width else text[: width - 1] + "…"


class Teller:
    """Tells a match. `names` are shown by seat; with `seat`, only that seat's cards are, before they are played."""

    def __init__(
        self, names: Sequence[str], pack: Mask, rounds: int, *, simultaneous: bool, seat: int | None = None
    ) -> None:
        self._names = names
        self._pack = pack
        self._rounds = rounds
        self._simultaneous = simultaneous
        self._seat = seat
        short = [re.sub(r"[^+:]*[/\\]", "", name) for name in names]  # a file by its last part
        self._heads = [f"{place} {cut(name, _LONGEST_NAME)}" for place, name in enumerate(short)]
        self._margin = max(map(len, self._heads))
        self._column = (WIDTH - _HEAD - _REASON) // len(names)
        self._round: RoundBegun | None = None
        self._trump: Suit = -1
        self._hands: list[Mask] = []
        self._bids: list[int] = []
        self._made: list[int] = []
        self._tricks: list[int] = []

    def tell(self, step: Step) -> list[str]:
        """Return the lines that tell a step; the first of a round is its heading."""
        tellers: dict[type, Callable[[Any], list[str]]] = {
            RoundBegun: self._begun,
            TrumpNamed: self._named,
            Bid: self._bid,
            AuctionClosed: self._closed,
            Play: self._played,
            TrickWon: self._trick,
            RoundOver: self._over,
            MatchOver: lambda over: self.standings(over.match),
        }
        return tellers[type(step)](step)

    def is_rest(self, step: Step) -> bool:
        """Tell whether a reader may want to rest after a step: nothing that follows belongs to it."""
        if isinstance(step, Bid):
            return not self._simultaneous and len(self._made) < len(self._names)
        if isinstance(step, TrickWon):
            return any(self._hands)
        return not isinstance(step, Play | MatchOver)

    def hands_now(self) -> list[str]:
        """Return the cards still held."""
        assert self._round is not None
        roles = {self._round.dealer: "dealer", (self._round.dealer + 1) % len(self._names): "eldest"}
        rows = [
            (f"{head:<{self._margin}}  {roles.get(seat, ''):<6}", hand)
            for seat, (head, hand) in enumerate(zip(self._heads, self._hands, strict=True))
            if self._seat in (None, seat)
        ]
        return hand_rows(rows, self._pack, self._trump)

    def _begun(self, begun: RoundBegun) -> list[str]:
        self._round, self._trump, self._hands = begun, begun.trump, list(begun.hands)
        self._bids, self._made, self._tricks = [-1] * len(self._names), [], [0] * len(self._names)
        which = f"Tie-break round {begun.extra}" if begun.extra else f"Round {begun.number} of {self._rounds}"
        cards = "1 card" if begun.hand_size == 1 else f"{begun.hand_size} cards"
        trump = trump_words(begun.turn_up, NAMED if begun.naming else begun.trump)
        lines = [f"{which}: {cards} each, {trump}"]
        if begun.extra:
            tied = ", ".join(map(str, begun.contenders))
            lines.append(f"  tied on top: seats {tied}; only their points of this round count")
        return [*lines, *self.hands_now(), ""]

    def _named(self, named: TrumpNamed) -> list[str]:
        self._trump = named.trump
        suit = f"{SUIT_NAMES[named.trump]} {SUIT_SYMBOLS[named.trump]}"
        return [f"  {self._heads[named.seat]:<{self._margin}}  names trump: {suit}"]

    def _bid(self, made: Bid) -> list[str]:
        self._bids[made.seat] = made.bid
        self._made.append(made.seat)
        return [] if self._simultaneous else [self._bid_line(made.seat, len(self._made))]

    def _bid_line(self, seat: int, heard: int) -> str:
        assert self._round is not None
        total = sum(self._bids[one] for one in self._made[:heard])
        so_far = "" if self._simultaneous else f"   {total:>2} of {self._round.hand_size} so far"
        return (
            f"  {self._heads[seat]:<{self._margin}}  bids {self._bids[seat]:>2}{so_far if heard > 1 else ''}"
        )

    def _closed(self, closed: AuctionClosed) -> list[str]:
        assert self._round is not None
        revealed = ["  all bids, revealed together:", *(self._bid_line(seat, 0) for seat in self._made)]
        tricks = "1 trick" if self._round.hand_size == 1 else f"{self._round.hand_size} tricks"
        named = self._column > _NAMED_FROM
        columns = (cut(head if named else head.split()[0], self._column - 1) for head in self._heads)
        header = "".join(f"  {name:<{self._column - 2}}" for name in columns)
        return [
            *(revealed if self._simultaneous else []),
            f"  {sum(closed.bids)} bid for {tricks}: {_ANNOUNCED[closed.announcement]}",
            "",
            f" trick{header} won by (tricks/bid)",
        ]

    def _played(self, played: Play) -> list[str]:
        self._hands[played.seat] &= ~(1 << played.card)
        return []

    def _trick(self, won: TrickWon) -> list[str]:
        players = len(self._names)
        cells = [""] * players
        for turn, card in enumerate(won.cards):
            seat = (won.leader + turn) % players
            text = f"[{card_text(card)}]" if seat == won.winner else f" {card_text(card)} "
            cells[seat] = (">" if turn == 0 else " ") + text
        self._tricks[won.winner] += 1
        shown = "".join(f"{cell:<{self._column}}" for cell in cells)
        card = won.cards[(won.winner - won.leader) % players]
        count = f"({self._tricks[won.winner]}/{self._bids[won.winner]})"
        return [f"{won.number:>5} {shown} {won.winner} {count} {why_won(won.cards, card, self._trump)}"]

    def _over(self, over: RoundOver) -> list[str]:
        rows = zip(self._heads, over.bids, over.tricks, over.points, over.totals, strict=True)
        return [
            "",
            f"  {'':<{self._margin}}   bid  tricks  points   total",
            *(
                f"  {head:<{self._margin}} {bid:>5} {tricks:>7} {points:>7} {total:>7}"
                for head, bid, tricks, points, total in rows
            ),
            *(["  (points of tie-break rounds are kept apart from the total)"] if over.extra else []),
            "",
        ]

    def standings(self, match: Match) -> list[str]:
        """Return the score table of a match (B14) and the ranks (B15)."""
        width = min((WIDTH - 12) // len(self._names), 16)
        lines = ["Score table: bid/tricks and points of each round"]
        header = "".join(f"{cut(head, width - 1):>{width}}" for head in self._heads)
        lines.append(f" round cards{header}")
        for number, (_, table) in enumerate(
            match.rounds.sort_values(["round", "seat"]).groupby("round"), start=1
        ):
            name = f"tie {number - self._rounds}" if number > self._rounds else str(number)
            cells = zip(table["bid"], table["tricks"], table["points"], strict=True)
            row = "".join(f"{f'{bid}/{tricks}{points:>4}':>{width}}" for bid, tricks, points in cells)
            lines.append(f"{name:>6}{table['hand_size'].iloc[0]:>6}{row}")
        lines.append(f" total      {''.join(f'{total:>{width}}' for total in match.totals)}")
        order = sorted(range(len(self._names)), key=lambda seat: match.ranks[seat])
        ranks = [
            f"  {match.ranks[seat]}. {self._names[seat]} (seat {seat}), {match.totals[seat]} points"
            for seat in order
        ]
        return [*lines, "", *ranks]
