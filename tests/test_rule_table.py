"""Every rule is told, chosen, kept and tested where docs/rules.md says so, and its ids are the only ones in use."""

import importlib
import inspect
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from command_line import Command
from ohpshaw_sim.cli.rule_flags import described_options
from ohpshaw_sim.rule_text import PRESETS
from ohpshaw_sim.rules import Rules
from rule_table import DOCUMENT, IDS, REFEREE, ROOT, WIDTH, Shown, as_block, as_text, block_of

TEXT = DOCUMENT.read_text("utf-8")
TESTS = ROOT / "tests"
SOURCES = sorted([*(ROOT / "ohpshaw_sim").rglob("*.py"), *(ROOT / "agents").rglob("*.py")])
OTHER_FLAGS = {"--players"}
"""Flags of commands that are no option of the rules."""


class Row(NamedTuple):
    """What the document says of a rule."""

    sentence: str
    option: str
    kept_by: str


class Keeper(NamedTuple):
    """A function that is said to keep a rule: `tricks.following` and the path of its file."""

    name: str
    path: str


def rows() -> list[tuple[str, Row]]:
    found = re.findall(r"^\| \[([BV]\d+)\]\(#\w+\) \|(.*?)\|(.*?)\|(.*?)\|$", TEXT, re.MULTILINE)
    return [(rule, Row(*(cell.strip() for cell in cells))) for rule, *cells in found]


ROWS = dict(rows())


def keepers(row: Row) -> list[Keeper]:
    return [Keeper(*pair) for pair in re.findall(r"\[([\w.]+)\]\(\.\./([\w/]+\.py)\)", row.kept_by)]


def flags(text: str) -> list[str]:
    """What is typed, of the code in a text: `--schedule up-down`."""
    return re.findall(r"`(--[^`]+)`", text)


def ids_in(text: str) -> set[str]:
    """The ids of rules in a text, those of a range such as "V2 to V5" all of them."""
    found = set(re.findall(r"\b[BV]\d{1,2}\b", text))
    for kind, first, last in re.findall(r"\b([BV])(\d{1,2})(?: to |-)\1(\d{1,2})\b", text):
        found |= {f"{kind}{number}" for number in range(int(first), int(last) + 1)}
    return found


@pytest.fixture(scope="module")
def shown() -> Shown:
    """The tests of every rule, collected in a process of its own."""
    done = subprocess.run(
        [sys.executable, TESTS / "rule_table.py", "--json"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: Shown = json.loads(done.stdout)
    return found


# Tested


def test_every_rule_has_a_test_of_the_package_and_one_of_the_referee(shown: Shown) -> None:
    for rule in IDS:
        by_referee = [test.startswith(REFEREE) for test in shown.get(rule, [])]
        assert True in by_referee, f"no test of the referee shows {rule}"
        assert False in by_referee, f"no test of the package shows {rule}"


def test_every_rule_has_an_example_by_hand_on_the_engine(shown: Shown) -> None:
    files = (
        "test_rules_by_id.py",
        "test_points_by_id.py",
        "test_variations_by_id.py",
        "test_wizard_by_hand.py",
    )
    by_hand = {rule for rule in IDS if any(test.startswith(files) for test in shown.get(rule, []))}
    assert by_hand == set(IDS)


def test_no_test_carries_an_id_that_there_is_not(shown: Shown) -> None:
    assert {rule: tests for rule, tests in shown.items() if rule not in IDS} == {}


def test_tests_of_the_referee_leave_the_package_alone() -> None:
    files = [path for path in TESTS.glob("*.py") if path.name.startswith((REFEREE, "reference"))]
    assert len(files) > 10
    for path in files:
        assert not re.search(r"^\s*(import|from) ohpshaw_", path.read_text("utf-8"), re.MULTILINE), path.name


def test_the_table_of_the_document_is_that_of_the_tests(shown: Shown) -> None:
    pytest.importorskip("pyspiel")  # without OpenSpiel a file of tests is not collected
    assert block_of(TEXT) == as_block(shown), "renew it: python tests/rule_table.py --write"


def test_the_table_fits_into_eighty_columns_and_leaves_nothing_out(shown: Shown) -> None:
    lines = as_text({**shown, "V99": ["test_a.py::test_" + "very_long_" * 12 + "name"]}).splitlines()
    assert max(map(len, lines)) <= WIDTH
    starts = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert starts == [*IDS, "V99"]
    joined = "".join(line[5:].strip() for line in lines)
    assert all(test in joined for tests in shown.values() for test in tests)


# Told


def test_every_rule_stands_in_the_document_once() -> None:
    assert sorted(rule for rule, _ in rows()) == sorted(IDS)


@pytest.mark.parametrize("rule", IDS)
def test_a_rule_has_a_sentence_an_option_and_a_function(rule: str) -> None:
    row = ROWS[rule]
    assert row.sentence.endswith(".")
    assert len(row.sentence.split()) >= 5
    assert row.option.startswith("always") or flags(row.option)
    assert keepers(row)


@pytest.mark.parametrize("rule", IDS)
def test_the_functions_of_a_rule_exist_and_one_of_their_files_names_it(rule: str) -> None:
    naming = set()
    for name, path in keepers(ROWS[rule]):
        module = importlib.import_module(path.removesuffix(".py").replace("/", "."))
        stem, *parts = name.split(".")
        assert stem == Path(path).stem, f"{name} is not in {path}"
        thing: object = module
        for part in parts:
            assert hasattr(thing, part), f"{path} has no {name}"
            thing = getattr(thing, part)
        if rule in ids_in(inspect.getsource(module)):
            naming.add(path)
    assert naming, f"none of the files that keep {rule} names it"


@pytest.mark.parametrize("rule", IDS)
def test_the_flags_of_a_rule_are_taken(rule: str, ohpshaw: Command) -> None:
    known = {flag for option in described_options() for flag in option.flag.split("/")} | OTHER_FLAGS
    for typed in flags(ROWS[rule].option):
        assert typed.split()[0] in known
        if typed == typed.lower():  # capitals stand for a value
            ohpshaw("rules", "show", *typed.split())


def test_every_option_stands_in_the_rows_of_its_rules() -> None:
    for option in described_options():
        for rule in ids_in(option.ids):
            told = " ".join(flags(ROWS[rule].option)).split()
            assert set(option.flag.split("/")) & set(told), f"{rule} does not tell of {option.flag}"


def test_the_presets_are_told_with_their_options(ohpshaw: Command) -> None:
    table = re.findall(r"^\| `([\w-]+)` \| (`[^`]+`|none) \| ([^|]+) \|$", TEXT, re.MULTILINE)
    assert [name for name, _, _ in table] == list(PRESETS)
    for name, options, _ in table:
        words = [] if options == "none" else shlex.split(options.strip("`"))
        said = ohpshaw("rules", "show", "oh-pshaw", *words, "--format", "json").out
        assert Rules(**json.loads(said)) == PRESETS[name]


# Named


def test_the_package_names_no_rule_that_there_is_not() -> None:
    named = {path.relative_to(ROOT).as_posix(): ids_in(path.read_text("utf-8")) for path in SOURCES}
    assert {path: ids - set(IDS) for path, ids in named.items() if ids - set(IDS)} == {}
    assert set().union(*named.values()) == set(IDS)


def test_the_documents_name_no_rule_that_there_is_not() -> None:
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        assert ids_in(path.read_text("utf-8")) <= set(IDS), path.name
