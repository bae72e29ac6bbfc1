"""Both drivers, any mixture of agents, any cut and any number of threads: the same game, exactly added up."""

import itertools
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

import reference as ref
from ohpshaw_sim.engine.compiled import play_compiled_sets
from ohpshaw_sim.engine.keeping import room_to_keep
from ohpshaw_sim.engine.lineup import Game, lay_game
from ohpshaw_sim.engine.play import AgentFaultError, Driver, play_sets
from ohpshaw_sim.engine.single import Match, play_match
from ohpshaw_sim.engine.state import MATCH, records
from ohpshaw_sim.engine.tally import Tally, set_sums
from ohpshaw_sim.engine.tally_schema import MOMENTS, QUANTITIES, ROW_COLUMNS, WIN_UNIT
from ohpshaw_sim.engine.workspace import Workspace
from ohpshaw_sim.errors import AgentError, ConflictError, IllegalError
from ohpshaw_sim.interface.agent import CompiledAgent, as_agent
from ohpshaw_sim.interface.discovery import Entrant, resolve
from ohpshaw_sim.interface.view import BID, PLAY, VIEW, blank_views
from ohpshaw_sim.rule_text import read_rules
from ohpshaw_sim.rules import EXTRA_ROUNDS, Rules
from scripted import (
    COMPILED_READER,
    LOWEST,
    SCRIBBLER,
    ScalarReader,
    ScribblingVectorReader,
    VectorReader,
    Watcher,
    digest,
    entrant,
    fails_at,
    wrong_at,
)

PLAYERS = [3, 4, 5, 6, 7]
SEED = 2**65 + 12

SCALAR_READER = as_agent(ScalarReader(), "scalar")
READERS = {
    "compiled": entrant(COMPILED_READER),
    "trusted": entrant(COMPILED_READER, trusted=True),
    "vectorised": entrant(VectorReader()),
    "scalar": entrant(SCALAR_READER),
    "scribbler": entrant(SCRIBBLER),
    "vectorised scribbler": entrant(ScribblingVectorReader()),
    "compiled bids": Entrant("joined", COMPILED_READER, VectorReader()),
    "compiled plays": Entrant("joined", SCALAR_READER, COMPILED_READER),
}
"""Agents that all answer alike, by everything they are shown."""


def game_of(lineup: list[Entrant], schedule: tuple[int, ...] = (1, 3, 2), **more: Any) -> Game:
    players = len(lineup)
    owners = more.pop("owners", tuple(range(players)))
    return Game(more.pop("rules", Rules()), players, schedule, tuple(lineup), owners, **more)


def play(lineup: list[Entrant], first: int = 3, sets: int = 4, driver: Driver = "auto", **more: Any) -> Tally:
    return play_sets(game_of(lineup, **more), SEED, first, sets, driver=driver, log=True)


def assert_same(one: Tally, other: Tally) -> None:
    assert one.sets == other.sets
    for mine, theirs in zip((*one.arrays(), one.rows), (*other.arrays(), other.rows), strict=True):
        assert mine.dtype == theirs.dtype
        assert (mine == theirs).all()


# The same game, whoever drives


class Expected(NamedTuple):
    """What tables of readers play, through the compiled driver."""

    players: int
    rules: Rules
    tally: Tally


VARIATIONS = [
    (3, "wizard:bidding=simultaneous,round_winner_bonus=true,trump=turn-up"),
    (4, "wizard:must_trump=true,hook=true,no_trump_final=true"),
    (5, "podrida:scoring=soft,trump=rotate,zero_bid=hand-size"),
]


@pytest.fixture(
    scope="module", params=[*((players, "oh-pshaw") for players in PLAYERS), *VARIATIONS], ids=str
)
def expected(request: pytest.FixtureRequest) -> Expected:
    players, rules = request.param[0], read_rules(request.param[1])
    tally = play([READERS["trusted"]] * players, driver="compiled", rules=rules)
    return Expected(players, rules, tally)


@pytest.mark.parametrize("kind", READERS)
def test_every_kind_of_agent_plays_the_same_game(expected: Expected, kind: str) -> None:
    assert_same(play([READERS[kind]] * expected.players, rules=expected.rules), expected.tally)


