"""What goes along to workers elsewhere, and how they are told apart: without a cluster."""

import importlib
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent_files import write_agent
from ohpshaw_sim.brought import at_hand
from ohpshaw_sim.errors import ClusterError, MalformedError
from ohpshaw_sim.interface.discovery import resolve
from ohpshaw_sim.tournament import far, luggage
from ohpshaw_sim.tournament.chunk import Task, play_task
from ohpshaw_sim.tournament.dask_crew import check_target, connect
from ohpshaw_sim.tournament.dask_pool import _difference
from ohpshaw_sim.tournament.limits import Limits
from ohpshaw_sim.tournament.luggage import Luggage, files_of, pack, unpress
from ohpshaw_sim.tournament.options import read_request
from ohpshaw_sim.tournament.spec import make_spec


def in_a_thread(function: Callable[[], Any]) -> Any:
    """What a function returns in a thread of its own, where nothing that it brings stays behind."""
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(function()))
    thread.start()
    thread.join()
    return found[0]


def elsewhere(packed: bytes, folder: Path, function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function returns where nothing but luggage has arrived."""
    files = unpress(packed).unpack(folder)
    return in_a_thread(lambda: far.call_with(files, function, arguments))


def test_an_agents_file_is_the_same_module_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, away = tmp_path / "home", tmp_path / "away"
    home.mkdir()
    away.mkdir()
    lowest = write_agent(home, "lowest").read_text()
    (home / "bot.py").write_text("import first_helper\n" + lowest)
    (home / "first_helper.py").write_text("from second_helper import *\n")
    (home / "second_helper.py").write_text("import first_helper\n")
    (home / "stranger.py").write_text("raise RuntimeError\n")
    monkeypatch.chdir(home)
    spec = make_spec(agents=["bot.py+random", "lowest.py"], seed=1)
    files = files_of(spec)
    assert [file.name for file in files] == ["bot.py", "lowest.py", None, None]
    packed = pack(Luggage(files, False, Limits()))[1]
    here = resolve("bot.py+random")
    for file in list(home.iterdir()):
        if file.is_file():
            file.unlink()
    monkeypatch.chdir(away)
    there = elsewhere(packed, away, resolve, "bot.py+random")
    assert there.name == here.name
    modules = [type(one.bidder.agent).__module__ for one in (here, there)]  # type: ignore[union-attr]
    assert modules[0] == modules[1]
    assert at_hand("bot.py").copy == Path("bot.py")


def test_files_of_deals_go_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    deal = {"players": 3, "dealer": 2, "hand_size": 2, "turn_up": "7H", "hands": ["AS 3H", "KS 4D", "2S 5C"]}
    Path("deals.jsonl").write_text(json.dumps(deal) + "\n")
    spec, _ = read_request(None, {"agents": ["random"], "deals": "deals.jsonl", "seed": 1}, 1)
    packed = pack(Luggage(files_of(spec), True, Limits()))[1]
    here = play_task(Task(spec, 0, 1))
    Path("deals.jsonl").unlink()
    there = elsewhere(packed, tmp_path / "away", play_task, Task(spec, 0, 1))
    assert (there.rows == here.rows).all()


def test_luggage_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(luggage, "MOST_BYTES", 100)
    spec = make_spec(agents=[str(write_agent(tmp_path, "lowest"))], seed=1)
    with pytest.raises(ClusterError, match=r"lowest\.py is too large to be sent along"):
        pack(Luggage(files_of(spec), False, Limits()))


def test_a_worker_of_another_version_plays_nothing() -> None:
    """Whatever it was called for, it answers with what it is, before it looks at the call."""
    marks = far.marks()
    assert {"python", "ohpshaw-sim", "numpy", "numba", "sources of ohpshaw-sim"} <= set(marks)
    answer = far.call({**marks, "numba": "0.1"}, "key", b"no luggage", b"no call")
    assert answer == ("unfit", marks)
    assert _difference({**marks, "numba": "0.1"}, marks) == f"numba {marks['numba']} instead of 0.1"
    assert _difference(marks, marks) == ""
    assert "no such version" in _difference(marks, ModuleNotFoundError("No module named 'ohpshaw_sim'"))


@pytest.mark.parametrize("target", ["nonsense", "local:0", "local:", "tcp://", "", "here.json"])
def test_what_is_no_cluster_is_refused(target: str) -> None:
    with pytest.raises(MalformedError, match="address of a scheduler"):
        check_target(target)


def test_a_file_of_no_scheduler_is_refused(tmp_path: Path) -> None:
    (tmp_path / "scheduler.json").write_text("{}")
    with pytest.raises(ClusterError, match="is no scheduler file: it names no address"):
        connect(str(tmp_path / "scheduler.json"))


def test_without_the_extra_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_there(name: str) -> Any:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(importlib, "import_module", none_there)
    with pytest.raises(ClusterError, match=r"pip install 'ohpshaw-sim\[dask\]'"):
        connect("local:1")
