"""Oh Pshaw, the rules in force and their options.

Three to seven players each win exactly the tricks they bid, or score nothing. Hand sizes ascend from one card to the
last that is agreed. Each round the cards are dealt one at a time from eldest hand, the seat at the dealer's left, and
the next card is turned: its suit is trump, the card itself is out of play. Where no card is left, the round is
no-trump. Eldest hand bids first and leads first, the dealer bids last; a bid is any whole number from 0 to the hand
size, and no total is forbidden. Players follow suit if they can and otherwise play anything; the highest trump wins,
else the highest card of the suit led, and the winner leads next. A bid hit exactly scores 10 + bid, a bid missed 0.
The deal moves one seat clockwise each round. Ties on top after the last round are broken by extra rounds.

Each variation is an option of `Rules` and may be combined with any other, but for the few pairs that contradict each
other. Rule ids (B1, V17, ...) are those of docs/rules.md, which tells of each where it is kept and tested.
"""

from typing import Final, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, field_validator, model_validator

from ohpshaw_sim.cards import (
    ACE,
    CLUBS,
    DIAMONDS,
    HEARTS,
    NO_SUIT,
    RANKS,
    SPADES,
    SUITS,
    Mask,
    Suit,
    pack_mask,
    wizard_pack_mask,
)
from ohpshaw_sim.errors import ConflictError, IllegalError, MalformedError
from ohpshaw_sim.reading import Whole, read_numbers

PLAYERS: Final = range(3, 8)
"""Numbers of players that make a game (B1)."""
USUAL_LAST_HAND: Final = {3: 15, 4: 13, 5: 10, 6: 8, 7: 7}
"""Last hand size by number of players, with the full pack (B4)."""
LARGEST_HAND: Final = 20
"""What a view has room for: three players sharing the 60 cards of a Wizard pack."""
LONGEST_SCHEDULE: Final = 54
EXTRA_ROUNDS: Final = 10
"""Tie-break rounds before the rank is shared (B15)."""
HIT_BONUS: Final = 10
"""Points of a bid hit, on top of the bid (B13)."""
ZERO_BONUS: Final = 5
"""Points of a zero bid made, on top of the hand size, under V12."""
WIZARD_HIT: Final = 20
WIZARD_STEP: Final = 10
"""Points of a bid hit under V15, on top of those for each trick; and points a trick, won or missed by."""
ROUND_BONUS: Final = 10
"""Points for the highest score of a round under V13."""
SCORINGS: Final = ("exact", "soft", "wizard", "penalty")
"""Values of `Rules.scoring`; compiled code knows them by their places here."""
REVOKE_PENALTIES: Final = (0, 10)
FULL_PACK: Final = "4x13"
CONTRACT_WHIST: Final = (7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7)
ROTATION: Final = (HEARTS, CLUBS, DIAMONDS, SPADES)
"""The order in which suits become trump under V6."""

Schedule: TypeAlias = Literal["up", "up-down", "down", "down-up", "contract-whist"]
Scoring: TypeAlias = Literal["exact", "soft", "wizard", "penalty"]


