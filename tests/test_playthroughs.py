"""Golden playthroughs: the engine plays them again, line by line, and the referee finds them right.

A line that is no longer true is named with its file and number; `tests/playthroughs.py` tells how to renew the files.
"""

import re
import shutil
from pathlib import Path

import pytest

import playthroughs
from ohpshaw_agents.random import choose
from ohpshaw_sim.engine.single import play_match
from ohpshaw_sim.interface.agent import CompiledAgent
from ohpshaw_sim.interface.discovery import Entrant
from ohpshaw_sim.rule_text import PRESETS, read_rules
from playthrough_referee import RefusedError
from playthroughs import PLAYTHROUGHS, Playthrough, first_difference, judged_lines, kept, told

each_playthrough = pytest.mark.parametrize("play", PLAYTHROUGHS, ids=[play.name for play in PLAYTHROUGHS])
NAMED = {play.name: play for play in PLAYTHROUGHS}
TIE_BREAK = r"^round \d+, tie-break 1 of seats"
MUST_TRUMP = "|".join(
    rf"may (?:.{trump} )+\| holds [^|]*\w[^{trump}|] [^|]*\| [^|]*\| led [^{trump}-]," for trump in "CDHS"
)
"""A hand of more than trumps, no trump led, and nothing but trumps may be played."""
IN_THE_ROUND = r".*\n(?:  .*\n)*?"
SHOWN = {
    "oh-pshaw": [TIE_BREAK, ": under$", ": over$", ": even$", r"scores 10,"],
    "oh-hell": [
        r"may (1 2 3|0 2 3|0 1 3) \|",  # a bid barred
        r"hand size 3(?s:.*)may 0 1 2 3 \| holds [^|]+\| bids [\d ]*-[\d ]*$",  # the others are over, none barred
    ],
    "river": [r"tie-break 1 of seats [\d ]+: hand size 3", r"round 5: hand size 1"],
    "contract-whist": [rf"turn-up --, trump {suit}$" for suit in "HCDS"] + ["round 13: hand size 7"],
    "wizard": [
        rf"trump to be named{IN_THE_ROUND}.* plays F. .* best - {IN_THE_ROUND}.* plays W. .* best - "
        rf"|trump to be named{IN_THE_ROUND}.* plays W. .* best - {IN_THE_ROUND}.* plays F. .* best - ",
        r"led -, best F. .*\n.* led [CDHS], best",  # the next other card sets the suit
        r"led -, best W. .*\n.* led -, best W. ",  # a Wizard sets none
        r"may ([^|F]* )?F. \| holds [^|F]* ",  # a Jester beside the suit that is led
        r"turn-up F., trump -$",
        r"scores -10,",
    ],
    "podrida": [MUST_TRUMP, r"voids .*(CD|CH|CS|DH|DS|HS)"],
    "blackout": [TIE_BREAK, r"turn-up --, trump -$"],
    "many-options": [
        MUST_TRUMP,
        r"tie-break 1 of seats [\d ]+: hand size 2",
        "trump to be named",
        r"turn-up --, trump -$",
        r"hand size 3(?s:.*?)bid 0, won 0, scores (8|18),",
    ],
    "small-pack": [TIE_BREAK, r"turn-up --, trump -$", r"scores -\d,", r"hand size 1.*\n.*\n.*trump [CDH]$"],
}
"""What a playthrough is there to show, among its lines."""


def agree(path: Path, expected: list[str], found: list[str]) -> None:
    difference = first_difference(path, expected, found)
    if difference:
        pytest.fail(difference, pytrace=False)


@pytest.mark.rule("B3", "B4", "B5", "B6", "B8", "B9", "B10", "B11", "B13", "B14", "B15")
@pytest.mark.rule(
    "V1", "V2", "V4", "V5", "V6", "V7", "V8", "V9", "V10", "V11", "V12", "V13", "V15", "V16", "V17"
)
@each_playthrough
def test_the_engine_plays_the_match_as_it_is_told(play: Playthrough) -> None:
    agree(play.path, kept(play), told(play))


@pytest.mark.rule("B3", "B4", "B5", "B6", "B8", "B9", "B10", "B11", "B13", "B14", "B15")
@pytest.mark.rule(
    "V1", "V2", "V4", "V5", "V6", "V7", "V8", "V9", "V10", "V11", "V12", "V13", "V15", "V16", "V17"
)
@each_playthrough
def test_the_referee_finds_every_line_right(play: Playthrough) -> None:
    agree(play.path, kept(play), judged_lines(play, kept(play)))


