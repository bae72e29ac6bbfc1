"""What is kept of faults, and what is made of it: limits, lost workers, files, the table, shards, comparisons."""

import itertools
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from deadly import Deadly
from hostile_files import write_hostile
from ohpshaw_sim.analysis.faults import faults
from ohpshaw_sim.analysis.run import load_run
from ohpshaw_sim.analysis.statistics import RatioSums, ratio, share_interval
from ohpshaw_sim.engine.fault import Fault, death
from ohpshaw_sim.engine.interrupts import HOLD
from ohpshaw_sim.engine.sandbox import Sandbox, SandboxLostError
from ohpshaw_sim.errors import ConflictError, MalformedError
from ohpshaw_sim.tournament.casualties import Casualties
from ohpshaw_sim.tournament.chunk import Task
from ohpshaw_sim.tournament.command import repeat_command
from ohpshaw_sim.tournament.deciding import Fold
from ohpshaw_sim.tournament.fault_files import (
    Quarantined,
    leave_out,
    read_quarantine,
    release,
    standing_faults,
    supersede,
    sweep_faults,
    write_faults,
)
from ohpshaw_sim.tournament.limits import Limits, read_size
from ohpshaw_sim.tournament.losses import Loss
from ohpshaw_sim.tournament.merging import merge_runs
from ohpshaw_sim.tournament.options import Options, read_request
from ohpshaw_sim.tournament.parts import FolderError
from ohpshaw_sim.tournament.run import play_tournament
from ohpshaw_sim.tournament.schedule import make_plan
from ohpshaw_sim.tournament.spec import Spec, make_spec
from synthetic_run import write_run

# Limits and requests


@pytest.mark.parametrize(
    ("text", "size"),
    [("2G", 2**31), ("512MB", 2**29), ("1.5 GiB", 3 * 2**29), ("1t", 2**40), ("600000K", 600000 * 1024)],
)
def test_sizes_are_read(text: str, size: int) -> None:
    assert read_size(text) == size


@pytest.mark.parametrize("text", ["2", "G", "-1G", "2 boxes", "100M", "0G", ""])
def test_other_sizes_are_refused(text: str) -> None:
    with pytest.raises(MalformedError, match="memory"):
        read_size(text)


def test_memory_is_shared_out_where_agents_may_forfeit() -> None:
    assert Limits().shared_out(2).memory is None
    assert Limits(memory=5, forfeit=True).shared_out(2).memory == 5
    one, many = (Limits(forfeit=True).shared_out(jobs).memory for jobs in (1, 10**6))
    assert one is not None
    assert many == 2**30
    assert 2**30 <= one <= os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert Limits(seconds=4).patience == 4
    assert Limits(seconds=4, forfeit=True).patience > 4


def test_a_request_says_what_becomes_of_faults(tmp_path: Path) -> None:
    config = tmp_path / "run.toml"
    config.write_text('agents = ["random"]\non_fault = "forfeit"\ntime_limit = 2\nmemory_limit = "2G"\n')
    spec, options = read_request(config, {"seed": 1, "sets": 4}, 8)
    assert (spec.on_fault, options.time_limit, options.memory_limit) == ("forfeit", 2.0, 2**31)
    command = repeat_command(spec, options)
    assert command.endswith("--on-fault forfeit --time-limit 2 --memory-limit 2048M")
    assert options.limits(spec) == Limits(2.0, 2**31, forfeit=True)
    plain = make_spec(agents=["random"], seed=1)
    assert plain.plan_hash() != make_spec(agents=["random"], seed=1, on_fault="forfeit").plan_hash()
    assert "on_fault" not in json.dumps(repeat_command(plain, Options()))
    for key, value in (("on_fault", "shrug"), ("time_limit", 0), ("memory_limit", "much")):
        with pytest.raises(MalformedError):
            read_request(None, {"agents": ("random",), "seed": 1, "sets": 4, key: value}, 8)


# A process of its own


