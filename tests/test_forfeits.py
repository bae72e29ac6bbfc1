"""Agents that fail forfeit the round, and nothing else is changed: every fault is one decision's, none is lost."""

import json
from functools import cache
from typing import Any

import numpy as np
import pytest

import hostile
from ohpshaw_sim.engine.auction import NAMING
from ohpshaw_sim.engine.fault import Fault
from ohpshaw_sim.engine.forfeits import Forfeits
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import AgentFaultError, play_sets
from ohpshaw_sim.engine.tally import Tally
from ohpshaw_sim.engine.tally_schema import QUANTITIES, ROW_COLUMNS
from ohpshaw_sim.interface.agent import as_agent
from ohpshaw_sim.interface.discovery import Entrant
from ohpshaw_sim.interface.view import BID, NAME_TRUMP, VIEW
from ohpshaw_sim.records.judge import judge
from ohpshaw_sim.rule_text import read_rules
from ohpshaw_sim.tournament.records import record_lines
from ohpshaw_sim.tournament.schedule import LineUp
from ohpshaw_sim.tournament.spec import make_spec
from readers import READERS, SEED, assert_same
from scripted import Watcher, entrant

FIRST, SETS = 4, 6
SCHEDULE = (2, 4, 3)
PLACE = 1
AT = {name: index for index, name in enumerate(ROW_COLUMNS)}
HOSTILE = list(hostile.hostile_agents())


def game_of(agent: Any, line: str = "oh-pshaw:hand_sizes=2/4/3", *, trusted: bool = False) -> Game:
    """The agent at place 1, others that read all they are shown, of every kind, around it; no tie-break rounds."""
    others = (READERS["trusted"], READERS["vectorised"], READERS["scribbler"])
    lineup = (others[0], Entrant("culprit", agent, agent, trusted), *others[1:])
    rules = read_rules(line)
    schedule = rules.schedule_for(4)
    return Game(rules, 4, schedule, lineup, (0, 1, 0, 2), stop_after=len(schedule))


def play(agent: Any, forfeits: Forfeits | None = Forfeits(), **more: Any) -> Tally:  # noqa: B008  # it is frozen
    game = game_of(agent, more.pop("line", "oh-pshaw:hand_sizes=2/4/3"), trusted=more.pop("trusted", False))
    first, sets = more.pop("first", FIRST), more.pop("sets", SETS)
    return play_sets(game, SEED, first, sets, log=True, forfeits=forfeits, **more)


def decisions(line: str, sets: int = SETS) -> list[tuple[int, int, int, int, int, int]]:
    """Each decision of place 1 as set, rotation, round, seat, decision and word, as an agent is shown them."""
    seen: list[tuple[int, int, int, int, int, int]] = []

    def see(views: Any, matches: Any, _: Any) -> None:
        for view, match in zip(views, matches, strict=True):
            number, rotation = divmod(int(match), 4)
            decision = {BID: 0, NAME_TRUMP: NAMING}.get(int(view["kind"]), 1 + int(view["trick_number"]))
            seen.append((FIRST + number, rotation, int(view["round_number"]), int(view["seat"]), decision,
                         int(view["rnd"])))  # fmt: skip

    class Named(Watcher):
        def name_trumps(self, batch: Any) -> Any:
            return self.watched(batch, self.agent.name_trumps(batch))

    play_sets(game_of(Named(hostile.Vector(), see), line), SEED, FIRST, sets)
    return seen


@cache
def expected(line: str = "oh-pshaw:hand_sizes=2/4/3") -> list[tuple[int, ...]]:
    """Where a hostile agent fails: the first decision of each round with such a word."""
    order = {NAMING: -1}
    firsts: dict[tuple[int, ...], tuple[int, ...]] = {}
    for *spot, word in decisions(line):
        at = order.get(spot[4], spot[4])
        if hostile.is_chosen(word) and at < firsts.get(tuple(spot[:3]), (99,))[0]:
            firsts[tuple(spot[:3])] = (at, *spot)
    return sorted(found[1:] for found in firsts.values())


@cache
def honest() -> Tally:
    """The same game with an agent that does not fail."""
    return play(hostile.Vector())


