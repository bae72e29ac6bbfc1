"""Going on with runs, looking at them, comparing two: `resume`, `status`, `diff`; parts that cannot be relied on."""

import json
import os
import random
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from agent_files import write_agent
from command_line import Command
from ohpshaw_sim.analysis.changes import changes_in_points
from ohpshaw_sim.analysis.run import load_run
from ohpshaw_sim.analysis.tables import standings
from ohpshaw_sim.analysis.writing import write_tables
from ohpshaw_sim.tournament.options import Options
from ohpshaw_sim.tournament.pace import Pace
from ohpshaw_sim.tournament.parts import BLOCKS, PLAN, SETS
from ohpshaw_sim.tournament.resuming import read_run_request
from ohpshaw_sim.tournament.run import play_tournament
from ohpshaw_sim.tournament.runner import Runner
from ohpshaw_sim.tournament.soundness import set_unsound_aside
from ohpshaw_sim.tournament.spec import make_spec

REQUEST = ("greedy", "random", "--players", "3", "--hand-sizes", "1-3", "--block-sets", "2", "--no-progress")


def tables_of(folder: Path) -> dict[str, bytes]:
    write_tables(load_run(folder))
    return {
        path.name: path.read_bytes() for path in (folder / "tables").glob("*.csv") if path.stem != "timing"
    }


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of 60 sets in ten parts."""
    folder = tmp_path_factory.mktemp("source") / "run"
    spec = make_spec(agents=REQUEST[:2], players="3", hand_sizes="1-3", block_sets=2, seed=1, sets=60)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pace, "next_size", lambda *_: 3)
        play_tournament(spec, Options(out=folder, jobs=1))
    return folder


@pytest.fixture
def run(source: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(source, tmp_path / "run"))


def part(run: Path, number: int) -> Path:
    return sorted((run / "parts").iterdir())[number]


def cut_short(run: Path) -> None:
    part(run, 2).write_bytes(part(run, 2).read_bytes()[:-40])


def rename(run: Path) -> None:
    part(run, 2).rename(run / "parts" / "part-00000006-00000008.parquet")


def overlap(run: Path) -> None:
    table = pq.read_table(part(run, 2))
    metadata = {**table.schema.metadata, BLOCKS: b"7-10"}
    pq.write_table(table.replace_schema_metadata(metadata), run / "parts" / "part-00000007-00000010.parquet")


def of_another_plan(run: Path) -> None:
    with pq.ParquetFile(part(run, 2)) as file:
        groups = [file.read_row_group(at) for at in range(file.num_row_groups)]
    schema = groups[0].schema.with_metadata({**groups[0].schema.metadata, PLAN: b"0" * 16})
    with pq.ParquetWriter(part(run, 2), schema) as writer:
        for group in groups:
            writer.write_table(group.replace_schema_metadata(schema.metadata))


def miscount(run: Path) -> None:
    with pq.ParquetFile(part(run, 2)) as file:
        groups = [file.read_row_group(at) for at in range(file.num_row_groups)]
    schema = groups[0].schema.with_metadata({**groups[0].schema.metadata, SETS: b"9"})
    with pq.ParquetWriter(part(run, 2), schema) as writer:
        for group in groups:
            writer.write_table(group.replace_schema_metadata(schema.metadata))


def empty(run: Path) -> None:
    part(run, 2).write_bytes(b"")


@pytest.mark.parametrize(
    ("harm", "why"),
    [
        (cut_short, "is torn or damaged"),
        (empty, "is torn or damaged"),
        (rename, "does not hold the blocks that its name tells"),
        (overlap, "lacks some of its blocks"),
        (of_another_plan, "belongs to another run"),
        (miscount, "does not add up"),
    ],
)
def test_an_unsound_part_is_set_aside_and_played_again(
    ohpshaw: Command, run: Path, source: Path, harm: Callable[[Path], None], why: str
) -> None:
    harm(run)
    said = ohpshaw("resume", run)
    assert f"parquet {why}: set aside in {run / 'aside'}, its blocks are played again" in said.err
    assert len(list((run / "aside").iterdir())) == 1
    assert tables_of(run) == tables_of(source)
    again = ohpshaw("resume", run)
    assert "set aside" not in again.err
    assert "holds this run already" in again.err


def test_no_flipped_bit_changes_a_number(run: Path) -> None:
    plan = json.loads((run / "manifest.json").read_text())["plan_hash"]
    path = part(run, 2)
    for other in (run / "parts").iterdir():
        if other != path:  # each is looked at by itself
            other.unlink()
    whole, expected = path.read_bytes(), pq.read_table(path)
    chance, noticed = random.Random(4), 0
    for _ in range(150):
        data = bytearray(whole)
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        path.write_bytes(data)
        if set_unsound_aside(run / "parts", plan):
            noticed += 1
        else:
            assert pq.read_table(path).equals(expected), "a flip where nothing is stored does no harm"
    assert noticed > 75


def test_a_second_part_of_one_name_is_set_aside_beside_the_first(ohpshaw: Command, run: Path) -> None:
    for _ in range(2):
        cut_short(run)
        ohpshaw("resume", run)
    assert len(list((run / "aside").iterdir())) == 2


def test_a_torn_part_is_no_reason_to_invent_results(ohpshaw: Command, run: Path) -> None:
    cut_short(run)
    for words in (["report", run], ["tournament", *REQUEST, "--seed", "1", "--sets", "60", "--out", run]):
        said = ohpshaw(*words, code=1 if words[0] == "tournament" else 2)
        assert f"`ohpshaw resume {run}` sets it aside" in said.err
    told = ohpshaw("status", run)
    assert "is torn" in told.err
    assert "stopped: 54 of 60" in told.err


def test_a_run_killed_before_its_manifest_was_written_begins_anew(ohpshaw: Command, tmp_path: Path) -> None:
    (tmp_path / "run" / "parts").mkdir(parents=True)
    (tmp_path / "run" / ".lock").touch()
    (tmp_path / "run" / ".tmp-1-manifest.json").write_text("{")
    ohpshaw("tournament", *REQUEST, "--seed", "1", "--sets", "4", "--out", "run")
    assert not list((tmp_path / "run").glob(".tmp-*"))


def test_a_polite_request_to_end_is_a_ctrl_c(
    ohpshaw: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = Runner._count

    def count_and_end(runner: Runner, chunk: object) -> None:
        count(runner, chunk)  # type: ignore[arg-type]  # a chunk
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(Runner, "_count", count_and_end)
    said = ohpshaw(
        "tournament", *REQUEST, "--seed", "1", "--sets", "60", "--jobs", "1", "--out", "run", code=130
    )
    assert said.err.splitlines()[-1] == "  ohpshaw resume run"
    assert "interrupted" in json.loads((tmp_path / "run" / "progress.json").read_text())["state"]
    assert ohpshaw("status", "run").err.startswith("stopped: ")


def test_a_run_grows_by_resume_without_playing_anything_twice(
    ohpshaw: Command, run: Path, tmp_path: Path
) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in (run / "parts").iterdir()}
    ohpshaw("resume", run, "--sets", "90")
    after = {path.name: path.stat().st_mtime_ns for path in (run / "parts").iterdir()}
    assert before.items() <= after.items()
    ohpshaw("tournament", *REQUEST, "--seed", "1", "--sets", "90", "--out", "whole")
    assert tables_of(run) == tables_of(tmp_path / "whole")


def test_tables_of_a_run_that_was_killed_at_its_end_are_made_up_for(ohpshaw: Command, run: Path) -> None:
    ohpshaw("report", run)
    older = tables_of(run)
    ohpshaw("resume", run, "--sets", "90")
    newer = tables_of(run)
    assert newer != older
    for name, text in older.items():
        (run / "tables" / name).write_bytes(text)
    assert "holds this run already" in ohpshaw("resume", run, "--sets", "90").err
    assert {name: (run / "tables" / name).read_bytes() for name in newer} == newer


def test_a_longer_time_that_was_cut_short_is_what_is_gone_on_for(
    ohpshaw: Command, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed while a finished run plays on for five minutes: the rest of these is left."""

    def die(_runner: Runner, _chunk: object) -> None:
        raise MemoryError

    monkeypatch.setattr(Runner, "_count", die)
    with pytest.raises(MemoryError):
        ohpshaw("resume", run, "--for", "5m", "--jobs", "1")
    spec, options = read_run_request(run)
    assert spec.sets is None
    assert options.seconds is not None
    assert 200 < options.seconds <= 300


