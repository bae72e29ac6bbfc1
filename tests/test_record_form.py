"""Round records as they are written: every spelling, every key, one sentence for each mistake, and the schema."""

import json
import random
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from ohpshaw_sim.cards import HEARTS, NO_SUIT, parse_card, parse_cards
from ohpshaw_sim.errors import ConflictError, IllegalError, MalformedError, OhPshawError
from ohpshaw_sim.records.record import KEYS, RoundRecord, read_record
from ohpshaw_sim.records.schema import record_schema
from ohpshaw_sim.records.spelling import read_cards
from ohpshaw_sim.records.writing import record_line, record_of, record_table
from ohpshaw_sim.rule_text import read_rules

ROOT = Path(__file__).resolve().parents[1]
LEAST: dict[str, Any] = {"players": 4, "dealer": 3, "hand_size": 2}
FULL: dict[str, Any] = {
    **LEAST,
    "rules": "wizard",
    "turn_up": "WH",
    "trump": "S",
    "hands": ["2C 3C", ["4C", "5C"], None, "10♥,ah"],
    "bids": [0, 1, None, 2],
    "plays": ["2C 4C 6C TH", "ah"],
    "names": ["Ann", "Bob", "Cem", "Dan"],
    "round": 2,
    "seed": 7,
    "set": 12,
    "rotation": 3,
    "lineup": 0,
    "misdeal": False,
    "revokes": [{"seat": 1, "kind": "caught-later", "trick": 1}],
    "forfeits": [{"seat": 2, "kind": "exception", "decision": 0, "reason": "raised ValueError"}],
    "winners": [3],
    "tricks": [0, 0, 0, 1],
    "scores": [0, -10, 20, 30],
    "comment": "a comment",
}


# Reading


def test_every_spelling_of_a_card_is_read() -> None:
    cards = read_cards("TH, 10H 10♥ th\n10h", "plays")
    assert cards == (parse_card("TH"),) * 5
    assert read_cards(["wh fd", "JC"], "plays") == tuple(parse_cards("WH FD JC"))
    assert read_cards("", "plays") == read_cards([], "plays") == ()


def test_a_full_record_is_read() -> None:
    record = read_record(FULL)
    assert record.hands is not None
    assert record.hands[1:3] == ((4, 5), None)
    assert record.plays == tuple(parse_cards("2C 4C 6C TH AH"))
    assert (record.bids, record.trump) == ((0, 1, None, 2), 3)
    assert record.rules_in_force == read_rules("wizard")


@pytest.mark.parametrize(("text", "trump"), [("♥", HEARTS), ("h", HEARTS), ("none", NO_SUIT), (None, None)])
def test_trump_is_read(text: object, trump: int | None) -> None:
    assert read_record({**LEAST, "trump": text}).trump == trump


