"""Sections that say who is better: standings, ratings, one against another, and how the estimates settled."""

from functools import partial
from typing import Final

import pandas as pd

from ohpshaw_sim.analysis.names import break_name
from ohpshaw_sim.charts import comparison_looks, convergence, points, ratings, win_share
from ohpshaw_sim.charts.marks import NAME_WIDTH
from ohpshaw_sim.report.chapter import Chapter, Section
from ohpshaw_sim.report.matrix import make_matrix
from ohpshaw_sim.report.pairs import pairs_of

MOST_IN_MATRIX: Final = 20
"""A matrix of more entrants would be too wide to read."""


def standings(chapter: Chapter) -> Section:
    """Points, wins and bids hit of every entrant."""
    frame, looks = chapter.tables["standings"], chapter.looks
    height = _height(chapter.agents())
    estimates = ("agent", "points", "win_share", "hit_rate")
    first = [name for begin in estimates for name in frame.columns if name.startswith(begin)]
    return Section(
        "standings",
        "Standings",
        "Points per round and seat, over all hand sizes. The fair share of wins is one in the number of players.",
        pictures=[
            chapter.picture(partial(points.draw, frame, looks=looks), "points", "points per round", height),
            chapter.picture(
                partial(win_share.draw, frame, looks=looks), "wins", "share of matches won", height
            ),
        ],
        tables=[
            chapter.table(frame[[*first, *frame.columns.drop(first)]], "standings", "Standings, best first")
        ],
    )


def rated(chapter: Chapter) -> Section | None:
    """Ratings, where there are any."""
    frame = chapter.frame("ratings")
    known = frame if frame is None else frame[frame["rating"].notna()]
    if frame is None or known is None or known.empty:
        return None
    height = _height(known["agent"].tolist())
    draw = partial(ratings.draw, known, looks=chapter.looks)
    return Section(
        "ratings",
        "Ratings",
        "How often an entrant comes before others in a match, on one scale: of two, the better-rated comes first with "
        "chance 1 / (1 + exp(-difference)). 0 is average in this field.",
        pictures=[chapter.picture(draw, "ratings", "ratings of entrants", height)],
        tables=[chapter.table(frame, "ratings", "Ratings, best first")],
    )


def pairwise(chapter: Chapter) -> Section | None:
    """Every entrant against every other, on the same cards."""
    frame = chapter.frame("pairwise")
    if frame is None:
        return None
    agents, tests = chapter.agents(), int(frame["comparisons"].iloc[0])
    best = f" The best {MOST_IN_MATRIX} of {len(agents)}." if len(agents) > MOST_IN_MATRIX else ""
    corrected = f", after correction for {tests} comparisons (Holm)" if tests > 1 else ""
    return Section(
        "pairwise",
        "One against another",
        "Points per round and seat: the row's entrant less the column's, over the sets in which both sat, on the "
        f"same cards. Shaded: the run tells the two apart (p < 0.05{corrected}). "
        f"In small type the plain 95 % interval.{best}",
        matrix=make_matrix(agents[:MOST_IN_MATRIX], pairs_of(frame), chapter.key("matrix")),
        folded=[chapter.table(frame.drop(columns="comparisons"), "pairwise", "Pairs")],
    )


def settling(chapter: Chapter) -> Section | None:
    """How the estimates settled as sets were added."""
    if chapter.frame("convergence") is None:
        return None
    frame = chapter.best("convergence")
    return Section(
        "convergence",
        "Convergence",
        f"Points per round over the first sets, then over more and more of them. {chapter.about_lines()}",
        names=chapter.drawn(),
        pictures=[
            chapter.picture(
                partial(convergence.draw, frame, looks=chapter.looks),
                "convergence",
                "estimates as sets were added",
            )
        ],
        caution=convergence.CAPTION,
        folded=[
            chapter.table(chapter.tables["convergence"], "convergence", "Estimates after ever more sets")
        ],
    )


def compared(chapter: Chapter) -> Section | None:
    """What a comparison decided, and how its interval closed in."""
    frame, looks = chapter.frame("comparison"), chapter.frame("comparison_looks")
    if frame is None:
        return None
    margin = None if pd.isna(frame["margin"].iloc[0]) else float(frame["margin"].iloc[0])
    pictures = []
    if looks is not None:
        draw = partial(comparison_looks.draw, looks, margin=margin)
        pictures.append(chapter.picture(draw, "looks", "difference of the two agents as sets were added"))
    return Section(
        "comparison",
        "Comparison",
        "Two agents in turn in the same seats, on the same cards, against the same field. The run stops where the wide "
        "band leaves 0, or lies within the margin. The plain interval would have been wrong to stop by.",
        pictures=pictures,
        tables=[chapter.table(frame, "comparison", "What was decided")],
    )


def _height(agents: list[str]) -> float:
    """Return the height in inches of a chart with one row per entrant."""
    return 0.7 + 0.42 * sum(1 + 0.6 * break_name(agent, NAME_WIDTH).count("\n") for agent in agents)
