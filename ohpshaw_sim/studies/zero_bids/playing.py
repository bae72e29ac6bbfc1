"""Playing a study with several threads, and keeping what each cell came to, so that nothing is played twice."""

import hashlib
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any, Final

import pandas as pd

from ohpshaw_sim.studies.telling import Step, Told
from ohpshaw_sim.studies.zero_bids.frames import frame_of
from ohpshaw_sim.studies.zero_bids.request import Request
from ohpshaw_sim.studies.zero_bids.sampling import Cell, Piece, cells_of, pieces_of, play_piece
from ohpshaw_sim.tournament.manifest import source_digest, source_hashes, versions
from ohpshaw_sim.tournament.parts import write_atomically

SCHEMA: Final = 1
"""Version of what is kept; another one is played again."""
_MILLION: Final = 1_000_000
_UNIT: Final = "million cards"


def play(request: Request, kept: Path, told: Told) -> pd.DataFrame:
    """Play what is asked for and return the situations of all cells, as `frames.frame_of` has them.

    Cells that the folder `kept` holds are read, the others are written there as soon as each is finished. Raises
    AgentFaultError or AgentError as `play_piece` does, OSError where it cannot write.
    """
    cells = cells_of(request)
    files = {cell: kept / f"{_name_of(cell, request)}.parquet" for cell in cells}
    kept.mkdir(parents=True, exist_ok=True)
    for cell, rows in _played([cell for cell in cells if not files[cell].exists()], request, told):
        write_atomically(files[cell], rows.to_parquet)
    return pd.concat([pd.read_parquet(files[cell]) for cell in cells], ignore_index=True)


def _played(cells: list[Cell], request: Request, told: Told) -> Iterator[tuple[Cell, pd.DataFrame]]:
    """Play cells, piece by piece; yield each when its last piece is played."""
    pieces = [piece for cell in cells for piece in pieces_of(cell, request)]
    waiting = {cell: [piece for piece in pieces if piece.cell is cell] for cell in cells}
    made: dict[Piece, Any] = {}
    done, work = 0, sum(piece.cards for piece in pieces)
    with ThreadPoolExecutor(request.jobs) as pool:
        futures = {pool.submit(play_piece, request.seed, piece): piece for piece in pieces}
        try:
            for future in as_completed(futures):
                piece = futures[future]
                cell = piece.cell
                made[piece] = frame_of(cell, future.result(), piece.first)
                done += piece.cards
                told(Step(f"{cell.agent}, {cell.players} players", done // _MILLION, work // _MILLION, _UNIT))
                if all(one in made for one in waiting[cell]):
                    yield cell, pd.concat([made.pop(one) for one in waiting[cell]], ignore_index=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _name_of(cell: Cell, request: Request) -> str:
    """Return what names the file of a cell: everything that its rows depend on."""
    asked = {
        "schema": SCHEMA,
        "version": [versions().get("ohpshaw-sim"), source_digest()],
        "lineup": [entrant.name for entrant in cell.game.lineup],
        "sources": source_hashes([entrant.name for entrant in cell.game.lineup]),
        "rules": request.rules.model_dump(mode="json"),
        **{name: getattr(request, name) for name in ("seed", "deals", "situations", "redeals")},
        "number": cell.number,
    }
    digest = hashlib.blake2b(json.dumps(asked, sort_keys=True).encode(), digest_size=8).hexdigest()
    return f"{cell.players}-players-{cell.hand_size}-cards-{digest}"
