"""What studies are made of: line-ups played for them, estimates from seat-rounds, what bidders promise."""

import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from command_line import Command
from ohpshaw_sim.analysis.statistics import ratio
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.engine.tally_schema import MOMENTS
from ohpshaw_sim.errors import OhPshawError
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.rules import Rules
from ohpshaw_sim.studies import bidding, ladder, playing, rule_variants
from ohpshaw_sim.studies.estimates import mean_cells, over_sets, paired_cells, share_cells
from ohpshaw_sim.studies.playing import COLUMNS, LineUp, play
from ohpshaw_sim.studies.promises import MILLION
from ohpshaw_sim.studies.request import make_request

RULES = Rules(hand_sizes=(1, 2, 3))


def columns(rows: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=COLUMNS)


@pytest.mark.parametrize("promises", [False, True])
def test_a_line_up_is_what_the_engine_plays(promises: bool) -> None:
    lineup = LineUp("count-winners", ("greedy",), 4, RULES, 5, 9, rounds=True, promises=promises)
    played = play(lineup, jobs=2)
    entrants = tuple(resolve(name) for name in ("count-winners", "greedy", "greedy", "greedy"))
    tally = play_sets(Game(RULES, 4, (1, 2, 3), entrants, (0, 1, 1, 1)), 5, 0, 9)
    assert played.totals.tolist() == tally.totals[0].tolist()
    assert [played.by_set.tolist(), played.wins_by_set.tolist()] == tally.by_set[:, 0].T.tolist()
    frame = columns(played.rows)
    assert len(frame) == 9 * 4 * 3
    assert frame.groupby("set")["points"].sum().tolist() == played.by_set.tolist()
    assert (frame["bid"] == frame["tricks"]).sum() == played.totals[MOMENTS.index("hits")]
    assert (frame["promise"] >= 0).all() == promises
    counted = frame.groupby(["hand_size", "position", "bid", "tricks"]).size()
    assert [tally.counts[(0, *where)] for where in counted.index] == counted.tolist()


def test_what_was_kept_is_what_is_played(tmp_path: Path) -> None:
    lineup = LineUp("greedy", (), 3, RULES, 1, 4, seats=3, rounds=True)
    first, again = play(lineup, 1, tmp_path), play(lineup, 1, tmp_path)
    assert all(np.array_equal(one, other) for one, other in zip(first, again, strict=True))
    assert len([*tmp_path.iterdir()]) == 1
    assert lineup.digest() != LineUp("greedy", (), 3, RULES, 2, 4, seats=3, rounds=True).digest()


def test_a_line_up_that_was_stopped_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lineup = LineUp("greedy", ("random",), 3, RULES, 1, 6, rounds=True)
    whole, begun, chunk = play(lineup, 1), [], playing._chunk

    def stopped_at(first_set: int) -> None:
        def counting(lineup: LineUp, first: int, sets: int) -> playing.Played:
            if first == first_set:
                raise KeyboardInterrupt
            begun.append(first)
            return chunk(lineup, first, sets)

        monkeypatch.setattr(playing, "_chunk", counting)

    stopped_at(4)
    with pytest.raises(KeyboardInterrupt):
        play(lineup, 1, tmp_path)
    stopped_at(-1)
    heard: list[int] = []
    found = play(lineup, 1, tmp_path, heard.append)
    assert sorted(begun) == [0, 1, 2, 3, 4, 5]  # each once: what was under way is kept, too
    assert all(np.array_equal(one, other) for one, other in zip(found, whole, strict=True))
    assert heard == sorted(heard)
    assert heard[-1] == lineup.sets
    assert [path.suffix for path in tmp_path.iterdir()] == [".npz"]


