"""`tournament --deals`: the matches of a file, card for card, under every rotation of the seats; or a plain refusal."""

import json
import os
import pickle
import signal
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from agent_files import write_agent
from command_line import Command
from ohpshaw_sim.analysis.run import load_run
from ohpshaw_sim.cards import mask_of
from ohpshaw_sim.engine.given import GivenDeals
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import Driver, play_sets
from ohpshaw_sim.engine.round_deal import RoundDeal
from ohpshaw_sim.engine.stepping import RoundBegun, TrumpNamed, step_match
from ohpshaw_sim.errors import ConflictError, FileError, IllegalError, MalformedError
from ohpshaw_sim.interface.agent import ScalarAdapter
from ohpshaw_sim.records.deal_files import DealFile, deals_of, read_deals
from ohpshaw_sim.records.files import read_records, record_files
from ohpshaw_sim.records.judge import judge
from ohpshaw_sim.records.record import RoundRecord
from ohpshaw_sim.records.verdict import Status
from ohpshaw_sim.rule_text import read_rules
from ohpshaw_sim.rules import Rules
from ohpshaw_sim.tournament.chunk import Task
from ohpshaw_sim.tournament.command import repeat_command
from ohpshaw_sim.tournament.options import Options, read_request
from ohpshaw_sim.tournament.progress import Progress
from ohpshaw_sim.tournament.run import State, play_tournament
from ohpshaw_sim.tournament.spec import Spec, make_spec
from scripted import COMPILED_READER, SCRIBBLER, ScalarReader, VectorReader, entrant

RULES = (
    "oh-pshaw:hand_sizes=1/3/13",
    "oh-hell:max_hand=3",
    "contract-whist:hand_sizes=4/3/2/3",
    "podrida:max_hand=4",
    "wizard:hand_sizes=3/3/3/3/3",
    "wizard:hand_sizes=4/15,bidding=simultaneous,must_trump=true",
    "blackout:max_hand=3,scoring=soft,round_winner_bonus=true",
)
LINEUPS = {
    "compiled": (entrant(COMPILED_READER, "trusted", trusted=True), entrant(SCRIBBLER, "scribbler")),
    "outside": (entrant(VectorReader(), "vector"), entrant(ScalarAdapter(ScalarReader()), "scalar")),
}
ONE: dict[str, Any] = {
    "players": 3,
    "dealer": 2,
    "hand_size": 2,
    "turn_up": "7H",
    "hands": ["AS 3H", "KS 4D", "2S 5C"],
    "round": 1,
}
OTHER: dict[str, Any] = {**ONE, "dealer": 0, "hands": ["AD 3D", "KD 4D", "2D 5D"]}


def game_of(line: str, kind: str, deals: GivenDeals | None = None) -> Game:
    rules = read_rules(line)
    lineup = LINEUPS[kind] * 2
    return Game(rules, 4, rules.schedule_for(4), lineup, (0, 1, 2, 3), deals=deals)


def deals_of_seed(line: str, sets: int) -> tuple[tuple[RoundDeal, ...], ...]:
    """The deals of seed 9, as the engine keeps them."""
    game = game_of(line, "compiled")
    kept = play_sets(game, 9, 0, sets, keep=1).kept
    found: dict[int, list[RoundDeal]] = {number: [] for number in range(sets)}
    for one in kept[(kept["rotation"] == 0) & (kept["round_number"] < len(game.schedule))]:
        fixed = game.rules.fixed_trump(int(one["round_number"]), len(game.schedule))
        hands = tuple(int(hand) for hand in one["hands"][:4])
        found[int(one["set_number"])].append(RoundDeal(int(one["dealer"]), hands, int(one["turn_up"]), fixed))
    return tuple(tuple(rounds) for rounds in found.values())


# The engine


@pytest.mark.parametrize("line", RULES)
@pytest.mark.parametrize(
    ("kind", "driver"), [("compiled", "compiled"), ("compiled", "batched"), ("outside", "auto")]
)
def test_the_deals_of_a_seed_given_play_as_the_seed_does(line: str, kind: str, driver: Driver) -> None:
    plain = play_sets(game_of(line, kind), 9, 0, 6, driver=driver, log=True, keep=1)
    game = game_of(line, kind, GivenDeals(deals_of_seed(line, 6)))
    given = play_sets(game, 9, 0, 6, driver=driver, log=True, keep=1)
    assert (given.rows == plain.rows).all()
    assert (given.kept == plain.kept[plain.kept["round_number"] < len(game.schedule)]).all()


