"""`count-winners` at the table: hands that a player would know what to do with, then whole matches."""

from collections.abc import Sequence
from typing import Any

import pytest

import ohpshaw_agents._winner_weights as weights
from ohpshaw_agents.count_winners import bid_quality, make_agent
from ohpshaw_sim.cards import Card, format_card, mask_of, parse_card, parse_cards
from ohpshaw_sim.engine.lineup import Game
from ohpshaw_sim.engine.play import play_sets
from ohpshaw_sim.engine.round import Round
from ohpshaw_sim.interface.discovery import Entrant, parameters_of, resolve
from ohpshaw_sim.interface.view import BID
from ohpshaw_sim.kernels._jit import JIT_DISABLED
from ohpshaw_sim.rules import Rules

FILLER = "2C 3C 4C 5C 6C 7C 8C 9C TC 2D 3D 4D 5D 6D 7D 8D 9D TD 2H 3H 4H 5H 6H 7H 8H 9H"
"""Cards for the seats whose hands do not matter, taken in this order."""
FEW = 3 if JIT_DISABLED else 300
COUNT_WINNERS = make_agent()


def table(hands: Sequence[str], turn_up: str, *, eldest: int = 0) -> Round:
    """Deal these hands to the first seats and fillers to the rest of four seats."""
    dealt = [parse_cards(hand) for hand in hands]
    size = len(dealt[0])
    taken = {card for hand in dealt for card in hand} | {parse_card(turn_up)}
    spare = [card for card in parse_cards(FILLER) if card not in taken]
    dealt += [[spare.pop(0) for _ in range(size)] for _ in range(4 - len(dealt))]
    masks = [mask_of(hand) for hand in dealt]
    return Round.start(Rules(), 4, size, (eldest - 1) % 4, masks, parse_card(turn_up))


def answers(round_: Round, agent: Any = COUNT_WINNERS) -> int:
    """Ask the agent for the decision that the round awaits."""
    decide = agent.bid if round_.kind == BID else agent.play
    return int(decide(round_.view, agent.params_array))


def bid_of(hand: str, turn_up: str, *before: int, agent: Any = COUNT_WINNERS) -> int:
    """Return the bid with a hand after the bids before it."""
    round_ = table([hand], turn_up, eldest=-len(before) % 4)
    for bid in before:
        round_.answer(bid)
    assert round_.seat == 0
    return answers(round_, agent)


def card_played(round_: Round, bids: Sequence[int], cards: str = "", agent: Any = COUNT_WINNERS) -> str:
    """Return the card that the agent plays after these bids (in bidding order) and cards."""
    for answer in (*bids, *parse_cards(cards)):
        round_.answer(answer)
    return written(answers(round_, agent))


def written(card: Card) -> str:
    return format_card(card)


def test_bids_one_with_the_ace_of_trump_in_the_one_card_round() -> None:
    assert bid_of("AH", "5H") == 1
    assert bid_of("AH", "5H", 1, 1, 1) == 1


def test_counts_the_king_as_boss_when_the_ace_is_the_turn_up() -> None:
    assert bid_of("KH", "AH", 1, 1, 1) == 1
    assert bid_of("KH QH JH", "AH") == 3


def test_bids_zero_with_a_side_card_that_someone_else_would_have_to_lead() -> None:
    assert bid_of("AS", "5H", 0, 0, 0) == 0
    assert bid_of("2S", "5H") == 0


def test_listens_to_the_bids_before_in_the_one_card_round() -> None:
    assert bid_of("8H", "2H", 0, 0, 0) == 1
    assert bid_of("8H", "2H", 1, 1, 1) == 0


@pytest.mark.parametrize("hand", ["2C 3D", "2C 3C 2D 3D 2S", "2C 4C 3D 5D 2S 4S 6S"])
def test_bids_zero_with_a_hopeless_hand(hand: str) -> None:
    assert bid_of(hand, "TH") == 0


def test_bids_all_with_a_sequence_of_trumps_from_the_top() -> None:
    assert bid_of("AH KH QH JH TH", "2H") == 5


def test_bids_more_with_aces_than_without() -> None:
    assert bid_of("AC AD AS 3C 3D", "2H") > bid_of("TC TD TS 3C 3D", "2H")


def test_a_lone_king_is_worth_less_than_a_guarded_one() -> None:
    eager = make_agent(side_guard=3.0)
    assert bid_of("KC 3C 2C", "2H", agent=eager) > bid_of("KC 3D 2S", "2H", agent=eager)


def test_wins_as_cheaply_as_possible_when_last_to_play() -> None:
    round_ = table(["QC AC 2D", "3C 2H 3H", "4C 4H 5H", "TC 6H 7H"], "2S", eldest=1)
    assert card_played(round_, (0, 0, 0, 2), "3C 4C TC") == "QC"


def test_sheds_the_highest_loser_when_it_wants_no_trick() -> None:
    round_ = table(["9C JC AC", "3C 2H 3H", "4C 4H 5H", "QC 6H 7H"], "2S", eldest=1)
    assert card_played(round_, (0, 0, 1, 0), "3C 4C QC") == "JC"


def test_discards_its_most_dangerous_card_when_it_wants_no_trick() -> None:
    round_ = table(["2D AD 3H", "3C 2H 8H", "4C 4H 5H", "TC 6H 7H"], "2S", eldest=1)
    assert card_played(round_, (0, 0, 1, 0), "3C 4C TC") == "AD"


