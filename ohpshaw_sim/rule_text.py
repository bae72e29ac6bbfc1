"""Rules by name: presets, the one-line form `preset:option=value,...`, and TOML files.

    read_rules("wizard:max_hand=5")      a preset and what is changed of it
    read_rules("house.toml")             a file of options, `preset = "..."` among them if it starts from one
    rules_text(rules)                    the one line that reads back to the same rules, shortest preset first
    rules_toml(rules)                    the same as a file

Errors are sentences: MalformedError for what cannot be read (an unknown option gets a did-you-mean), IllegalError and
ConflictError for what makes no game.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from ohpshaw_sim.errors import MalformedError, OhPshawError
from ohpshaw_sim.reading import did_you_mean, read_toml, sentence_of, write_numbers
from ohpshaw_sim.rules import Rules

PRESETS: Final = {
    "oh-pshaw": Rules(),
    "oh-hell": Rules(hook=True),
    "river": Rules(schedule="up-down"),
    "contract-whist": Rules(schedule="contract-whist", trump="rotate"),
    "wizard": Rules(wizard=True, scoring="wizard"),
    "podrida": Rules(hook=True, must_trump=True),
    "blackout": Rules(no_trump_final=True),
}
"""Named starting points; any option overrides a preset's."""
PRESET: Final = "preset"
"""The key that names a preset in a file or table of options."""
_OPTIONS: Final = tuple(Rules.model_fields)
_SUFFIX: Final = ".toml"


def preset_rules(name: str) -> Rules:
    """Return a preset's rules. Raises MalformedError, with a did-you-mean, when there is none of that name."""
    if name not in PRESETS:
        raise MalformedError(f"there are no rules named {name!r}{did_you_mean(str(name), list(PRESETS))}")
    return PRESETS[name]


def make_rules(base: Rules | None = None, **options: Any) -> Rules:
    """Return rules with these options instead of those of `base` (None = the base game).

    A list of hand sizes takes the place of a schedule, and a schedule or largest hand that of a list; without the hook
    there is no hand size where it starts. Raises MalformedError, IllegalError or ConflictError, one sentence each.

    >>> make_rules(PRESETS["river"], hand_sizes="3/2/1").schedule_for(players=4)
    (3, 2, 1)
    """
    kept = base.model_dump(exclude_defaults=True) if base else {}
    if options.get("hand_sizes") is not None:
        kept.pop("schedule", None)
        kept.pop("max_hand", None)
    if options.get("schedule") is not None or options.get("max_hand") is not None:
        kept.pop("hand_sizes", None)
    if options.get("hook") is False:
        kept.pop("hook_from", None)
    try:
        return Rules(**{**kept, **options})
    except ValidationError as error:
        raise sentence_of(error, "a set of rules", _OPTIONS) from None


def read_rules(given: object, **options: Any) -> Rules:
    """Return the rules of a preset, a line `preset:option=value,...`, a TOML file, or a table of options.

    `options` override what is read. Raises MalformedError, IllegalError or ConflictError.
    """
    if isinstance(given, Rules):
        return make_rules(given, **options)
    if isinstance(given, Mapping):
        return make_rules(_from_table(given), **options)
    text = str(given)
    if text.lower().endswith(_SUFFIX):
        return make_rules(read_rules_file(Path(text)), **options)
    name, _, tail = text.partition(":")
    own: dict[str, Any] = {}
    for piece in filter(None, tail.split(",")):
        key, equals, value = piece.partition("=")
        if not equals:
            raise MalformedError(f"{piece!r} in rules {text!r} is no option; write option=value (pack=2x4)")
        option = key.strip().replace("-", "_")
        if option in own:
            raise MalformedError(f"{option!r} stands in rules {text!r} twice; give it once")
        own[option] = value.strip()
    return make_rules(make_rules(preset_rules(name), **own), **options)


def read_rules_file(path: Path) -> Rules:
    """Return the rules of a TOML file, naming the file in each error of the kinds `read_rules` raises."""
    table = read_toml(path)
    try:
        return _from_table(table)
    except OhPshawError as error:
        raise type(error)(f"in {path}: {error}") from None


def _from_table(table: Mapping[str, Any]) -> Rules:
    """Return the rules of a table of options, which may name a preset to start from."""
    options = {str(key).replace("-", "_"): value for key, value in table.items()}
    base = preset_rules(options.pop(PRESET, "oh-pshaw"))
    for key in options:
        if key not in _OPTIONS:
            raise MalformedError(f"a set of rules has no {key!r}{did_you_mean(key, (*_OPTIONS, PRESET))}")
    return make_rules(base, **options)


def changes_from(rules: Rules, base: Rules) -> dict[str, Any]:
    """Return the options in which rules differ from others, with their values in `rules`."""
    mine, theirs = rules.model_dump(), base.model_dump()
    return {key: mine[key] for key in _OPTIONS if mine[key] != theirs[key]}


def nearest_preset(rules: Rules) -> str:
    """Return the preset that rules differ from in the fewest options; of equal ones the first."""
    return min(PRESETS, key=lambda name: len(changes_from(rules, PRESETS[name])))


def rules_text(rules: Rules) -> str:
    """Return the line that `read_rules` reads back to the same rules; equal rules give equal lines.

    >>> rules_text(Rules(wizard=True, scoring="wizard", hand_sizes=(1, 2, 3, 7)))
    'wizard:hand_sizes=1-3/7'
    """
    name = nearest_preset(rules)
    changes = changes_from(rules, PRESETS[name])
    return (
        name + (":" if changes else "") + ",".join(f"{key}={_word(value)}" for key, value in changes.items())
    )


def _word(value: Any) -> str:
    """Return an option's value as one word."""
    if isinstance(value, tuple):
        return write_numbers(value).replace(",", "/")
    return str(value).lower()


def rules_toml(rules: Rules, name: str | None = None) -> str:
    """Return rules as a TOML file: the preset (`name`, or the nearest), then every option that differs from it."""
    name = name or nearest_preset(rules)
    lines = [f"{PRESET} = {json.dumps(name)}"]
    # JSON's strings, whole numbers, booleans and flat lists are TOML's as well.
    lines += [
        f"{key} = {json.dumps(value)}" for key, value in changes_from(rules, preset_rules(name)).items()
    ]
    return "\n".join(lines) + "\n"