@each_playthrough
def test_compiled_agents_come_to_the_same_scores(play: Playthrough) -> None:
    draw = CompiledAgent(bid=choose, play=choose, name_trump=choose)
    entrant = Entrant("drawing", draw, draw, trusted=True)
    match = play_match([entrant] * play.players, read_rules(play.rules), seed=play.seed)
    columns = match.rounds[["seat", "bid", "tricks", "points"]].itertuples(index=False)
    lines = [f"  seat {seat} bid {bid}, won {won}, scores {points}," for seat, bid, won, points in columns]
    scores = [line.partition(" total ")[0] for line in kept(play) if " scores " in line]
    agree(play.path, scores, lines)
    assert f"ranks {' '.join(map(str, match.ranks))}" == kept(play)[-1]


def test_there_is_a_playthrough_for_every_preset_and_no_other_file() -> None:
    assert {play.rules.partition(":")[0] for play in PLAYTHROUGHS if play.name in PRESETS} == set(PRESETS)
    assert {path.name for path in playthroughs.FOLDER.iterdir()} == {f"{name}.txt" for name in NAMED}


@pytest.mark.parametrize(("name", "shown"), [(name, each) for name, all_ in SHOWN.items() for each in all_])
def test_a_playthrough_shows_what_it_is_there_for(name: str, shown: str) -> None:
    assert re.search(shown, "\n".join(kept(NAMED[name])), re.MULTILINE)


# The tools themselves


def test_a_changed_line_is_named_with_its_file_and_number() -> None:
    path, lines = playthroughs.FOLDER / "a.txt", ["one", "two", "three"]
    place = str(Path("tests", "playthroughs", "a.txt"))
    assert first_difference(path, lines, lines) is None
    changed = first_difference(path, lines, ["one", "2", "3"])
    assert changed == f"{place}:2\n  expected 'two'\n  found    '2'"
    shorter = first_difference(path, lines, lines[:2])
    assert shorter == f"{place}:3\n  expected 'three'\n  found    the end"
    longer = first_difference(path, lines[:2], lines)
    assert longer == f"{place}:3\n  expected the end\n  found    'three'"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"  seat (\d) bids 0 ", r"  seat \1 bids 7 "),
        (r"  seat (\d) bids 0 ", r"  seat \1 plays 2C "),
        (r" plays (\w+) \| may \1 \|", r" plays KS | may \1 |"),
        (r"  hands (\w+) \| \w+", r"  hands \1 | \1"),
        (r"(?s)\nround 4:.*", r"\n"),
        (r"(?s)(.*)(\nround \d.*?\n)(\ntotals .*)", r"\1\2\2\3"),
    ],
)
def test_the_referee_refuses_what_is_against_the_rules(old: str, new: str) -> None:
    play = NAMED["oh-pshaw"]
    spoilt, count = re.subn(old, new, "\n".join(kept(play)), count=1)
    assert count == 1
    with pytest.raises(RefusedError):
        judged_lines(play, spoilt.splitlines())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r" may (\w) ", r" may "),
        (r"best (\w\w) of seat (\d)", r"best \1 of seat 9"),
        (r"voids - - - -$", r"voids C - - -"),
        (r"scores 10,", r"scores 11,"),
        (r": over$", r": even"),
        (r"\nranks \d", r"\nranks 7"),
    ],
)
def test_the_referee_does_not_take_over_what_a_file_says(old: str, new: str) -> None:
    play = NAMED["oh-pshaw"]
    spoilt, count = re.subn(old, new, "\n".join(kept(play)), count=1, flags=re.MULTILINE)
    assert count == 1
    lines = spoilt.splitlines()
    changed = next(number for number, line in enumerate(lines) if line != kept(play)[number])
    difference = first_difference(play.path, lines, judged_lines(play, lines))
    assert difference
    assert difference.partition("\n")[0].endswith(f"oh-pshaw.txt:{changed + 1}")


def test_files_are_renewed_by_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "tests" / "playthroughs"
    shutil.copytree(playthroughs.FOLDER, folder)
    monkeypatch.setattr(playthroughs, "FOLDER", folder)
    assert playthroughs.main([]) == 0
    changed = folder / "wizard.txt"
    before = changed.read_bytes()
    changed.write_bytes(before.replace(b"names", b"calls"))
    assert playthroughs.main([]) == 1
    assert "wizard.txt:" in capsys.readouterr().out
    assert playthroughs.main(["--write"]) == 0
    assert changed.read_bytes() == before
