"""Round records of a run: how they are written, and the files that they stand in.

    records/records-AAAAAAAA-BBBBBBBB.jsonl     rounds of blocks A to B - 1, one record a line, in playing order

A file is written whole or not at all, and before its part: blocks whose part is there have their records there.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from ohpshaw_sim.cards import NO_CARD, WIZARD, rank_of
from ohpshaw_sim.engine.fault import Fault
from ohpshaw_sim.records.writing import record_line, record_of
from ohpshaw_sim.rule_text import rules_text
from ohpshaw_sim.tournament.parts import TEMPORARY, Part, file_name, write_atomically
from ohpshaw_sim.tournament.schedule import LineUp
from ohpshaw_sim.tournament.spec import Spec

RECORDS: Final = "records"
"""The folder of the records in a run folder, and how their files' names begin."""
_NAME: Final = re.compile(rf"{RECORDS}-(\d{{8,}})-(\d{{8,}})\.jsonl")


def record_lines(
    spec: Spec, lineup: LineUp, names: Sequence[str], kept: Any, faults: Iterable[Fault] = ()
) -> Iterator[str]:
    """Yield the records of rounds that a line-up has played, without line ends; `kept` are KEPT records.

    `names` are the entrants' distinct names, by their numbers; `faults` are told of in the rounds they belong to.
    """
    forfeits = _forfeits(faults)
    rules, players = rules_text(spec.rules_in_force()), lineup.players
    at_table = [names[entrant] for entrant in lineup.entrants]
    columns = kept.dtype.names
    for row in kept.tolist():
        one = dict(zip(columns, row, strict=True))
        turn_up = one["turn_up"]
        stated = turn_up == NO_CARD or rank_of(turn_up) == WIZARD
        yield record_line(
            record_of(
                rules,
                players,
                one["dealer"],
                one["hand_size"],
                hands=one["hands"][:players],
                turn_up=turn_up,
                trump=one["trump"] if stated else None,
                bids=one["bids"][:players],
                plays=one["plays"][: players * one["hand_size"]],
                names=[at_table[place] for place in one["places"][:players]],
                round=one["round_number"] + 1,
                seed=spec.seed if spec.deals is None else None,
                set=one["set_number"],
                rotation=one["rotation"],
                lineup=lineup.number,
                tricks=one["tricks"][:players],
                scores=one["points"][:players],
                forfeits=forfeits.get((one["set_number"], one["rotation"], one["round_number"])),
            )
        )


def _forfeits(faults: Iterable[Fault]) -> dict[tuple[int, int, int], list[dict[str, Any]]]:
    """Return what records say of faults, by set, rotation and round."""
    found: dict[tuple[int, int, int], list[dict[str, Any]]] = {}
    for fault in faults:
        told = {"seat": fault.seat, "kind": fault.kind, "decision": fault.decision, "reason": fault.sentence}
        found.setdefault(fault.round_spot, []).append(told)
    return found


def write_records(folder: Path, first: int, end: int, lines: bytes) -> None:
    """Write the records of blocks `first` to `end - 1`, no file where no round was kept. Raises FolderError."""
    if lines:
        folder.mkdir(exist_ok=True)
        path = folder / file_name(RECORDS, first, end, "jsonl")
        write_atomically(path, lambda temporary: _write(temporary, lines))


def sweep_records(folder: Path, parts: Collection[Part]) -> None:
    """Delete temporary files, records whose part is not there, and the folder if it is then empty."""
    if not folder.is_dir():
        return
    used = {(part.first, part.end) for part in parts}
    for path in list(folder.iterdir()):
        match = _NAME.fullmatch(path.name)
        if path.name.startswith(TEMPORARY) or (match and (int(match[1]), int(match[2])) not in used):
            path.unlink(missing_ok=True)
    if not any(folder.iterdir()):
        folder.rmdir()


def _write(path: Path, lines: bytes) -> None:
    path.write_bytes(lines)