@pytest.mark.parametrize("rules", ["oh-hell:must_trump=true", {"preset": "oh-hell", "must_trump": True}])
def test_rules_are_a_line_or_an_object(rules: object) -> None:
    assert read_record({**LEAST, "rules": rules}).rules_in_force == read_rules("podrida")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"palyers": 3}, "did you mean 'players'"),
        ({"players": None}, "players: None should be a whole number 0 to 99"),
        ({"players": True}, "players: True should be a whole number"),
        ({"players": 4.5}, "players: 4.5 should be a whole number"),
        ({"dealer": -1}, "dealer: -1"),
        ({"hand_size": "2"}, "hand_size: '2'"),
        ({"turn_up": "1H"}, "turn_up: '1H' is no card"),
        ({"turn_up": 7}, "turn_up: 7 is no card"),
        ({"trump": "hearts"}, "trump: 'hearts' is no suit"),
        ({"hands": "2C"}, "hands: '2C' should be a list"),
        ({"hands": ["2C", 5, None, None]}, "hands[1]: 5 are no cards"),
        ({"plays": "2C 4X"}, "plays: '4X' is no card"),
        ({"plays": ["2C", None]}, "plays: None are no cards"),
        ({"bids": [0, 1]}, "bids has 2 entries for 4 players"),
        ({"bids": [0, 1, 2, "x"]}, "bids[3]: 'x'"),
        ({"bids": [0, 0, 0, 10**400]}, "bids[3]: 1000000"),
        ({"names": ["Ann", "Bob", "Cem", 4]}, "names[3]: 4 should be text"),
        ({"names": ["Ann"]}, "names has 1 entries"),
        ({"scores": [1, 2, 3]}, "scores has 3 entries"),
        ({"winners": [4]}, "winners: 4 is no seat"),
        ({"revokes": [{"seat": 4, "kind": "caught-later"}]}, "revokes: 4 is no seat"),
        ({"revokes": [{"seat": 1, "kind": "later"}]}, "revokes[0]: kind is 'later'"),
        ({"revokes": [{"seat": 1, "kind": "caught-later", "trik": 1}]}, "did you mean 'trick'"),
        ({"revokes": [{"seat": 1}]}, "revokes[0]: a revoke needs 'kind'"),
        ({"revokes": [3]}, "revokes[0]: 3 should be a revoke"),
        ({"forfeits": [{"seat": 4, "kind": "hang"}]}, "forfeits: 4 is no seat"),
        ({"forfeits": [{"seat": 1, "kind": "lazy"}]}, "forfeits[0]: kind is 'lazy'"),
        ({"forfeits": [{"seat": 1, "kind": "hang", "decision": -1}]}, "forfeits[0].decision: -1"),
        ({"forfeits": [3]}, "forfeits[0]: 3 should be a forfeit"),
        ({"misdeal": 1}, "misdeal is 1"),
        ({"comment": 5}, "comment: 5 should be text"),
        ({"seed": -1}, "seed: -1 should be a whole number from 0 on"),
        ({"round": 0}, "round: 0"),
        ({"rules": 5}, "rules: 5 should be rules"),
        ({"rules": "oh-hel"}, "did you mean 'oh-hell'"),
        ({"rules": {"preset": []}}, "preset is []"),
        ({"rules": {"hok": True}}, "did you mean 'hook'"),
        ({"rules": "house.toml"}, "is a file"),
    ],
)
def test_a_mistake_is_told_in_one_sentence(change: dict[str, Any], said: str) -> None:
    with pytest.raises(MalformedError) as caught:
        read_record({**LEAST, **change})
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "pydantic" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("given", [None, 3, "players", [], [LEAST]])
def test_what_is_no_object_is_no_record(given: object) -> None:
    with pytest.raises(MalformedError, match="a record is an object"):
        read_record(given)


def test_a_missing_key_is_named() -> None:
    with pytest.raises(MalformedError, match="a record needs 'dealer'"):
        read_record({"players": 3, "hand_size": 1})


def test_rules_that_make_no_game_are_told_as_elsewhere() -> None:
    with pytest.raises(ConflictError, match="hook and simultaneous"):
        read_record({**LEAST, "rules": "oh-hell:bidding=simultaneous"})
    with pytest.raises(IllegalError, match="max_hand 99"):
        read_record({**LEAST, "rules": "oh-pshaw:max_hand=99"})


# Writing


def test_a_record_has_its_keys_in_one_order_and_on_one_line() -> None:
    table = record_table(read_record(dict(reversed(FULL.items()))))
    assert list(table) == [key for key in KEYS if key in FULL and key != "misdeal"]
    line = record_line(table)
    assert "\n" not in line
    assert ": " not in line
    assert read_record(json.loads(line)) == read_record(FULL)


def test_what_is_not_known_is_left_out() -> None:
    assert record_of("river", 3, 0, 2, hands=[None, 12, None], bids=[-1, 1, -1], names=None) == {
        "rules": "river",
        "players": 3,
        "dealer": 0,
        "hand_size": 2,
        "hands": [None, "3C 2C", None],
        "bids": [None, 1, None],
    }
    with pytest.raises(MalformedError, match="did you mean 'names'"):
        record_of("river", 3, 0, 2, naems=[])