def by_match(tally: Tally) -> dict[tuple[int, int], list[list[int]]]:
    found: dict[tuple[int, int], list[list[int]]] = {}
    for row in tally.rows.tolist():
        found.setdefault((row[AT["set"]], row[AT["rotation"]]), []).append(row)
    return found


@pytest.fixture(scope="module")
def failed() -> Tally:
    return play(as_agent(hostile.Scalar(hostile.SCALARS["raises"][0]), "raises"))


@pytest.mark.parametrize(
    ("agent", "kind", "said"), [one[1:] for one in HOSTILE], ids=[one[0] for one in HOSTILE]
)
def test_every_fault_is_found_and_costs_that_round_alone(
    agent: Any, kind: str, said: str, failed: Tally
) -> None:
    tally = play(agent)
    assert [fault.spot for fault in tally.faults] == expected()
    assert {(fault.kind, fault.place) for fault in tally.faults} == {(kind, PLACE)}
    assert all(fault.sentence.startswith(said) for fault in tally.faults)
    assert_same(tally, failed)  # whatever it did: what becomes of the round is the same
    assert (tally.faulty == failed.faulty).all()


def test_rounds_without_faults_are_unchanged(failed: Tally) -> None:
    at_fault = {spot[:3] for spot in expected()}
    spoilt = {
        match: min(spot[2] for spot in expected() if spot[:2] == match) for match in {s[:2] for s in at_fault}
    }
    changed, plain = by_match(failed), by_match(honest())
    assert 0 < len(spoilt) < len(plain)
    for match, rows in plain.items():
        before = spoilt.get(match, len(SCHEDULE))
        assert changed[match][: 4 * before] == rows[: 4 * before]
        if before < len(SCHEDULE):
            assert changed[match][4 * before :] != rows[4 * before :]


def test_the_seat_scores_nothing_and_its_bid_counts_as_missed(failed: Tally) -> None:
    forfeited = failed.rows[failed.rows[:, AT["forfeit"]] == 1]
    where = [
        tuple(row)
        for row in forfeited[:, [AT[name] for name in ("set", "rotation", "round", "seat")]].tolist()
    ]
    assert where == [spot[:4] for spot in expected()]
    assert (forfeited[:, AT["place"]] == PLACE).all()
    assert (forfeited[:, AT["points"]] == 0).all()
    assert (forfeited[:, AT["bid"]] == forfeited[:, AT["tricks"]]).any(), "some would have been hit"
    for entrant_at, places in enumerate([(0, 2), (1,), (3,)]):
        own = failed.rows[np.isin(failed.rows[:, AT["place"]], places)]
        bid, tricks, counts = own[:, AT["bid"]], own[:, AT["tricks"]], own[:, AT["forfeit"]] == 0
        hit, zero, points = (bid == tricks) & counts, (bid == 0) & counts, own[:, AT["points"]]
        sums = {"rounds": len(own), "points": points.sum(), "hits": hit.sum(), "zero_bids": zero.sum()}
        sums |= {"zero_hits": (hit & zero).sum(), "zero_points": points[zero].sum()}
        for name, value in sums.items():
            at = QUANTITIES.index(name)
            assert failed.totals[entrant_at, at] == value, name
            assert failed.by_hand_size[entrant_at, :, at].sum() == value, name
            assert failed.by_position[entrant_at, :, at].sum() == value, name
        assert failed.counts[entrant_at].sum() == counts.sum()
    assert failed.by_set[..., 0].sum() == failed.rows[:, AT["points"]].sum()


class RandomFrom(hostile.Scalar):
    """Fails at the second card of every second round; or plays from there on as a forfeiting seat should."""

    def __init__(self, *, fails: bool) -> None:
        super().__init__()
        self.fails = fails

    def play(self, view: Any) -> Any:
        if view.round_number % 2 == 0 or view.trick_number < 1:
            return self.bid(view)
        if self.fails:
            raise ValueError
        legal = [card for card in range(64) if view.legal >> card & 1]
        return legal[view.rnd * len(legal) >> 64]


