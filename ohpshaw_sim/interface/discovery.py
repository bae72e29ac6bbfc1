"""Finding agents by name: nothing to register, a module that defines `make_agent(**params)` is an agent.

    random                          built-in: the module ohpshaw_agents.random
    monte-carlo:worlds=50           with parameters, text, int or float as `make_agent` declares them
    my-agent                        an entry point of the group ohpshaw_sim.agents
    package.module:attr             any importable factory (default attr: make_agent)
    path/to/file.py:attr            the same from a file
    count-winners+greedy            the first bids, the second plays

A name is looked for in this order.
"""

import difflib
import hashlib
import importlib
import importlib.util
import inspect
import pkgutil
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any, Final

from ohpshaw_sim.brought import at_hand, is_at_hand
from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.interface.agent import Agent, CompiledAgent, as_agent

BUILTIN_PACKAGE: Final = "ohpshaw_agents"
ENTRY_POINT_GROUP: Final = "ohpshaw_sim.agents"
FACTORY: Final = "make_agent"
_JOINT: Final = re.compile(r"(?<!\de)\+")
"""A plus sign joins two agents, unless it is that of an exponent as in 1e+3."""
_ANYTHING: Final = (Exception, SystemExit)


@dataclass(frozen=True)
class Entrant:
    """An agent under a name: who bids and who plays (often the same one).

    `trusted` agents are built-in and compiled: they are shown the engine's own view and run in its process.
    """

    name: str
    bidder: Agent
    player: Agent
    trusted: bool = False

    @property
    def compiled(self) -> bool:
        """Whether both halves are compiled agents."""
        return isinstance(self.bidder, CompiledAgent) and isinstance(self.player, CompiledAgent)


def resolve(spec: str) -> Entrant:
    """Return the entrant that a spec names.

    Raises AgentError, in one sentence, when no such agent exists, its file cannot be loaded, a parameter is unknown or
    cannot be read, or what the factory made is no agent.
    """
    halves = _JOINT.split(spec)
    if len(halves) > 1 and is_at_hand(spec.partition(":")[0]) and not is_at_hand(halves[0].partition(":")[0]):
        halves = [spec]  # the plus sign belongs to the path
    if len(halves) > 2 or not all(half.strip() for half in halves):
        raise AgentError(f"{spec!r} names no agent; write NAME, or BIDDER+PLAYER to join two")
    made = [_resolve_half(half.strip()) for half in halves]
    trusted = all(built_in and isinstance(agent, CompiledAgent) for agent, built_in in made)
    return Entrant(spec, made[0][0], made[-1][0], trusted)


def builtin_agents() -> dict[str, ModuleType]:
    """Return the modules of the built-in agents by name, in alphabetical order."""
    package = importlib.import_module(BUILTIN_PACKAGE)
    names = sorted(
        info.name for info in pkgutil.iter_modules(package.__path__) if not info.name.startswith("_")
    )
    modules = {name: importlib.import_module(f"{BUILTIN_PACKAGE}.{name}") for name in names}
    return {name.replace("_", "-"): module for name, module in modules.items() if hasattr(module, FACTORY)}


def parameters_of(factory: Callable[..., Any]) -> dict[str, Any]:
    """Return a factory's parameters and their defaults, in its own order."""
    return {name: parameter.default for name, parameter in inspect.signature(factory).parameters.items()}


def _resolve_half(text: str) -> tuple[Agent, bool]:
    """Return the agent of one half of a spec, and whether it is built-in."""
    segments = text.split(":")
    given = [segment for segment in segments[1:] if "=" in segment]
    target = [segment for segment in segments if segment not in given]
    factory, built_in = _find(text, target)
    made = factory
    if callable(factory) and not _is_made(factory):
        made = _make(text, factory, _read_params(text, given, factory))
    elif given:
        raise AgentError(f"{text!r} is an agent already made; it takes no parameters")
    return as_agent(made, text), built_in


def _is_made(thing: Any) -> bool:
    """Tell an agent that was made from a factory of agents."""
    return not inspect.isclass(thing) and (hasattr(thing, "bid") or hasattr(thing, "bids"))


def _make(text: str, factory: Callable[..., Any], params: dict[str, Any]) -> Any:
    try:
        return factory(**params)
    except AgentError as error:
        raise AgentError(f"agent {text!r} cannot be made: {error}") from error
    except _ANYTHING as error:  # a user's factory may raise anything
        raise AgentError(
            f"agent {text!r} cannot be made: its factory raised {type(error).__name__}: {error}"
        ) from error