def deed(what: str) -> Any:
    """What an agent may do in its process."""
    if what == "leaves":
        os._exit(3)
    if what == "hangs":
        time.sleep(60)
    if what == "lacks memory":
        raise MemoryError
    return what, os.getpid()


def test_a_process_of_its_own_may_die_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HOLD, "seconds", 0.3)
    sandbox = Sandbox(deed)
    (_, first), (_, second) = sandbox.call("a"), sandbox.call("b")
    assert first == second != os.getpid()
    for what, kind, said in (
        ("leaves", "crash", "exit code 3"),
        ("hangs", "hang", "no answer for 0.3 s"),
        ("lacks memory", "memory", "no memory"),
    ):
        with pytest.raises(SandboxLostError, match=said) as caught:
            sandbox.call(what)
        assert caught.value.kind == kind
        answer, process = sandbox.call("and on")
        assert answer == "and on"
        assert process not in (first, os.getpid())
    sandbox.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


@pytest.mark.parametrize(
    ("code", "waited", "kind", "said"),
    [(4, None, "crash", "exit code 4"), (-11, None, "crash", "SIGSEGV"), (-99, None, "crash", "signal 99"),
     (77, None, "memory", "no memory"), (-9, 5.0, "hang", "gave no answer for 5 s")],
)  # fmt: skip
def test_how_a_process_died_is_told(code: int, waited: float | None, kind: str, said: str) -> None:
    found, what = death(code, waited)
    assert found == kind
    assert said in what


# Lost workers


def loss_of(block: int | None, agent: str | None = "bad", *, located: bool = False) -> Loss:
    fault = Fault(9, 0, 1, 2, 1, 0, "crash", "crashed") if located else None
    return Loss(agent, "crash", "crashed", block, 0, fault)


def test_a_chunk_that_killed_its_worker_is_taken_apart() -> None:
    spec = make_spec(agents=["random"] * 3, players=3, seed=1, sets=64, block_sets=4)
    casualties = Casualties(make_plan(spec), {})
    chunk, alone = Task(spec, 0, 5), Task(spec, 2, 3, one_by_one=True)
    assert casualties.bear(chunk, loss_of(2)) == ([(0, 2), (3, 5)], None)
    assert (casualties.next_suspect(), casualties.next_suspect()) == (2, None)
    assert casualties.bear(alone, loss_of(2, located=True)) == ([], None)
    assert list(casualties.killers) == ["bad"]
    assert casualties.known(0, 5) == ((0, loss_of(2, located=True).fault),)
    assert casualties.known(3, 5) == ()
    casualties.bear(alone, loss_of(2, "worse", located=True))
    assert list(casualties.killers) == ["bad", "worse"], "nobody knew of this one yet"
    casualties.bear(alone, loss_of(2, located=True))
    _, left_out = casualties.bear(alone, loss_of(2, None))
    assert left_out == Quarantined(2, 8, 4, 3, 0, None, "crash", "crashed, 3 times")


def test_a_chunk_that_never_began_to_play_goes_the_same_way() -> None:
    spec = make_spec(agents=["random"] * 3, players=3, seed=1, sets=64, block_sets=4)
    casualties, task = Casualties(make_plan(spec), {}), Task(spec, 4, 6)
    assert casualties.bear(task, loss_of(None)) == ([(5, 6)], None)
    casualties.bear(Task(spec, 4, 5), loss_of(None))
    assert casualties.bear(Task(spec, 4, 5), loss_of(None))[1] is not None


# Files


def test_quarantine_is_kept_in_order_and_let_go(tmp_path: Path) -> None:
    blocks = [Quarantined(at, at * 2, 2, 3, 0, None, "hang", "hung") for at in (7, 3, 5)]
    for block in (*blocks, blocks[0]):
        leave_out(tmp_path, block)
    assert [block.block for block in read_quarantine(tmp_path)] == [3, 5, 7]
    release(tmp_path, since=5)
    assert [block.block for block in read_quarantine(tmp_path)] == [3]
    release(tmp_path)
    assert read_quarantine(tmp_path) == []
    (tmp_path / "quarantine.json").write_text("[{}]")
    with pytest.raises(FolderError, match=r"quarantine\.json cannot be read"):
        read_quarantine(tmp_path)


