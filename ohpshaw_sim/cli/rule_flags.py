"""`--rules` and a flag for every option of `Rules`, for any command that plays.

    @rule_flags                                        # or @rule_flags(leave_out=("schedule",))
    def deal(players: ..., *, rule_options: dict[str, Any]) -> None:
        rules = rules_from(rule_options)               # what was given, and only that: {"rules": "river", "hook": True}

An option for which the command has a parameter of its own, such as `hand_sizes`, is the command's own and stays out of
`rule_options`. Flags are made from `Rules` alone: names, choices and help are those of its fields.
"""

# ruff: noqa: PLC0415  # commands import late, so that help and mistakes are answered at once

import functools
import inspect
import re
from collections.abc import Callable, Collection
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    TypeVar,
    get_args,
    get_origin,
    overload,
)

import typer

from ohpshaw_sim.rules import Rules

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

RULES: Final = "rules"
"""The key of `rule_options` under which `--rules` is handed over."""
GIVEN: Final = "rule_options"
"""The parameter of a command that takes what was given."""
_PANEL: Final = "Rules"
_OFF: Final = "not_"
"""What the parameter of a switch's other side begins with."""
_ABOUT_RULES: Final = (
    "Preset, FILE.toml or preset:option=value,...; `ohpshaw rules` tells more (default: oh-pshaw). "
    "A flag below wins over it, also as --no-..., of --no-trump-final as --trump-final."
)
_METAVARS: Final = {"pack": "PACK", "hand_sizes": "LIST", "first_dealer": "SEAT"}
"""What stands for the value of an option that is neither a choice nor a plain number."""

Command = TypeVar("Command", bound=Callable[..., None])


class RuleOption(NamedTuple):
    """An option of the rules as people read and type it."""

    name: str
    flag: str
    """`--hook/--no-hook`, `--max-hand`."""
    values: str
    """`N`, `up|up-down|...`; empty for a switch."""
    default: str
    """As it is typed; empty where the sentence tells."""
    sentence: str
    """What it does, without a full stop."""
    ids: str
    """Its ids in the rulebook: `B4, V2 to V5`."""


def described_options() -> list[RuleOption]:
    """Return every option of `Rules`, in its order."""
    return [_option(name, field) for name, field in Rules.model_fields.items()]


def flag_of(name: str, value: object = True) -> str:
    """Return the flag of an option; of a switch the side that sets it to `value`.

    >>> flag_of("max_hand", 5), flag_of("hook", False), flag_of("no_trump_final", False)
    ('--max-hand', '--no-hook', '--trump-final')
    """
    word = name.replace("_", "-")
    if value is not False:
        return f"--{word}"
    return f"--{word.removeprefix('no-')}" if word.startswith("no-") else f"--no-{word}"


def rules_from(given: dict[str, Any]) -> Rules:
    """Return the rules of what a command was given: those of `--rules`, or the base game, with the options.

    Raises MalformedError, IllegalError or ConflictError, one sentence each.
    """
    from ohpshaw_sim.rule_text import read_rules

    options = dict(given)
    return read_rules(options.pop(RULES, "oh-pshaw"), **options)


@overload
def rule_flags(command: Command) -> Command: ...
@overload
def rule_flags(*, leave_out: Collection[str] = ()) -> Callable[[Command], Command]: ...
def rule_flags(command: Command | None = None, *, leave_out: Collection[str] = ()) -> Any:
    """Add `--rules` and the flags of all options to a command, as the module's docstring shows.

    `leave_out` names options, or `rules`, that have no meaning for it.
    """
    if command is None:
        return functools.partial(_with_flags, leave_out=leave_out)
    return _with_flags(command, leave_out)


def _with_flags(command: Callable[..., None], leave_out: Collection[str]) -> Callable[..., None]:
    own = inspect.signature(command)
    taken = {*own.parameters, *leave_out}
    added = {name: kind for name, kind in _parameters().items() if name.removeprefix(_OFF) not in taken}

    @functools.wraps(command)
    def with_rules(*words: Any, **values: Any) -> None:
        flags = {name: values.pop(name, None) for name in added}
        command(*words, **values, **{GIVEN: _given(flags)})

    kept = [parameter for name, parameter in own.parameters.items() if name != GIVEN]
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)
        for name, kind in added.items()
    ]
    with_rules.__signature__ = own.replace(parameters=[*kept, *more])  # type: ignore[attr-defined]  # read by typer
    with_rules.__annotations__ = {parameter.name: parameter.annotation for parameter in (*kept, *more)}
    return with_rules


def _given(flags: dict[str, Any]) -> dict[str, Any]:
    """Return the options among the values of all flags, each switch's two sides brought together."""
    from ohpshaw_sim.errors import ConflictError

    given = {name: value for name, value in flags.items() if value is not None}
    for name in [name for name in given if name.startswith(_OFF)]:
        option = name.removeprefix(_OFF)
        if option in given:
            raise ConflictError(
                f"{flag_of(option)} and {flag_of(option, False)} exclude each other; give one of them"
            )
        given[option] = not given.pop(name)
    return given


def _parameters() -> dict[str, Any]:
    """Return the annotated types of the parameters that are added to a command, by name, as typer reads them.

    Values are text until Rules reads them, so that a wrong one is told in the words of this package. The side of a
    switch that is off in the base game is a flag of its own, kept out of the help, where it would need a column.
    """
    found: dict[str, Any] = {RULES: Annotated[str | None, _details("--rules", "RULES", _ABOUT_RULES)]}
    for option in described_options():
        help_ = f"{option.sentence}{_choices(option)} ({option.ids})."
        if not option.values:
            on, off = option.flag.split("/")
            found[option.name] = Annotated[bool | None, _details(on, None, help_)]
            found[_OFF + option.name] = Annotated[bool | None, _details(off, None, help_, hidden=True)]
        else:
            metavar = "NAME" if "|" in option.values else option.values
            found[option.name] = Annotated[str | None, _details(option.flag, metavar, help_)]
    return found


def _details(flag: str, metavar: str | None, help_: str, *, hidden: bool = False) -> Any:
    return typer.Option(flag, metavar=metavar, help=help_, hidden=hidden, rich_help_panel=_PANEL)


def _choices(option: RuleOption) -> str:
    *words, last = option.values.split("|")
    return f"; {', '.join(words)} or {last}" if words else ""


def _option(name: str, field: "FieldInfo") -> RuleOption:
    told = re.fullmatch(r"(.+) \((.+)\)\.", field.description or "")
    sentence, ids = told.groups() if told else (field.description or "", "")
    switch = field.annotation is bool
    flag = f"{flag_of(name)}/{flag_of(name, False)}" if switch else flag_of(name)
    default = flag_of(name, field.default) if switch else "" if field.default is None else str(field.default)
    return RuleOption(
        name, flag, _values(name, field), default, sentence.replace("None = ", "default: "), ids
    )


def _values(name: str, field: "FieldInfo") -> str:
    if get_origin(field.annotation) is Literal:
        return "|".join(map(str, get_args(field.annotation)))
    return "" if field.annotation is bool else _METAVARS.get(name, "N")
