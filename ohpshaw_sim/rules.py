"""Oh Pshaw, the rules in force and their options.

Three to seven players each win exactly the tricks they bid, or score nothing. Hand sizes ascend from one card to the
last that is agreed. Each round the cards are dealt one at a time from eldest hand, the seat at the dealer's left, and
the next card is turned: its suit is trump, the card itself is out of play. Where no card is left, the round is
no-trump. Eldest hand bids first and leads first, the dealer bids last; a bid is any whole number from 0 to the hand
size, and no total is forbidden. Players follow suit if they can and otherwise play anything; the highest trump wins,
else the highest card of the suit led, and the winner leads next. A bid hit exactly scores 10 + bid, a bid missed 0.
The deal moves one seat clockwise each round. Ties on top after the last round are broken by extra rounds.

Rule ids (B1, V17, ...) are those of the project's rulebook and stand beside the code that keeps each rule.
"""

from typing import Final, Self

from pydantic import BaseModel, ConfigDict, field_validator, model_validator

from ohpshaw_sim.cards import ACE, RANKS, SUITS, Mask, pack_mask
from ohpshaw_sim.errors import IllegalError, MalformedError

PLAYERS: Final = range(3, 8)
"""Numbers of players that make a game (B1)."""
USUAL_LAST_HAND: Final = {3: 15, 4: 13, 5: 10, 6: 8, 7: 7}
"""Last hand size by number of players, with the full pack (B4)."""
LARGEST_HAND: Final = 20
"""What a view has room for: three players sharing the 60 cards of a Wizard deck."""
LONGEST_SCHEDULE: Final = 54
EXTRA_ROUNDS: Final = 10
"""Tie-break rounds before the rank is shared (B15)."""
HIT_BONUS: Final = 10
"""Points of a bid hit, on top of the bid (B13)."""


class Rules(BaseModel):
    """The rules of a match; frozen, validated as a whole. Raises IllegalError when the options make no game.

    >>> Rules(max_hand=3).schedule(players=4)
    (1, 2, 3)
    >>> Rules(pack="2x4").largest_hand(players=3)
    2
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    pack: str = "4x13"
    """Suits x ranks, the highest ranks kept (V17)."""
    hand_sizes: tuple[int, ...] | None = None
    """Hand size of each round in turn; None = ascending from 1 to `max_hand` (B4)."""
    max_hand: int | None = None
    """Last hand size of the ascending schedule; None = the usual one for the number of players (B4)."""
    tie_break_hand: int | None = None
    """Hand size of tie-break rounds; None = the schedule's largest (B15)."""
    first_dealer: int | None = None
    """Seat that deals the first round; None = drawn from the seed for each set (B3)."""

    @field_validator("pack")
    @classmethod
    def _pack_is_read(cls, pack: str) -> str:
        _suits_and_ranks(pack)
        return pack.lower()

    @model_validator(mode="after")
    def _options_agree(self) -> Self:
        for size in (*(self.hand_sizes or ()), self.max_hand, self.tie_break_hand):
            if size is not None and not 1 <= size <= LARGEST_HAND:
                raise IllegalError(f"hand size {size} is out of range; use 1 to {LARGEST_HAND}")
        if self.hand_sizes is not None:
            if self.max_hand is not None:
                raise IllegalError(
                    "max_hand has no meaning beside an explicit list of hand_sizes; give one of them"
                )
            if not 1 <= len(self.hand_sizes) <= LONGEST_SCHEDULE:
                raise IllegalError(
                    f"a match of {len(self.hand_sizes)} rounds cannot be kept; give 1 to {LONGEST_SCHEDULE} hand_sizes"
                )
        if self.first_dealer is not None and not 0 <= self.first_dealer < PLAYERS.stop - 1:
            raise IllegalError(f"first_dealer {self.first_dealer} is no seat; seats are 0 to the last player")
        return self

    @property
    def pack_mask(self) -> Mask:
        """All cards of the pack, as a mask."""
        return pack_mask(*_suits_and_ranks(self.pack))

    def largest_hand(self, players: int) -> int:
        """Return the largest hand the pack can serve to this many players: floor(cards / players), at most 20.

        Raises IllegalError when the number of players is not 3 to 7, or the pack has fewer cards than players.
        """
        if players not in PLAYERS:
            raise IllegalError(
                f"{players} players make no game; Oh Pshaw is for {PLAYERS[0]} to {PLAYERS[-1]} (B1)"
            )
        largest = min(self.pack_mask.bit_count() // players, LARGEST_HAND)
        if largest < 1:
            raise IllegalError(
                f"a pack of {self.pack} has fewer cards than {players} players; use a larger pack"
            )
        return largest

    def schedule(self, players: int) -> tuple[int, ...]:
        """Return the hand size of each round in turn, tie-break rounds left out.

        Raises IllegalError when the pack cannot serve a hand size to this many players.
        """
        largest = self.largest_hand(players)
        for size in (*(self.hand_sizes or ()), self.max_hand, self.tie_break_hand):
            if size is not None and size > largest:
                raise IllegalError(
                    f"hand size {size} needs {size * players} cards at {players} players; "
                    f"the {self.pack} pack serves at most {largest}"
                )
        if self.first_dealer is not None and self.first_dealer >= players:
            raise IllegalError(f"first_dealer {self.first_dealer} is no seat at {players} players")
        if self.hand_sizes is not None:
            return self.hand_sizes
        return tuple(range(1, (self.max_hand or min(largest, USUAL_LAST_HAND[players])) + 1))

    def tie_break_size(self, players: int) -> int:
        """Return the hand size of tie-break rounds (B15)."""
        return self.tie_break_hand or max(self.schedule(players))


PRESETS: Final = {"oh-pshaw": Rules()}
"""Named starting points; any option overrides a preset's."""


def _suits_and_ranks(pack: str) -> tuple[int, int]:
    """Read `SUITSxRANKS`; raise MalformedError when it is not of that form, IllegalError when out of range (V17)."""
    suits, cross, ranks = pack.lower().partition("x")
    if not (cross and suits.isdecimal() and ranks.isdecimal()):
        raise MalformedError(f"{pack!r} is no pack; write suits x ranks, as in 2x4 or 4x13 (V17)")
    if not (1 <= int(suits) <= len(SUITS) and 2 <= int(ranks) <= len(RANKS)):
        raise IllegalError(f"there is no {pack} pack; 1 to 4 suits of 2 to {ACE - 1} ranks can be kept (V17)")
    return int(suits), int(ranks)