def test_another_seed_seats_and_plays_otherwise_on_the_same_cards() -> None:
    deals = deals_of_seed(RULES[0], 3)
    game = game_of(RULES[0], "compiled", GivenDeals(deals))
    one, two = (play_sets(game, seed, 0, 3, keep=1).kept for seed in (1, 2))
    for key in ("hands", "dealer", "turn_up", "trump", "hand_size"):
        assert (one[key] == two[key]).all()
    assert (one["places"] != two["places"]).any()
    assert len(one) == 3 * 4 * 3, "there are no tie-break rounds"


def test_given_deals_are_watched_too() -> None:
    deals = deals_of_seed(RULES[4], 40)
    game = game_of(RULES[4], "compiled", GivenDeals(deals))
    named = 0
    for number in range(40):
        steps = list(step_match(game, 3, number, rotation=1))
        begun = [step for step in steps if isinstance(step, RoundBegun)]
        assert [(one.dealer, one.hands, one.turn_up) for one in begun] == [one[:3] for one in deals[number]]
        named += sum(isinstance(step, TrumpNamed) for step in steps)
    assert named > 0


def test_given_deals_fit_their_game() -> None:
    deals = GivenDeals(deals_of_seed(RULES[0], 2))
    with pytest.raises(ConflictError, match="other players or rounds"):
        game_of(RULES[1].replace("3", "2"), "compiled", deals)
    with pytest.raises(ValueError, match="same number of rounds"):
        GivenDeals([])


# The file


def written(folder: Path, *records: dict[str, Any], name: str = "deals.jsonl") -> str:
    path = folder / name
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return str(path)


def test_a_match_of_the_file_is_a_set(tmp_path: Path) -> None:
    second = {**OTHER, "round": 2, "hand_size": 1, "hands": ["AD", "KD", "2D"]}
    found = read_deals(written(tmp_path, ONE, second, OTHER, second), Rules())
    assert (found.players, found.hand_sizes, len(found.sets)) == (3, (2, 1), 2)
    assert found.sets[0][0] == RoundDeal(
        2, (1 << 62 | 1 << 35, 1 << 61 | 1 << 20, 1 << 50 | 1 << 5), 39, None
    )
    assert found.sets[0][1] == found.sets[1][1]
    assert [len(match) for match in read_deals(written(tmp_path, ONE, OTHER, ONE), Rules()).sets] == [1, 1, 1]


def test_only_the_deal_is_read(tmp_path: Path) -> None:
    played = {
        **ONE,
        "rules": "river",
        "bids": [2, 2, 2],
        "plays": "AS",
        "scores": [1, 2, 3],
        "names": [*"abc"],
    }
    assert (
        read_deals(written(tmp_path, played), Rules()).sets
        == read_deals(written(tmp_path, ONE), Rules()).sets
    )


def test_a_misdeal_is_left_out_and_so_are_tie_break_rounds(tmp_path: Path) -> None:
    rules = "oh-pshaw:hand_sizes=2"
    first = {**ONE, "rules": rules}
    extra = {**first, "round": 2}
    found = read_deals(
        written(tmp_path, {**first, "misdeal": True}, first, extra, extra, first, extra), Rules()
    )
    assert [len(match) for match in found.sets] == [1, 1, 1]
    assert len(read_deals(written(tmp_path, extra), Rules()).sets) == 1, "alone it is a deal as any other"
    with pytest.raises(MalformedError, match="all its rounds"):
        read_deals(written(tmp_path, {**first, "misdeal": True}), Rules())


def test_rotations_of_a_set_are_one_set(tmp_path: Path) -> None:
    both = enumerate((ONE, OTHER))
    turned = [{**deal, "set": number, "rotation": turn} for number, deal in both for turn in range(3)]
    assert len(read_deals(written(tmp_path, *turned), Rules()).sets) == 2
    assert len(read_deals(written(tmp_path, ONE, ONE), Rules()).sets) == 2, "a deal may well be given twice"


