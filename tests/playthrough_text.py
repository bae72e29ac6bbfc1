"""A match as lines of text, one for each thing that happens, and what the lines of a file say was dealt and answered.

Whoever tells a match, the engine or the referee, tells it as `Step`s: those of `ohpshaw_sim.engine.stepping`, with
`Asked` in place of its bids and plays. Cards, suits and masks are the package's numbers, -1 where there is none.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from ohpshaw_sim.cards import (
    SUIT_LETTERS,
    cards_in,
    format_card,
    format_cards,
    mask_of,
    parse_card,
    parse_cards,
)
from ohpshaw_sim.engine.stepping import AuctionClosed, RoundBegun, RoundOver, TrickWon
from ohpshaw_sim.interface.view import BID, NAME_TRUMP

VERBS = ("bids", "plays", "names")
"""By kind of decision."""
ANNOUNCED = {-2: "-", -1: "under", 0: "even", 1: "over"}


class Asked(NamedTuple):
    """A decision: what the seat is shown, and its answer. `bids`, `tricks` and `voids` are by seat."""

    kind: int
    seat: int
    answer: int
    legal: int
    hand: int
    bids: tuple[int, ...]
    announcement: int
    led: int
    winning_card: int
    winning_seat: int
    tricks: tuple[int, ...]
    voids: tuple[int, ...]


class Ranked(NamedTuple):
    """The match is over; all by seat."""

    totals: tuple[int, ...]
    ranks: tuple[int, ...]


Step: TypeAlias = RoundBegun | Asked | AuctionClosed | TrickWon | RoundOver | Ranked


def lines_of(steps: Iterable[Step]) -> list[str]:
    return [line for step in steps for line in _lines(step)]


def _lines(step: Step) -> Iterator[str]:
    match step:
        case RoundBegun():
            yield from _begun(step)
        case Asked():
            yield _asked(step)
        case AuctionClosed():
            yield f"  bid {_numbers(step.bids)}: {ANNOUNCED[step.announcement]}"
        case TrickWon():
            yield f"    trick {step.number}, led by seat {step.leader}, to seat {step.winner}"
        case RoundOver():
            for seat, (bid, tricks, points, total) in enumerate(
                zip(step.bids, step.tricks, step.points, step.totals, strict=True)
            ):
                yield f"  seat {seat} bid {bid}, won {tricks}, scores {points}, total {total}"
        case Ranked():
            yield ""
            yield f"totals {_numbers(step.totals)}"
            yield f"ranks {_numbers(step.ranks)}"


def _begun(step: RoundBegun) -> Iterator[str]:
    yield ""
    contest = f", tie-break {step.extra} of seats {_numbers(step.contenders)}" if step.extra else ""
    yield (
        f"round {step.number}{contest}: hand size {step.hand_size}, dealer {step.dealer}, "
        f"totals {_numbers(step.totals)}"
    )
    yield f"  hands {' | '.join(format_cards(hand) for hand in step.hands)}"
    trump = "to be named" if step.naming else _suit(step.trump)
    yield f"  turn-up {format_card(step.turn_up)}, trump {trump}"


def _asked(step: Asked) -> str:
    asked = [_legal(step.kind, step.legal), f"holds {format_cards(step.hand)}"]
    if step.kind in (BID, NAME_TRUMP):
        asked += [f"bids {_bids(step.bids)}"]
    else:
        best = f"{format_card(step.winning_card)} of seat {step.winning_seat}"
        asked += [f"{ANNOUNCED[step.announcement]}, won {_numbers(step.tricks)}"]
        asked += [f"led {_suit(step.led)}, best {best if step.winning_card >= 0 else '-'}"]
        asked += [f"voids {' '.join(_suits(suits) for suits in step.voids)}"]
    indent = "    " if step.kind not in (BID, NAME_TRUMP) else "  "
    return (
        f"{indent}seat {step.seat} {VERBS[step.kind]} {_answer(step.kind, step.answer)} | {' | '.join(asked)}"
    )


def _answer(kind: int, answer: int) -> str:
    if kind == BID:
        return str(answer)
    return _suit(answer) if kind == NAME_TRUMP else format_card(answer)


def _legal(kind: int, legal: int) -> str:
    if kind in (BID, NAME_TRUMP):
        return "may " + " ".join(_answer(kind, place) for place in cards_in(legal))
    return f"may {format_cards(legal)}"


def _numbers(values: Sequence[int]) -> str:
    return " ".join(map(str, values))


def _bids(values: Sequence[int]) -> str:
    return " ".join("-" if value < 0 else str(value) for value in values)


def _suit(suit: int) -> str:
    return SUIT_LETTERS[suit] if suit >= 0 else "-"


def _suits(suits: int) -> str:
    return "".join(SUIT_LETTERS[suit] for suit in cards_in(suits)) or "-"


# Reading


class Told(NamedTuple):
    """What a file says of a round: the cards, and each answer with the number of its line."""

    hands: tuple[int, ...]
    turn_up: int
    answers: tuple[tuple[int, str, int], ...]


_ROUND = re.compile(r"round \d+")
_HANDS = re.compile(r"  hands (.*)")
_TURN_UP = re.compile(r"  turn-up (\S+),")
_ANSWER = re.compile(r" +seat \d (bids|plays|names) (\S+) \|")


def rounds_told(lines: Sequence[str]) -> list[Told]:
    """Read the cards and answers of each round; all else in the lines is for the referee to work out."""
    starts = [number for number, line in enumerate(lines) if _ROUND.match(line)]
    return [
        _round_told(lines[start:end], start)
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)
    ]


def _round_told(lines: Sequence[str], before: int) -> Told:
    hands = next(found[1] for line in lines if (found := _HANDS.match(line)))
    turn_up = next(found[1] for line in lines if (found := _TURN_UP.match(line)))
    answers = [
        (number, found[1], _read(found[1], found[2]))
        for number, line in enumerate(lines, before + 1)
        if (found := _ANSWER.match(line))
    ]
    masks = tuple(mask_of(parse_cards(hand)) for hand in hands.split(" | "))
    return Told(masks, -1 if turn_up == "--" else parse_card(turn_up), tuple(answers))


def _read(verb: str, word: str) -> int:
    if verb == "bids":
        return int(word)
    return SUIT_LETTERS.index(word) if verb == "names" else parse_card(word)
