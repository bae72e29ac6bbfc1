"""Runs with hostile agents of users, in worker processes: they come to their end, and every fault is counted."""

import csv
import json
import os
import shutil
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from command_line import Command
from deadly import Deadly
from hostile_files import write_hostile
from ohpshaw_sim.analysis.run import load_run
from ohpshaw_sim.analysis.tables import make_tables
from ohpshaw_sim.analysis.writing import write_tables
from ohpshaw_sim.errors import ConflictError
from ohpshaw_sim.tournament.chunk import Task, play_task
from ohpshaw_sim.tournament.fault_files import read_quarantine
from ohpshaw_sim.tournament.losses import AgentLostError
from ohpshaw_sim.tournament.options import Options
from ohpshaw_sim.tournament.run import Outcome, State, play_tournament
from ohpshaw_sim.tournament.spec import Spec, make_spec

DEEDS = ("illegal", "hangs", "quits", "leaves", "killed", "hoards")
SAID = {
    "illegal": ("illegal", "answered 77, which is illegal"),
    "hangs": ("hang", "gave no answer for 0.6 s"),
    "quits": ("crash", "raised SystemExit: 4"),
    "leaves": ("crash", "crashed its worker process (exit code 4)"),
    "killed": ("crash", "crashed its worker process (signal SIGKILL)"),
    "hoards": ("memory", "raised MemoryError"),
    "looping_bot": ("hang", "gave no answer for 0.6 s"),
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the agents' files, and in it."""
    folder, before = tmp_path_factory.mktemp("hostile"), Path.cwd()
    write_hostile(folder)
    os.chdir(folder)
    yield folder
    os.chdir(before)


def spec_of(*agents: str, **values: Any) -> Spec:
    shape = {"players": 3, "hand_sizes": "1-2", "seed": 5, "sets": 6, "block_sets": 2, "on_fault": "forfeit"}
    return make_spec(agents=agents, **{**shape, **values})


def play(spec: Spec, out: Path, *, resume: bool = False, **how: Any) -> Outcome:
    limits = {"time_limit": 0.6, "memory_limit": "1G", "jobs": 1, **how}
    return play_tournament(spec, Options(out=out, **limits), resume=resume)


def play_here(spec: Spec, out: Path, jobs: int = 1, **how: Any) -> Outcome:
    """Play in this process: for agents that do it no harm."""
    with ThreadPoolExecutor(jobs) as executor:
        return play_tournament(
            spec, Options(out=out, jobs=jobs, **how), executor=executor, resume=(out.exists())
        )


def short(name: str) -> str:
    """What a hostile agent does."""
    return name.partition("deed=")[2] or name.partition(".")[0]


def records_in(folder: Path) -> list[dict[str, Any]]:
    files = sorted((folder / "faults").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def spots(records: list[dict[str, Any]]) -> list[tuple[int, ...]]:
    found = [
        (one["set"], one["rotation"], one["round"], told["seat"], told["decision"])
        for one in records
        for told in one["forfeits"]
    ]
    return sorted(found)


def sums_of(folder: Path) -> dict[str, str]:
    """What all tables are made of, entrants by their numbers."""
    run = load_run(folder)
    return {
        name: getattr(run, name).to_csv() for name in ("totals", "hand_size", "position", "pairs", "counts")
    }


ALL: dict[str, Any] = {"players": 7, "sets": 2, "seed": 13}
EVERYBODY = (*(f"hostile_bot.py:one_in=60,deed={deed}" for deed in DEEDS), "looping_bot.py:one_in=60")
"""Rare enough that not many workers must be begun anew; by this seed each of them fails three times at least."""


@pytest.fixture(scope="module")
def all_sorts(home: Path) -> Path:
    """A run at which every kind of hostile agent sits at the same table."""
    outcome = play(spec_of(*EVERYBODY, **ALL), home / "all")
    assert outcome.state is State.FINISHED
    assert outcome.sets_played == 2
    return outcome.folder


@pytest.fixture(scope="module")
def twin(home: Path) -> Path:
    """The same run with agents that raise at the same decisions, and do no other harm; played in this process."""
    agents = (*["hostile_bot.py:one_in=60"] * 6, "looping_bot.py:one_in=60,raises=true")
    return play_here(spec_of(*agents, **ALL), home / "twin").folder


def test_every_fault_of_every_kind_is_counted(all_sorts: Path, twin: Path) -> None:
    assert spots(records_in(all_sorts)) == spots(records_in(twin))
    counts: Counter[str] = Counter()
    for record in records_in(all_sorts):
        for told in record["forfeits"]:
            name = short(record["names"][told["seat"]])
            kind, reason = SAID[name]
            assert told["kind"] == kind
            assert told["reason"].startswith(reason)
            counts[name] += 1
    assert set(counts) == set(SAID)
    assert min(counts.values()) >= 3
    assert not (all_sorts / "quarantine.json").exists()
    write_tables(load_run(all_sorts))
    with (all_sorts / "tables" / "faults.csv").open() as file:
        rows = list(csv.DictReader(file))
    told_of = {(short(row["agent"]), row["kind"]): int(row["count"]) for row in rows}
    assert told_of == {(name, SAID[name][0]): count for name, count in counts.items()}


def test_how_an_agent_fails_changes_no_other_figure(all_sorts: Path, twin: Path) -> None:
    """However many workers died over it, and with one job or two."""
    assert sums_of(all_sorts) == sums_of(twin)


def test_the_command_replays_what_went_wrong_and_says_so(
    all_sorts: Path, home: Path, ohpshaw: Command
) -> None:
    told = ohpshaw("replay", all_sorts / "faults", "--brief", where=home)
    assert len(told.out.splitlines()) == len(records_in(all_sorts))
    account = ohpshaw("replay", all_sorts / "faults", where=home).out
    assert account.count("forfeited") == len(spots(records_in(all_sorts)))
    assert "gave no answer for 0.6 s; the rest is random" in " ".join(account.split())
    write_tables(load_run(all_sorts))
    (all_sorts / "report.html").touch()  # pictures take long
    (all_sorts / "plots").mkdir()
    (all_sorts / "plots" / "standings.png").touch()
    again = ohpshaw("resume", all_sorts, "--no-progress", code=3, where=home)
    assert "holds this run already" in again.err
    assert "faults of" in again.out
    assert max(map(len, again.out.splitlines())) <= 80
    table = json.loads(ohpshaw("resume", all_sorts, "--format", "json", code=3, where=home).out)
    assert sum(row["count"] for row in table["faults"]) == len(spots(records_in(all_sorts)))


def test_another_choice_is_another_run(all_sorts: Path) -> None:
    with pytest.raises(ConflictError, match=r"another choice of --on-fault \(it began with forfeit\)"):
        play(spec_of(*EVERYBODY, **ALL, on_fault="stop"), all_sorts, resume=True)


def test_time_outs_that_are_stored_stand(home: Path, tmp_path: Path) -> None:
    """An agent that is slow today and quick tomorrow: what was played again keeps yesterday's time-outs."""
    flag = home / "quick"
    spec = spec_of("random", f"hostile_bot.py:deed=hangs,one_in=20,flag={flag}")
    play(spec, home / "slow")
    expected, faults = sums_of(home / "slow"), records_in(home / "slow")
    assert {told["kind"] for one in faults for told in one["forfeits"]} == {"hang"}
    shutil.copytree(home / "slow", tmp_path / "torn")
    for part in (tmp_path / "torn" / "parts").glob("part-*"):
        part.unlink()
    flag.touch()
    play_here(spec, tmp_path / "torn")
    assert records_in(tmp_path / "torn") == faults
    assert sums_of(tmp_path / "torn") == expected
    play_here(spec, home / "fast")
    assert records_in(home / "fast") == []
    assert sums_of(home / "fast") != expected


def play_deadly(spec: Spec, out: Path, executor: Deadly, **how: Any) -> Outcome:
    with executor:
        return play_tournament(spec, Options(out=out, jobs=1, **how), executor=executor, resume=out.exists())


@pytest.mark.parametrize("agent", ["hostile_bot.py", None])
def test_a_block_that_kills_three_workers_is_left_out(home: Path, tmp_path: Path, agent: str | None) -> None:
    spec = spec_of("random", "hostile_bot.py:one_in=10", sets=11)
    executor = Deadly({2, 5}, agent)
    outcome = play_deadly(spec, tmp_path / "run", executor)
    assert (outcome.state, outcome.sets_played) == (State.FINISHED, 8), "the last block has a single set"
    first, second = read_quarantine(outcome.folder)
    assert (first.block, first.first_set, first.sets, first.players, first.agent) == (2, 4, 2, 3, agent)
    assert (second.block, second.sets, second.reason) == (5, 1, "crashed its worker process, 3 times")
    careful = [task for task in executor.played if task.one_by_one]
    assert [(task.first, task.end) for task in careful] == [(2, 3), (2, 3), (5, 6), (5, 6)]
    assert play_deadly(spec, outcome.folder, Deadly(set())).state is State.ALREADY_THERE
    table = make_tables(load_run(outcome.folder))["faults"]
    row = table[table["kind"] == "quarantine"].iloc[0]
    assert (row["count"], row["players"], row["first_set"]) == (2, 3, 4)
    assert row["agent"] == agent or agent is None
    longer = spec.model_copy(update={"sets": 12})
    play_deadly(longer, outcome.folder, again := Deadly(set()))
    assert [task.first for task in again.played] == [5], "the last block has become a longer one"
    play_deadly(longer, outcome.folder, again := Deadly(set()), retry_quarantined=True)
    assert [task.first for task in again.played] == [2]
    assert not (outcome.folder / "quarantine.json").exists()
    whole = play_here(longer, home / f"whole {agent}").folder
    assert sums_of(outcome.folder) == sums_of(whole)
    assert sorted(map(str, records_in(outcome.folder))) == sorted(map(str, records_in(whole)))


def test_a_worker_that_dies_twice_costs_nothing(home: Path, tmp_path: Path) -> None:
    spec = spec_of("random", "hostile_bot.py:one_in=10", sets=8)
    outcome = play_deadly(spec, tmp_path / "run", Deadly({1}, deaths=2))
    assert outcome.sets_played == 8
    assert sums_of(outcome.folder) == sums_of(play_here(spec, home / "undisturbed").folder)


def test_a_run_for_a_time_ends_without_a_hole(tmp_path: Path) -> None:
    """Blocks that have killed a worker are played to their end, though time is up."""
    spec = spec_of("random", "hostile_bot.py:one_in=10", sets=None)
    outcome = play_deadly(spec, tmp_path / "run", Deadly({1}), seconds=0.5)
    blocks = load_run(outcome.folder).manifest["sets"] // 2
    assert outcome.sets_played == 2 * blocks - 2 * (blocks > 1)


def test_a_run_without_a_block_left_says_so(tmp_path: Path) -> None:
    spec = spec_of("random", "hostile_bot.py", sets=2)
    with pytest.raises(AgentLostError, match=r"every block of .* is in quarantine"):
        play_deadly(spec, tmp_path / "run", Deadly({0}))


def test_under_stop_a_lost_worker_ends_the_run(tmp_path: Path) -> None:
    spec = spec_of("random", "random+random", sets=2, on_fault="stop")
    with pytest.raises(AgentLostError, match="agent 'x' crashed its worker process"):
        play_deadly(spec, tmp_path / "run", Deadly({0}, "x"))
    assert not (tmp_path / "run").exists()


def test_faults_are_the_same_for_any_jobs_and_cut(home: Path, twin: Path) -> None:
    spec = Spec(**{**load_run(twin).manifest["spec"], "block_sets": 1, "sets": 4})
    folder = play_here(spec, home / "two jobs", jobs=2).folder
    chunk = play_task(Task(spec, 0, 4))
    assert [json.loads(line) for line in chunk.faults.decode().splitlines()] == records_in(folder)
    assert records_in(twin) == [one for one in records_in(folder) if one["set"] < 2]
    assert [json.loads(line)["set"] for line in play_task(Task(spec, 2, 4)).faults.splitlines()] == [
        one["set"] for one in records_in(folder) if one["set"] >= 2
    ]
