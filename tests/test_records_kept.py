"""`tournament --records`: the rounds that were played, card by card, and nothing else of the run is changed."""

import json
import os
import signal
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from agent_files import write_agent
from command_line import Command
from ohpshaw_sim.analysis.run import load_run
from ohpshaw_sim.engine.keeping import is_chosen
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import Driver, play_sets
from ohpshaw_sim.engine.stepping import Play, RoundBegun, step_match
from ohpshaw_sim.engine.tally_schema import ROW_COLUMNS
from ohpshaw_sim.errors import ConflictError, MalformedError
from ohpshaw_sim.interface.agent import ScalarAdapter
from ohpshaw_sim.interface.discovery import Entrant, resolve
from ohpshaw_sim.records.files import read_records, record_files
from ohpshaw_sim.records.judge import judge
from ohpshaw_sim.records.record import RoundRecord, read_record
from ohpshaw_sim.records.verdict import Status
from ohpshaw_sim.rule_text import read_rules
from ohpshaw_sim.tournament.choice import one_in, read_choice
from ohpshaw_sim.tournament.options import Options
from ohpshaw_sim.tournament.pace import Pace
from ohpshaw_sim.tournament.progress import Progress
from ohpshaw_sim.tournament.records import record_lines
from ohpshaw_sim.tournament.run import State, play_tournament
from ohpshaw_sim.tournament.schedule import LineUp
from ohpshaw_sim.tournament.spec import Spec, make_spec
from scripted import COMPILED_READER, SCRIBBLER, ScalarReader, ScribblingVectorReader, VectorReader, entrant

RULES = (
    "oh-pshaw:hand_sizes=1/3/13",
    "oh-hell:max_hand=3",
    "contract-whist:hand_sizes=4/3/2/3",
    "podrida:max_hand=4",
    "wizard:hand_sizes=3/3/3/3/3",
    "wizard:hand_sizes=4/15,bidding=simultaneous,must_trump=true",
    "blackout:max_hand=3,scoring=soft,round_winner_bonus=true",
)
"""At four players: thirteen and fifteen cards leave none to turn, and Wizards are turned."""
COMPILED = (
    entrant(COMPILED_READER, "trusted", trusted=True),
    entrant(SCRIBBLER, "scribbler"),
    entrant(COMPILED_READER, "compiled"),
    resolve("random"),
)
OUTSIDE = (
    entrant(VectorReader(), "vector"),
    entrant(ScribblingVectorReader(), "vector scribbler"),
    entrant(ScalarAdapter(ScalarReader()), "scalar"),
    Entrant("joint", COMPILED_READER, VectorReader()),
)
SEED = 9


def game_of(lineup: Sequence[Entrant], line: str) -> Game:
    rules = read_rules(line)
    return Game(rules, 4, rules.schedule_for(4), tuple(lineup), (0, 1, 2, 3))


def records_of(game: Game, line: str, kept: Any) -> list[RoundRecord]:
    """The records of rounds that were kept, as they are written into a run folder."""
    spec = make_spec(agents=[one.name for one in game.lineup], seed=SEED, rules=line)
    lines = record_lines(spec, LineUp(4, 0, (0, 1, 2, 3)), spec.agents, kept)
    return [read_record(json.loads(line)) for line in lines]


def result(record: RoundRecord) -> tuple[Any, ...]:
    """What a round came to by the judge, who looks at nothing but rules, cards and bids."""
    verdict = judge(record)
    assert verdict.status is Status.finished, verdict
    assert verdict.scores == record.scores
    return record.dealer, record.hand_size, verdict.bids, verdict.tricks, verdict.scores


def logged(rows: Any) -> dict[tuple[int, int, int], tuple[Any, ...]]:
    """The same by set, rotation and round, from the engine's own log of seat-rounds."""
    at = {name: rows[:, index] for index, name in enumerate(ROW_COLUMNS)}
    found: dict[tuple[int, int, int], tuple[Any, ...]] = {}
    for first in range(0, len(rows), 4):
        set_number, rotation, number = (int(at[name][first]) for name in ("set", "rotation", "round"))
        seats = [tuple(at[name][first : first + 4].tolist()) for name in ("bid", "tricks", "points")]
        found[set_number, rotation, number] = (int(at["dealer"][first]), int(at["hand_size"][first]), *seats)
    return found


def where(record: RoundRecord) -> tuple[int, int, int]:
    assert record.set is not None
    assert record.rotation is not None
    assert record.round is not None
    return record.set, record.rotation, record.round - 1


# The engine