def test_any_mixture_of_kinds_plays_the_same_game(expected: Expected) -> None:
    draw = random.Random(expected.players)
    for _ in range(3):
        assert_same(
            play(draw.choices([*READERS.values()], k=expected.players), rules=expected.rules), expected.tally
        )


def test_the_batched_driver_plays_compiled_agents_the_same(expected: Expected) -> None:
    for kind in ("compiled", "trusted", "scribbler"):
        assert_same(
            play([READERS[kind]] * expected.players, driver="batched", rules=expected.rules), expected.tally
        )


@pytest.mark.parametrize("kind", ["trusted", "vectorised"])
def test_sets_may_be_cut_in_any_way(expected: Expected, kind: str) -> None:
    lineup = [READERS[kind]] * expected.players
    for cut in ([1, 1, 1, 1], [3, 1], [2, 2]) if kind == "trusted" else ([3, 1],):
        starts = [3 + sum(cut[:index]) for index in range(len(cut))]
        parts = [
            play(lineup, start, sets, rules=expected.rules) for start, sets in zip(starts, cut, strict=True)
        ]
        assert_same(sum(parts[1:], start=parts[0]), expected.tally)


def test_a_batch_may_be_cut_in_any_way(expected: Expected, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ohpshaw_sim.engine.play.BATCH_ROWS", expected.players + 1)  # one set at a time
    assert_same(play([READERS["vectorised"]] * expected.players, rules=expected.rules), expected.tally)


def test_threads_change_nothing() -> None:
    """Eight threads at once, each with a game of its own or of all, in both drivers."""
    lineups = [[READERS["trusted"]] * 4, [READERS["compiled"]] * 4, [READERS["vectorised"]] * 4]
    tasks = [(lineup, start) for start in range(0, 24, 4) for lineup in lineups]
    with ThreadPoolExecutor(8) as threads:
        found = [*threads.map(lambda task: play(task[0], task[1]), tasks)]
    for start, group in itertools.groupby(zip(tasks, found, strict=True), key=lambda pair: pair[0][1]):
        alone = play(lineups[0], start)
        for _, tally in group:
            assert_same(tally, alone)


def test_built_in_agents_play_the_same_through_both_drivers() -> None:
    names = ["random", "greedy", "count-winners", "random+greedy", "count-winners+random"]
    lineup = [resolve(name) for name in names]
    watched = [entrant(Watcher(READERS["vectorised"].bidder, lambda *_: None)), *lineup[1:]]
    assert_same(play(lineup, driver="compiled"), play(lineup, driver="batched"))
    assert (play(watched).rows != play(lineup).rows).any()


def test_untrusted_agents_are_shown_the_same() -> None:
    lineup = [resolve(name) for name in ("random", "greedy", "count-winners")]
    guarded = [Entrant(each.name, each.bidder, each.player, trusted=False) for each in lineup]
    assert_same(play(guarded), play(lineup))


def test_the_compiled_driver_refuses_what_it_cannot_play() -> None:
    with pytest.raises(ConflictError, match="the compiled driver needs compiled agents in every seat"):
        play([READERS["trusted"], READERS["trusted"], READERS["vectorised"]], driver="compiled")


def test_the_workspace_tells_that_play_goes_on_and_who_was_asked() -> None:
    workspace = Workspace.allocate()
    lineup = [READERS["trusted"], READERS["compiled"], READERS["trusted"]]
    play_sets(game_of(lineup), SEED, 0, 1, workspace=workspace)
    asked, place = workspace.progress()
    rounds, decisions = 3 * 3, 3 * (3 + 6)
    assert asked >= rounds + decisions
    assert place == 1
    play_sets(game_of([READERS["vectorised"]] * 3), SEED, 0, 1, workspace=workspace)
    assert workspace.progress()[0] > asked


# Sums against the rounds themselves


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
    matches = records(MATCH, sets * players)
    room = room_to_keep(game, sets, 0)
    memory = (blank_views(2), Workspace.allocate().table, matches, lay_game(game, SEED), room)
    tally = Tally.empty(game.entrants, players, game.largest_hand)
    sums = set_sums(game.entrants, players, game.largest_hand)
    play_compiled_sets(memory, 7, sets, np.array(owners, np.uint8), sums, tally.arrays())
    tally = play_sets(game, SEED, 7, sets, log=True)
    return Played(game, tally, matches)


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


# One match for people (B14, B15)


def referee_of(match: Match, schedule: list[int], players: int) -> ref.Match:
    """Record the rounds of a match with the referee."""
    rounds = match.rounds
    judge = ref.Match(players, schedule, int(rounds["dealer"].iloc[0]))
    for _, table in rounds.groupby("round"):
        assert judge.next_hand_size == table["hand_size"].iloc[0]
        assert judge.dealer == table["dealer"].iloc[0]
        assert (judge.rounds_to_go == 0) == bool(table["extra"].iloc[0])
        judge.record(table["points"].tolist())
        assert table["total"].tolist() == judge.totals()
    return judge


@pytest.mark.rule("B15")
def test_b15_ranks_are_the_referees() -> None:
    extra_rounds, ties_below = Counter[int](), 0
    agent = resolve("random")
    for number in range(50):
        players = 3 + number % 5
        match = play_match([agent] * players, Rules(hand_sizes=(1, 1)), seed=SEED, match_number=number)
        judge = referee_of(match, [1, 1], players)
        assert judge.over
        assert match.ranks == judge.ranks()
        assert match.totals == judge.totals()
        assert match.winners == [seat for seat, rank in enumerate(judge.ranks()) if rank == 1]
        extra_rounds[len(judge.extra)] += 1
        ties_below += len({*match.ranks}) < players
    assert {0, 1, 2} <= extra_rounds.keys()
    assert ties_below > 10


@pytest.mark.rule("B16")
def test_b16_a_stopped_match_is_ranked_as_it_stands() -> None:
    shared = 0
    agent = resolve("greedy")
    for number in range(15):
        match = play_match(
            [agent] * 4, Rules(hand_sizes=(1, 2, 3)), seed=1, match_number=number, stop_after=2
        )
        judge = ref.Match(4, [1, 2, 3], int(match.rounds["dealer"].iloc[0]))
        for _, table in match.rounds.groupby("round"):
            judge.record(table["points"].tolist())
        judge.stop()
        assert len(judge.table) == 2
        assert match.ranks == judge.ranks()
        shared += len(match.winners) > 1
    assert shared > 2


def test_a_match_is_the_first_rotation_of_its_set() -> None:
    rules = Rules(hand_sizes=(2, 3))
    lineup = [resolve("greedy"), resolve("random"), resolve("count-winners")]
    for number in (0, 5):
        match = play_match(lineup, rules, seed=9, match_number=number)
        tally = play_sets(game_of(lineup, (2, 3), rules=rules), 9, number, 1, log=True)
        rows = tally.rows[tally.rows[:, ROW_COLUMNS.index("rotation")] == 0]
        scheduled = match.rounds[~match.rounds["extra"]]
        for column in ("seat", "bid", "tricks", "points", "dealer", "hand_size"):
            assert scheduled[column].tolist() == rows[:, ROW_COLUMNS.index(column)].tolist()
        names = [lineup[place].name for place in rows[:3, ROW_COLUMNS.index("place")]]
        assert list(match.names) == names


@pytest.mark.rule("B14")
def test_b14_the_score_table_has_bid_tricks_and_points_of_every_round_and_agent() -> None:
    match = play_match(["random", "greedy", "random"], Rules(hand_sizes=(2, 3)), seed=4)
    table: Any = match.score_table()
    assert len(table) == match.rounds["round"].nunique()
    for row in match.rounds.itertuples():
        cells = table.loc[(row.round, row.hand_size), f"{row.seat} {row.agent}"]
        assert cells.to_dict() == {"bid": row.bid, "tricks": row.tricks, "points": row.points}


# Cards and luck


class Seen(NamedTuple):
    """One decision as it was shown: where it stands, and the view."""

    set_number: int
    rotation: int
    round_number: int
    seat: int
    decision: int
    view: Any


def watch(lineup: list[Entrant], first: int, sets: int, **more: Any) -> list[Seen]:
    """Play one batch of sets and return every decision of the agents that are not compiled."""
    seen: list[Seen] = []
    players = len(lineup)

    def see(views: Any, matches: Any, _: Any) -> None:
        for view, match in zip(views, matches, strict=True):
            decision = 0 if view["kind"] == BID else 1 + int(view["trick_number"])
            number, rotation = divmod(int(match), players)
            seat, round_number = int(view["seat"]), int(view["round_number"])
            seen.append(Seen(first + number, rotation, round_number, seat, decision, view))

    watched = [
        each if isinstance(each.bidder, CompiledAgent) else entrant(Watcher(each.bidder, see), each.name)
        for each in lineup
    ]
    play_sets(game_of(watched, **more), SEED, first, sets)
    return seen


def hands_of(seen: list[Seen]) -> dict[tuple[int, int, int, int], int]:
    """Hands at the bids, by set, rotation, round and seat."""
    return {each[:4]: int(each.view["hand"]) for each in seen if each.decision == 0}


@pytest.mark.parametrize("players", PLAYERS)
def test_cards_do_not_depend_on_who_plays_or_in_which_rotation(players: int) -> None:
    readers = watch([READERS["vectorised"]] * players, 2, 3, schedule=(2, 4))
    others = [READERS["vectorised"], *([resolve("greedy")] * (players - 1))]
    dealt = hands_of(readers)
    for key, hand in hands_of(watch(others, 2, 3, schedule=(2, 4))).items():
        assert dealt.get(key, hand) == hand  # tie-break rounds need not be played in both
        assert key in dealt or key[2] >= 2
    by_deal = defaultdict(set)
    for (number, _, round_number, seat), hand in dealt.items():
        by_deal[number, round_number, seat].add(hand)
    assert {len(hands) for hands in by_deal.values()} == {1}
    scheduled = [hand for (_, round_number, _), hand in by_deal.items() if round_number < 2]
    assert len({*map(frozenset, scheduled)}) == 3 * 2 * players
    assert len(by_deal) >= len(scheduled)
    turn_ups = defaultdict(set)
    for each in readers:
        turn_ups[each.set_number, each.round_number].add(int(each.view["turn_up"]))
    assert {len(cards) for cards in turn_ups.values()} == {1}


@pytest.mark.parametrize("players", PLAYERS)
def test_over_the_rotations_each_place_holds_each_hand_once(players: int) -> None:
    """By place: the hands that it holds over a set's rotations are those of all seats."""
    lineup = [READERS["vectorised"]] * players
    held = hands_of(watch(lineup, 2, 3, schedule=(3, 1)))
    rows = play(lineup, 2, 3, schedule=(3, 1)).rows
    seats = defaultdict(list)
    for row in rows:
        number, rotation, round_number, seat, place = (
            int(row[ROW_COLUMNS.index(name)]) for name in ("set", "rotation", "round", "seat", "place")
        )
        seats[number, round_number, place].append((seat, held[number, rotation, round_number, seat]))
    for cells in seats.values():
        assert sorted(seat for seat, _ in cells) == [*range(players)]
        assert len({hand for _, hand in cells}) == players
    assert len(seats) == 3 * 2 * players


def test_seatings_differ_between_sets() -> None:
    """Neighbours matter: over many sets every cyclic order of four places comes up about as often."""
    tally = play([READERS["trusted"]] * 4, 0, 1200, schedule=(1,))
    first = tally.rows[tally.rows[:, ROW_COLUMNS.index("rotation")] == 0]
    orders: Counter[tuple[int, ...]] = Counter()
    for places in first[:, ROW_COLUMNS.index("place")].reshape(-1, 4).tolist():
        start = places.index(0)
        orders[(*places[start:], *places[:start])] += 1
    assert len(orders) == 6
    assert min(orders.values()) > 140
    starts = Counter(first[:, ROW_COLUMNS.index("place")].reshape(-1, 4)[:, 0].tolist())
    assert min(starts.values()) > 240


def test_words_differ_between_sets_rotations_seats_rounds_decisions_and_arms_but_not_cards() -> None:
    lineup = [READERS["vectorised"]] * 4
    base, arm = (watch(lineup, 2, 4, schedule=(3, 2), arm=number) for number in (0, 1))
    words = [{each[:5]: int(each.view["rnd"]) for each in seen} for seen in (base, arm)]
    drawn = [*words[0].values(), *words[1].values()]
    assert len(drawn) == len(base) + len(arm)
    assert len(set(drawn)) == len(drawn)
    hands = [hands_of(seen) for seen in (base, arm)]
    shared = hands[0].keys() & hands[1].keys()
    assert len(shared) >= 4 * 4 * 2 * 4
    assert all(hands[0][key] == hands[1][key] for key in shared)
    again = {each[:5]: int(each.view["rnd"]) for each in watch(lineup, 2, 4, schedule=(3, 2))}
    assert again == words[0]


def test_views_show_the_earlier_rounds_as_they_were_scored() -> None:
    """Bids, tricks, hand sizes and totals of earlier rounds, by seat; -1 where nothing has been played yet."""
    schedule = (3, 1, 2)
    seen = watch([READERS["vectorised"]] * 4, 2, 3, schedule=schedule)
    columns = [
        ROW_COLUMNS.index(name) for name in ("set", "rotation", "round", "seat", "bid", "tricks", "points")
    ]
    rows = play([READERS["trusted"]] * 4, 2, 3, schedule=schedule).rows[:, columns].tolist()
    scored = {tuple(row[:4]): row[4:] for row in rows}
    for each in seen:
        earlier = min(each.round_number, len(schedule))
        for seat in range(4):
            past = [scored[each.set_number, each.rotation, number, seat] for number in range(earlier)]
            assert each.view["past_bids"][:earlier, seat].tolist() == [bid for bid, _, _ in past]
            assert each.view["past_tricks"][:earlier, seat].tolist() == [tricks for _, tricks, _ in past]
            assert each.view["scores"][seat] == sum(points for _, _, points in past)
        assert (each.view["past_bids"][each.round_number :] == -1).all()
        assert (each.view["past_tricks"][each.round_number :] == -1).all()
        assert (each.view["past_bids"][:, 4:] == -1).all()
    assert {each.round_number for each in seen} >= {0, 1, 2}


def test_words_are_uniform_bit_by_bit() -> None:
    drawn: list[Any] = []
    watcher = Watcher(LowVector(0, lambda answers, _: answers), lambda views, *_: drawn.append(views["rnd"]))
    play_sets(game_of([entrant(watcher)] * 7, (5, 7)), SEED, 0, 12)
    words = np.concatenate(drawn)
    ones = np.array([(words >> np.uint64(place) & np.uint64(1)).sum() for place in range(64)])
    assert len(words) > 7_000
    assert np.abs(ones / len(words) - 0.5).max() < 4.5 * 0.5 / len(words) ** 0.5


@pytest.mark.parametrize("kind", ["compiled", "vectorised"])
def test_views_of_two_seeds_differ(kind: str) -> None:
    games = [play_sets(game_of([READERS[kind]] * 3), seed, 0, 4, log=True).rows for seed in (0, 1, 2**64)]
    assert all((one != other).any() for one, other in itertools.combinations(games, 2))


# Agents with memory


class Rememberer(VectorReader):
    """Keeps its bids and its deals by match, and finds them again in what the views say of earlier rounds."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.bid: dict[tuple[int, int, int], int] = {}
        self.checked = 0

    def matches_begin(self, count: int) -> None:
        self.begun.append(count)
        self.bid.clear()

    def bids(self, batch: Any) -> Any:
        answers = super().bids(batch)
        for row, (view, match) in enumerate(zip(batch.records(), batch.match, strict=True)):
            assert 0 <= match < self.begun[-1]
            number, seat = int(view["round_number"]), int(view["seat"])
            for earlier in range(number):
                if (int(match), earlier, seat) in self.bid:
                    assert view["past_bids"][earlier, seat] == self.bid[int(match), earlier, seat]
                    self.checked += 1
            self.bid[int(match), number, seat] = int(answers[row])
        return answers


class ScalarRememberer(ScalarReader):
    """The same, asked one view at a time."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.asked: Counter[int] = Counter()

    def matches_begin(self, count: int) -> None:
        self.begun.append(count)
        self.asked.clear()

    def bid(self, view: Any) -> int:
        assert 0 <= view.match < self.begun[-1]
        assert self.asked[view.match] == view.round_number
        self.asked[view.match] += 1
        return super().bid(view)


def test_matches_are_numbered_for_agents_with_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ohpshaw_sim.engine.play.BATCH_ROWS", 3 * 4)
    vector, scalar = Rememberer(), ScalarRememberer()
    lineup = [entrant(vector), entrant(as_agent(scalar, "scalar")), READERS["trusted"]]
    tally = play(lineup, 0, 10)
    assert_same(tally, play([READERS["trusted"]] * 3, 0, 10))
    assert vector.begun == scalar.begun == [12, 12, 6]
    assert vector.checked > 10


def test_an_agent_in_two_seats_is_told_once_that_matches_begin() -> None:
    both = Rememberer()
    play([entrant(both), entrant(both, "again"), READERS["trusted"]], 0, 2)
    play_match([entrant(both), READERS["trusted"], entrant(both, "again")], Rules(max_hand=2), seed=1)
    assert both.begun == [6, 1]


# Agents that misbehave


class Spot(NamedTuple):
    """One decision of place 1 of a line-up, and the word it is told by."""

    set_number: int
    rotation: int
    round_number: int
    kind: int
    word: int
    held: int


PLACE = 1


@pytest.fixture(scope="module", params=[BID, PLAY], ids=["bid", "card"])
def spot(request: pytest.FixtureRequest) -> Spot:
    """A decision in the middle of what `assert_fault` plays, with all of place 1 bidding 0 and playing low."""
    low = as_agent(LowScalar(), "low")
    seen = [
        each
        for each in watch([entrant(LOWEST), entrant(low), entrant(LOWEST)], 5, 3, schedule=(2, 4))
        if each.view["kind"] == request.param
        and each.set_number == 6
        and each.round_number == 1
        and (request.param == BID or int(each.view["legal"]).bit_count() < int(each.view["hand"]).bit_count())
    ]
    each = seen[len(seen) // 2]
    outside = int(each.view["hand"]) & ~int(each.view["legal"])
    return Spot(
        *each[:3],
        request.param,
        int(each.view["rnd"]),
        5 if request.param == BID else outside.bit_length() - 1,
    )


class LowScalar:
    """Bids 0 and plays its lowest legal card; at one decision it does something else."""

    def __init__(self, word: int = -1, deed: Callable[[], Any] = lambda: 0) -> None:
        self.word = word
        self.deed = deed

    def bid(self, view: Any) -> Any:
        return self.deed() if view.rnd == self.word else (view.legal & -view.legal).bit_length() - 1

    play = bid


class LowVector:
    """The same over arrays: `deed(answers, row)` spoils the answers."""

    def __init__(self, word: int, deed: Callable[[Any, int], Any]) -> None:
        self.word = word
        self.deed = deed

    def bids(self, batch: Any) -> Any:
        legal = batch.legal
        answers = np.bitwise_count((legal & (~legal + np.uint64(1))) - np.uint64(1)).astype(np.int64)
        rows = np.flatnonzero(batch.rnd == np.uint64(self.word))
        return self.deed(answers, int(rows[0])) if len(rows) else answers

    plays = bids


def assert_fault(agent: Any, spot: Spot, said: str, *, exact: bool = True, driver: Driver = "auto") -> None:
    """Play: the agent at place 1 is blamed, in one sentence, for the decision in question."""
    lineup = [entrant(LOWEST, "one"), entrant(agent, "culprit"), entrant(LOWEST, "two")]
    with pytest.raises(AgentFaultError) as caught:
        play(lineup, 5, 3, driver, schedule=(2, 4))
    fault, sentence = caught.value, str(caught.value)
    assert isinstance(fault, AgentError)
    assert fault.place == PLACE
    assert sentence.startswith("agent culprit ")
    assert said in sentence
    assert "\n" not in sentence
    where = f"in set {fault.set_number}, rotation {fault.rotation}, round {fault.round_number + 1}"
    assert sentence.endswith(f"asked for a {'bid' if spot.kind == BID else 'card'} {where}")
    if exact:
        assert (fault.set_number, fault.rotation, fault.round_number) == spot[:3]


ILLEGAL = (-1, 64, 65, -64, 2**63 - 1, -(2**63), 127, 255)


@pytest.mark.rule("B12")
@pytest.mark.parametrize("answer", [*ILLEGAL, None, 2**64 + 1, -(2**70)])
def test_an_illegal_answer_of_a_scalar_agent(spot: Spot, answer: int | None) -> None:
    illegal = spot.held if answer is None else answer
    shown = str(min(max(illegal, -(2**63) + 1), 2**63 - 1))
    agent = as_agent(LowScalar(spot.word, lambda: illegal), "scalar")
    assert_fault(agent, spot, f"answered {shown}, which is illegal")


@pytest.mark.parametrize(
    "answer", [1.0, 0.0, float("nan"), "1", True, None, [1], np.float64(1), np.bool_(True)]
)
def test_an_answer_of_a_scalar_agent_that_is_no_int(spot: Spot, answer: Any) -> None:
    agent = as_agent(LowScalar(spot.word, lambda: answer), "scalar")
    assert_fault(
        agent, spot, f"answered {answer!r}, a {type(answer).__name__}; an answer is an int", exact=False
    )


@pytest.mark.rule("B12")
@pytest.mark.parametrize("answer", [*ILLEGAL, None, 2**63, 2**64 - 1])
def test_an_illegal_answer_of_a_vectorised_agent(spot: Spot, answer: int | None) -> None:
    def spoil(answers: Any, row: int) -> Any:
        illegal = spot.held if answer is None else answer
        spoilt = answers.astype(np.uint64) if illegal >= 2**63 else answers
        spoilt[row] = illegal
        return spoilt

    shown = str(min(spot.held if answer is None else answer, 2**63 - 1))
    assert_fault(LowVector(spot.word, spoil), spot, f"answered {shown}, which is illegal")


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, np.uint32, np.uint64])
def test_vectorised_answers_may_have_any_integer_type(dtype: Any) -> None:
    class Small(VectorReader):
        def answer(self, batch: Any) -> Any:
            return super().answer(batch).astype(dtype)

    assert_same(play([entrant(Small())] * 3), play([READERS["trusted"]] * 3))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda answers, _: answers.astype(float), "answered with float64 values"),
        (lambda answers, _: answers == 1, "answered with bool values"),
        (lambda answers, _: answers.astype(object), "answered with object values"),
        (lambda answers, _: answers.astype(str), "values; answers are integers"),
        (lambda answers, _: answers[1:], "decisions with an array of shape ("),
        (lambda answers, _: np.append(answers, 0), "decisions with an array of shape ("),
        (lambda answers, _: answers[:, None], "decisions with an array of shape ("),
        (lambda *_: 0, "decisions with an array of shape ()"),
        (lambda *_: None, "decisions with an array of shape ()"),
        (lambda *_: [[1], [1, 2]], "raised ValueError"),
        (lambda *_: dict[str, int]()["missing"], "raised KeyError: 'missing'"),
    ],
)
def test_answers_of_a_vectorised_agent_that_are_no_integer_per_row(
    spot: Spot, spoil: Callable[[Any, int], Any], said: str
) -> None:
    assert_fault(LowVector(spot.word, spoil), spot, said, exact=False)


