"""The referee of endings: every order of play looked at in plain Python, in exact fractions."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from reference_cards import Card, Play, best_play, led_suit, legal_cards, new_pack
from reference_options import Options
from reference_scores import round_scores

Points = tuple[Fraction, ...]


@dataclass(frozen=True)
class Position:
    """Hands, bids and tricks by seat; the trick under way; the seat to play."""

    options: Options
    trump: int | None
    hands: tuple[tuple[Card, ...], ...]
    bids: tuple[int, ...]
    tricks: tuple[int, ...]
    seat: int
    trick: tuple[Play, ...] = ()

    @property
    def leader(self) -> int:
        return self.trick[0][0] if self.trick else self.seat

    def legal(self) -> list[Card]:
        """In the order of the tie rule `first`: side suits from the one after trump on, low cards first."""
        trump = 3 if self.trump is None else self.trump
        held = sorted(self.hands[self.seat], key=lambda card: ((card[0] - trump + 3) % 4, card[1]))
        return legal_cards(held, led_suit(self.trick), self.trump, self.options.must_trump)

    def after(self, card: Card) -> "Position":
        hands = list(self.hands)
        hands[self.seat] = tuple(one for one in hands[self.seat] if one != card)
        trick = (*self.trick, (self.seat, card))
        if len(trick) < len(hands):
            return replace(self, hands=tuple(hands), trick=trick, seat=(self.seat + 1) % len(hands))
        winner = best_play(trick, self.trump)[0]
        tricks = tuple(won + (seat == winner) for seat, won in enumerate(self.tricks))
        return replace(self, hands=tuple(hands), trick=(), seat=winner, tricks=tricks)

    @property
    def over(self) -> bool:
        return not any(self.hands)


def scores(end: Position) -> list[int]:
    return round_scores(end.bids, end.tricks, sum(end.tricks), end.options)


def worth(position: Position, ties: str) -> Points:
    """Expected points by seat when each seat plays for its own."""
    if position.over:
        return tuple(Fraction(points) for points in scores(position))
    chosen = choice(position, ties)
    return tuple(sum(values, Fraction()) / len(chosen) for values in zip(*chosen, strict=True))


def choice(position: Position, ties: str) -> list[Points]:
    """What each card is worth that the seat to play may choose."""
    found = [worth(position.after(card), ties) for card in position.legal()]
    seat = position.seat
    found = [points for points in found if points[seat] == max(other[seat] for other in found)]
    if ties == "spite":
        least = min(sum(points) - points[seat] for points in found)
        found = [points for points in found if sum(points) - points[seat] == least]
    return found[:1] if ties == "first" else found


def can_hit(position: Position, seat: int, helped: bool) -> bool:
    """Whether a seat can hit its bid, with all the others' help or against them."""
    if position.over:
        return position.bids[seat] == position.tricks[seat]
    found = (can_hit(position.after(card), seat, helped) for card in position.legal())
    return any(found) if helped or position.seat == seat else all(found)


def random_position(draw: random.Random, options: Options, players: int, hand_size: int) -> Position:
    """A position in which some cards have been played at random, and at least one is left."""
    pack = new_pack(options.suits, options.ranks, options.wizard)
    draw.shuffle(pack)
    hands = [tuple(pack[seat * hand_size : (seat + 1) * hand_size]) for seat in range(players)]
    bids = tuple(draw.choice([0, 1, 1, draw.randint(0, hand_size)]) for _ in range(players))
    trump = draw.choice([None, *range(options.suits)])
    position = Position(options, trump, tuple(hands), bids, (0,) * players, draw.randrange(players))
    for _ in range(draw.choice([0, 0, draw.randrange(players * hand_size)])):
        position = position.after(draw.choice(position.legal()))
    return position


def plays_of(position: Position) -> Iterator[tuple[Card, Position]]:
    """Every card that may be played, and what comes of it."""
    for card in position.legal():
        yield card, position.after(card)
