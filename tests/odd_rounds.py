"""Odd rounds for hypothesis: any rules that a round can feel, and deals as nasty as they come.

A pack is put in an order (all of a suit together, high cards together, trumps or Wizards and Jesters in front, or
shuffled) and dealt in blocks or one at a time; the turn-up is any card. One hand may hold all trumps, or all Wizards.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from hypothesis import strategies as st

import reference as ref
import translate
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.rules import Rules

PACKS: Final = [(4, 13), (1, 13), (2, 4), (4, 2), (3, 5), (4, 12), (1, 7), (2, 13), (4, 7)]
ORDERS: Final[dict[str, Callable[[ref.Card, int | None], Any]]] = {
    "suits together": lambda card, _: card,
    "high cards together": lambda card, _: (-card[1], card[0]),
    "trumps first": lambda card, trump: (card[0] != trump or free(card), card),
    "Wizards and Jesters first": lambda card, _: (not free(card), card),
}


def free(card: ref.Card) -> bool:
    """Whether a card belongs to no suit."""
    return ref.is_jester(card) or ref.is_wizard(card)


class OddRound(NamedTuple):
    """A deal, its rules, its number in a match from 0, and what is answered: the n-th legal answer, round and round."""

    options: ref.Options
    deal: ref.Deal
    dealer: int
    number: int
    choices: tuple[int, ...] = ()

    def game(self) -> ref.Round:
        return ref.Round(self.deal, self.dealer, self.options, self.number)

    def engine(self) -> Round:
        rules, players = rules_of(self.options), len(self.deal.hands)
        size, hands = len(self.deal.hands[0]), [translate.mask(hand) for hand in self.deal.hands]
        trump = rules.fixed_trump(self.number, len(rules.schedule_for(players)))
        turned = translate.number(self.deal.turn_up)
        return Round.start(rules, players, size, self.dealer, hands, turned, trump=trump)

    def choose(self, decision: int, legal: list[int]) -> int:
        """The answer to a decision, counted from 0: the lowest where the choices have run out."""
        return legal[self.choices[decision] % len(legal)] if decision < len(self.choices) else legal[0]


def rules_of(options: ref.Options) -> Rules:
    same = {
        name: getattr(options, name) for name in Rules.model_fields if name not in ("pack", "first_dealer")
    }
    return Rules(pack=f"{options.suits}x{options.ranks}", **same)


def dealt(
    options: ref.Options, players: int, number: int, turn_up: ref.Card, order: str, *, blocks: bool = True
) -> ref.Deal:
    """A deal of the round's hand size from a pack in this order."""
    trump = ref.trump_of_round(options, players, number, turn_up)
    by = ORDERS[order]
    pack = sorted(ref.pack_of(options), key=lambda card: by(card, trump))
    return laid_out(options, players, number, turn_up, pack, blocks=blocks)


def laid_out(
    options: ref.Options,
    players: int,
    number: int,
    turn_up: ref.Card,
    pack: list[ref.Card],
    *,
    blocks: bool,
) -> ref.Deal:
    """A deal of a pack, from its first card on; the turn-up is taken out of it where one is turned."""
    assert options.hand_sizes
    size = options.hand_sizes[0]
    needed = size * players
    turned = turn_up if ref.turns_up(options, players, number) and needed < len(pack) else None
    cards = [card for card in pack if card != turned]
    hands = [
        cards[seat * size : (seat + 1) * size] if blocks else cards[seat:needed:players]
        for seat in range(players)
    ]
    return ref.Deal(hands, turned, cards[needed:])


@st.composite
def odd_options(draw: st.DrawFn, players: int, cards: int, bidding: str | None) -> ref.Options:
    """Any options; the schedule is a round or two of one hand size, up to the whole pack or to so many cards."""
    wizard = draw(st.booleans())
    suits, ranks = (
        (4, 13) if wizard else draw(st.sampled_from(PACKS).filter(lambda p: p[0] * p[1] >= players))
    )
    largest = min(60 if wizard else suits * ranks, cards) // players
    size = draw(st.integers(1, min(4, largest)) | st.just(largest) | st.integers(1, largest))
    words: dict[str, Any] = {
        name: draw(st.sampled_from(ref.WORDS[name])) for name in ("trump", "scoring", "zero_bid")
    }
    bidding = bidding or draw(st.sampled_from(ref.WORDS["bidding"]))
    hook = bidding == "in-turn" and draw(st.booleans())
    options = ref.Options(
        suits,
        ranks,
        wizard=wizard,
        hand_sizes=(size,) * draw(st.integers(1, 2)),
        no_trump_final=draw(st.booleans()),
        hook=hook,
        hook_from=draw(st.integers(1, 3)) if hook else 1,
        bidding=bidding,
        must_trump=draw(st.booleans()),
        round_winner_bonus=draw(st.booleans()),
        revoke_penalty=draw(st.sampled_from([0, 10])),
        **words,
    )
    assert ref.refused(options, players) is None
    return options


@st.composite
def odd_rounds(draw: st.DrawFn, bidding: str | None = None, cards: int = 60) -> OddRound:
    """Any such round of at most so many cards, with answers to all of its decisions."""
    players = draw(st.integers(3, 7))
    options = draw(odd_options(players, cards, bidding))
    assert options.hand_sizes
    number = draw(st.integers(0, len(options.hand_sizes)))  # the last of them is a tie-break round
    pack = ref.pack_of(options)
    turn_up = draw(st.sampled_from(pack) | st.sampled_from([card for card in pack if free(card)] or pack))
    blocks = draw(st.booleans())
    order = draw(st.sampled_from([*ORDERS, "shuffled"]))
    if order == "shuffled":
        shuffled = draw(st.permutations(pack))
        deal = laid_out(options, players, number, turn_up, shuffled, blocks=blocks)
    else:
        deal = dealt(options, players, number, turn_up, order, blocks=blocks)
    decisions = 1 + players * (1 + options.hand_sizes[0])
    choices = draw(st.lists(st.integers(0, 20), min_size=decisions, max_size=decisions))
    return OddRound(options, deal, draw(st.integers(0, players - 1)), number, tuple(choices))
