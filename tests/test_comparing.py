"""Comparisons played: where they end and what they tell is the same however they are played."""

import csv
import json
import os
import random
import re
import signal
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ohpshaw_sim
from command_line import Command
from ohpshaw_sim.analysis.comparison import Comparison, compared, comparison
from ohpshaw_sim.analysis.comparison_looks import comparison_looks
from ohpshaw_sim.analysis.decisions import Decision
from ohpshaw_sim.analysis.run import load_run
from ohpshaw_sim.analysis.tables import make_tables
from ohpshaw_sim.analysis.writing import write_tables
from ohpshaw_sim.comparing.playing import compare
from ohpshaw_sim.comparing.request import read_comparison
from ohpshaw_sim.comparing.watching import Watch, watch_of
from ohpshaw_sim.errors import ConflictError
from ohpshaw_sim.report.page import report_html
from ohpshaw_sim.tournament.command import repeat_command
from ohpshaw_sim.tournament.deciding import Differences, Fold
from ohpshaw_sim.tournament.options import Options
from ohpshaw_sim.tournament.pace import Pace
from ohpshaw_sim.tournament.parts import find_parts
from ohpshaw_sim.tournament.progress import Progress
from ohpshaw_sim.tournament.resuming import read_run_request
from ohpshaw_sim.tournament.run import Outcome, State, play_tournament
from ohpshaw_sim.tournament.spec import make_spec
from report_page import Page

AGENTS = ("greedy", "greedy+random")
OPTIONS: dict[str, Any] = {
    "players": 3,
    "hand_sizes": "1-3",
    "block_sets": 4,
    "seed": 3,
    "min_sets": 8,
    "max_sets": 2000,
}
FLAGS = ["--players", "3", "--hand-sizes", "1-3", "--block-sets", "4", "--seed", "3"]
FIELD = ["greedy"]


def play(
    folder: Path, *, resume: bool = False, executor: Any = None, listener: Any = None, **options: Any
) -> Outcome:
    spec, how, rule = read_comparison(AGENTS, FIELD, {**OPTIONS, "out": folder, **options})
    return play_tournament(
        spec,
        how,
        resume=resume,
        executor=executor,
        listener=listener or (lambda _: None),
        decider=Watch(spec, rule),
    )


def go_on(folder: Path, **more: Any) -> Outcome:
    """Go on with a run from its folder, as `ohpshaw resume` does."""
    spec, how = read_run_request(folder, **more)
    return play_tournament(spec, how, resume=True, decider=watch_of(folder, spec))


