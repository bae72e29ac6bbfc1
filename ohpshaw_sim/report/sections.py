"""The sections of a chapter, each a small function of its tables.

To add one: write a function that takes a `Chapter` and returns a `Section`, or None where the run has not what it
needs, and put it in SECTIONS. For a table without a picture, `plain` makes the function. A table that no section
knows comes out under "Further tables".
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from ohpshaw_sim.analysis.names import break_name
from ohpshaw_sim.charts import (
    bid_against_tricks,
    convergence,
    hit_rate_by_hand_size,
    points,
    points_by_hand_size,
    win_share,
    zero_bid_hits,
    zero_bid_points,
    zero_bid_share,
)
from ohpshaw_sim.charts.marks import NAME_WIDTH
from ohpshaw_sim.report.chapter import Chapter, Section
from ohpshaw_sim.report.frames import hits_by_bid, points_by_position
from ohpshaw_sim.report.matrix import make_matrix
from ohpshaw_sim.report.pairs import pairs_of
from ohpshaw_sim.report.pictures import Picture

Maker = Callable[[Chapter], Section | None]


def plain(name: str, title: str, note: str) -> Maker:
    """Return the maker of a section that shows one table, where there is one."""

    def make(chapter: Chapter) -> Section | None:
        frame = chapter.frame(name)
        return (
            frame if frame is None else Section(name, title, note, tables=[chapter.table(frame, name, title)])
        )

    return make


def standings(chapter: Chapter) -> Section:
    """Points, wins and bids hit of every entrant."""
    frame, looks = chapter.tables["standings"], chapter.looks
    lines = sum(1 + 0.6 * break_name(agent, NAME_WIDTH).count("\n") for agent in chapter.agents())
    height = 0.7 + 0.42 * lines
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
        tables=[chapter.table(frame, "standings", "Standings, best first")],
    )


def pairwise(chapter: Chapter) -> Section | None:
    """Every entrant against every other, on the same cards."""
    frame = chapter.frame("pairwise")
    if frame is None:
        return None
    tests = int(frame["comparisons"].iloc[0])
    corrected = f", after correction for {tests} comparisons (Holm)" if tests > 1 else ""
    return Section(
        "pairwise",
        "One against another",
        "Points per round and seat: the row's entrant less the column's, over the sets in which both sat, on the same "
        f"cards. Shaded: the run tells the two apart (p < 0.05{corrected}). In small type the plain 95 % interval.",
        matrix=make_matrix(chapter.agents(), pairs_of(frame), chapter.key("matrix")),
        folded=[chapter.table(frame.drop(columns="comparisons"), "pairwise", "Pairs")],
    )


def by_hand_size(chapter: Chapter) -> Section:
    """Points and bids hit by hand size."""
    frame, looks = chapter.best("by_hand_size"), chapter.looks
    return Section(
        "by-hand-size",
        "By hand size",
        chapter.about_lines(),
        names=chapter.drawn(),
        pictures=[
            chapter.picture(
                partial(points_by_hand_size.draw, frame, looks=looks), "size-points", "points by hand size"
            ),
            chapter.picture(
                partial(hit_rate_by_hand_size.draw, frame, looks=looks), "size-hits", "bids hit by hand size"
            ),
        ],
        folded=[chapter.table(chapter.tables["by_hand_size"], "by-hand-size", "By hand size")],
    )


def by_position(chapter: Chapter) -> Section:
    """Points by bidding position, one column per position."""
    frame = chapter.tables["by_position"]
    shown = points_by_position(frame, chapter.agents(), chapter.players)
    return Section(
        "by-position",
        "By position",
        "Points per round by place in the bidding: eldest hand bids and leads first, the dealer last. Every seat comes "
        "into every position equally often.",
        tables=[chapter.table(shown, "position", "Points per round by position")],
        folded=[chapter.table(frame, "by-position", "All figures by position")],
    )


def bids(chapter: Chapter) -> Section:
    """What was bid, and what was taken."""
    frame = chapter.tables["bids"]
    largest = int(max(frame["bid"].max(), frame["tricks"].max()))

    def panel(index: int, agent: str) -> Picture:
        rows = frame[frame["agent"] == agent]
        draw = partial(bid_against_tricks.draw, rows, largest=largest)
        return chapter.panel(draw, f"bids-{index}", "tricks taken by bid", agent, 2.82)

    return Section(
        "bids",
        "Bids",
        f"Across: the bid. Up: the tricks that followed, each column shaded by how often, where the bid was made in "
        f"{bid_against_tricks.FEWEST} rounds or more. Framed: bids hit. Bars: how often the bid was made.",
        panels=[panel(index, agent) for index, agent in enumerate(chapter.agents())],
        folded=[chapter.table(hits_by_bid(frame, chapter.agents()), "bids", "By bid")],
    )


def zero_bids(chapter: Chapter) -> Section:
    """Zero bids: how often, how often hit, and what they earn."""
    frame, looks = chapter.best("zero_bids"), chapter.looks
    return Section(
        "zero-bids",
        "Zero bids",
        chapter.about_lines(),
        names=chapter.drawn(),
        pictures=[
            chapter.picture(
                partial(zero_bid_share.draw, frame, looks=looks), "zero-share", "share of zero bids"
            ),
            chapter.picture(
                partial(zero_bid_hits.draw, frame, looks=looks), "zero-hits", "zero bids that were hit"
            ),
        ],
        panels_note="Points per round where zero was bid (filled) and in the same entrant's other rounds (open):",
        panels=[
            chapter.panel(
                partial(zero_bid_points.draw, frame[frame["agent"] == agent]),
                f"zero-{index}",
                "points of zero bids and other bids",
                agent,
                1.9,
            )
            for index, agent in enumerate(chapter.drawn())
        ],
        caution=zero_bid_points.CAPTION,
        folded=[chapter.table(chapter.tables["zero_bids"], "zero-bids", "Zero bids by hand size")],
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


SECTIONS: Final[tuple[Maker, ...]] = (
    plain(
        "comparison",
        "Comparison",
        "Two agents in turn in the same seats, on the same cards, against the same field.",
    ),
    plain("faults", "Faults", "What went wrong with agents, by kind."),
    standings,
    plain("matches", "Matches", "By match instead of by round: wins, places and points, per seat held."),
    pairwise,
    plain(
        "cycles",
        "Cycles",
        "Entrants each of which beats the next, and the last the first: no order tells this.",
    ),
    plain("ratings", "Ratings", "Strength on one scale, fitted to the places in matches."),
    by_hand_size,
    by_position,
    bids,
    zero_bids,
    settling,
    plain(
        "efficiency",
        "Efficiency",
        "What rotation, pairing and correction for luck were worth, beside independent rounds.",
    ),
)
KNOWN: Final = (
    "comparison", "faults", "standings", "matches", "pairwise", "cycles", "ratings", "by_hand_size", "by_position",
    "bids", "zero_bids", "convergence", "efficiency",
)  # fmt: skip
"""Tables that the sections show."""


def sections_of(chapter: Chapter) -> list[Section]:
    """Make all sections of a chapter, tables that none of them knows last."""
    made = [section for make in SECTIONS if (section := make(chapter)) is not None]
    unknown = [name for name in chapter.tables if name not in KNOWN and chapter.frame(name) is not None]
    further = [chapter.table(chapter.tables[name], name, name.replace("_", " ")) for name in unknown]
    return [*made, Section("further", "Further tables", folded=further)] if further else made
