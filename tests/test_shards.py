"""Shards of a run, and what they are merged to: the same to the byte as the run in one piece, or refused."""

import functools
import itertools
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import in_this_process
from ohpshaw_sim.analysis.run import load_run
from ohpshaw_sim.analysis.writing import write_tables
from ohpshaw_sim.cli import results
from ohpshaw_sim.errors import ConflictError, MalformedError
from ohpshaw_sim.tournament import compaction, store
from ohpshaw_sim.tournament.merging import merge_runs
from ohpshaw_sim.tournament.options import Options, read_request
from ohpshaw_sim.tournament.pace import Pace
from ohpshaw_sim.tournament.parts import FolderError
from ohpshaw_sim.tournament.resuming import read_run_request
from ohpshaw_sim.tournament.run import State, play_tournament
from ohpshaw_sim.tournament.schedule import make_plan
from ohpshaw_sim.tournament.shards import Shard, check_share, common, sets_planned
from ohpshaw_sim.tournament.spec import Spec, make_spec
from ohpshaw_sim.tournament.standing import standing_of

SHARDS = 8


def spec_of(**values: Any) -> Spec:
    request = {"players": "3-4", "hand_sizes": "1-2", "seed": 5, "block_sets": 2, "sets": 63, **values}
    return make_spec(agents=("random", "random+random", "random"), **request)


def play(folder: Path, spec: Spec | None = None, shard: str | None = None, **how: Any) -> Path:
    resume = how.pop("resume", False)
    outcome = play_tournament(
        spec or spec_of(), Options(out=folder, shard=shard, jobs=1, **how), resume=resume
    )
    assert outcome.state is State.FINISHED
    return folder


def tables_of(folder: Path) -> dict[str, bytes]:
    write_tables(load_run(folder))
    tables = (folder / "tables").glob("*.csv")
    return {path.name: path.read_bytes() for path in tables if path.name != "timing.csv"}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("whole") / "run")


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("shards")
    return [play(folder / f"{one}", shard=f"{one}/{SHARDS}") for one in range(1, SHARDS + 1)]


@given(count=st.integers(1, 40), blocks=st.integers(0, 3000), more=st.integers(0, 500))
def test_every_block_is_in_one_shard_and_stays_there(count: int, blocks: int, more: int) -> None:
    owner: dict[int, int] = {}
    for number in range(1, count + 1):
        spans = Shard(number, count).spans(blocks)
        assert all(first < end for first, end in spans)
        assert all(one[1] < other[0] for one, other in itertools.pairwise(spans))
        for block in (block for first, end in spans for block in range(first, end)):
            assert block not in owner
            owner[block] = number
        grown = Shard(number, count).spans(blocks + more)
        assert common(grown, [(0, blocks)]) == spans
    assert sorted(owner) == list(range(blocks))


@pytest.mark.parametrize("blocks", [100, 1000, 12_345, 10**6])
def test_shards_are_even_and_in_few_pieces(blocks: int) -> None:
    spans = [Shard(number, 8).spans(blocks) for number in range(1, 9)]
    shares = [sum(end - first for first, end in one) for one in spans]
    assert max(shares) - min(shares) <= 1 + max(shares) / 8
    assert max(len(one) for one in spans) <= 130


@given(
    st.lists(st.integers(0, 30), unique=True, max_size=12),
    st.lists(st.integers(0, 30), unique=True, max_size=12),
)
def test_common_spans_are_those_of_the_sets_of_blocks(one: list[int], other: list[int]) -> None:
    spans = [
        [(ends[at], ends[at + 1]) for at in range(0, len(ends) - 1, 2)]
        for ends in (sorted(one), sorted(other))
    ]
    sets = [{block for first, end in some for block in range(first, end)} for some in spans]
    found = common(*spans)
    assert {block for first, end in found for block in range(first, end)} == sets[0] & sets[1]
    assert found == sorted(found)


def test_the_sets_of_shards_make_up_the_run() -> None:
    shares = [sets_planned(63, 2, Shard(number, SHARDS)) for number in range(1, SHARDS + 1)]
    assert sum(share for share in shares if share) == 63
    assert sets_planned(63, 2, None) == 63
    assert sets_planned(None, 2, Shard(1, 2)) is None


