"""A record before the judge: what the rules have found so far."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ohpshaw_sim.cards import Card, Mask, Suit
from ohpshaw_sim.records.incidents import CAUGHT_LATER
from ohpshaw_sim.records.record import RoundRecord
from ohpshaw_sim.records.verdict import Breach, Status, Trick, Turn, Verdict
from ohpshaw_sim.rules import Rules


@dataclass(slots=True)
class Case:
    """One record under judgement; each step of the judge adds what it finds."""

    record: RoundRecord
    rules: Rules
    pack: Mask
    trump: Suit | None = None
    bids: list[int | None] = field(default_factory=list)
    announcement: str | None = None
    played: tuple[Trick, ...] = ()
    tricks: list[int] = field(default_factory=list)
    voids: list[int] = field(default_factory=list)
    scores: tuple[int, ...] | None = None
    turn: Turn | None = None

    @property
    def eldest(self) -> int:
        """The seat that bids and leads first."""
        return (self.record.dealer + 1) % self.record.players

    @property
    def hands(self) -> Sequence[tuple[Card, ...] | None]:
        """Hands as they were dealt, by seat; None for one that is not known."""
        return self.record.hands or (None,) * self.record.players

    @property
    def turned(self) -> Mask:
        """The turn-up as a mask."""
        return 0 if self.record.turn_up is None else 1 << self.record.turn_up

    @property
    def revoked(self) -> set[int]:
        """Seats whose revoke was found too late (B12)."""
        return {revoke.seat for revoke in self.record.revokes if revoke.kind == CAUGHT_LATER}

    @property
    def forfeited(self) -> set[int]:
        """Seats whose agents failed: they score 0."""
        return {forfeit.seat for forfeit in self.record.forfeits}

    def verdict(self, breach: Breach | None) -> Verdict:
        """Return what was found as a verdict."""
        status = Status.unfinished if self.scores is None else Status.finished
        return Verdict(
            Status.broken if breach else status,
            self.trump,
            tuple(self.bids),
            self.announcement,
            self.played,
            tuple(self.tricks),
            tuple(self.voids),
            self.scores,
            None if breach else self.turn,
            breach,
        )
