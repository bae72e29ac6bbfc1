"""Rules on the command line: listed, shown, checked, taken as flags by every command that plays, or refused."""

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from command_line import Command
from ohpshaw_sim.api import run_tournament
from ohpshaw_sim.cli.rule_flags import described_options, flag_of, rule_flags, rules_from
from ohpshaw_sim.cli.rule_words import hand_sizes_in_words, rules_in_words
from ohpshaw_sim.rule_text import PRESETS, read_rules, rules_text
from ohpshaw_sim.rules import Rules

QUICK = ("tournament", "random", "greedy", "--sets", "16", "--seed", "5")
OTHER_VALUES: dict[str, Any] = {
    "pack": "2x4",
    "wizard": True,
    "schedule": "down",
    "hand_sizes": "1-3",
    "max_hand": 2,
    "tie_break_hand": 2,
    "first_dealer": 2,
    "trump": "rotate",
    "no_trump_final": True,
    "bidding": "simultaneous",
    "hook": True,
    "hook_from": 3,
    "must_trump": True,
    "scoring": "soft",
    "zero_bid": "hand-size",
    "round_winner_bonus": True,
    "revoke_penalty": 10,
}
"""A value other than the default for every option."""
REFUSED = [
    (
        "--hook --bidding simultaneous",
        "hook and simultaneous bidding exclude each other: nobody bids last; leave one of them out (V1, V9)",
    ),
    (
        "--rules podrida --bidding simultaneous",
        "hook and simultaneous bidding exclude each other: nobody bids last; leave one of them out (V1, V9)",
    ),
    ("--hook-from 3", "hook_from has no meaning without the hook; add hook, or leave it out (V1)"),
    (
        "--wizard --pack 2x4",
        "wizard adds to the full pack and cannot be played with a pack of 2x4; leave one out (V8, V17)",
    ),
    (
        "--schedule contract-whist --max-hand 5",
        "schedule contract-whist is always 7 to 1 to 7 and takes no max_hand; leave it out, or use down-up (V5)",
    ),
    (
        "--hand-sizes 1-3 --schedule down",
        "schedule down and an explicit list of hand_sizes exclude each other; give one of them",
    ),
    (
        "--hand-sizes 1-3 --max-hand 3",
        "max_hand has no meaning beside an explicit list of hand_sizes; give one of them",
    ),
    ("--hook --no-hook", "--hook and --no-hook exclude each other; give one of them"),
    (
        "--scoring sof",
        "scoring is 'sof'; it should be 'exact', 'soft', 'wizard' or 'penalty' (did you mean 'soft'?)",
    ),
    (
        "--schedule up_down",
        "schedule is 'up_down'; it should be 'up', 'up-down', 'down', 'down-up' or 'contract-whist' "
        "(did you mean 'up-down'?)",
    ),
    ("--trump hearts", "trump is 'hearts'; it should be 'turn-up' or 'rotate'"),
    ("--bidding all", "bidding is 'all'; it should be 'in-turn' or 'simultaneous'"),
    (
        "--zero-bid hand_size",
        "zero_bid is 'hand_size'; it should be 'as-scored' or 'hand-size' (did you mean 'hand-size'?)",
    ),
    ("--max-hand five", "max_hand is 'five'; it should be a whole number"),
    ("--max-hand 21", "max_hand 21 is out of range; use 1 to 20"),
    ("--pack 2", "'2' is no pack; write suits x ranks, as in 2x4 or 4x13 (V17)"),
    ("--pack 5x4", "there is no 5x4 pack; 1 to 4 suits of 2 to 13 ranks can be kept (V17)"),
    ("--revoke-penalty 5", "revoke_penalty 5 is not played; use 0 or 10 (V14)"),
    ("--first-dealer 7", "first_dealer 7 is no seat; seats are 0 to the last player"),
    ("--hand-sizes soon", "'soon' is no list of hand sizes; write 4, a range 3-7 or a list 7,6,5"),
    ("--rules wizrd", "there are no rules named 'wizrd' (did you mean 'wizard'?)"),
    ("--rules WIZARD", "there are no rules named 'WIZARD' (did you mean 'wizard'?)"),
    ("--rules wizard:hok=1", "a set of rules has no 'hok' (did you mean 'hook'?)"),
    ("--rules none.toml", "none.toml cannot be read: No such file or directory"),
]
"""Flags that make no rules, and the one sentence that says so."""


