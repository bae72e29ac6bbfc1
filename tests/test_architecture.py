"""The floors of the house: imports go down only, and only the command line imports late."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FLOORS = {
    "brought": 0,
    "cards": 0,
    "errors": 0,
    "reading": 0,
    "rule_text": 0,
    "rules": 0,
    "kernels": 1,
    "interface": 2,
    "engine": 3,
    "records": 4,
    "exact": 4,
    "tournament": 5,
    "analysis": 5,
    "charts": 6,
    "report": 7,
    "comparing": 7,
    "studies": 7,
    "api": 8,
    "cli": 8,
}
AGENTS_FLOOR = 2
MODULES = sorted((ROOT / "ohpshaw_sim").rglob("*.py"))
AGENTS = sorted((ROOT / "agents" / "ohpshaw_agents").rglob("*.py"))


def room_of(module: str) -> str:
    """The room that a dotted name of ours belongs to."""
    return module.split(".")[1] if "." in module else ""


def imported(tree: ast.AST) -> list[tuple[str, int]]:
    """Names of our own modules that are imported anywhere below a node, with their lines."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"line {node.lineno}: relative imports hide the floor"
            found += [(f"{node.module}.{alias.name}", node.lineno) for alias in node.names]
    return [(name, line) for name, line in found if name.split(".")[0] in ("ohpshaw_sim", "ohpshaw_agents")]


def names(paths: list[Path]) -> list[str]:
    return [path.relative_to(ROOT).as_posix() for path in paths]


@pytest.mark.parametrize("path", MODULES, ids=names(MODULES))
def test_imports_go_down_only(path: Path) -> None:
    parts = path.relative_to(ROOT / "ohpshaw_sim").with_suffix("").parts
    if parts == ("__init__",):
        pytest.skip("the front door names everything and imports nothing until it is used")
    own, floor = parts[0], FLOORS[parts[0]]
    for name, line in imported(ast.parse(path.read_text("utf-8"))):
        assert not name.startswith("ohpshaw_agents"), f"{path}:{line} agents are found by name"
        room = room_of(name)
        if room not in FLOORS:
            assert own in ("cli", "api") or name.endswith("__version__"), f"{path}:{line} imports {name}"
            continue
        below = FLOORS[room] < floor or FLOORS[room] == floor == 0
        assert room == own or below, f"{path}:{line} imports {name}, which is not below {own}"


@pytest.mark.parametrize("path", AGENTS, ids=names(AGENTS))
def test_agents_stand_on_the_interface(path: Path) -> None:
    for name, line in imported(ast.parse(path.read_text("utf-8"))):
        if name.startswith("ohpshaw_agents"):
            continue
        assert FLOORS[room_of(name)] <= AGENTS_FLOOR, f"{path}:{line} imports {name}"


@pytest.mark.parametrize("path", [*MODULES, *AGENTS], ids=names([*MODULES, *AGENTS]))
def test_only_the_command_line_imports_inside_functions(path: Path) -> None:
    if "cli" in path.parts:
        return
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef):
            late = [
                inner.lineno for inner in ast.walk(node) if isinstance(inner, ast.Import | ast.ImportFrom)
            ]
            assert not late, f"{path}:{late[0]} imports inside {node.name}: something is on the wrong floor"


def test_the_agents_folder_is_no_package() -> None:
    assert not (ROOT / "agents" / "__init__.py").exists()  # it would shadow the openai-agents package


@pytest.mark.parametrize("path", [*MODULES, *AGENTS], ids=names([*MODULES, *AGENTS]))
def test_modules_stay_small(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 260, "one idea per file: split it"
