"""What the engine must show at a decision and at the end of a round, by the referee."""

from collections.abc import Sequence

import reference as ref
import translate
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.interface.view import (
    BID,
    EVEN,
    FIELDS,
    MAX_HAND,
    MAX_PLAYERS,
    MAX_PLAYS,
    NAME_TRUMP,
    NOT_ANNOUNCED,
    OVER,
    PLAY,
    UNDER,
)

ANNOUNCED = {None: NOT_ANNOUNCED, "under": UNDER, "even": EVEN, "over": OVER}
OF_THE_MATCH = {
    "round_number",
    "rounds_to_go",
    "extra_round",
    "contenders",
    "scores",
    "schedule",
    "past_bids",
    "past_tricks",
}
"""Fields that mean nothing in a round that stands alone."""


def legal_answers(game: ref.Round) -> list[int]:
    """The suits, bids or cards that may be answered, as the package's numbers."""
    if game.naming:
        return game.legal_suits()
    if game.bidding:
        return game.legal_bids()
    return sorted(translate.number(card) for card in game.legal_cards())


def answer(game: ref.Round, value: int) -> None:
    """Carry out in the referee's round what is answered in the package's numbers."""
    if game.naming:
        game.name(value)
    elif game.bidding:
        game.bid(value)
    else:
        game.play(translate.card(value))


def expected_view(game: ref.Round) -> dict[str, int | list[int]]:
    """What the seat whose turn it is must be shown: every field but its random word and those of the match."""
    rules, on_table = game.rules, game.trick
    best = ref.best_play(on_table, game.trump) if on_table else (-1, None)
    played = [play for trick in [*game.finished, on_table] for play in trick]
    by_seat = [translate.mask(card for seat, card in played if seat == each) for each in range(game.players)]
    turned = [] if game.turn_up is None else [game.turn_up]
    leaders = [trick[0][0] for trick in game.finished] + [game.leader]
    visible = game.visible_bids
    return {
        "hand": translate.mask(game.hands[game.seat]),
        "legal": sum(1 << value for value in legal_answers(game)),
        "kind": NAME_TRUMP if game.naming else BID if game.bidding else PLAY,
        "seat": game.seat,
        "players": game.players,
        "hand_size": game.hand_size,
        "dealer": game.dealer,
        "trump": translate.suit(game.trump),
        "turn_up": translate.number(game.turn_up),
        "announcement": ANNOUNCED[game.announcement],
        "pack": translate.mask(ref.pack_of(rules)),
        "gone": translate.mask([*turned, *(card for _, card in played)]),
        "bids": filled([visible.get(seat, -1) for seat in range(game.players)], MAX_PLAYERS, -1),
        "tricks": filled(game.tricks, MAX_PLAYERS, 0),
        "leader": game.leader,
        "led": translate.suit(game.led),
        "on_table": len(on_table),
        "winning_card": translate.number(best[1]),
        "winning_seat": best[0],
        "trick_number": len(game.finished),
        "plays_made": len(played),
        "voids": filled([translate.suits(voids) for voids in game.voids], MAX_PLAYERS, 0),
        "played": filled(by_seat, MAX_PLAYERS, 0),
        "plays": filled([translate.number(card) for _, card in played], MAX_PLAYS, -1),
        "leaders": filled(leaders, MAX_HAND, -1),
        "hook_from": rules.hook_from if rules.hook else 0,
        "simultaneous": int(rules.bidding == "simultaneous"),
        "must_trump": int(rules.must_trump),
        "scoring": ref.WORDS["scoring"].index(rules.scoring),
        "zero_bid": int(rules.zero_bid == "hand-size"),
        "round_winner_bonus": int(rules.round_winner_bonus),
        "rotating_trump": int(rules.trump == "rotate"),
        "no_trump_final": int(rules.no_trump_final),
    }


def filled(values: Sequence[int], length: int, empty: int) -> list[int]:
    """As many values as a field of the view has room for."""
    return [*values, *[empty] * (length - len(values))]


def assert_same_decision(engine: Round, game: ref.Round) -> None:
    expected = expected_view(game)
    assert (engine.done, engine.kind, engine.seat) == (False, expected["kind"], expected["seat"])
    assert engine.legal == expected["legal"]
    assert engine.hands == [translate.mask(hand) for hand in game.hands]
    shown = dict(zip((field.name for field in FIELDS), engine.view.item(), strict=True))
    assert set(shown) - set(expected) == OF_THE_MATCH | {"rnd"}  # no field is forgotten here
    for name, value in expected.items():
        same = shown[name].tolist() == value if isinstance(value, list) else shown[name] == value
        assert same, f"{name} is {shown[name]}, the referee says {value}"


def assert_same_end(engine: Round, game: ref.Round) -> None:
    assert engine.done
    assert engine.scores == game.scores()
    assert engine.tricks == game.tricks
    assert engine.bids == [game.bids[seat] for seat in range(game.players)]
    assert engine.leaders == [trick[0][0] for trick in game.finished]
    assert engine.plays == [translate.number(card) for trick in game.finished for _, card in trick]
    assert not any(engine.hands)