def params_of(spot: Spot, answer: int) -> tuple[int, ...]:
    return spot.word >> 32, spot.word & 0xFFFF_FFFF, spot.kind, answer


@pytest.mark.rule("B12")
@pytest.mark.parametrize("driver", ["compiled", "batched"])
@pytest.mark.parametrize("answer", [-1, 64, 65, -64, 2**53, -(2**53), 127, None])
def test_an_illegal_answer_of_a_compiled_agent(spot: Spot, answer: int | None, driver: Driver) -> None:
    illegal = spot.held if answer is None else answer
    agent = CompiledAgent(wrong_at, wrong_at, params_of(spot, illegal))
    assert_fault(agent, spot, f"answered {illegal}, which is illegal", driver=driver)


@pytest.mark.parametrize("driver", ["compiled", "batched"])
def test_an_exception_of_a_compiled_agent(spot: Spot, driver: Driver) -> None:
    agent = CompiledAgent(fails_at, fails_at, params_of(spot, -1))
    before = play([READERS["trusted"]] * 3, 0, 1)
    assert_fault(agent, spot, "raised ValueError: no idea,", driver=driver)
    assert_same(play([READERS["trusted"]] * 3, 0, 1), before)
    assert_same(play([READERS["vectorised"]] * 3, 0, 1), before)