def _find(text: str, target: list[str]) -> tuple[Any, bool]:
    """Return the factory (or the made agent) that the target segments of a spec name."""
    name, *attributes = target
    if len(attributes) > 1:
        raise AgentError(f"{text!r} has more parts than NAME:ATTRIBUTE:PARAMETERS")
    attribute = attributes[0] if attributes else FACTORY
    if name.endswith(".py"):
        return _attribute_of(_load_file(name), attribute, text), False
    if not attributes:
        built_in = _built_in(name)
        if built_in is not None:
            return getattr(built_in, FACTORY), True
        for entry_point in entry_points(group=ENTRY_POINT_GROUP, name=name):
            return _load_entry_point(entry_point, text), False
    if "." in name or attributes:
        return _attribute_of(_import(name, text), attribute, text), False
    raise AgentError(f"there is no agent {name!r}; {_suggestion(name)}")


def _load_entry_point(entry_point: EntryPoint, text: str) -> Any:
    try:
        loaded = entry_point.load()
    except _ANYTHING as error:  # a user's module may raise anything
        raise AgentError(
            f"agent {text!r}: its entry point {entry_point.value!r} cannot be loaded: {error}"
        ) from error
    return _attribute_of(loaded, FACTORY, text) if inspect.ismodule(loaded) else loaded


def _built_in(name: str) -> ModuleType | None:
    """Return the module of a built-in agent, importing no other one."""
    module_name = f"{BUILTIN_PACKAGE}.{name.replace('-', '_')}"
    if (
        not name.replace("-", "_").isidentifier()
        or name.startswith("_")
        or importlib.util.find_spec(module_name) is None
    ):
        return None
    module = importlib.import_module(module_name)
    return module if hasattr(module, FACTORY) else None


def _suggestion(name: str) -> str:
    names = [*builtin_agents(), *(point.name for point in entry_points(group=ENTRY_POINT_GROUP))]
    close = difflib.get_close_matches(name, names, n=1)
    meant = f"did you mean {close[0]!r}? " if close else ""
    return f"{meant}known are {', '.join(names)}; or give path/to/file.py or package.module:attribute"


def _load_file(path: str) -> ModuleType:
    """Import a file as a module of its own, named after its whole path: two bot.py may meet."""
    copy, origin = at_hand(path)
    file = copy.resolve()
    if not file.is_file():
        raise AgentError(f"there is no file {path!r} to load an agent from")
    name = f"ohpshaw_file_agent_{hashlib.blake2b(origin.encode(), digest_size=8).hexdigest()}_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise AgentError(f"{path!r} cannot be loaded as a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # numba looks there for what it reads from its cache
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))  # last: its helpers are found, and nothing is shadowed
    try:
        spec.loader.exec_module(module)
    except _ANYTHING as error:  # a user's file may raise anything
        del sys.modules[name]
        raise AgentError(f"{path!r} cannot be loaded: {type(error).__name__}: {error}") from error
    return module


def _import(name: str, text: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except _ANYTHING as error:  # a user's module may raise anything
        raise AgentError(f"agent {text!r}: module {name!r} cannot be imported: {error}") from error


def _attribute_of(module: ModuleType, attribute: str, text: str) -> Any:
    try:
        return getattr(module, attribute)
    except AttributeError:
        raise AgentError(f"agent {text!r}: {module.__name__} defines no {attribute!r}") from None


def _read_params(text: str, given: list[str], factory: Callable[..., Any]) -> dict[str, Any]:
    """Read `key=value,...` segments by the types that the factory declares."""
    if not given:
        return {}
    try:
        declared = inspect.signature(factory).parameters
    except ValueError:
        raise AgentError(f"agent {text!r} does not say what parameters it takes") from None
    params: dict[str, Any] = {}
    for pair in (pair for segment in given for pair in segment.split(",")):
        key, equals, value = (part.strip() for part in pair.partition("="))
        if not equals:
            raise AgentError(f"agent {text!r}: {pair!r} is no parameter; write key=value")
        if key not in declared:
            known = ", ".join(declared) or "none"
            close = difflib.get_close_matches(key, declared, n=1)
            meant = f"; did you mean {close[0]!r}?" if close else ""
            raise AgentError(f"agent {text!r} has no parameter {key!r}{meant} (it takes: {known})")
        params[key] = _read_value(text, key, value, declared[key])
    return params


def _read_value(text: str, key: str, value: str, parameter: inspect.Parameter) -> Any:
    """Read one value by the parameter's annotation, else by its default's type, else as text."""
    kind = parameter.annotation
    if kind not in (int, float, str, bool):
        kind = type(parameter.default) if isinstance(parameter.default, int | float | bool) else str
    try:
        if kind is bool:
            return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}[
                value.lower()
            ]
        return kind(value)
    except (ValueError, KeyError):
        raise AgentError(f"agent {text!r}: {key}={value} is no {kind.__name__}") from None
