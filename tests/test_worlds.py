"""The sampler of unseen cards against full enumeration, an independent count, and real play."""

import functools
import hashlib
import itertools
import math
import operator
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from ohpshaw_sim.cards import (
    ACE,
    SUIT_LETTERS,
    Card,
    Mask,
    cards_in,
    format_cards,
    lane_of,
    mask_of,
    pack_mask,
    parse_cards,
    suit_of,
)
from ohpshaw_sim.interface.view import blank_views
from ohpshaw_sim.kernels._jit import JIT_DISABLED
from ohpshaw_sim.kernels.bits import SUITED
from ohpshaw_sim.kernels.rng import fold, root
from ohpshaw_sim.kernels.worlds import (
    SEATS,
    prepare_worlds,
    random_subset,
    sample_world,
    unseen_problem,
    world_plan,
)

JESTERS_AND_WIZARDS = [16 * suit + rank for suit in range(4) for rank in (1, 15)]
KEY = root(20, "tests/worlds")
PER_WORLD, AT_LEAST = (3, 200) if JIT_DISABLED else (40, 10_000)


class Problem(NamedTuple):
    """What one seat does not know: a pool; by seat, the number of cards held and the void suits ("CH")."""

    pool: Mask
    needs: tuple[int, ...]
    voids: tuple[str, ...]

    def may_hold(self, seat: int, card: Card) -> bool:
        suited = 2 <= card % 16 <= ACE
        return not (suited and SUIT_LETTERS[suit_of(card)] in self.voids[seat])

    @property
    def cannot(self) -> list[Mask]:
        return [
            int(SUITED) & sum(lane_of(SUIT_LETTERS.index(suit)) for suit in suits) for suits in self.voids
        ]


def problem(cards: str, *seats: str) -> Problem:
    """Read a pool and seats like "3 CH": holds three cards, void in clubs and hearts."""
    needs = tuple(int(seat.split()[0]) for seat in seats)
    return Problem(mask_of(parse_cards(cards)), needs, tuple(seat[2:] for seat in seats))


def prepare(case: Problem, plan: Any = None) -> tuple[Any, float]:
    """Fill a plan; return it and the number of worlds it counts."""
    plan = world_plan() if plan is None else plan
    needs, cannot = np.zeros(SEATS, np.int8), np.zeros(SEATS, np.uint64)
    needs[: len(case.needs)] = case.needs
    cannot[: len(case.needs)] = case.cannot
    return plan, prepare_worlds(plan, np.uint64(case.pool), len(case.needs), needs, cannot)


def draws(plan: Any, number: int, key: Any = KEY) -> Iterator[tuple[int, ...]]:
    """Yield worlds as seven hands each."""
    hands = np.zeros(SEATS, np.uint64)
    for index in range(number):
        sample_world(plan, np.uint64(fold(key, index)), hands)
        yield tuple(hands.tolist())


def every_world(case: Problem) -> Iterator[tuple[int, ...]]:
    """Yield each world once, by plain enumeration."""

    def deal(seat: int, left: Mask) -> Iterator[tuple[int, ...]]:
        if seat == len(case.needs):
            yield (0,) * (SEATS - seat)
            return
        allowed = [card for card in cards_in(left) if case.may_hold(seat, card)]
        for hand in itertools.combinations(allowed, case.needs[seat]):
            for others in deal(seat + 1, left & ~mask_of(hand)):
                yield mask_of(hand), *others

    return deal(0, case.pool)


def count_worlds(case: Problem) -> int:
    """Count the worlds in exact integers, seat by seat, with nothing merged or sorted."""
    kinds = Counter(suit_of(card) if 2 <= card % 16 <= ACE else 4 for card in cards_in(case.pool))

    @functools.cache
    def ways(seat: int, left: tuple[int, ...]) -> int:
        if seat == len(case.needs):
            return 1
        void = [SUIT_LETTERS[suit] in case.voids[seat] for suit in range(4)] + [False]
        most = [0 if void[kind] else left[kind] for kind in range(5)]
        total = 0
        for take in itertools.product(*(range(min(most[kind], case.needs[seat]) + 1) for kind in range(4))):
            wild = case.needs[seat] - sum(take)
            if 0 <= wild <= most[4]:
                here = (*take, wild)
                rest = tuple(had - taken for had, taken in zip(left, here, strict=True))
                total += math.prod(map(math.comb, left, here)) * ways(seat + 1, rest)
        return total

    return ways(0, tuple(kinds[kind] for kind in range(5)))