@pytest.mark.parametrize("line", RULES)
@pytest.mark.parametrize(
    ("lineup", "driver"),
    [
        (COMPILED, "compiled"),
        (COMPILED, "batched"),
        (OUTSIDE, "auto"),
        ((*COMPILED[:2], *OUTSIDE[:2]), "auto"),
    ],
    ids=["compiled", "batched", "outside", "mixed"],
)
def test_what_is_kept_is_judged_to_the_same_result(
    line: str, lineup: Sequence[Entrant], driver: Driver
) -> None:
    game = game_of(lineup, line)
    tally = play_sets(game, SEED, 2, 5, driver=driver, log=True, keep=1)
    rows, rounds = logged(tally.rows), len(game.schedule)
    found = records_of(game, line, tally.kept)
    schedule = [one for one in found if where(one)[2] < rounds]
    assert {where(one): result(one) for one in schedule} == rows
    assert [where(one) for one in found] == sorted(where(one) for one in found)
    for one in found:
        result(one)  # tie-break rounds as well
        assert one.names is not None
        assert sorted(one.names) == sorted(entrant.name for entrant in lineup)
        assert one.seed == SEED
    if line.startswith("wizard:hand_sizes=3"):
        assert any(one.turn_up is not None and one.trump is not None for one in found), "trump is named"


@pytest.mark.parametrize("line", RULES)
def test_what_is_kept_is_the_match_that_is_watched(line: str) -> None:
    game = game_of(OUTSIDE, line)
    found = records_of(game, line, play_sets(game, SEED, 0, 1, keep=1).kept)
    for rotation in range(4):
        hands: list[tuple[int, ...]] = []
        plays: list[list[int]] = []
        for step in step_match(game, SEED, 0, rotation):
            if isinstance(step, RoundBegun):
                hands.append(step.hands)
                plays.append([])
            elif isinstance(step, Play):
                plays[-1].append(step.card)
        own = [one for one in found if one.rotation == rotation]
        assert [list(one.plays) for one in own] == plays
        assert [
            tuple(sum(1 << card for card in hand or ()) for hand in one.hands or ()) for one in own
        ] == hands


@pytest.mark.parametrize("keep", [0, 1, 7])
def test_keeping_changes_no_result(keep: int) -> None:
    game = game_of(COMPILED, RULES[1])
    plain, other = play_sets(game, SEED, 0, 20), play_sets(game, SEED, 0, 20, keep=keep)
    assert all((one == two).all() for one, two in zip(plain.arrays(), other.arrays(), strict=True))
    assert (other.kept is None) == (keep == 0)


@pytest.mark.parametrize("keep", [1, 2, 5, 13, 1000])
def test_the_same_rounds_are_kept_however_they_are_played(keep: int) -> None:
    game = game_of(COMPILED, RULES[0])
    whole = play_sets(game, SEED, 0, 300, keep=keep).kept
    batched = play_sets(game, SEED, 0, 300, keep=keep, driver="batched").kept
    pieces = play_sets(game, SEED, 0, 111, keep=keep) + play_sets(game, SEED, 111, 189, keep=keep)
    assert (whole == batched).all()
    assert (whole == pieces.kept).all()
    if keep > 1:
        assert abs(len(whole) - 300 * 4 * 3 / keep) <= 1


