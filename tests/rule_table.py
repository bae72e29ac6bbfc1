"""Which tests show which rule, read from the `rule` markers of the tests themselves.

python tests/rule_table.py            the table, for people
python tests/rule_table.py --write    renews it in docs/rules.md, between the two comments there
python tests/rule_table.py --json     for `test_rule_table.py`
"""

import contextlib
import io
import json
import os
import sys
from collections import defaultdict
from pathlib import Path
from typing import Final, TypeAlias

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
DOCUMENT: Final = ROOT / "docs" / "rules.md"
IDS: Final = (*(f"B{number}" for number in range(1, 17)), *(f"V{number}" for number in range(1, 18)))
BEGIN: Final = "<!-- tests, written by python tests/rule_table.py --write -->"
END: Final = "<!-- end of tests -->"
REFEREE: Final = "test_reference"
"""What the names of files begin with that test the referee alone."""
WIDTH: Final = 80
_INDENT: Final = " " * 7

Shown: TypeAlias = dict[str, list[str]]
"""By id, the tests that carry it, as `file.py::test_name`, in order and each once."""


class Collector:
    """A plugin of pytest that notes the ids of every test that is collected."""

    def __init__(self) -> None:
        self.found: dict[str, set[str]] = defaultdict(set)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            name = f"{item.path.name}::{getattr(item, 'originalname', item.name)}"
            for mark in item.iter_markers("rule"):
                for given in mark.args:
                    self.found[str(given)].add(name)


def collect() -> Shown:
    """Collect all tests in this process. Raises RuntimeError, with what pytest says, when that fails."""
    os.environ.pop("PYTEST_ADDOPTS", None)
    collector, said = Collector(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = pytest.main(
            ["--collect-only", "-q", "-p", "no:cacheprovider", "--rootdir", str(ROOT), str(ROOT / "tests")],
            plugins=[collector],
        )
    if code != pytest.ExitCode.OK:
        raise RuntimeError(said.getvalue())
    return {rule: sorted(tests) for rule, tests in sorted(collector.found.items(), key=_place)}


def _place(found: tuple[str, object]) -> tuple[int, str]:
    """Known ids in their order, unknown ones last."""
    rule, _ = found
    return (IDS.index(rule) if rule in IDS else len(IDS)), rule


def as_text(shown: Shown) -> str:
    """The table for a terminal."""
    lines = []
    for rule in [*IDS, *(rule for rule in shown if rule not in IDS)]:
        for number, test in enumerate(shown.get(rule, ["none"])):
            head = f"{rule if number == 0 else '':<5}"
            file, _, name = test.partition("::")
            whole = f"{head}{test}"
            lines += [whole] if len(whole) <= WIDTH else [f"{head}{file}::", *_wrapped(name)]
    return "\n".join(lines) + "\n"


def _wrapped(name: str) -> list[str]:
    """A name over as many lines as it needs, broken after an underscore."""
    lines = [""]
    for piece in name.replace("_", "_ ").split():
        if len(lines[-1]) + len(piece) > WIDTH - len(_INDENT):
            lines.append("")
        lines[-1] += piece
    return [_INDENT + line for line in lines]


def as_block(shown: Shown) -> str:
    """The table for the document, its comments included."""
    parts = []
    for rule in IDS:
        tests = "\n".join(f"- `{test}`" for test in shown.get(rule, []))
        parts.append(f"### {rule}\n\n{tests}\n")
    return "\n".join([BEGIN, "", *parts, END])


def block_of(text: str) -> str:
    """The table that stands in the document's text. Raises ValueError when a comment is missing."""
    begin, end = text.index(BEGIN), text.index(END) + len(END)
    return text[begin:end]


def main() -> None:
    """Print the table, or write it."""
    shown = collect()
    if "--json" in sys.argv:
        print(json.dumps(shown))
    elif "--write" in sys.argv:
        text = DOCUMENT.read_text("utf-8")
        DOCUMENT.write_text(text.replace(block_of(text), as_block(shown)), "utf-8")
    else:
        print(as_text(shown), end="")


if __name__ == "__main__":
    main()
