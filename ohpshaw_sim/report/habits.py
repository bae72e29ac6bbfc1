"""Sections that say how entrants play: by hand size, by position, what they bid and what became of it."""

from functools import partial
from typing import Final

from ohpshaw_sim.charts import (
    bid_against_tricks,
    hit_rate_by_hand_size,
    points_by_hand_size,
    zero_bid_hits,
    zero_bid_points,
    zero_bid_share,
)
from ohpshaw_sim.report.chapter import Chapter, Section
from ohpshaw_sim.report.frames import hits_by_bid, points_by_position
from ohpshaw_sim.report.pictures import Picture

MOST_PANELS: Final = 24
"""Small pictures of more entrants would make the page too heavy."""


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
        f"{bid_against_tricks.FEWEST} rounds or more. Framed: bids hit. Bars: how often the bid was made."
        + (f" The best {MOST_PANELS} entrants." if len(chapter.agents()) > MOST_PANELS else ""),
        panels=[panel(index, agent) for index, agent in enumerate(chapter.agents()[:MOST_PANELS])],
        folded=[
            chapter.table(hits_by_bid(frame, chapter.agents()), "bids", "By bid: what happened, no intervals")
        ],
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
