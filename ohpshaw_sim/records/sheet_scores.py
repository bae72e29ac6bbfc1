"""A score sheet judged by the rules and scored, round by round.

sheet = read_sheet(text, "evening.csv")
scored = score_sheet(sheet, rules)
scored.rounds, scored.standings, scored.tie_break, scored.leaders
"""

from collections.abc import Sequence

from ohpshaw_sim.errors import ConflictError, IllegalError, MalformedError, OhPshawError
from ohpshaw_sim.records.score_sheet import ScoreSheet, WrittenRound
from ohpshaw_sim.records.sheet_cells import Cell, Label, read_label, read_mark, read_player
from ohpshaw_sim.records.sheet_reading import rules_of
from ohpshaw_sim.records.sheet_rounds import (
    MISDEAL,
    SCORED,
    UNDER_WAY,
    SheetRound,
    Table,
    announced,
    bids_so_far,
    check_written,
    judge_bids,
    judge_hand_size,
    judge_revokes,
    judge_tricks,
    points_of,
)
from ohpshaw_sim.records.sheet_rows import says_misdeal
from ohpshaw_sim.records.sheet_standings import ScoredSheet
from ohpshaw_sim.rules import EXTRA_ROUNDS, Rules


def score_sheet(
    sheet: ScoreSheet, rules: Rules | None = None, *, check_schedule: bool = False
) -> ScoredSheet:
    """Judge every round of a sheet by the rules (None = those it names, or the base game) and score it.

    `check_schedule` refuses hand sizes that are not those of the schedule (B4). Raises MalformedError, ConflictError or
    IllegalError, which name source, row and column.

    >>> from ohpshaw_sim.records.sheet_reading import read_sheet
    >>> text = "cards,dealer,Ann bid,Ann tricks,Bob bid,Bob tricks,Cem bid,Cem tricks\\n1,Ann,0,0,1,1,1,0\\n"
    >>> score_sheet(read_sheet(text, "evening.csv")).totals
    (10, 11, 0)
    """
    rules = rules or rules_of(sheet)
    try:
        return _Scorer(sheet, rules, check_schedule).scored()
    except OhPshawError as error:
        raise type(error)(f"{sheet.source}: {error}") from None