def typed(name: str, value: Any) -> list[str]:
    return [flag_of(name, value)] if isinstance(value, bool) else [flag_of(name), str(value)]


def words_of(rules: Rules) -> str:
    return "\n".join(": ".join(saying) for saying in rules_in_words(rules))


# What there is


def test_every_option_is_described() -> None:
    assert list(OTHER_VALUES) == list(Rules.model_fields) == [option.name for option in described_options()]
    for option in described_options():
        assert re.fullmatch(r"[BV]\d+((, | to )[BV]\d+)*", option.ids), option
        assert len(option.sentence) > 10


def test_presets_and_options_are_listed_in_80_columns(ohpshaw: Command) -> None:
    said = ohpshaw("rules")
    assert all(len(line) <= 80 for line in said.out.splitlines())
    assert said.err == ""
    lines = [line.split() for line in said.out.splitlines()]
    assert ["contract-whist", "--schedule", "contract-whist", "--trump", "rotate"] in lines
    assert ["--scoring", "exact|soft|wizard|penalty", "B13,", "V11,", "V15,", "V16"] in lines
    for name in PRESETS:
        assert any(line[:1] == [name] for line in lines), name
    for option in described_options():
        assert any(line[:1] == [option.flag] for line in lines), option.flag


@pytest.mark.parametrize(
    "command", [("rules",), ("rules", "show"), ("rules", "check"), ("tournament",), ("bench",)], ids=" ".join
)
def test_help_has_examples_and_fits(ohpshaw: Command, command: tuple[str, ...]) -> None:
    said = ohpshaw(*command, "--help")
    assert all(len(line) <= 80 for line in said.out.splitlines())
    assert "Example" in said.out
    assert "…" not in said.out


# Shown


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_shown_in_words(ohpshaw: Command, name: str) -> None:
    said = ohpshaw("rules", "show", name)
    assert all(len(line) <= 80 for line in said.out.splitlines())
    assert said.out.split()[:2] == ["rules", name]
    for players in range(3, 8):
        assert f"{players} players" in said.out


@pytest.mark.parametrize("name", OTHER_VALUES)
def test_every_option_has_words_and_a_flag(ohpshaw: Command, name: str) -> None:
    value = OTHER_VALUES[name]
    base = Rules(hook=True) if name == "hook_from" else Rules()
    changed = read_rules(base, **{name: value})
    assert words_of(changed) != words_of(base)
    shown = ohpshaw("rules", "show", rules_text(base), *typed(name, value), "--format", "json")
    assert Rules(**json.loads(shown.out)) == changed


def test_words_follow_the_options() -> None:
    words = words_of(read_rules("wizard:must_trump=true,hook=true,hook_from=3,pack=4x13"))
    for part in (
        "60 cards",
        "from 3 cards on (V1)",
        "20 + 10 for each trick",
        "play a trump",
        "dealer names a suit",
    ):
        assert part in words
    assert "(V7)" in words_of(PRESETS["blackout"])
    assert "B10" not in words_of(PRESETS["podrida"])
    assert "hearts, clubs, diamonds and spades in turn" in words_of(PRESETS["contract-whist"])
    assert "clubs and diamonds, ace down to jack" in words_of(Rules(pack="2x4"))


@pytest.mark.rule("V2")
def test_hand_sizes_are_shown_by_players_or_why_there_are_none(ohpshaw: Command) -> None:
    told = dict(hand_sizes_in_words(read_rules("river:max_hand=15")))
    assert told["3 players"] == "1-15,14-1 (29 rounds)"
    assert told["4 players"].startswith("none: hand size 15 needs 60 cards at 4 players")
    assert "none: hand size 15" in ohpshaw("rules", "show", "river", "--max-hand", "15").out