@pytest.mark.parametrize("keep", [2, 3, 12, 13, 26, 100])
def test_one_round_in_n_is_kept_and_all_rounds_alike(keep: int) -> None:
    counts: Counter[int] = Counter()
    chosen = []
    for count in range(keep * 1300):
        match, number = divmod(count, 13)
        if is_chosen(keep, 4, 13, divmod(match, 4), number):
            chosen.append(count)
            counts[number] += 1
    assert [count // keep for count in chosen] == list(range(1300))
    assert min(counts.values()) > 60
    assert max(counts.values()) < 140
    assert not any(is_chosen(keep, 4, 13, (number, 0), 13) for number in range(100))


# The run folder

AGENTS = ("random", "count-winners", "random+count-winners")
SIZES = "1-3"


def spec_of(**values: Any) -> Spec:
    return make_spec(
        **{"agents": AGENTS, "players": "3-4", "hand_sizes": SIZES, "seed": 5, "sets": 100, **values}
    )


def play(folder: Path, spec: Spec | None = None, **how: Any) -> Any:
    more = {key: how.pop(key) for key in ("resume", "listener") if key in how}
    return play_tournament(spec or spec_of(), Options(out=folder, **how), **more)


def kept_in(folder: Path) -> bytes:
    """All records of a run, in their order."""
    return b"".join(Path(file).read_bytes() for file in record_files([str(folder)]))


def agree_with_saved_rounds(folder: Path) -> int:
    """See that each record of a run is judged as the run's own rows have it; return the number of records."""
    rows: dict[tuple[int, ...], list[Any]] = {}
    for file in (folder / "parts").glob("rounds-*.parquet"):
        for row in pq.read_table(file).to_pylist():
            rows.setdefault((row["set"], row["rotation"], row["round"]), []).append(row)
    names, seen = load_run(folder).entrants, 0
    for name in record_files([str(folder)]):
        for _, record in read_records(name):
            dealer, size, *columns = result(record)
            seen += 1
            if where(record) not in rows:
                assert (record.round or 0) > len(record.rules_in_force.schedule_for(record.players))
                continue
            seats = sorted(rows[where(record)], key=lambda row: row["seat"])
            assert {(row["dealer"], row["hand_size"]) for row in seats} == {(dealer, size)}
            assert {row["lineup"] for row in seats} == {record.lineup}
            assert tuple(names[row["entrant"]] for row in seats) == record.names
            for column, values in zip(("bid", "tricks", "points"), columns, strict=True):
                assert tuple(row[column] for row in seats) == values
    return seen


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("runs") / "one"
    play(folder, jobs=1, records="every:10", save_rounds=True)
    seen = agree_with_saved_rounds(folder)
    assert 95 < seen < 115  # of 1,044 rounds
    return kept_in(folder)


@pytest.mark.parametrize(("jobs", "driver"), [(2, "auto"), (2, "batched")])
def test_records_are_the_same_for_any_jobs_and_driver(
    tmp_path: Path, expected: bytes, jobs: int, driver: str
) -> None:
    play(tmp_path / "run", jobs=jobs, driver=driver, records="every:10")
    assert kept_in(tmp_path / "run") == expected


@pytest.mark.parametrize("size", [1, 3])
def test_records_are_the_same_for_any_cut(
    tmp_path: Path, expected: bytes, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pace, "next_size", lambda *_: size)
    play(tmp_path / "run", records="every:10")
    assert kept_in(tmp_path / "run") == expected


def test_records_are_the_same_after_an_interruption(tmp_path: Path, expected: bytes) -> None:
    folder = tmp_path / "run"
    outcome = play(folder, jobs=1, records="every:10", listener=_interrupt_once)
    assert outcome.state is State.INTERRUPTED
    assert outcome.command == f"ohpshaw resume {folder}"
    (folder / "records" / "records-00000090-00000091.jsonl").write_text("left by a run that was killed")
    (folder / "records" / ".tmp-1-records-00000091-00000092.jsonl").write_text("half")
    with pytest.raises(ConflictError, match=r"another choice of --records \(it began with every:10\);"):
        play(folder, resume=True)
    assert play(folder, records="every:10", resume=True).state is State.FINISHED
    assert kept_in(folder) == expected
    assert not list((folder / "records").glob(".tmp*"))


def _interrupt_once(progress: Progress) -> None:
    if progress.sets_done and not progress.interrupted:
        os.kill(os.getpid(), signal.SIGINT)


def test_a_run_that_grows_keeps_each_round_once(tmp_path: Path, expected: bytes) -> None:
    folder = tmp_path / "run"
    play(folder, spec_of(sets=40), records="every:10")
    play(folder, records="every:10")
    assert kept_in(folder) == expected


def test_many_parts_keep_their_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pace, "next_size", lambda *_: 1)
    spec = spec_of(agents=("random",), players="3", hand_sizes="1", sets=130, block_sets=1)
    play(tmp_path / "run", spec, records="all")
    assert len(list((tmp_path / "run" / "parts").iterdir())) == 130
    assert len(list((tmp_path / "run" / "records").iterdir())) == 130


def test_where_no_round_is_kept_there_is_no_file(tmp_path: Path) -> None:
    spec = spec_of(agents=("random",), players="3", hand_sizes="1", sets=16)
    play(tmp_path / "run", spec, records="every:999999")
    assert not (tmp_path / "run" / "records").exists()


def test_an_agent_that_never_plays_twice_alike_is_recorded_as_it_played(tmp_path: Path) -> None:
    fickle = write_agent(tmp_path, "lowest")
    text = fickle.read_text("utf-8").replace(
        "return (view.legal & -view.legal).bit_length() - 1",
        "import random\n        return random.choice([bit for bit in range(64) if view.legal >> bit & 1])",
    )
    fickle.write_text(text, "utf-8")
    spec = spec_of(agents=("random", str(fickle)), sets=8, rules="podrida", players="4")
    play(tmp_path / "run", spec, records="all", save_rounds=True, jobs=2)
    assert agree_with_saved_rounds(tmp_path / "run") >= 8 * 4 * 3