class _Scorer:
    """The rounds of a sheet so far, and what has to come next."""

    def __init__(self, sheet: ScoreSheet, rules: Rules, check_schedule: bool) -> None:
        count = len(sheet.players)
        self.table = Table(sheet.players, rules, rules.largest_hand(count))
        self.schedule = rules.schedule_for(count)
        self.check_schedule = check_schedule
        self.written = _begun(sheet.rounds)
        self.rounds: list[SheetRound] = []
        self.dealer = rules.first_dealer
        self.number, self.extras = 1, 0
        self.totals = (0,) * count

    def scored(self) -> ScoredSheet:
        """Judge all rounds."""
        for written in self.written:
            self.rounds.append(self._judge(written, last=written is self.written[-1]))
        return self._so_far()

    def _so_far(self) -> ScoredSheet:
        table = self.table
        return ScoredSheet(table.players, table.rules, self.schedule, tuple(self.rounds), self.dealer)

    def _judge(self, written: WrittenRound, *, last: bool) -> SheetRound:
        extra = self._check_label(written.marks)
        if _misdealt(written):
            return self._misdeal(written, extra)
        size = judge_hand_size(written.marks["hand_size"], self.table)
        self._check_size(written.marks["hand_size"], size, extra)
        dealer = self._dealer(written.marks["dealer"])
        if last and written.blank("tricks"):
            bids = bids_so_far(written, self.table, size, dealer)
            told = announced(bids, size)
            note = written.marks["note"].text
            return SheetRound(
                self.number,
                extra,
                UNDER_WAY,
                size,
                dealer,
                bids,
                told,
                None,
                judge_revokes(written),
                None,
                self.totals,
                note,
            )
        return self._score(written, extra, size, dealer)

    def _score(self, written: WrittenRound, extra: bool, size: int, dealer: int) -> SheetRound:
        """Score a finished round and pass the deal on (B3)."""
        bids = judge_bids(written, self.table, size, dealer)
        tricks = judge_tricks(written, self.table, size)
        points = points_of(written, self.table, size, bids, tricks)
        if not extra:
            self.totals = tuple(total + more for total, more in zip(self.totals, points, strict=True))
        check_written(written.figures["total"], self.totals, self.table, "the total")
        number, note = self.number, written.marks["note"].text
        self.number += 1
        self.extras += extra
        self.dealer = (dealer + 1) % len(bids)
        told, revokes = announced(bids, size), judge_revokes(written)
        return SheetRound(
            number, extra, SCORED, size, dealer, bids, told, tricks, revokes, points, self.totals, note
        )

    def _misdeal(self, written: WrittenRound, extra: bool) -> SheetRound:
        """Take down a misdealt round; the same dealer deals again (B7)."""
        cells = written.marks
        size = None if cells["hand_size"].empty else judge_hand_size(cells["hand_size"], self.table)
        if not cells["dealer"].empty:
            self.dealer = self._dealer(cells["dealer"])
        nobody = (None,) * len(self.totals)
        return SheetRound(
            self.number,
            extra,
            MISDEAL,
            size,
            self.dealer,
            nobody,
            None,
            None,
            nobody,
            None,
            self.totals,
            cells["note"].text,
        )

    def _check_label(self, marks: dict[str, Cell]) -> bool:
        """Return whether a round is a tie-break round; refuse one that cannot come now, or has another number (B15)."""
        label = read_label(marks["round"])
        extra = label.extra or read_mark(marks["extra"])
        where = marks["extra" if extra and not label.extra else "round"].where
        if extra:
            self._check_tie(where)
        elif self.extras:
            raise IllegalError(f"{where}: a round of the schedule cannot follow a tie-break round (B15)")
        self._check_number(label, extra, marks["round"])
        return extra

    def _check_number(self, label: Label, extra: bool, cell: Cell) -> None:
        """Refuse a number other than the next; tie-break rounds may have their own or go on counting."""
        own = self.extras + 1 if extra else self.number
        if label.number not in (None, own) and not (
            extra and not label.extra and label.number == self.number
        ):
            due = f"{'tie-break' if extra else 'round'} {own}"
            raise ConflictError(
                f"{cell.where}: the round is {cell.text}, but {due} comes next; rounds go 1, 2, ... in order, "
                "and one that is dealt again keeps its number"
            )

    def _check_tie(self, where: str) -> None:
        """Refuse a tie-break round when nobody is tied on top, or too many have been played (B15)."""
        sofar = self._so_far()
        if self.check_schedule and not sofar.complete:
            raise IllegalError(
                f"{where}: a tie-break round after {self.number - 1} of the {len(self.schedule)} rounds of the schedule"
            )
        if len(sofar.leaders) == 1 or self.number == 1:
            first = (
                f"{self.table.players[sofar.leaders[0]]} leads alone"
                if self.number > 1
                else "nothing is scored"
            )
            raise IllegalError(f"{where}: there is no tie to break; {first} (B15)")
        if self.extras >= EXTRA_ROUNDS:
            raise IllegalError(f"{where}: after {EXTRA_ROUNDS} tie-break rounds the rank is shared (B15)")

    def _check_size(self, cell: Cell, size: int, extra: bool) -> None:
        """Refuse a hand size that is not the schedule's, if that was asked for (B4, B15)."""
        if not self.check_schedule:
            return
        if not extra and self.number > len(self.schedule):
            raise IllegalError(f"{cell.where}: the schedule ends after {len(self.schedule)} rounds (B4)")
        tie_break = self.table.rules.tie_break_size(len(self.totals))
        due = tie_break if extra else self.schedule[self.number - 1]
        if size != due:
            which = "a tie-break round" if extra else f"round {self.number} of the schedule"
            raise IllegalError(f"{cell.where}: hand size {size}, but {which} has {due} (B4)")

    def _dealer(self, cell: Cell) -> int:
        """Return who deals; refuse anyone but the next one clockwise, or after a misdeal the same (B3, B7)."""
        if cell.empty and self.dealer is None:
            raise MalformedError(f"{cell.where}: the dealer of the first round is missing")
        dealer = self.dealer if cell.empty else read_player(cell, self.table.players)
        assert dealer is not None
        if self.dealer is not None and dealer != self.dealer:
            players = self.table.players
            raise IllegalError(f"{cell.where}: {players[dealer]} deals, but it is {self._turn()} (B3)")
        return dealer

    def _turn(self) -> str:
        """Return whose deal it is, and why."""
        players = self.table.players
        assert self.dealer is not None
        if self.rounds and self.rounds[-1].state == MISDEAL:
            return f"{players[self.dealer]} who deals again after the misdeal"
        if not self.rounds:
            return f"{players[self.dealer]} by the rules"
        return f"{players[self.dealer]}'s turn, the seats clockwise being {', '.join(players)}"


def _misdealt(written: WrittenRound) -> bool:
    return read_mark(written.marks["misdeal"]) or says_misdeal(written.marks["note"].text)


def _begun(rounds: Sequence[WrittenRound]) -> list[WrittenRound]:
    """Return the rounds up to the last one for which anything was bid or won, or that was misdealt."""
    kept = list(rounds)
    while kept and kept[-1].blank("bid", "tricks") and not _misdealt(kept[-1]):
        kept.pop()
    return kept