def assert_consistent(case: Problem, hands: tuple[int, ...]) -> None:
    union = functools.reduce(operator.or_, hands)
    assert union & ~case.pool == 0
    assert union.bit_count() == sum(case.needs), "no card twice"
    for seat, number in enumerate(case.needs):
        assert hands[seat].bit_count() == number
        assert all(case.may_hold(seat, card) for card in cards_in(hands[seat]))


def fit(observed: list[int], expected: list[float]) -> float:
    """Return the p-value of a chi-square test, cells that expect fewer than five pooled into one."""
    cells = [(seen, wanted) for seen, wanted in zip(observed, expected, strict=True) if wanted >= 5]
    seen, wanted = (
        sum(observed) - sum(cell[0] for cell in cells),
        sum(expected) - sum(cell[1] for cell in cells),
    )
    if wanted >= 5:
        cells.append((seen, wanted))
    else:
        cells[0] = (cells[0][0] + seen, cells[0][1] + wanted)
    found, hoped = ([cell[side] for cell in cells] for side in (0, 1))
    return float(stats.chisquare(found, hoped).pvalue) if len(cells) > 1 else 1.0


def random_problem(rng: random.Random, most_cards: int) -> Problem:
    """Make up a problem of 3 to 7 players with at least one world: somebody dealt it."""
    players = rng.randint(3, SEATS)
    pack = list(cards_in(pack_mask())) + JESTERS_AND_WIZARDS * (rng.random() < 0.25)
    pool = rng.sample(pack, rng.randint(players - 1, most_cards))
    largest = len(pool) // (players - 1)
    needs = [0] + [rng.randint(max(0, largest - 1), largest) for _ in range(players - 1)]
    hands = [pool[sum(needs[:seat]) : sum(needs[: seat + 1])] for seat in range(players)]
    shown = [
        [suit for suit in range(4) if rng.random() < 0.6 and all(suit_of(card) != suit for card in hand)]
        for hand in hands
    ]
    return Problem(
        mask_of(pool), tuple(needs), tuple("".join(SUIT_LETTERS[s] for s in suits) for suits in shown)
    )


