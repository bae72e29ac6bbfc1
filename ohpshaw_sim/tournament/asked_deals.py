"""The deals that a request asks for: those of a file, which then says who plays how many hands of what size."""

from collections.abc import Mapping
from typing import Any

from ohpshaw_sim.errors import ConflictError, IllegalError
from ohpshaw_sim.reading import read_numbers, write_numbers
from ohpshaw_sim.records.deal_files import DealFile, read_deals
from ohpshaw_sim.rule_text import make_rules
from ohpshaw_sim.rules import Rules


def take_deals(asked: Mapping[str, Any], rules: Rules) -> tuple[dict[str, Any], Rules]:
    """Return the keys of a request with what its file of deals says, and the rules with the hand sizes of the file.

    `asked` holds `deals`, the name of the file. All its sets are played unless a smaller number is asked for. Raises
    what `read_deals` raises, ConflictError for a request that says otherwise than the file, IllegalError for more sets
    than it holds.
    """
    name = str(asked["deals"])
    found = read_deals(name, rules)
    _check_asked(asked, rules, name, found)
    sets = len(found.sets) if asked.get("sets") is None else asked["sets"]
    if isinstance(sets, int) and sets > len(found.sets):
        raise IllegalError(
            f"{name} has deals for {len(found.sets)} sets and {sets} were asked for; ask for fewer, or leave it out"
        )
    of_file = {"deals": name, "deals_digest": found.digest, "players": (found.players,), "sets": sets}
    return {**asked, **of_file}, make_rules(rules, hand_sizes=found.hand_sizes, schedule="up", max_hand=None)


def _check_asked(asked: Mapping[str, Any], rules: Rules, name: str, found: DealFile) -> None:
    """Raise ConflictError where a request says otherwise than its file of deals."""
    if "for" in asked:
        raise ConflictError("deals and for exclude each other: a file has an end; leave one of them out")
    players = asked.get("players")
    if players is not None and read_numbers(players, "player numbers") != (found.players,):
        raise ConflictError(f"{name} has deals for {found.players} players; leave players out")
    if rules.hand_sizes is not None and rules.hand_sizes != found.hand_sizes:
        sizes = write_numbers(found.hand_sizes)
        raise ConflictError(f"{name} has deals with hands of {sizes}; leave hand sizes out")