def test_what_resume_refuses_is_said_in_one_sentence(ohpshaw: Command, run: Path) -> None:
    assert (
        "begun for 60 sets; ask for more than that, not 30"
        in ohpshaw("resume", run, "--sets", "30", code=2).err
    )
    assert "exclude each other" in ohpshaw("resume", run, "--sets", "70", "--for", "1h", code=2).err
    assert "is no run folder" in ohpshaw("resume", run / "parts", code=2).err
    assert "jobs is 0" in ohpshaw("resume", run, "--jobs", "0", "--sets", "90", code=2).err
    manifest = json.loads((run / "manifest.json").read_text())
    (run / "manifest.json").write_text(json.dumps({**manifest, "schema": 2}))
    assert "another version of this package" in ohpshaw("resume", run, code=2).err
    (run / "manifest.json").write_text(json.dumps({"schema": manifest["schema"]}))
    assert "does not say what is played" in ohpshaw("resume", run, code=2).err


def test_an_agents_file_that_is_gone_or_edited_is_named(ohpshaw: Command, tmp_path: Path) -> None:
    agent = write_agent(tmp_path, "lowest")
    ohpshaw("tournament", agent.name, *REQUEST, "--seed", "1", "--sets", "4", "--out", "run")
    text = agent.read_text()
    agent.write_text(text + "# edited")
    assert "lowest.py was edited since it began" in ohpshaw("resume", "run", "--sets", "8", code=2).err
    agent.unlink()
    said = ohpshaw("resume", "run", "--sets", "8", code=2).err
    assert f"an agent's file that is not there: lowest.py, looked for in {tmp_path}" in said
    assert "to go on" not in said
    agent.write_text(text)
    ohpshaw("resume", "run", "--sets", "8")