def test_other_results_are_the_same_bytes(tmp_path: Path) -> None:
    for name, how in (("with", {"records": "all"}), ("without", {})):
        play(tmp_path / name, spec_of(sets=32), jobs=1, **how)
    sums = [load_run(tmp_path / name) for name in ("with", "without")]
    assert sums[0].manifest["plan_hash"] == sums[1].manifest["plan_hash"]
    assert sums[0].totals.equals(sums[1].totals)
    assert [run.manifest["records"] for run in sums] == ["all", None]


# The command


def test_the_command_keeps_records_that_replay(ohpshaw: Command, tmp_path: Path) -> None:
    words = [
        "tournament",
        "random",
        "count-winners",
        "--rules",
        "wizard",
        "--hand-sizes",
        "2,3",
        "--seed",
        "4",
    ]
    said = ohpshaw(*words, "--sets", "32", "--records", "all", "--save-rounds", "--out", "run", "--jobs", "1")
    assert "--save-rounds --records all --out run" in said.err + said.out
    assert agree_with_saved_rounds(tmp_path / "run") >= 32 * 4 * 2
    files = sorted(str(path.relative_to(tmp_path)) for path in (tmp_path / "run" / "records").iterdir())
    assert len(files) == 2
    asked = [ohpshaw("replay", *given, "--brief") for given in (files, ["run/records"], ["run"])]
    assert asked[0] == asked[1] == asked[2]
    assert f"{files[1]}:1, match " in asked[0].out
    assert "0 unfinished, 0 broken" in asked[0].err
    rows = ohpshaw("replay", "run", "--format", "csv").out.splitlines()
    assert rows[0].startswith("file,line,match,")
    assert rows[1].startswith(f"{files[0]},1,1,1,2,")
    table = json.loads(ohpshaw("replay", "run", "--format", "json").out.splitlines()[0])
    assert (table["file"], table["record"]["set"], table["record"]["rotation"]) == (files[0], 0, 0)
    (tmp_path / "request.toml").write_text('agents = ["random"]\nrecords = "every:3"\nsets = 4\n')
    ohpshaw("tournament", "--config", "request.toml", "--hand-sizes", "1", "--out", "other")
    assert json.loads((tmp_path / "other" / "manifest.json").read_text())["records"] == "every:3"


def test_matches_of_a_run_are_told_apart(ohpshaw: Command) -> None:
    words = ["tournament", "random", "--hand-sizes", "1", "--seed", "4", "--sets", "3", "--players", "3"]
    ohpshaw(*words, "--records", "all", "--out", "run")
    rows = [json.loads(line) for line in ohpshaw("replay", "run", "--format", "json").out.splitlines()]
    matches = {(row["record"]["set"], row["record"]["rotation"]): row["match"] for row in rows}
    assert len(matches) == len(set(matches.values())) == 9


def test_a_match_ends_with_its_file(ohpshaw: Command, tmp_path: Path) -> None:
    for name in ("one.jsonl", "two.jsonl"):
        (tmp_path / name).write_text('{"players": 3, "dealer": 0, "hand_size": 1, "turn_up": "2C"}\n')
    said = ohpshaw("replay", "one.jsonl", "two.jsonl", "--brief")
    assert "two.jsonl:1, match 2, round 1" in said.out


def test_a_folder_without_records_is_exit_code_1(ohpshaw: Command) -> None:
    assert "no round records" in ohpshaw("replay", ".", code=1).err


@pytest.mark.parametrize(
    "given", ["sometimes", "every:0", "every", "every:", "every:-3", "every:2.5", "all:2", ""]
)
def test_another_choice_is_refused_in_a_sentence(ohpshaw: Command, tmp_path: Path, given: str) -> None:
    said = ohpshaw("tournament", "random", "--records", given, "--out", "run", code=2).err
    assert said.splitlines()[-1].startswith(f"ohpshaw: records is {given!r}; it should be all, or every:N")
    assert not (tmp_path / "run").exists()


def test_choices_are_read_in_one_way() -> None:
    assert [one_in(read_choice(text)) for text in ("all", "every:1", "every:007")] == [1, 1, 7]
    assert one_in(None) == 0
    for given in (True, 3, None, ["all"]):
        with pytest.raises(MalformedError):
            read_choice(given)


def test_kept_rounds_are_small() -> None:
    game = game_of(COMPILED, RULES[0])
    assert play_sets(game, SEED, 0, 1, keep=1).kept.dtype.itemsize < 200
    assert np.asarray(play_sets(game, SEED, 0, 1, keep=1).kept).flags["C_CONTIGUOUS"]
