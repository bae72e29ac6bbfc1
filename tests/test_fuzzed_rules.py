"""A thousand spoilt rule files and lines: a sentence and exit code 2, or rules; never a traceback."""

import random
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from command_line import in_this_process
from ohpshaw_sim.errors import OhPshawError
from ohpshaw_sim.rule_text import PRESETS, make_rules, read_rules, rules_text, rules_toml
from ohpshaw_sim.rules import Rules

SPOILT: Final = 1_000
THROUGH_THE_COMMAND: Final = 80
JUNK: Final = (
    *(
        "",
        "0",
        "-1",
        "3.5",
        "1e400",
        "nan",
        "true",
        "nil",
        "[]",
        "[1, [2]]",
        "{}",
        '""',
        '"x"',
        "'",
        '"',
        "=",
    ),
    *(
        "[rules]",
        "hook = hook",
        "\x00",
        "\ufeff",
        "♠",
        "99999999999999999999",
        "1-99999",
        "4x13x2",
        "1979-05-27",
    ),
)


def spoilt(text: str, draw: random.Random) -> str:
    """A text with a few of its pieces dropped, doubled, swapped or replaced by junk."""
    for _ in range(draw.choice([0, 1, 1, 3])):
        place, end = sorted(draw.choices(range(len(text) + 1), k=2))
        end = min(end, place + draw.randint(0, 12))
        middle = draw.choice(["", draw.choice(JUNK), text[place:end] * 2, text[place:end][::-1]])
        text = text[:place] + middle + text[end:]
    return text


def any_rules(draw: random.Random) -> Rules:
    options: dict[str, Any] = {
        "hand_sizes": draw.choice(["1-5", "3/2/1"]),
        "tie_break_hand": draw.randint(1, 3),
        "scoring": draw.choice(["soft", "wizard"]),
        "must_trump": draw.random() < 0.5,
    }
    return make_rules(draw.choice([*PRESETS.values()]), **options)


def test_a_thousand_spoilt_files_and_lines(tmp_path: Path) -> None:
    draw, seen, sentences = random.Random(11), 0, []
    path = tmp_path / "house.toml"
    for number in range(SPOILT):
        rules = any_rules(draw)
        given: str | Path = spoilt(rules_text(rules), draw)
        if number % 2:
            path.write_bytes(spoilt(rules_toml(rules), draw).encode("utf-8", "surrogatepass"))
            given = path
        try:
            found = read_rules(given)
        except OhPshawError as error:
            sentences.append(str(error))
        else:
            assert read_rules(rules_text(found)) == found
            seen += 1
    assert all(sentence and "\n" not in sentence for sentence in sentences)
    assert min(seen, len(sentences)) > SPOILT // 10


def test_spoilt_files_through_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    draw, codes = random.Random(12), Counter[int]()
    path = tmp_path / "house.toml"
    for _ in range(THROUGH_THE_COMMAND):
        path.write_bytes(spoilt(rules_toml(any_rules(draw)), draw).encode("utf-8", "surrogatepass"))
        code, said = in_this_process(("rules", "check", path), tmp_path, monkeypatch, capsys)
        assert code in (0, 2), said.err
        assert (code == 0) == (said.out != ""), said
        assert code == 0 or said.err.startswith("ohpshaw: "), said
        codes[code] += 1
    assert min(codes[0], codes[2]) > THROUGH_THE_COMMAND // 10, codes