@pytest.mark.parametrize(
    "line", ["river", "wizard:max_hand=5,hook=true", "oh-pshaw:hand_sizes=1-3/7,pack=3x9"]
)
def test_a_file_that_is_shown_is_read_back(ohpshaw: Command, tmp_path: Path, line: str) -> None:
    shown = ohpshaw("rules", "show", line, "--format", "toml").out
    tomllib.loads(shown)
    (tmp_path / "house.toml").write_text(shown)
    assert ohpshaw("rules", "check", "house.toml").out == f"ok  {rules_text(read_rules(line))}\n"
    assert ohpshaw("rules", "show", "house.toml", "--format", "toml").out == shown


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("oh-hell --no-hook", "oh-pshaw"),
        ("blackout --trump-final", "oh-pshaw"),
        ("oh-hell:hook_from=3 --no-hook", "oh-pshaw"),
        ("contract-whist --schedule up --max-hand 3", "oh-pshaw:max_hand=3,trump=rotate"),
        ("river --hand-sizes 1-3", "oh-pshaw:hand_sizes=1-3"),
        ("wizard --no-wizard", "oh-pshaw:scoring=wizard"),
    ],
)
def test_flags_win_over_what_they_change(ohpshaw: Command, words: str, line: str) -> None:
    assert ohpshaw("rules", "show", *words.split()).out.split()[1] == line


# Checked


def test_a_check_says_who_can_play(ohpshaw: Command) -> None:
    said = ohpshaw("rules", "check", "river:max_hand=9")
    assert said.out == "ok  river:max_hand=9\n"
    assert said.err.startswith("for 3-5 players only")
    assert "fewer cards than 3 players" in ohpshaw("rules", "check", "oh-pshaw:pack=1x2", code=2).err


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hook = tru", "ohpshaw: house.toml is no TOML"),
        ("hok = true", "ohpshaw: in house.toml: a set of rules has no 'hok' (did you mean 'hook'?)\n"),
        ('scoring = "sof"', "(did you mean 'soft'?)\n"),
        ('preset = "rivr"', "(did you mean 'river'?)\n"),
        ("hand_sizes = 3.5", "ohpshaw: in house.toml: hand_sizes is 3.5; it should be a list\n"),
    ],
)
def test_a_bad_file_is_one_sentence(ohpshaw: Command, tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "house.toml").write_text(text)
    said = ohpshaw("rules", "check", "house.toml", code=2)
    assert reason in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


# Taken by commands that play


@pytest.mark.rule("V1", "V5", "V8", "V9", "V14", "V17")
@pytest.mark.parametrize("command", ["rules show", "tournament random"])
@pytest.mark.parametrize(("flags", "sentence"), REFUSED, ids=[flags for flags, _ in REFUSED])
def test_what_makes_no_rules_is_refused(
    ohpshaw: Command, tmp_path: Path, command: str, flags: str, sentence: str
) -> None:
    if command == "rules show":
        flags = flags.removeprefix("--rules ")
    said = ohpshaw(*command.split(), *flags.split(), code=2)
    assert said.err == f"ohpshaw: {sentence}\n"
    assert said.out == ""
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("command", ["rules show", "tournament random", "bench random"])
def test_an_unknown_flag_gets_near_ones(ohpshaw: Command, command: str) -> None:
    assert "--hook" in ohpshaw(*command.split(), "--hok", code=2).err


def test_a_schedule_that_the_pack_cannot_serve_is_refused(ohpshaw: Command) -> None:
    for flags in ("--max-hand 14", "--pack 2x4 --hand-sizes 3", "--tie-break-hand 14", "--first-dealer 4"):
        said = ohpshaw("tournament", "random", *flags.split(), code=2)
        assert "at 4 players" in said.err
        assert said.err.count("\n") == 1