def line(set_number: int, kind: str = "hang", number: int = 1, lineup: int = 0, **more: Any) -> str:
    told = {"seat": 1, "kind": kind, "decision": 2, "reason": f"{kind} at {set_number}"}
    record = {"players": 3, "dealer": 0, "hand_size": 2, "names": ["a", "b", "c"], "set": set_number}
    return (
        json.dumps({**record, "rotation": 1, "round": number, "lineup": lineup, "forfeits": [told], **more})
        + "\n"
    )


def test_what_stands_is_read_by_block(tmp_path: Path) -> None:
    folder = tmp_path / "faults"
    write_faults(folder, 0, 2, (line(1) + line(3, "illegal") + line(3, "crash", lineup=4)).encode())
    write_faults(folder, 2, 3, b"")
    write_faults(folder, 3, 4, line(7, "memory").encode())
    found = standing_faults(folder, 2, [(0, 9)])
    assert {block: [(number, fault.kind) for number, fault in known] for block, known in found.items()} == {
        0: [(0, "hang")], 1: [(4, "crash")], 3: [(0, "memory")]
    }  # fmt: skip
    assert list(standing_faults(folder, 2, [(2, 4)])) == [3]
    assert found[0][0][1].spot == (1, 1, 0, 1, 2)
    supersede(folder, 0, 3)
    assert [path.name for path in folder.iterdir()] == ["faults-00000003-00000004.jsonl"]
    (folder / ".tmp-1-faults").touch()
    sweep_faults(folder)
    assert len(list(folder.iterdir())) == 1
    (folder / "faults-00000004-00000005.jsonl").write_text("torn")
    with pytest.raises(FolderError, match="cannot be read"):
        standing_faults(folder, 2, [(0, 9)])
    supersede(folder, 0, 9)
    sweep_faults(folder)
    assert not folder.exists()


# The table


@pytest.fixture
def written(tmp_path: Path) -> tuple[Path, pd.DataFrame]:
    """A run of 12 sets in 6 blocks without the last one, and its seat-rounds."""
    agents = {"a": 0.5, "b": 0.5, "c": 0.0}
    log = write_run(tmp_path, agents, players=(3,), hand_sizes=(1, 2), sets=12, block_sets=2, parts=6)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps({**manifest, "on_fault": "forfeit"}))
    (tmp_path / "parts" / "part-00000005-00000006.parquet").unlink()
    return tmp_path, log[log["set"] < 10]


def test_the_table_counts_faults_of_blocks_that_count(written: tuple[Path, pd.DataFrame]) -> None:
    folder, log = written
    own = line(4, "illegal") + line(4, "hang", 2) + line(4, "illegal", 3) + line(2, "illegal")
    write_faults(folder / "faults", 0, 3, own.encode())
    write_faults(folder / "faults", 1, 4, (line(4, "illegal") + line(7, "illegal")).encode())
    write_faults(folder / "faults", 5, 6, line(10, "illegal").encode())
    table = faults(load_run(folder))
    assert table[["agent", "players", "kind", "count"]].to_numpy().tolist() == [
        ["b", 3, "hang", 1], ["b", 3, "illegal", 4]
    ]  # fmt: skip
    row = table.iloc[1]
    assert (row["first_set"], row["first_rotation"], row["first_round"]) == (2, 1, 1)
    assert row["example"] == "illegal at 2"
    rounds = log[log["entrant"] == 1].groupby("set").size()
    forfeited = pd.Series({4: 1, 2: 1, 7: 1}).reindex(
        rounds.index, fill_value=0
    )  # round 3 was a tie-break round
    y, x = forfeited.to_numpy(), rounds.to_numpy()
    estimate = ratio(RatioSums(*(int(value) for value in (y.sum(), x.sum(), y @ y, x @ y, x @ x))))
    assert row["forfeit_share"] == y.sum() / x.sum()
    assert (row["forfeit_share_low"], row["forfeit_share_high"]) == pytest.approx(share_interval(estimate))


