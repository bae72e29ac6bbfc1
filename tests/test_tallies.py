"""What sets add up to, against the rounds themselves and the referee's winners."""

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

import reference as ref
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.engine.tally import Tally
from ohpshaw_sim.engine.tally_schema import MOMENTS, QUANTITIES, ROW_COLUMNS, WIN_UNIT
from ohpshaw_sim.errors import ConflictError, IllegalError
from ohpshaw_sim.rules import EXTRA_ROUNDS
from readers import READERS, SEED, assert_same, game_of, matches_of, play


class Played(NamedTuple):
    """A line-up's tally and, from the engine's own score sheets, every match of it."""

    game: Game
    tally: Tally
    matches: Any


@pytest.fixture(
    scope="module",
    params=[
        (3, (1, 1), (0, 1, 0), None),
        (4, (1, 3, 2), (0, 1, 2, 3), None),
        (4, (2, 1), (0, 0, 0, 0), None),
        (5, (1, 4), (1, 0, 2, 0, 1), None),
        (6, (2, 1, 1), (0, 1, 2, 2, 1, 0), 2),
        (7, (1, 1), (0, 1, 2, 3, 4, 5, 6), 1),
    ],
    ids=str,
)
def played(request: pytest.FixtureRequest) -> Played:
    players, schedule, owners, stop_after = request.param
    lineup = [READERS["trusted"], READERS["scribbler"], *([READERS["compiled"]] * 5)][:players]
    game = game_of(lineup, schedule, owners=owners, stop_after=stop_after)
    sets = 30
    tally = play_sets(game, SEED, 7, sets, log=True)
    return Played(game, tally, matches_of(game, 7, sets))


def rows_of(played: Played) -> list[dict[str, int]]:
    return [dict(zip(ROW_COLUMNS, row.tolist(), strict=True)) for row in played.tally.rows]


def judged(played: Played, match: Any) -> ref.Match:
    """The referee's view of a finished match: each round recorded in turn, until the referee says it is over."""
    game = played.game
    judge = ref.Match(game.players, list(game.schedule), int(match.dealers[0]), game.tie_break_hand)
    for number in range(int(match.rounds + match.extra_rounds)):
        assert judge.dealer == match.dealers[number]
        judge.record(match.points[number, : game.players].tolist())
    if game.stop_after is not None:
        judge.stop()
    assert judge.over
    return judge


def shares_of(played: Played) -> dict[int, list[Fraction]]:
    """By set, the win share of each entrant over the set's matches."""
    shares: dict[int, list[Fraction]] = defaultdict(lambda: [Fraction(0)] * played.game.entrants)
    for match in played.matches:
        for seat, share in enumerate(judged(played, match).win_shares()):
            shares[int(match.set_number)][played.game.owners[match.places[seat]]] += share
    return shares


def test_rows_are_the_rounds_of_every_match(played: Played) -> None:
    rows = rows_of(played)
    game = played.game
    rounds = min(game.stop_after or 99, len(game.schedule))
    assert len(rows) == 30 * game.players * rounds * game.players
    by_round = defaultdict(list)
    for row in rows:
        by_round[row["set"], row["rotation"], row["round"]].append(row)
    for (number, rotation, round_number), cells in by_round.items():
        match = played.matches[(number - 7) * game.players + rotation]
        assert [cell["seat"] for cell in cells] == [*range(game.players)]
        assert sorted(cell["place"] for cell in cells) == [*range(game.players)]
        assert {cell["hand_size"] for cell in cells} == {game.schedule[round_number]}
        assert sum(cell["tricks"] for cell in cells) == game.schedule[round_number]
        for cell in cells:
            assert cell["points"] == ref.round_score(cell["bid"], cell["tricks"])
            assert cell["dealer"] == match.dealers[round_number]
            assert cell["place"] == match.places[cell["seat"]]
            assert cell["points"] == match.points[round_number, cell["seat"]]


def test_counts_are_those_of_the_rows(played: Played) -> None:
    game = played.game
    counted: Counter[tuple[int, ...]] = Counter()
    for row in rows_of(played):
        position = ref.clockwise_from(ref.seat_after(row["dealer"], game.players), game.players).index(
            row["seat"]
        )
        counted[game.owners[row["place"]], row["hand_size"], position, row["bid"], row["tricks"]] += 1
    filled = {
        tuple(cell): int(played.tally.counts[tuple(cell)])
        for cell in np.argwhere(played.tally.counts).tolist()
    }
    assert filled == counted


