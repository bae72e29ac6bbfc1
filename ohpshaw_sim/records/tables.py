"""A round and its verdict for other programs: one JSON object, or one row of CSV for each seat."""

from collections.abc import Iterator
from typing import Any, Final

from ohpshaw_sim.cards import NO_SUIT, SUIT_LETTERS, Mask, Suit, cards_in, format_card, format_cards
from ohpshaw_sim.records.match import Standing
from ohpshaw_sim.records.reasons import why_won
from ohpshaw_sim.records.record import RoundRecord
from ohpshaw_sim.records.verdict import Breach, Decision, Trick, Turn, Verdict
from ohpshaw_sim.records.writing import record_table

COLUMNS: Final = (
    *("line", "match", "round", "hand_size", "dealer", "seat", "name"),
    *("bid", "tricks", "score", "total", "status", "rule"),
)
"""Columns of a seat's row; empty where there is nothing to say."""


def verdict_table(line: int, record: RoundRecord, verdict: Verdict, standing: Standing) -> dict[str, Any]:
    """Return all that was found, and the record itself, as a JSON object; `line` is where the record begins."""
    return {
        "line": line,
        "match": standing.match,
        "round": standing.round,
        "extra_round": standing.extra,
        "status": verdict.status.value,
        "rules": record.rules_line,
        "trump": _suit(verdict.trump),
        "bids": list(verdict.bids),
        "announcement": verdict.announcement,
        "leaders": list(verdict.leaders),
        "winners": list(verdict.winners),
        "tricks": list(verdict.tricks),
        "voids": ["".join(SUIT_LETTERS[suit] for suit in cards_in(voids)) for voids in verdict.voids],
        "played": [_trick(trick, verdict.trump) for trick in verdict.played],
        "scores": None if verdict.scores is None else list(verdict.scores),
        "totals": list(standing.totals),
        "turn": None if verdict.turn is None else _turn(verdict.turn),
        "broken": None if verdict.breach is None else _breach(verdict.breach),
        "record": record_table(record),
    }


def seat_rows(
    line: int, record: RoundRecord, verdict: Verdict, standing: Standing
) -> Iterator[tuple[Any, ...]]:
    """Yield a row for each seat, under COLUMNS; None = empty."""
    rule = None if verdict.breach is None else verdict.breach.rule
    for seat in range(record.players):
        name = None if record.names is None else record.names[seat]
        found = (_at(verdict.bids, seat), _at(verdict.tricks, seat), _at(verdict.scores or (), seat))
        yield (
            line, standing.match, standing.round, record.hand_size, record.dealer, seat, name, *found,
            standing.totals[seat], verdict.status.value, rule,
        )  # fmt: skip


def _at(values: tuple[Any, ...], seat: int) -> Any:
    return values[seat] if seat < len(values) else None


def _suit(suit: Suit | None) -> str | None:
    """Return a suit's letter, `none` for no trump, None where it is not decided."""
    return None if suit is None else "none" if suit == NO_SUIT else SUIT_LETTERS[suit]


def _trick(trick: Trick, trump: Suit | None) -> dict[str, Any]:
    return {
        "leader": trick.leader,
        "cards": [format_card(card) for card in trick.cards],
        "led": None if trick.led == NO_SUIT else SUIT_LETTERS[trick.led],
        "winner": trick.winner if trick.finished else None,
        "why": why_won(trick.cards, trick.winning_card, NO_SUIT if trump is None else trump)
        if trick.finished
        else None,
    }


def _turn(turn: Turn) -> dict[str, Any]:
    return {
        "seat": turn.seat,
        "decision": turn.decision.value,
        "legal": None if turn.legal is None else _answers(turn, turn.legal),
        "possible": _answers(turn, turn.possible),
        "waiting": list(turn.waiting),
        "sentence": turn.sentence,
    }


def _answers(turn: Turn, answers: Mask) -> list[Any]:
    """Return answers as they are written: numbers, cards or letters of suits."""
    if turn.decision is Decision.bid:
        return list(cards_in(answers))
    if turn.decision is Decision.play:
        return format_cards(answers).split()
    return [SUIT_LETTERS[suit] for suit in cards_in(answers)]


def _breach(breach: Breach) -> dict[str, Any]:
    return {
        "rule": breach.rule,
        "seat": breach.seat,
        "card": None if breach.card is None else format_card(breach.card),
        "trick": breach.trick,
        "sentence": breach.sentence,
    }