def test_a_promise_in_a_one_card_round_is_the_chance_to_win_or_its_complement() -> None:
    """Eldest hand with an ace of trumps is sure of its trick; what is promised for 0 and for 1 adds up to 1."""
    lineup = LineUp(
        "count-winners", ("random",), 3, Rules(hand_sizes=(1,)), 3, 200, rounds=True, promises=True
    )
    frame = columns(play(lineup, 1).rows)
    promised = frame["promise"] / MILLION
    assert promised.between(0, 1).all()
    assert (promised >= 0.45).all()  # of two bids the better one: 10 points against 11
    constant = LineUp(
        "constant:bid=1", ("random",), 3, Rules(hand_sizes=(1,)), 3, 200, rounds=True, promises=True
    )
    of_one = columns(play(constant, 1).rows)["promise"] / MILLION
    same = frame["bid"] == 1
    assert np.allclose(np.where(same, promised, 1 - promised), of_one, atol=2e-6)


def test_ratios_over_sets_are_those_of_the_sets_written_out() -> None:
    rng = np.random.default_rng(1)
    of_set, y, x = rng.integers(0, 7, 100), rng.integers(-3, 9, 100), rng.integers(0, 2, 100)
    tops = [int(y[of_set == one].sum()) for one in range(7)]
    bottoms = [3 * int(x[of_set == one].sum()) for one in range(7)]
    mean = sum(tops) / sum(bottoms)
    effective = sum(bottoms) ** 2 / sum(bottom**2 for bottom in bottoms)
    squares = sum((top - mean * bottom) ** 2 for top, bottom in zip(tops, bottoms, strict=True))
    found = ratio(over_sets(of_set, y, x, 3))
    assert found.value == pytest.approx(mean)
    assert found.variance == pytest.approx(effective / (effective - 1) * squares / sum(bottoms) ** 2)
    cells = mean_cells("m", of_set, y, x, (-100, 100), unit=3)
    assert cells["m_low"] < cells["m"] < cells["m_high"]
    assert cells["m"] == pytest.approx(mean)


def test_estimates_without_variance_keep_a_width() -> None:
    of_set, one = np.arange(4), np.ones(4, np.int64)
    assert share_cells("s", of_set, one, one)["s_low"] < 1.0
    paired = paired_cells("d", one, one, unit=1.0, widest=10.0)
    assert paired["d"] == 0
    assert paired["d_low"] < 0 < paired["d_high"]


def test_the_hook_hits_the_dealer_only_where_it_forbids() -> None:
    rules = Rules(hand_sizes=(3,)), Rules(hand_sizes=(3,), hook=True)
    frames = [
        columns(play(LineUp("constant:bid=1", (), 3, one, 7, 8, seats=3, rounds=True), 1).rows)
        for one in rules
    ]
    for frame in frames:
        assert (frame[frame["position"] < 2]["bid"] == 1).all()
    assert (frames[0][frames[0]["position"] == 2]["bid"] == 1).all()
    assert (
        frames[1][frames[1]["position"] == 2]["bid"] == 0
    ).all()  # 1 + 1 + 1 = 3 tricks is what is forbidden


def test_bidders_with_a_margin_of_nothing_bid_as_they_say() -> None:
    def of(agent: str) -> pd.DataFrame:
        return columns(
            play(
                LineUp(f"{agent}+greedy", ("greedy",), 4, Rules(hand_sizes=(3, 5)), 2, 6, rounds=True), 1
            ).rows
        )

    plain = of("count-winners")
    assert of("expectation-bidder").equals(plain)
    cautious, bold = of("expectation-bidder:margin=-1"), of("expectation-bidder:margin=1")
    assert cautious["bid"].mean() < plain["bid"].mean() < bold["bid"].mean()
    mean = of("mean-bidder")
    assert (of("mean-bidder:margin=20")["bid"] == plain["hand_size"]).all()
    assert (of("mean-bidder:margin=-20")["bid"] == 0).all()
    assert of("mean-bidder:margin=1")["bid"].mean() > mean["bid"].mean()
    assert set(of("constant:bid=2")["bid"]) == {2}
    assert (of("constant:bid=9")["bid"] == plain["hand_size"]).all()