def test_a_tournament_keeps_its_rules_and_repeats_them_from_anywhere(
    ohpshaw: Command, tmp_path: Path
) -> None:
    (tmp_path / "house.toml").write_text('preset = "river"\nhook = true\n')
    flags = ("--rules", "house.toml", "--max-hand", "3", "--scoring", "soft")
    said = ohpshaw(*QUICK, *flags, "--out", "run")
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    rules = read_rules("oh-hell:schedule=up-down,max_hand=3,scoring=soft")
    assert manifest["spec"]["rules"] == rules_text(rules)
    assert list(manifest["rules"]) == list(Rules.model_fields)
    assert Rules(**manifest["rules"]) == rules
    assert manifest["lineups"][0]["schedule"] == [1, 2, 3, 2, 1]
    repeat = re.search(r"repeat  ohpshaw (.*) --out run", said.err)
    assert repeat is not None
    assert ".toml" not in repeat[1]
    (tmp_path / "elsewhere").mkdir()
    again = ohpshaw(*shlex.split(repeat[1]), "--out", "run", where=tmp_path / "elsewhere")
    assert again.out == said.out


def test_a_dry_run_shows_the_rules(ohpshaw: Command) -> None:
    flags = ("--rules", "oh-hell", "--hand-sizes", "1-3", "--dry-run")
    assert "rules: oh-hell\n" in ohpshaw(*QUICK, *flags).out
    shown = json.loads(ohpshaw(*QUICK, *flags, "--format", "json").out)["rules"]
    assert Rules(**shown) == read_rules("oh-hell:hand_sizes=1-3")


def test_the_bench_takes_rules_without_their_schedule(ohpshaw: Command) -> None:
    words = "bench random --players 4 --hand-sizes 2,10 --seconds 0.02 --format json --rules river --hook --pack 4x9"
    figures = json.loads(ohpshaw(*words.split()).out)
    assert figures["rules"] == "oh-hell:pack=4x9"
    assert [row["hand_size"] for row in figures["engine"]] == [2]
    assert figures["agents"][0]["decisions_per_second"] > 0
    assert "No such option: --schedule" in ohpshaw("bench", "random", "--schedule", "down", code=2).err
    assert "did you mean 'soft'" in ohpshaw("bench", "random", "--scoring", "sof", code=2).err


@pytest.mark.parametrize("form", ["text", "rules", "dict", "path", "names"])
def test_a_tournament_from_python_takes_rules_in_any_form(tmp_path: Path, form: str) -> None:
    rules = read_rules("oh-hell:max_hand=2")
    (tmp_path / "house.toml").write_text('preset = "oh-hell"\nmax_hand = 2\n')
    forms: dict[str, dict[str, Any]] = {
        "text": {"rules": "oh-hell:max_hand=2"},
        "rules": {"rules": rules},
        "dict": {"rules": {"preset": "oh-hell", "max_hand": 2}},
        "path": {"rules": tmp_path / "house.toml"},
        "names": {"rules": "oh-hell", "max_hand": 2},
    }
    run = run_tournament(["random"], sets=2, seed=1, jobs=1, out=tmp_path / "run", **forms[form])
    assert Rules(**run.manifest["rules"]) == rules


# The decorator


def said_by(words: str, leave_out: tuple[str, ...] = ()) -> tuple[str, dict[str, Any]]:
    """What a command with rule flags is handed."""
    heard: list[tuple[str, dict[str, Any]]] = []
    app = typer.Typer()

    @app.command()
    @rule_flags(leave_out=leave_out)
    def deal(hand_sizes: str = "4", *, rule_options: dict[str, Any]) -> None:
        heard.append((hand_sizes, rule_options))

    result = CliRunner().invoke(app, words.split(), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return heard[0]


def test_a_command_is_handed_what_was_given_and_nothing_else() -> None:
    assert said_by("") == ("4", {})
    sizes, given = said_by("--rules river --no-hook --trump-final --max-hand 3 --hand-sizes 2")
    assert (sizes, given) == (
        "2",
        {"rules": "river", "hook": False, "no_trump_final": False, "max_hand": "3"},
    )
    assert rules_from(given) == read_rules("river:max_hand=3")
    assert rules_from({}) == Rules()


def test_a_command_may_leave_flags_out() -> None:
    with pytest.raises(AssertionError, match="No such option"):
        said_by("--hook", leave_out=("hook",))
    with pytest.raises(AssertionError, match="No such option"):
        said_by("--no-hook", leave_out=("hook",))
