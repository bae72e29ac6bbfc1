"""Dealt cards: every card is equally likely to end in any hand, as the turn-up or in the stock."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from ohpshaw_sim.cards import cards_in, pack_mask
from ohpshaw_sim.engine.state import TABLE, records
from ohpshaw_sim.kernels._jit import JIT_DISABLED, jit
from ohpshaw_sim.kernels.bits import ONE, U
from ohpshaw_sim.kernels.dealing import deal, first_dealer
from ohpshaw_sim.kernels.rng import fold, root

DEALS = 500 if JIT_DISABLED else 400_000
UNLIKELY = 1e-4
"""A chi-square this far out or further fails; the seed is fixed, so it does always or never."""


@jit
def count_places(root_key: Any, pack: Any, sizes: tuple[int, int], tables: Any, counts: Any) -> None:
    """Add up in `counts[card, place]` where cards go: seats, then the turn-up (`players`), then the stock."""
    table = tables[0]
    players, size = sizes
    for number in range(DEALS):
        dealer = number % players
        turn_up = deal(fold(root_key, number), pack, players, size, dealer, table)
        for card in range(64):
            place = players + 1
            if card == turn_up:
                place = players
            for seat in range(players):
                if (table.hands[seat] >> U(card)) & ONE:
                    place = seat
            if (pack >> U(card)) & ONE:
                counts[card, place] += 1


@jit
def count_pairs(root_key: Any, pack: Any, size: int, tables: Any, counts: Any) -> None:
    """Add up in `counts[a, b]` how often seat 0 of three holds both cards."""
    table = tables[0]
    for number in range(DEALS):
        deal(fold(root_key, number), pack, 3, size, 0, table)
        for a in range(64):
            if (table.hands[0] >> U(a)) & ONE:
                for b in range(a + 1, 64):
                    if (table.hands[0] >> U(b)) & ONE:
                        counts[a, b] += 1


@pytest.mark.rule("B5", "B6")
@pytest.mark.parametrize(
    ("players", "pack", "hand_size"),
    [
        (3, (4, 13), 15),
        (4, (4, 13), 1),
        (4, (4, 13), 10),
        (4, (4, 13), 13),
        (5, (3, 9), 4),
        (7, (4, 13), 7),
        (3, (2, 4), 2),
    ],
)
def test_every_card_is_as_likely_in_every_place(players: int, pack: tuple[int, int], hand_size: int) -> None:
    mask = pack_mask(*pack)
    cards = [*cards_in(mask)]
    counts = np.zeros((64, players + 2), np.int64)
    count_places(root(5, "cards"), U(mask), (players, hand_size), records(TABLE, 1), counts)
    turned = int(len(cards) > players * hand_size)
    room = np.array([hand_size] * players + [turned, len(cards) - players * hand_size - turned])
    assert (counts.sum(axis=0) == DEALS * room).all()
    dealt, room = counts[cards][:, room > 0], room[room > 0]
    expected = DEALS * room / len(cards)
    # Each deal is a random arrangement, so its indicators are negatively tied: the factor makes up for it.
    statistic = (len(cards) - 1) / len(cards) * ((dealt - expected) ** 2 / expected).sum()
    assert UNLIKELY < stats.chi2.cdf(statistic, (len(cards) - 1) * (len(room) - 1)) < 1 - UNLIKELY


@pytest.mark.parametrize("hand_size", [2, 7, 17])
def test_every_pair_of_cards_is_as_likely_in_one_hand(hand_size: int) -> None:
    mask = pack_mask()
    counts = np.zeros((64, 64), np.int64)
    count_pairs(root(6, "cards"), U(mask), hand_size, records(TABLE, 1), counts)
    cards = [*cards_in(mask)]
    pairs = counts[np.ix_(cards, cards)][np.triu_indices(52, 1)]
    chance = hand_size * (hand_size - 1) / (52 * 51)
    tails = np.minimum(stats.binom.cdf(pairs, DEALS, chance), stats.binom.sf(pairs - 1, DEALS, chance))
    assert pairs.size == 1326
    assert tails.min() > UNLIKELY / 2 / pairs.size


@pytest.mark.rule("B3")
@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_b3_every_seat_is_as_likely_to_deal_first(players: int) -> None:
    key = root(7, "cards")
    dealers = np.bincount(
        [first_dealer(U(fold(key, number)), players) for number in range(20_000)], minlength=players
    )
    assert dealers.size == players
    assert stats.chisquare(dealers).pvalue > UNLIKELY