class Rules(BaseModel):
    """The rules of a match; frozen, validated as a whole.

    Raises IllegalError for a value out of range, ConflictError for options that exclude each other, and pydantic's
    ValidationError for a value of the wrong type; `rule_text.make_rules` makes a sentence of that one, too.

    >>> Rules(max_hand=3, schedule="up-down").schedule_for(players=4)
    (1, 2, 3, 2, 1)
    >>> Rules(pack="2x4").largest_hand(players=3)
    2
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    pack: str = FULL_PACK
    """Suits x ranks, the highest ranks kept (V17)."""
    wizard: bool = False
    """Four Wizards and four Jesters join the pack (V8)."""
    schedule: Schedule = "up"
    """How hand sizes go from one card to the last (B4, V2 to V5)."""
    hand_sizes: tuple[int, ...] | None = None
    """Hand size of each round in turn, instead of a schedule (B4)."""
    max_hand: Whole | None = None
    """Largest hand size of the schedule; None = the usual one for the number of players (B4)."""
    tie_break_hand: Whole | None = None
    """Hand size of tie-break rounds; None = the schedule's largest (B15)."""
    first_dealer: Whole | None = None
    """Seat that deals the first round; None = drawn from the seed for each set (B3)."""
    trump: Literal["turn-up", "rotate"] = "turn-up"
    """Whether a card is turned for trump or suits take turns: hearts, clubs, diamonds, spades (B5, V6)."""
    no_trump_final: bool = False
    """The last round of the schedule has no trump (V7)."""
    bidding: Literal["in-turn", "simultaneous"] = "in-turn"
    """Whether bids are heard by those who bid later (B8, V9)."""
    hook: bool = False
    """The dealer may not bring the bids' total to the number of tricks (V1)."""
    hook_from: Whole = 1
    """Hand size from which on the hook holds (V1)."""
    must_trump: bool = False
    """Who cannot follow must play a trump (V10)."""
    scoring: Scoring = "exact"
    """Points of a bid hit and missed (B13, V11, V15, V16)."""
    zero_bid: Literal["as-scored", "hand-size"] = "as-scored"
    """What a zero bid made scores: what the scoring says, or 5 + hand size (V12)."""
    round_winner_bonus: bool = False
    """10 more for the highest score of a round (V13)."""
    revoke_penalty: Whole = 0
    """0 or 10, deducted in records from a seat whose revoke was found too late (V14)."""

    @field_validator("pack")
    @classmethod
    def _pack_is_read(cls, pack: str) -> str:
        suits, ranks = _suits_and_ranks(pack)
        return f"{suits}x{ranks}"

    @field_validator("hand_sizes", mode="before")
    @classmethod
    def _hand_sizes_are_read(cls, given: object) -> object:
        if not isinstance(given, str | int | list | tuple):
            return given
        return read_numbers(given.replace("/", ",") if isinstance(given, str) else given, "hand sizes")

    @model_validator(mode="after")
    def _options_agree(self) -> Self:
        _check_ranges(self)
        _check_conflicts(self)
        return self

    @property
    def pack_mask(self) -> Mask:
        """All cards of the pack, as a mask."""
        return wizard_pack_mask() if self.wizard else pack_mask(*_suits_and_ranks(self.pack))

    @property
    def pack_name(self) -> str:
        """What a sentence calls the pack."""
        return "Wizard" if self.wizard else self.pack

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

    def schedule_for(self, players: int) -> tuple[int, ...]:
        """Return the hand size of each round in turn, tie-break rounds left out (B4, V2 to V5).

        Raises IllegalError when the pack cannot serve a hand size to this many players.
        """
        largest = self.largest_hand(players)
        sizes = self._sizes(min(largest, largest if self.wizard else USUAL_LAST_HAND[players]))
        for name, size in (("hand size", max(sizes)), ("tie_break_hand", self.tie_break_hand or 1)):
            if size > largest:
                raise IllegalError(
                    f"{name} {size} needs {size * players} cards at {players} players; "
                    f"the {self.pack_name} pack serves at most {largest}"
                )
        if self.first_dealer is not None and self.first_dealer >= players:
            raise IllegalError(f"first_dealer {self.first_dealer} is no seat at {players} players")
        return sizes

    def _sizes(self, usual: int) -> tuple[int, ...]:
        """Return the hand sizes of the schedule, `usual` being the largest where none was chosen."""
        if self.hand_sizes is not None:
            return self.hand_sizes
        if self.schedule == "contract-whist":
            return CONTRACT_WHIST
        up = tuple(range(1, (self.max_hand or usual) + 1))
        down = up[::-1]
        return {"up": up, "down": down, "up-down": up + down[1:], "down-up": down + up[1:]}[self.schedule]

    def tie_break_size(self, players: int) -> int:
        """Return the hand size of tie-break rounds (B15)."""
        return self.tie_break_hand or max(self.schedule_for(players))

    def fixed_trump(self, number: int, rounds: int) -> Suit | None:
        """Return the trump of round `number` (0, 1, ...) of a schedule of `rounds` where nothing is turned for it.

        -1 = no trump; None = the turn-up decides. Tie-break rounds go on counting (V6, V7, B15).
        """
        if self.no_trump_final and number == rounds - 1:
            return NO_SUIT
        if self.trump == "turn-up":
            return None
        suits, _ = _suits_and_ranks(self.pack)
        turns = [suit for suit in ROTATION if suit < suits]
        return turns[number % len(turns)]


