"""A run folder read back: its manifest, its line-ups and everything its parts add up to."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import pandas as pd
from pydantic import ValidationError

from ohpshaw_sim.analysis.parts import add_up
from ohpshaw_sim.errors import ConflictError, MalformedError, OhPshawError
from ohpshaw_sim.rules import Rules

READABLE: Final = (1, 2, 3)
"""Schemas of run folders: in those of 1 every rule that is not told is the base game's; before 3 the series of blocks
was not kept apart from the sums."""


@dataclass(frozen=True)
class Lineup:
    """Who sits where: the entrant (index) at each place of a table, and the hand sizes of its matches."""

    players: int
    lineup: int
    entrants: tuple[int, ...]
    schedule: tuple[int, ...]

    def seats(self, entrant: int) -> int:
        """Return how many places an entrant holds."""
        return self.entrants.count(entrant)


@dataclass(frozen=True, eq=False)
class Run:
    """What a run has played so far, added up over its blocks. Frames hold int64 sums; n is a number of sets.

    `totals`     by players, lineup, entrant: n and the moments of `engine.tally_schema`
    `hand_size`  the same, by hand size too
    `position`   the same, by bidding position too (0 = eldest hand)
    `pairs`      by players, lineup, entrant < other: n, and sum and square sum over sets of the difference
                 points of entrant * seats of other - points of other * seats of entrant
    `counts`     by players, entrant, hand_size, position, bid, tricks: n, here a number of seat-rounds
    `matches`    by players, lineup, entrant, slice (a group of independent sets): n and MATCH_SUMS
    `choices`    by players, lineup, slice, left (mask of places not placed yet): how often, in 420ths of a match, each
                 place came next. Empty, as `matches` is, in a run of schema 1 or 2
    """

    folder: Path
    manifest: dict[str, Any]
    entrants: tuple[str, ...]
    lineups: tuple[Lineup, ...]
    totals: pd.DataFrame
    hand_size: pd.DataFrame
    position: pd.DataFrame
    pairs: pd.DataFrame
    counts: pd.DataFrame
    matches: pd.DataFrame
    choices: pd.DataFrame

    @property
    def rules(self) -> Rules:
        """The rules that were played. Raises MalformedError when the manifest holds none that can be read."""
        try:
            return Rules(**self.manifest.get("rules", {}))
        except (TypeError, ValidationError, OhPshawError) as error:
            raise MalformedError(f"the manifest of {self.folder} holds no rules: {error}") from None

    def lineup(self, players: int, number: int) -> Lineup:
        """Return a line-up by its number. Raises MalformedError when the manifest has none of it."""
        try:
            return self._numbered[players, number]
        except KeyError:
            raise MalformedError(
                f"the manifest of {self.folder} has no line-up {number} for {players} players"
            ) from None

    @cached_property
    def _numbered(self) -> dict[tuple[int, int], Lineup]:
        return {(lineup.players, lineup.lineup): lineup for lineup in self.lineups}

    def schedule(self, players: int) -> tuple[int, ...]:
        """Return the hand sizes of this run's matches at a number of players.

        Raises MalformedError when its line-ups disagree, or none has so many players.
        """
        schedules = {lineup.schedule for lineup in self.lineups if lineup.players == players}
        if len(schedules) != 1:
            raise MalformedError(
                f"{self.folder} has {len(schedules)} schedules for {players} players, not one"
            )
        return schedules.pop()


def load_run(folder: Path | str) -> Run:
    """Read a run folder, finished or not; memory does not grow with the length of the run.

    Raises MalformedError when the manifest is missing or unreadable, or parts are missing or torn;
    ConflictError when another version's schema wrote it or parts overlap.
    """
    folder = Path(folder)
    manifest = _read_manifest(folder)
    try:
        entrants = tuple(str(name) for name in manifest["entrants"])
        lineups = tuple(
            Lineup(row["players"], row["lineup"], tuple(row["entrants"]), tuple(row["schedule"]))
            for row in manifest["lineups"]
        )
    except (KeyError, TypeError) as error:
        raise MalformedError(
            f"the manifest of {folder} does not list its entrants and lineups: {error}"
        ) from error
    sums = add_up(folder)
    strangers = sorted(set(sums["total"]["entrant"]) - set(range(len(entrants))))
    if strangers:
        raise MalformedError(
            f"the parts of {folder} speak of entrant {strangers[0]}, unknown to its manifest"
        )
    return Run(
        folder,
        manifest,
        entrants,
        lineups,
        totals=sums["total"],
        hand_size=sums["hand_size"],
        position=sums["position"],
        pairs=sums["pair"],
        counts=sums["count"],
        matches=sums["match"],
        choices=sums["choice"],
    )


def _read_manifest(folder: Path) -> dict[str, Any]:
    path = folder / "manifest.json"
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise MalformedError(f"{folder} is no run folder: it has no readable manifest.json") from error
    except ValueError as error:
        raise MalformedError(f"{path} is not readable as JSON: {error}") from error
    if not isinstance(manifest, dict) or "schema" not in manifest:
        raise MalformedError(f"{path} names no schema: it is no manifest of a run")
    if manifest["schema"] not in READABLE:
        raise ConflictError(
            f"{folder} was written with schema {manifest['schema']}; this version reads {READABLE[-1]} and older"
        )
    return manifest
