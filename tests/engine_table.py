"""Rounds and matches of the engine laid out by hand: cards as text, bids and plays in one line each."""

from collections.abc import Iterator, Sequence

from ohpshaw_sim.cards import NO_CARD, Suit, cards_in, format_cards, mask_of, parse_card, parse_cards
from ohpshaw_sim.engine.lineup import Game, lay_game
from ohpshaw_sim.engine.match import begin_match, begin_round, end_round
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.engine.single import Match, rounds_of
from ohpshaw_sim.engine.state import MATCH, TABLE, records
from ohpshaw_sim.interface.view import blank_views
from ohpshaw_sim.records.sheet_reading import read_sheet
from ohpshaw_sim.records.sheet_scores import score_sheet
from ohpshaw_sim.records.sheet_standings import ScoredSheet
from ohpshaw_sim.rules import Rules
from scripted import VectorReader, entrant

BASE = Rules()
_NOBODY = entrant(VectorReader(), "nobody")
"""Holds a seat that is never asked."""


def table(
    *hands: str, turn_up: str | None = None, dealer: int = 0, rules: Rules = BASE, trump: Suit | None = None
) -> Round:
    """A round with these hands, seat 0 first; `trump` where nothing is turned."""
    masks = [mask_of(parse_cards(hand)) for hand in hands]
    turned = parse_card(turn_up) if turn_up else NO_CARD
    return Round.start(rules, len(hands), len(hands[0].split()), dealer, masks, turned, trump=trump)


def bid(game: Round, *bids: int) -> Round:
    for each in bids:
        game.answer(each)
    return game


def play(game: Round, cards: str) -> Round:
    for card in parse_cards(cards):
        game.answer(card)
    return game


def legal_cards(game: Round) -> str:
    """What the seat whose turn it is may play; Wizards come first and Jesters last."""
    return format_cards(game.legal)


def legal_bids(game: Round) -> list[int]:
    return list(cards_in(game.legal))


def voids(game: Round) -> list[str]:
    """The voids shown by seat, each a suit's letter."""
    shown = [int(suits) for suits in game.view.voids[: len(game.hands)]]
    return ["".join(letter for suit, letter in enumerate("CDHS") if suits >> suit & 1) for suits in shown]


class DictatedMatch:
    """A match of the engine in which no card is played: what each seat bids and wins is dictated."""

    def __init__(self, rules: Rules, players: int = 3, *, stop_after: int | None = None) -> None:
        lineup = (_NOBODY,) * players
        self.lineup = Game(rules, players, rules.schedule_for(players), lineup, (0,) * players, stop_after)
        self.game = lay_game(self.lineup, seed=0)[0]
        self.view, self.table, self.record = blank_views(1)[0], records(TABLE, 1)[0], records(MATCH, 1)[0]
        begin_match(self.view, self.table, self.record, self.game, 0, 0)
        self.goes_on = True
        self.begin()

    def begin(self) -> None:
        begin_round(self.view, self.table, self.game)

    def score(self, bids: Sequence[int], tricks: Sequence[int]) -> list[int]:
        """End the round with these bids and tricks, begin the next if there is one; return the points."""
        assert self.goes_on
        assert sum(tricks) == self.hand_size
        number, players = int(self.table.round_number), len(bids)
        self.table.bids[:players], self.table.tricks[:players] = bids, tricks
        self.goes_on = bool(end_round(self.view, self.table, self.record, self.game))
        if self.goes_on:
            self.begin()
        return [int(points) for points in self.record.points[number, :players]]

    def rounds(self) -> Iterator[None]:
        """Go through the rounds that are left; seat 0 takes and has bid every trick, so nobody ties with it."""
        while self.goes_on:
            yield
            all_of_it = [self.hand_size, *[0] * (self.lineup.players - 1)]
            self.score(all_of_it, all_of_it)

    @property
    def dealer(self) -> int:
        return int(self.view.dealer)

    @property
    def hand_size(self) -> int:
        return int(self.view.hand_size)

    @property
    def trump(self) -> int:
        return int(self.view.trump)

    @property
    def turn_up(self) -> int:
        return int(self.view.turn_up)

    @property
    def match(self) -> Match:
        """The finished match."""
        assert not self.goes_on
        return Match(("nobody",) * self.lineup.players, rounds_of(self.record, self.lineup, ("nobody",) * 9))


def sizes_dealt(rules: Rules, players: int) -> list[int]:
    """The hand sizes of a match, round by round."""
    match = DictatedMatch(rules, players)
    return [match.hand_size for _ in match.rounds()]


def sheet_of(*rows: str, rules: Rules = BASE) -> ScoredSheet:
    """A score sheet of Ann, Bob and Cem; a row is `cards,dealer`, then bid and tricks of each, revoke, misdeal."""
    columns = ["cards", "dealer", *(f"{name} {what}" for name in ("Ann", "Bob", "Cem") for what in WHAT)]
    text = "\n".join([",".join([*columns, "revoke", "misdeal"]), *rows])
    return score_sheet(read_sheet(f"{text}\n", "evening.csv"), rules)


WHAT = ("bid", "tricks")