def brute_moments(played: Played, cell_of: Callable[[dict[str, int]], int], cells: int, wins: bool) -> Any:
    """Moments by entrant and cell, from the rows: a vector per set, then sums of these and of their products."""
    game = played.game
    vectors: dict[tuple[int, int, int], list[int]] = defaultdict(lambda: [0] * len(QUANTITIES))
    for row in rows_of(played):
        hit, zero = row["bid"] == row["tricks"], row["bid"] == 0
        vector = vectors[row["set"], game.owners[row["place"]], cell_of(row)]
        for index, value in enumerate((1, row["points"], hit, zero, hit and zero, zero * row["points"])):
            vector[index] += value
    if wins:
        for number, shares in shares_of(played).items():
            for owner, share in enumerate(shares):
                assert (WIN_UNIT * share).denominator == 1
                vectors[number, owner, 0][QUANTITIES.index("wins")] = int(WIN_UNIT * share)
    moments = np.zeros((game.entrants, cells, len(MOMENTS)), np.int64)
    for (_, owner, cell), vector in vectors.items():
        products = [a * b for a, b in itertools.combinations_with_replacement(vector, 2)]
        moments[owner, cell] += [*vector, *products]
    return moments


def test_totals_are_those_of_the_rows_and_the_referees_winners(played: Played) -> None:
    assert (played.tally.totals == brute_moments(played, lambda _: 0, 1, wins=True)[:, 0]).all()
    assert played.tally.totals[:, QUANTITIES.index("wins")].sum() == 30 * played.game.players * WIN_UNIT


def test_sums_by_hand_size_and_position_are_those_of_the_rows(played: Played) -> None:
    sizes, players = played.game.largest_hand + 1, played.game.players
    by_size = brute_moments(played, lambda row: row["hand_size"], sizes, wins=False)
    assert (played.tally.by_hand_size == by_size).all()
    by_position = brute_moments(
        played, lambda row: (row["seat"] - row["dealer"] - 1) % players, players, wins=False
    )
    assert (played.tally.by_position == by_position).all()


def test_pairs_are_the_differences_by_set(played: Played) -> None:
    game = played.game
    points: dict[int, list[int]] = defaultdict(lambda: [0] * game.entrants)
    for row in rows_of(played):
        points[row["set"]][game.owners[row["place"]]] += row["points"]
    seats = Counter(game.owners)
    for a, b in itertools.product(range(game.entrants), repeat=2):
        differences = [each[a] * seats[b] - each[b] * seats[a] if a < b else 0 for each in points.values()]
        squares = sum(difference**2 for difference in differences)
        assert played.tally.pairs[a, b].tolist() == [sum(differences), squares]


def test_some_matches_went_to_tie_break_rounds_and_some_ended_shared(played: Played) -> None:
    """The cases above are worth their name: ties are among them."""
    ties = sum(int(match.extra_rounds) > 0 for match in played.matches)
    shared = sum(
        int(match.winners).bit_count() > 1 and int(match.extra_rounds) < EXTRA_ROUNDS
        for match in played.matches
    )
    assert (ties > 0, shared > 0) == ((True, False) if played.game.stop_after is None else (False, True))


@pytest.mark.rule("B16")
def test_b16_a_match_that_stops_early_counts_its_finished_rounds_only() -> None:
    whole = play([READERS["trusted"]] * 4, schedule=(1, 3, 2, 4))
    for rounds in (1, 2, 3, 4, 9):
        stopped = play([READERS["trusted"]] * 4, schedule=(1, 3, 2, 4), stop_after=rounds)
        same = whole.rows[whole.rows[:, ROW_COLUMNS.index("round")] < rounds]
        assert (stopped.rows == same).all()
        assert_same(stopped, play([READERS["vectorised"]] * 4, schedule=(1, 3, 2, 4), stop_after=rounds))
    with pytest.raises(ConflictError, match="cannot stop after 0 rounds"):
        play([READERS["trusted"]] * 4, stop_after=0)


@pytest.mark.parametrize(
    ("more", "error", "said"),
    [
        ({"owners": (0, 1)}, ConflictError, "3 entrants and 2 owners cannot fill 3 places"),
        ({"owners": (0, 2, 2)}, ConflictError, "must number the competitors 0, 1"),
        ({"schedule": (18,)}, IllegalError, "hand size 18 needs 54 cards at 3 players"),
    ],
)
def test_games_that_do_not_fit_together(more: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        play([READERS["trusted"]] * 3, **more)


@pytest.mark.parametrize("schedule", [(), (0,), (1, -1), (1,) * 55], ids=["none", "0", "-1", "55 rounds"])
def test_a_schedule_that_makes_no_match_is_refused(schedule: tuple[int, ...]) -> None:
    with pytest.raises(IllegalError, match=r"out of range|cannot be kept"):
        game_of([READERS["trusted"]] * 3, schedule)


def test_points_and_wins_are_kept_set_by_set(played: Played) -> None:
    tally = played.tally
    assert tally.by_set.shape == (tally.sets, played.game.entrants, 2)
    at = [MOMENTS.index(name) for name in ("points", "wins")]
    assert tally.by_set.sum(axis=0).tolist() == tally.totals[:, at].tolist()
    squares = [MOMENTS.index(name) for name in ("points_x_points", "wins_x_wins")]
    assert (tally.by_set**2).sum(axis=0).tolist() == tally.totals[:, squares].tolist()
