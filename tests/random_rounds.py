"""Rounds of the engine under random rules, answered at random, with what it says before every answer."""

import random
from dataclasses import dataclass, field
from typing import Any

from ohpshaw_sim.cards import cards_in
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.interface.view import BID, PLAY
from ohpshaw_sim.rule_text import make_rules
from ohpshaw_sim.rules import Rules


@dataclass
class Decision:
    """What the engine asks for before an answer."""

    kind: int
    seat: int
    legal: int
    leaders: list[int]
    tricks: list[int]
    voids: list[int]


@dataclass
class Played:
    """A round of the engine and how it came about."""

    rules: Rules
    table: Round
    decisions: list[Decision] = field(default_factory=list)
    answers: list[tuple[int, int]] = field(default_factory=list)


def random_rules(draw: random.Random) -> Rules:
    """Rules of any options that agree with each other."""
    options: dict[str, Any] = {
        "must_trump": draw.random() < 0.4,
        "scoring": draw.choice(["exact", "soft", "wizard", "penalty"]),
        "zero_bid": draw.choice(["as-scored", "hand-size"]),
        "round_winner_bonus": draw.random() < 0.3,
        "revoke_penalty": draw.choice([0, 10]),
        "no_trump_final": draw.random() < 0.3,
        "trump": draw.choice(["turn-up", "turn-up", "rotate"]),
    }
    if draw.random() < 0.4:
        options["wizard"] = True
    elif draw.random() < 0.5:
        options["pack"] = draw.choice(["4x13", "3x9", "4x7", "2x13", "4x5", "2x4", "1x13"])
    bidding = draw.choice(["plain", "hook", "simultaneous"])
    if bidding == "hook":
        options.update(hook=True, hook_from=draw.choice([1, 1, 2, 3]))
    elif bidding == "simultaneous":
        options["bidding"] = "simultaneous"
    return make_rules(**options)


def start(draw: random.Random, rules: Rules, largest: int = 20) -> Round:
    """A round of any size that the rules allow, all cards dealt now and then."""
    cards = rules.pack_mask.bit_count()
    players = draw.randint(3, min(7, cards))
    top = min(rules.largest_hand(players), largest)
    hand_size = top if draw.random() < 0.2 else draw.randint(1, top)
    trump = None
    if rules.trump == "rotate":
        trump = draw.choice([suit for suit in range(4) if rules.pack_mask >> (16 * suit) & 0x7FFC])
    if rules.no_trump_final and draw.random() < 0.4:
        trump = -1
    seed = draw.randrange(1 << 30)
    return Round.deal(rules, players, hand_size, draw.randrange(players), seed, trump=trump)


def play_at_random(draw: random.Random, rules: Rules | None = None, largest: int = 20) -> Played:
    """Play a round to its end."""
    rules = random_rules(draw) if rules is None else rules
    table = start(draw, rules, largest)
    played = Played(rules, table)
    while not table.done:
        decision = _decision(table)
        answer = draw.choice(list(cards_in(table.legal)))
        played.decisions.append(decision)
        played.answers.append((decision.kind, answer))
        table.answer(answer)
    played.decisions.append(_decision(table))
    return played


def _decision(table: Round) -> Decision:
    voids = [int(voids) for voids in table.view.voids[: table.view.players]]
    return Decision(table.kind, table.seat, table.legal, table.leaders, table.tricks, voids)


def cut(record: dict[str, Any], played: Played, answers: int) -> dict[str, Any]:
    """The record as it was after so many answers."""
    made = played.answers[:answers]
    bids = sum(kind == BID for kind, _ in made)
    cards = sum(kind == PLAY for kind, _ in made)
    players, dealer = record["players"], record["dealer"]
    order = [(dealer + 1 + place) % players for place in range(players)]
    short = dict(record)
    short["bids"] = [record["bids"][seat] if seat in order[:bids] else None for seat in range(players)]
    short["plays"] = " ".join(record["plays"].split()[:cards])
    if str(record.get("turn_up")).startswith("W") and not made:
        del short["trump"]
    short.pop("scores", None)
    return short
