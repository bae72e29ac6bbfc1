"""The sections of a chapter, in their order, each made by a small function of its tables.

To add one: write a function that takes a `Chapter` and returns a `Section`, or None where the run has not what it
needs, and put it in SECTIONS. For a table without a picture, `plain` makes the function. A table that no section
knows comes out under "Further tables".
"""

from collections.abc import Callable
from typing import Final

from ohpshaw_sim.report.chapter import Chapter, Section
from ohpshaw_sim.report.habits import bids, by_hand_size, by_position, zero_bids
from ohpshaw_sim.report.strengths import compared, pairwise, rated, settling, standings

Maker = Callable[[Chapter], Section | None]


def plain(name: str, title: str, note: str) -> Maker:
    """Return the maker of a section that shows one table, where there is one."""

    def make(chapter: Chapter) -> Section | None:
        frame = chapter.frame(name)
        return (
            frame if frame is None else Section(name, title, note, tables=[chapter.table(frame, name, title)])
        )

    return make


SECTIONS: Final[tuple[Maker, ...]] = (
    compared,
    plain(
        "faults",
        "Faults",
        "What went wrong with agents, by kind. A seat whose agent failed scores 0 for that round, which random legal "
        "play finishes.",
    ),
    standings,
    plain("matches", "Matches", "By match instead of by round: wins, places and points, per seat held."),
    pairwise,
    plain(
        "cycles",
        "Cycles",
        "Entrants each of which beats the next, and the last the first: no order tells this.",
    ),
    rated,
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
    "comparison", "comparison_looks", "faults", "standings", "matches", "pairwise", "cycles", "ratings",
    "by_hand_size", "by_position", "bids", "zero_bids", "convergence", "efficiency",
)  # fmt: skip
"""Tables that the sections show."""


def sections_of(chapter: Chapter) -> list[Section]:
    """Make all sections of a chapter, tables that none of them knows last."""
    made = [section for make in SECTIONS if (section := make(chapter)) is not None]
    unknown = [name for name in chapter.tables if name not in KNOWN and chapter.frame(name) is not None]
    further = [chapter.table(chapter.tables[name], name, name.replace("_", " ")) for name in unknown]
    return [*made, Section("further", "Further tables", folded=further)] if further else made