def test_an_exception_of_a_scalar_agent(spot: Spot) -> None:
    def fail() -> int:
        raise RuntimeError

    assert_fault(as_agent(LowScalar(spot.word, fail), "scalar"), spot, "raised RuntimeError,", exact=False)


def test_a_view_has_no_other_fields(spot: Spot) -> None:
    class Curious(LowScalar):
        def bid(self, view: Any) -> Any:
            return view.hands if view.rnd == self.word else super().bid(view)

        play = bid

    assert_fault(as_agent(Curious(spot.word), "scalar"), spot, "a view has no field 'hands'", exact=False)


@pytest.mark.parametrize(
    ("decide", "said"),
    [
        (lambda view, params: 1.0, "its bid function answers with float64, not an integer"),  # noqa: ARG005
        (lambda view, params: view.legal > 0, "its bid function answers with bool, not an integer"),  # noqa: ARG005
        (lambda view, params: view.hands, "its bid function does not compile"),  # noqa: ARG005
        (lambda view, params: None, "its bid function answers with none, not an integer"),  # noqa: ARG005
        (lambda view: 0, "its bid function does not compile"),  # noqa: ARG005
    ],
)
def test_compiled_agents_of_the_wrong_type_are_refused_before_they_play(decide: Any, said: str) -> None:
    with pytest.raises(AgentError, match=f"^agent culprit cannot play: {said}") as caught:
        play([entrant(CompiledAgent(decide, decide), "culprit"), *([READERS["trusted"]] * 2)])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("answer", [2**64 - 1, 2**63, 2**32])
