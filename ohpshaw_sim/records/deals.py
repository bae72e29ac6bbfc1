"""Deals by number, from a seed: those of matches of the same seed.

Deal number n of a seed, for a round K, is what round K of set n deals in a tournament with this seed, or round K of
`play_match(..., match_number=n)`: the key is `fold(fold(root(seed, "cards"), n), K - 1)`, as in `engine.match`. The
dealer is that match's, too, unless one is chosen; then the same cards come off the same pack, from another seat on.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ohpshaw_sim.cards import NO_CARD, NO_SUIT, Card, Mask, Suit
from ohpshaw_sim.engine.checks import check_round
from ohpshaw_sim.engine.state import TABLE, records
from ohpshaw_sim.errors import IllegalError
from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.dealing import deal, first_dealer, turned_trump
from ohpshaw_sim.kernels.rng import fold, root
from ohpshaw_sim.records.writing import record_of
from ohpshaw_sim.rule_text import rules_text
from ohpshaw_sim.rules import EXTRA_ROUNDS, Rules


@dataclass(frozen=True)
class Setting:
    """Which round of a match is dealt. Make one with `setting_of`."""

    rules: Rules
    players: int
    round_number: int
    """1, 2, ...; tie-break rounds follow those of the schedule."""
    hand_size: int
    dealer: int | None
    """None = the match's own."""
    seed: int

    @cached_property
    def fixed_trump(self) -> Suit | None:
        """The trump where nothing is turned, -1 = none; None = a turned card decides."""
        return self.rules.fixed_trump(self.round_number - 1, len(self.rules.schedule_for(self.players)))

    @cached_property
    def rules_line(self) -> str:
        """The rules as `read_rules` reads them."""
        return rules_text(self.rules)

    @property
    def stock(self) -> int:
        """Number of cards that are not dealt, the turn-up among them."""
        return self.rules.pack_mask.bit_count() - self.players * self.hand_size

    @property
    def has_trump(self) -> bool:
        """Whether there may be a trump."""
        return self.stock > 0 if self.fixed_trump is None else self.fixed_trump != NO_SUIT


def setting_of(
    rules: Rules,
    players: int,
    *,
    seed: int,
    round_number: int | None = None,
    hand_size: int | None = None,
    dealer: int | None = None,
) -> Setting:
    """Return the setting of a round: `round_number` (1, 2, ...) says which, or the hand size does.

    A hand size alone is that of the first round with such hands, or of round 1 where the schedule has none. With
    neither, it is the first of the largest hands that leave a trump. With both, the round dealt has this hand size,
    whatever the schedule says. Raises IllegalError when there is no such round.
    """
    schedule = rules.schedule_for(players)
    if round_number is None:
        round_number = _round_with(rules, players, schedule, hand_size)
    if not 1 <= round_number <= len(schedule) + EXTRA_ROUNDS:
        raise IllegalError(
            f"there is no round {round_number}; the schedule has {len(schedule)} rounds for {players} players, "
            f"and tie-break rounds follow up to {len(schedule) + EXTRA_ROUNDS}"
        )
    if hand_size is None:
        extra = round_number > len(schedule)
        hand_size = rules.tie_break_size(players) if extra else schedule[round_number - 1]
    setting = Setting(rules, players, round_number, hand_size, dealer, seed)
    check_round(rules, players, hand_size, dealer or 0, setting.fixed_trump)
    return setting


def _round_with(rules: Rules, players: int, schedule: tuple[int, ...], hand_size: int | None) -> int:
    """Return the first round of a hand size; None = of the largest hands, if possible with a trump."""
    if hand_size is not None:
        return schedule.index(hand_size) + 1 if hand_size in schedule else 1
    settings = [Setting(rules, players, number, size, None, 0) for number, size in enumerate(schedule, 1)]
    return max(settings, key=lambda one: (one.has_trump, one.hand_size)).round_number


