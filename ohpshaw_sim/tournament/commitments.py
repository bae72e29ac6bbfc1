"""What a run has begun with and cannot change while it goes on."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ohpshaw_sim.errors import ConflictError
from ohpshaw_sim.tournament.parts import TEMPORARY

COMMITMENTS: Final = {
    "comparison": "rule of decision",
    "deals": "file of deals",
    "on_fault": "choice of --on-fault",
    "plan_hash": "tournament",
    "save_rounds": "choice of --save-rounds",
    "records": "choice of --records",
    "shard": "choice of --shard",
    "sources": "version of an agent's file",
}
"""Entries of a manifest that cannot change while a run goes on, and what to call them."""
_NAMED: Final = ("records", "shard", "on_fault")
"""Those of which the folder's own is named where they differ."""


def check_commitments(path: Path, there: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
    """Raise ConflictError unless the run in a folder, by its manifest, is the one that is asked for."""
    _check_sources(path, there.get("sources", {}), asked["sources"])
    for key, what in COMMITMENTS.items():
        if there.get(key) != asked[key]:
            began = f" (it began with {there.get(key) or 'none'})" if key in _NAMED else ""
            raise ConflictError(
                f"{path} holds a run with another {what}{began}; choose another folder with --out"
            )


def _check_sources(path: Path, there: Mapping[str, str], asked: Mapping[str, str]) -> None:
    """Raise ConflictError, naming it, for an agent's file that is not there any more or was edited."""
    for name, digest in there.items():
        if name not in asked and not Path(name).is_file():
            raise ConflictError(
                f"{path} was played with an agent's file that is not there: {name}, looked for in {Path.cwd()}"
            )
        if name in asked and asked[name] != digest:
            raise ConflictError(
                f"{path} holds a run with another version of an agent's file: {name} was edited since it began; "
                "put it back, or play into another folder"
            )


def is_blank(path: Path) -> bool:
    """Tell whether a folder holds nothing, or what a run leaves that is killed before its manifest is written."""
    found = {file.name for file in path.rglob("*") if not file.name.startswith(TEMPORARY)}
    return found <= {"parts", ".lock"}