def tables_of(folder: Path) -> dict[str, bytes]:
    write_tables(load_run(folder))
    return {
        path.name: path.read_bytes() for path in (folder / "tables").iterdir() if path.name != "timing.csv"
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("comparing") / "run"
    outcome = play(place, jobs=1)
    assert outcome.state is State.FINISHED
    return place


@pytest.fixture(scope="module")
def expected(folder: Path) -> dict[str, bytes]:
    return tables_of(folder)


@pytest.fixture(scope="module")
def found(folder: Path) -> Comparison:
    return compared(load_run(folder))


def test_the_better_agent_is_found_after_a_few_blocks(found: Comparison, folder: Path) -> None:
    assert found.decision is Decision.SUPERIOR
    assert (found.agent, found.other, found.players) == (*AGENTS, 3)
    assert 0 < found.low < found.difference < found.high
    assert found.low < found.plain_low
    assert 64 < found.sets < 400
    assert found.fixed_sets is not None
    assert found.fixed_sets < found.sets
    assert [(part.first, part.end) for part in find_parts(folder / "parts")][-1][1] == found.sets // 4


def test_it_ends_with_the_first_block_that_decides(folder: Path, found: Comparison) -> None:
    """Cut one block shorter, the same run is undecided."""
    _, _, rule = read_comparison(AGENTS, FIELD, OPTIONS)
    spec, _ = read_run_request(folder)
    watch = Watch(spec, rule)
    fold = Fold(watch)
    parts = find_parts(folder / "parts")
    for part in parts:
        fold.add_part(part)
    assert fold.end == found.sets // 4 == parts[-1].end
    before = watch.track.since(0)
    assert not before.above(0, 0.05)[:-1].any()
    assert before.above(0, 0.05)[-1]


def test_the_manifest_keeps_the_rule_and_the_sets(folder: Path, found: Comparison) -> None:
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["comparison"] == {"alpha": 0.05, "margin": None, "min_sets": 8, "exact": False}
    assert manifest["sets"] == manifest["spec"]["sets"] == found.sets
    assert "ohpshaw compare greedy greedy+random --field greedy" in manifest["command"]
    assert "--min-sets 8" in manifest["command"]
    assert "--max-sets 2000" in manifest["command"]


@pytest.mark.parametrize(("jobs", "driver", "size"), [(2, "auto", 1), (2, "batched", 7), (1, "auto", 500)])
def test_neither_jobs_nor_chunks_change_where_it_ends(
    tmp_path: Path,
    expected: dict[str, bytes],
    monkeypatch: pytest.MonkeyPatch,
    jobs: int,
    driver: str,
    size: int,
) -> None:
    monkeypatch.setattr(Pace, "next_size", lambda *_: size)
    play(tmp_path / "run", jobs=jobs, driver=driver)
    assert tables_of(tmp_path / "run") == expected
    assert find_parts(tmp_path / "run" / "parts")[-1].end * 4 == compared(load_run(tmp_path / "run")).sets


class Dawdling(ThreadPoolExecutor):
    """Keeps some tasks waiting, so that chunks come back in any order."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        delay = random.Random(getattr(args[0], "first", 0) * 7919).random() / 20 if args else 0.0

        def late() -> Any:
            time.sleep(delay)
            return fn(*args, **kwargs)

        return super().submit(late)


def test_nor_does_the_order_in_which_chunks_come_back(
    tmp_path: Path, expected: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pace, "next_size", lambda *_: 2)
    with Dawdling(8) as executor:
        play(tmp_path / "run", executor=executor, jobs=8, save_rounds=True)
    assert tables_of(tmp_path / "run") == expected
    ends = [part.end for part in find_parts(tmp_path / "run" / "parts")]
    assert len(list((tmp_path / "run" / "parts").glob("rounds-*"))) == len(ends)


def test_an_interrupted_comparison_goes_on_by_its_rule(tmp_path: Path, expected: dict[str, bytes]) -> None:
    def interrupt(progress: Progress) -> None:
        if progress.sets_done and not progress.interrupted:
            assert "difference" in progress.standing
            os.kill(os.getpid(), signal.SIGINT)

    outcome = play(tmp_path / "run", jobs=1, listener=interrupt)
    assert outcome.state is State.INTERRUPTED
    assert json.loads((tmp_path / "run" / "manifest.json").read_text("utf-8"))["sets"] == 2000
    assert go_on(tmp_path / "run").state is State.FINISHED
    assert tables_of(tmp_path / "run") == expected


def test_what_a_killed_run_played_too_much_is_cut_off(
    tmp_path: Path, expected: dict[str, bytes], found: Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a kill between the deciding chunk and the cut: parts lie beyond the deciding block and across it."""
    monkeypatch.setattr(Pace, "next_size", lambda *_: 9)
    with monkeypatch.context() as patched:
        patched.setattr(Watch, "take", lambda *_: None)
        play(tmp_path / "run", max_sets=600)
    assert find_parts(tmp_path / "run" / "parts")[-1].end == 150
    assert compared(load_run(tmp_path / "run")) == found
    assert go_on(tmp_path / "run").state is State.FINISHED
    assert tables_of(tmp_path / "run") == expected


def test_only_blocks_without_a_gap_count_while_it_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pace, "next_size", lambda *_: 5)
    play(tmp_path / "run", jobs=1)
    parts = find_parts(tmp_path / "run" / "parts")
    parts[2].path.unlink()
    told = compared(load_run(tmp_path / "run"))
    assert (told.decision, told.sets) == (Decision.UNDECIDED, 2 * 5 * 4)
    parts[0].path.unlink()
    with pytest.raises(ohpshaw_sim.MalformedError, match=r"the first block of .* is not played yet"):
        compared(load_run(tmp_path / "run"))
    assert comparison(load_run(tmp_path / "run")).empty


def test_asked_again_it_answers_again(folder: Path, expected: dict[str, bytes]) -> None:
    assert play(folder).state is State.ALREADY_THERE
    assert play(folder, max_sets=5000).state is State.ALREADY_THERE
    assert tables_of(folder) == expected
    with pytest.raises(ConflictError, match="another rule of decision"):
        play(folder, margin=0.2)


def test_an_undecided_comparison_may_go_on(tmp_path: Path, expected: dict[str, bytes]) -> None:
    play(tmp_path / "run", max_sets=18)
    told = compared(load_run(tmp_path / "run"))
    assert (told.decision, told.sets) == (Decision.UNDECIDED, 18)
    go_on(tmp_path / "run", sets=2000)
    assert tables_of(tmp_path / "run") == expected


class Scribe:
    """A decider that writes down what it is handed."""

    def __init__(self) -> None:
        self.seen: list[int] = []
        self.rule: dict[str, Any] = {}

    def take(self, blocks: Differences) -> int | None:
        self.seen += blocks.totals.tolist()
        return 5 if len(self.seen) >= 5 else None

    def tell(self) -> str:
        return ""


