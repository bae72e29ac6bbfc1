"""The referee: the base game once more, slow and plain, straight from the rulebook.

It shares no line with the package it checks and imports nothing of it. A card is a tuple `(suit, rank)`:
suits clubs, diamonds, hearts, spades are 0..3, ranks two..ace are 2..14. Hands and packs are lists of cards.
Where there is no trump, no led suit or no turn-up there is None. Seats are 0..players-1 clockwise. The ids
(B1, V17, ...) are the rulebook's.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf

Card = tuple[int, int]

LAST_HAND = {3: 15, 4: 13, 5: 10, 6: 8, 7: 7}  # B4
ACE = 14


# The pack, the schedule and the deal


def new_pack(suits: int = 4, ranks: int = 13) -> list[Card]:
    """B2: 52 cards, two low, ace high. V17: fewer suits, or only the highest ranks."""
    return [(suit, rank) for suit in range(suits) for rank in range(ACE - ranks + 1, ACE + 1)]


def ascending_schedule(players: int, cards: int = 52, max_hand: int | None = None) -> list[int]:
    """B4: hand sizes 1, 2, ... to the last. V17: a small pack ends sooner."""
    last = min(LAST_HAND[players], cards // players) if max_hand is None else max_hand
    assert 1 <= last <= cards // players
    return list(range(1, last + 1))


def seat_after(seat: int, players: int) -> int:
    """The next seat clockwise."""
    return 0 if seat == players - 1 else seat + 1


def clockwise_from(first: int, players: int) -> list[int]:
    """All the seats in turn, beginning with `first`."""
    return [*range(first, players), *range(first)]


@dataclass
class Deal:
    """The hands by seat, the turn-up (None where every card is dealt) and the stock."""

    hands: list[list[Card]]
    turn_up: Card | None
    stock: list[Card] = field(default_factory=list)


def deal_out(shuffled: Sequence[Card], players: int, hand_size: int, dealer: int) -> Deal:
    """B5: one card at a time clockwise from eldest hand, then the turn-up. B6: nothing left to turn."""
    deal = Deal([[] for _ in range(players)], None)
    left = list(shuffled)
    for _ in range(hand_size):
        for seat in clockwise_from(seat_after(dealer, players), players):
            deal.hands[seat].append(left.pop(0))
    if left:
        deal.turn_up = left.pop(0)
    deal.stock = left
    return deal


def misdeal(deal: Deal, pack: Sequence[Card], hand_size: int) -> str | None:
    """B7: say what is wrong with a deal that someone supplies; None when it is in order."""
    seen = [card for hand in deal.hands for card in hand] + ([] if deal.turn_up is None else [deal.turn_up])
    if any(len(hand) != hand_size for hand in deal.hands):
        return "wrong count"
    if any(card not in pack for card in seen):
        return "unknown card"
    if len(set(seen)) != len(seen):
        return "duplicate"
    if (deal.turn_up is None) != (len(deal.hands) * hand_size == len(pack)):
        return "wrong turn-up"
    return None


# One round


def legal_bids(hand_size: int) -> list[int]:
    """B8: any whole number 0..hand size, whatever was bid before (no hook)."""
    return list(range(hand_size + 1))


def announce(bids: Iterable[int], hand_size: int) -> str:
    """B9: the bids' total against the number of tricks."""
    total = sum(bids)
    if total > hand_size:
        return "over"
    return "under" if total < hand_size else "even"


def legal_cards(hand: Sequence[Card], led: int | None) -> list[Card]:
    """B10: the leader plays anything; the others follow suit if they can, otherwise play anything."""
    following = [card for card in hand if card[0] == led]
    return following if following else list(hand)


def shows_void(card: Card, led: int | None) -> bool:
    """What a play reveals: a discard shows a void in the led suit, nothing else shows anything."""
    return led is not None and card[0] != led


def best_play(trick: Sequence[tuple[int, Card]], trump: int | None) -> tuple[int, Card]:
    """B11: of (seat, card) in playing order the highest trump, else the highest card of the led suit."""
    led = trick[0][1][0]
    trumps = [play for play in trick if play[1][0] == trump]
    contest = trumps if trumps else [play for play in trick if play[1][0] == led]
    return max(contest, key=lambda play: play[1][1])


def round_score(bid: int, tricks: int) -> int:
    """B13: a bid hit exactly scores 10 + bid, a miss either way 0."""
    return 10 + bid if tricks == bid else 0


