"""What a scored sheet comes to, in words for the terminal."""

from collections.abc import Iterator, Sequence
from typing import Final

from ohpshaw_sim.cli.entries import WIDTH, entry
from ohpshaw_sim.cli.score_tables import REVOKED
from ohpshaw_sim.records.sheet_cells import CAUGHT_LATER
from ohpshaw_sim.records.sheet_rounds import UNDER_WAY, SheetRound
from ohpshaw_sim.records.sheet_rows import says_misdeal
from ohpshaw_sim.records.sheet_standings import ScoredSheet
from ohpshaw_sim.rule_text import rules_text

_MARGIN: Final = 11


def remarks(sheet: ScoredSheet) -> str:
    """Return what stands below the tables: how far the match is, who leads or has won, the tie-break, notes."""
    return "".join(entry(head, _MARGIN, text) for head, text in _remarks(sheet))


def _remarks(sheet: ScoredSheet) -> Iterator[tuple[str, str]]:
    rules = rules_text(sheet.rules)
    yield "rules", rules if len(rules) <= WIDTH - _MARGIN else rules.replace(",", ", ")
    yield "rounds", _how_far(sheet)
    last = sheet.rounds[-1] if sheet.rounds else None
    if last and last.state == UNDER_WAY:
        yield "under way", _under_way(last)
    yield ("result", _result(sheet)) if sheet.complete else ("leader", _leader(sheet))
    if tie := sheet.tie_break:
        yield (
            "tie-break",
            f"one more round of {_many(tie.hand_size, 'card')}, {sheet.players[tie.dealer]} deals; all play, "
            f"{_listed([sheet.players[seat] for seat in tie.players])} for the tie (B15)",
        )
    if any(CAUGHT_LATER in one.revokes for one in sheet.rounds):
        less = f" less {sheet.rules.revoke_penalty}" if sheet.rules.revoke_penalty else ""
        yield REVOKED, f"a revoke caught later: 0 points{less} for the round (B12)"
    for one in sheet.rounds:
        if one.note and not says_misdeal(one.note):
            yield "extra" if one.extra else f"round {one.number}", one.note


def _how_far(sheet: ScoredSheet) -> str:
    done, due = len(sheet.scored), len(sheet.schedule)
    extra = f", and {_many(len(sheet.extra), 'tie-break round')}" if sheet.extra else ""
    return f"{done} of {due} scored{extra}" if done <= due else f"{done} scored, {due} in the schedule{extra}"


def _under_way(one: SheetRound) -> str:
    made = [bid for bid in one.bids if bid is not None]
    bids = f"bids {sum(made)} for {_many(one.hand_size or 0, 'trick')}"
    told = f"{bids}: {one.announcement}" if one.announcement else f"{len(made)} of {len(one.bids)} have bid"
    return f"{'the tie-break round' if one.extra else f'round {one.number}'}, {told}; it counts for nothing yet (B16)"


def _result(sheet: ScoredSheet) -> str:
    names = [sheet.players[seat] for seat in sheet.leaders]
    if len(names) > 1:
        after = f" after {_many(len(sheet.extra), 'tie-break round')}" if sheet.extra else ""
        verb = "are tied on top" if sheet.tie_break else "share the first rank"
        return f"{_listed(names)} {verb} with {_points(sheet)}{after} (B15)"
    return f"{names[0]} wins with {_points(sheet)}{' and the tie-break' if sheet.extra else ''}"


def _leader(sheet: ScoredSheet) -> str:
    names = [sheet.players[seat] for seat in sheet.leaders]
    if not sheet.scored:
        return "nobody yet"
    verb = "wins" if len(names) == 1 else "share the first rank"
    return f"stopped now, {_listed(names)} {verb} with {_points(sheet)} (B16)"


def _points(sheet: ScoredSheet) -> str:
    return _many(sheet.totals[sheet.leaders[0]], "point")


def _many(number: int, what: str) -> str:
    return f"{number} {what}" + ("s" if number != 1 else "")


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
