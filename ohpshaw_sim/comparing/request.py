"""What a comparison is asked for: who plays whom among which others, how, and by which rule it is decided."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ohpshaw_sim.analysis.decisions import Rule, make_rule
from ohpshaw_sim.errors import ConflictError, MalformedError
from ohpshaw_sim.reading import read_duration, read_numbers
from ohpshaw_sim.tournament.options import Options, read_request
from ohpshaw_sim.tournament.spec import Spec

FIELD: Final = ("count-winners",)
"""Who sits in the other seats unless told otherwise."""
MAX_SETS: Final = 10_000
"""Undecided after so many sets, a comparison ends unless told otherwise."""


def read_comparison(
    agents: Sequence[str], field: Sequence[str], flags: Mapping[str, Any]
) -> tuple[Spec, Options, Rule]:
    """Return what a comparison plays, how, and by which rule it is decided.

    `flags` are those of `compare` and of `read_request`, None = as by default. Raises MalformedError, IllegalError or
    ConflictError, one sentence each.
    """
    given = {key: value for key, value in flags.items() if value is not None}
    if len(agents) != 2:
        raise MalformedError(f"a comparison is of two agents, not {len(agents)}; others sit in its --field")
    players = read_numbers(given.get("players", 4), "player numbers")
    if len(players) != 1:
        raise MalformedError(f"a comparison is made at one number of players, not at {len(players)}")
    rule = make_rule(**{key: given.pop(key) for key in Rule.model_fields if key in given})
    duration, sets = given.pop("for", None), given.pop("max_sets", MAX_SETS)
    request = {**given, "agents": (*agents, *field), "versus": True, "players": players, "sets": sets}
    spec, how = read_request(None, request, about_sets=MAX_SETS)
    if spec.sets is not None and spec.sets < rule.min_sets:
        raise ConflictError(
            f"max_sets is {spec.sets}, fewer than min_sets, {rule.min_sets}; nothing could be decided"
        )
    if duration is not None:
        how = how.model_copy(update={"seconds": read_duration(str(duration))})
    return spec, how, rule
