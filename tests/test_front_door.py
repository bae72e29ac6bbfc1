"""The public face: names that resolve, docstrings and README examples that are true, an import that is instant."""

import ast
import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ohpshaw_agents
import ohpshaw_sim

ROOT = Path(__file__).resolve().parents[1]
MODULES = [
    name or package.__name__
    for package in (ohpshaw_sim, ohpshaw_agents)
    for name in ["", *(info.name for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."))]
]
EXAMPLES = {
    f"README.md, example {number}": text
    for number, text in enumerate(
        re.findall(
            r"^```(?:python|py|pycon)\n(.*?)^```",
            (ROOT / "README.md").read_text("utf-8"),
            re.DOTALL | re.MULTILINE,
        )
    )
}


def loaded(code: str) -> set[str]:
    """The modules that are loaded once some code has run in a process of its own."""
    code = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_are_true(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__
    result = doctest.testmod(module, optionflags=doctest.FAIL_FAST)
    assert result.failed == 0


def test_there_are_examples_in_the_docstrings() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = {
        test.name
        for name in MODULES
        for test in finder.find(importlib.import_module(name), name)
        if test.examples
    }
    for name in ("cards.parse_card", "rules.Rules", "engine.single.play_match", "api.run_tournament"):
        assert f"ohpshaw_sim.{name}" in found


@pytest.mark.parametrize("name", ohpshaw_sim.__all__)
def test_every_public_name_leads_to_something_documented(name: str) -> None:
    thing = getattr(ohpshaw_sim, name)
    assert name == "PRESETS" or thing.__doc__
    assert name in dir(ohpshaw_sim)
    namespace: dict[str, object] = {}
    exec(f"from ohpshaw_sim import {name}", namespace)
    assert namespace[name] is thing


def test_what_type_checkers_see_is_what_there_is() -> None:
    tree = ast.parse(Path(ohpshaw_sim.__file__ or "").read_text("utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    imported = {
        alias.name: getattr(importlib.import_module(node.module or ""), alias.name)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert sorted(imported) == sorted(ohpshaw_sim.__all__)
    assert all(getattr(ohpshaw_sim, name) is thing for name, thing in imported.items())
    assert [*ohpshaw_sim.__all__] == sorted(ohpshaw_sim.__all__, key=lambda name: (not name.isupper(), name))


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'ohpshaw_sim' has no attribute 'play_matches'"):
        ohpshaw_sim.play_matches  # noqa: B018
    with pytest.raises(ImportError):
        exec("from ohpshaw_sim import play_matches")


def test_the_version_is_that_of_the_project() -> None:
    assert f'version = "{ohpshaw_sim.__version__}"' in (ROOT / "pyproject.toml").read_text("utf-8")


def test_the_import_is_instant() -> None:
    heavy = {"numpy", "numba", "pandas", "matplotlib", "scipy", "pyarrow", "pydantic", "typer"}
    assert heavy.isdisjoint(loaded("import ohpshaw_sim"))
    assert heavy.isdisjoint(loaded("import ohpshaw_sim; ohpshaw_sim.parse_card('AS')"))


def test_rules_and_cards_need_no_numba() -> None:
    assert {"numba", "pandas", "numpy"}.isdisjoint(
        loaded("import ohpshaw_sim; ohpshaw_sim.Rules().schedule_for(4)")
    )


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_the_readmes_examples_run(example: str, tmp_path: Path) -> None:
    """Each as a script of its own, where there is nothing yet; what is written as a session must answer as shown."""
    if ">>>" in example:
        test = doctest.DocTestParser().get_doctest(example, {}, "README.md", None, 0)
        assert doctest.DocTestRunner().run(test).failed == 0
        return
    script = tmp_path / "example.py"
    script.write_text(example, "utf-8")
    done = subprocess.run(
        [sys.executable, script.name], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert {path.name for path in tmp_path.iterdir()} <= {"example.py", "__pycache__", "results"}
