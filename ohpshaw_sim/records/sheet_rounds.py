"""One round of a score sheet, judged by the rules: what is dealt, bid and won, each refusal saying where."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from ohpshaw_sim.engine.round_scores import round_scores
from ohpshaw_sim.errors import ConflictError, IllegalError, MalformedError
from ohpshaw_sim.kernels.bidding import announcement
from ohpshaw_sim.records.auction import bids_open
from ohpshaw_sim.records.score_sheet import WrittenRound
from ohpshaw_sim.records.sheet_cells import CAUGHT_LATER, Cell, read_number, read_revoke
from ohpshaw_sim.rules import Rules

SCORED: Final = "scored"
MISDEAL: Final = "misdeal"
UNDER_WAY: Final = "under way"
ANNOUNCED: Final = ("under", "even", "over")
"""What is announced, by what the kernel says plus one (B9)."""

State = Literal["scored", "misdeal", "under way"]


@dataclass(frozen=True)
class SheetRound:
    """A round of a sheet as the rules see it; what stands for each player is by seat.

    number        1, 2, ... over all rounds that are scored; a misdealt round has that of the round dealt again
    extra         a tie-break round, whose points are kept apart (B15)
    state         `scored`; `misdeal`: no score, the same dealer deals again (B7); `under way`: counts for nothing (B16)
    announcement  `over`, `under` or `even`; None before the last bid (B9)
    totals        running totals after the round, those of tie-break rounds left out (B14)
    """

    number: int
    extra: bool
    state: State
    hand_size: int | None
    dealer: int | None
    bids: tuple[int | None, ...]
    announcement: str | None
    tricks: tuple[int, ...] | None
    revokes: tuple[str | None, ...]
    points: tuple[int, ...] | None
    totals: tuple[int, ...]
    note: str


@dataclass(frozen=True)
class Table:
    """Who plays by which rules, with the largest hand that can be dealt to them."""

    players: tuple[str, ...]
    rules: Rules
    largest: int


def judge_hand_size(cell: Cell, table: Table) -> int:
    """Return the hand size in a cell. Raises IllegalError when the pack cannot serve it (B4)."""
    size = read_number(cell, "the hand size")
    if not 1 <= size <= table.largest:
        raise IllegalError(
            f"{cell.where}: hand size {size} cannot be dealt; the {table.rules.pack_name} pack serves 1 to "
            f"{table.largest} cards to {len(table.players)} players (B4)"
        )
    return size


def judge_bids(written: WrittenRound, table: Table, hand_size: int, dealer: int) -> tuple[int, ...]:
    """Return the bids, all of them. Raises an error for one that is missing, out of range or hooked (B8, V1)."""
    for seat, cell in enumerate(written.figures["bid"]):
        if cell.empty:
            raise MalformedError(f"{cell.where}: the bid of {table.players[seat]} is missing")
    bids = tuple(_bid(cell, hand_size) for cell in written.figures["bid"])
    others = sum(bids) - bids[dealer]
    if not bids_open(table.rules, hand_size, others, dealer=True) >> bids[dealer] & 1:
        raise IllegalError(
            f"{written.figures['bid'][dealer].where}: {table.players[dealer]} deals and may not bid {bids[dealer]}, "
            f"which brings the bids' total to {hand_size}, the number of tricks (V1)"
        )
    return bids


def bids_so_far(written: WrittenRound, table: Table, hand_size: int, dealer: int) -> tuple[int | None, ...]:
    """Return the bids of a round under way, None for those still to come. Raises an error as `judge_bids` does."""
    cells = written.figures["bid"]
    if not any(cell.empty for cell in cells):
        return judge_bids(written, table, hand_size, dealer)
    return tuple(None if cell.empty else _bid(cell, hand_size) for cell in cells)


def _bid(cell: Cell, hand_size: int) -> int:
    bid = read_number(cell, "the bid")
    if not 0 <= bid <= hand_size:
        raise IllegalError(
            f"{cell.where}: a bid of {bid} in a round of {_cards(hand_size)}; bid 0 to {hand_size} (B8)"
        )
    return bid


def judge_tricks(written: WrittenRound, table: Table, hand_size: int) -> tuple[int, ...]:
    """Return the tricks, all of them. Raises an error for one missing or out of range, or if they do not add up."""
    cells = written.figures["tricks"]
    tricks = []
    for seat, cell in enumerate(cells):
        if cell.empty:
            raise MalformedError(
                f"{cell.where}: the tricks of {table.players[seat]} are missing; "
                "only the last round may be unfinished, with nobody's tricks (B16)"
            )
        won = read_number(cell, "the tricks")
        if not 0 <= won <= hand_size:
            raise IllegalError(f"{cell.where}: {won} tricks in a round of {_cards(hand_size)}")
        tricks.append(won)
    if sum(tricks) != hand_size:
        raise IllegalError(
            f"{_together(written.where, cells)}: the tricks add up to {sum(tricks)} in a round of {_cards(hand_size)}"
        )
    return tuple(tricks)


def _together(where: str, cells: Sequence[Cell]) -> str:
    """Return where several cells of a round are: the columns they have, or their key in JSON."""
    places = list(dict.fromkeys(cell.where.rpartition(", ")[2].partition(" of ")[0] for cell in cells))
    if len(places) == 1:
        return f"{where}, {places[0]}"
    return f"{where}, columns {', '.join(place.removeprefix('column ') for place in places)}"


def _cards(number: int) -> str:
    return f"{number} card" + ("s" if number != 1 else "")


def announced(bids: Sequence[int | None], hand_size: int) -> str | None:
    """Return what is announced after the last bid, None before it (B9)."""
    made = [bid for bid in bids if bid is not None]
    return ANNOUNCED[announcement(sum(made), hand_size) + 1] if len(made) == len(bids) else None


def judge_revokes(written: WrittenRound) -> tuple[str | None, ...]:
    """Return the revokes (B12). Raises MalformedError."""
    return tuple(read_revoke(cell) for cell in written.figures["revoke"])


def points_of(
    written: WrittenRound,
    table: Table,
    hand_size: int,
    bids: Sequence[int],
    tricks: Sequence[int],
) -> tuple[int, ...]:
    """Return the points of a round. Raises ConflictError where the sheet has others."""
    revoked = [seat for seat, revoke in enumerate(judge_revokes(written)) if revoke == CAUGHT_LATER]
    points = tuple(round_scores(table.rules, hand_size, bids, tricks, revoked))
    check_written(written.figures["points"], points, table, "the points")
    return points


def check_written(cells: Sequence[Cell], right: Sequence[int], table: Table, what: str) -> None:
    """Raise ConflictError where a cell with something written has another number than `right` has for its seat."""
    for player, cell, value in zip(table.players, cells, right, strict=True):
        if not cell.empty and read_number(cell, what) != value:
            raise ConflictError(
                f"{cell.where}: {what} of {player} are {value} by the rules, not {cell.text}"
                if what == "the points"
                else f"{cell.where}: {what} of {player} is {value} by the rules, not {cell.text}"
            )
