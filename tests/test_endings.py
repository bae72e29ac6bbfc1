"""Endings solved, against every order of play in plain Python: all rules, 3 to 7 players, each rule for ties."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference_endings as ref
import translate
from ohpshaw_sim.cards import mask_of, parse_cards
from ohpshaw_sim.engine.endings import TIES, Solution, solve
from ohpshaw_sim.engine.positions import Position
from ohpshaw_sim.errors import IllegalError
from ohpshaw_sim.rule_text import make_rules
from ohpshaw_sim.rules import Rules
from reference_options import Options

SIZES = ((3, 3), (4, 3), (5, 2), (6, 2), (7, 2), (3, 2), (4, 2))
"""Players and hand sizes at which all orders of play can be looked at."""


def ours(position: ref.Position) -> Position:
    """The referee's position as the package's."""
    options = position.options
    rules = make_rules(
        wizard=options.wizard,
        pack=f"{options.suits}x{options.ranks}",
        must_trump=options.must_trump,
        scoring=options.scoring,
        zero_bid=options.zero_bid,
        round_winner_bonus=options.round_winner_bonus,
    )
    return Position(
        rules,
        translate.suit(position.trump),
        tuple(translate.mask(hand) for hand in position.hands),
        position.bids,
        position.tricks,
        position.leader,
        tuple(translate.number(card) for _, card in position.trick),
    )


@st.composite
def positions(draw: st.DrawFn) -> ref.Position:
    """Positions under any rules; small packs make cards meet."""
    players, hand_size = draw(st.sampled_from(SIZES))
    wizard = draw(st.booleans())
    packs = [pack for pack in ((4, 13), (2, 13), (3, 5), (4, 4)) if pack[0] * pack[1] >= players * hand_size]
    suits, ranks = (4, 13) if wizard else draw(st.sampled_from(packs))
    options = Options(
        suits=suits,
        ranks=ranks,
        wizard=wizard,
        must_trump=draw(st.booleans()),
        scoring=draw(st.sampled_from(["exact", "exact", "soft", "wizard", "penalty"])),
        zero_bid=draw(st.sampled_from(["as-scored", "hand-size"])),
        round_winner_bonus=draw(st.booleans()),
    )
    return ref.random_position(random.Random(draw(st.integers(0, 10**9))), options, players, hand_size)


def as_floats(points: ref.Points) -> Any:
    return pytest.approx([float(value) for value in points], abs=1e-9)


@pytest.mark.parametrize("ties", TIES)
@settings(max_examples=12, deadline=None)
@given(position=positions())
def test_every_card_is_worth_what_all_orders_of_play_say(ties: str, position: ref.Position) -> None:
    solution = solve(ours(position), ties)
    assert solution.points == as_floats(ref.worth(position, ties))
    assert solution.seat == position.seat
    assert [translate.card(play.card) for play in solution.plays] == position.legal()
    for play, (_, after) in zip(solution.plays, ref.plays_of(position), strict=True):
        assert play.points == as_floats(ref.worth(after, ties))
    chosen = [play.points for play in solution.plays if play.best]
    assert chosen == [as_floats(points) for points in ref.choice(position, ties)]


@settings(max_examples=12, deadline=None)
@given(position=positions())
def test_bounds_are_what_all_orders_of_play_say(position: ref.Position) -> None:
    solution = solve(ours(position))
    seats = range(len(position.bids))
    assert list(solution.sure) == [ref.can_hit(position, seat, helped=False) for seat in seats]
    assert list(solution.possible) == [ref.can_hit(position, seat, helped=True) for seat in seats]
    for play, (_, after) in zip(solution.plays, ref.plays_of(position), strict=True):
        assert play.sure == ref.can_hit(after, position.seat, helped=False)
        assert play.possible == ref.can_hit(after, position.seat, helped=True)


def deals(players: int, hand_size: int, count: int) -> list[Position]:
    """Positions too large for the referee."""
    draw = random.Random(f"{players} {hand_size}")
    return [ours(ref.random_position(draw, Options(), players, hand_size)) for _ in range(count)]


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize(("players", "hand_size"), [(3, 6), (4, 4), (5, 4), (7, 3)])
def test_looking_up_what_was_met_before_changes_nothing_but_the_time(
    players: int, hand_size: int, ties: str
) -> None:
    saved = 0
    for position in deals(players, hand_size, 8):
        known, anew = solve(position, ties), solve(position, ties, transpositions=False)
        assert rounded(known) == rounded(anew)
        saved += anew.positions - known.positions
    assert saved > 0


def rounded(solution: Solution) -> Any:
    plays = [
        (play.card, as_tuple(play.points), play.best, play.sure, play.possible) for play in solution.plays
    ]
    return solution.seat, plays, as_tuple(solution.points), solution.sure, solution.possible


def as_tuple(points: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(round(value, 6) for value in points)


@pytest.mark.parametrize(("players", "hand_size"), [(3, 6), (4, 4), (5, 3), (6, 3), (7, 2)])
def test_the_bounds_bracket_the_worth(players: int, hand_size: int) -> None:
    brackets = 0
    for position in deals(players, hand_size, 10):
        for ties in TIES:
            solution = solve(position, ties)
            for seat, points in enumerate(solution.points):
                hit = 10 + position.bids[seat]
                assert solution.possible[seat] or points == 0
                assert not solution.sure[seat] or points == hit
                brackets += solution.sure[seat] or not solution.possible[seat]
    assert brackets > 0


def hands(*texts: str) -> tuple[int, ...]:
    return tuple(mask_of(parse_cards(text)) for text in texts)


@pytest.mark.parametrize(
    ("ties", "points"), [("average", (0, 5.5, 5)), ("spite", (0, 0, 10)), ("first", (0, 11, 0))]
)
def test_who_has_missed_decides_for_the_others_and_the_rule_for_ties_says_how(
    ties: str, points: tuple[float, ...]
) -> None:
    # Seat 0 bid nothing and has won a trick. If it leads its ace it wins both tricks and seat 2 hits its zero. If it
    # leads its two, seat 1 has to win with the king, and its three then loses to seat 2.
    position = Position(Rules(), -1, hands("AC 2C", "KC 3D", "QC 4D"), (0, 1, 0), (1, 0, 0), 0)
    assert solve(position, ties).points == points


def test_each_card_counts_also_where_some_are_alike() -> None:
    # The same, but ace and king are alike now: two of three cards win all that is left.
    position = Position(Rules(), -1, hands("AC KC 2C", "QC 3D 4D", "JC 5D 6D"), (0, 1, 0), (1, 0, 0), 0)
    assert solve(position).points == pytest.approx((0, 11 / 3, 20 / 3))


def test_a_search_that_takes_too_long_is_given_up() -> None:
    position = deals(5, 8, 1)[0]
    seen: list[int] = []
    with pytest.raises(IllegalError, match="2,000,000 positions were looked at"):
        solve(position, most=2_000_000, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] > 2_000_000


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"hands": hands("AS 2H", "KS", "3S 4S")}, "seat 1 holds 1 cards and should hold 2"),
        ({"hands": hands("AS 2H", "AS QS", "3S 4S")}, "AS stands twice"),
        ({"hands": hands("AS 2H", "WS QS", "3S 4S")}, "WS stands twice, or is no card of the pack of 4x13"),
        ({"hands": (0, 0, 0)}, "the round is over"),
        ({"hands": hands("AS 2H", "KS QS")}, "2 players make no game"),
        ({"bids": (1, 0)}, "bids has 2 entries for 3 hands"),
        ({"bids": (3, 0, 0)}, "do not fit a round of 2 tricks"),
        ({"tricks": (-1, 0, 0)}, "do not fit"),
        ({"leader": 3}, "seat 3 cannot have led"),
        ({"table": (2, 3)}, "seat 0 holds 2 cards and should hold 1"),
    ],
)
def test_positions_that_no_round_comes_to(changes: dict[str, Any], sentence: str) -> None:
    position = Position(Rules(), 2, hands("AS 2H", "KS QS", "3S 4S"), (1, 1, 0), (0, 0, 0), 0)
    with pytest.raises(IllegalError, match=sentence):
        solve(replace(position, **changes))


def test_an_unknown_rule_for_ties() -> None:
    position = Position(Rules(), 2, hands("AS", "KS", "3S"), (1, 1, 0), (0, 0, 0), 0)
    with pytest.raises(IllegalError, match="no rule 'fair' for ties; use average, spite, first"):
        solve(position, "fair")
