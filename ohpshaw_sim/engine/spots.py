"""Which decision is asked for: told to whoever watches, and found again in what was told."""

from typing import Any

from ohpshaw_sim.engine.auction import NAMING
from ohpshaw_sim.engine.batched import note
from ohpshaw_sim.interface.view import NAME_TRUMP, PLAY


def note_exactly(noted: Any, table: Any) -> None:
    """Write down which decision is asked for, so that it is known who did not survive it."""
    noted.asked_exactly = 0
    note(noted, table)
    noted.turn = table.turn
    noted.players = table.players
    noted.plays_made = table.plays_made
    noted.asked_exactly = 1


def noted_spot(noted: Any) -> tuple[int, int, int, int, int] | None:
    """Return the decision that was noted exactly: set, rotation, round, seat and decision; None where none was."""
    return spot_of(noted) if noted.asked_exactly else None


def spot_of(table: Any) -> tuple[int, int, int, int, int]:
    """Return where a table stands, as `Fault.spot` has it."""
    if table.kind == PLAY:
        decision = 1 + int(table.plays_made) // int(table.players)
    else:
        decision = NAMING if table.kind == NAME_TRUMP else 0
    return int(table.set_number), int(table.rotation), int(table.round_number), int(table.turn), decision