@pytest.mark.parametrize(
    ("change", "rules", "said"),
    [
        ({"hands": ["AS", "KS 4D", "2S 5C"]}, "oh-pshaw", "seat 0 has 1 cards in a round of 2 (B7)"),
        (
            {"hands": ["AS 3H", "AS 4D", "2S 5C"]},
            "oh-pshaw",
            "AS is dealt twice, the second time to seat 1 (B7)",
        ),
        (
            {"hands": ["AS 7H", "KS 4D", "2S 5C"]},
            "oh-pshaw",
            "7H is dealt twice, the second time to the turn-up (B7)",
        ),
        (
            {"hands": ["AS WC", "KS 4D", "2S 5C"]},
            "oh-pshaw",
            "seat 0 has cards that the 4x13 pack does not hold (B7)",
        ),
        ({"hands": ["AS 3H", None, "2S 5C"]}, "oh-pshaw", "a hand is not known"),
        ({"hands": None}, "oh-pshaw", "a hand is not known"),
        ({"hands": ["AS 3H", "KS 4D"]}, "oh-pshaw", "2 hands were given for 3 players (B7)"),
        ({"turn_up": None}, "oh-pshaw", "a card must be turned up unless every card is dealt (B5, B6)"),
        ({"turn_up": None, "trump": "none"}, "oh-pshaw", "(V7)"),
        ({"turn_up": None, "trump": "H"}, "oh-pshaw", "(B5)"),
        ({}, "contract-whist", "(V6)"),
        ({}, "blackout", "this is the last round of its match and has a trump"),
        ({}, "oh-pshaw:pack=2x13", "seat 0 has cards that the 2x13 pack does not hold (B7)"),
        ({"dealer": 3}, "oh-pshaw", "dealer 3 is no seat"),
        ({"players": 8}, "oh-pshaw", "8 players make no game"),
        ({"hand_size": 30}, "oh-pshaw", "(B4)"),
        (
            {"hand_size": 1, "hands": ["AS", "KS", "2S"]},
            "oh-pshaw",
            "has 3 players and hands of 1, that of line 1",
        ),
        ({"colour": 1}, "oh-pshaw", "a record has no 'colour'"),
    ],
)
def test_a_deal_that_cannot_be_played_is_refused_with_its_line(
    ohpshaw: Command, tmp_path: Path, change: dict[str, Any], rules: str, said: str
) -> None:
    first = {} if rules != "oh-pshaw" else ONE
    records = [record for record in (first, {**ONE, **change}) if record]
    written(tmp_path, *records)
    words = ["tournament", "random", "--deals", "deals.jsonl", "--rules", rules, "--out", "run"]
    line = ohpshaw(*words, code=2).err.splitlines()[-1]
    assert line.startswith(f"ohpshaw: deals.jsonl:{len(records)}: ")
    assert said in line
    assert not (tmp_path / "run").exists()


def test_what_the_rules_allow_is_read(tmp_path: Path) -> None:
    def trump(change: dict[str, Any], rules: str) -> int | None:
        return read_deals(written(tmp_path, {**ONE, **change}), read_rules(rules)).sets[0][0].trump

    assert trump({"turn_up": None, "trump": "H"}, "contract-whist") == 2
    assert trump({"turn_up": None, "trump": "none"}, "blackout") == -1
    two = written(tmp_path, {**ONE, "round": 1}, {**OTHER, "round": 2, "turn_up": None, "trump": "none"})
    (match,) = read_deals(two, read_rules("blackout")).sets
    assert [deal.trump for deal in match] == [None, -1]
    assert trump({"turn_up": "WH", "trump": "S"}, "wizard") is None, "whoever deals now names it"
    full = {"hand_size": 4, "turn_up": None, "hands": ["AC KC QC JC", "TC 9C AD KD", "QD JD TD 9D"]}
    assert trump(full, "oh-pshaw:pack=2x6") is None


@pytest.mark.parametrize("given", [b"", b"\n\n", b"{", b"[]x", b"\xff"])
def test_a_broken_file_is_exit_code_2(ohpshaw: Command, tmp_path: Path, given: bytes) -> None:
    (tmp_path / "deals.jsonl").write_bytes(given)
    assert "deals.jsonl:" in ohpshaw("tournament", "random", "--deals", "deals.jsonl", code=2).err


def test_a_file_that_is_not_there_is_exit_code_1(ohpshaw: Command, tmp_path: Path) -> None:
    for name in ("nothing.jsonl", "."):
        said = ohpshaw("tournament", "random", "--deals", name, code=1).err
        assert said.startswith(f"ohpshaw: the deals {name} cannot be read: ")
    with pytest.raises(FileError):
        read_deals(str(tmp_path / "a\0b"), Rules())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--players", "4"], "has deals for 3 players; leave players out"),
        (["--players", "3-4"], "has deals for 3 players; leave players out"),
        (["--hand-sizes", "1-3"], "has deals with hands of 2; leave hand sizes out"),
        (["--for", "1m"], "deals and for exclude each other"),
        (["--sets", "3"], "has deals for 2 sets and 3 were asked for"),
    ],
)
def test_a_request_that_says_otherwise_is_refused(
    ohpshaw: Command, tmp_path: Path, words: list[str], said: str
) -> None:
    written(tmp_path, ONE, OTHER)
    assert said in ohpshaw("tournament", "random", "--deals", "deals.jsonl", *words, code=2).err