@dataclass(frozen=True)
class Deal:
    """One deal. `trump` is -1 where there is none and -3 (`kernels.dealing.NAMED`) where the dealer is to name it."""

    number: int
    dealer: int
    hands: tuple[Mask, ...]
    turn_up: Card
    trump: Suit

    @property
    def eldest(self) -> int:
        """The seat at the dealer's left."""
        return (self.dealer + 1) % len(self.hands)

    def stock(self, rules: Rules) -> Mask:
        """Return the cards that are neither dealt nor turned."""
        dealt = sum(self.hands) | (1 << self.turn_up if self.turn_up >= 0 else 0)
        return rules.pack_mask & ~dealt


@dataclass(frozen=True, eq=False)
class Deals:
    """Many deals of one setting, one per row."""

    setting: Setting
    numbers: Any
    """int64 [deals]."""
    hands: Any
    """uint64 [deals, players]."""
    dealers: Any
    """int64 [deals]."""
    turn_ups: Any
    """int64 [deals]; -1 = none."""
    trumps: Any
    """int64 [deals]: a suit, -1 = none, -3 = to be named."""

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[Deal]:
        return (self._deal(row) for row in range(len(self)))

    def rows(self, chosen: Any) -> "Deals":
        """Return the deals of some rows: an index array or a mask."""
        columns = (self.numbers, self.hands, self.dealers, self.turn_ups, self.trumps)
        return Deals(self.setting, *(values[chosen] for values in columns))

    def _deal(self, row: int) -> Deal:
        return Deal(
            number=int(self.numbers[row]),
            dealer=int(self.dealers[row]),
            hands=tuple(int(hand) for hand in self.hands[row]),
            turn_up=int(self.turn_ups[row]),
            trump=int(self.trumps[row]),
        )


def deal_many(setting: Setting, first: int, count: int) -> Deals:
    """Return deals number `first` to `first + count - 1`; each is the same whatever else is dealt."""
    hands = np.empty((count, setting.players), np.uint64)
    dealers, turn_ups, trumps = (np.empty(count, np.int64) for _ in range(3))
    dealer, where = setting.dealer, setting.round_number - 1
    if dealer is None and setting.rules.first_dealer is not None:
        dealer = (setting.rules.first_dealer + where) % setting.players
    numbers = (first, where, setting.hand_size, -1 if dealer is None else dealer)
    key, pack = np.uint64(root(setting.seed, "cards")), np.uint64(setting.rules.pack_mask)
    _deal_rows(key, pack, numbers, records(TABLE, 1), hands, (dealers, turn_ups, trumps))
    if setting.fixed_trump is not None:
        turn_ups[:], trumps[:] = NO_CARD, setting.fixed_trump
    return Deals(setting, np.arange(first, first + count), hands, dealers, turn_ups, trumps)


@jit
def _deal_rows(
    root_cards: Any,
    pack: Any,
    numbers: tuple[int, int, int, int],
    tables: Any,
    hands: Any,
    columns: tuple[Any, Any, Any],
) -> None:
    """Deal a row of each array; `numbers`: the first deal, the round (0, 1, ...), the hand size, the dealer or -1.

    `columns` are dealers, turn-ups, and the trumps that these make.
    """
    first, where, hand_size, given = numbers
    dealers, turn_ups, trumps = columns
    table, players = tables[0], hands.shape[1]
    for row in range(len(hands)):
        set_key = fold(root_cards, first + row)
        dealer = given if given >= 0 else (first_dealer(set_key, players) + where) % players
        turn_ups[row] = deal(fold(set_key, where), pack, players, hand_size, dealer, table)
        trumps[row] = turned_trump(turn_ups[row])
        dealers[row] = dealer
        for seat in range(players):
            hands[row, seat] = table.hands[seat]


def deal_record(setting: Setting, deal: Deal) -> dict[str, Any]:
    """Return a deal as a round record without bids and plays."""
    return record_of(
        setting.rules_line,
        setting.players,
        deal.dealer,
        setting.hand_size,
        hands=deal.hands,
        turn_up=deal.turn_up,
        trump=setting.fixed_trump,
        round=setting.round_number,
        seed=setting.seed,
        comment=f"deal {deal.number} of seed {setting.seed}",
    )
