"""Bit tricks and randomness against plain Python, and pinned words that betray any change of the stream."""

import random
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from llvmlite import binding
from scipy import stats

from ohpshaw_sim import cards
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.kernels import bits, rng
from ohpshaw_sim.kernels._jit import JIT_DISABLED, jit
from ohpshaw_sim.kernels.bits import U
from ohpshaw_sim.rules import Rules

WORD = (1 << 64) - 1
GOLDEN = 0x9E37_79B9_7F4A_7C15
UNLIKELY = 1e-4
"""A chi-square this far out fails; every draw is seeded, so it does always or never."""

words = st.integers(0, WORD)
sparse = st.sets(st.integers(0, 63), max_size=12).map(cards.mask_of)
masks = words | sparse | sparse.map(lambda mask: mask ^ WORD)
counters = st.integers(0, 2**62)
quick = settings(deadline=None, max_examples=200)

SELECTS: dict[str, Any] = {"in use": bits.nth_bit}
if not JIT_DISABLED:
    SELECTS["by table"] = bits.nth_bit_by_table


def volume(seed: int, many: int = 20_000) -> list[int]:
    """Words, sparse masks and dense masks, as many as an interpreter can bear."""
    draw = random.Random(seed)
    few = [draw.getrandbits(64) for _ in range(many // (20 if JIT_DISABLED else 1))]
    return [0, 1, 1 << 63, WORD, *few, *(a & b & c for a, b, c in zip(few, few[1:], few[2:], strict=False))]


# Bits


def positions(mask: int) -> list[int]:
    return [place for place in range(64) if mask >> place & 1]


def assert_bits(mask: int) -> None:
    places = positions(mask)
    assert bits.popcount(U(mask)) == len(places)
    assert bits.lowest_bit(U(mask)) == (places[0] if places else 64)
    assert bits.highest_bit(U(mask)) == (places[-1] if places else -1)


@quick
@given(masks)
@example(0)
@example(WORD)
def test_count_lowest_and_highest_bit(mask: int) -> None:
    assert_bits(mask)


def test_count_lowest_and_highest_bit_of_many_masks() -> None:
    for mask in volume(1, 5_000):
        assert_bits(mask)


@pytest.mark.parametrize("select", SELECTS.values(), ids=SELECTS)
@quick
@given(mask=masks)
@example(mask=WORD)
@example(mask=1 << 63)
def test_nth_bit_for_every_n(select: Any, mask: int) -> None:
    assert [select(U(mask), n) for n in range(mask.bit_count())] == positions(mask)


@pytest.mark.parametrize("select", SELECTS.values(), ids=SELECTS)
def test_nth_bit_of_every_byte_in_every_place(select: Any) -> None:
    for byte in range(1, 256):
        for place in range(0, 64, 8):
            for n, position in enumerate(positions(byte)):
                assert select(U(byte << place), n) == place + position


@pytest.mark.skipif(JIT_DISABLED, reason="there is one way only")
def test_both_ways_to_the_nth_bit_agree_in_volume() -> None:
    draw = random.Random(2)
    for mask in volume(2):
        if mask:
            n = draw.randrange(mask.bit_count())
            assert bits.nth_bit(U(mask), n) == bits.nth_bit_by_table(U(mask), n)


@pytest.mark.parametrize(
    ("features", "name", "fast"),
    [
        ({"bmi2": True}, "skylake", True),
        ({"bmi2": True}, "znver3", True),
        ({"bmi2": True}, "znver2", False),
        ({"bmi2": True}, "znver1", False),
        ({"bmi2": False}, "sandybridge", False),
        ({}, "apple-m1", False),
    ],
)
def test_pdep_is_used_only_where_it_is_fast(
    monkeypatch: pytest.MonkeyPatch, features: dict[str, bool], name: str, fast: bool
) -> None:
    monkeypatch.setattr(binding, "get_host_cpu_features", lambda: features)
    monkeypatch.setattr(binding, "get_host_cpu_name", lambda: name)
    monkeypatch.setattr(numba.config, "CPU_NAME", None)
    monkeypatch.setattr(numba.config, "CPU_FEATURES", None)
    assert bits._host_has_fast_pdep() == (fast and not JIT_DISABLED)
    monkeypatch.setattr(numba.config, "CPU_NAME", "generic")  # compiles for some other processor
    assert not bits._host_has_fast_pdep()


def test_lanes_and_single_bits() -> None:
    assert [int(bits.bit(place)) for place in range(64)] == [1 << place for place in range(64)]
    assert [int(bits.lane(suit)) for suit in cards.SUITS] == [cards.lane_of(suit) for suit in cards.SUITS]
    assert int(bits.lane(cards.NO_SUIT)) == 0


# Randomness, once more in plain Python


def mix(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58_476D_1CE4_E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D0_49BB_1331_11EB & WORD
    return word ^ word >> 31


def unmix(word: int) -> int:
    """The way back: each step of `mix` undone, last step first."""
    word = unshift(word, 31) * pow(0x94D0_49BB_1331_11EB, -1, 1 << 64) & WORD
    word = unshift(word, 27) * pow(0xBF58_476D_1CE4_E5B9, -1, 1 << 64) & WORD
    return unshift(word, 30)


def unshift(word: int, shift: int) -> int:
    found = word
    for _ in range(64 // shift):
        found = word ^ found >> shift
    return found


def stream_word(key: int, counter: int) -> int:
    return mix(key + (counter + 1) * GOLDEN & WORD)


def fold(key: int, value: int) -> int:
    return mix(stream_word(key, value) ^ GOLDEN)


def assert_words(key: int, counter: int) -> None:
    assert int(rng.mix(U(key))) == mix(key)
    assert int(rng.stream_word(U(key), counter)) == stream_word(key, counter)
    assert int(rng.fold(U(key), counter)) == fold(key, counter)


@quick
@given(words, counters)
@example(0, 0)
@example(WORD, 2**62)
def test_words_are_those_of_plain_python(key: int, counter: int) -> None:
    assert_words(key, counter)


def test_many_words_are_those_of_plain_python() -> None:
    for counter, key in enumerate(volume(3, 3_000)):
        assert_words(key, counter)


def test_a_key_may_be_a_plain_int() -> None:
    """Python ints reach compiled code as int64: right below 2**63, and refused beyond, never taken for another key."""
    for key in (5, 2**40 + 1, 2**63 - 25):
        assert int(rng.mix(key)) == mix(key)
        assert int(rng.stream_word(key, 1)) == stream_word(key, 1)
        assert int(rng.fold(key, 1)) == fold(key, 1)
    if not JIT_DISABLED:
        with pytest.raises(OverflowError):
            rng.mix(2**64 - 3)


@quick
@given(words)
def test_mix_can_be_undone(word: int) -> None:
    assert unmix(int(rng.mix(U(word)))) == word


def test_mix_never_gives_one_word_twice() -> None:
    words = {*volume(4, 5_000), *range(500 if JIT_DISABLED else 5_000)}
    mixed = {int(rng.mix(U(word))) for word in words}
    assert len(mixed) == len(words)
    assert all(unmix(word) in words for word in mixed)


def test_a_small_change_of_the_word_changes_half_the_bits() -> None:
    draw = random.Random(5)
    changed = np.zeros((64, 64), np.int64)
    tries = 50 if JIT_DISABLED else 400
    for _ in range(tries):
        word = draw.getrandbits(64)
        before = int(rng.mix(U(word)))
        for place in range(64):
            changed[place] += bits_of(before ^ int(rng.mix(U(word ^ 1 << place))))
    assert np.abs(changed / tries - 0.5).max() < 6 * 0.5 / tries**0.5


def bits_of(word: int) -> Any:
    return np.unpackbits(np.frombuffer(word.to_bytes(8, "little"), np.uint8), bitorder="little")


@quick
@given(words, st.lists(st.integers(1, 64), min_size=1, max_size=6))
@example(WORD, [64, 64, 64, 64, 64, 64])
@example(0, [1, 60, 1])
def test_draws_below_are_those_of_plain_python(word: int, limits: list[int]) -> None:
    left = word
    for limit in limits:
        assert rng.below(U(left), limit) == left * limit >> 64
        drawn, rest = rng.take(U(left), limit)
        assert (int(drawn), int(rest)) == (left * limit >> 64, left * limit & WORD)
        assert 0 <= drawn < limit
        left = int(rest)


@quick
@given(words, words)
def test_the_wide_product_is_exact(word: int, n: int) -> None:
    n >>= 1  # the high half comes as a signed number
    high, low = rng.times(U(word), U(n))
    assert (int(high) << 64) + int(low) == word * n


@jit
def count_draws(key: Any, limits: tuple[int, int, int], repeats: int, counts: Any) -> None:
    """Add up in `counts` three draws from each of many words: the last one outermost in the index."""
    for number in range(repeats):
        word = U(rng.stream_word(key, number))
        first, word = rng.take(word, limits[0])
        second, word = rng.take(word, limits[1])
        third, word = rng.take(word, limits[2])
        counts[(third * limits[1] + second) * limits[0] + first] += 1


@pytest.mark.parametrize("limits", [(2, 3, 5), (7, 7, 7), (52, 51, 1), (13, 4, 20)])
def test_several_draws_from_one_word_are_uniform_together(limits: tuple[int, int, int]) -> None:
    counts = np.zeros(limits[0] * limits[1] * limits[2], np.int64)
    count_draws(U(rng.root(1, "tests")), limits, (8 if JIT_DISABLED else 400) * counts.size, counts)
    assert UNLIKELY < stats.chisquare(counts).pvalue < 1 - UNLIKELY


def test_streams_of_neighbouring_keys_and_counters_share_no_word() -> None:
    span = 20 if JIT_DISABLED else 100
    key = rng.root(2, "tests")
    keys = [int(rng.fold(key, value)) for value in range(span)]
    drawn = [int(rng.stream_word(U(each), counter)) for each in keys for counter in range(span)]
    below = [int(rng.fold(U(each), value)) for each in keys for value in range(span)]
    assert len({*keys, *drawn, *below}) == span + 2 * span**2


# Seeds


def test_roots_differ_by_purpose_and_seed() -> None:
    seeds = [*range(1000), 2**32, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 2**64 + 1, 2**200]
    roots = [rng.root(seed, purpose) for purpose in ("cards", "agents") for seed in seeds]
    assert len(set(roots)) == len(roots)
    assert all(isinstance(root, np.uint64) for root in roots)


def test_a_seed_is_a_number_however_it_is_held() -> None:
    assert rng.root(5, "cards") == rng.root(np.int64(5), "cards") == rng.root(np.uint64(5), "cards")


@pytest.mark.parametrize(
    ("seed", "purpose", "word"),
    [
        (0, "cards", 0x2809_4940_80C8_D55D),
        (0, "agents", 0xD943_6711_D99A_20FB),
        (1, "cards", 0x1F79_01AD_946F_2478),
        (2**64, "cards", 0x88AB_C32B_DD07_5BEA),
        (2**200, "agents", 0x3ACD_E0F8_A9AE_A705),
    ],
)
def test_pinned_roots(seed: int, purpose: str, word: int) -> None:
    assert int(rng.root(seed, purpose)) == word


def test_the_stream_is_splitmix64() -> None:
    """First outputs for the seeds 0 and 1234567, as published with the reference implementation and its ports."""
    assert [int(rng.stream_word(U(0), counter)) for counter in range(3)] == [
        0xE220_A839_7B1D_CDAF,
        0x6E78_9E6A_A1B9_65F4,
        0x06C4_5D18_8009_454F,
    ]
    assert [int(rng.stream_word(U(1234567), counter)) for counter in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_pinned_folds() -> None:
    key = rng.root(0, "cards")
    assert int(rng.fold(key, 0)) == 0x81AA_282D_EF12_C297
    assert int(rng.fold(U(rng.fold(key, 5)), 3)) == fold(fold(int(key), 5), 3)


# Cards


def deal(key: int, pack: int, players: int, hand_size: int, dealer: int) -> tuple[list[int], int]:
    """A deal by definition: each card by its rank among those left, five draws to a word (B5, B6)."""
    left, hands, seat, word = [*cards.cards_in(pack)], [0] * players, dealer, 0
    for drawn in range(players * hand_size):
        if drawn % 5 == 0:
            word = stream_word(key, drawn)
        rank, word = word * len(left) >> 64, word * len(left) & WORD
        seat = (seat + 1) % players
        hands[seat] |= 1 << left.pop(rank)
    if not left:
        return hands, cards.NO_CARD
    return hands, left[stream_word(key, players * hand_size) * len(left) >> 64]


@pytest.mark.rule("B5", "B6")
@quick
@given(st.integers(0, 2**70), st.integers(3, 7), st.data())
def test_deals_are_those_of_plain_python(seed: int, players: int, data: st.DataObject) -> None:
    suits, ranks = data.draw(st.sampled_from([(4, 13), (4, 13), (4, 12), (4, 7), (2, 5)]))
    rules = Rules(pack=f"{suits}x{ranks}")
    hand_size = data.draw(st.integers(1, rules.largest_hand(players)))
    dealer = data.draw(st.integers(0, players - 1))
    table = Round.deal(rules, players, hand_size, dealer, seed)
    key = fold(int(rng.root(seed, "cards")), 0)
    assert (table.hands, int(table.view.turn_up)) == deal(key, rules.pack_mask, players, hand_size, dealer)


@pytest.mark.parametrize(
    ("seed", "turn_up", "hands"),
    [
        (0, "8H", ["7D 6D 5D 7H 7S", "JC 8C 3C 3D KS", "TC 5C QD 4H JS", "9C AH 9H AS 6S"]),
        (2**64 + 1, "9S", ["AC 9C 5C TH 3S", "2C 5D 2D AS 5S", "8C KD JH 9H TS", "6C KH 4H QS 2S"]),
    ],
)
def test_pinned_deals(seed: int, turn_up: str, hands: list[str]) -> None:
    table = Round.deal(Rules(), 4, 5, 3, seed)
    assert cards.format_card(int(table.view.turn_up)) == turn_up
    assert [cards.format_cards(hand) for hand in table.hands] == hands
