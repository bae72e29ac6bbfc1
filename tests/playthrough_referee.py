"""The referee judges a playthrough: it takes the cards and the answers from the file and works out all the rest."""

from collections.abc import Iterator, Sequence

import reference as ref
import translate
from expected_view import ANNOUNCED
from ohpshaw_sim.engine.stepping import AuctionClosed, RoundBegun, RoundOver, TrickWon
from ohpshaw_sim.interface.view import BID, NAME_TRUMP, PLAY
from ohpshaw_sim.rules import Rules
from playthrough_text import VERBS, Asked, Ranked, Step, Told


class RefusedError(Exception):
    """A deal or an answer that the referee does not accept."""


def options_of(rules: Rules) -> ref.Options:
    """The referee's options of rules, value by value."""
    same = {name: getattr(rules, name) for name in Rules.model_fields if name not in ("pack", "first_dealer")}
    suits, ranks = (int(word) for word in rules.pack.split("x"))
    return ref.Options(suits, ranks, **same)


def judged(options: ref.Options, dealer: int, told: Sequence[Told]) -> Iterator[Step]:
    """The steps of a match by the referee, as far as its rules accept what is told; else RefusedError."""
    players = len(told[0].hands)
    match = ref.Match.start(options, players, dealer)
    for one in told:
        if match.over:
            raise RefusedError("a round is told after the end of the match")
        turned = None if one.turn_up < 0 else translate.card(one.turn_up)
        deal = ref.Deal([translate.cards(hand) for hand in one.hands], turned)
        turn = ref.turns_up(options, players, match.number)
        if fault := ref.misdeal(deal, ref.pack_of(options), match.next_hand_size, turn):
            raise RefusedError(f"round {match.number + 1} is a misdeal: {fault}")
        game = ref.Round(deal, match.dealer, options, match.number)
        yield _begun(match, game, one)
        for number, verb, answer in one.answers:
            yield from _answered(game, number, verb, answer)
        if not game.done:
            raise RefusedError(f"round {match.number + 1} is not told to its end")
        yield _recorded(match, game)
    if not match.over:
        raise RefusedError("the match is not told to its end")
    yield Ranked(tuple(match.totals()), tuple(match.ranks()))


def _begun(match: ref.Match, game: ref.Round, told: Told) -> RoundBegun:
    extra = 0 if match.rounds_to_go else len(match.extra) + 1
    return RoundBegun(
        number=match.number + 1,
        extra=extra,
        hand_size=game.hand_size,
        dealer=game.dealer,
        hands=told.hands,
        turn_up=told.turn_up,
        trump=translate.suit(game.trump),
        naming=game.naming,
        totals=tuple(match.totals()),
        contenders=tuple(match.leaders()) if extra else (),
    )


def _answered(game: ref.Round, number: int, verb: str, answer: int) -> Iterator[Step]:
    kind = NAME_TRUMP if game.naming else BID if game.bidding else PLAY
    if game.done or verb != VERBS[kind]:
        raise RefusedError(f"line {number}: nobody {verb} here")
    asked = _asked(game, kind, answer)
    if not 0 <= answer < 64 or not asked.legal >> answer & 1:
        raise RefusedError(f"line {number}: that is not legal")
    yield asked
    if kind == NAME_TRUMP:
        game.name(answer)
    elif kind == BID:
        game.bid(answer)
        if not game.bidding:
            yield AuctionClosed(_bids(game), ANNOUNCED[game.announcement])
    else:
        game.play(translate.card(answer))
        if not game.trick:
            cards = tuple(translate.number(card) for _, card in game.finished[-1])
            yield TrickWon(len(game.finished), game.finished[-1][0][0], cards, game.leader)


def _asked(game: ref.Round, kind: int, answer: int) -> Asked:
    legal = {
        NAME_TRUMP: lambda: sum(1 << suit for suit in game.legal_suits()),
        BID: lambda: sum(1 << bid for bid in game.legal_bids()),
        PLAY: lambda: translate.mask(game.legal_cards()),
    }[kind]()
    seat, card = ref.best_play(game.trick, game.trump) if game.trick else (-1, None)
    return Asked(
        kind=kind,
        seat=game.seat,
        answer=answer,
        legal=legal,
        hand=translate.mask(game.hands[game.seat]),
        bids=tuple(game.visible_bids.get(seat, -1) for seat in range(game.players)),
        announcement=ANNOUNCED[game.announcement],
        led=translate.suit(game.led),
        winning_card=translate.number(card),
        winning_seat=seat,
        tricks=tuple(game.tricks),
        voids=tuple(translate.suits(suits) for suits in game.voids),
    )


def _recorded(match: ref.Match, game: ref.Round) -> RoundOver:
    """Write the round into the match."""
    number, extra = match.number + 1, 0 if match.rounds_to_go else len(match.extra) + 1
    match.record(game.scores())
    tricks, points = tuple(game.tricks), tuple(game.scores())
    return RoundOver(number, extra, game.hand_size, _bids(game), tricks, points, tuple(match.totals()))


def _bids(game: ref.Round) -> tuple[int, ...]:
    return tuple(game.bids[seat] for seat in range(game.players))
