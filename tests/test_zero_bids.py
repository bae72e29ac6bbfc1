"""The zero-bid study: its tables against their definitions, its folder, and what it answers to wrong requests."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from command_line import Command
from ohpshaw_sim.rules import Rules
from ohpshaw_sim.studies.zero_bids.frames import BEFORE
from ohpshaw_sim.studies.zero_bids.study import tables_of
from ohpshaw_sim.studies.zero_bids.thumb import NEVER, Thumb, find_thumb
from ohpshaw_sim.studies.zero_bids.worth import valued

QUICK = (
    "--players",
    3,
    "--hand-sizes",
    "1-2",
    "--deals",
    60,
    "--situations",
    30,
    "--redeals",
    32,
    "--seed",
    4,
)
COUNT = 600
PLAIN = """
class Lowest:
    def bid(self, view):
        return 0

    def play(self, view):
        return (view.legal & -view.legal).bit_length() - 1


make_agent = Lowest
"""


@pytest.fixture(scope="module")
def made_up() -> pd.DataFrame:
    """Situations of nobody's deals: zero gains the more, the fewer trumps and high cards there are."""
    draw = np.random.default_rng(5)
    trumps, high = draw.integers(0, 4, COUNT), draw.integers(0, 3, COUNT)
    frame = pd.DataFrame({"agent": "a", "players": draw.choice([3, 4], COUNT), "deal": np.arange(COUNT)})
    frame["has_trump"] = True
    frame["hand_size"] = draw.choice([2, 3, 8], COUNT)
    frame["position"] = draw.integers(0, 3, COUNT)
    frame["trumps"], frame["high_cards"] = trumps, high
    frame["before"] = pd.Categorical(draw.choice(BEFORE, COUNT), BEFORE, ordered=True)
    frame["bid"] = draw.integers(0, 2, COUNT)
    frame["tricks"] = draw.integers(0, 2, COUNT)
    frame["points"] = np.where(frame["bid"] == frame["tricks"], 10 + frame["bid"], 0)
    for half in "ab":
        frame[f"zero_{half}"] = 8 - 3 * trumps * (high + 1) / 2 + draw.normal(0, 1, COUNT)
        frame[f"other_{half}"] = 5 + draw.normal(0, 1, COUNT)
        frame[f"own_{half}"] = 4.0
        frame[f"chance_{half}"] = draw.random(COUNT)
    frame["chance"] = (frame["chance_a"] + frame["chance_b"]) / 2
    frame["zero_made"] = draw.random(COUNT) < frame["chance"]
    frame["effective"] = np.where(draw.random(COUNT) < 0.1, 0.0, 50.0)
    return frame.assign(redeals=64, lost=0, tried=10, matched=5)


@pytest.fixture(scope="module")
def tables(made_up: pd.DataFrame) -> dict[str, pd.DataFrame]:
    return tables_of(made_up, Rules())


def row_of(table: pd.DataFrame, **values: object) -> pd.Series:
    for name, value in values.items():
        table = table[table[name].astype(str) == str(value)]
    assert len(table) == 1
    return table.iloc[0]


def t_interval(values: pd.Series) -> list[float]:
    half = stats.t.ppf(0.975, len(values) - 1) * stats.sem(values)
    return [values.mean(), values.mean() - half, values.mean() + half]


def found(row: pd.Series, name: str) -> list[float]:
    return [row[name], row[f"{name}_low"], row[f"{name}_high"]]


def test_habits_are_shares_and_means_over_deals(
    made_up: pd.DataFrame, tables: dict[str, pd.DataFrame]
) -> None:
    rows = made_up[(made_up["players"] == 4) & (made_up["trumps"] == 2)]
    row = row_of(tables["zero_bids"], players=4, by="trumps", value=2)
    zero = rows[rows["bid"] == 0]
    assert (row["deals"], row["zero_bids"]) == (len(rows), len(zero))
    assert row["zero_bid_share"] == pytest.approx(len(zero) / len(rows))
    assert row["zero_bid_hit_rate"] == pytest.approx((zero["tricks"] == 0).mean())
    assert found(row, "points_per_zero_bid") == pytest.approx(t_interval(zero["points"]))
    assert found(row, "points_per_other_bid") == pytest.approx(t_interval(rows["points"][rows["bid"] != 0]))
    assert set(tables["zero_bids"]["by"]) == {
        "all",
        "hand_size",
        "position",
        "trumps",
        "high_cards",
        "before",
    }


def test_worth_is_chosen_on_one_half_and_valued_on_the_other(
    made_up: pd.DataFrame, tables: dict[str, pd.DataFrame]
) -> None:
    rows = made_up[(made_up["players"] == 3) & (made_up["effective"] > 0)]
    row = row_of(tables["worth"], players=3, by="all")
    best = rows["zero_b"].where(rows["zero_a"] >= rows["other_a"], rows["other_b"])
    assert row["situations"] == len(rows)
    assert found(row, "gain") == pytest.approx(t_interval(rows["zero_b"] - rows["other_b"]))
    assert found(row, "best_points") == pytest.approx(t_interval(best))
    assert found(row, "loss") == pytest.approx(t_interval(best - rows["own_b"]))
    assert row["best_points"] < np.maximum(rows["zero_b"], rows["other_b"]).mean()  # no hindsight


