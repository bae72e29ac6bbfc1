"""A round told to people, in lines of 80 columns: what was dealt, bid and played, and what the rules say of it."""

import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import Final

from ohpshaw_sim.cards import (
    NO_SUIT,
    SUIT_LETTERS,
    SUIT_SYMBOLS,
    format_card,
    format_cards,
    mask_of,
)
from ohpshaw_sim.records.incidents import Forfeit
from ohpshaw_sim.records.match import Standing
from ohpshaw_sim.records.reasons import why_won
from ohpshaw_sim.records.record import RoundRecord
from ohpshaw_sim.records.spelling import SUIT_NAMES
from ohpshaw_sim.records.verdict import Status, Trick, Verdict

WIDTH: Final = 80
_MARGIN: Final = 10
_LONGEST_NAME: Final = 24
_TIE: Final = "\xa0"
_CARD: Final = re.compile(r"\b([2-9TJQKAWF])([CDHS])\b")


class Account:
    """The account of one round; `symbols` writes T♥ for TH."""

    def __init__(self, record: RoundRecord, verdict: Verdict, standing: Standing, *, symbols: bool) -> None:
        self._record, self._verdict, self._standing, self._symbols = record, verdict, standing, symbols
        self._names = [self._name(seat) for seat in range(record.players)]
        alone = [name.partition(" ")[2] for name in self._names]
        self._tell_apart = len(set(alone)) == len(alone)

    def lines(self) -> Iterator[str]:
        """Yield the account line by line."""
        verdict = self._verdict
        yield from self._entry(self.title(), self._setting(), margin=len(self.title()) + 2)
        yield from self._deal()
        yield from self._bids()
        for number, trick in enumerate(verdict.played, start=1):
            if trick.plays:
                yield from self._trick(number, trick)
        if verdict.scores is not None:
            yield from self._result()
        yield from self._end()
        for forfeit in self._record.forfeits:
            yield from self._entry("forfeit", self._forfeit(forfeit))
        if self._record.comment:
            yield from self._entry("comment", _plain(self._record.comment))

    def title(self) -> str:
        """Return what the account calls the round."""
        standing = self._standing
        return f"match {standing.match}, round {standing.round}" + (" (extra)" if standing.extra else "")

    def brief(self, where: str) -> str:
        """Return the round in one line; `where` its record begins: `line 3`."""
        verdict = self._verdict
        begin = f"{where}, {self.title()}: {verdict.status.value}"
        if verdict.breach is not None:
            return f"{begin}, {verdict.breach.rule}: {self._say(verdict.breach.sentence)}"
        if verdict.turn is not None:
            return f"{begin}: {self._say(verdict.turn.sentence)}"
        scores = self._each(enumerate(verdict.scores or ())).replace(_TIE, " ")
        return f"{begin}: {scores}" if scores else begin

    def _setting(self) -> str:
        record = self._record
        rules = record.rules_line
        dealer = self._short(record.dealer) if record.dealer < record.players else f"seat {record.dealer}"
        seed = f", seed {str(record.seed)[:20]}" if record.seed is not None else ""
        return f"{rules}; {record.players} players, {_count(record.hand_size, 'card')}; {dealer} deals{seed}"

    def _deal(self) -> Iterator[str]:
        record, verdict = self._record, self._verdict
        turned = "no card" if record.turn_up is None else self._card(record.turn_up)
        trump = "" if verdict.trump is None else ", no trump"
        if verdict.trump is not None and verdict.trump != NO_SUIT:
            trump = f", {SUIT_NAMES[verdict.trump]} are trump"
        yield from self._entry("turned up", turned + trump)
        hands = record.hands or ()
        for seat, hand in enumerate(hands):
            label = "hands" if seat == 0 else ""
            mask = mask_of(hand or ())
            in_order = mask if hand is not None and mask.bit_count() == len(hand) else hand or ()
            cards = "not known" if hand is None else format_cards(in_order, symbols=self._symbols)
            name = self._names[seat] if seat < record.players else f"seat {seat}"
            yield from self._entry(
                label, f"{name:<{self._name_width()}}  {cards}", indent=self._name_width() + 2
            )

    def _bids(self) -> Iterator[str]:
        verdict, size = self._verdict, self._record.hand_size
        made = [(seat, bid) for seat, bid in enumerate(verdict.bids) if bid is not None]
        if not made:
            return
        players = self._record.players
        made.sort(key=lambda pair: (pair[0] - self._record.dealer - 1) % players)
        text = self._each(made)
        if verdict.announcement is not None:
            total = sum(bid for _, bid in made)
            text += f"; {total} bid for {_count(size, 'trick')}: {verdict.announcement}"
        yield from self._entry("bids", text)

    def _trick(self, number: int, trick: Trick) -> Iterator[str]:
        verdict = self._verdict
        cards = [
            f"{self._short(play.seat)} {self._card(play.card)}{'*' if play.seat == trick.winner else ''}"
            for play in trick.plays
        ]
        why = why_won(trick.cards, trick.winning_card, NO_SUIT if verdict.trump is None else verdict.trump)
        winner = self._short(trick.winner)
        after = f"{winner} wins: {why}" if trick.finished else f"{winner} is winning: {why}"
        label = f"trick {number}"
        for line in _packed(cards, WIDTH - _MARGIN):
            yield f"{label:<{_MARGIN}}{line}"
            label = ""
        yield from self._entry("", after)

    def _result(self) -> Iterator[str]:
        verdict, width = self._verdict, self._name_width()
        scores, totals = verdict.scores or (), self._standing.totals
        revoked = {revoke.seat for revoke in self._record.revokes if revoke.kind == "caught-later"}
        forfeited = {forfeit.seat for forfeit in self._record.forfeits}
        yield f"{'result':<{_MARGIN}}{'':<{width}}   bid  tricks  score  total"
        for seat, (bid, tricks, score) in enumerate(zip(verdict.bids, verdict.tricks, scores, strict=True)):
            name = f"{self._names[seat]:<{width}}"
            remark = "  revoked" if seat in revoked else "  hit" if bid == tricks else ""
            remark = "  forfeited" if seat in forfeited else remark
            yield f"{'':<{_MARGIN}}{name}  {bid:>4}  {tricks:>6}  {score:>5}  {totals[seat]:>5}{remark}"

    def _end(self) -> Iterator[str]:
        verdict = self._verdict
        if verdict.breach is not None:
            yield from self._entry("BROKEN", f"{verdict.breach.rule}: {self._say(verdict.breach.sentence)}")
        elif verdict.turn is not None:
            yield from self._entry("to go on", self._say(verdict.turn.sentence))
        elif verdict.status is Status.misdeal:
            yield from self._entry("misdeal", "no score; the same dealer deals again (B7)")

    def _forfeit(self, forfeit: Forfeit) -> str:
        """Say who failed, how and when; what follows on that were random answers."""
        decision = forfeit.decision
        when = "" if decision is None else " at its bid" if decision == 0 else f" at its card {decision}"
        if decision is not None and decision > self._record.hand_size:
            when = " when it was to name trump"
        why = _plain(forfeit.reason) if forfeit.reason else forfeit.kind
        return f"{self._short(forfeit.seat)}{when}: {why}; the rest is random"

    def _entry(self, label: str, text: str, margin: int = _MARGIN, indent: int = 0) -> Iterator[str]:
        """Yield a label and a text beside it, wrapped."""
        margin = min(margin, 40)
        wrapped = [text]
        if len(text) > WIDTH - margin:
            wrapped = textwrap.wrap(
                text, WIDTH - margin, subsequent_indent=" " * indent, break_on_hyphens=False
            )
        for place, line in enumerate(wrapped):
            yield f"{label if place == 0 else '':<{margin}}{line}".rstrip().replace(_TIE, " ")

    def _name(self, seat: int) -> str:
        """Return what a seat is called: its name and number."""
        names = self._record.names
        if names is None:
            return f"seat {seat}"
        name = _plain(names[seat])
        return f"{seat} {name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + '…'}"

    def _each(self, values: Iterable[tuple[int, int]]) -> str:
        """Return numbers beside the seats that they belong to, none of them torn apart where lines end."""
        return ", ".join(f"{self._short(seat)}: {value}".replace(" ", _TIE) for seat, value in values)

    def _short(self, seat: int) -> str:
        """Return the same without the number, where names tell the seats apart."""
        if self._record.names is None or not self._tell_apart:
            return self._names[seat]
        return self._names[seat].partition(" ")[2]

    def _name_width(self) -> int:
        return max((len(name) for name in self._names), default=0)

    def _card(self, card: int) -> str:
        return format_card(card, symbols=self._symbols)

    def _say(self, sentence: str) -> str:
        """Return a sentence of the judge with symbols, and names beside seats."""
        if self._symbols:
            sentence = _CARD.sub(
                lambda found: found[1] + SUIT_SYMBOLS[SUIT_LETTERS.index(found[2])], sentence
            )
        if self._record.names is None:
            return sentence
        return re.sub(r"\bseat (\d+)", self._with_name, sentence)

    def _with_name(self, found: re.Match[str]) -> str:
        seat = int(found[1])
        return (
            f"{found[0]} ({self._names[seat][len(found[1]) + 1 :]})" if seat < len(self._names) else found[0]
        )


def _plain(text: str) -> str:
    """Return text on one line, with nothing in it that a terminal would obey."""
    return "".join(sign if sign.isprintable() else " " for sign in text).strip() or "?"


def _packed(cells: list[str], width: int) -> Iterator[str]:
    """Yield cells side by side, in as many lines as they need."""
    line = ""
    for cell in cells:
        if line and len(line) + 2 + len(cell) > width:
            yield line
            line = ""
        line += f"  {cell}" if line else cell
    yield line


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
