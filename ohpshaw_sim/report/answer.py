"""The answer in a sentence, for one number of players: who scores most, by how much, or that it is not known.

An entrant scores most only where the run tells it apart from every other that it met, after the correction for the
number of pairs: the best of many looks better than it is.
"""

from math import isnan
from typing import Final, NamedTuple

import pandas as pd
from markupsafe import Markup

from ohpshaw_sim.analysis.statistics import t_quantile
from ohpshaw_sim.report.pairs import Pair, Pairs, pairs_of
from ohpshaw_sim.report.words import decimals_for, listed, named, number, word

POWER: Final = 0.8416
"""The 80 % point of the normal distribution, in standard errors."""
MOST_NAMED: Final = 3


class Answer(NamedTuple):
    """The sentence, and what follows from it."""

    sentence: Markup
    advice: Markup


def answer_for(standings: pd.DataFrame, pairwise: pd.DataFrame) -> Answer:
    """Answer from the rows of `standings` (best first) and `pairwise` of one number of players."""
    best = standings.iloc[0]
    if len(standings) == 1:
        return Answer(
            Markup("{} sat in every seat and made {}.").format(named(best["agent"]), _points(best)),
            Markup("There is nobody to compare it with."),
        )
    if isnan(best["points_per_round_low"]):
        return _one_set(standings)
    pairs = pairs_of(pairwise)
    others = [str(agent) for agent in standings["agent"].iloc[1:]]
    met = [other for other in others if (best["agent"], other) in pairs]
    unclear = [other for other in met if not _beats(pairs, best["agent"], other)]
    strangers = [other for other in others if other not in met]
    found = _unclear(standings, pairs, unclear) if unclear else _clear(standings, pairs, met)
    return Answer(found.sentence, found.advice + _never_met(strangers))


def _beats(pairs: Pairs, agent: str, other: str) -> bool:
    return pairs[agent, other].apart and pairs[agent, other].difference > 0


def _one_set(standings: pd.DataFrame) -> Answer:
    best, second = standings.iloc[0], standings.iloc[1]
    sentence = Markup(
        "On the cards of a single set {} scored most: {} points a round, before {} with {}."
    ).format(
        named(best["agent"]),
        number(best["points_per_round"]),
        named(second["agent"]),
        number(second["points_per_round"]),
    )
    advice = "One set gives no interval, so nothing follows for other cards: play more sets."
    return Answer(sentence, Markup(advice))


def _clear(standings: pd.DataFrame, pairs: Pairs, met: list[str]) -> Answer:
    """The best is told apart from all it met."""
    best = standings.iloc[0]
    sentence = Markup("In this field of {}, {} scores most: {}").format(
        word(len(standings)), named(best["agent"]), _points(best)
    )
    if met:
        sentence += Markup(", {} than {}, the next{}, on the same cards").format(
            _more(pairs[best["agent"], met[0]]),
            named(met[0]),
            "" if met[0] == standings["agent"].iloc[1] else " that it met",
        )
    return Answer(sentence + ".", Markup(""))


def _unclear(standings: pd.DataFrame, pairs: Pairs, unclear: list[str]) -> Answer:
    """Some entrants are not told apart from the best."""
    best = standings.iloc[0]
    told = [
        Markup("{} ({})").format(named(other), _less(pairs[best["agent"], other]))
        for other in unclear[:MOST_NAMED]
    ]
    if len(unclear) > MOST_NAMED:
        told.append(Markup("{} others").format(word(len(unclear) - MOST_NAMED)))
    sentence = Markup(
        "In this field of {}, {} has scored most, {}, but the run does not tell it apart from {}."
    ).format(word(len(standings)), named(best["agent"]), _points(best), listed(told, "or"))
    return Answer(sentence, _what_would_tell(pairs[best["agent"], unclear[0]]))


def _what_would_tell(pair: Pair) -> Markup:
    """Say what difference such a run finds, and what it takes to find half of it."""
    if isnan(pair.low):
        return Markup("The best two met in a single set, which gives no interval: play more sets.")
    quantile = t_quantile(pair.sets)
    error = (pair.high - pair.low) / 2 / quantile
    found = number((quantile + POWER) * error, decimals_for(error))
    return Markup(
        "A run of this size finds a true difference of {} points a round between the best two four times in five; to "
        "find half of that takes four times as many sets ({}), on fresh cards and with their number chosen beforehand."
    ).format(found, f"{4 * pair.sets:,}")


def _never_met(strangers: list[str]) -> Markup:
    if not strangers:
        return Markup("")
    shown = [named(other) for other in strangers[:MOST_NAMED]]
    if len(strangers) > MOST_NAMED:
        shown.append(Markup("{} others").format(word(len(strangers) - MOST_NAMED)))
    return Markup(" It never sat at a table with {}.").format(listed(shown, "or"))


def _points(row: "pd.Series[float]") -> Markup:
    value, low, high = (row[f"points_per_round{end}"] for end in ("", "_low", "_high"))
    if isnan(low):
        return Markup("{} points a round").format(number(value))
    digits = decimals_for((high - low) / 2)
    return Markup("{} points a round ({} to {})").format(*(number(x, digits) for x in (value, low, high)))


def _more(pair: Pair) -> Markup:
    digits = decimals_for((pair.high - pair.low) / 2)
    value, low, high = (number(x, digits) for x in (pair.difference, pair.low, pair.high))
    return Markup("{} more ({} to {})").format(value, low, high)


def _less(pair: Pair) -> Markup:
    """Write how much less the second has than the first; where it has more, they met at few tables only."""
    digits = decimals_for((pair.high - pair.low) / 2)
    side, shown = ("less", pair) if pair.difference >= 0 else ("more", pair.turned())
    value, low, high = (number(x, digits) for x in (shown.difference, shown.low, shown.high))
    return Markup("{} {}, {} to {}" if low else "{} {}").format(value, side, low, high)