def test_a_ladder_measures_one_seat_against_the_field(tmp_path: Path) -> None:
    options = {
        "agents": ["random", "greedy"],
        "field": "greedy",
        "players": "3,4",
        "up_to": 2,
        "sets": 6,
        "seed": 3,
    }
    more = {"standings_sets": 4, "self_play_sets": 3, "block_sets": 2, "seconds": 0.01, "jobs": 1}
    request = make_request(ladder.Request, options | more, "a ladder")
    ladder.carry_out(request, tmp_path / "ladder")
    tables = {path.stem: pd.read_csv(path) for path in (tmp_path / "ladder" / "tables").iterdir()}
    assert {"ladder", "self_play", "standings", "pairwise", "times"} == set(tables)
    rows = {(row["agent"], row["players"]): row for row in tables["ladder"].to_dict("records")}
    for players in (3, 4):
        entrants = (resolve("random"), *[resolve("greedy")] * (players - 1))
        game = Game(Rules(hand_sizes=(1, 2)), players, (1, 2), entrants, (0, *[1] * (players - 1)))
        totals = dict(zip(MOMENTS, play_sets(game, 3, 0, 6).totals[0].tolist(), strict=True))
        row = rows["random", players]
        assert row["win_share"] == pytest.approx(totals["wins"] / 420 / (6 * players), abs=1e-6)
        assert row["points_per_round"] == pytest.approx(totals["points"] / totals["rounds"], abs=1e-6)
        assert row["win_share_low"] < row["win_share"] < row["win_share_high"]
        assert rows["greedy", players]["win_share"] == pytest.approx(1 / players, abs=1e-6)  # among its like
    assert (tables["times"]["us_per_decision"] > 0).all()
    assert [*tables["standings"].groupby("players").size()] == [2, 2]
    told = (tmp_path / "ladder" / "summary.txt").read_text("utf-8")
    assert told.startswith("At tables of their like, most bids were hit by greedy ")


def test_a_ladder_of_the_same_seed_is_the_same_but_for_times(tmp_path: Path) -> None:
    options = {
        "agents": ["random"],
        "players": 3,
        "up_to": 1,
        "sets": 2,
        "seed": 3,
        "seconds": 0.01,
        "field": "greedy",
    }
    found = []
    for name in ("one", "other"):
        ladder.carry_out(make_request(ladder.Request, options, "a ladder"), tmp_path / name)
        found.append((tmp_path / name / "tables" / "ladder.csv").read_bytes())
    assert found[0] == found[1]
    times = pd.read_csv(tmp_path / "one" / "tables" / "times.csv")
    assert [*times["agent"]] == ["random", "greedy"]  # those of the field, too


