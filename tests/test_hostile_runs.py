"""Runs with hostile agents of users, in worker processes: they come to their end, and every fault is counted."""

import csv
import json
import os
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from command_line import Command
from hostile_files import write_hostile
from ohpshaw_sim.analysis.run import load_run
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
    "looping_bot.py": ("hang", "gave no answer for 0.6 s"),
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


def tables_of(folder: Path) -> dict[str, str]:
    run = load_run(folder)
    write_tables(run)
    found = {
        path.name: path.read_text() for path in (folder / "tables").glob("*.csv") if path.stem != "timing"
    }
    for number, name in enumerate(run.entrants):  # other names, the same numbers
        found = {
            file: text.replace(f'"{name}"', f"#{number}").replace(name, f"#{number}")
            for file, text in found.items()
        }
    return {file: "\n".join(sorted(text.splitlines())) for file, text in found.items()}


ALL: dict[str, Any] = {"players": 7, "sets": 4}


@pytest.fixture(scope="module")
def all_sorts(home: Path) -> Path:
    """A run at which every kind of hostile agent sits at the same table."""
    agents = [*(f"hostile_bot.py:deed={deed}" for deed in DEEDS), "looping_bot.py"]
    outcome = play(spec_of(*agents, **ALL), home / "all", jobs=2)
    assert outcome.state is State.FINISHED
    assert outcome.sets_played == 4
    return outcome.folder


@pytest.fixture(scope="module")
def twin(home: Path) -> Path:
    """The same run with agents that raise at the same decisions, and cost nothing else."""
    agents = [*(["hostile_bot.py"] * 6), "looping_bot.py:raises=true"]
    return play(spec_of(*agents, **ALL), home / "twin").folder


def test_every_fault_of_every_kind_is_counted(all_sorts: Path, twin: Path) -> None:
    assert spots(records_in(all_sorts)) == spots(records_in(twin))
    counts: Counter[str] = Counter()
    for record in records_in(all_sorts):
        for told in record["forfeits"]:
            name = record["names"][told["seat"]].removeprefix("hostile_bot.py:deed=")
            assert (told["kind"], told["reason"]) == SAID[name]
            counts[name] += 1
    assert set(counts) == set(SAID)
    assert not (all_sorts / "quarantine.json").exists()
    write_tables(load_run(all_sorts))
    with (all_sorts / "tables" / "faults.csv").open() as file:
        rows = list(csv.DictReader(file))
    told_of = {
        (row["agent"].removeprefix("hostile_bot.py:deed="), row["kind"]): int(row["count"]) for row in rows
    }
    assert told_of == {(name, SAID[name][0]): count for name, count in counts.items()}


def test_how_an_agent_fails_changes_no_other_figure(all_sorts: Path, twin: Path) -> None:
    """However many workers died over it, and with one job or two."""
    one, other = tables_of(all_sorts), tables_of(twin)
    for name in one.keys() - {"faults.csv"}:
        assert one[name] == other[name], name


def test_the_command_replays_what_went_wrong_and_says_so(
    all_sorts: Path, home: Path, ohpshaw: Command
) -> None:
    told = ohpshaw("replay", all_sorts / "faults", "--brief", where=home)
    assert len(told.out.splitlines()) == len(records_in(all_sorts))
    account = ohpshaw("replay", all_sorts / "faults", where=home).out
    assert account.count("forfeited") == len(spots(records_in(all_sorts)))
    assert "gave no answer for 0.6 s; the rest is random" in " ".join(account.split())
    again = ohpshaw(
        *(
            "tournament",
            *(f"hostile_bot.py:deed={deed}" for deed in DEEDS),
            "looping_bot.py",
            "--players",
            "7",
        ),
        *("--hand-sizes", "1-2", "--sets", "4", "--block-sets", "2", "--seed", "5", "--on-fault", "forfeit"),
        *("--out", all_sorts, "--no-progress"),
        code=3,
        where=home,
    )
    assert "holds this run already" in again.err
    assert "faults of" in again.out
    assert max(map(len, again.out.splitlines())) <= 80


def test_another_choice_is_another_run(all_sorts: Path) -> None:
    agents = [*(f"hostile_bot.py:deed={deed}" for deed in DEEDS), "looping_bot.py"]
    with pytest.raises(ConflictError, match=r"another choice of --on-fault \(it began with forfeit\)"):
        play(spec_of(*agents, **ALL, on_fault="stop"), all_sorts, resume=True)


def test_time_outs_that_are_stored_stand(home: Path, tmp_path: Path) -> None:
    """An agent that is slow today and quick tomorrow: what was played again keeps yesterday's time-outs."""
    flag = home / "quick"
    spec = spec_of("random", f"hostile_bot.py:deed=hangs,one_in=60,flag={flag}")
    play(spec, home / "slow")
    expected, faults = tables_of(home / "slow"), records_in(home / "slow")
    assert {told["kind"] for one in faults for told in one["forfeits"]} == {"hang"}
    shutil.copytree(home / "slow", tmp_path / "torn")
    for part in (tmp_path / "torn" / "parts").glob("part-*"):
        part.unlink()
    flag.touch()
    play(spec, tmp_path / "torn", resume=True)
    assert records_in(tmp_path / "torn") == faults
    assert tables_of(tmp_path / "torn") == expected
    play(spec, home / "fast")
    assert records_in(home / "fast") == []
    assert tables_of(home / "fast") != expected


def test_a_block_that_kills_three_workers_is_left_out(home: Path, ohpshaw: Command) -> None:
    """It kills them before any decision is asked for, in the short last block alone."""
    flag = home / "ready"
    agents = ("random", f"hostile_bot.py:deed=unready,flag={flag}")
    spec = spec_of(*agents, sets=8, block_sets=3, players=3)
    outcome = play(spec, home / "left out", time_limit=5)
    assert (outcome.state, outcome.sets_played) == (State.FINISHED, 6)
    (block,) = read_quarantine(outcome.folder)
    assert (block.block, block.first_set, block.sets, block.kind) == (2, 6, 2, "crash")
    assert block.agent == agents[1]
    assert block.reason == "crashed its worker process (exit code 5), 3 times"
    assert play(spec, outcome.folder).state is State.ALREADY_THERE
    said = ohpshaw("resume", outcome.folder, "--no-progress", code=3, where=home)
    assert "quarantine" in said.out
    assert "--retry-quarantined" in said.err
    flag.touch()
    ohpshaw("resume", outcome.folder, "--no-progress", "--retry-quarantined", where=home)
    assert read_quarantine(outcome.folder) == []
    play(spec, home / "ready run", time_limit=5)
    assert tables_of(outcome.folder) == tables_of(home / "ready run")


def test_a_run_without_a_block_left_says_so(home: Path) -> None:
    spec = spec_of("random", "hostile_bot.py:deed=unready,flag=none", sets=2)
    with pytest.raises(AgentLostError, match=r"every block of .* is in quarantine"):
        play(spec, home / "nothing", time_limit=5)


def test_a_chunk_played_here_has_the_same_faults(home: Path, twin: Path) -> None:
    """Without workers: a pure function of its task."""
    del home
    spec = Spec(**load_run(twin).manifest["spec"])
    chunk = play_task(Task(spec, 0, 2))
    here = [json.loads(line) for line in chunk.faults.decode().splitlines()]
    assert here == records_in(twin)
