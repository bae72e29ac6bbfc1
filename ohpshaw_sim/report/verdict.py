"""The answer of a comparison in a sentence: whether one agent is better than another in a field, and by how much."""

from typing import Any

import pandas as pd
from markupsafe import Markup

from ohpshaw_sim.report.answer import Answer
from ohpshaw_sim.report.words import decimals_for, named, number

_SENTENCES = {
    "superior": "In this field {one} scores more than {other}: {difference} points a round more ({low} to {high}).",
    "inferior": "In this field {one} scores less than {other}: {difference} points a round less ({low} to {high}).",
    "equivalent": "In this field {one} and {other} are less than {margin} points a round apart: {one} has {difference} "
    "more ({low} to {high}).",
    "undecided": "Which of {one} and {other} scores more in this field is not decided: {one} has {difference} points a "
    "round more ({low} to {high}).",
}


def verdict(frame: pd.DataFrame) -> Answer:
    """Answer from the one row of the table `comparison`."""
    row: dict[str, Any] = {str(name): value for name, value in frame.iloc[0].items()}
    ends = row["difference"], row["low"], row["high"]
    if row["decision"] == "inferior":
        ends = -row["difference"], -row["high"], -row["low"]
    digits = decimals_for((row["high"] - row["low"]) / 2)
    shown = dict(zip(("difference", "low", "high"), (number(value, digits) for value in ends), strict=True))
    margin = "" if pd.isna(row["margin"]) else f"{row['margin']:g}"
    sentence = Markup(_SENTENCES[str(row["decision"])]).format(
        one=named(row["agent"]), other=named(row["other"]), margin=margin, **shown
    )
    return Answer(sentence, _beside(row, margin))


def _beside(row: dict[str, Any], margin: str) -> Markup:
    """Say how sure that is, and what it took."""
    told = [
        Markup(
            "The interval holds however often it was looked at; decisions are false in at most {:g} % of runs."
        ).format(100 * row["alpha"])
    ]
    if (
        row["decision"] in ("superior", "inferior")
        and not pd.isna(row["within_margin"])
        and row["within_margin"]
    ):
        told.append(Markup("The two are less than {} points a round apart all the same.").format(margin))
    took = Markup("It took {:,} sets").format(row["sets"])
    if not pd.isna(row["fixed_sets"]):
        took += Markup("; a test of a size fixed beforehand takes {:,} in four of five runs").format(
            int(row["fixed_sets"])
        )
    return Markup(" ").join([*told, took + "."])
