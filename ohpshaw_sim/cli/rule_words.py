"""Rules in plain words: what holds at the table, each sentence with its ids in the rulebook.

A sentence follows from the options alone; whatever option differs from the base game changes at least one of them.
"""

from typing import Final, NamedTuple

from ohpshaw_sim.cards import ACE, JACK, KING, QUEEN, SUITS
from ohpshaw_sim.errors import IllegalError
from ohpshaw_sim.reading import write_numbers
from ohpshaw_sim.rules import (
    EXTRA_ROUNDS,
    FULL_PACK,
    HIT_BONUS,
    PLAYERS,
    ROTATION,
    ROUND_BONUS,
    WIZARD_HIT,
    WIZARD_STEP,
    ZERO_BONUS,
    Rules,
)

_SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")
_COURT: Final = {JACK: "jack", QUEEN: "queen", KING: "king"}
_SCHEDULES: Final = {
    "up": "from one card up to the last (B4)",
    "up-down": "from one card up to the last and down again, the peak once (V2)",
    "down": "from the last down to one card (V3)",
    "down-up": "from the last down to one card and up again, one card once (V4)",
    "contract-whist": "from seven cards down to one and up to seven again (V5)",
}
_SCORES: Final = {
    "exact": f"a bid hit scores {HIT_BONUS} + bid, a bid missed 0 (B13)",
    "soft": f"a bid hit scores {HIT_BONUS} + tricks, a bid missed 1 for each trick taken (V11)",
    "wizard": (
        f"a bid hit scores {WIZARD_HIT} + {WIZARD_STEP} for each trick, "
        f"a bid missed -{WIZARD_STEP} for each trick over or under (V15)"
    ),
    "penalty": f"a bid hit scores {HIT_BONUS} + bid, a bid missed -1 for each trick over or under (V16)",
}


class Saying(NamedTuple):
    """A sentence about the rules and the part of the game it is about."""

    about: str
    sentence: str


def rules_in_words(rules: Rules) -> list[Saying]:
    """Return what holds at the table under these rules, in the order of a round."""
    pairs = [
        ("pack", _pack(rules)),
        ("hand sizes", _sizes(rules)),
        ("dealer", _dealer(rules)),
        *(("trump", sentence) for sentence in _trump(rules)),
        *(("bidding", sentence) for sentence in _bidding(rules)),
        *(("play", sentence) for sentence in _play(rules)),
        *(("score", sentence) for sentence in _score(rules)),
        ("ties", _ties(rules)),
    ]
    return [Saying(*pair) for pair in pairs]


def hand_sizes_in_words(rules: Rules) -> list[Saying]:
    """Return the hand sizes of a match by number of players, or why there is no such match."""
    found = []
    for players in PLAYERS:
        try:
            sizes = rules.schedule_for(players)
        except IllegalError as error:
            found.append(Saying(f"{players} players", f"none: {error}"))
        else:
            found.append(
                Saying(f"{players} players", f"{write_numbers(sizes)} ({_count(len(sizes), 'round')})")
            )
    return found


def playable_by(rules: Rules) -> list[int]:
    """Return the numbers of players that can play a match of these rules.

    Raises IllegalError, with the reason at the fewest players, when none can.
    """
    found = []
    for players in PLAYERS:
        try:
            rules.schedule_for(players)
        except IllegalError:
            continue
        found.append(players)
    if not found:
        rules.schedule_for(PLAYERS[0])
    return found


def _pack(rules: Rules) -> str:
    if rules.wizard:
        return "60 cards: ace high, two low, four Wizards and four Jesters (V8)"
    if rules.pack == FULL_PACK:
        return "52 cards: ace high, two low (B2)"
    suits, ranks = map(int, rules.pack.split("x"))
    lowest = ACE + 1 - ranks
    names = _listed(_SUIT_NAMES[:suits])
    return f"{suits * ranks} cards: {names}, ace down to {_COURT.get(lowest, lowest)} (V17)"


def _sizes(rules: Rules) -> str:
    if rules.hand_sizes is not None:
        return f"as listed: {write_numbers(rules.hand_sizes)} (B4)"
    last = "the last" if rules.max_hand is None else _count(rules.max_hand, "card")
    return _SCHEDULES[rules.schedule].replace("the last", last)


def _dealer(rules: Rules) -> str:
    first = "drawn from the seed" if rules.first_dealer is None else f"seat {rules.first_dealer} first"
    return f"{first}, then one seat clockwise each round (B3)"


def _trump(rules: Rules) -> list[str]:
    said = []
    if rules.trump == "turn-up":
        said.append(
            "the card turned after the deal names it and is out of play; none turned, no trump (B5, B6)"
        )
        if rules.wizard:
            said.append("a Jester turned: no trump; a Wizard turned: the dealer names a suit (V8)")
    else:
        turns = [_SUIT_NAMES[suit] for suit in ROTATION if suit < _suits(rules)]
        said.append(f"{_listed(turns)}{' in turn' * (len(turns) > 1)}; no card is turned (V6)")
    if rules.no_trump_final:
        said.append("the last round has none (V7)")
    return said


def _bidding(rules: Rules) -> list[str]:
    if rules.bidding == "simultaneous":
        return ["all at once, without hearing the others: 0 to the hand size (V9)"]
    said = ["in turn from eldest hand, the dealer last: 0 to the hand size (B8)"]
    if rules.hook:
        start = f" from {_count(rules.hook_from, 'card')} on" * (rules.hook_from > 1)
        said.append(f"the dealer may not bring the total to the number of tricks{start} (V1)")
    return said


def _play(rules: Rules) -> list[str]:
    said = [
        "follow suit; if you cannot, play a trump; if you have none, anything (V10)"
        if rules.must_trump
        else "follow suit; if you cannot, play anything (B10)",
        "the highest trump wins, else the highest card of the suit led (B11)",
    ]
    if rules.wizard:
        said += [
            "a Wizard or Jester may be played at any time (V8)",
            "the first Wizard wins; Jesters lose, but of Jesters alone the first wins (V8)",
        ]
    return said


def _score(rules: Rules) -> list[str]:
    said = [_SCORES[rules.scoring]]
    if rules.zero_bid == "hand-size":
        said.append(f"a zero bid made scores {ZERO_BONUS} + hand size instead (V12)")
    if rules.round_winner_bonus:
        said.append(f"{ROUND_BONUS} more for the highest score of the round, if above 0 (V13)")
    if rules.revoke_penalty:
        said.append(f"in records, {rules.revoke_penalty} less for a revoke found too late (V14)")
    return said


def _ties(rules: Rules) -> str:
    size = "the largest hand" if rules.tie_break_hand is None else _count(rules.tie_break_hand, "card")
    return f"on top are broken by extra rounds of {size}, at most {EXTRA_ROUNDS} (B15)"


def _suits(rules: Rules) -> int:
    return len(SUITS) if rules.wizard else int(rules.pack.split("x")[0])


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'s' * (number != 1)}"


def _listed(words: list[str] | tuple[str, ...]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
