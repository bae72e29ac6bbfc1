"""Agents that remember are told when matches begin, and which match a decision is of."""

from collections import Counter
from typing import Any

import pytest

from ohpshaw_sim.engine.single import play_match
from ohpshaw_sim.interface.agent import as_agent
from ohpshaw_sim.rules import Rules
from readers import READERS, assert_same, play
from scripted import (
    ScalarReader,
    VectorReader,
    entrant,
)


class Rememberer(VectorReader):
    """Keeps its bids and its deals by match, and finds them again in what the views say of earlier rounds."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.bid: dict[tuple[int, int, int], int] = {}
        self.checked = 0

    def matches_begin(self, count: int) -> None:
        self.begun.append(count)
        self.bid.clear()

    def bids(self, batch: Any) -> Any:
        answers = super().bids(batch)
        for row, (view, match) in enumerate(zip(batch.records(), batch.match, strict=True)):
            assert 0 <= match < self.begun[-1]
            number, seat = int(view["round_number"]), int(view["seat"])
            for earlier in range(number):
                if (int(match), earlier, seat) in self.bid:
                    assert view["past_bids"][earlier, seat] == self.bid[int(match), earlier, seat]
                    self.checked += 1
            self.bid[int(match), number, seat] = int(answers[row])
        return answers


class ScalarRememberer(ScalarReader):
    """The same, asked one view at a time."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.asked: Counter[int] = Counter()

    def matches_begin(self, count: int) -> None:
        self.begun.append(count)
        self.asked.clear()

    def bid(self, view: Any) -> int:
        assert 0 <= view.match < self.begun[-1]
        assert self.asked[view.match] == view.round_number
        self.asked[view.match] += 1
        return super().bid(view)


def test_matches_are_numbered_for_agents_with_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ohpshaw_sim.engine.play.BATCH_ROWS", 3 * 4)
    vector, scalar = Rememberer(), ScalarRememberer()
    lineup = [entrant(vector), entrant(as_agent(scalar, "scalar")), READERS["trusted"]]
    tally = play(lineup, 0, 10)
    assert_same(tally, play([READERS["trusted"]] * 3, 0, 10))
    assert vector.begun == scalar.begun == [12, 12, 6]
    assert vector.checked > 10


def test_an_agent_in_two_seats_is_told_once_that_matches_begin() -> None:
    both = Rememberer()
    play([entrant(both), entrant(both, "again"), READERS["trusted"]], 0, 2)
    play_match([entrant(both), READERS["trusted"], entrant(both, "again")], Rules(max_hand=2), seed=1)
    assert both.begun == [6, 1]
