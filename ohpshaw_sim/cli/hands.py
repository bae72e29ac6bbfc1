"""Hands, cards and trump as people read them, in 80 columns; colour only repeats what is written."""

# ruff: noqa: PLC0415  # rich imports late, only where there is a terminal

import sys
from collections.abc import Sequence
from typing import Any, Final

from ohpshaw_sim.cards import (
    JESTER,
    NO_CARD,
    NO_SUIT,
    RANK_LETTERS,
    SUIT_SYMBOLS,
    WIZARD,
    Card,
    Mask,
    Suit,
    cards_in,
    format_card,
    lane_of,
    rank_of,
    suit_of,
)

WIDTH: Final = 80
SUIT_WORDS: Final = ("clubs", "diamonds", "hearts", "spades")
_FREE: Final = {WIZARD: "Wiz", JESTER: "Jes"}
_NONE: Final = "–"
_GAP: Final = "  "


def card_text(card: Card) -> str:
    """Return a card as `T♥`, a Wizard as `Wiz` and a Jester as `Jes`.

    >>> card_text(42), card_text(15)
    ('T♥', 'Wiz')
    """
    return _FREE.get(rank_of(card)) or format_card(card, symbols=True)


def suits_in_order(pack: Mask, trump: Suit) -> list[Suit]:
    """Return the suits of a pack as a hand shows them: trump first, then from spades down."""
    suits = [suit for suit in (3, 2, 1, 0) if pack & lane_of(suit)]
    return sorted(suits, key=lambda suit: suit != trump)


def hand_pieces(hand: Mask, suits: Sequence[Suit]) -> list[str]:
    """Return a hand suit by suit, then its Wizards and Jesters, empty where it has none.

    >>> hand_pieces(1 << 14 | 1 << 10 | 1 << 47, [0, 1])
    ['♣ AT', '♦ –', 'Wiz', '']
    """
    ranks: dict[int, str] = dict.fromkeys(suits, "")
    free = dict.fromkeys(_FREE, 0)
    for card in cards_in(hand):
        if rank_of(card) in free:
            free[rank_of(card)] += 1
        else:
            ranks[suit_of(card)] = RANK_LETTERS[rank_of(card)] + ranks[suit_of(card)]
    held = [f"{SUIT_SYMBOLS[suit]} {ranks[suit] or _NONE}" for suit in suits]
    return held + [
        f"{_FREE[rank]}×{count}" if count > 1 else _FREE[rank] * count for rank, count in free.items()
    ]


def hand_rows(hands: Sequence[tuple[str, Mask]], pack: Mask, trump: Suit) -> list[str]:
    """Return one line per hand, each with what stands before it, suits below each other."""
    suits = suits_in_order(pack, trump)
    rows = [[head, *hand_pieces(hand, suits)] for head, hand in hands]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    if sum(widths) + len(_GAP) * sum(width > 0 for width in widths) > WIDTH:
        widths = [widths[0], *[0] * len(suits), 0, 0]
    return [
        _GAP
        + _GAP.join(
            f"{piece:<{width}}" for piece, width in zip(row, widths, strict=True) if piece or width
        ).rstrip()
        for row in rows
    ]


def trump_words(turn_up: Card, trump: Suit) -> str:
    """Say what was turned and what is trump; `trump` below -1 = the dealer is to name it.

    >>> trump_words(39, 2), trump_words(-1, -1)
    ('7♥ turned up, trump hearts', 'nothing turned up, no trump')
    """
    turned = (
        "nothing" if turn_up == NO_CARD else {WIZARD: "a Wizard", JESTER: "a Jester"}.get(rank_of(turn_up))
    )
    turned = turned or card_text(turn_up)
    if trump < NO_SUIT:
        return f"{turned} turned up, the dealer names trump"
    return f"{turned} turned up, " + ("no trump" if trump == NO_SUIT else f"trump {SUIT_WORDS[trump]}")


class Paper:
    """Lines on stdout: as they are, or on a terminal with red suits in red and headings bold."""

    def __init__(self) -> None:
        self._console: Any = None
        if sys.stdout.isatty():
            from rich.console import Console

            self._console = Console(file=sys.stdout, highlight=False)

    def write(self, *lines: str, bold: bool = False) -> None:
        """Write lines at once."""
        for line in lines:
            if self._console is None:
                sys.stdout.write(line + "\n")
            else:
                self._write_coloured(self._console, line, bold)
        sys.stdout.flush()

    @staticmethod
    def _write_coloured(console: Any, line: str, bold: bool) -> None:
        from rich.text import Text

        text = Text(line, style="bold" if bold else "")
        text.highlight_regex(r"[♥♦]( [2-9TJQKA]+)?|[2-9TJQKA][♥♦]", "red")
        console.print(text, soft_wrap=True)
