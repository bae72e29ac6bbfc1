"""The rules that a request asks for: those of a configuration file, and flags that win over them option by option."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ohpshaw_sim.errors import OhPshawError
from ohpshaw_sim.rule_text import make_rules, read_rules
from ohpshaw_sim.rules import Rules

RULES: Final = "rules"
HAND_SIZES: Final = "hand_sizes"
_NONE: Final[Mapping[str, Any]] = {}


def take_rules(config: Path | None, given: dict[str, Any], flags: dict[str, Any]) -> Rules:
    """Take what is said of the rules out of a file's keys and out of the flags; return the rules in force.

    `rules` of the flags stands instead of the file's; options among the flags (`hook`, `hand_sizes`, ...) change
    single options of either. The file's own `hand_sizes` stay unless the flags name another schedule. Raises
    MalformedError, IllegalError or ConflictError; what the file got wrong is told with its name.
    """
    options = {key: flags.pop(key) for key in Rules.model_fields if key in flags}
    asked = read_rules(flags.pop(RULES)) if RULES in flags else None
    try:
        of_file = _rules_of_file(given.pop(RULES, _NONE), given.pop(HAND_SIZES, None), config)
    except OhPshawError as error:
        raise type(error)(f"in {config}: {error}") from None
    if asked is None:
        asked = of_file
    elif of_file.hand_sizes is not None and not _names_a_schedule(asked):
        asked = make_rules(asked, hand_sizes=of_file.hand_sizes)
    return make_rules(asked, **options)


def _rules_of_file(rules: object, hand_sizes: object, config: Path | None) -> Rules:
    """Return the rules of a file: a preset or line, another file beside it, or a table of options."""
    if isinstance(rules, Mapping):
        # Both belong to one file, so that a schedule beside hand sizes contradicts them.
        return read_rules(rules if hand_sizes is None else {**rules, HAND_SIZES: hand_sizes})
    if config is not None and str(rules).lower().endswith(".toml"):
        rules = config.parent / str(rules)
    return read_rules(rules) if hand_sizes is None else read_rules(rules, hand_sizes=hand_sizes)


def _names_a_schedule(rules: Rules) -> bool:
    return rules.hand_sizes is not None or rules.max_hand is not None or rules.schedule != "up"
