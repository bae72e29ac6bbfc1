"""What people ask for: numbers, durations, specs, configuration files; and what they are told."""

from pathlib import Path

import pytest

from ohpshaw_sim.errors import ConflictError, IllegalError, MalformedError, OhPshawError
from ohpshaw_sim.reading import read_duration, read_numbers, write_numbers
from ohpshaw_sim.rule_text import read_rules
from ohpshaw_sim.tournament.command import repeat_command
from ohpshaw_sim.tournament.options import Options, read_request
from ohpshaw_sim.tournament.spec import make_spec


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("4", (4,)),
        ("3-7", (3, 4, 5, 6, 7)),
        ("3,5", (3, 5)),
        ("7,6,5", (7, 6, 5)),
        ("3-1", (3, 2, 1)),
        ("1-3, 2-1", (1, 2, 3, 2, 1)),
        (4, (4,)),
        ([3, "5-6"], (3, 5, 6)),
    ],
)
def test_numbers_are_read(text: object, numbers: tuple[int, ...]) -> None:
    assert read_numbers(text, "numbers") == numbers


@pytest.mark.parametrize(
    "text", ["", "-1", "3-", "a", "3;4", "1.5", "1-99999", "0-2000", True, 3.5, None, [4.5]]
)
def test_other_numbers_are_refused(text: object) -> None:
    with pytest.raises(MalformedError):
        read_numbers(text, "numbers")


@pytest.mark.parametrize(
    "numbers", [(4,), (3, 4, 5), (7, 6, 5), (1, 2, 3, 2, 1), (1, 2, 1, 2, 3, 4), (3, 2, 1, 2, 3), (5, 5)]
)
def test_numbers_written_are_read_back(numbers: tuple[int, ...]) -> None:
    assert read_numbers(write_numbers(numbers), "numbers") == numbers


@pytest.mark.parametrize(("text", "seconds"), [("8h", 28_800), ("1h30m", 5_400), ("45s", 45), ("0.5s", 0.5)])
def test_durations_are_read(text: str, seconds: float) -> None:
    assert read_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "8", "h", "8 h", "-1h", "8x", "0s", "1h x"])
def test_other_durations_are_refused(text: str) -> None:
    with pytest.raises(MalformedError):
        read_duration(text)


def test_the_plan_hash_leaves_out_only_how_much_is_played() -> None:
    spec = make_spec(agents=["a", "b"], seed=1, sets=5)
    assert spec.plan_hash() == make_spec(agents=["a", "b"], seed=1, sets=99).plan_hash()
    others: list[dict[str, object]] = [
        {"seed": 2},
        {"players": "3"},
        {"hand_sizes": "1-3"},
        {"block_sets": 4},
        {"agents": ["b", "a"]},
    ]
    hashes = {make_spec(**{"agents": ["a", "b"], "seed": 1} | other).plan_hash() for other in others}
    assert len(hashes | {spec.plan_hash()}) == len(others) + 1


def test_equal_rules_have_equal_hashes_however_written() -> None:
    plain = make_spec(agents=["a"], seed=1)
    spelled = make_spec(agents=["a"], seed=1, rules="oh-pshaw:pack=4x13")
    assert plain.plan_hash() == spelled.plan_hash()


def test_the_folder_name_is_short_and_safe() -> None:
    spec = make_spec(
        agents=["monte-carlo:worlds=200,rollout=greedy", "/tmp/My Agents/ü.py:make", "a+b"], seed=1
    )
    name = spec.folder_name()
    assert len(name) < 80
    assert "/" not in name
    assert " " not in name
    assert make_spec(agents=["../../x.py"], seed=1).folder_name().startswith("x-")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"players": 2}, "2 players"),
        ({"players": "4,4"}, "twice"),
        ({"hand_sizes": 14}, "14"),
        ({"hand_sizes": 0}, "0"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": "x"}, "seed is 'x'"),
        ({"seed": True}, "seed is True; it should be a whole number"),
        ({"sets": 0}, "sets is 0"),
        ({"agents": []}, "agents"),
        ({"rules": "oh-pshwa"}, "did you mean 'oh-pshaw'"),
        ({"rules": "oh-pshaw:pakc=2x4"}, "did you mean 'pack'"),
        ({"rules": "oh-pshaw:pack"}, "option=value"),
        ({"palyers": 3}, "did you mean 'players'"),
    ],
)
def test_bad_specs_are_told_in_one_sentence(values: dict[str, object], said: str) -> None:
    with pytest.raises(OhPshawError) as caught:
        make_spec(**{"agents": ["a"], "seed": 1, **values})
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "pydantic" not in str(caught.value)


