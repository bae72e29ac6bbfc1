"""The manifest of a run folder: what was asked for, and on what it was played."""

import hashlib
import importlib
import os
import platform
import re
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from ohpshaw_sim.interface.discovery import BUILTIN_PACKAGE
from ohpshaw_sim.tournament.schedule import Plan
from ohpshaw_sim.tournament.spec import SCHEMA, Spec

_FILE: Final = re.compile(r"[^+]*?\.py(?=[:+]|$)")
_ROOT: Final = Path(__file__).resolve().parents[1]
_PACKAGES: Final = ("ohpshaw-sim", "numpy", "numba", "llvmlite", "pandas", "pyarrow", "scipy")


def make_manifest(
    spec: Spec,
    plan: Plan,
    entrants: Sequence[str],
    *,
    save_rounds: bool,
    command: str,
    records: str | None = None,
    shard: str | None = None,
    seconds: float | None = None,
    limits: Mapping[str, Any] | None = None,
    rule: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the manifest of a run that begins, as JSON values. `entrants` are their distinct names.

    `seconds` is the time that was asked for, None where a number of sets was; `limits` are those of agents, by the
    names of `Options`. `rule` is what a comparison decides by.
    """
    return {
        "schema": SCHEMA,
        "spec": spec.model_dump(mode="json"),
        "rules": spec.rules_in_force().model_dump(mode="json"),
        "seed": spec.seed,
        "plan_hash": spec.plan_hash(),
        "block_sets": spec.block_sets,
        "sets": spec.sets,
        "seconds": seconds,
        "save_rounds": save_rounds,
        "records": records,
        "comparison": None if rule is None else dict(rule),
        "shard": shard,
        "deals": spec.deals_digest,
        "on_fault": spec.on_fault,
        **(limits or {}),
        "entrants": list(entrants),
        "lineups": [
            {
                "players": lineup.players,
                "lineup": lineup.number,
                "entrants": list(lineup.entrants),
                "arm": lineup.arm,
                "schedule": list(spec.schedule(lineup.players)),
            }
            for lineup in plan.lineups
        ],
        "sources": source_hashes(spec.agents),
        "versions": versions(),
        "git_commit": git_commit(),
        "machine": machine(),
        "command": command,
    }


def source_hashes(agents: Sequence[str]) -> dict[str, str]:
    """Return a digest of each agent file named by path: an edited agent must not go on with an old run."""
    return {
        name: hashlib.blake2b(Path(name).read_bytes(), digest_size=8).hexdigest()
        for name in source_files(agents)
    }


def source_files(agents: Sequence[str]) -> list[str]:
    """Return the names of the agent files that are there, each once, as the agents' names give them."""
    names = [name for agent in agents for name in (agent.partition(":")[0], *_FILE.findall(agent))]
    return [name for name in dict.fromkeys(names) if name.endswith(".py") and Path(name).is_file()]


def versions() -> dict[str, str]:
    """Return the versions of Python, this package and what it computes with."""
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:  # run from a source tree that is not installed
            continue
    return found


@cache
def source_digest() -> str:
    """Return a digest of this package's own sources and those of its agents: two trees may have one version."""
    digest = hashlib.blake2b(digest_size=8)
    for package in (_ROOT, Path(importlib.import_module(BUILTIN_PACKAGE).__path__[0])):
        for path in sorted(package.rglob("*.py")):
            digest.update(path.relative_to(package).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def machine() -> dict[str, Any]:
    """Return what kind of machine this is; nothing that names it."""
    return {"system": platform.system(), "architecture": platform.machine(), "processors": os.cpu_count()}


def git_commit() -> str | None:
    """Return the commit of the source tree this runs from (`-dirty` when edited); None outside of one."""
    root = _ROOT.parent
    if not (root / ".git").exists():
        return None
    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return found.stdout.strip() or None
