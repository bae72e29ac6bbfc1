"""What is watched is the very match that is played, told truly; agents at fault end it with a sentence."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ohpshaw_sim
from agent_files import write_agent
from command_here import Command, command_here
from ohpshaw_sim.cards import cards_in, parse_card, parse_cards
from ohpshaw_sim.cli import pace, watch
from ohpshaw_sim.cli.hands import card_text
from ohpshaw_sim.cli.watching import Teller
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import AgentFaultError
from ohpshaw_sim.engine.single import Match, play_match
from ohpshaw_sim.engine.stepping import (
    AuctionClosed,
    Bid,
    MatchOver,
    Play,
    RoundBegun,
    RoundOver,
    Step,
    TrickWon,
    TrumpNamed,
    step_match,
)
from ohpshaw_sim.errors import IllegalError
from ohpshaw_sim.interface.agent import CompiledAgent, ScalarAdapter
from ohpshaw_sim.interface.discovery import Entrant, resolve
from ohpshaw_sim.kernels.bits import lowest_bit
from ohpshaw_sim.records.reasons import why_won
from ohpshaw_sim.rule_text import read_rules
from ohpshaw_sim.rules import Rules
from scripted import (
    COMPILED_READER,
    LOWEST,
    SCRIBBLER,
    ScalarReader,
    ScribblingVectorReader,
    VectorReader,
    entrant,
)

READERS = (
    entrant(COMPILED_READER, "trusted", trusted=True),
    entrant(SCRIBBLER, "scribbler"),
    entrant(VectorReader(), "vector"),
    entrant(ScribblingVectorReader(), "vector scribbler"),
    entrant(ScalarAdapter(ScalarReader()), "scalar"),
    Entrant("joint", COMPILED_READER, VectorReader()),
    entrant(COMPILED_READER, "compiled"),
)
"""Their answers hang on every field of every view, so one field shown otherwise would change the match."""
LINES = (
    "oh-pshaw:max_hand=4",
    "oh-hell:max_hand=4",
    "contract-whist:hand_sizes=4/3/2/3",
    "podrida:max_hand=4",
    "wizard:max_hand=5",
    "wizard:hand_sizes=4/4/4,bidding=simultaneous,must_trump=true",
    "blackout:max_hand=3,scoring=soft,round_winner_bonus=true",
)

THREES = "/".join("3" * 30)


@pytest.fixture
def ohpshaw(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return command_here(monkeypatch, capsys)


def game_of(entrants: Sequence[Entrant], rules: Rules) -> Game:
    players = len(entrants)
    return Game(rules, players, rules.schedule_for(players), tuple(entrants), tuple(range(players)))


def watched(entrants: Sequence[Entrant], rules: Rules, seed: int = 0, match_number: int = 0) -> list[Step]:
    return list(step_match(game_of(entrants, rules), seed, match_number))


def match_of(steps: Sequence[Step]) -> Match:
    assert isinstance(steps[-1], MatchOver)
    return steps[-1].match


def begin(lines: Sequence[str], number: int) -> int:
    """The line at which a round begins."""
    return next(row for row, text in enumerate(lines) if text.startswith(f"Round {number} of "))


# The same match


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("first", [0, 2, 4])
def test_a_watched_match_is_the_one_that_is_played(line: str, first: int) -> None:
    entrants, rules = (READERS * 2)[first : first + 4], read_rules(line)
    steps = watched(entrants, rules, seed=first, match_number=3)
    played = play_match(entrants, rules, seed=first, match_number=3)
    pd.testing.assert_frame_equal(match_of(steps).rounds, played.rounds)
    assert match_of(steps).names == played.names


def test_ties_are_broken_by_the_same_rounds() -> None:
    entrants, rules = [entrant(LOWEST)] * 3, Rules(hand_sizes=(1,))
    ties = 0
    for seed in range(8):
        steps = watched(entrants, rules, seed)
        played = play_match(entrants, rules, seed=seed)
        assert match_of(steps).winners == played.winners
        pd.testing.assert_frame_equal(match_of(steps).rounds, played.rounds)
        for step in steps:
            if isinstance(step, RoundBegun) and step.extra:
                ties += 1
                assert len(step.contenders) > 1
    assert ties


@pytest.mark.parametrize("rotation", [0, 2])
def test_a_rotation_of_a_run_is_watched_as_it_was_played(
    rotation: int, tmp_path: Path, ohpshaw: Command
) -> None:
    agents = [
        "count-winners",
        "random",
        "greedy",
        "random",
        "random:",
    ]  # more than seats: line-ups take turns
    ohpshaw_sim.run_tournament(
        agents[:4],
        sets=8,
        seed=4,
        players=3,
        hand_sizes="1-3",
        block_sets=2,
        save_rounds=True,
        jobs=1,
        out=tmp_path,
    )
    rounds = pd.concat([pd.read_parquet(path) for path in sorted((tmp_path / "parts").glob("rounds-*"))])
    chosen = rounds[(rounds["set"] == 5) & (rounds["rotation"] == rotation)].sort_values(["round", "seat"])
    found = watch._of_run(tmp_path, 5)
    steps = list(step_match(found.game, found.seed, 5, rotation))
    overs = [step for step in steps if isinstance(step, RoundOver) and not step.extra]
    for column in ("bids", "tricks", "points"):
        values = np.concatenate([getattr(over, column) for over in overs])
        assert list(values) == list(chosen[column.replace("bids", "bid")])
    said = ohpshaw("watch", "--run", tmp_path, "--set", "5", "--rotation", str(rotation))
    entrants = list(chosen["entrant"])[:3]
    names = ["count-winners", "random", "greedy", "random#2"]
    assert said.lines[1:4] == [f"  {seat} {names[entrant]}" for seat, entrant in enumerate(entrants)]


def test_steps_tell_the_whole_round_in_order() -> None:
    rules = read_rules(f"wizard:hand_sizes={THREES}")
    steps = watched(READERS[:4], rules, seed=2)
    kinds = [type(step).__name__ for step in steps]
    round_kinds = ["Bid"] * 4 + ["AuctionClosed"] + (["Play"] * 4 + ["TrickWon"]) * 3 + ["RoundOver"]
    assert kinds.count("TrumpNamed") > 0
    assert [kind for kind in kinds[:-1] if kind != "TrumpNamed"] == (["RoundBegun", *round_kinds]) * (
        len(kinds[:-1]) // (len(round_kinds) + 1)
    )
    for begun, following in itertools.pairwise(steps):
        if isinstance(begun, RoundBegun):
            assert begun.naming == isinstance(following, TrumpNamed)
    hands: list[set[int]] = []
    for step in steps:
        if isinstance(step, RoundBegun):
            hands = [set(cards_in(hand)) for hand in step.hands]
        if isinstance(step, Play):
            hands[step.seat].remove(step.card)
        if isinstance(step, RoundOver):
            assert not any(hands)


def test_tricks_and_bids_add_up_to_the_round() -> None:
    bids: dict[int, int] = {}
    won = [0] * 4
    for step in watched(READERS[:4], Rules(max_hand=5), seed=6):
        if isinstance(step, RoundBegun):
            bids, won = {}, [0] * 4
        elif isinstance(step, Bid):
            bids[step.seat] = step.bid
        elif isinstance(step, AuctionClosed):
            assert step.bids == tuple(bids[seat] for seat in range(4))
        elif isinstance(step, TrickWon):
            won[step.winner] += 1
            assert step.number == sum(won)
        elif isinstance(step, RoundOver):
            assert (step.bids, step.tricks) == (tuple(bids[seat] for seat in range(4)), tuple(won))


def test_nothing_is_asked_before_the_next_step_is() -> None:
    asked: list[str] = []

    class Noted:
        def bid(self, view: Any) -> int:  # noqa: ARG002  # the signature of agents
            asked.append("bid")
            return 0

        def play(self, view: Any) -> int:
            asked.append("play")
            return int(view.legal & -view.legal).bit_length() - 1

        def matches_begin(self, count: int) -> None:
            asked.append(f"begin {count}")

    steps = step_match(game_of([entrant(ScalarAdapter(Noted()))] * 3, Rules(max_hand=1)), 0)
    next(steps)
    assert asked == ["begin 1"]
    before = len(asked)
    next(steps)
    assert asked[before:] == ["bid"]


def test_a_set_has_as_many_rotations_as_players() -> None:
    with pytest.raises(IllegalError, match="no rotation 3; use 0 to 2"):
        next(step_match(game_of(READERS[:3], Rules()), 0, rotation=3))


# Faults


def answers(value: int) -> CompiledAgent:
    def bid(view: Any, params: Any) -> int:  # noqa: ARG001  # the signature of agents
        return lowest_bit(view.legal)

    def play(view: Any, params: Any) -> int:  # noqa: ARG001  # the signature of agents
        return int(params[0])

    return CompiledAgent(bid, play, (float(value),))


@pytest.mark.parametrize("value", [-1, 63, 99])
def test_an_illegal_answer_of_a_compiled_agent_is_told(value: int) -> None:
    line = [entrant(LOWEST, "low"), entrant(LOWEST, "low"), entrant(answers(value), "wild")]
    with pytest.raises(AgentFaultError) as fault:
        watched(line, Rules(max_hand=3))
    assert str(fault.value) == (
        f"agent wild answered {value}, which is illegal, asked for a card in set 0, rotation 0, round 1"
    )


@pytest.mark.parametrize(
    ("deed", "sentence"),
    [
        ("raises", "raised ValueError: no idea"),
        ("illegal", "answered 77, which is illegal"),
        ("floats", "answered 1.0, a float; an answer is an int"),
    ],
)
def test_an_agent_at_fault_ends_the_match_with_code_3(
    deed: str, sentence: str, tmp_path: Path, ohpshaw: Command
) -> None:
    path = write_agent(tmp_path, deed)
    said = ohpshaw("watch", path, "random", "random", "--seed", "1", code=3)
    last = said.err.splitlines()[-1]
    assert last.startswith(f"ohpshaw: agent {path} ")
    assert sentence in last
    assert begin(said.lines, 13) > begin(said.lines, 1) == 6  # what was played until then has been shown


# What is told


@pytest.mark.parametrize(
    ("cards", "winner", "trump", "reason"),
    [
        ("KS 9H 2S", "9H", "H", "the only trump"),
        ("KS 9H TH", "TH", "H", "highest trump"),
        ("KH 9H TH", "KH", "H", "highest trump"),
        ("KS 9H AS", "AS", "D", "highest spade led"),
        ("2C 9H AS", "2C", "-", "highest club led"),
        ("2C WH AS", "WH", "S", "a Wizard"),
        ("WC WH AS", "WC", "S", "the first Wizard"),
        ("FC FH FS", "FC", "S", "all Jesters: the first"),
        ("FC 3H 9H", "9H", "S", "highest heart led"),
        ("FS 3H 9S", "9S", "S", "the only trump"),
    ],
)
def test_why_a_trick_is_won(cards: str, winner: str, trump: str, reason: str) -> None:
    assert why_won(parse_cards(cards), parse_card(winner), "CDHS".find(trump)) == reason


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("players", [3, 5, 7])
def test_what_is_told_fits_into_eighty_columns(line: str, players: int) -> None:
    entrants, rules = READERS[:players], read_rules(line)
    names = [f"{entrant.name}:worlds=2000" for entrant in entrants]
    teller = Teller(names, rules.pack_mask, 9, simultaneous=False)
    for step in watched(entrants, rules, seed=1):
        assert max(map(len, [*teller.tell(step), ""])) <= 80


def test_a_round_reads_like_a_round(ohpshaw: Command) -> None:
    said = ohpshaw("watch", "count-winners", "greedy", "random", "greedy", "--seed", "3", "--hand-size", "2")
    steps = list(
        step_match(
            game_of([resolve(name) for name in ("count-winners", "greedy", "random", "greedy")], Rules()), 3
        )
    )
    begun = next(step for step in steps if isinstance(step, RoundBegun) and step.number == 2)
    at = steps.index(begun)
    tricks = [step for step in steps[at:] if isinstance(step, TrickWon)][:2]
    over = next(step for step in steps[at:] if isinstance(step, RoundOver))
    first = begin(said.lines, 2)
    assert said.lines[first].startswith(
        f"Round 2 of 13: 2 cards each, {card_text(begun.turn_up)} turned up, trump "
    )
    assert said.lines[first + 1 + begun.dealer].split()[2] == "dealer"
    header = next(row for row, text in enumerate(said.lines) if text.startswith(" trick"))
    for row, trick in enumerate(tricks, start=header + 1):
        cells = [text.strip(">[]") for text in said.lines[row].replace("> ", ">").split()[1:5]]
        leader_first = [card_text(card) for card in trick.cards]
        assert [cells[(trick.leader + turn) % 4] for turn in range(4)] == leader_first
        assert f"[{leader_first[(trick.winner - trick.leader) % 4]}]" in said.lines[row]
        assert said.lines[row].split()[1 + trick.leader].startswith(">")
    table = said.lines[header + 5 : header + 9]
    shown = [tuple(int(word) for word in text.split()[-4:]) for text in table]
    assert shown == list(zip(over.bids, over.tricks, over.points, over.totals, strict=True))


def test_one_round_is_shown_as_in_the_whole_match(ohpshaw: Command) -> None:
    words = ("watch", "count-winners", "random", "--players", "4", "--seed", "3", "--max-hand", "4")
    whole = ohpshaw(*words).lines
    one = ohpshaw(*words, "--round", "3").lines
    start, end = begin(whole, 3), begin(whole, 4)
    introduction = begin(whole, 1)
    assert one == [*whole[:introduction], *whole[start:end]]


def test_the_score_table_and_ranks_are_those_of_the_match(ohpshaw: Command) -> None:
    rules = Rules(max_hand=4)
    said = ohpshaw("watch", "count-winners", "greedy", "random", "--seed", "9", "--max-hand", "4")
    match = play_match(["count-winners", "greedy", "random"], rules, seed=9)
    start = said.lines.index("Score table: bid/tricks and points of each round")
    for number, text in enumerate(said.lines[start + 2 : start + 6], start=1):
        rows = match.rounds[match.rounds["round"] == number].sort_values("seat")
        pairs = [(f"{row.bid}/{row.tricks}", str(row.points)) for row in rows.itertuples()]
        assert text.split() == [str(number), str(number), *(word for pair in pairs for word in pair)]
    assert said.lines[start + 6].split() == ["total", *map(str, match.totals)]
    ranks = [text.split()[0] for text in said.lines if "points" in text and "(seat" in text]
    assert ranks == [f"{rank}." for rank in sorted(match.ranks)]


@pytest.mark.rule("V9")
def test_simultaneous_bids_are_told_only_when_all_are_made() -> None:
    teller = Teller(["a", "b", "c"], Rules().pack_mask, 3, simultaneous=True)
    for step in watched(READERS[:3], Rules(max_hand=3, bidding="simultaneous"), seed=1):
        lines = teller.tell(step)
        if isinstance(step, Bid):
            assert lines == []
            assert not teller.is_rest(step)
        if isinstance(step, AuctionClosed):
            assert lines[0] == "  all bids, revealed together:"
            told = {int(text.split()[0]): int(text.split()[-1]) for text in lines[1:4]}
            assert told == dict(enumerate(step.bids))


@pytest.mark.rule("V8")
def test_a_named_trump_is_told() -> None:
    teller = Teller(["a", "b", "c", "d"], read_rules("wizard").pack_mask, 6, simultaneous=False)
    told = {}
    for step in watched(READERS[:4], read_rules(f"wizard:hand_sizes={THREES}"), seed=2):
        lines = teller.tell(step)
        if isinstance(step, RoundBegun) and step.naming:
            assert lines[0].endswith("a Wizard turned up, the dealer names trump")
        if isinstance(step, TrumpNamed):
            told[step.trump] = lines[0].split("names trump: ")[1]
    assert told
    words = {0: "clubs ♣", 1: "diamonds ♦", 2: "hearts ♥", 3: "spades ♠"}
    assert told == {suit: words[suit] for suit in told}


def test_closed_shows_one_hand_only(ohpshaw: Command) -> None:
    words = ("watch", "count-winners", "random", "random", "--seed", "3", "--hand-size", "4")
    shown, hidden = ohpshaw(*words).lines, ohpshaw(*words, "--closed").lines
    first = begin(shown, 4)
    (mine,) = [text for text in shown[first + 1 : first + 4] if "count-winners" in text]
    assert [text.split() for text in hidden[first + 1 : first + 3]] == [mine.split(), []]
    assert hidden[first + 2 :] == shown[first + 4 :]
    assert ohpshaw(*words, "--seat", "1").lines[first + 1].split() == shown[first + 2].split()


# At a terminal


@pytest.mark.parametrize(
    ("keys", "rests"),
    [("q", 1), ("\r\rq", 3), ("rq", 2), ("rrrq", 4), ("a", 1), ("hq", 1), (" " * 100, None)],
)
def test_keys_set_the_pace(
    keys: str, rests: int | None, monkeypatch: pytest.MonkeyPatch, ohpshaw: Command
) -> None:
    pressed = iter(keys)
    monkeypatch.setattr(pace, "can_step", lambda: True)
    monkeypatch.setattr(pace, "_key", lambda: next(pressed))
    said = ohpshaw("watch", "random", "random", "random", "--seed", "1", "--max-hand", "3")
    assert ("Score table" in said.out) == ("q" not in keys)
    if rests is not None:
        assert said.out.count("[q] quit") == rests + keys.count("h")
    if keys.startswith("r"):
        last = keys.count("r")
        assert f"Round {last} of 3" in said.out.replace("\r", "")
        assert f"Round {last + 1} of 3" not in said.out


def test_no_step_asks_for_no_key(monkeypatch: pytest.MonkeyPatch, ohpshaw: Command) -> None:
    monkeypatch.setattr(pace, "can_step", lambda: True)
    monkeypatch.setattr(pace, "_key", lambda: pytest.fail("a key was waited for"))
    assert "Score table" in ohpshaw("watch", "random", "--no-step", "--max-hand", "2", "--seed", "1").out


# Wrong requests


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "name the agents that are to play"),
        (["radnom"], "did you mean 'random'?"),
        (["random", "--players", "9"], "9 players make no game"),
        (["random", "--round", "2", "--hand-size", "2"], "give one of them"),
        (["random", "--hand-size", "14"], "no round has hands of 14"),
        (["random", "--round", "99"], "there is no round 99"),
        (["random", "--seat", "4"], "there is no seat 4"),
        (["random", "--rotation", "4"], "no rotation 4"),
        (["random", "--rules", "rivr"], "did you mean 'river'?"),
        (["random", "--run", "."], "leave yours out"),
        (["--run", "nowhere"], "nowhere"),
    ],
)
def test_wrong_requests_are_answered_with_a_sentence(
    words: list[str], sentence: str, ohpshaw: Command
) -> None:
    said = ohpshaw("watch", *words, code=2)
    assert sentence in said.err
    assert said.out == ""


def test_a_round_that_was_never_reached_is_told(ohpshaw: Command) -> None:
    said = ohpshaw("watch", "random", "--max-hand", "2", "--seed", "1", "--round", "12", code=2)
    assert "the match was over after" in said.err