def test_the_rule_is_the_best_on_its_half_and_is_valued_on_the_other(
    made_up: pd.DataFrame, tables: dict[str, pd.DataFrame]
) -> None:
    rows = valued(made_up)
    rows = rows[(rows["players"] == 4) & rows["hand_size"].isin([2, 3])]
    seen, others = rows[rows["deal"] % 2 == 0], rows[rows["deal"] % 2 == 1]
    row = row_of(tables["rule_of_thumb"], players=4, hands="2-3")
    gains = {
        (trumps, high): seen["gain"][(seen["trumps"] <= trumps) & (seen["high_cards"] <= high)].sum()
        for trumps, high in product(range(4), range(3))
    }
    assert gains[int(row["trumps"]), int(row["high_cards"])] == max(gains.values())
    says = (others["trumps"] <= row["trumps"]) & (others["high_cards"] <= row["high_cards"])
    lost = others["best_b"] - others["zero_b"].where(says, others["other_b"])
    assert found(row, "loss") == pytest.approx(t_interval(lost))
    together = row_of(tables["rule_of_thumb"], players="all", hands="all")
    assert together["valued_on"] == (valued(made_up)["deal"] % 2 == 1).sum()
    assert together["loss"] < min(together["loss_never"], together["loss_always"])


def test_where_zero_never_gains_the_rule_says_never(made_up: pd.DataFrame) -> None:
    rows = valued(made_up)
    assert find_thumb(rows.assign(gain=-1.0)) == Thumb(NEVER, NEVER)
    assert not Thumb(NEVER, NEVER).says_zero(rows).any()
    assert find_thumb(rows.assign(gain=1.0)) == Thumb(3, 2)


def test_promises_are_set_beside_what_came_of_zero(
    made_up: pd.DataFrame, tables: dict[str, pd.DataFrame]
) -> None:
    rows = made_up[
        (made_up["players"] == 3) & (made_up["effective"] > 0) & made_up["chance"].between(0.4, 0.5)
    ]
    row = row_of(tables["calibration"], players=3, bin=4)
    assert row["situations"] == len(rows)
    assert row["promised"] == pytest.approx(rows["chance"].mean())
    assert row["realised"] == pytest.approx(rows["zero_made"].mean())
    assert tables["calibration"]["situations"].sum() == (made_up["effective"] > 0).sum()
    assert tables["redeals"]["not_valued"].sum() == (made_up["effective"] == 0).sum()


@pytest.mark.pictures
def test_the_same_request_gives_the_same_bytes_whatever_the_threads(ohpshaw: Command, tmp_path: Path) -> None:
    one = ohpshaw("zero-bids", "greedy", "random", *QUICK, "--jobs", 1, "--out", "one")
    ohpshaw("zero-bids", "greedy", "random", *QUICK, "--jobs", 2, "--out", "two")
    names = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.*"))
    kept = [name for name in names if name.suffix in (".csv", ".png", ".txt")]
    assert {name.stem for name in kept if name.suffix == ".png"} >= {"worth", "worth-2", "calibration"}
    for name in kept:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name
    assert one.out == (tmp_path / "one" / "summary.txt").read_text("utf-8")
    assert all(len(line) <= 80 for line in one.out.splitlines())
    assert "seed 4" in one.err
    assert json.loads((tmp_path / "one" / "request.json").read_text())["request"]["situations"] == 30


def test_what_was_played_is_not_played_again(ohpshaw: Command, tmp_path: Path) -> None:
    words = ("zero-bids", "random", *QUICK, "--out", "run")
    first = ohpshaw(*words)
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "run" / "played").iterdir()}
    next(iter(times)).unlink()  # as if it had been interrupted
    assert ohpshaw(*words).out == first.out
    again = {path: path.stat().st_mtime_ns for path in (tmp_path / "run" / "played").iterdir()}
    assert sum(again[path] == times[path] for path in times) == len(times) - 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--redeals", 20), "redeals is 20; it should be a multiple of 16"),
        (
            ("--situations", 500, "--deals", 100),
            "500 situations are more than the 100 deals they are taken from",
        ),
        (("--rules", "wizard"), "zero bids are not studied with Wizards"),
        (("--players", "3,3"), "players [3, 3] names one twice"),
        (("gredy",), "did you mean 'greedy'?"),
        (("plain.py",), "agent 'plain.py' is not compiled"),
    ],
    ids=["redeals", "situations", "wizard", "players", "agent", "not compiled"],
)
def test_wrong_requests_are_answered_in_a_sentence(
    words: tuple[object, ...], told: str, ohpshaw: Command, tmp_path: Path
) -> None:
    (tmp_path / "plain.py").write_text(PLAIN, "utf-8")
    said = ohpshaw("zero-bids", *words, code=2)
    assert told in " ".join(said.err.split())
    assert not (tmp_path / "results").exists()


def test_an_agent_that_bids_illegally_is_named(ohpshaw: Command, tmp_path: Path) -> None:
    text = "def decide(view, params):\n    return 40\n\n\n"
    text += "def make_agent():\n    return CompiledAgent(decide, decide)\n"
    (tmp_path / "forty.py").write_text(
        f"from ohpshaw_sim.interface.agent import CompiledAgent\n\n\n{text}", "utf-8"
    )
    for words in (("forty.py",), ("random", "--field", "forty.py")):
        said = ohpshaw("zero-bids", *words, *QUICK, code=3)
        assert "agent forty.py answered 40, which is illegal, asked for a bid" in said.err