def test_keeps_its_winner_when_it_discards_and_wants_a_trick() -> None:
    round_ = table(["2D AD 3H", "3C 2H 8H", "4C 4H 5H", "TC 6H 7H"], "2S", eldest=1)
    assert card_played(round_, (0, 0, 1, 1), "3C 4C TC") != "AD"


@pytest.mark.parametrize(("own_bid", "ruffs"), [(0, False), (1, True)])
def test_ruffs_only_when_it_wants_the_trick(own_bid: int, ruffs: bool) -> None:
    round_ = table(["3S 2D 4D", "3C 2H 8H", "4C 4H 5H", "TC 6H 7H"], "2S", eldest=1)
    assert (card_played(round_, (0, 0, 1, own_bid), "3C 4C TC") == "3S") is ruffs


def test_leads_low_when_it_wants_no_trick() -> None:
    round_ = table(["2C AC"], "2S")
    assert card_played(round_, (0, 1, 0, 1)) == "2C"


@pytest.mark.parametrize(("others", "spoiler"), [((0, 0, 0), "2C"), ((1, 1, 1), "AC")])
def test_spoils_once_its_own_bid_is_missed(others: tuple[int, int, int], spoiler: str) -> None:
    """Others that want no trick are left to win one; others that want too many are denied them."""
    round_ = table(["QD 2C AC", "3D 2H 3H", "4D 4H 5C", "TD 6H 7C"], "2S", eldest=1)
    for answer in (*others, 0, *parse_cards("3D 4D TD QD")):  # seat 0 has to take a trick it did not want
        round_.answer(answer)
    assert round_.tricks == [1, 0, 0, 0]
    assert written(answers(round_)) == spoiler


def test_every_weight_is_named_in_order() -> None:
    names = [name.lower() for name in vars(weights) if name.isupper()]
    assert names == list(parameters_of(make_agent))
    assert [getattr(weights, name.upper()) for name in names] == list(range(len(names)))


def test_the_bid_made_has_the_best_quality_and_a_worse_one_less() -> None:
    """As a share of the best among a bid and its neighbours: 1 for what the agent bids itself."""
    params = COUNT_WINNERS.params_array
    for seed in range(FEW):
        round_ = Round.deal(Rules(), 3 + seed % 5, 1 + seed % 7, seed % 3, seed)
        made, size = answers(round_), 1 + seed % 7
        qualities = [float(bid_quality(round_.view, wanted, params)) for wanted in range(size + 1)]
        assert qualities[made] == 1.0
        assert all(0.0 <= quality <= 1.0 for quality in qualities)
        assert all(qualities[wanted] < 1.0 for wanted in (made - 1, made + 1) if 0 <= wanted <= size)


def test_weights_change_answers() -> None:
    assert bid_of("AC AD AS 3C 3D", "2H", agent=make_agent(side_ace=-5.0)) == 0
    assert bid_of("QC 2D 3S", "2H", agent=make_agent(zero_bid=0.01)) > 0
    assert resolve("count-winners:side_ace=-5,aim_bid=1").bidder != COUNT_WINNERS


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_answers_legally_in_every_round(players: int) -> None:
    for seed in range(FEW):
        size = 1 + seed % Rules().largest_hand(players)
        round_ = Round.deal(Rules(), players, size, seed % players, seed)
        while not round_.done:
            round_.answer(answers(round_))


@pytest.mark.parametrize("pack", ["2x4", "3x6", "4x5"])
def test_plays_small_packs_and_rounds_without_trump(pack: str) -> None:
    rules = Rules(pack=pack)
    for seed in range(FEW // 3):
        round_ = Round.deal(rules, 3, 1 + seed % rules.largest_hand(3), 0, seed)
        while not round_.done:
            round_.answer(answers(round_))


def test_beats_random() -> None:
    ours, chance = resolve("count-winners"), resolve("random")
    schedule, sets = ((1, 3), 4) if JIT_DISABLED else (tuple(range(1, 11)), 100)
    tally = play_sets(Game(Rules(), 4, schedule, (ours, chance, chance, chance), (0, 1, 1, 1)), 5, 0, sets)
    difference = tally.pairs[0, 1, 0] / (3 * sets * 4 * len(schedule))
    assert difference > (0.5 if JIT_DISABLED else 3.5)
    if not JIT_DISABLED:
        assert tally.totals[0, 6] / 420 / (4 * sets) > 0.85


@pytest.mark.skipif(JIT_DISABLED, reason="a strength figure needs many rounds")
def test_hits_its_bid_more_often_than_other_rule_players_do() -> None:
    ours = resolve("count-winners")
    tally = play_sets(Game(Rules(), 4, tuple(range(1, 11)), (ours,) * 4, (0,) * 4), 6, 0, 100)
    sizes = tally.by_hand_size[0, 1:11]
    assert (sizes[:, 2] / sizes[:, 0]).mean() > 0.57


def test_is_a_pure_function_of_the_view() -> None:
    round_ = Round.deal(Rules(), 4, 7, 0, 3)
    while not round_.done:
        before = round_.view.tobytes()
        answer = answers(round_)
        assert round_.view.tobytes() == before
        assert answers(round_) == answer
        round_.answer(answer)


def test_is_trusted_and_compiled() -> None:
    entrant = resolve("count-winners")
    assert isinstance(entrant, Entrant)
    assert entrant.trusted
    assert entrant.compiled
