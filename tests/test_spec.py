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