class Round:
    """One round from the first bid to the scores: `seat` is next, to bid while `bidding`, else to play."""

    def __init__(self, deal: Deal, dealer: int) -> None:
        self.players = len(deal.hands)
        self.hand_size = len(deal.hands[0])
        self.dealer = dealer
        self.hands = [list(hand) for hand in deal.hands]
        self.turn_up = deal.turn_up
        self.trump = None if deal.turn_up is None else deal.turn_up[0]  # B5, B6
        self.bids: dict[int, int] = {}
        self.tricks = [0] * self.players
        self.voids: list[set[int]] = [set() for _ in range(self.players)]
        self.trick: list[tuple[int, Card]] = []  # the trick on the table
        self.finished: list[list[tuple[int, Card]]] = []
        self.seat = seat_after(dealer, self.players)  # B8: eldest hand bids first
        self.leader = self.seat  # B10: and leads first

    @property
    def bidding(self) -> bool:
        """Whether a bid is to come next."""
        return len(self.bids) < self.players

    @property
    def done(self) -> bool:
        """Whether every card has been played."""
        return not self.bidding and len(self.finished) == self.hand_size

    @property
    def led(self) -> int | None:
        """The suit led; None while nothing lies on the table."""
        return self.trick[0][1][0] if self.trick else None

    @property
    def announcement(self) -> str | None:
        """B9: made after the last bid; None before."""
        return None if self.bidding else announce(self.bids.values(), self.hand_size)

    def legal_bids(self) -> list[int]:
        """The bids open to the seat whose turn it is."""
        return legal_bids(self.hand_size)

    def legal_cards(self) -> list[Card]:
        """The cards that the seat whose turn it is may play."""
        return legal_cards(self.hands[self.seat], self.led)

    def bid(self, bid: int) -> None:
        """B8: clockwise, dealer last, binding."""
        assert self.bidding
        assert bid in self.legal_bids()
        self.bids[self.seat] = bid
        self.seat = seat_after(self.seat, self.players)

    def play(self, card: Card) -> None:
        """B10, B11: one card to the table; the last card of a trick ends it and the winner leads next."""
        assert not self.bidding
        assert card in self.legal_cards()
        if shows_void(card, self.led):
            assert self.led is not None
            self.voids[self.seat].add(self.led)
        self.hands[self.seat].remove(card)
        self.trick.append((self.seat, card))
        self.seat = seat_after(self.seat, self.players)
        if len(self.trick) == self.players:
            winner, _ = best_play(self.trick, self.trump)
            self.tricks[winner] += 1
            self.finished.append(self.trick)
            self.trick = []
            self.leader = self.seat = winner

    def scores(self) -> list[int]:
        """B13: the round's score by seat."""
        assert self.done
        return [round_score(self.bids[seat], self.tricks[seat]) for seat in range(self.players)]


# The match


@dataclass
class Match:
    """B3, B4, B14 to B16: what is dealt next, the score table, and who wins.

    `record` takes the scores of a finished round; a round that is misdealt (B7) or left half-played (B16) is
    simply not recorded.
    """

    players: int
    schedule: list[int]
    dealer: int
    tie_break_hand: int | None = None
    # Scores by round and seat: B14 of the schedule's rounds; B15 of the extra rounds, kept apart.
    table: list[list[int]] = field(default_factory=list)
    extra: list[list[int]] = field(default_factory=list)
    stopped: bool = False

    def record(self, scores: Sequence[int]) -> None:
        """Write down a finished round and pass the deal on (B3), in extra rounds too (B15)."""
        assert not self.over
        assert len(scores) == self.players
        (self.table if self.rounds_to_go else self.extra).append(list(scores))
        self.dealer = seat_after(self.dealer, self.players)

    def stop(self) -> None:
        """B16: stop early; the completed rounds stand and no tie is played off."""
        self.stopped = True

    @property
    def rounds_to_go(self) -> int:
        """Rounds of the schedule that are still to be played."""
        return len(self.schedule) - len(self.table)

    @property
    def over(self) -> bool:
        """B15: the schedule is through and no tie on top is left to play off; B16: or play was stopped."""
        return self.stopped or (not self.rounds_to_go and (len(self.leaders()) == 1 or len(self.extra) == 10))

    @property
    def next_hand_size(self) -> int:
        """B4; B15: extra rounds take the schedule's largest hand unless another size was agreed."""
        if self.rounds_to_go:
            return self.schedule[len(self.table)]
        return self.tie_break_hand or max(self.schedule)

    def totals(self) -> list[int]:
        """B14: running totals by seat; extra-round points are not among them (B15)."""
        return [sum(scores[seat] for scores in self.table) for seat in range(self.players)]

    def standing(self, seat: int) -> list[float]:
        """B15: what a seat is ranked by: its total, then its score in each extra round it was tied for.

        An extra round ranks only those tied on top when it was played. The others have no score there that
        counts (minus infinity), and need none: they are behind the tied already.
        """
        marks: list[list[float]] = [[total] for total in self.totals()]
        for scores in self.extra:
            best = max(marks)
            marks = [[*mark, scores[s] if mark == best else -inf] for s, mark in enumerate(marks)]
        return marks[seat]

    def leaders(self) -> list[int]:
        """The seats on top; several while they are tied."""
        standings = [self.standing(seat) for seat in range(self.players)]
        return [seat for seat in range(self.players) if standings[seat] == max(standings)]

    def ranks(self) -> list[int]:
        """B15: ranks 1-2-2-4: one more than the number of seats ahead."""
        standings = [self.standing(seat) for seat in range(self.players)]
        return [1 + sum(other > mine for other in standings) for mine in standings]

    def win_shares(self) -> list[Fraction]:
        """B15, B16: one win, split evenly among those who share the first rank."""
        winners = self.ranks().count(1)
        return [Fraction(rank == 1, winners) for rank in self.ranks()]
