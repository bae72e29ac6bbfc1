"""The referee: the game once more, slow and plain, straight from the rulebook, with every variation.

It shares no line with the package it checks and imports nothing of it. A card is a tuple `(suit, rank)`:
suits clubs, diamonds, hearts, spades are 0..3, ranks two..ace are 2..14. In the Wizard pack (V8) a Jester has
rank 1 and a Wizard rank 15; their suit number only tells the four of each apart. Hands and packs are lists of
cards. Where there is no trump, no led suit or no turn-up there is None. Seats are 0..players-1 clockwise,
rounds are numbered from 0. The ids (B1, V17, ...) are the rulebook's; where it is silent, a comment says how
it is read.

    options = Options(wizard=True, scoring="wizard")
    assert refused(options, players) is None
    match = Match.start(options, players, dealer=0)
    pack = pack_of(options)  # to be shuffled by the caller
    turn = turns_up(options, players, match.number)
    deal = deal_out(pack, players, match.next_hand_size, match.dealer, turn)
    game = Round(deal, match.dealer, options, match.number)
    ...  # game.name(suit) while game.naming, game.bid(bid) while game.bidding, game.play(card) until game.done
    match.record(game.scores())
"""

from reference_cards import (
    ACE,
    CLUBS,
    DIAMONDS,
    HEARTS,
    JESTER,
    SPADES,
    WIZARD,
    Card,
    Deal,
    Play,
    best_play,
    clockwise_from,
    deal_out,
    is_jester,
    is_wizard,
    led_suit,
    legal_cards,
    misdeal,
    new_pack,
    seat_after,
    voids_shown,
)
from reference_match import Match
from reference_options import BASE, WORDS, Options, refused
from reference_round import Round
from reference_schedule import (
    LAST_HAND,
    ascending_schedule,
    default_suits,
    extra_hand,
    last_hand,
    pack_of,
    schedule,
    trump_of_round,
    turns_up,
)
from reference_scores import announce, barred_bid, legal_bids, round_score, round_scores

__all__ = [
    "ACE",
    "BASE",
    "CLUBS",
    "DIAMONDS",
    "HEARTS",
    "JESTER",
    "LAST_HAND",
    "SPADES",
    "WIZARD",
    "WORDS",
    "Card",
    "Deal",
    "Match",
    "Options",
    "Play",
    "Round",
    "announce",
    "ascending_schedule",
    "barred_bid",
    "best_play",
    "clockwise_from",
    "deal_out",
    "default_suits",
    "extra_hand",
    "is_jester",
    "is_wizard",
    "last_hand",
    "led_suit",
    "legal_bids",
    "legal_cards",
    "misdeal",
    "new_pack",
    "pack_of",
    "refused",
    "round_score",
    "round_scores",
    "schedule",
    "seat_after",
    "trump_of_round",
    "turns_up",
    "voids_shown",
]
