"""The referee's variations in any combination: whole matches at random, and what must hold in all of them."""

import random
from collections import Counter

import pytest

import reference as ref


def any_options(draw: random.Random) -> ref.Options:
    """Every option drawn, also into combinations that are refused."""
    pack = draw.choice([(4, 13), (4, 13), (4, 13), (4, 7), (3, 9), (2, 13), (2, 4)])
    return ref.Options(
        *pack,
        schedule=draw.choice(ref.WORDS["schedule"]),
        trump=draw.choice(ref.WORDS["trump"]),
        bidding=draw.choice(ref.WORDS["bidding"]),
        scoring=draw.choice(ref.WORDS["scoring"]),
        zero_bid=draw.choice(ref.WORDS["zero_bid"]),
        wizard=draw.random() < 0.4,
        hand_sizes=draw.choice([None, None, None, (1, 3, 2)]),
        max_hand=draw.choice([None, None, 1, 3]),
        tie_break_hand=draw.choice([None, None, 2]),
        no_trump_final=draw.random() < 0.5,
        hook=draw.random() < 0.5,
        hook_from=draw.choice([1, 2, 3]),
        must_trump=draw.random() < 0.5,
        round_winner_bonus=draw.random() < 0.5,
        revoke_penalty=draw.choice([0, 10]),
    )


def play_at_random(game: ref.Round, draw: random.Random) -> None:
    if game.naming:
        game.name(draw.choice(game.legal_suits()))
    while game.bidding:
        game.bid(draw.choice(game.legal_bids()))
    while not game.done:
        game.play(draw.choice(game.legal_cards()))
        for hand, voids in zip(game.hands, game.voids, strict=True):
            held = [card[0] for card in hand if not ref.is_wizard(card) and not ref.is_jester(card)]
            assert not voids.intersection(held)


def play_match(options: ref.Options, players: int, draw: random.Random) -> ref.Match:
    match = ref.Match.start(options, players, draw.randrange(players))
    pack = ref.pack_of(options)
    while not match.over:
        draw.shuffle(pack)
        turn = ref.turns_up(options, players, match.number)
        deal = ref.deal_out(pack, players, match.next_hand_size, match.dealer, turn)
        assert ref.misdeal(deal, pack, match.next_hand_size, turn) is None
        game = ref.Round(deal, match.dealer, options, match.number)
        play_at_random(game, draw)
        assert sum(game.tricks) == game.hand_size
        if options.hook and game.hand_size >= options.hook_from:
            assert game.announcement != "even"
        match.record(game.scores())
    return match


@pytest.mark.rule("B15")
def test_any_options_that_are_not_refused_play_to_an_end() -> None:
    draw = random.Random(1)
    seen: Counter[str | None] = Counter()
    for number in range(400):
        options, players = any_options(draw), 3 + number % 5
        reason = ref.refused(options, players)
        seen[reason] += 1
        if reason is None:
            match = play_match(options, players, draw)
            assert len(match.table) == len(ref.schedule(options, players))
            assert sum(match.win_shares()) == 1
    assert seen[None] > 50
    assert {"V17 with V8", "V1 with V9: nobody bids last"} < set(seen)
