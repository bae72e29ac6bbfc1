"""What a scored sheet comes to: standings, the tie-break to be played, who leads if play stops now."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import pandas as pd

from ohpshaw_sim.engine.single import Match
from ohpshaw_sim.records.sheet_rounds import SCORED, SheetRound
from ohpshaw_sim.rules import EXTRA_ROUNDS, Rules


class Standing(NamedTuple):
    """Where a player stands; `hits` of `rounds` bids were hit, tie-break rounds left out.

    `extra` are the points of each tie-break round, None where the player did not play for the tie.
    """

    rank: int
    player: str
    seat: int
    total: int
    hits: int
    rounds: int
    extra: tuple[int | None, ...]


class TieBreak(NamedTuple):
    """The tie-break round that has to be played; everyone plays, it ranks only `players` (B15)."""

    hand_size: int
    dealer: int
    players: tuple[int, ...]


@dataclass(frozen=True)
class ScoredSheet:
    """A sheet that the rules accept, with its points. Whatever is by player is by seat.

    `dealer` deals next, None when no round says who began.
    """

    players: tuple[str, ...]
    rules: Rules
    schedule: tuple[int, ...]
    rounds: tuple[SheetRound, ...]
    dealer: int | None

    @property
    def scored(self) -> list[SheetRound]:
        """The rounds of the schedule that are scored."""
        return [one for one in self.rounds if one.state == SCORED and not one.extra]

    @property
    def extra(self) -> list[SheetRound]:
        """The tie-break rounds that are scored."""
        return [one for one in self.rounds if one.state == SCORED and one.extra]

    @property
    def totals(self) -> tuple[int, ...]:
        """Points by seat, those of tie-break rounds left out (B14)."""
        return self.scored[-1].totals if self.scored else (0,) * len(self.players)

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """Ranks by seat, 1-2-2-4, a tie on top ranked by the tie-break rounds (B15)."""
        return self._ranks_after(len(self.extra))

    @property
    def leaders(self) -> tuple[int, ...]:
        """The seats on top: who has won, or leads if play stops now (B15, B16)."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)

    @property
    def complete(self) -> bool:
        """Whether the schedule is through; tie-break rounds begin when everyone agrees that it is."""
        return len(self.scored) >= len(self.schedule) or any(one.extra for one in self.rounds)

    @property
    def tie_break(self) -> TieBreak | None:
        """The tie-break round that has to be played, None if the top is not tied or the rank is shared by now."""
        tied = self.leaders
        if not self.complete or len(tied) == 1 or len(self.extra) >= EXTRA_ROUNDS or self.dealer is None:
            return None
        return TieBreak(self.rules.tie_break_size(len(self.players)), self.dealer, tied)

    @property
    def standings(self) -> list[Standing]:
        """Where the players stand, best first, equal ones by seat."""
        order = sorted(range(len(self.players)), key=lambda seat: self.ranks[seat])
        return [self._standing(seat) for seat in order]

    def _standing(self, seat: int) -> Standing:
        done = self.scored
        hits = sum(one.tricks is not None and one.bids[seat] == one.tricks[seat] for one in done)
        extra = tuple(
            one.points[seat] if one.points and self._ranks_after(at)[seat] == 1 else None
            for at, one in enumerate(self.extra)
        )
        return Standing(self.ranks[seat], self.players[seat], seat, self.totals[seat], hits, len(done), extra)

    def _ranks_after(self, extra: int) -> tuple[int, ...]:
        """Return the ranks after so many of the tie-break rounds."""
        rounds = [*self.scored, *self.extra[:extra]]
        if not rounds:
            return (1,) * len(self.players)
        rows = [
            (one.number, one.extra, seat, points, one.totals[seat])
            for one in rounds
            for seat, points in enumerate(one.points or ())
        ]
        frame = pd.DataFrame(rows, columns=["round", "extra", "seat", "points", "total"])
        return tuple(Match(self.players, frame).ranks)