def test_blocks_are_handed_on_in_the_order_of_the_schedule() -> None:
    from ohpshaw_sim.engine.tally_schema import PART_COLUMNS  # noqa: PLC0415
    from ohpshaw_sim.tournament.part_rows import KINDS  # noqa: PLC0415

    scribe = Scribe()
    fold = Fold(scribe)
    for first, end in ((4, 6), (1, 2), (0, 1), (2, 4)):
        rows = np.zeros((end - first + 1, len(PART_COLUMNS)), np.int64)
        rows[:, 0] = KINDS.index("block_pair")
        for name, values in {"block": range(first, end), "difference": range(first, end)}.items():
            rows[:-1, PART_COLUMNS.index(name)] = list(values)
        rows[:-1, PART_COLUMNS.index("other")] = 1
        rows[-1, PART_COLUMNS.index("other")] = 2  # another pair
        fold.add_chunk(first, end, rows)
    assert scribe.seen == [0, 1, 2, 3, 4, 5]
    assert fold.end == 5


def test_its_looks_end_where_it_ended_and_none_before_decided(folder: Path, found: Comparison) -> None:
    looks = comparison_looks(load_run(folder))
    last = looks.iloc[-1]
    for name in ("sets", "difference", "low", "high", "plain_low", "plain_high"):
        assert last[name] == pytest.approx(getattr(found, name), rel=1e-12)
    assert looks["sets"].is_monotonic_increasing
    before = looks[(looks["sets"] < found.sets) & (looks["sets"] >= OPTIONS["min_sets"])]
    assert len(before) > 0
    assert ((before["low"] <= 0) & (before["high"] >= 0)).all()
    assert (looks["low"] < looks["plain_low"]).iloc[1:].all()


def test_its_page_answers_the_question(folder: Path, found: Comparison) -> None:
    run = load_run(folder)
    page = Page(report_html(run, make_tables(run)))
    assert page.only("h1").text == "Is greedy better than greedy+random, among greedy?"
    (answer,) = page.classed("answer")
    assert f"greedy scores more than greedy+random: {found.difference:.2f} points a round more" in answer.text
    assert "hold" in answer.text
    assert page.all("h2")[0].text == "Comparison"
    assert page.loads() == page.repeated_ids() == page.dangling() == []


def test_from_python(tmp_path: Path, found: Comparison) -> None:
    options = {key: value for key, value in OPTIONS.items() if key != "seed"}
    told = ohpshaw_sim.compare(*AGENTS, field=FIELD, seed=3, out=tmp_path / "run", jobs=1, **options)
    assert told == found


def test_the_example_in_the_docs_is_true(capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parents[1] / "docs" / "comparing.md").read_text("utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    exec(example, {})
    assert capsys.readouterr().out.startswith("superior ")


def test_equal_agents_are_not_told_apart(tmp_path: Path) -> None:
    """greedy against itself never differs; random against itself by luck alone."""
    options: dict[str, Any] = {"players": 3, "hand_sizes": "1-2", "max_sets": 600, "jobs": 2}
    same = compare("greedy", "greedy", field=["greedy"], seed=1, out=tmp_path / "same", **options)
    assert same.decision is Decision.UNDECIDED
    assert (same.difference, same.sets, same.fixed_sets) == (0, 600, None)
    assert same.low == -same.high < 0
    lucky = compare("random", "random", field=["greedy"], seed=1, out=tmp_path / "lucky", **options)
    assert lucky.decision is Decision.UNDECIDED
    assert lucky.difference != 0
    within = compare(
        "greedy", "greedy", field=["greedy"], seed=1, margin=0.5, out=tmp_path / "within", **options
    )
    assert within.decision is Decision.EQUIVALENT
    assert within.sets < 600


COMMAND = ["compare", *AGENTS, "--field", "greedy", *FLAGS, "--min-sets", "8", "--max-sets", "2000", "--out"]


def test_the_command_tells_it_in_a_sentence(ohpshaw: Command, folder: Path, found: Comparison) -> None:
    said = ohpshaw(*COMMAND, folder)
    assert said.out.startswith(
        "Superior: greedy scores more points than greedy+random. Decisions are false in"
    )
    assert "most 5 % of such runs" in said.out
    assert f"{found.sets} sets; a test of {found.fixed_sets} sets" in said.out
    assert f"{found.difference:+.3f}" in said.out
    assert max(map(len, said.out.splitlines())) <= 80
    assert "holds this run already" in said.err
    assert "repeat  ohpshaw compare greedy greedy+random" in said.err
    resumed = ohpshaw("resume", folder)
    assert resumed.out == said.out


def test_the_command_answers_programs(ohpshaw: Command, folder: Path, found: Comparison) -> None:
    told = json.loads(ohpshaw(*COMMAND, folder, "--format", "json").out)
    assert told["comparison"]["decision"] == "superior"
    assert told["comparison"]["sets"] == found.sets
    assert told["comparison"]["margin"] is None
    rows = list(csv.DictReader(ohpshaw(*COMMAND, folder, "--format", "csv").out.splitlines()))
    assert rows[0]["difference"] == f"{found.difference:.6f}"


def test_no_decision_has_an_exit_code_of_its_own_if_one_was_required(ohpshaw: Command) -> None:
    words = ["compare", "random", "random", *FLAGS, "--max-sets", "64", "--out", "run"]
    said = ohpshaw(*words)
    assert "field count-winners" in said.err
    said = ohpshaw(*words, "--require-decision", code=5)
    assert said.out.startswith("Undecided: random may be better than random#2, worse, or equal.")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["random", "greedy", "--players", "3-4"], "a comparison is made at one number of players, not at 2"),
        (["random", "greedy", "--margin", "0"], "margin is 0.0; it should be greater than 0"),
        (["random", "greedy", "--alpha", "1"], "alpha is 1.0; it should be less than 0.5"),
        (["random", "greedy", "--max-sets", "10"], "max_sets is 10, fewer than min_sets, 64"),
        (["random", "greedy", "--for", "soon"], "'soon' is no duration"),
        (["random", "gready"], "did you mean 'greedy'?"),
    ],
)
def test_bad_requests_are_answered_in_a_sentence(ohpshaw: Command, words: list[str], sentence: str) -> None:
    said = ohpshaw("compare", *words, code=2)
    assert sentence in said.err
    assert "Traceback" not in said.err


