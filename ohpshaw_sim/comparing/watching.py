"""Who decides a comparison while it is played."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ohpshaw_sim.analysis.comparison import rule_of
from ohpshaw_sim.analysis.decisions import Rule, first_decided, measure_of
from ohpshaw_sim.analysis.sequences import Track
from ohpshaw_sim.tournament.deciding import Differences
from ohpshaw_sim.tournament.spec import Spec
from ohpshaw_sim.tournament.store import read_manifest


class Watch:
    """Looks at a comparison after every block, by its rule: a `Decider` for `play_tournament`."""

    def __init__(self, spec: Spec, rule: Rule) -> None:
        (players,) = spec.players
        measure = measure_of(spec.rules_in_force(), players, spec.schedule(players), exact=rule.exact)
        self._rule = rule
        self.track = Track.empty(measure)

    @property
    def rule(self) -> Mapping[str, Any]:
        """The rule, for the manifest."""
        return self._rule.model_dump(mode="json")

    def take(self, blocks: Differences) -> int | None:
        """Take the next blocks; return after how many blocks of the run it was decided, None if it is not yet."""
        before = len(self.track)
        self.track = self.track.after(*blocks)
        found = first_decided(self.track.since(before), self._rule)
        return None if found is None else before + found + 1

    def tell(self) -> str:
        """Say where the difference stands, with its interval."""
        if not len(self.track):
            return ""
        low, high = self.track.interval(self._rule.alpha)
        return f"difference {self.track.mean():+.3f} ({low:+.3f} to {high:+.3f})"


def watch_of(folder: Path, spec: Spec) -> Watch | None:
    """Return who decides the comparison in a run folder, by the rule it began with; None for a run that is none.

    Raises FolderError when the folder is no run, MalformedError when its rule cannot be read.
    """
    rule = rule_of(read_manifest(folder))
    return None if rule is None else Watch(spec, rule)
