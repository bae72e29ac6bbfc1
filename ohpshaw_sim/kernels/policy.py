"""The bid-seeking policy: cheap choices that aim at a bid, good enough to play every seat of a rollout.

Masks of cards in play are *turned* here: their lanes are moved round so that trump, if there is one, is suit 3. Then
the strongest card of a trick is the highest bit, and `tricks.strength` needs no turning. A seat's *need* is its bid
less the tricks it has won. No branch hangs on cards or needs: they are a coin's toss to a processor, and a wrong
guess costs more than all of a choice.

A Wizard's strength is all bits, a Jester's none; `follow_any` knows them and the duty to trump, `follow_card` is the
same for less where there are neither.

The numbers were found by matches: what a hand is worth by least squares on the bids of `monte-carlo` at 3 to 7
players and 1 to 15 cards, the choices of `aim_card` by hill-climbing against its earlier versions.
"""

from typing import Any, Final

import numpy as np

from ohpshaw_sim.kernels._jit import jit
from ohpshaw_sim.kernels.bits import (
    ALL_BITS,
    FREE,
    LANE,
    ONE,
    SIXTEEN,
    SUITED,
    WIZARDS,
    ZERO,
    U,
    highest_bit,
    lowest_bit,
    popcount,
)
from ohpshaw_sim.kernels.tricks import lift, suit_lane
from ohpshaw_sim.kernels.words import empty, highest, lowest, pick

TOP_SUIT: Final = 3
_RANK: Final = U(0x0001_0001_0001_0001)


@jit
def turn_of(trump: int) -> Any:
    """Return by how many bits (uint64) `turned` moves masks so that trump is suit 3; 0 without trump."""
    return lift(TOP_SUIT, trump)


@jit
def turned(mask: Any, turn: Any) -> Any:
    """Return a mask with its lanes moved round by `turn` bits (uint64)."""
    return (mask << turn) | (mask >> (U(64) - turn & U(63)))


@jit
def turned_suit(suit: int, trump: int) -> int:
    """Return the suit that `turned` moves a suit to; no suit (-1) stays, and without trump all do."""
    return (suit - trump + TOP_SUIT) & 3 if suit >= 0 and trump >= 0 else suit


@jit
def turned_back(card: int, turn: Any) -> int:
    """Return the card that `turned` moved to `card`."""
    return (card - np.int64(turn)) & 63


@jit
def aim_card(
    hand: Any,
    live: Any,
    trump: int,
    led: int,
    best: Any,
    need: int,
    waiting: int,
    players: int,
    must_trump: bool,
) -> Any:
    """Return the card, as a mask, that a seat plays who is `need` tricks short of its bid.

    hand         the seat's cards, turned (uint64, not empty)
    live         the cards that the seats hold or may hold, its own included
    trump        3, or -1 without trump
    led          suit led; -1 = none
    best         the strength of the strongest card on the table
    waiting      seats still to play to the trick, this one included
    must_trump   whether who cannot follow must play a trump
    """
    short, top = ALL_BITS if need > 0 else ZERO, suit_lane(trump)
    if waiting == players:
        return lead_card(hand, live, top, short)
    last, must = ALL_BITS if waiting == 1 else ZERO, ALL_BITS if must_trump else ZERO
    return follow_any(hand, suit_lane(led), top, best, short, last, must)


@jit
def lead_card(hand: Any, live: Any, top: Any, short: Any) -> Any:
    """Return the card that a seat leads; `short` is the condition that it needs tricks. Masks, or rows of `Words`.

    If it needs tricks that is its highest side card, else the highest trump that another can beat, else its lowest
    side card.
    """
    side = hand & ~top
    rivals = live & ~hand & top
    beaten = hand & top & ((ONE << highest(rivals | ONE)) - ONE) & ~short
    none = empty(beaten)
    pool = pick(none, pick(empty(side), hand, side), beaten)
    return _extreme_card(pool, short | ~none)


@jit
def follow_card(hand: Any, led_lane: Any, able: Any, best: Any, short: Any, last: Any) -> Any:
    """Return the card that a seat plays to a lead; `short` and `last` are conditions. Masks, or rows of `Words`.

    A seat that needs tricks wins when it can: high, so that the card holds, or as cheaply as possible if it plays
    last. One that needs none throws the highest card that loses.
    """
    suited = hand & led_lane
    legal = pick(empty(suited), hand, suited)
    return _aimed(legal, legal & able & ~(best | (best - ONE)), short, last)


@jit
def follow_any(hand: Any, led_lane: Any, top: Any, best: Any, short: Any, last: Any, must: Any) -> Any:
    """Return the card that a seat plays to a trick under way where Wizards and Jesters may be about, or `must` holds.

    `must` is the condition that who cannot follow must trump. `led_lane` is empty where nothing need be followed.
    """
    free, suited, trumps = hand & FREE, hand & led_lane, hand & top
    trumping = must & ~empty(led_lane) & ~empty(trumps)
    legal = pick(empty(suited), pick(trumping, trumps | free, hand), suited | free)
    open_to_all = empty(best)  # only Jesters lie on the table: any card of a suit wins
    able = pick(open_to_all, SUITED, led_lane | top)
    winners = legal & able & ~(best | (best - pick(open_to_all, ZERO, ONE)))
    return _aimed(legal, winners | (legal & WIZARDS & ~empty(~best)), short, last)


