"""What a judge finds in a round record: plain values, frozen."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ohpshaw_sim.cards import Card, Mask, Suit
from ohpshaw_sim.errors import IllegalError


class Status(StrEnum):
    """How a round stands."""

    finished = "finished"
    unfinished = "unfinished"
    misdeal = "misdeal"
    """It counts for nothing (B7)."""
    broken = "broken"
    """A rule was broken, or what was written down is wrong."""


class Decision(StrEnum):
    """What a seat is to decide."""

    bid = "bid"
    play = "play"
    name_trump = "name trump"


class Play(NamedTuple):
    """One card on the table."""

    seat: int
    card: Card
    led: Suit
    """The suit that was to be followed; -1 = none."""
    trick: int
    """The trick's number, 1 for the first."""


class Trick(NamedTuple):
    """A trick, finished or under way."""

    leader: int
    plays: tuple[Play, ...]
    led: Suit
    """The suit led; -1 = none, or none yet."""
    winner: int
    """Who won it, or is winning it; -1 while nothing is played."""
    winning_card: Card
    finished: bool

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards in playing order."""
        return tuple([play.card for play in self.plays])


@dataclass(frozen=True, slots=True)
class Turn:
    """What an unfinished round waits for."""

    seat: int
    decision: Decision
    legal: Mask | None
    """Legal answers: bit b for bid b, bit c for card c, bit s for suit s; None where the hand is not known."""
    possible: Mask
    """Answers that are legal with one hand or another that the record allows; the same as `legal` if that is known."""
    sentence: str
    waiting: tuple[int, ...]
    """All seats that have this decision still before them; more than one where bids are simultaneous (V9)."""


@dataclass(frozen=True, slots=True)
class Breach:
    """The first thing in a record that breaks a rule."""

    rule: str
    """Id of the rule: B10, V1, ..."""
    sentence: str
    seat: int | None = None
    card: Card | None = None
    trick: int | None = None
    """The trick's number, 1 for the first."""


class RuleBrokenError(IllegalError):
    """A record breaks a rule; `breach` says which one, where and who."""

    def __init__(self, breach: Breach) -> None:
        super().__init__(f"{breach.sentence} ({breach.rule})")
        self.breach = breach


def broken(
    rule: str, sentence: str, seat: int | None = None, card: Card | None = None, trick: int | None = None
) -> RuleBrokenError:
    """Return what is raised where a record breaks a rule."""
    return RuleBrokenError(Breach(rule, sentence, seat, card, trick))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules say of a round. What follows upon a breach is left out; all lists are by seat but for `played`."""

    status: Status
    trump: Suit | None = None
    """-1 = no trump; None = not decided."""
    bids: tuple[int | None, ...] = ()
    announcement: str | None = None
    """`over`, `under` or `even`, once all have bid (B9)."""
    played: tuple[Trick, ...] = ()
    """Tricks in playing order, that under way included."""
    tricks: tuple[int, ...] = ()
    """Tricks won so far."""
    voids: tuple[int, ...] = ()
    """Suits that the play has shown a seat not to hold: bit s for suit s."""
    scores: tuple[int, ...] | None = None
    """Points of a finished round, bonus and revokes included."""
    turn: Turn | None = None
    breach: Breach | None = None

    @property
    def leaders(self) -> tuple[int, ...]:
        """Who led, or is to lead, each trick."""
        return tuple(trick.leader for trick in self.played)

    @property
    def winners(self) -> tuple[int, ...]:
        """Who won each finished trick."""
        return tuple(trick.winner for trick in self.played if trick.finished)