CASES = {
    "3 players, no voids": problem("AC KC QD JH TS 2S 3D", "0", "2", "3"),
    "3 players, mid-trick, stock": problem("AC KC QD JH TS 2S 3D 5H", "0", "3 C", "2 HS"),
    "4 players, empty stock, crossing voids": problem("AC KC QC 2D 3D JH 9H TS 2S", "3", "0", "3 C", "3 D"),
    "4 players, nested voids": problem("AC KC QC 2D 3D JH 9H TS 2S", "1", "0", "2 C", "2 CD"),
    "4 players, two seats with one void": problem("AC KC QC 2D 3D JH 9H", "2", "2 C", "1 C", "0"),
    "4 players, three ways": problem("AC KC QC 2D 3D JH 9H TS 2S", "0", "3 C", "2 D", "3 H"),
    "5 players, four crossing voids": problem("AC KC 2D 3D JH 9H TS 2S", "0", "2 C", "2 D", "2 H", "1 S"),
    "5 players, tight": problem("AC KC 2D 3D JH 9H TS 2S", "0", "2 CD", "2 DH", "2 HS", "2 SC"),
    "6 players, five voids": problem("AC KC 2D 3D JH 9H TS 2S", "1 C", "1 D", "0", "1 CD", "1 HS", "1 H"),
    "7 players, six voids": problem("AC 2D 3D JH 9H TS 2S", "1 C", "1 D", "1 CD", "1 HS", "1 H", "1 DS", "0"),
    "7 players, mid-trick": problem("AC 2D 3D JH 9H TS 2S", "1 C", "1 D", "0 CD", "0", "1 H", "1 DS", "1"),
    "forced: only spades left for one": problem("AC 2D 3D JH TS 2S", "0", "2 CDH", "1", "1 C"),
    "one world": problem("AC 2D TS 2S", "0", "2 CDH", "1 DHS", "1 C"),
    "Jesters and Wizards belong to no suit": Problem(
        mask_of([*parse_cards("AC KC 2D JH TS 2S"), 1, 15, 33]), (0, 2, 3, 2), ("", "CDHS", "CD", "H")
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_every_world_is_equally_likely(case: Problem) -> None:
    plan, counted = prepare(case)
    worlds = list(every_world(case))
    assert counted == len(worlds)
    seen = Counter(draws(plan, max(AT_LEAST, PER_WORLD * len(worlds))))
    assert not seen.keys() - set(worlds)
    if len(worlds) > 1:
        assert stats.chisquare([seen[world] for world in worlds]).pvalue > 1e-3


def test_random_small_problems_are_uniform() -> None:
    rng = random.Random(7)
    p_values: list[float] = []
    while len(p_values) < (5 if JIT_DISABLED else 60):
        case = random_problem(rng, 9)
        worlds = list(itertools.islice(every_world(case), 601))
        if 2 <= len(worlds) <= (60 if JIT_DISABLED else 600):
            plan, counted = prepare(case)
            assert counted == len(worlds)
            seen = Counter(draws(plan, PER_WORLD * len(worlds)))
            assert not seen.keys() - set(worlds)
            p_values.append(stats.chisquare([seen[world] for world in worlds]).pvalue)
    assert min(p_values) > 1e-3 / len(p_values)
    assert stats.kstest(p_values, "uniform").pvalue > 1e-3


WIDE = problem(
    "AC KC JC TC 9C 5C 4C 2C AD QD JD 9D 8D 6D 5D 3D AH KH QH TH 7H 6H 4H 3H 2H KS QS JS 9S 8S 6S 3S",
    "5 C",
    "4 D",
    "0",
    "5 CH",
    "5 S",
    "4 H",
    "5 DS",
)
TEN_CARDS = problem(
    "AC KC JC TC 9C 5C 4C 2C AD QD JD 9D 8D 6D 5D 3D AH KH QH TH 7H 6H 4H 3H 2H KS QS JS 9S 8S",
    "0",
    "8 C",
    "8 D",
    "7 H",
)


@pytest.mark.skipif(JIT_DISABLED, reason="too many worlds")
@pytest.mark.parametrize("case", [WIDE, TEN_CARDS])
def test_suit_lengths_and_holders_in_large_positions(case: Problem) -> None:
    plan, counted = prepare(case)
    number = 20_000
    seen = list(draws(plan, number))
    for seat, suit in itertools.product(range(len(case.needs)), range(4)):
        need, letter = case.needs[seat], SUIT_LETTERS[suit]
        if need == 0 or letter in case.voids[seat]:
            continue
        cards = list(cards_in(case.pool & lane_of(suit)))
        voids = (*case.voids[:seat], case.voids[seat] + letter, *case.voids[seat + 1 :])
        chances = []
        for length in range(min(need, len(cards)) + 1):
            needs = (*case.needs[:seat], need - length, *case.needs[seat + 1 :])
            rest = Problem(case.pool & ~mask_of(cards[:length]), needs, voids)
            chances.append(math.comb(len(cards), length) * count_worlds(rest) / counted)
        assert sum(chances) == pytest.approx(1)
        lengths = Counter((world[seat] & lane_of(suit)).bit_count() for world in seen)
        expected = [number * chance for chance in chances]
        assert fit([lengths[length] for length in range(len(chances))], expected) > 1e-4
        chance = sum(length * chance for length, chance in enumerate(chances)) / len(cards)
        for card in cards:  # cards of one suit are alike
            holds = sum(world[seat] >> card & 1 for world in seen)
            assert abs(holds - number * chance) < 4.5 * math.sqrt(number * chance * (1 - chance))


class Table:
    """A round of random play, seen through the view of the seat to move; legal cards by rules B2 and B10."""

    def __init__(self, players: int, hand_size: int, rng: random.Random) -> None:
        pack = rng.sample(list(cards_in(pack_mask())), 52)
        self.rng = rng
        self.hands = [mask_of(pack[seat * hand_size : (seat + 1) * hand_size]) for seat in range(players)]
        self.view = blank_views(1)[0]
        self.view.players, self.view.hand_size, self.view.pack = players, hand_size, pack_mask()
        self.view.gone = mask_of(pack[players * hand_size :][:1])

    def positions(self) -> Iterator[Any]:
        """Yield the view before each card that is played."""
        players = len(self.hands)
        leader = self.rng.randrange(players)
        for _ in range(int(self.view.hand_size)):
            led = -1
            for turn in range(players):
                self.view.seat = seat = (leader + turn) % players
                self.view.hand = self.hands[seat]
                yield self.view
                led = self.play(seat, led)
            leader = self.rng.randrange(players)  # who wins makes no difference here

    def play(self, seat: int, led: int) -> int:
        """Play a random legal card; return the suit led."""
        following = [card for card in cards_in(self.hands[seat]) if suit_of(card) == led]
        card = self.rng.choice(following or list(cards_in(self.hands[seat])))
        self.hands[seat] ^= 1 << card
        self.view.gone |= np.uint64(1 << card)
        self.view.played[seat] |= np.uint64(1 << card)
        if led >= 0 and not following:
            self.view.voids[seat] |= 1 << led
        return led if led >= 0 else suit_of(card)


def voids_of(bits: int) -> str:
    return "".join(letter for suit, letter in enumerate(SUIT_LETTERS) if bits >> suit & 1)


@pytest.mark.parametrize(("players", "hand_size"), [(3, 17), (4, 10), (4, 13), (5, 10), (6, 8), (7, 7)])
def test_worlds_agree_with_what_play_has_shown(players: int, hand_size: int) -> None:
    rng = random.Random(players)
    plan = world_plan()
    needs, cannot = np.full(SEATS, 9, np.int8), np.full(SEATS, 9, np.uint64)
    for _ in range(1 if JIT_DISABLED else 30):
        table = Table(players, hand_size, rng)
        for view in table.positions():
            pool = unseen_problem(view, needs, cannot)
            others = [seat for seat in range(players) if seat != view.seat]
            held = [0 if seat == view.seat else table.hands[seat].bit_count() for seat in range(players)]
            case = Problem(
                int(pool), tuple(held), tuple(voids_of(int(bits)) for bits in view.voids[:players])
            )
            assert needs.tolist() == held + [0] * (SEATS - players)
            assert cannot.tolist() == [case.cannot[seat] if seat in others else 0 for seat in range(SEATS)]
            assert all(table.hands[seat] & ~case.pool == 0 for seat in others)
            assert prepare_worlds(plan, pool, players, needs, cannot) >= 1, "the real deal is one"
            for hands in draws(plan, 3, np.uint64(fold(KEY, int(view.gone) % 997))):
                assert_consistent(case, hands)


def test_counts_are_exact_at_full_size() -> None:
    rng = random.Random(3)
    for _ in range(3 if JIT_DISABLED else 25):
        case = random_problem(rng, 20 if JIT_DISABLED else 44)
        assert prepare(case)[1] == pytest.approx(count_worlds(case), rel=1e-12)


@pytest.mark.rule("V8")
def test_the_largest_wizard_position_fits() -> None:
    """Every suit and the Jesters and Wizards in a class of their own, six parties."""
    pool = pack_mask() | mask_of(JESTERS_AND_WIZARDS)
    case = Problem(pool, (0, 4, 4, 4, 4, 4, 4), ("", "C", "D", "H", "S", "CD", "CH"))
    if JIT_DISABLED:
        case = case._replace(needs=(0, 1, 1, 1, 1, 1, 1))
    plan, counted = prepare(case)
    assert counted == pytest.approx(count_worlds(case), rel=1e-12)
    for hands in draws(plan, 20):
        assert_consistent(case, hands)


def test_a_world_is_a_function_of_plan_and_key() -> None:
    """The same masks on every machine, compiled or not."""
    plan, _ = prepare(WIDE)
    first = list(draws(plan, 50))
    assert [format_cards(hand) for hand in first[49]] == [
        "6D TH 7H 2H 8S",
        "4C 2C 6H KS",
        "",
        "QD JD 5D JS 3S",
        "JC TC 3D 4H 3H",
        "KC AD QS 9S",
        "9C 5C AH KH QH",
    ]
    assert hashlib.blake2b(repr(first).encode(), digest_size=8).hexdigest() == "a301a6eaa23bf844"
    prepare(TEN_CARDS, plan)
    ten = list(draws(plan, 50))
    assert hashlib.blake2b(repr(ten).encode(), digest_size=8).hexdigest() == "d0fbcdc1e15a8cb8"
    prepare(WIDE, plan)
    hands = np.zeros(SEATS, np.uint64)
    for index in reversed(range(50)):
        sample_world(plan, np.uint64(fold(KEY, index)), hands)
        assert tuple(hands.tolist()) == first[index]


def test_hands_without_need_stay_as_they_are() -> None:
    plan, _ = prepare(problem("AC KC QD JH", "0", "1", "2", "0"))
    hands = np.full(SEATS, 77, np.uint64)
    sample_world(plan, KEY, hands)
    assert hands[[0, 3, 4, 5, 6]].tolist() == [77] * 5
    assert 77 not in hands[[1, 2]]


@pytest.mark.parametrize(
    "case",
    [
        problem("AC KC", "0", "2", "1"),
        problem("AC KC QD", "0", "2 C", "1"),
        problem("AC KC QD JD", "0", "2 C", "1 C"),
        problem("AC KC QD JD", "1 CDHS", "0", "1"),
        Problem(mask_of([*parse_cards("AC AD AH AS"), 1]), (2, 0, 1), ("CDHS", "", "")),
    ],
)
def test_impossible_problems_count_no_world(case: Problem) -> None:
    plan, counted = prepare(case)
    assert counted == 0
    hands = np.full(SEATS, 77, np.uint64)
    sample_world(plan, KEY, hands)
    assert set(hands.tolist()) == {77}


def test_masks_that_are_not_suits_are_refused() -> None:
    cards = list(cards_in(pack_mask()))
    needs, cannot = np.ones(SEATS, np.int8), np.zeros(SEATS, np.uint64)
    cannot[:] = [mask_of(card for card in cards if card * 37 % 64 >> seat & 1) for seat in range(SEATS)]
    with pytest.raises(ValueError, match="whole suits"):
        prepare_worlds(world_plan(), np.uint64(pack_mask()), SEATS, needs, cannot)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    players = draw(st.integers(3, SEATS))
    cards = st.sampled_from([*cards_in(pack_mask()), *JESTERS_AND_WIZARDS])
    pool = mask_of(draw(st.sets(cards, max_size=16)))
    needs = draw(st.lists(st.integers(0, 4), min_size=players, max_size=players))
    shown = st.integers(0, 15).map(voids_of)
    return Problem(pool, tuple(needs), tuple(draw(st.lists(shown, min_size=players, max_size=players))))


@settings(deadline=None, max_examples=30 if JIT_DISABLED else 400, derandomize=True)
@given(problems(), st.integers(0, 2**64 - 1))
@example(problem("AC KC", "0", "0", "0"), 0)
@example(Problem(0, (0, 0, 0), ("", "C", "CDHS")), 1)
@example(problem("AC KC 2H 3H 4S 5S", "0", "3 CH", "3"), 2)
@example(problem("AC KC 2H 3H 4S 5S", "0", "2 CDH", "2 CDS", "2 DHS"), 3)
@example(problem("AC KC 2H 3H 4S 5S", "0", "3 D", "3 D"), 2**64 - 1)
def test_counts_and_worlds_of_odd_problems(case: Problem, key: int) -> None:
    plan, counted = prepare(case)
    assert counted == count_worlds(case)
    hands = np.zeros(SEATS, np.uint64)
    sample_world(plan, np.uint64(key), hands)
    if counted:
        assert_consistent(case, tuple(hands.tolist()))
    else:
        assert not hands.any()


@pytest.mark.parametrize("size", [1, 2, 5, 8, 10])
def test_subsets_are_uniform(size: int) -> None:
    cards = list(cards_in(pack_mask()))[3 : 3 + 5 * size : 5]
    for count in range(size + 1):
        subsets = [mask_of(subset) for subset in itertools.combinations(cards, count)]
        drawn = Counter(
            int(random_subset(np.uint64(mask_of(cards)), size, count, np.uint64(fold(KEY, index)), 0)[0])
            for index in range((2 if JIT_DISABLED else 40) * len(subsets))
        )
        assert not drawn.keys() - set(subsets)
        if len(subsets) > 1 and not JIT_DISABLED:
            assert stats.chisquare([drawn[subset] for subset in subsets]).pvalue > 1e-3