def test_merged_shards_are_the_run_in_one_piece(whole: Path, shards: list[Path], tmp_path: Path) -> None:
    merged = merge_runs(shards[::-1], tmp_path / "merged")
    assert (merged.sets, merged.missing_blocks, merged.there) == (63, 0, False)
    assert tables_of(merged.folder) == tables_of(whole)
    manifests = [json.loads((path / "manifest.json").read_text()) for path in (merged.folder, whole)]
    assert manifests[0].pop("merged") == [f"{number}/{SHARDS}" for number in range(SHARDS, 0, -1)]
    for manifest in manifests:
        manifest["command"] = manifest["command"].partition(" --out ")[0]
    assert manifests[0] == manifests[1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["merged"]
    assert merge_runs(shards, merged.folder).there


def test_a_merge_that_was_killed_is_done_again(
    whole: Path, shards: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied: list[Path] = []

    def copy_some(path: Path, target: Path) -> None:
        copied.append(path)
        if len(copied) == 20:
            raise KeyboardInterrupt
        target.write_bytes(path.read_bytes())

    monkeypatch.setattr(shutil, "copyfile", copy_some)
    with pytest.raises(KeyboardInterrupt):
        merge_runs(shards, tmp_path / "merged")
    assert [path.name for path in tmp_path.iterdir()] == [".merging-merged"]
    (tmp_path / ".merging-merged" / "parts" / "part-00000000-00009999.parquet").write_bytes(b"torn")
    monkeypatch.undo()
    assert tables_of(merge_runs(shards, tmp_path / "merged").folder) == tables_of(whole)
    assert [path.name for path in tmp_path.iterdir()] == ["merged"]


def test_a_merged_run_grows_as_any_other(shards: list[Path], tmp_path: Path) -> None:
    merged = merge_runs(shards, tmp_path / "merged").folder
    play(merged, spec_of(sets=80))
    assert tables_of(merged) == tables_of(play(tmp_path / "whole", spec_of(sets=80)))


def test_shards_may_grow_and_are_compacted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MANY", 8)
    monkeypatch.setattr(compaction, "_FEWEST", 2)
    monkeypatch.setattr(Pace, "next_size", lambda *_: 1)
    folders = [tmp_path / "1", tmp_path / "2"]
    for sets in (31, 96):
        for number, folder in enumerate(folders, start=1):
            play(folder, spec_of(sets=sets), f"{number}/2")
    spans = len(Shard(1, 2).spans(48))
    assert len(list((folders[0] / "parts").iterdir())) < spans + 8 < 30
    merged = merge_runs(folders, tmp_path / "merged").folder
    monkeypatch.undo()
    assert tables_of(merged) == tables_of(play(tmp_path / "whole", spec_of(sets=96)))


def test_rounds_and_records_are_merged_too(tmp_path: Path) -> None:
    how: dict[str, Any] = {"save_rounds": True, "records": "every:7"}
    folders = [play(tmp_path / f"{number}", spec_of(sets=20), f"{number}/3", **how) for number in (1, 2, 3)]
    merged = merge_runs(folders, tmp_path / "merged").folder
    kept = sorted(line for path in merged.glob("records/*.jsonl") for line in path.read_text().splitlines())
    alone = play(tmp_path / "whole", spec_of(sets=20), **how)
    assert kept == sorted(
        line for path in alone.glob("records/*.jsonl") for line in path.read_text().splitlines()
    )
    names = [
        {path.name.partition("-")[2] for path in merged.glob(f"parts/{what}-*")}
        for what in ("part", "rounds")
    ]
    assert names[0] == names[1] != set()


def test_holes_are_named_and_may_be_left_to_be_played(
    whole: Path, shards: list[Path], tmp_path: Path
) -> None:
    given = [shards[number] for number in (0, 1, 3, 4, 5, 7)]
    with pytest.raises(
        ConflictError, match=r"8 of 32 blocks are missing \(blocks .*\), of shard 3/8, 7/8, not given"
    ):
        merge_runs(given, tmp_path / "merged")
    assert not (tmp_path / "merged").exists()
    merged = merge_runs(given, tmp_path / "merged", allow_holes=True)
    assert merged.missing_blocks == 8
    assert merged.command == f"ohpshaw resume {merged.folder}"
    play(merged.folder, resume=True)
    assert tables_of(merged.folder) == tables_of(whole)


def test_a_shard_that_has_not_ended_is_named(shards: list[Path], tmp_path: Path) -> None:
    torn = shutil.copytree(shards[0], tmp_path / "torn")
    max(torn.glob("parts/part-*")).unlink()
    with pytest.raises(ConflictError, match=r"of shard 1/8 \(.*torn\), not finished"):
        merge_runs([torn, *shards[1:]], tmp_path / "merged")


def test_a_shard_is_resumed_from_its_folder_alone(shards: list[Path], tmp_path: Path) -> None:
    assert standing_of(shards[2])[1:4] == (
        "finished",
        sets_planned(63, 2, Shard(3, 8)),
        sets_planned(63, 2, Shard(3, 8)),
    )
    torn = shutil.copytree(shards[2], tmp_path / "torn")
    max(torn.glob("parts/part-*")).unlink()
    assert standing_of(torn).state == "stopped"
    spec, options = read_run_request(torn)
    assert options.shard == "3/8"
    play_tournament(spec, options, resume=True)
    assert standing_of(torn).state == "finished"
    assert tables_of(torn) == tables_of(shards[2])
    with pytest.raises(ConflictError, match="shards end with their sets"):
        read_run_request(torn, duration="1h")


def test_what_does_not_belong_together_is_refused(shards: list[Path], whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "merged"
    with pytest.raises(ConflictError, match="is given twice"):
        merge_runs([shards[0], shards[0]], out)
    copy = shutil.copytree(shards[0], tmp_path / "copy")
    with pytest.raises(ConflictError, match=r"both hold block.*; give each block once"):
        merge_runs([*shards, copy], out)
    with pytest.raises(ConflictError, match="both hold block"):
        merge_runs([*shards, whole], out)
    other = play(tmp_path / "other", spec_of(seed=6), "2/8")
    with pytest.raises(ConflictError, match="another tournament"):
        merge_runs([shards[0], other], out)
    sources = json.loads((copy / "manifest.json").read_text())
    (copy / "manifest.json").write_text(json.dumps({**sources, "sources": {"bot.py": "0"}}))
    with pytest.raises(ConflictError, match="another version of an agent's file"):
        merge_runs([*shards[1:], copy], out)
    with pytest.raises(MalformedError, match="no run folder"):
        merge_runs([tmp_path / "nothing"], out)
    assert not out.exists()
    assert not list(tmp_path.glob(".merging*/parts/*"))


def test_a_part_of_another_run_is_refused(shards: list[Path], tmp_path: Path) -> None:
    copy = shutil.copytree(shards[0], tmp_path / "copy")
    other = play(tmp_path / "other", spec_of(seed=6), "1/8")
    mine, foreign = min(copy.glob("parts/part-*")), min(other.glob("parts/part-*"))
    mine.unlink()
    shutil.copy(foreign, copy / "parts")
    with pytest.raises(FolderError, match="belongs to another run"):
        merge_runs([copy, *shards[1:]], tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


def test_another_shard_does_not_go_into_the_folder_of_one(shards: list[Path]) -> None:
    with pytest.raises(ConflictError, match=r"another choice of --shard \(it began with 1/8\)"):
        play(shards[0], shard="2/8")


@pytest.mark.parametrize("text", ["0/8", "9/8", "3", "3/0", "a/b", "-1/8", "3/8/1", ""])
def test_what_is_no_shard_is_refused(text: str) -> None:
    with pytest.raises(MalformedError, match="it should be I/N"):
        Shard.read(text)


def test_shards_with_nothing_to_play_or_no_end_are_refused() -> None:
    with pytest.raises(ConflictError, match="shard 3/8 has nothing to play: 4 sets make 2 blocks"):
        check_share(make_plan(spec_of(sets=4)), Shard(3, 8))
    with pytest.raises(ConflictError, match="shard and for exclude each other"):
        read_request(None, {"agents": ["random"], "for": "1m", "shard": "1/2"}, 24)
    with pytest.raises(ConflictError, match="cannot be played in shards"):
        read_request(None, {"agents": ["random"] * 3, "versus": True, "sets": 96, "shard": "1/2"}, 24)


def test_the_command_merges(
    shards: list[Path],
    whole: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(results, "show_results", functools.partial(results.show_results, plots=False))
    code, said = in_this_process(
        ("merge", *shards, "--out", "all", "--format", "csv"), tmp_path, monkeypatch, capsys
    )
    assert code == 0, said.err
    tables_of(whole)
    assert said.out == (whole / "tables" / "standings.csv").read_text()
    assert "folder  all" in said.err
    code, said = in_this_process(("merge", *shards[1:], "--out", "some"), tmp_path, monkeypatch, capsys)
    assert code == 2
    assert len(said.err.splitlines()) == 1