def _check_ranges(rules: Rules) -> None:
    """Raise IllegalError for a number that no game can have."""
    sizes = [("hand size", size) for size in rules.hand_sizes or ()]
    sizes += [(name, getattr(rules, name)) for name in ("max_hand", "tie_break_hand", "hook_from")]
    for name, size in sizes:
        if size is not None and not 1 <= size <= LARGEST_HAND:
            raise IllegalError(f"{name} {size} is out of range; use 1 to {LARGEST_HAND}")
    if rules.hand_sizes is not None and not 1 <= len(rules.hand_sizes) <= LONGEST_SCHEDULE:
        raise IllegalError(
            f"a match of {len(rules.hand_sizes)} rounds cannot be kept; give 1 to {LONGEST_SCHEDULE} hand_sizes"
        )
    if rules.revoke_penalty not in REVOKE_PENALTIES:
        raise IllegalError(f"revoke_penalty {rules.revoke_penalty} is not played; use 0 or 10 (V14)")
    if rules.first_dealer is not None and not 0 <= rules.first_dealer < PLAYERS.stop - 1:
        raise IllegalError(f"first_dealer {rules.first_dealer} is no seat; seats are 0 to the last player")


def _check_conflicts(rules: Rules) -> None:
    """Raise ConflictError for options that exclude each other."""
    if rules.hook and rules.bidding == "simultaneous":
        raise ConflictError(
            "hook and simultaneous bidding exclude each other: nobody bids last; leave one of them out (V1, V9)"
        )
    if rules.hook_from != 1 and not rules.hook:
        raise ConflictError("hook_from has no meaning without the hook; add hook, or leave it out (V1)")
    if rules.wizard and rules.pack != FULL_PACK:
        raise ConflictError(
            f"wizard adds to the full pack and cannot be played with a pack of {rules.pack}; leave one out (V8, V17)"
        )
    if rules.hand_sizes is not None:
        if rules.max_hand is not None:
            raise ConflictError(
                "max_hand has no meaning beside an explicit list of hand_sizes; give one of them"
            )
        if rules.schedule != "up":
            raise ConflictError(
                f"schedule {rules.schedule} and an explicit list of hand_sizes exclude each other; give one of them"
            )
    if rules.schedule == "contract-whist" and rules.max_hand is not None:
        raise ConflictError(
            "schedule contract-whist is always 7 to 1 to 7 and takes no max_hand; leave it out, or use down-up (V5)"
        )


def _suits_and_ranks(pack: str) -> tuple[int, int]:
    """Read `SUITSxRANKS`; raise MalformedError when it is not of that form, IllegalError when out of range (V17)."""
    suits, cross, ranks = pack.lower().partition("x")
    if not (cross and suits.isdecimal() and ranks.isdecimal() and len(pack) < 6):
        raise MalformedError(f"{pack!r} is no pack; write suits x ranks, as in 2x4 or 4x13 (V17)")
    if not (1 <= int(suits) <= len(SUITS) and 2 <= int(ranks) <= len(RANKS)):
        raise IllegalError(f"there is no {pack} pack; 1 to 4 suits of 2 to {ACE - 1} ranks can be kept (V17)")
    return int(suits), int(ranks)