def test_rules_take_options_by_name() -> None:
    assert read_rules("oh-pshaw:pack=2x4,max_hand=2").schedule_for(3) == (1, 2)
    with pytest.raises(IllegalError):
        make_spec(agents=["a"], seed=1, rules="oh-pshaw:pack=2x4", hand_sizes="3")


def test_flags_win_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text('agents = ["a", "b"]\nplayers = "3-4"\nsets = 10\nseed = 5\njobs = 2\n')
    spec, options = read_request(file, {"players": "5", "seed": None}, about_sets=7)
    assert (spec.agents, spec.players, spec.sets, spec.seed, options.jobs) == (("a", "b"), (5,), 10, 5, 2)
    spec, options = read_request(file, {"for": "2m"}, about_sets=7)
    assert (spec.sets, options.seconds) == (None, 120)


def rules_asked(folder: Path, text: str, **flags: object) -> tuple[str, tuple[int, ...] | None]:
    """The rules and hand sizes of a spec, from the text of a file in a folder of its own and from flags."""
    (folder / "study").mkdir(exist_ok=True)
    (folder / "study" / "study.toml").write_text(text)
    spec, _ = read_request(folder / "study" / "study.toml", {"agents": ["a"], **flags}, about_sets=7)
    return spec.rules, spec.hand_sizes


@pytest.mark.parametrize(
    ("text", "flags", "rules", "hand_sizes"),
    [
        ('rules = "wizard"', {}, "wizard", None),
        ('rules = "wizard:max_hand=5"', {"hook": True}, "wizard:max_hand=5,hook=true", None),
        ('rules = "house.toml"', {}, "oh-hell:schedule=up-down,max_hand=3", None),
        ('rules = "house.toml"', {"max_hand": "2", "hook": False}, "river:max_hand=2", None),
        ('rules = "house.toml"\nhand_sizes = 2', {}, "oh-hell", (2,)),
        ("[rules]\nhook = true\nmax_hand = 3", {}, "oh-hell:max_hand=3", None),
        ('[rules]\npreset = "river"\nscoring = "soft"', {"scoring": "exact"}, "river", None),
        ('[rules]\nhand_sizes = "1-3"\nhook = true', {}, "oh-hell", (1, 2, 3)),
        ('[rules]\nhand_sizes = [3, "2-1"]', {"rules": "oh-hell"}, "oh-hell", (3, 2, 1)),
        ("[rules]\nhook = true", {"rules": "wizard"}, "wizard", None),
        ('hand_sizes = "1-3"', {"rules": "oh-hell"}, "oh-hell", (1, 2, 3)),
        ('hand_sizes = "1-3"', {"rules": "river"}, "river", None),
        ('hand_sizes = "1-3"', {"schedule": "down"}, "oh-pshaw:schedule=down", None),
        ('hand_sizes = "1-3"\n[rules]\nhook = true', {"hand_sizes": "4"}, "oh-hell", (4,)),
        ("[rules]\nhook = true\nhook_from = 3", {"hook": False}, "oh-pshaw", None),
        ("", {"rules": {"preset": "oh-hell"}, "hand_sizes": (2, 2)}, "oh-hell", (2, 2)),
    ],
)
def test_rules_of_a_file_and_flags_that_win_option_by_option(
    tmp_path: Path, text: str, flags: dict[str, object], rules: str, hand_sizes: tuple[int, ...] | None
) -> None:
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "house.toml").write_text('preset = "river"\nhook = true\nmax_hand = 3\n')
    assert rules_asked(tmp_path, text, **flags) == (rules, hand_sizes)


