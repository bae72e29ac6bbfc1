"""Agents by name: every way to name one, and every mistake told in one sentence."""

import re
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.interface import discovery
from ohpshaw_sim.interface.agent import CompiledAgent, ScalarAdapter
from ohpshaw_sim.interface.discovery import builtin_agents, parameters_of, resolve

FILE = '''
"""An agent of the tests."""
from ohpshaw_sim.errors import AgentError
from ohpshaw_sim.interface.agent import CompiledAgent


class Scalar:
    def __init__(self, **params):
        self.params = params

    def bid(self, view):
        return 0

    def play(self, view):
        return 0


class Vectorised:
    def bids(self, batch):
        return batch.seat * 0

    plays = bids


def make_agent(count: int = 3, weight: float = 0.5, style: str = "calm", bold: bool = False, free=None, third=7):
    return Scalar(count=count, weight=weight, style=style, bold=bold, free=free, third=third)


def nothing():
    return 42


def picky():
    raise AgentError("no worlds")


def broken(size: int = 1):
    return 1 // 0


def needy(size: int):
    return Scalar(size=size)


made = Scalar()
made_vectorised = Vectorised()
number = 5
compiled = CompiledAgent(Scalar.bid, Scalar.play)
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "bot.py"
    path.write_text(FILE)
    return path


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The same agents as an importable module `somebody.bots`."""
    (tmp_path / "somebody").mkdir()
    (tmp_path / "somebody" / "__init__.py").write_text("")
    (tmp_path / "somebody" / "bots.py").write_text(FILE)
    (tmp_path / "somebody" / "broken.py").write_text("import nothing_of_that_name\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "somebody.bots"
    for name in [name for name in sys.modules if name.split(".")[0] == "somebody"]:
        del sys.modules[name]


@pytest.fixture
def publish(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Publish entry points, as an installed package would."""
    points: list[EntryPoint] = []

    def find(*, group: str, name: str | None = None) -> list[EntryPoint]:
        return [point for point in points if point.group == group and name in (None, point.name)]

    def add(name: str, value: str) -> None:
        points.append(EntryPoint(name, value, "ohpshaw_sim.agents"))

    monkeypatch.setattr(discovery, "entry_points", find)
    return add


def params_of(agent: Any) -> dict[str, Any]:
    assert isinstance(agent, ScalarAdapter)
    params: dict[str, Any] = agent.agent.params
    return params


def refusal(spec: str) -> str:
    """The one sentence that a spec is refused with."""
    with pytest.raises(AgentError) as caught:
        resolve(spec)
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


# Built-in


def test_built_in_agents_are_found_by_looking() -> None:
    found = builtin_agents()
    assert {"random", "greedy", "count-winners", "monte-carlo"} <= found.keys()
    assert [*found] == sorted(found)
    assert not any(name.startswith(("_", "-")) for name in found)
    for name, module in found.items():
        assert module.__name__ == f"ohpshaw_agents.{name.replace('-', '_')}"
        assert module.__doc__, f"{name} says nothing about itself"


@pytest.mark.parametrize("name", builtin_agents())
def test_built_in_agents_are_trusted(name: str) -> None:
    entrant = resolve(name)
    assert entrant.name == name
    assert entrant.bidder is entrant.player
    assert entrant.trusted == entrant.compiled


def test_parameters_and_their_defaults_can_be_listed() -> None:
    assert parameters_of(builtin_agents()["random"].make_agent) == {}
    assert parameters_of(builtin_agents()["monte-carlo-1"].make_agent)["rollout"] == "greedy"


def test_parameters_of_a_built_in_agent() -> None:
    agent = resolve("monte-carlo-1:worlds=7,rollout=random").bidder
    assert isinstance(agent, CompiledAgent)
    assert list(agent.params) == list(
        builtin_agents()["monte-carlo-1"].make_agent(worlds=7, rollout="random").params
    )
    assert agent.params_array.tolist() == list(agent.params)
    assert not agent.params_array.flags.writeable


def test_a_package_without_a_factory_is_no_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    module = builtin_agents()["greedy"]
    monkeypatch.delattr(module, "make_agent")
    assert "greedy" not in builtin_agents()
    assert "there is no agent 'greedy'" in refusal("greedy")


# Files, modules, entry points


@pytest.mark.parametrize(
    "attribute", ["", ":make_agent", ":Scalar", ":made", ":made_vectorised", ":Vectorised"]
)
def test_an_agent_in_a_file(file: Path, attribute: str) -> None:
    entrant = resolve(f"{file}{attribute}")
    assert entrant.name == f"{file}{attribute}"
    assert not entrant.trusted
    assert not entrant.compiled
    assert callable(entrant.bidder.bids)  # type: ignore[union-attr]


def test_a_compiled_agent_in_a_file_is_not_trusted(file: Path) -> None:
    entrant = resolve(f"{file}:compiled")
    assert entrant.compiled
    assert not entrant.trusted


def test_a_relative_path(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    assert params_of(resolve("bot.py:count=4").bidder)["count"] == 4
    assert params_of(resolve("./bot.py").bidder)["count"] == 3


@pytest.mark.parametrize("name", ["a+b.py", "two words.py", "äöü.py", "1st.py", "my-bot.py"])
def test_odd_file_names(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(FILE)
    assert params_of(resolve(str(tmp_path / name)).player)["count"] == 3
    assert params_of(resolve(f"{tmp_path / name}:make_agent:count=9").player)["count"] == 9


def test_two_files_of_one_name_are_two_agents(tmp_path: Path) -> None:
    for folder, count in (("one", 1), ("two", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.py").write_text(FILE.replace("count: int = 3", f"count: int = {count}"))
    made = [resolve(str(tmp_path / folder / "bot.py")).bidder for folder in ("one", "two", "one")]
    assert [params_of(agent)["count"] for agent in made] == [1, 2, 1]


def test_a_file_may_use_dataclasses_with_postponed_annotations(tmp_path: Path) -> None:
    """They look their own module up in `sys.modules`."""
    text = "from __future__ import annotations\nimport dataclasses\n" + FILE
    text += "\n\n@dataclasses.dataclass\nclass Careful(Scalar):\n    size: int = 3\n"
    (tmp_path / "bot.py").write_text(text)
    assert resolve(f"{tmp_path}/bot.py:Careful").bidder.agent.size == 3  # type: ignore[union-attr]


def test_a_file_may_import_a_helper_beside_it(tmp_path: Path) -> None:
    (tmp_path / "helper_of_the_tests.py").write_text("COUNT = 11\n")
    text = f"from helper_of_the_tests import COUNT\n{FILE}".replace("count: int = 3", "count: int = COUNT")
    (tmp_path / "bot.py").write_text(text)
    assert params_of(resolve(str(tmp_path / "bot.py")).bidder)["count"] == 11


@pytest.mark.parametrize("attribute", ["", ":make_agent", ":Scalar", ":made", ":made_vectorised"])
def test_an_agent_in_a_module(package: str, attribute: str) -> None:
    entrant = resolve(f"{package}{attribute}")
    assert not entrant.trusted


@pytest.mark.parametrize("target", ["somebody.bots:make_agent", "somebody.bots"])
def test_an_agent_behind_an_entry_point(
    package: str, publish: Callable[[str, str], None], target: str
) -> None:
    assert package == "somebody.bots"
    publish("their-bot", target)
    entrant = resolve("their-bot:count=8")
    assert params_of(entrant.bidder)["count"] == 8
    assert not entrant.trusted


def test_built_in_names_come_before_entry_points(package: str, publish: Callable[[str, str], None]) -> None:
    publish("random", f"{package}:make_agent")
    assert resolve("random").trusted


def test_entry_points_are_suggested(package: str, publish: Callable[[str, str], None]) -> None:
    publish("their-bot", f"{package}:make_agent")
    assert "did you mean 'their-bot'? known are" in refusal("thier-bot")


# Joined


def test_the_first_bids_and_the_second_plays(file: Path) -> None:
    entrant = resolve(f"greedy+{file}:count=5")
    assert entrant.bidder is not entrant.player
    assert isinstance(entrant.bidder, CompiledAgent)
    assert params_of(entrant.player)["count"] == 5
    assert (entrant.trusted, entrant.compiled) == (False, False)
    other = resolve(f"{file} + greedy")
    assert params_of(other.bidder)["count"] == 3
    assert isinstance(other.player, CompiledAgent)


@pytest.mark.parametrize("rest", [":count=5", ":make_agent:count=5"])
def test_the_agent_of_a_file_may_bid_with_parameters(file: Path, rest: str) -> None:
    entrant = resolve(f"{file}{rest}+greedy")
    assert params_of(entrant.bidder)["count"] == 5
    assert isinstance(entrant.player, CompiledAgent)


def test_two_trusted_halves_are_trusted() -> None:
    entrant = resolve("count-winners:trump=0.4+monte-carlo:worlds=3")
    assert entrant.trusted
    assert entrant.name == "count-winners:trump=0.4+monte-carlo:worlds=3"
    assert resolve("random+greedy").player.play is resolve("greedy").player.play  # type: ignore[union-attr]


def test_a_trusted_and_a_users_compiled_half_are_not_trusted(file: Path) -> None:
    entrant = resolve(f"random+{file}:compiled")
    assert entrant.compiled
    assert not entrant.trusted


@pytest.mark.parametrize(
    "spec", ["", " ", "+", "random+", "+random", "random+greedy+random", "random++greedy"]
)
def test_joins_that_name_no_two_agents(spec: str) -> None:
    assert refusal(spec) == f"{spec!r} names no agent; write NAME, or BIDDER+PLAYER to join two"


# Parameters


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("count=12", "count", 12),
        ("count=-1", "count", -1),
        ("count = 4", "count", 4),
        ("weight=2", "weight", 2.0),
        ("weight=-1.5e-3", "weight", -0.0015),
        ("style=wild", "style", "wild"),
        ("style=", "style", ""),
        ("style=a=b", "style", "a=b"),
        ("bold=true", "bold", True),
        ("bold=YES", "bold", True),
        ("bold=1", "bold", True),
        ("bold=no", "bold", False),
        ("bold=0", "bold", False),
        ("bold=False", "bold", False),
        ("free=anything", "free", "anything"),
        ("third=8", "third", 8),
    ],
)
def test_parameters_are_read_by_their_declared_type(file: Path, text: str, name: str, value: Any) -> None:
    got = params_of(resolve(f"{file}:{text}").bidder)[name]
    assert (got, type(got)) == (value, type(value))


def test_several_parameters(file: Path) -> None:
    one = params_of(resolve(f"{file}:count=1,weight=2,style=odd").bidder)
    other = params_of(resolve(f"{file}:make_agent:count=1:weight=2,style=odd").bidder)
    assert one == other
    assert (one["count"], one["weight"], one["style"], one["bold"]) == (1, 2.0, "odd", False)


def test_a_plus_sign_in_a_number(file: Path) -> None:
    assert params_of(resolve(f"greedy+{file}:weight=1e+3").player)["weight"] == 1000.0


# Mistakes


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        (
            "randm",
            r"there is no agent 'randm'; did you mean 'random'\? known are .*random.*; or give path/to/file\.py",
        ),
        ("count-winers", r"there is no agent 'count-winers'; did you mean 'count-winners'\?"),
        ("zzzz", r"there is no agent 'zzzz'; known are "),
        ("_private", r"there is no agent '_private'"),
        ("random+randm", r"there is no agent 'randm'"),
        ("no/such/bot.py", r"there is no file 'no/such/bot\.py' to load an agent from"),
        (
            "no_such_module.bots",
            r"agent 'no_such_module\.bots': module 'no_such_module\.bots' cannot be imported: No mod",
        ),
        ("json.decoder:nobody", r"agent 'json\.decoder:nobody': json\.decoder defines no 'nobody'"),
        ("random:a:b", r"'random:a:b' has more parts than NAME:ATTRIBUTE:PARAMETERS"),
        ("random:speed=3", r"agent 'random:speed=3' has no parameter 'speed' \(it takes: none\)"),
        (
            "monte-carlo:world=3",
            r"agent .* has no parameter 'world'; did you mean 'worlds'\? \(it takes: worlds",
        ),
        ("monte-carlo:worlds=many", r"agent 'monte-carlo:worlds=many': worlds=many is no int"),
        ("monte-carlo:worlds=1.5", r"agent 'monte-carlo:worlds=1\.5': worlds=1\.5 is no int"),
        ("monte-carlo:worlds=3,", r"agent 'monte-carlo:worlds=3,': '' is no parameter; write key=value"),
        ("monte-carlo:worlds=0", r"agent 'monte-carlo:worlds=0' cannot be made: .*worlds"),
        (
            "monte-carlo-1:rollout=x",
            r"agent 'monte-carlo-1:rollout=x' cannot be made: there is no rollout 'x'",
        ),
        ("count-winners:trump=high", r"agent 'count-winners:trump=high': trump=high is no float"),
        ("FILE:nobody", r"agent 'FILE:nobody': \S+ defines no 'nobody'"),
        ("FILE:bold=perhaps", r"agent 'FILE:bold=perhaps': bold=perhaps is no bool"),
        (
            "FILE:nothing",
            r"FILE:nothing made int, which is no agent; return a CompiledAgent, an object with bid and play",
        ),
        ("FILE:number", r"FILE:number made int, which is no agent"),
        ("FILE:picky", r"agent 'FILE:picky' cannot be made: no worlds"),
        ("FILE:broken", r"agent 'FILE:broken' cannot be made: its factory raised ZeroDivisionError: "),
        (
            "FILE:needy",
            r"agent 'FILE:needy' cannot be made: its factory raised TypeError: needy\(\) missing 1 required",
        ),
        ("FILE:made:count=3", r"'FILE:made:count=3' is an agent already made; it takes no parameters"),
    ],
)
def test_mistakes_are_told_in_one_sentence(file: Path, spec: str, sentence: str) -> None:
    said = refusal(spec.replace("FILE", str(file)))
    assert re.match(sentence.replace("FILE", re.escape(str(file))), said), said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import nothing_of_that_name", "ModuleNotFoundError: No module named 'nothing_of_that_name'"),
        ("def make_agent(:\n", "SyntaxError: "),
        ("raise ValueError('not today')", "ValueError: not today"),
    ],
)
def test_a_file_that_cannot_be_loaded(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "bad.py").write_text(text)
    assert refusal(f"{tmp_path}/bad.py").startswith(f"'{tmp_path}/bad.py' cannot be loaded: {said}")


def test_a_file_that_exits_does_not_take_the_program_with_it(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("import sys\nsys.exit(3)\n")
    try:
        said = refusal(f"{tmp_path}/bad.py")
    except SystemExit:
        pytest.fail("the program ended")
    assert "cannot be loaded" in said


def test_a_module_that_cannot_be_loaded(package: str) -> None:
    assert package
    assert "module 'somebody.broken' cannot be imported: No module named 'nothing_of" in refusal(
        "somebody.broken"
    )


@pytest.mark.parametrize("target", ["nothing_of_that_name:make_agent", "json:make_agent", "json"])
def test_an_entry_point_that_cannot_be_loaded(publish: Callable[[str, str], None], target: str) -> None:
    publish("their-bot", target)
    assert "their-bot" in refusal("their-bot")


def test_what_is_no_factory_is_refused_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("somebody_else")
    module.cannot_be_inspected = dict.get  # type: ignore[attr-defined]
    module.agent_class = type  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "somebody_else", module)
    refusal("somebody_else:cannot_be_inspected")
    refusal("somebody_else:agent_class")