def test_what_is_kept_of_a_study_hangs_on_the_weights_of_agents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "import_module", lambda _: SimpleNamespace(__path__=[str(tmp_path)]))
    found = set()
    for content in (b"one", b"other"):
        (tmp_path / "weights.npy").write_bytes(content)
        found.add(playing._sources.__wrapped__())
    assert len(found) == 2


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"field": "greeedy"}, "there is no agent 'greeedy'; did you mean 'greedy'?"),
        ({"up_to": 3, "hand_sizes": "1-2"}, "up_to says what hands are played"),
        ({"seconds": 0}, "seconds is 0; it should be greater than 0"),
        ({"agents": []}, "agents is"),
        ({"players": "3-8"}, "8 players"),
        ({"seats": 2}, "a ladder has no 'seats'"),
    ],
)
def test_what_is_wrong_with_a_ladder_is_told_in_a_sentence(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(OhPshawError, match=re.escape(sentence)):
        make_request(ladder.Request, {"agents": ["random"], "sets": 2} | options, "a ladder")


@pytest.fixture(scope="module")
def bid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the bidding study has been carried out."""
    out = tmp_path_factory.mktemp("bidding") / "out"
    options = {"bidders": ["mean-bidder", "constant:bid=1", "greedy"], "playing": "greedy", "field": "greedy"}
    more = {"hand_sizes": "1-3", "sets": 10, "seed": 4, "players": 3, "jobs": 2}
    bidding.carry_out(make_request(bidding.Request, options | more, "a study"), out)
    return out


def table(folder: Path, name: str) -> pd.DataFrame:
    return pd.read_csv(folder / "tables" / f"{name}.csv")


def of_pair(bidder: str) -> pd.DataFrame:
    lineup = LineUp(f"{bidder}+greedy", ("greedy",), 3, RULES, 4, 10, rounds=True, promises=True)
    return columns(play(lineup, 1).rows)


def test_the_grid_is_what_each_pair_played(bid: Path) -> None:
    grid = {row["bidder"]: row for row in table(bid, "grid").to_dict("records")}
    rows = {bidder: of_pair(bidder) for bidder in grid}
    for bidder, mine in rows.items():
        assert grid[bidder]["points_per_round"] == pytest.approx(mine["points"].mean(), abs=1e-6)
        assert grid[bidder]["hit_rate"] == pytest.approx((mine["bid"] == mine["tricks"]).mean(), abs=1e-6)
        assert grid[bidder]["tricks_less_bid"] == pytest.approx(
            (mine["tricks"] - mine["bid"]).mean(), abs=1e-6
        )
    difference = (
        (rows["constant:bid=1"]["points"] - rows["mean-bidder"]["points"])
        .groupby(rows["greedy"]["set"])
        .mean()
    )
    half = stats.t.ppf(0.975, 9) * difference.std() / 10**0.5
    found = grid["constant:bid=1"]
    assert found["difference"] == pytest.approx(difference.mean(), abs=1e-6)
    assert found["difference_high"] - found["difference"] == pytest.approx(half, abs=2e-6)
    assert pd.isna(grid["mean-bidder"]["difference"])


def test_promises_are_set_against_what_came(bid: Path) -> None:
    calibration = table(bid, "calibration")
    assert set(calibration["bidder"]) == {"mean-bidder", "constant:bid=1"}  # greedy does not tell
    mine = of_pair("mean-bidder")
    rows = calibration[calibration["bidder"] == "mean-bidder"]
    assert rows["rounds"].sum() == len(mine)
    assert (rows["promised"].between(rows["promised_from"] - 1e-6, rows["promised_to"] + 1e-6)).all()
    assert (rows["hit_rate"] * rows["rounds"]).sum() == pytest.approx(
        (mine["bid"] == mine["tricks"]).sum(), abs=1e-3
    )
    grid = table(bid, "grid").set_index("bidder")
    assert grid["promised"].isna().tolist() == [False, False, True]
    assert grid["promised"].iloc[0] == pytest.approx((mine["promise"] / MILLION).mean(), abs=1e-6)
    assert grid["hit_less_promised"].iloc[0] == pytest.approx(
        (mine["bid"] == mine["tricks"]).mean() - (mine["promise"] / MILLION).mean(), abs=2e-6
    )


def test_losses_add_up_to_what_hitting_all_bids_would_have_made(bid: Path) -> None:
    errors = table(bid, "errors")
    for bidder in ("mean-bidder", "constant:bid=1", "greedy"):
        mine, rows = of_pair(bidder), errors[errors["bidder"] == bidder]
        assert rows["share"].sum() == pytest.approx(1, abs=1e-5)
        all_hit = (10 + mine["bid"]).mean()
        assert rows["loss_per_round"].sum() == pytest.approx(all_hit - mine["points"].mean(), abs=1e-5)
        assert rows[rows["tricks_less_bid"] == 0]["loss_per_round"].item() == 0


def test_effects_of_positions_add_up_to_nothing(bid: Path) -> None:
    positions = table(bid, "positions")
    for _, rows in positions.groupby("bidder"):
        assert rows["effect"].sum() == pytest.approx(0, abs=1e-5)
        mean = rows["points_per_round"].mean()
        assert (rows["points_per_round"] - mean).tolist() == pytest.approx(rows["effect"].tolist(), abs=2e-6)


def test_the_commands_are_the_studies(ohpshaw: Command, tmp_path: Path, bid: Path) -> None:
    words = "bidding mean-bidder constant:bid=1 greedy --playing greedy --field greedy --hand-sizes 1-3 --players 3"
    said = ohpshaw(*words.split(), "--sets", "10", "--seed", "4", "--no-progress")
    assert said.out == (bid / "summary.txt").read_text("utf-8")
    assert (tmp_path / "results" / "bidding" / "plots" / "grid.png").exists()
    twice = ohpshaw("bidding", "greedy", "greedy", "--out", "twice", code=2)
    assert "named twice" in twice.err
    crowd = ohpshaw("bidding", "greedy", "--players", "3", *["--field", "greedy"] * 3, code=2)
    assert "field names 3 agents for 2 seats" in crowd.err
    assert "there is no agent 'greedly'; did you mean 'greedy'?" in ohpshaw("ladder", "greedly", code=2).err
    small = [
        "--field",
        "random",
        "--up-to",
        "1",
        "--sets",
        "2",
        "--seed",
        "1",
        "--seconds",
        "0.01",
        "--players",
        "3",
        "--out",
        "rungs",
    ]
    assert "In one seat against others that are all random" in ohpshaw("ladder", "random", *small).out


def test_rules_are_compared_on_the_same_cards(tmp_path: Path) -> None:
    variants = {"plain": "oh-pshaw", "hooked": {"hook": True}, "shorter": "oh-pshaw:hand_sizes=1/2"}
    options = {"agents": ["greedy"], "players": 3, "sets": 8, "seed": 2, "variants": variants, "jobs": 1}
    request = make_request(rule_variants.Request, options | {"hand_sizes": "1-3"}, "a study")
    assert {rules.hand_sizes for rules in request.by_name().values()} == {
        (1, 2, 3)
    }  # the study's hold for all
    rule_variants.carry_out(request, tmp_path / "out")
    plain, hooked = (
        columns(play(LineUp("greedy", (), 3, rules, 2, 8, seats=3, rounds=True), 1).rows)
        for rules in (RULES, Rules(hand_sizes=(1, 2, 3), hook=True))
    )
    row = table(tmp_path / "out", "differences").set_index("rules").loc["hooked"]
    hits = [
        (frame["bid"] == frame["tricks"]).astype(float).groupby(frame["set"]).mean()
        for frame in (hooked, plain)
    ]
    difference = hits[0] - hits[1]
    assert row["hit_rate"] == pytest.approx(difference.mean(), abs=1e-6)
    half = stats.t.ppf(0.975, 7) * difference.std() / 8**0.5
    assert row["hit_rate_high"] - row["hit_rate"] == pytest.approx(half, abs=2e-6)
    assert row["points_per_round"] == pytest.approx(
        hooked["points"].mean() - plain["points"].mean(), abs=1e-6
    )
    seats = table(tmp_path / "out", "dealer_less_eldest").set_index("rules")
    mean = plain.groupby("position")["points"].mean()
    assert seats.loc["plain", "difference"] == pytest.approx(mean[2] - mean[0], abs=1e-6)


def test_an_agent_that_fails_ends_a_study_in_a_sentence(ohpshaw: Command, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(
        "class Bad:\n    def bid(self, view):\n        return 99\n\n    def play(self, view):\n        return 0\n\n"
        "def make_agent():\n    return Bad()\n",
        "utf-8",
    )
    words = [
        "--field",
        "random",
        "--up-to",
        "1",
        "--sets",
        "2",
        "--seed",
        "1",
        "--seconds",
        "0.01",
        "--players",
        "3",
        "--out",
        "rungs",
    ]
    said = ohpshaw("ladder", "bad.py", *words, code=3)
    assert "agent bad.py answered 99, which is illegal" in said.err
    assert "Traceback" not in said.err