def test_hand_sizes_stand_in_one_place_of_a_spec() -> None:
    spec = make_spec(agents=["a"], seed=1, rules="river:hook=true", hand_sizes="1-3")
    same = make_spec(agents=["a"], seed=1, rules="oh-hell:hand_sizes=1-3")
    assert spec == same
    assert (spec.rules, spec.hand_sizes) == ("oh-hell", (1, 2, 3))
    assert spec.rules_in_force() == read_rules("oh-hell:hand_sizes=1-3")


def test_a_seed_is_drawn_and_sets_have_a_default() -> None:
    first, _ = read_request(None, {"agents": ["a"]}, about_sets=20)
    second, _ = read_request(None, {"agents": ["a"]}, about_sets=20)
    assert first.sets == 32
    assert first.seed != second.seed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("palyers = 4", "did you mean 'players'"),
        ("players = [", "no TOML"),
        ("driver = 'fast'", "driver"),
        ("jobs = 0", "jobs"),
        ("sets = 3\nfor = '3h'", "exclude"),
        ("hook = true", "study.toml has 'hook' in the wrong place; write options of the rules below [rules]"),
        ("[rules]\nhok = true", "study.toml: a set of rules has no 'hok' (did you mean 'hook'?)"),
        ("rules = 'rivr'", "study.toml: there are no rules named 'rivr' (did you mean 'river'?)"),
        ("rules = 'none.toml'", "none.toml cannot be read"),
        (f"sets = {'9' * 5000}", "study.toml cannot be read: a number or nesting without end"),
        (f"sets = {'[' * 5000}{']' * 5000}", "study.toml cannot be read: a number or nesting without end"),
        ("[rules]\nscoring = 'sof'", "(did you mean 'soft'?)"),
        ("hand_sizes = '1-3'\n[rules]\nschedule = 'down'", "study.toml: schedule down and an explicit list"),
    ],
)
def test_bad_files_are_told_in_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "study.toml"
    file.write_text(text)
    with pytest.raises((MalformedError, ConflictError)) as caught:
        read_request(file, {"agents": ["a"]}, about_sets=7)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_command_repeats_the_spec() -> None:
    spec = make_spec(agents=["my bot.py", "b"], players="3-5", hand_sizes="7,6", seed=3, sets=9, block_sets=4)
    command = repeat_command(spec, Options(out=Path("x y")))
    assert command == (
        "ohpshaw tournament 'my bot.py' b --players 3-5 --hand-sizes 7,6 --block-sets 4 "
        "--sets 9 --seed 3 --out 'x y'"
    )


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"rules": "river:hook=true,max_hand=3"}, "--rules oh-hell:schedule=up-down,max_hand=3"),
        ({"rules": {"hook": True, "scoring": "soft"}}, "--rules oh-hell:scoring=soft"),
        ({"rules": "wizard", "hand_sizes": "3-1"}, "--hand-sizes 3-1 --rules wizard"),
        ({"rules": "oh-hell:hand_sizes=1-3/7"}, "--hand-sizes 1-3,7 --rules oh-hell"),
    ],
)
def test_the_command_repeats_the_rules_in_one_line(values: dict[str, object], words: str) -> None:
    spec = make_spec(agents=["a"], seed=3, sets=9, **values)
    assert repeat_command(spec, Options()) == f"ohpshaw tournament a {words} --sets 9 --seed 3"


def test_the_command_names_no_file_of_rules(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text('preset = "podrida"\nzero_bid = "hand-size"\n')
    spec = make_spec(agents=["a"], seed=3, sets=9, rules=tmp_path / "house.toml")
    assert "--rules podrida:zero_bid=hand-size " in repeat_command(spec, Options())