def test_the_rest_of_the_round_is_random_and_the_agent_is_not_asked() -> None:
    """Against an agent that gives those answers itself. Nobody looks at the scores, so all cards must be the same."""
    rules, schedule = read_rules("oh-pshaw:hand_sizes=2/4/3/4"), (2, 4, 3, 4)
    found = []
    for fails in (True, False):
        culprit = entrant(as_agent(RandomFrom(fails=fails), "culprit"), "culprit")
        others = entrant(hostile.Vector(), "other")
        game = Game(rules, 3, schedule, (others, culprit, others), (0, 1, 0), stop_after=4)
        found.append(play_sets(game, SEED, 0, 4, keep=1, forfeits=Forfeits()))
    failing, honest = found
    assert len(failing.faults) == 4 * 3 * 2
    assert {fault.decision for fault in failing.faults} == {2}
    for name in ("hands", "plays", "bids", "tricks", "places", "dealer"):
        assert (failing.kept[name] == honest.kept[name]).all(), name
    seats = {fault.round_spot: fault.seat for fault in failing.faults}
    for one, other in zip(failing.kept, honest.kept, strict=True):
        points = other["points"].copy()
        seat = seats.get((one["set_number"], one["rotation"], one["round_number"]))
        if seat is not None:
            points[seat] = 0
        assert (one["points"] == points).all()


LINES = (
    "oh-pshaw:hand_sizes=2/4/3",
    "wizard:hand_sizes=3/2/3/3",
    "blackout:hand_sizes=3/2,scoring=penalty,round_winner_bonus=true",
    "contract-whist:hand_sizes=4/3",
)


@pytest.mark.parametrize("line", LINES)
def test_records_of_faulty_rounds_are_judged_to_the_same_scores(line: str) -> None:
    tally = play(hostile.Vector(hostile.crash), line=line, keep=3)
    assert [fault.spot for fault in tally.faults] == expected(line)
    spec = make_spec(agents=["a", "b", "c", "d"], seed=SEED % 2**63, rules=line)
    lineup = LineUp(4, 0, (0, 1, 2, 3))
    faulty = _read(record_lines(spec, lineup, "abcd", tally.faulty, tally.faults))
    kept = _read(record_lines(spec, lineup, "abcd", tally.kept, tally.faults))
    assert len(faulty) == len(expected(line))
    assert len(kept) == pytest.approx(SETS * 4 * len(tally.rows) / 4 / SETS / 4 / 3, abs=2)
    for record in (*faulty, *kept):
        verdict = judge(record)
        assert verdict.breach is None
        assert list(verdict.scores or ()) == record["scores"]
    for record, spot in zip(faulty, expected(line), strict=True):
        (told,) = record["forfeits"]
        assert (
            record["set"],
            record["rotation"],
            record["round"] - 1,
            told["seat"],
            told["decision"],
        ) == spot
        assert record["scores"][told["seat"]] == 0
        assert record["names"][told["seat"]] == "b"
        wrong = {
            **record,
            "scores": [score + (seat == told["seat"]) for seat, score in enumerate(record["scores"])],
        }
        assert "forfeited" in judge(wrong).breach.sentence  # type: ignore[union-attr]  # it has one


class Nameless(hostile.Vector):
    """Cannot name a trump."""

    def name_trumps(self, batch: Any) -> Any:
        return np.full(len(batch), 4)


def test_a_dealer_that_names_no_trump_forfeits_the_round() -> None:
    line = "wizard:hand_sizes=" + "/".join("12" * 10)
    tally = play(Nameless(), line=line)
    named = sorted(spot[:5] for spot in decisions(line) if spot[4] == NAMING)
    assert [fault.spot for fault in tally.faults] == named
    assert len(named) > 1
    spec = make_spec(agents=["a", "b", "c", "d"], seed=1, rules=line)
    for record in _read(record_lines(spec, LineUp(4, 0, (0, 1, 2, 3)), "abcd", tally.faulty, tally.faults)):
        assert judge(record).breach is None