@jit
def power_of(card: Any, led_lane: Any, top: Any) -> Any:
    """Return the strength of a card (a turned mask, not empty) in a trick: all bits for a Wizard, none for a loser."""
    return pick(empty(card & WIZARDS), card & (led_lane | top), ALL_BITS)


@jit
def own_lane(card: Any) -> Any:
    """Return the lane of a card's suit (a mask, not empty); an empty one for a Wizard or Jester."""
    return pick(empty(card & SUITED), ZERO, (LANE << (highest(card) & U(48))) & SUITED)


@jit
def _aimed(legal: Any, winners: Any, short: Any, last: Any) -> Any:
    """Return the card to play of the legal ones, of which `winners` would win so far."""
    wanted = pick(short, winners, legal ^ winners)
    none = empty(wanted)
    high = pick(short, ~(none | last), ~none | last)
    return _extreme_card(pick(none, legal, wanted), high)


@jit
def _extreme_card(cards: Any, high: Any) -> Any:
    """Return the card of the highest rank, else of the lowest; of several in the first suit. `high` is a condition."""
    pairs = cards | (cards >> U(32))
    ranks = (pairs | (pairs >> SIXTEEN)) & LANE
    held = cards & (_RANK << pick(high, highest(ranks), lowest(ranks)))
    return held & ~(held - ONE)


@jit
def share_held(unseen: Any, players: int, hand_size: int) -> float:
    """Return the share (0..1) of the cards that a seat cannot see which the other seats hold."""
    return min((players - 1) * hand_size / max(popcount(unseen), 1), 1.0)


@jit
def likely_tricks(hand: Any, unseen: Any, trump: int, players: int, hand_size: int) -> float:
    """Return the tricks that a dealt hand (not turned) is worth, before position and bids are looked at.

    `unseen` is the mask of the cards that may be in other hands. A card is worth less the more higher ones of its
    suit other seats can be expected to hold.
    """
    if (hand | unseen) & FREE != ZERO:
        return _with_free_cards(hand, unseen, trump, players, hand_size)
    return _suited_tricks(hand, unseen, trump, players, hand_size)


@jit
def _with_free_cards(hand: Any, unseen: Any, trump: int, players: int, hand_size: int) -> float:
    """Return the same in the Wizard pack; the weights are least squares on the bids of `count-winners`."""
    wizards = popcount(hand & WIZARDS)
    jesters = popcount(hand & FREE) - wizards
    suited = _suited_tricks(hand & SUITED, unseen & SUITED, trump, players, hand_size)
    if trump >= 0:
        return 0.86 * suited + 0.76 * wizards - 0.22 * jesters + 0.1
    return 0.77 * suited + 1.07 * wizards - 0.69


@jit
def _suited_tricks(hand: Any, unseen: Any, trump: int, players: int, hand_size: int) -> float:
    """Return what the cards of a hand that belong to suits are worth."""
    share = share_held(unseen, players, hand_size)
    tricks = 1.06 * hand_size / players - 0.16 if trump >= 0 else 0.0
    rest = U(hand)
    while rest != ZERO:
        card = lowest_bit(rest)
        rest &= rest - ONE
        suit = card >> 4
        above = share * popcount((unseen & suit_lane(suit)) >> U(card))
        if trump < 0:
            tricks += max(0.95 - 0.3 * above, 0.1)
        elif suit == trump:
            tricks += max(0.9 + 0.33 * share - (0.35 - 0.16 * share) * above, 0.28 + 0.08 * share)
        else:
            tricks += max(0.45 * share - 0.11 - (0.18 + 0.04 * share) * above, -0.28 - 0.08 * share)
    return tricks


@jit
def bid_aim(tricks: float, share: float, place: int, announced: int, players: int, hand_size: int) -> float:
    """Return what a seat that is worth `tricks` aims at, as a float, in its place of the bidding.

    place       bids made before it (0 = eldest hand)
    announced   their total: a seat bids less the more of the tricks others have claimed
    """
    late = 0.37 * share - 0.03 if place > 0 else 0.0
    return tricks + late - (0.045 + 0.124 * share) * (announced - place * hand_size / players)


@jit
def nearest_bid(aim: float, legal: Any) -> int:
    """Return the legal bid (`legal` is a mask, not empty) nearest to what a seat aims at; the higher of two."""
    wanted = min(max(np.int64(aim + 0.5), 0), highest_bit(legal))
    for step in range(64):
        if legal >> U(min(wanted + step, 63)) & ONE:
            return wanted + step
        if legal >> U(max(wanted - step, 0)) & ONE:
            return max(wanted - step, 0)
    return wanted
