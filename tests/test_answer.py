"""The answer in a sentence: what it claims, and what it must not."""

import re
from math import nan

import pandas as pd
import pytest
from markupsafe import Markup
from scipy import stats

from ohpshaw_sim.report.answer import answer_for
from ohpshaw_sim.report.verdict import verdict

POINTS = ["agent", "points_per_round", "points_per_round_low", "points_per_round_high"]


def standings(*rows: tuple[str, float, float, float]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=POINTS)


def pairwise(*rows: tuple[str, str, float, float, float, float]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["agent", "other", "difference", "low", "high", "p_holm"])
    return frame.assign(sets=48)


def plain(text: Markup) -> str:
    return re.sub("<[^>]+>", "", str(text))


def test_a_leader_told_apart_from_all_scores_most() -> None:
    answer = answer_for(
        standings(("a", 7.62, 7.5, 7.734), ("b", 6.7, 6.6, 6.8), ("c", 2.0, 1.9, 2.1)),
        pairwise(
            ("b", "a", -0.92, -1.044, -0.8, 0.001),
            ("a", "c", 5.6, 5.5, 5.7, 0.001),
            ("b", "c", 4, 3, 5, 0.001),
        ),
    )
    assert plain(answer.sentence) == (
        "In this field of three, a scores most: 7.62 points a round (7.50 to 7.73), 0.92 more (0.80 to 1.04) than b, "
        "the next, on the same cards."
    )
    assert answer.advice == ""


def test_of_two_nobody_is_called_the_next() -> None:
    answer = answer_for(
        standings(("a", 7.6, 7, 8), ("b", 6.7, 6, 7)), pairwise(("a", "b", 0.9, 0.5, 1.3, 0.01))
    )
    assert plain(answer.sentence).endswith("0.90 more (0.50 to 1.30) than b on the same cards.")


def test_a_leader_that_is_not_told_apart_does_not_score_most() -> None:
    answer = answer_for(
        standings(("a", 7.6, 7.3, 7.9), ("b", 7.5, 7.2, 7.8), ("c", 2.0, 1.9, 2.1)),
        pairwise(("a", "b", 0.1, -0.3, 0.5, 0.6), ("a", "c", 5.6, 5.5, 5.7, 0.001)),
    )
    sentence = plain(answer.sentence)
    assert "scores most" not in sentence
    assert sentence.endswith("but the run does not tell it apart from b (0.10 less, −0.30 to 0.50).")
    assert "four times as many sets" in answer.advice


def test_a_plain_interval_without_zero_is_not_enough() -> None:
    """Of many pairs some look apart by luck: the corrected p-value decides."""
    table = standings(("a", 7.6, 7.3, 7.9), ("b", 7.2, 6.9, 7.5))
    for p, settled in ((0.049, True), (0.051, False), (nan, False)):
        answer = answer_for(table, pairwise(("a", "b", 0.4, 0.05, 0.75, p)))
        assert ("scores most" in answer.sentence) is settled


def test_who_beats_the_leader_where_they_met_is_named() -> None:
    answer = answer_for(
        standings(("a", 7.6, 7.3, 7.9), ("b", 7.5, 7.2, 7.8)), pairwise(("a", "b", -0.4, -0.7, -0.1, 0.01))
    )
    assert plain(answer.sentence).endswith(
        "but where they met b made 0.40 more (0.10 to 0.70) on the same cards."
    )
    assert "not all sat at the same ones" in answer.advice


def test_long_lists_are_counted() -> None:
    names = [f"agent{i}" for i in range(7)]
    answer = answer_for(
        standings(*((name, 5.0, 4.0, 6.0) for name in names)),
        pairwise(*(("agent0", name, 0.1, -1.0, 1.2, 0.9) for name in names[1:])),
    )
    assert plain(answer.sentence).endswith("or three others.")


def test_those_it_never_met_are_named() -> None:
    answer = answer_for(
        standings(("a", 7.6, 7.3, 7.9), ("b", 7.5, 7.2, 7.8), ("c", 2.0, 1.9, 2.1)),
        pairwise(("a", "c", 5.6, 5.5, 5.7, 0.001)),
    )
    assert "than c, the next that it met, on the same cards" in plain(answer.sentence)
    assert plain(answer.advice) == "It never sat at a table with b."


def test_one_set_gives_no_interval() -> None:
    answer = answer_for(
        standings(("a", 7.6, nan, nan), ("b", 7.5, nan, nan)), pairwise(("a", "b", 0.1, nan, nan, nan))
    )
    assert (
        plain(answer.sentence)
        == "On the cards of a single set a scored most: 7.60 points a round, before b with 7.50."
    )
    assert "no interval" in answer.advice


def test_the_difference_that_a_run_finds_is_that_of_the_power_formula() -> None:
    """The t test of 48 differences has power 0.8, worked out from the noncentral t distribution, there."""
    error, sets = 0.2, 48
    half = stats.t.ppf(0.975, sets - 1) * error
    answer = answer_for(
        standings(("a", 7.6, 7.3, 7.9), ("b", 7.5, 7.2, 7.8)),
        pairwise(("a", "b", 0.1, 0.1 - half, 0.1 + half, 0.6)),
    )
    found = float(re.findall(r"about ([\d.]+) points", answer.advice)[0])
    critical = stats.t.ppf(0.975, sets - 1)
    power = stats.nct.sf(critical, sets - 1, found / error) + stats.nct.cdf(
        -critical, sets - 1, found / error
    )
    assert power == pytest.approx(0.8, abs=0.02)


@pytest.mark.parametrize(
    ("decision", "ends", "said"),
    [
        ("superior", (0.3, 0.1, 0.5), "a scores more than b: 0.30 points a round more (0.10 to 0.50)."),
        ("inferior", (-0.3, -0.5, -0.1), "a scores less than b: 0.30 points a round less (0.10 to 0.50)."),
        ("equivalent", (-0.02, -0.08, 0.04), "a and b are less than 0.1 points a round apart"),
        ("undecided", (0.1, -0.2, 0.4), "is not decided: a has 0.10 points a round more (−0.20 to 0.40)."),
    ],
)
def test_a_comparison_is_answered_by_what_was_decided(
    decision: str, ends: tuple[float, float, float], said: str
) -> None:
    columns = (
        "agent",
        "other",
        "sets",
        "decision",
        "difference",
        "low",
        "high",
        "alpha",
        "margin",
        "within_margin",
    )
    row = ("a", "b", 1288, decision, *ends, 0.05, 0.1 if decision == "equivalent" else nan, None)
    frame = pd.DataFrame([row], columns=columns).assign(fixed_sets=pd.array([44], dtype="Int64"))
    answer = verdict(frame.astype({"within_margin": "boolean"}))
    assert said in plain(answer.sentence)
    assert (
        "false in at most 5 % of runs. It took 1,288 sets; a test of a size fixed beforehand takes 44 in"
        in answer.advice
    )
