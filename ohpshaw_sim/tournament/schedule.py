"""Who plays which sets against whom: pure functions of the spec, the same whatever order the work is done in.

A set is one match's deals under every rotation of the seats, a block `block_sets` sets in a row with one
line-up. Block j plays player number `j mod P` of the P that were asked for, and of its L line-ups number `(j
div P) mod L`.

A comparison plays each block twice, once in each arm: its first two agents take the same place of a table whose other
places the rest of the agents fill. Cards and seats are the same in both arms, the agents' luck is not.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ohpshaw_sim.engine.tally_schema import SLICES
from ohpshaw_sim.tournament.drawing import lineups
from ohpshaw_sim.tournament.spec import Spec

FEWEST_SLICES: Final = 4
MOST_ROWS: Final = 2**16
"""Rows of a part for the choices behind place orders, where that leaves `FEWEST_SLICES`."""


class LineUp(NamedTuple):
    """The entrants (their numbers) at the places of one table; `number` counts within `players`.

    `arm` is 0, or 1 for the second arm of a comparison.
    """

    players: int
    number: int
    entrants: tuple[int, ...]
    arm: int = 0

    @property
    def sitting(self) -> tuple[int, ...]:
        """The entrants that sit at this table, each once, in ascending order."""
        return tuple(sorted(set(self.entrants)))


class Block(NamedTuple):
    """Sets `first_set` to `first_set + sets - 1`, played by one line-up, or by both arms of a comparison."""

    number: int
    arms: tuple[LineUp, ...]
    first_set: int
    sets: int
    own_first: int = 0
    """Sets that the same line-up plays before, in other blocks."""
    slices: int = SLICES
    """In how many slices this line-up's sets are kept apart."""

    @property
    def players(self) -> int:
        """Number of players."""
        return self.arms[0].players

    def slice_of(self, slot: Any) -> Any:
        """Return the slice of the sets whose numbers modulo SLICES are `slot`, an int or an array of them.

        A line-up's sets, counted through over its blocks, go to the slices in turn: so each slice holds equally many
        sets of every line-up, give or take one, and sets of different slices are independent.
        """
        return (slot - self.first_set + self.own_first) % self.slices


@dataclass(frozen=True)
class Plan:
    """All line-ups of a tournament, by number of players, and which block plays which."""

    tables: tuple[tuple[tuple[LineUp, ...], ...], ...]
    """By number of players: what takes turns, a line-up or both arms of a comparison."""
    block_sets: int
    sets: int | None
    """Sets in all; None = no end."""

    @property
    def blocks(self) -> int | None:
        """Number of blocks, a short last one included; None = no end."""
        return None if self.sets is None else -(-self.sets // self.block_sets)

    @property
    def short_block(self) -> int | None:
        """The number of a last block with fewer sets than the others; None = there is none."""
        return None if self.sets is None or self.sets % self.block_sets == 0 else self.sets // self.block_sets

    @property
    def turn(self) -> int:
        """Blocks after which every line-up has played equally often."""
        return len(self.tables) * math.lcm(*(len(group) for group in self.tables))

    @property
    def lineups(self) -> list[LineUp]:
        """All line-ups, by number of players."""
        return [lineup for group in self.tables for arms in group for lineup in arms]

    def block(self, number: int) -> Block:
        """Return block `number` (0, 1, ...)."""
        round_of_counts, which = divmod(number, len(self.tables))
        group = self.tables[which]
        first = number * self.block_sets
        sets = self.block_sets if self.sets is None else min(self.block_sets, self.sets - first)
        lap, turn = divmod(round_of_counts, len(group))
        return Block(number, group[turn], first, sets, lap * self.block_sets, slices(group))

    def span(self, first: int, end: int) -> Iterator[Block]:
        """Yield blocks `first` to `end - 1`."""
        return (self.block(number) for number in range(first, end))


def slices(group: Sequence[tuple[LineUp, ...]]) -> int:
    """Return in how many slices the sets of each of these line-ups are kept: fewer where there are very many rows."""
    players = group[0][0].players
    masks = 2**players - players - 1  # of two places and more, see `kernels.places`
    rows = len(group) * len(group[0]) * masks
    found = SLICES
    while found > FEWEST_SLICES and found * rows > MOST_ROWS:
        found //= 2
    return found


def make_plan(spec: Spec) -> Plan:
    """Return the plan of a spec."""
    arms = _compared if spec.versus else _single
    return Plan(tuple(tuple(arms(spec, players)) for players in spec.players), spec.block_sets, spec.sets)


def _single(spec: Spec, players: int) -> Iterator[tuple[LineUp, ...]]:
    for number, entrants in enumerate(lineups(len(spec.agents), players, spec.seed)):
        yield (LineUp(players, number, entrants),)


def _compared(spec: Spec, players: int) -> Iterator[tuple[LineUp, ...]]:
    """Yield both arms around each line-up of the others; line-ups 2k and 2k + 1 are the arms of one comparison."""
    for number, others in enumerate(lineups(len(spec.agents) - 2, players - 1, spec.seed)):
        around = tuple(entrant + 2 for entrant in others)
        yield tuple(LineUp(players, 2 * number + arm, (arm, *around), arm) for arm in (0, 1))


def whole_turns(spec: Spec, about: int) -> int:
    """Return the least number of sets, `about` or more, in which all line-ups play equally often.

    Where one turn takes more than twice as many sets, `about` itself.
    """
    turn = make_plan(spec).turn * spec.block_sets
    return about if turn > 2 * about else -(-about // turn) * turn


def entrant_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return one distinct name per entrant.

    >>> entrant_names(["random", "greedy", "random"])
    ('random', 'greedy', 'random#2')
    """
    seen: Counter[str] = Counter()
    distinct = []
    for name in names:
        seen[name] += 1
        distinct.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return tuple(distinct)


def gaps(present: Sequence[tuple[int, int]], end: int) -> list[tuple[int, int]]:
    """Return the spans of blocks below `end` that none of the spans present holds.

    >>> gaps([(4, 6), (0, 2)], 9)
    [(2, 4), (6, 9)]
    """
    missing, reached = [], 0
    for first, after in sorted(present):
        if first > reached:
            missing.append((reached, min(first, end)))
        reached = max(reached, after)
    if reached < end:
        missing.append((reached, end))
    return [(first, after) for first, after in missing if first < after]


def cut(missing: list[tuple[int, int]], size: int, short: int | None) -> tuple[int, int] | None:
    """Take at most `size` blocks off the front of the missing spans; None when none is left.

    A short last block (its number, or None) is a chunk of its own, so that a longer run can replace it.
    """
    if not missing:
        return None
    first, after = missing[0]
    end = min(first + max(size, 1), after)
    if short is not None and first < short < end:
        end = short
    if end < after:
        missing[0] = (end, after)
    else:
        missing.pop(0)
    return first, end


def uneven_note(spec: Spec) -> str | None:
    """Return a sentence if the number of sets gives some line-ups more to play than others, else None."""
    plan = make_plan(spec)
    turn = plan.turn * plan.block_sets
    if plan.sets is None or plan.sets % turn == 0 or plan.turn == 1:
        return None
    groups = sum(len(group) for group in plan.tables)
    return (
        f"note: {plan.sets} sets do not share out evenly over {groups} line-ups; a multiple of {turn} would"
    )
