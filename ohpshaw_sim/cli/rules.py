"""`ohpshaw rules`: the presets and options there are; rules shown in words or as a file; a file checked."""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ohpshaw_sim.cli.choices import RulesFormat
from ohpshaw_sim.cli.entries import WIDTH, entry
from ohpshaw_sim.cli.rule_flags import RULES, described_options, flag_of, rule_flags, rules_from

if TYPE_CHECKING:
    from ohpshaw_sim.rules import Rules

app = typer.Typer()

_MARGIN = 16


@app.callback(invoke_without_command=True)
def rules(context: typer.Context) -> None:
    """List presets and options of the rules; `rules show` tells them in words, `rules check` tests a file.

    A command that plays takes them as --rules NAME, --rules FILE.toml or
    --rules NAME:option=value,... and each option as a flag, which wins.

    Examples:

      ohpshaw rules

      ohpshaw rules show wizard --max-hand 5

      ohpshaw rules show river --hook --format toml > house.toml

      ohpshaw rules check house.toml
    """
    if context.invoked_subcommand is not None:
        return
    from ohpshaw_sim.rule_text import PRESETS

    sys.stdout.write("Presets (--rules NAME):\n\n")
    for name, preset in PRESETS.items():
        sys.stdout.write(entry(f"  {name}", _MARGIN + 2, _changes(preset) or "the base game"))
    sys.stdout.write("\nOptions, as flags or as name=value in --rules PRESET:name=value,...:\n\n")
    for option in described_options():
        head = f"  {option.flag} {option.values}".rstrip()
        sys.stdout.write(f"{head:<{WIDTH - len(option.ids) - 1}} {option.ids}\n")
        default = f"; default: {option.default}" if option.default else ""
        sys.stdout.write(entry("", 6, option.sentence + default))


@app.command()
@rule_flags(leave_out=(RULES,))
def show(
    given: Annotated[
        str,
        typer.Argument(metavar="RULES", help="A preset, FILE.toml, or a line preset:option=value,..."),
    ] = "oh-pshaw",
    output: Annotated[
        RulesFormat, typer.Option("--format", help="Plain words, a file to keep, or all options.")
    ] = RulesFormat.text,
    *,
    rule_options: dict[str, Any],
) -> None:
    """Show the rules in force: in words, as a TOML file that --rules reads, or as JSON with all options.

    Examples:

      ohpshaw rules show podrida

      ohpshaw rules show wizard:max_hand=5 --format toml
    """
    from ohpshaw_sim.rule_text import rules_toml

    shown = rules_from({RULES: given, **rule_options})
    if output is RulesFormat.toml:
        sys.stdout.write(rules_toml(shown))
    elif output is RulesFormat.json:
        sys.stdout.write(json.dumps(shown.model_dump(mode="json"), indent=2) + "\n")
    else:
        _write_words(shown)


@app.command()
def check(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A TOML file of rules; a preset or line will do.", show_default=False
        ),
    ],
) -> None:
    """Say whether rules can be played: ok and the line that stands for them, or the reason (exit code 2).

    Example:

      ohpshaw rules check house.toml
    """
    from ohpshaw_sim.cli.results import say
    from ohpshaw_sim.cli.rule_words import playable_by
    from ohpshaw_sim.reading import write_numbers
    from ohpshaw_sim.rule_text import read_rules, read_rules_file, rules_text
    from ohpshaw_sim.rules import PLAYERS

    checked = read_rules_file(Path(file)) if Path(file).is_file() else read_rules(file)
    players = playable_by(checked)
    sys.stdout.write(f"ok  {rules_text(checked)}\n")
    if len(players) < len(PLAYERS):
        say(f"for {write_numbers(players)} players only; `ohpshaw rules show {file}` says why")


def _write_words(shown: "Rules") -> None:
    from ohpshaw_sim.cli.rule_words import hand_sizes_in_words, rules_in_words
    from ohpshaw_sim.rule_text import rules_text

    sys.stdout.write(entry("rules", _MARGIN, rules_text(shown)))
    sys.stdout.write(entry("", _MARGIN, f"the base game{_with(_changes(shown))}") + "\n")
    before = ""
    for about, sentence in rules_in_words(shown):
        sys.stdout.write(entry(about if about != before else "", _MARGIN, sentence))
        before = about
    sys.stdout.write("\nHand sizes of a match:\n\n")
    for players, sizes in hand_sizes_in_words(shown):
        sys.stdout.write(entry(players, _MARGIN, sizes))


def _with(changes: str) -> str:
    return f" with {changes}" if changes else ""


def _changes(changed: "Rules") -> str:
    """Return the flags that make these rules of the base game; empty for the base game itself."""
    from ohpshaw_sim.rule_text import PRESETS, changes_from

    changes = changes_from(changed, PRESETS["oh-pshaw"])
    return " ".join(_typed(name, value) for name, value in changes.items())


def _typed(name: str, value: Any) -> str:
    """Return an option as it is typed."""
    from ohpshaw_sim.reading import write_numbers

    if isinstance(value, bool):
        return flag_of(name, value)
    return f"{flag_of(name)} {write_numbers(value) if isinstance(value, tuple) else value}"
