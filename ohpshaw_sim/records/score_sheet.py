"""The score sheet of an evening as it is written, before any rule is asked.

`sheet_csv` and `sheet_json` read it, `sheet_scores` judges and scores it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from ohpshaw_sim.errors import ConflictError, IllegalError, MalformedError
from ohpshaw_sim.records.sheet_cells import Cell, find_player, same_name, tidy
from ohpshaw_sim.rules import PLAYERS

MARKS: Final = ("round", "hand_size", "dealer", "misdeal", "extra", "note")
"""What is written once for a round."""
FIGURES: Final = ("bid", "tricks", "revoke", "points", "total")
"""What is written for each player."""
ALIASES: Final = {
    "cards": "hand_size",
    "hand": "hand_size",
    "tie_break": "extra",
    "notes": "note",
    "bids": "bid",
    "won": "tricks",
    "revokes": "revoke",
    "score": "points",
    "name": "player",
}
"""Other words for the same headings."""
_LONGEST_NAME: Final = 60


@dataclass(frozen=True)
class WrittenRound:
    """A round as it is written: a cell for each of MARKS, and for each of FIGURES one by seat, empty or not."""

    where: str
    marks: dict[str, Cell]
    figures: dict[str, tuple[Cell, ...]]

    def blank(self, *names: str) -> bool:
        """Return whether nobody has anything written under these FIGURES."""
        return all(cell.empty for name in names for cell in self.figures[name])


@dataclass(frozen=True)
class ScoreSheet:
    """A sheet as it is written: players in seating order, rounds in playing order, the rules if it names any."""

    source: str
    players: tuple[str, ...]
    rounds: tuple[WrittenRound, ...]
    rules: str | dict[str, Any] | None = None


def seat_players(found: Sequence[str], seats: Sequence[str] | None) -> tuple[str, ...]:
    """Return players in seating order: as they were found, or as `seats` has the same ones.

    Raises IllegalError for a number of players that makes no game, ConflictError and MalformedError for names.
    """
    seated = tuple(tidy(name) for name in (found if seats is None else seats))
    for seat, name in enumerate(seated):
        if not name or not name.isprintable() or len(name) > _LONGEST_NAME:
            raise MalformedError(f"{Cell(name, '').shown} is no name of a player")
        if same_name(name) in map(same_name, seated[:seat]):
            raise ConflictError(f"{name} is two players; give each a name of their own")
    if len(seated) not in PLAYERS:
        raise IllegalError(
            f"{len(seated)} players make no game; Oh Pshaw is for {PLAYERS[0]} to {PLAYERS[-1]} (B1)"
            + (f"; there are: {', '.join(seated)}" if seated else "")
        )
    for name in found if seats is not None else ():
        if same_name(name) not in map(same_name, seated):
            raise ConflictError(f"the seats given leave out {tidy(name)}, who is in the sheet")
    for name in seated:
        find_player(name, [tidy(one) for one in found], lambda: "the seats given: ")
    return seated
