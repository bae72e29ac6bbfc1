"""The referee's options: the variations V1 to V17 as one value, and what the rulebook refuses.

Without arguments the options are the base game. The ids (B1, V17, ...) are the rulebook's.
"""

from collections.abc import Iterator
from dataclasses import dataclass

WORDS = {
    "schedule": ("up", "up-down", "down", "down-up", "contract-whist"),
    "trump": ("turn-up", "rotate"),
    "bidding": ("in-turn", "simultaneous"),
    "scoring": ("exact", "soft", "wizard", "penalty"),
    "zero_bid": ("as-scored", "hand-size"),
}


@dataclass(frozen=True)
class Options:
    """Every variation, each at the base game's value unless it is set."""

    suits: int = 4  # V17
    ranks: int = 13  # V17
    wizard: bool = False  # V8
    schedule: str = "up"  # B4, V2 to V5
    hand_sizes: tuple[int, ...] | None = None  # B4: an explicit list
    max_hand: int | None = None  # B4
    tie_break_hand: int | None = None  # B15
    trump: str = "turn-up"  # B5, V6
    no_trump_final: bool = False  # V7
    hook: bool = False  # V1
    hook_from: int = 1  # V1
    bidding: str = "in-turn"  # B8, V9
    must_trump: bool = False  # V10
    scoring: str = "exact"  # B13, V11, V15, V16
    zero_bid: str = "as-scored"  # V12
    round_winner_bonus: bool = False  # V13
    revoke_penalty: int = 0  # V14

    @property
    def cards(self) -> int:
        """How many cards the pack has: B2, V8, V17."""
        return 60 if self.wizard else self.suits * self.ranks


BASE = Options()


def refused(options: Options, players: int) -> str | None:
    """Say why the rulebook refuses these options for so many players; None when it does not."""
    return next(faults(options, players), None)


def faults(options: Options, players: int) -> Iterator[str]:
    """Everything that is wrong, what the later checks stand on first."""
    if not 3 <= players <= 7:
        yield "B1: 3 to 7 players"
        return
    yield from word_faults(options)
    yield from pack_faults(options, players)
    yield from size_faults(options, options.cards // players)
    if options.hook and options.bidding == "simultaneous":
        yield "V1 with V9: nobody bids last"
    if options.hook_from < 1:
        yield "V1: the hook starts at a hand size"
    if options.revoke_penalty not in (0, 10):
        yield "V14: the further deduction is 0 or 10"


def word_faults(options: Options) -> Iterator[str]:
    """Options that are not one of their words."""
    for name, words in WORDS.items():
        if getattr(options, name) not in words:
            yield f"{name} is one of {', '.join(words)}"


def pack_faults(options: Options, players: int) -> Iterator[str]:
    """V8 and V17: packs that there are not."""
    if not (1 <= options.suits <= 4 and 2 <= options.ranks <= 13):
        yield "V17: 1 to 4 suits of 2 to 13 ranks"
    elif options.wizard and (options.suits, options.ranks) != (4, 13):
        yield "V17 with V8"
    elif options.cards < players:
        yield "V17: fewer cards than players"


def size_faults(options: Options, largest: int) -> Iterator[str]:
    """B4, B15, V5, V8, V17: hand sizes that contradict each other or that the pack cannot serve."""
    if options.hand_sizes is not None:
        if options.schedule != "up":
            yield "B4: an explicit list of hand sizes is the schedule"
        if options.max_hand is not None:
            yield "B4: an explicit list of hand sizes has its largest"
        if not options.hand_sizes:
            yield "B4: no hand sizes"
    elif options.schedule == "contract-whist":
        if options.max_hand is not None:
            yield "V5: contract-whist has its own hand sizes"
        if largest < 7:
            yield "V5: the pack cannot serve seven cards to each"
    agreed = [*(options.hand_sizes or ()), options.max_hand, options.tie_break_hand]
    if any(not 1 <= size <= largest for size in agreed if size is not None):
        yield "B4: a hand size that the pack cannot serve"
