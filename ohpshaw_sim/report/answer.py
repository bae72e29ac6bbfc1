"""The answer in a sentence, for one number of players: who scores most, by how much, or that it is not known.

An entrant scores most only where the run tells it apart from every other that it met, after the correction for the
number of pairs: the best of many looks better than it is.
"""

from collections.abc import Sequence
from math import isnan
from typing import Any, Final, NamedTuple

import pandas as pd
from markupsafe import Markup

from ohpshaw_sim.analysis.statistics import t_quantile
from ohpshaw_sim.report.pairs import Pair, pairs_of
from ohpshaw_sim.report.words import decimals_for, listed, named, number, word

POWER: Final = 0.8416
"""The 80 % point of the normal distribution, in standard errors."""
MOST_NAMED: Final = 3


class Answer(NamedTuple):
    """The sentence, and what is to be known beside it."""

    sentence: Markup
    advice: Markup


class Rivals(NamedTuple):
    """The others, best first: those the leader is told apart from, those it is not, those that beat it where the two
    met, and those it never met. Pairs hold the leader's points less the other's."""

    behind: list[tuple[str, Pair]]
    unclear: list[tuple[str, Pair]]
    ahead: list[tuple[str, Pair]]
    strangers: list[str]


def answer_for(standings: pd.DataFrame, pairwise: pd.DataFrame) -> Answer:
    """Answer from the rows of `standings` (best first) and `pairwise` of one number of players."""
    rows: list[dict[str, Any]] = standings.to_dict("records")  # type: ignore[assignment]  # keys are columns' names
    best = rows[0]
    if len(rows) == 1:
        sentence = Markup("{} sat in every seat and made {}.").format(named(best["agent"]), _points(best))
        return Answer(sentence, Markup("There is nobody to compare it with."))
    if isnan(best["points_per_round_low"]):
        return _one_set(best, rows[1])
    rivals = _rivals(best["agent"], [row["agent"] for row in rows[1:]], pairwise)
    sentence = _unsettled(best, rivals) if rivals.unclear or rivals.ahead else _settled(best, rivals)
    field = Markup("In this field of {}, ").format(word(len(rows)))
    return Answer(field + sentence + ".", Markup(" ").join(_advice(rivals)))


def _rivals(best: str, others: Sequence[str], pairwise: pd.DataFrame) -> Rivals:
    pairs = pairs_of(pairwise)
    found = Rivals([], [], [], [other for other in others if (best, other) not in pairs])
    for other in others:
        pair = pairs.get((best, other))
        if pair is not None:
            group = found.unclear if not pair.apart else found.behind if pair.difference > 0 else found.ahead
            group.append((other, pair))
    return found


def _one_set(best: dict[str, Any], second: dict[str, Any]) -> Answer:
    sentence = Markup(
        "On the cards of a single set {} scored most: {} points a round, before {} with {}."
    ).format(
        named(best["agent"]),
        number(best["points_per_round"]),
        named(second["agent"]),
        number(second["points_per_round"]),
    )
    return Answer(
        sentence, Markup("One set gives no interval, so nothing follows for other cards: play more sets.")
    )


def _settled(best: dict[str, Any], rivals: Rivals) -> Markup:
    """The leader is told apart from all that it met; say how far the next of these is."""
    sentence = Markup("{} scores most: {}").format(named(best["agent"]), _points(best))
    if not rivals.behind:
        return sentence
    other, pair = rivals.behind[0]
    alone = len(rivals.behind) + len(rivals.strangers) == 1
    place = "" if alone else ", the next that it met," if rivals.strangers else ", the next,"
    return sentence + Markup(", {} than {}{} on the same cards").format(
        _ends(pair, "{} more ({} to {})"), named(other), place
    )


def _unsettled(best: dict[str, Any], rivals: Rivals) -> Markup:
    """The leader is not told apart from some others, or some did better at the tables where both sat."""
    sentence = Markup("{} has scored most, {}").format(named(best["agent"]), _points(best))
    if rivals.unclear:
        told = [Markup("{} ({})").format(named(other), _less(pair)) for other, pair in rivals.unclear]
        where = " where they met" if any(pair.difference < 0 for _, pair in rivals.unclear) else ""
        sentence += Markup(", but{} the run does not tell it apart from {}").format(where, _first(told))
    if rivals.ahead:
        told = [
            Markup("{} made {}").format(named(other), _ends(pair.turned(), "{} more ({} to {})"))
            for other, pair in rivals.ahead
        ]
        joined = "; and" if rivals.unclear else ", but"
        sentence += Markup("{} where they met {} on the same cards").format(joined, _first(told, "and"))
    return sentence


def _advice(rivals: Rivals) -> list[Markup]:
    """Say what would tell more, and what the order does not say."""
    advice = []
    if rivals.unclear:
        advice.append(_what_would_tell(*rivals.unclear[0]))
    if any(pair.difference < 0 for _, pair in (*rivals.unclear, *rivals.ahead)):
        advice.append(
            Markup("Points depend on who else sits at the table, and not all sat at the same ones.")
        )
    if rivals.strangers:
        shown = _first([named(other) for other in rivals.strangers])
        advice.append(Markup("It never sat at a table with {}.").format(shown))
    return advice


def _what_would_tell(other: str, pair: Pair) -> Markup:
    """Say what difference such a run finds, and what it takes to find half of it."""
    if isnan(pair.low):
        return Markup("It met {} in a single set, which gives no interval: play more sets.").format(
            named(other)
        )
    quantile = t_quantile(pair.sets)
    error = (pair.high - pair.low) / 2 / quantile
    return Markup(
        "A run of this size finds a true difference of about {} points a round from {} four times in five; to find "
        "half of that takes four times as many sets, on fresh cards and their number chosen beforehand."
    ).format(f"{(quantile + POWER) * error:.2g}", named(other))


def _first(told: list[Markup], last: str = "or") -> Markup:
    """Join the first few, and count the others."""
    more = len(told) - MOST_NAMED
    if more <= 0:
        return listed(told, last)
    return listed([*told[:MOST_NAMED], f"{word(more)} other{'s' if more > 1 else ''}"], last)


def _points(row: dict[str, Any]) -> Markup:
    value, low, high = (row[f"points_per_round{end}"] for end in ("", "_low", "_high"))
    return (
        Markup("{} points a round").format(number(value))
        if isnan(low)
        else Markup("{} points a round ({} to {})").format(*_same_digits(value, low, high))
    )


def _ends(pair: Pair, form: str) -> str:
    return form.format(*_same_digits(pair.difference, pair.low, pair.high))


def _less(pair: Pair) -> str:
    """Write how much less the other has than the leader; where it has more, not all sat at the same tables."""
    side, shown = ("less", pair) if pair.difference >= 0 else ("more", pair.turned())
    if isnan(pair.low):
        return f"{number(shown.difference)} {side}"
    return _ends(shown, "{} " + side + ", {} to {}")


def _same_digits(value: float, low: float, high: float) -> tuple[str, str, str]:
    digits = decimals_for((high - low) / 2)
    return number(value, digits), number(low, digits), number(high, digits)