def test_arrays_are_written_as_they_are() -> None:
    hands, bids = np.array([1 << 62, 1 << 14, 1 << 30], np.uint64), np.array([1, 0, -1], np.int8)
    table = record_of(
        "river",
        3,
        0,
        1,
        hands=hands,
        bids=bids,
        plays=np.array([14]),
        scores=np.array([0, 1, 2]),
        seed=np.int64(3),
    )
    line = json.loads(record_line(table))
    assert (line["hands"], line["bids"], line["plays"]) == (["AS", "AC", "AD"], [1, 0, None], "AC")
    assert (line["scores"], line["seed"]) == ([0, 1, 2], 3)
    with pytest.raises(MalformedError, match="cannot be written"):
        record_line({**table, "comment": object()})


# The schema


def test_the_committed_schema_is_that_of_the_code() -> None:
    committed = json.loads((ROOT / "docs" / "round-record.schema.json").read_text("utf-8"))
    assert committed == record_schema(), "write it anew: python tests/test_record_form.py"
    jsonschema.Draft202012Validator.check_schema(committed)


def test_every_key_has_a_description() -> None:
    for key, schema in record_schema()["properties"].items():
        assert schema["description"], key


VALUES: list[Any] = [
    *(None, True, False, 0, 1, 2.0, 2.5, -1, 99, 100, 9_999, 10_000, -9_999, 10**30, 1e300),
    *(
        "",
        " ",
        "TH",
        "10h ",
        "1H",
        "TH 2C",
        ",2c,,3♠",
        "TH2C",
        "none",
        "s",
        "♣ ",
        "NONE",
        "10",
        "WS",
        "fh",
        "é",
        "\u2003AS",
    ),
    *(
        [],
        [None],
        [0, 1, 2, 3],
        [1, None],
        ["TH", "2C 3C"],
        ["TH", 3],
        [[]],
        [["TH"], None, "2C"],
        ["a", "b"],
    ),
    *(
        {},
        {"seat": 1},
        [{"seat": 1, "kind": "caught-later"}],
        [{"seat": 1, "kind": "caught-before", "trick": None}],
    ),
    *(
        [{"seat": 1, "kind": "x"}],
        [{"seat": True, "kind": "caught-later"}],
        [{"seat": 1, "kind": "caught-later", "x": 1}],
    ),
    *([{"seat": 2.0, "kind": "caught-later", "trick": 0}], {"hook": True}, "caught-later"),
]


def accepted(document: dict[str, Any]) -> bool:
    """Whether the model takes a document, what holds between keys and what the rules tell left aside."""
    try:
        RoundRecord.model_validate(document)
    except (ValueError, OhPshawError):
        return False
    return True


def test_model_and_schema_accept_and_refuse_the_same() -> None:
    validator = jsonschema.Draft202012Validator(record_schema())
    draw = random.Random(2)
    taken = 0
    documents = [{**LEAST, key: value} for key in KEYS for value in VALUES]
    for _ in range(1_500):
        document = {key: value for key, value in FULL.items() if key in LEAST or draw.random() < 0.5}
        for _ in range(draw.randint(0, 2)):
            action, key = draw.random(), draw.choice(KEYS)
            if action < 0.15:
                document.pop(key, None)
            elif action < 0.2:
                document[key + draw.choice("sx ")] = 1
            else:
                document[key] = draw.choice(VALUES)
        documents.append(document)
    for document in documents:
        valid = validator.is_valid(document)
        assert accepted(document) == valid, document
        taken += valid
    assert len(documents) * 0.2 < taken < len(documents) * 0.8


def test_random_texts_are_cards_to_both_or_to_neither() -> None:
    validator = jsonschema.Draft202012Validator(record_schema())
    draw = random.Random(8)
    for _ in range(2_000):
        text = "".join(draw.choice("2TJQKAWF10hHsS♣♥ ,,\t\n\u00a0\x1fſx") for _ in range(draw.randint(0, 6)))
        for key in ("turn_up", "plays", "trump"):
            document = {**LEAST, key: text}
            assert accepted(document) == validator.is_valid(document), (key, text)


if __name__ == "__main__":
    text = json.dumps(record_schema(), indent=2, ensure_ascii=False) + "\n"
    (ROOT / "docs" / "round-record.schema.json").write_text(text, "utf-8")