# The run


def request(file: str, **flags: Any) -> Spec:
    spec, _ = read_request(
        None, {"agents": ("random", "count-winners"), "seed": 5, "deals": file, **flags}, 24
    )
    return spec


def dealt(folder: Path, count: int = 40) -> str:
    """A file of deals as `ohpshaw deal` writes them, all of five cards to four players."""
    (folder / "here").mkdir(exist_ok=True)
    records = []
    for number, (deal,) in enumerate(deals_of_seed("oh-pshaw:hand_sizes=5", count)):
        hands = [" ".join(_names(hand)) for hand in deal.hands]
        turn_up = _names(1 << deal.turn_up)[0]
        record = {"players": 4, "dealer": deal.dealer, "hand_size": 5, "turn_up": turn_up, "hands": hands}
        records.append({**record, "round": 5, "comment": f"deal {number}"})
    return written(folder, *records)


def _names(hand: int) -> list[str]:
    return ["?F23456789TJQKAW"[card & 15] + "CDHS"[card >> 4] for card in range(64) if hand >> card & 1]


def deals_played(folder: Path) -> dict[tuple[int, int], list[RoundRecord]]:
    """The records of a run by set and rotation; each is judged to be in order."""
    found: dict[tuple[int, int], list[RoundRecord]] = {}
    for file in record_files([str(folder)]):
        for _, record in read_records(file):
            assert judge(record).status is Status.finished
            found.setdefault((record.set or 0, record.rotation or 0), []).append(record)
    return found


def see_that_all_were_played(folder: Path, deals: DealFile) -> None:
    played = deals_played(folder)
    assert set(played) == {
        (number, turn) for number in range(len(deals.sets)) for turn in range(deals.players)
    }
    for (number, _), records in played.items():
        for record, deal in zip(records, deals.sets[number], strict=True):
            assert tuple(mask_of(hand or ()) for hand in record.hands or ()) == deal.hands
            assert (record.dealer, record.seed) == (deal.dealer, None)
    for number in range(len(deals.sets)):
        seatings = [played[number, turn][0].names or () for turn in range(deals.players)]
        for names in zip(*seatings, strict=True):  # in each seat, over the rotations, sits everybody
            assert sorted(names) == sorted(seatings[0])


@pytest.mark.parametrize(("jobs", "driver"), [(1, "compiled"), (2, "batched")])
def test_every_set_is_a_match_of_the_file(tmp_path: Path, jobs: int, driver: Driver) -> None:
    spec = request(dealt(tmp_path))
    assert (spec.players, spec.hand_sizes, spec.sets) == ((4,), (5,), 40)
    play_tournament(spec, Options(out=tmp_path / "run", records="all", jobs=jobs, driver=driver))
    see_that_all_were_played(tmp_path / "run", read_deals(spec.deals or "", Rules()))
    manifest = load_run(tmp_path / "run").manifest
    assert manifest["deals"] == manifest["spec"]["deals_digest"] == spec.deals_digest
    assert make_spec(**manifest["spec"]) == spec


def test_worker_processes_play_them(tmp_path: Path) -> None:
    agents = ("random", str(write_agent(tmp_path, "lowest")))
    spec = request(dealt(tmp_path), agents=agents)
    assert len(pickle.dumps(Task(spec, 0, 3))) < 2_000
    play_tournament(spec, Options(out=tmp_path / "run", records="all", jobs=2))
    see_that_all_were_played(tmp_path / "run", read_deals(spec.deals or "", Rules()))


def test_a_run_goes_on_with_its_deals_and_not_with_others(tmp_path: Path) -> None:
    file = dealt(tmp_path)
    spec, folder = request(file, block_sets=1), tmp_path / "run"

    def stop(progress: Progress) -> None:
        if progress.sets_done and not progress.interrupted:
            os.kill(os.getpid(), signal.SIGINT)

    outcome = play_tournament(spec, Options(out=folder, records="all", jobs=1), listener=stop)
    assert outcome.state is State.INTERRUPTED
    assert outcome.command == f"ohpshaw resume {folder}"
    before = Path(file).read_bytes()
    Path(file).write_bytes(before + b"\n")
    edited = request(file, block_sets=1)
    assert edited.plan_hash() != spec.plan_hash()
    with pytest.raises(ConflictError, match="another file of deals"):
        play_tournament(edited, Options(out=folder, records="all", jobs=1), resume=True)
    Path(file).write_bytes(before)
    play_tournament(request(file, block_sets=1), Options(out=folder, records="all", jobs=1), resume=True)
    see_that_all_were_played(folder, read_deals(file, Rules()))