def test_status_tells_standings_and_facts(ohpshaw: Command, run: Path) -> None:
    told = ohpshaw("status", run)
    assert told.err.startswith("finished: 60 of 60 (100.0%) sets")
    assert "points/round" in told.out
    facts = json.loads(ohpshaw("status", run, "--format", "json").out)
    assert (facts["state"], facts["sets_done"], len(facts["standings"])) == ("finished", 60, 2)
    (run / "progress.json").write_text("{")
    assert ohpshaw("status", run).err == "finished: 60 of 60 (100.0%) sets\n"
    for path in (run / "parts").iterdir():
        path.unlink()
    assert "no part is written yet" in ohpshaw("status", run).err


def test_two_runs_of_the_same_cards_are_compared_block_by_block(
    ohpshaw: Command, run: Path, tmp_path: Path
) -> None:
    ohpshaw(
        "tournament", "greedy", "random+greedy", *REQUEST[2:], "--seed", "1", "--sets", "60", "--out", "other"
    )
    other = tmp_path / "other"
    frame = changes_in_points(load_run(run), load_run(other))
    assert frame["agent"].tolist() == ["greedy", "random -> random+greedy"]
    assert frame["paired"].all()
    points = [standings(load_run(folder)).set_index("agent")["points_per_round"] for folder in (run, other)]
    assert frame["difference"][0] == pytest.approx(points[1]["greedy"] - points[0]["greedy"])
    assert (frame["low"] < frame["difference"]).all()
    told = ohpshaw("diff", run, other)
    assert told.err == "agents: greedy random -> greedy random+greedy\n"
    assert "random -> random+greedy" in told.out.replace("\n ", "")


def test_a_shorter_run_is_compared_on_the_sets_that_both_have(
    ohpshaw: Command, run: Path, tmp_path: Path
) -> None:
    ohpshaw("tournament", *REQUEST, "--seed", "1", "--sets", "20", "--out", "short")
    frame = changes_in_points(load_run(tmp_path / "short"), load_run(run))
    assert frame["paired"].all()
    assert frame["sets_compared"].tolist() == [20, 20]
    assert frame["difference"].tolist() == [0, 0]
    assert frame["low"].isna().all(), "the same blocks: nothing to tell an interval from"
    ohpshaw("tournament", *REQUEST, "--seed", "1", "--sets", "2", "--out", "one")
    single = changes_in_points(load_run(tmp_path / "one"), load_run(run))
    assert single["paired"].tolist() == [True] * len(single)


def test_other_lineups_are_not_taken_for_the_same_cards(ohpshaw: Command, run: Path, tmp_path: Path) -> None:
    """Line-up 0 of one run is another table than line-up 0 of the other, though its number is the same."""
    ohpshaw("tournament", "random", *REQUEST, "--seed", "1", "--sets", "60", "--out", "three")
    words = ["compare", "greedy", "random", "--field", "random", *REQUEST[2:], "--seed", "1"]
    ohpshaw(*words, "--min-sets", "60", "--max-sets", "60", "--out", "arms")
    for name in ("three", "arms"):
        frame = changes_in_points(load_run(run), load_run(tmp_path / name))
        assert not frame["paired"].any()
        change = frame["points_other"] - frame["points_one"]
        assert frame["difference"].tolist() == pytest.approx(change.tolist())
    said = ohpshaw("diff", run, "arms").err
    assert "versus: False -> True" in said
    assert "comparison: none -> " in said


def test_two_runs_of_other_cards_are_independent(ohpshaw: Command, run: Path) -> None:
    ohpshaw("tournament", *REQUEST, "--seed", "2", "--sets", "60", "--out", "other")
    told = json.loads(ohpshaw("diff", run, "other", "--format", "json").out)
    assert not told["same_results"]
    assert {"name": "seed", "one": 1, "other": 2} in told["changes"]
    for row in told["points"]:
        assert not row["paired"]
        assert row["low"] < 0 < row["high"], "the same agents"


def test_equal_runs_are_told_to_be_equal(ohpshaw: Command, run: Path, source: Path) -> None:
    assert ohpshaw("diff", run, source).err == "both runs hold the same results, to the last digit\n"
    assert "is no run folder" in ohpshaw("diff", run, run / "parts", code=2).err