def test_unsigned_answers_of_compiled_agents_do_not_wrap_round_to_legal_ones(answer: int) -> None:
    big = np.uint64(answer)
    agent = CompiledAgent(lambda view, params: big, lambda view, params: big)  # noqa: ARG005
    with pytest.raises(AgentFaultError, match="which is illegal"):
        play([entrant(agent), *([READERS["trusted"]] * 2)])


def test_small_integer_answers_of_compiled_agents_are_taken() -> None:
    bid_one = CompiledAgent(lambda view, params: view.hand_size, LOWEST.play)  # noqa: ARG005
    rows = play([entrant(bid_one)] * 3).rows
    assert (rows[:, ROW_COLUMNS.index("bid")] == rows[:, ROW_COLUMNS.index("hand_size")]).all()


# The scripted opponents themselves


def test_readers_read_every_field() -> None:
    """One change anywhere in a view changes the digest: else the tests above could miss what they look for."""
    view = blank_views(1)[0]
    before = digest(view)
    for name, offset in every_cell():
        changed = blank_views(1)
        flat = changed.view(np.uint8).reshape(-1)
        flat[offset] ^= 1
        assert digest(changed[0]) != before, name


def every_cell() -> Iterator[tuple[str, int]]:
    """The first byte of every number in a view."""
    fields: Any = VIEW.fields
    for name, (dtype, offset, *_) in fields.items():
        size = dtype.base.itemsize
        for cell in range(dtype.itemsize // size):
            yield f"{name}, cell {cell}", offset + cell * size