def test_a_file_that_changes_under_a_run_is_noticed(tmp_path: Path) -> None:
    file = written(tmp_path, ONE)
    digest = read_deals(file, Rules()).digest
    assert deals_of(file, digest, Rules(hand_sizes=(2,))).digest == digest, "read once, and kept"
    written(tmp_path, OTHER)
    with pytest.raises(IllegalError, match="holds other deals than when the run began"):
        deals_of(file, digest, read_rules("oh-hell"))


def test_the_plan_names_what_the_file_holds_and_not_where_it_lies(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    here, there = request(dealt(tmp_path)), request(dealt(tmp_path / "there"))
    assert here.plan_hash() == there.plan_hash()
    assert here.plan_hash() != request(written(tmp_path, ONE)).plan_hash()
    with pytest.raises(ConflictError, match="go together"):
        make_spec(agents=["random"], seed=1, deals="deals.jsonl")


def test_rules_may_name_another_schedule(tmp_path: Path) -> None:
    spec = request(written(tmp_path, ONE, OTHER), rules="river", hook=True, max_hand=7)
    assert (spec.schedule(3), spec.rules) == ((2,), "oh-hell")
    assert request(written(tmp_path, ONE, OTHER), players="3", hand_sizes="2", sets=1).sets == 1
    assert "--players" not in repeat_command(spec, Options())
    assert "--hand-sizes" not in repeat_command(spec, Options())


# The command


def test_what_a_run_has_kept_is_played_again_by_others(ohpshaw: Command, tmp_path: Path) -> None:
    words = ["--hand-sizes", "1-3", "--seed", "4", "--sets", "6", "--jobs", "1", "--rules", "wizard"]
    ohpshaw("tournament", "random", *words, "--players", "3", "--records", "all", "--out", "one")
    records = next((tmp_path / "one" / "records").iterdir())
    asked = [
        "tournament",
        "random",
        "--deals",
        records.relative_to(tmp_path),
        "--rules",
        "wizard",
        "--seed",
        "4",
    ]
    said = ohpshaw(*asked, "--records", "all", "--save-rounds", "--out", "two")
    assert f"--deals {records.relative_to(tmp_path)} --rules wizard" in (said.out + said.err)
    one, two = deals_played(tmp_path / "one"), deals_played(tmp_path / "two")
    assert set(one) == set(two)
    for where, rounds in one.items():
        assert [record.plays for record in rounds[:3]] == [record.plays for record in two[where]]
    (file,) = (tmp_path / "two" / "parts").glob("rounds-*")
    assert pq.read_table(file).num_rows == 6 * 3 * 3 * 3
    watched = ohpshaw("watch", "--run", "two", "--set", "5", "--no-step").out
    assert "Round 3" in watched or "round 3" in watched
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "deals.jsonl").write_bytes(records.read_bytes())
    (tmp_path / "there" / "request.toml").write_text(
        'agents = ["random"]\nrules = "wizard"\ndeals = "deals.jsonl"\n'
    )
    ohpshaw("tournament", "--config", "there/request.toml", "--seed", "4", "--out", "three")
    assert (
        load_run(tmp_path / "three").manifest["plan_hash"] == load_run(tmp_path / "two").manifest["plan_hash"]
    )


def test_dealt_deals_are_played(ohpshaw: Command, tmp_path: Path) -> None:
    words = ["--players", "5", "--rules", "contract-whist", "--round", "3", "--count", "7", "--seed", "2"]
    (tmp_path / "deals.jsonl").write_text(ohpshaw("deal", *words, "--format", "json").out)
    asked = [
        "tournament",
        "random",
        "--deals",
        "deals.jsonl",
        "--rules",
        "contract-whist",
        "--records",
        "all",
    ]
    ohpshaw(*asked, "--out", "run")
    see_that_all_were_played(
        tmp_path / "run", read_deals(str(tmp_path / "deals.jsonl"), read_rules("contract-whist"))
    )
    ohpshaw(*asked, "--dry-run")
