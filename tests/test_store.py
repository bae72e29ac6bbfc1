"""A run folder: begun, refused, continued; nothing half-written."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from ohpshaw_sim.engine.tally_schema import PART_COLUMNS
from ohpshaw_sim.errors import ConflictError, MalformedError
from ohpshaw_sim.tournament.compaction import compact
from ohpshaw_sim.tournament.manifest import make_manifest, source_hashes
from ohpshaw_sim.tournament.part_rows import KINDS
from ohpshaw_sim.tournament.parts import (
    ROUND_COLUMNS,
    FolderError,
    find_parts,
    sweep,
    write_part,
    write_rounds,
)
from ohpshaw_sim.tournament.schedule import make_plan
from ohpshaw_sim.tournament.spec import make_spec
from ohpshaw_sim.tournament.store import begin, join

PLAN = "0123456789abcdef"


def manifest_of(**values: Any) -> dict[str, Any]:
    spec = make_spec(**{"agents": ["a", "b"], "seed": 1, "block_sets": 16, "sets": 40, **values})
    return make_manifest(spec, make_plan(spec), ("a", "b"), save_rounds=False, command="ohpshaw tournament")


def rows(count: int = 2, block: int = 0) -> Any:
    """Rows of sums of distinct keys, and one of the series."""
    made = np.arange((count + 1) * len(PART_COLUMNS), dtype=np.int64).reshape(count + 1, -1) % 5
    made[:, 0] = [*range(count), KINDS.index("block")]
    made[:, PART_COLUMNS.index("block")] = [*[-1] * count, block]
    return made


def test_a_part_is_read_back_as_written(tmp_path: Path) -> None:
    write_part(tmp_path, PLAN, 3, 7, 64, rows())
    (part,) = find_parts(tmp_path)
    assert (part.first, part.end, part.sets) == (3, 7, 64)
    table = pq.read_table(part.path)
    assert tuple(table.column_names) == PART_COLUMNS
    assert table["kind"].to_pylist() == [KINDS[kind] for kind in rows()[:, 0]]
    assert table["n"].to_pylist() == rows()[:, PART_COLUMNS.index("n")].tolist()


def test_the_same_rows_make_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        write_part(tmp_path / name, PLAN, 0, 1, 16, rows())
    files = [(tmp_path / name / "part-00000000-00000001.parquet").read_bytes() for name in ("one", "two")]
    assert files[0] == files[1]


def test_missing_blocks_follow_from_the_parts(tmp_path: Path) -> None:
    folder = begin(tmp_path / "run", manifest_of())
    plan = make_plan(make_spec(agents=["a", "b"], seed=1, block_sets=16, sets=40))
    assert folder.missing(plan) == [(0, 3)]
    folder.write(1, 2, 16, rows())
    assert folder.missing(plan) == [(0, 1), (2, 3)]
    folder.write(2, 3, 8, rows())
    folder.write(0, 1, 16, rows())
    assert folder.missing(plan) == []
    assert folder.sets_played() == 40


def test_a_longer_run_plays_the_short_block_again(tmp_path: Path) -> None:
    folder = begin(tmp_path / "run", manifest_of())
    folder.write(0, 2, 32, rows())
    folder.write(2, 3, 8, rows())
    longer = make_plan(make_spec(agents=["a", "b"], seed=1, block_sets=16, sets=64))
    assert folder.missing(longer) == [(2, 4)]
    folder.write(2, 4, 32, rows())
    assert folder.missing(longer) == []
    assert folder.sets_played() == 64
    sweep(folder.parts)
    assert sorted(path.name for path in folder.parts.iterdir()) == [
        "part-00000000-00000002.parquet",
        "part-00000002-00000004.parquet",
    ]


def test_what_a_killed_run_leaves_is_swept(tmp_path: Path) -> None:
    write_part(tmp_path, PLAN, 0, 1, 16, rows())
    log = np.zeros((3, len(ROUND_COLUMNS)), np.int32)
    write_rounds(tmp_path, 0, 1, log)
    write_rounds(tmp_path, 1, 2, log)
    (tmp_path / ".tmp-1-part-00000002-00000003.parquet").write_bytes(b"half")
    sweep(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "part-00000000-00000001.parquet",
        "rounds-00000000-00000001.parquet",
    ]


def test_a_torn_part_is_named(tmp_path: Path) -> None:
    (tmp_path / "part-00000000-00000001.parquet").write_bytes(b"PAR1 torn")
    with pytest.raises(FolderError, match="part-00000000-00000001"):
        find_parts(tmp_path)


@pytest.mark.parametrize(
    ("values", "said"), [({"seed": 2}, "another tournament"), ({"players": "3"}, "another tournament")]
)
def test_another_spec_is_refused(tmp_path: Path, values: dict[str, Any], said: str) -> None:
    begin(tmp_path / "run", manifest_of())
    with pytest.raises(ConflictError, match=said):
        join(tmp_path / "run", manifest_of(**values))


def test_more_sets_of_the_same_spec_join(tmp_path: Path) -> None:
    begin(tmp_path / "run", manifest_of())
    assert join(tmp_path / "run", manifest_of(sets=99)) is not None


def test_an_edited_agent_file_is_refused(tmp_path: Path) -> None:
    agent = tmp_path / "bot.py"
    agent.write_text("one")
    begin(tmp_path / "run", manifest_of(agents=[str(agent), "b"]))
    agent.write_text("two")
    with pytest.raises(ConflictError, match="agent's file"):
        join(tmp_path / "run", manifest_of(agents=[str(agent), "b"]))


def test_agent_files_are_found_in_any_spec(tmp_path: Path) -> None:
    agent = tmp_path / "bot.py"
    agent.write_text("one")
    specs = (f"{agent}:make:x=1+random", f"random+{agent}", "random", "no/such.py")
    assert set(source_hashes(specs)) == {str(agent)}


def test_a_folder_with_other_things_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ConflictError, match="holds no run"):
        join(tmp_path, manifest_of())
    assert join(tmp_path / "new", manifest_of()) is None


def test_an_impossible_folder_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FolderError, match="cannot be made"):
        begin(tmp_path / "file" / "run", manifest_of())


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_an_unwritable_folder_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    with pytest.raises(FolderError, match="cannot be made"):
        begin(tmp_path / "locked" / "run", manifest_of())


def test_an_unreadable_manifest_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(MalformedError, match="cannot be read"):
        join(tmp_path, manifest_of())


def test_only_a_new_folder_without_parts_is_discarded(tmp_path: Path) -> None:
    folder = begin(tmp_path / "run", manifest_of())
    folder.discard()
    assert not folder.path.exists()
    folder = begin(tmp_path / "run", manifest_of())
    folder.write(0, 1, 16, rows())
    folder.discard()
    assert folder.found()


def test_many_parts_are_merged_and_none_is_lost(tmp_path: Path) -> None:
    folder = begin(tmp_path / "run", manifest_of(sets=5000))
    for first in (*range(0, 120, 2), *range(200, 268)):
        folder.write(first, first + 1 + (first < 120), 16 * (1 + (first < 120)), rows(block=first))
    names = sorted(path.name for path in folder.parts.iterdir())
    assert names == ["part-00000000-00000120.parquet", "part-00000200-00000268.parquet"]
    assert folder.sets_played() == 16 * (120 + 68)
    assert folder.missing(make_plan(make_spec(agents=["a", "b"], seed=1, block_sets=16, sets=16 * 268))) == [
        (120, 200)
    ]
    with pq.ParquetFile(folder.parts / names[0]) as file:
        sums, series = file.read_row_group(0), file.read_row_groups(list(range(1, file.num_row_groups)))
    n = rows()[:, PART_COLUMNS.index("n")]
    assert sums["n"].to_pylist() == (60 * n[:2]).tolist()
    assert sums["bid"].to_pylist() == rows()[:2, PART_COLUMNS.index("bid")].tolist()
    assert series["block"].to_pylist() == list(range(0, 120, 2))
    assert series["n"].to_pylist() == [n[2]] * 60


def test_a_short_block_is_not_merged(tmp_path: Path) -> None:
    for first in range(20):
        write_part(tmp_path, PLAN, first, first + 1, 16 if first < 19 else 8, rows())
    compact(tmp_path, PLAN, 16)
    assert [(part.first, part.end, part.sets) for part in find_parts(tmp_path)] == [(0, 19, 304), (19, 20, 8)]


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    folder = begin(tmp_path / "run", manifest_of())
    with folder.locked(), pytest.raises(ConflictError, match="another run"), folder.locked():
        pass


def test_the_manifest_names_what_is_played_and_nothing_personal(tmp_path: Path) -> None:
    folder = begin(tmp_path / "run", manifest_of())
    manifest = json.loads((folder.path / "manifest.json").read_text())
    assert manifest["lineups"][0] == {
        "players": 4,
        "lineup": 0,
        "entrants": [0, 1, 0, 1],
        "arm": 0,
        "schedule": list(range(1, 14)),
    }
    assert {"numpy", "numba", "python"} <= set(manifest["versions"])
    assert set(manifest["machine"]) == {"system", "architecture", "processors"}
