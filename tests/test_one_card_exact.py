"""One-card rounds: exact win chances (`golden/`), reproduced from the engine's own dealing and trick winner.

Bids do not change a one-card round, so the chance that a held card wins is known exactly, and every cell of
three files can be compared with a frequency over dealt rounds. A cell agrees when it lies within 4 standard
errors: the exact binomial tail at least as likely as 4 standard errors of a normal variable, which also
holds in cells with few wins. Cells are many: among the 8,125 by turn-up about 0.5 would be further off by
chance, so there up to 3 may be, and none further than 5.
"""

from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ohpshaw_sim.cards import pack_mask
from ohpshaw_sim.engine.state import TABLE, records
from ohpshaw_sim.kernels._jit import JIT_DISABLED, jit
from ohpshaw_sim.kernels.bits import U, highest_bit
from ohpshaw_sim.kernels.dealing import deal
from ohpshaw_sim.kernels.rng import fold, root
from ohpshaw_sim.kernels.tricks import contest, lift, strength

GOLDEN = Path(__file__).parent / "golden"
DEALS = 4_000 if JIT_DISABLED else 4_000_000
CELL = ["seat", "card_is_trump", "rank", "turnup_rank"]
PACK = U(pack_mask())

per_players = pytest.mark.parametrize("players", [3, 4, 5, 6, 7])


@jit
def deal_and_play(root_key: Any, deals: int, players: int, tables: Any, counts: Any) -> None:
    """Add up one-card rounds in `counts[seat, is trump, rank, turn-up rank, wins?]`; seat 0 is eldest."""
    table = tables[0]
    for number in range(deals):
        turn_up = deal(fold(root_key, number), PACK, players, 1, players - 1, table)
        led, trump = highest_bit(table.hands[0]) >> 4, turn_up >> 4
        able, turn = contest(led, trump), lift(led, trump)
        winner, best = 0, strength(table.hands[0], able, turn)
        for seat in range(1, players):
            power = strength(table.hands[seat], able, turn)
            if power > best:
                winner, best = seat, power
        for seat in range(players):
            card = highest_bit(table.hands[seat])
            counts[seat, int(card >> 4 == trump), card & 15, turn_up & 15, int(seat == winner)] += 1


def simulate(players: int, deals: int = DEALS) -> pd.DataFrame:
    """Count how often each cell was dealt and won."""
    counts = np.zeros((players, 2, 15, 15, 2), np.int64)
    deal_and_play(root(20, "cards"), deals, players, records(TABLE, 1), counts)
    index = pd.MultiIndex.from_product([range(size) for size in counts.shape[:-1]], names=CELL)
    frame = pd.DataFrame(counts.reshape(-1, 2), index, ["lost", "wins"])
    return frame.assign(dealt=frame.lost + frame.wins)[["dealt", "wins"]]


@pytest.fixture(scope="module")
def simulated() -> dict[int, pd.DataFrame]:
    return {players: simulate(players) for players in range(3, 8)}


def golden(name: str, players: int) -> pd.DataFrame:
    frame = pd.read_csv(GOLDEN / name)
    return frame[frame.players == players].assign(exact=frame.numerator / frame.denominator)


def standard_errors(cells: pd.DataFrame) -> pd.Series:
    """How far each cell's wins are from `exact`, as the normal variate whose tail is as likely."""
    wins, dealt, exact = cells.wins, cells.dealt, cells.exact
    tail = np.minimum(stats.binom.cdf(wins, dealt, exact), stats.binom.sf(wins - 1, dealt, exact))
    return pd.Series(stats.norm.isf(np.minimum(tail, 0.5)), cells.index)


def compare(name: str, players: int, counts: pd.DataFrame, keys: list[str]) -> pd.Series:
    """Join a file's cells with what was simulated, and return how far off each is in standard errors."""
    exact = golden(name, players).set_index(keys)[["exact"]]
    cells = exact.join(counts.groupby(keys).sum(), how="left")
    assert counts.dealt.sum() == cells.dealt.sum()  # nothing was dealt that the file does not know
    return standard_errors(cells)


@pytest.mark.rule("B11")
@per_players
def test_chances_given_trump_or_not(players: int, simulated: dict[int, pd.DataFrame]) -> None:
    off = compare("one_card_exact.csv", players, simulated[players], CELL[:3])
    assert off.size == 26 * players
    assert off.max() <= 4


@pytest.mark.rule("B11")
@per_players
def test_chances_before_trump_is_known(players: int, simulated: dict[int, pd.DataFrame]) -> None:
    off = compare("one_card_exact_pretrump.csv", players, simulated[players], ["seat", "rank"])
    assert off.size == 13 * players
    assert off.max() <= 4


@pytest.mark.rule("B5", "B11")
def test_chances_given_the_turn_up(simulated: dict[int, pd.DataFrame]) -> None:
    off = pd.concat(
        [compare("one_card_exact_turnup.csv", players, simulated[players], CELL) for players in range(3, 8)]
    )
    assert off.size == 8125
    assert (off > 4).sum() <= 3
    assert off.max() <= 5


def test_the_comparison_sees_an_error_of_two_parts_in_a_hundred(simulated: dict[int, pd.DataFrame]) -> None:
    counts = simulated[4].groupby(CELL[:3]).sum()
    exact = golden("one_card_exact.csv", 4).set_index(CELL[:3])[["exact"]]
    wrong = exact.join(counts).assign(exact=lambda cells: cells.exact * 0.98)
    assert standard_errors(wrong).max() > (1 if JIT_DISABLED else 10)


@per_players
def test_the_files_follow_their_formulas(players: int) -> None:
    others = players - 1
    cells: Any = golden("one_card_exact_turnup.csv", players).itertuples()
    for cell in cells:
        if cell.card_is_trump:
            beaten_by = 14 - cell.rank - (cell.turnup_rank > cell.rank)
            chance = comb(50 - beaten_by, others) / comb(50, others)
        elif cell.seat == 0:
            chance = comb(24 + cell.rank, others) / comb(50, others)
        else:
            chance = (cell.rank - 2) / 50 * comb(23 + cell.rank, others - 1) / comb(49, others - 1)
        assert cell.exact == pytest.approx(chance, abs=1e-12)