def test_a_table_without_faults_is_empty_and_torn_files_are_named(written: tuple[Path, pd.DataFrame]) -> None:
    folder, _ = written
    assert faults(load_run(folder)).empty
    (folder / "faults").mkdir()
    (folder / "faults" / "faults-00000000-00000001.jsonl").write_text("{")
    with pytest.raises(MalformedError, match="cannot be read"):
        faults(load_run(folder))


# Shards and comparisons


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder, before = tmp_path_factory.mktemp("hostile"), Path.cwd()
    write_hostile(folder)
    os.chdir(folder)
    yield folder
    os.chdir(before)


def play(spec: Spec, out: Path, shard: str | None = None) -> Path:
    with Deadly({2, 5}, "random") as executor:
        return play_tournament(spec, Options(out=out, jobs=1, shard=shard), executor=executor).folder


def sums(folder: Path) -> list[str]:
    run = load_run(folder)
    return [getattr(run, name).to_csv() for name in ("totals", "pairs", "counts")] + [faults(run).to_csv()]


def test_shards_are_merged_with_their_faults_and_quarantine(home: Path) -> None:
    spec = make_spec(agents=("random", "hostile_bot.py:one_in=10"), players=3, hand_sizes="1-2", seed=3, sets=16,
                     block_sets=2, on_fault="forfeit")  # fmt: skip
    whole = play(spec, home / "whole")
    shards = [play(spec, home / f"shard {at}", f"{at}/2") for at in (1, 2)]
    assert sorted(block.block for shard in shards for block in read_quarantine(shard)) == [2, 5]
    merged = merge_runs(shards, home / "merged")
    assert merged.missing_blocks == 0
    assert read_quarantine(merged.folder) == read_quarantine(whole)
    assert sums(merged.folder) == sums(whole)
    other = play(
        spec.model_copy(update={"on_fault": "stop", "agents": ("random",) * 2, "sets": 4}),
        home / "stop",
        "2/2",
    )
    with pytest.raises(ConflictError):
        merge_runs([shards[0], other], home / "mixed")


class AfterFour:
    """Decides after the fourth block that it is shown."""

    rule: dict[str, Any] = {}  # noqa: RUF012  # never written to

    def __init__(self) -> None:
        self.seen: list[int] = []

    def take(self, blocks: Any) -> int | None:
        self.seen += blocks.totals.tolist()
        return 4 if len(self.seen) >= 4 else None

    def tell(self) -> str:
        return ""


@pytest.mark.parametrize("order", list(itertools.permutations(["0-1", "2", "3", "4-7"])), ids="/".join)
@pytest.mark.parametrize(("left_out", "end"), [({3}, 5), ({2, 3}, 6), ({2}, 5), (set(), 4)])
def test_a_comparison_passes_over_what_is_left_out(
    order: tuple[str, ...], left_out: set[int], end: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ohpshaw_sim.tournament.deciding._is_of_arms", lambda rows: np.ones(len(rows), bool))
    monkeypatch.setattr("ohpshaw_sim.tournament.deciding._PAIR", "total")
    monkeypatch.setattr("ohpshaw_sim.tournament.deciding._AT", [1, 2, 3, 4])
    decider = AfterFour()
    fold = Fold(decider)
    for word in order:
        first, *last = map(int, word.split("-"))
        if {first} <= left_out:
            fold.pass_over(first)
        else:
            blocks = range(first, (last or [first])[0] + 1)
            fold.add_chunk(
                first, blocks[-1] + 1, np.array([[0, block, 1, block * 10, 0] for block in blocks])
            )
    assert fold.end == end
    taken = [block for block in range(8) if block not in left_out]
    assert decider.seen[:4] == [block * 10 for block in taken[:4]]