def _read(lines: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("driver", ["compiled", "batched"])
def test_compiled_line_ups_come_to_the_same_by_either_driver(driver: Any) -> None:
    trusted = entrant(hostile.compiled_agent(0), "good", trusted=True)
    bad = entrant(hostile.compiled_agent(1), "bad")
    lineup = (trusted, bad, trusted, trusted)
    game = Game(read_rules("oh-pshaw"), 4, SCHEDULE, lineup, (0, 1, 0, 0), stop_after=3)
    tally = play_sets(game, SEED, FIRST, SETS, driver=driver, log=True, forfeits=Forfeits())
    assert [fault.spot for fault in tally.faults] == expected()
    slow = play_sets(game, SEED, FIRST, SETS, log=True, forfeits=Forfeits(one_by_one=True))
    assert_same(tally, slow)
    assert tally.faults == slow.faults


@pytest.mark.parametrize(
    "agent", [hostile.Vector(hostile.crash), hostile.compiled_agent(2)], ids=["vector", "compiled"]
)
def test_pieces_add_up_to_the_whole(agent: Any) -> None:
    whole = play(agent)
    pieces = play(agent, sets=2) + play(agent, first=FIRST + 2, sets=1) + play(agent, first=FIRST + 3, sets=3)
    assert_same(whole, pieces)
    assert whole.faults == pieces.faults
    assert (whole.faulty == pieces.faulty).all()


def test_care_changes_nothing_where_nobody_fails() -> None:
    for agent in (hostile.Vector(), as_agent(hostile.Scalar(), "scalar"), hostile.compiled_agent(4)):
        tally = play(agent, Forfeits(one_by_one=True))
        assert_same(tally, honest())
        assert tally.faults == ()
        assert tally.faulty is None


def test_what_stands_is_not_asked_again(failed: Tally) -> None:
    """The faults of the agent that raises, handed to one that does not: the same rounds are forfeited."""
    known = tuple(fault._replace(kind="hang", sentence="gave no answer for 5 s") for fault in failed.faults)
    spots = {spot[:5] for spot in expected()}
    asked: list[int] = []

    def see(views: Any, _matches: Any, _answers: Any) -> None:
        asked.extend(views["rnd"].tolist())

    tally = play(Watcher(hostile.Vector(), see), Forfeits(known))
    assert_same(tally, failed)
    assert tally.faults == known
    words = {word: tuple(spot) for *spot, word in decisions("oh-pshaw:hand_sizes=2/4/3")}
    assert not spots & {words[word] for word in asked}
    assert len(asked) == len(set(asked)) < len(words)


class Forgetful(hostile.Vector):
    """Cannot begin."""

    def matches_begin(self, count: int) -> None:
        raise OSError(f"no room for {count}")


def test_an_agent_that_cannot_begin_forfeits_the_first_rounds() -> None:
    tally = play(Forgetful())
    assert {fault.round_number for fault in tally.faults} == {0}
    assert len(tally.faults) == SETS * 4
    assert {fault.sentence for fault in tally.faults} == {f"raised OSError: no room for {SETS * 4}"}
    with pytest.raises(AgentFaultError, match=r"agent culprit raised OSError: no room"):
        play(Forgetful(), None)


def test_trusted_agents_and_ctrl_c_end_play_as_ever() -> None:
    with pytest.raises(AgentFaultError, match="no idea"):
        play(hostile.compiled_agent(1), trusted=True)
    with pytest.raises(KeyboardInterrupt):
        play(as_agent(hostile.Scalar(hostile.failing(KeyboardInterrupt())), "interrupted"))


def test_many_lines_of_a_message_become_one_and_long_ones_short() -> None:
    text = "first\n\tsecond " + "x" * 1000
    tally = play(as_agent(hostile.Scalar(hostile.failing(ValueError(text))), "talks"), sets=1)
    sentence = tally.faults[0].sentence
    assert sentence.startswith("raised ValueError: first second xxx")
    assert len(sentence) <= 200


def test_a_fault_names_its_decision() -> None:
    fault = Fault(1, 2, 3, 0, 1, 4, "hang", "gave no answer for 5 s")
    assert fault.spot == (1, 2, 3, 0, 4)
    assert fault.round_spot == (1, 2, 3)


def test_words_do_not_depend_on_what_is_played(failed: Tally) -> None:
    """What `expected` rests on: hostile or honest, the same decisions have the same words."""
    words: list[set[int]] = []
    for deed in (None, hostile.put(77)):
        seen: set[int] = set()

        def see(views: Any, _matches: Any, answers: Any, seen: set[int] = seen) -> None:
            seen.update(views["rnd"][: len(answers)].tolist())

        play(Watcher(hostile.Vector(deed), see))
        words.append(seen)
    assert words[1] < words[0]
    assert VIEW["rnd"] == np.uint64
    assert failed.sets == SETS
