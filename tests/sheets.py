"""Evenings for the tests of score sheets: played by the referee, written down in every layout."""

import csv
import io
import json
import random
from dataclasses import asdict, dataclass, field
from typing import Any

import reference as ref
from ohpshaw_sim.rule_text import make_rules
from ohpshaw_sim.rules import Rules

NAMES = ("Ann", "Bob Ross", "José", "Zoë", "Dan-Li", "Eve", "Fay")

CHOSEN = (
    "hand_sizes",
    "tie_break_hand",
    "hook",
    "scoring",
    "zero_bid",
    "round_winner_bonus",
    "revoke_penalty",
)
"""The options that evenings differ in."""


@dataclass
class Row:
    """A round as the players would say it; what stands for each of them is by seat."""

    label: str
    hand_size: int
    dealer: int
    bids: list[int]
    tricks: list[int]
    revokes: dict[int, str] = field(default_factory=dict)
    misdeal: bool = False


@dataclass
class Evening:
    """Rounds in order, and the referee's match with their scores."""

    options: ref.Options
    names: tuple[str, ...]
    match: ref.Match
    rows: list[Row] = field(default_factory=list)
    scores: list[list[int]] = field(default_factory=list)


def random_options(draw: random.Random) -> ref.Options:
    return ref.Options(
        hand_sizes=tuple(draw.randint(1, 7) for _ in range(draw.randint(1, 6))),
        tie_break_hand=draw.choice([None, None, 2]),
        hook=draw.random() < 0.3,
        scoring=draw.choice(ref.WORDS["scoring"]),
        zero_bid=draw.choice(ref.WORDS["zero_bid"]),
        round_winner_bonus=draw.random() < 0.4,
        revoke_penalty=draw.choice([0, 10]),
    )


def rules_of(evening: Evening) -> Rules:
    """The evening's options as the package's rules."""
    options = asdict(evening.options)
    return make_rules(**{name: options[name] for name in CHOSEN})


def random_evening(seed: int) -> Evening:
    """An evening of chance, ties played off, some stopped early, with misdeals and revokes."""
    draw = random.Random(seed)
    options, players = random_options(draw), draw.randint(3, 7)
    match = ref.Match.start(options, players, draw.randrange(players))
    evening = Evening(options, NAMES[:players], match)
    last = draw.choice([99, 99, draw.randint(1, 6)])
    flat = draw.random() < 0.3  # everyone alike: ties on top, so extra rounds
    while not match.over and len(evening.rows) < 60:
        if len(evening.scores) == last:
            match.stop()
            break
        play_round(evening, draw, flat)
    return evening


def play_round(evening: Evening, draw: random.Random, flat: bool) -> None:
    match, players = evening.match, evening.match.players
    size, dealer = match.next_hand_size, match.dealer
    label = str(len(evening.scores) + 1) if match.rounds_to_go else f"tie-break {len(match.extra) + 1}"
    if draw.random() < 0.1:
        evening.rows.append(Row(label, size, dealer, [], [], misdeal=True))
    tricks = [0] * players
    for _ in range(size):
        tricks[draw.randrange(players)] += 1
    bids = [
        won + (1 if won == 0 else -1) if flat else draw.choice([won, draw.randint(0, size)]) for won in tricks
    ]
    if ref.barred_bid(evening.options, size, sum(bids) - bids[dealer]) == bids[dealer]:
        bids[dealer] += 1 if bids[dealer] < size else -1
    revokes = {
        seat: draw.choice(["caught-before", "caught-later"])
        for seat in range(players)
        if draw.random() < 0.05
    }
    late = [seat for seat, kind in revokes.items() if kind == "caught-later"]
    scores = ref.round_scores(bids, tricks, size, evening.options, late)
    evening.rows.append(Row(label, size, dealer, bids, tricks, revokes))
    evening.scores.append(scores)
    match.record(scores)


def as_wide(evening: Evening, delimiter: str = ",", start: str = "") -> str:
    """A row for each round, players in seating order."""
    names = evening.names
    heads = ["round", "hand_size", "dealer", "misdeal", "revoke"]
    table: list[list[Any]] = [[*heads, *(f"{name} {word}" for name in names for word in ("bid", "tricks"))]]
    for row in evening.rows:
        told = ", ".join(f"{names[seat]} {kind}" for seat, kind in row.revokes.items())
        pairs = zip(row.bids, row.tricks, strict=True)
        head = [row.label, row.hand_size, names[row.dealer], "yes" if row.misdeal else "", told]
        table.append([*head, *(value for pair in pairs for value in pair)])
    return start + csv_text(table, delimiter)


def as_long(evening: Evening, draw: random.Random, delimiter: str = ";") -> str:
    """A row for each round and player, in any order."""
    names = evening.names
    table: list[list[Any]] = []
    for row in evening.rows:
        head = [row.label, row.hand_size, names[row.dealer]]
        if row.misdeal:
            table.append([*head, "", "", "", "", "x"])
        for seat, (bid, won) in enumerate(zip(row.bids, row.tricks, strict=True)):
            table.append([*head, names[seat], bid, won, row.revokes.get(seat, ""), ""])
    draw.shuffle(table)
    heads = ["round", "hand_size", "dealer", "player", "bid", "tricks", "revoke", "misdeal"]
    return csv_text([heads, *table], delimiter)


def as_json(evening: Evening, **more: Any) -> str:
    names = evening.names
    rounds = [
        {"round": row.label, "hand_size": row.hand_size, "dealer": names[row.dealer], "misdeal": True}
        if row.misdeal
        else {
            "round": row.label,
            "hand_size": row.hand_size,
            "dealer": names[row.dealer],
            "bids": {names[seat]: bid for seat, bid in reversed(list(enumerate(row.bids)))},
            "tricks": row.tricks,
            "revokes": {names[seat]: kind for seat, kind in row.revokes.items()},
        }
        for row in evening.rows
    ]
    return json.dumps({**more, "players": names, "rounds": rounds}, ensure_ascii=False)


def csv_text(table: list[list[Any]], delimiter: str) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\r\n").writerows(table)
    return out.getvalue()
