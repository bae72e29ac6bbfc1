"""Rules by name, by line and by file: what is read back, what is refused and in which words."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ohpshaw_sim.errors import ConflictError, IllegalError, MalformedError, OhPshawError
from ohpshaw_sim.rule_text import PRESETS, make_rules, read_rules, rules_text, rules_toml
from ohpshaw_sim.rules import Rules

OPTIONS: dict[str, st.SearchStrategy[Any]] = {
    "pack": st.sampled_from(["4x13", "2x4", "3x9"]),
    "wizard": st.booleans(),
    "schedule": st.sampled_from(["up", "up-down", "down", "down-up", "contract-whist"]),
    "hand_sizes": st.none() | st.lists(st.integers(1, 5), min_size=1, max_size=6).map(tuple),
    "max_hand": st.none() | st.integers(1, 6),
    "tie_break_hand": st.none() | st.integers(1, 3),
    "first_dealer": st.none() | st.integers(0, 2),
    "trump": st.sampled_from(["turn-up", "rotate"]),
    "no_trump_final": st.booleans(),
    "bidding": st.sampled_from(["in-turn", "simultaneous"]),
    "hook": st.booleans(),
    "hook_from": st.sampled_from([1, 1, 3]),
    "must_trump": st.booleans(),
    "scoring": st.sampled_from(["exact", "soft", "wizard", "penalty"]),
    "zero_bid": st.sampled_from(["as-scored", "hand-size"]),
    "round_winner_bonus": st.booleans(),
    "revoke_penalty": st.sampled_from([0, 10]),
}


def rules_or_none(options: dict[str, Any]) -> Rules | None:
    try:
        return Rules(**options)
    except OhPshawError:
        return None


any_rules = st.fixed_dictionaries(OPTIONS).map(rules_or_none).filter(lambda rules: rules is not None)


def test_the_strategy_names_every_option() -> None:
    assert list(OPTIONS) == list(Rules.model_fields)


@given(any_rules)
def test_a_line_reads_back_to_the_same_rules(rules: Rules) -> None:
    assert read_rules(rules_text(rules)) == rules


@given(rules=any_rules)
def test_a_file_reads_back_to_the_same_rules(rules: Rules, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("rules") / "house.toml"
    path.write_text(rules_toml(rules), "utf-8")
    assert read_rules(path) == rules
    assert rules_text(read_rules(path)) == rules_text(rules)


@pytest.mark.parametrize(("name", "rules"), PRESETS.items())
def test_a_preset_is_its_own_name(name: str, rules: Rules) -> None:
    assert rules_text(rules) == name
    assert read_rules(name) == rules


def test_a_list_of_hand_sizes_takes_the_place_of_a_schedule_and_the_other_way_round() -> None:
    assert read_rules("river", hand_sizes="1-3").schedule_for(4) == (1, 2, 3)
    listed = make_rules(hand_sizes=(5, 5))
    assert make_rules(listed, schedule="down", max_hand=3).schedule_for(4) == (3, 2, 1)
    assert make_rules(PRESETS["contract-whist"], schedule="up", max_hand=2).schedule_for(4) == (1, 2)


@pytest.mark.rule("V1", "V5", "V8", "V9", "V14", "V17")
@pytest.mark.parametrize(
    ("given", "error", "sentence"),
    [
        ("wizrd", MalformedError, "there are no rules named 'wizrd' (did you mean 'wizard'?)"),
        ("wizard:hok=1", MalformedError, "a set of rules has no 'hok' (did you mean 'hook'?)"),
        (
            "wizard:hook",
            MalformedError,
            "'hook' in rules 'wizard:hook' is no option; write option=value (pack=2x4)",
        ),
        (
            {"preset": "oh-hell", "hok": 1},
            MalformedError,
            "a set of rules has no 'hok' (did you mean 'hook'?)",
        ),
        (
            "oh-hell:bidding=simultaneous",
            ConflictError,
            "hook and simultaneous bidding exclude each other: nobody bids last; leave one of them out (V1, V9)",
        ),
        (
            "wizard:pack=2x4",
            ConflictError,
            "wizard adds to the full pack and cannot be played with a pack of 2x4; leave one out (V8, V17)",
        ),
        (
            "oh-pshaw:hook_from=3",
            ConflictError,
            "hook_from has no meaning without the hook; add hook, or leave it out (V1)",
        ),
        (
            "river:hand_sizes=1-3,schedule=down",
            ConflictError,
            "schedule down and an explicit list of hand_sizes exclude each other; give one of them",
        ),
        (
            "contract-whist:max_hand=5",
            ConflictError,
            "schedule contract-whist is always 7 to 1 to 7 and takes no max_hand; leave it out, or use down-up (V5)",
        ),
        (
            "oh-pshaw:scoring=sof",
            MalformedError,
            "scoring is 'sof'; it should be 'exact', 'soft', 'wizard' or 'penalty' (did you mean 'soft'?)",
        ),
        (
            "oh-hell:max_hand=5,max-hand=6",
            MalformedError,
            "'max_hand' stands in rules 'oh-hell:max_hand=5,max-hand=6' twice; give it once",
        ),
        ({"max_hand": True}, MalformedError, "max_hand is True; it should be a whole number"),
        ("oh-pshaw:revoke_penalty=5", IllegalError, "revoke_penalty 5 is not played; use 0 or 10 (V14)"),
        ("oh-hell:hook_from=21", IllegalError, "hook_from 21 is out of range; use 1 to 20"),
    ],
)
def test_refused_with_a_reason(given: object, error: type[OhPshawError], sentence: str) -> None:
    with pytest.raises(error) as caught:
        read_rules(given)
    assert str(caught.value) == sentence


def test_a_byte_order_mark_of_a_file_is_no_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('\ufeffpreset = "river"\r\n', "utf-8", newline="")
    assert read_rules(path) == PRESETS["river"]


def test_a_file_is_named_in_its_errors(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    for text, part in (
        ("hook = tru", "is no TOML"),
        (f"max_hand = {'9' * 5000}", "a number or nesting without end"),
        (f"max_hand = {'[' * 5000}{']' * 5000}", "a number or nesting without end"),
        ('preset = "wizzard"', "did you mean 'wizard'?"),
        ("max_hnd = 3", "did you mean 'max_hand'?"),
    ):
        path.write_text(text, "utf-8")
        with pytest.raises(MalformedError) as caught:
            read_rules(path)
        assert str(path) in str(caught.value)
        assert part in str(caught.value)
    with pytest.raises(MalformedError, match="cannot be read"):
        read_rules(tmp_path / "none.toml")
