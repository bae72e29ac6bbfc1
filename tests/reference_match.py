"""The referee's match: what is dealt next, the score table, and who wins."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf

from reference_cards import seat_after
from reference_options import Options
from reference_schedule import schedule


@dataclass
class Match:
    """B3, B4, B14 to B16: what is dealt next, the score table, and who wins.

    `record` takes the scores of a finished round; a round that is misdealt (B7) or left half-played (B16) is
    simply not recorded.
    """

    players: int
    schedule: list[int]
    dealer: int
    tie_break_hand: int | None = None
    # Scores by round and seat: B14 of the schedule's rounds; B15 of the extra rounds, kept apart.
    table: list[list[int]] = field(default_factory=list)
    extra: list[list[int]] = field(default_factory=list)
    stopped: bool = False

    @classmethod
    def start(cls, options: Options, players: int, dealer: int) -> "Match":
        """A match of these options; `dealer` deals first."""
        return cls(players, schedule(options, players), dealer, options.tie_break_hand)

    def record(self, scores: Sequence[int]) -> None:
        """Write down a finished round and pass the deal on (B3), in extra rounds too (B15)."""
        assert not self.over
        assert len(scores) == self.players
        (self.table if self.rounds_to_go else self.extra).append(list(scores))
        self.dealer = seat_after(self.dealer, self.players)

    def stop(self) -> None:
        """B16: stop early; the completed rounds stand and no tie is played off."""
        self.stopped = True

    @property
    def rounds_to_go(self) -> int:
        """Rounds of the schedule that are still to be played."""
        return len(self.schedule) - len(self.table)

    @property
    def number(self) -> int:
        """The next round's number in the match from 0, extra rounds counted on: V6 goes by it."""
        return len(self.table) + len(self.extra)

    @property
    def over(self) -> bool:
        """B15: the schedule is through and no tie on top is left to play off; B16: or play was stopped."""
        return self.stopped or (not self.rounds_to_go and (len(self.leaders()) == 1 or len(self.extra) == 10))

    @property
    def next_hand_size(self) -> int:
        """B4; B15: extra rounds take the schedule's largest hand unless another size was agreed."""
        if self.rounds_to_go:
            return self.schedule[len(self.table)]
        return self.tie_break_hand or max(self.schedule)

    def totals(self) -> list[int]:
        """B14: running totals by seat; extra-round points are not among them (B15)."""
        return [sum(scores[seat] for scores in self.table) for seat in range(self.players)]

    def standings(self) -> list[list[float]]:
        """B15: what each seat is ranked by: its total, then its score in each extra round it was tied for.

        An extra round ranks only those tied on top when it was played. The others have no score there that
        counts (minus infinity), and need none: they are behind the tied already.
        """
        marks: list[list[float]] = [[total] for total in self.totals()]
        for scores in self.extra:
            best = max(marks)
            marks = [[*mark, scores[s] if mark == best else -inf] for s, mark in enumerate(marks)]
        return marks

    def leaders(self) -> list[int]:
        """The seats on top; several while they are tied."""
        standings = self.standings()
        best = max(standings)
        return [seat for seat in range(self.players) if standings[seat] == best]

    def ranks(self) -> list[int]:
        """B15: ranks 1-2-2-4: one more than the number of seats ahead."""
        standings = self.standings()
        return [1 + sum(other > mine for other in standings) for mine in standings]

    def win_shares(self) -> list[Fraction]:
        """B15, B16: one win, split evenly among those who share the first rank."""
        winners = self.ranks().count(1)
        return [Fraction(rank == 1, winners) for rank in self.ranks()]