def test_a_tournament_cannot_be_asked_for_a_decision(tmp_path: Path) -> None:
    spec = make_spec(agents=("random",), players=3, hand_sizes=(1,), sets=2, seed=1)
    play_tournament(spec, Options(out=tmp_path / "run", jobs=1))
    with pytest.raises(ohpshaw_sim.MalformedError, match="holds no comparison; `ohpshaw compare` plays one"):
        compared(load_run(tmp_path / "run"))


def test_the_plan_tells_sets_and_time(ohpshaw: Command) -> None:
    words = [
        "plan",
        "random",
        "random",
        "--field",
        "greedy",
        *FLAGS,
        "--pilot-sets",
        "80",
        "--difference",
        "0.5",
    ]
    said = ohpshaw(*words)
    assert said.out.startswith("To find a difference of 0.5 points per round in 80 % of runs")
    assert "stopping by itself, mean" in said.out
    assert max(map(len, said.out.splitlines()[:-1])) <= 80
    told = json.loads(ohpshaw(*words, "--format", "json").out)
    assert told["pilot"]["sets"] == 80
    assert told["pilot"]["sd_high"] > told["pilot"]["sd"] > 0
    assert told["pilot"]["seed"] != 3
    fixed, mean, most, bound = (row["sets"] for row in told["rows"][:4])
    assert fixed < mean < most
    assert fixed < bound < most
    assert f"--max-sets {told['rows'][7]['sets']} --seed 3" in told["command"]
    rows = list(csv.DictReader(ohpshaw(*words, "--format", "csv").out.splitlines()))
    assert [int(row["sets"]) for row in rows[:4]] == [fixed, mean, most, bound]
    within = ohpshaw(*words[:-2], "--margin", "0.5")
    assert "To find agents that do not differ within 0.5 points per round" in within.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "say what is to be found: a difference, or a margin to be within"),
        (["--difference", "-1"], "difference is -1.0; it should be greater than 0"),
        (["--difference", "1", "--power", "80"], "power is 80.0; it should lie between 0 and 1"),
        (["--difference", "1", "--pilot-sets", "3"], "a pilot of 3 sets tells too little; play 40 or more"),
        (["--difference", "1", "--hand-sizes", "1"], "greedy and greedy never differed; nothing follows"),
    ],
)
def test_plans_that_cannot_be_made_are_refused_in_a_sentence(
    ohpshaw: Command, words: list[str], sentence: str
) -> None:
    said = ohpshaw("plan", "greedy", "greedy", "--field", "greedy", "--pilot-sets", "40", *words, code=2)
    assert sentence in said.err


def test_the_line_that_repeats_a_comparison_has_every_digit() -> None:
    spec = make_spec(agents=("greedy", "random", "greedy"), versus=True, seed=1, sets=2_000_000)
    rule = {"alpha": 0.0123456789, "margin": 0.1234567, "min_sets": 1_234_567, "exact": True}
    words = repeat_command(spec, Options(time_limit=2.0), rule)
    for flag in (
        "--alpha 0.0123456789",
        "--margin 0.1234567",
        "--min-sets 1234567 --exact",
        "--time-limit 2 ",
    ):
        assert flag in f"{words} "
